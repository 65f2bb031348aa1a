"""A server that evaluates positions: networks in PyTorch behind the Open Inference Protocol over
gRPC (docs/evaluator.md). From what comes in to what goes out: `server` the process, `gate` the
connections, `access` the tokens, `service` the six calls, `batches` the queue, `devices` the
computation, `models` the networks of a folder."""
