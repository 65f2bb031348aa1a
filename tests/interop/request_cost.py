"""What a request costs pitboss-evaluator, apart from the network:
PYTHONPATH=clients/python request_cost.py NETWORKS MODEL. Its networks answer zeros, and two requests
are under way at once, whose planes are numbers or bits."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import grpc
import numpy as np

from pitboss.evaluator import models
from pitboss.evaluator.__main__ import main as evaluator
from pitboss.evaluator.protocol import CHANNEL_OPTIONS, MESSAGES, SERVICE, stub

SECONDS = 3
POSITIONS = [1, 8, 64, 256, 512, 1024]


class Zeros:
    """A network that computes nothing."""

    def __init__(self, device: str, precision: str, file: Any, most_positions: int) -> None:
        shape = file.shape
        self.policy = np.zeros((most_positions, shape.policy), np.float32)
        self.values = np.zeros((most_positions, shape.values), np.float32)

    def __call__(self, planes: Any) -> Any:
        return self.policy[: len(planes)], self.values[: len(planes)]


def processor_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def request(model: str, shape: list[int], as_bits: bool) -> bytes:
    planes = np.random.default_rng(1).random(shape) < 0.3
    made = MESSAGES["ModelInferRequest"](model_name=model)
    if as_bits:
        bits = np.packbits(planes.reshape(shape[0], -1), axis=1, bitorder="little")
        made.inputs.add(name="bits", datatype="UINT8", shape=bits.shape)
        made.raw_input_contents.append(bits.tobytes())
    else:
        made.inputs.add(name="planes", datatype="FP32", shape=shape)
        made.raw_input_contents.append(planes.astype("<f4").tobytes())
    data: bytes = made.SerializeToString()
    return data


def measure(infer: Any, data: bytes, pid: int) -> tuple[float, float]:
    """Requests a second, and the server's processor time for one."""
    for _ in range(20):
        infer(data)
    before, begun, answered = processor_seconds(pid), time.perf_counter(), 0
    calls = [infer.future(data) for _ in range(2)]
    while calls:
        calls.pop(0).result()
        answered += 1
        if time.perf_counter() - begun < SECONDS:
            calls.append(infer.future(data))
    rate = answered / (time.perf_counter() - begun)
    return rate, (processor_seconds(pid) - before) / answered


def main(networks: str, model: str) -> None:
    command = [sys.executable, __file__, "--networks", networks, "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        channel = grpc.insecure_channel(server.stdout.readline().split()[1], CHANNEL_OPTIONS)
        metadata = stub(channel)["ModelMetadata"](MESSAGES["ModelMetadataRequest"](name=model))
        infer = channel.unary_unary(f"/{SERVICE}/ModelInfer")
        print("| positions | planes | requests/s | positions/s | processor, us a request |")
        for positions in POSITIONS:
            shape = [positions, *metadata.inputs[0].shape[1:]]
            for as_bits in (False, True):
                rate, used = measure(infer, request(model, shape, as_bits), server.pid)
                cells: list[Any] = [positions, "bits" if as_bits else "numbers", f"{rate:,.0f}"]
                cells += [f"{rate * positions:,.0f}", f"{1e6 * used:.0f}"]
                print("|", " | ".join(map(str, cells)), "|", flush=True)
        server.terminate()


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(*sys.argv[1:])
    else:
        models.evaluator_on = Zeros  # type: ignore[assignment]
        sys.exit(evaluator(sys.argv[1:]))
