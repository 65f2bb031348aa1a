"""Evaluations a second of a server: PYTHONPATH=clients/python throughput.py HOST:PORT MODEL.
Rows of positions in a request, and of requests that are under way at once; each for five seconds.
Planes travel as bits if the server takes them so."""

from __future__ import annotations

import sys
import time
from typing import Any

import grpc
import numpy as np

from pitboss.evaluator.protocol import CHANNEL_OPTIONS, MESSAGES, stub

SECONDS = 5
LOADS = [(1, 1), (8, 1), (64, 1), (256, 1), (1, 8), (1, 64), (1, 256), (8, 2), (64, 2), (256, 2)]
LOADS += [(512, 2), (1024, 2)]


def request(model: str, metadata: Any, positions: int) -> Any:
    shape = [positions, *metadata.inputs[0].shape[1:]]
    made = MESSAGES["ModelInferRequest"](model_name=model)
    planes = np.random.default_rng(1).random(shape) < 0.3
    if metadata.properties["packed_input"] == "bits":
        bits = np.packbits(planes.reshape(positions, -1), axis=1, bitorder="little")
        made.inputs.add(name="bits", datatype="UINT8", shape=bits.shape)
        made.raw_input_contents.append(bits.tobytes())
    else:
        made.inputs.add(name="planes", datatype="FP32", shape=shape)
        made.raw_input_contents.append(planes.astype("<f4").tobytes())
    return made


def measure(infer: Any, made: Any, under_way: int) -> tuple[float, float, float]:
    """Requests a second, their median latency in milliseconds, and mean batch of the server's."""
    begun = time.perf_counter()
    calls = [(time.perf_counter(), infer.future(made)) for _ in range(under_way)]
    latencies, batches = [], []
    while calls:  # oldest first
        sent, call = calls.pop(0)
        batches.append(call.result().parameters["batch"].int64_param)
        now = time.perf_counter()
        latencies.append(now - sent)
        if now - begun < SECONDS:
            calls.append((now, infer.future(made)))
    rate = len(latencies) / (time.perf_counter() - begun)
    return rate, 1000 * float(np.median(latencies)), float(np.mean(batches))


def main(address: str, model: str) -> None:
    channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
    calls = stub(channel)
    metadata = calls["ModelMetadata"](MESSAGES["ModelMetadataRequest"](name=model))
    print("| positions | under way | evaluations/s | latency, ms | mean batch |")
    for positions, under_way in LOADS:
        made = request(model, metadata, positions)
        for _ in range(10):
            calls["ModelInfer"](made)
        rate, latency, batch = measure(calls["ModelInfer"], made, under_way)
        print(
            f"| {positions} | {under_way} | {rate * positions:,.0f} | {latency:.2f} | {batch:.0f} |"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
