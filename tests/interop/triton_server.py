"""Triton with a network: triton_server.py NAME MODEL.onnx PORT. gRPC is on PORT, HTTP behind it."""

import sys

import numpy as np
import onnxruntime
from pytriton.decorators import batch
from pytriton.model_config import DynamicBatcher, ModelConfig, Tensor
from pytriton.triton import Triton, TritonConfig

name, path, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


@batch
def evaluate(planes):
    policy, values = session.run(["policy", "values"], {"planes": planes})
    return {"policy": policy, "values": values}


def tensors(of_session):
    return [Tensor(name=t.name, dtype=np.float32, shape=tuple(t.shape[1:])) for t in of_session]


config = TritonConfig(
    grpc_address="127.0.0.1",
    grpc_port=port,
    http_address="127.0.0.1",
    http_port=port + 1,
    metrics_port=port + 2,
)
with Triton(config=config) as triton:
    triton.bind(
        model_name=name,
        infer_func=evaluate,
        inputs=tensors(session.get_inputs()),
        outputs=tensors(session.get_outputs()),
        config=ModelConfig(max_batch_size=256, batcher=DynamicBatcher()),
    )
    triton.serve()
