"""Evaluators that run as processes of their own, and a client of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import numpy as np
from made_run import DEVICE
from numpy.typing import NDArray

from pitboss.evaluator.protocol import CHANNEL_OPTIONS, MESSAGES, stub

Floats = NDArray[np.float32]

SECONDS = 60  # nothing here takes so long, on any machine
GATED = Path(__file__).with_name("gated_evaluator.py")


class Evaluator:
    """A client of an evaluator at an address."""

    def __init__(
        self, process: subprocess.Popen[str], address: str, token: str = "", ca: Path | None = None
    ) -> None:
        self.process = process
        self.address = address
        options = [*CHANNEL_OPTIONS, ("grpc.use_local_subchannel_pool", 1)]
        if ca is None:
            self.channel = grpc.insecure_channel(address, options=options)
        else:
            trust = grpc.ssl_channel_credentials(ca.read_bytes())
            self.channel = grpc.secure_channel(address, trust, options=options)
        self.calls = stub(self.channel)
        self.metadata = [("authorization", f"Bearer {token}")] if token else []

    def call(self, name: str, /, **fields: Any) -> Any:
        request = MESSAGES[f"{name}Request"](**fields)
        return self.calls[name](request, timeout=SECONDS, metadata=self.metadata)

    def begin(self, request: Any) -> Any:
        """The reply to come."""
        call: Any = self.calls["ModelInfer"]
        return call.future(request, timeout=SECONDS, metadata=self.metadata)

    def infer(self, request: Any) -> Any:
        return self.begin(request).result()

    def refusal(self, request: Any) -> tuple[str, str]:
        """The status and the sentence that answer a request to infer."""
        return refusal_of(lambda: self.infer(request))


def refusal_of(call: Callable[[], Any]) -> tuple[str, str]:
    try:
        call()
    except grpc.RpcError as error:
        told: Any = error
        return told.code().name, told.details()
    raise AssertionError("it was answered")


def request(model: str, planes: Floats, **fields: Any) -> Any:
    made = MESSAGES["ModelInferRequest"](model_name=model, **fields)
    made.inputs.add(name="planes", datatype="FP32", shape=planes.shape)
    made.raw_input_contents.append(planes.astype("<f4").tobytes())
    return made


def packed_request(model: str, planes: Floats) -> Any:
    bits = np.packbits(planes.reshape(len(planes), -1) != 0, axis=1, bitorder="little")
    made = MESSAGES["ModelInferRequest"](model_name=model)
    made.inputs.add(name="bits", datatype="UINT8", shape=bits.shape)
    made.raw_input_contents.append(bits.tobytes())
    return made


def outputs(response: Any) -> dict[str, Floats]:
    raw = response.raw_output_contents
    assert len(raw) == len(response.outputs)
    return {
        output.name: np.frombuffer(numbers, "<f4").reshape(tuple(output.shape))
        for output, numbers in zip(response.outputs, raw)
    }


@contextmanager
def evaluator(
    networks: Path, *flags: str, gate: Path | None = None, descriptors: int | None = None
) -> Iterator[Evaluator]:
    """An evaluator that is ready; with a gate, one whose evaluations wait for it to open."""
    program = ["-m", "pitboss.evaluator"] if gate is None else [str(GATED), str(gate)]
    flags = ("--device", DEVICE, "--threads", "1", *flags)
    command = _command(program, networks, flags, descriptors)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            word, address = process.stdout.readline().split()
            assert word == "listening"
            client = Evaluator(process, address)
            yield client
            client.channel.close()
        finally:
            process.kill()


def refused_start(
    networks: Path,
    *flags: str,
    descriptors: int | None = None,
    environment: dict[str, str] | None = None,
) -> str:
    """What an evaluator says that does not start."""
    command = _command(["-m", "pitboss.evaluator"], networks, flags, descriptors)
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert (ended.returncode, ended.stdout) == (1, "")
    return ended.stderr


def _command(
    program: Sequence[str], networks: Path, flags: Sequence[str], descriptors: int | None
) -> list[str]:
    command = [sys.executable, *program, "--networks", str(networks)]
    command += ["--listen", "127.0.0.1:0", *flags]
    if descriptors is not None:
        command = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *command]
    return command
