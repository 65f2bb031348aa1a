"""Evaluators whose device is busy: what waits is joined, bounded, and answered before they end."""

import signal
import time
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest
from evaluator_process import Evaluator, evaluator, outputs, request
from made_run import init_network

WAITING = 8


@pytest.fixture
def networks(tmp_path: Path) -> Path:
    folder = tmp_path / "networks"
    init_network(folder / "othello.safetensors", "othello", "--seed", "1")
    return folder


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    folder = tmp_path / "gate"
    folder.mkdir()
    return folder


def position(number: int) -> Any:
    planes = np.zeros((1, 4, 8, 8), np.float32)
    planes.flat[number] = 1
    return request("othello", planes, id=str(number))


def make_busy(server: Evaluator, gate: Path) -> Any:
    """The device's first evaluation, of position 0."""
    first = server.begin(position(0))
    while not (gate / "busy").exists():
        time.sleep(0.01)
    return first


def fill(server: Evaluator) -> dict[int, Any]:
    """Sends twice as many positions as may wait; those that do."""
    replies = {number: server.begin(position(number)) for number in range(1, 2 * WAITING + 1)}
    while sum(reply.done() for reply in replies.values()) < WAITING:
        time.sleep(0.01)
    for reply in replies.values():
        if reply.done():
            assert reply.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
            assert (
                reply.details() == f"{WAITING} positions wait already, and the limit is {WAITING}"
            )
    return {number: reply for number, reply in replies.items() if not reply.done()}


def batch_of(response: Any) -> int:
    batch: int = response.parameters["batch"].int64_param
    return batch


def test_what_waits_is_joined_up_to_a_limit(networks: Path, gate: Path) -> None:
    flags = ("--max-queue", str(WAITING), "--max-batch", "5")
    with evaluator(networks, *flags, gate=gate) as server:
        first = make_busy(server, gate)
        waiting = fill(server)
        assert len(waiting) == WAITING
        (gate / "open").touch()
        assert batch_of(first.result()) == 1
        assert sorted(batch_of(reply.result()) for reply in waiting.values()) == [3] * 3 + [5] * 5
        for number, reply in waiting.items():
            found, alone = reply.result(), server.infer(position(number))
            assert (found.id, batch_of(alone)) == (str(number), 1)
            for name, numbers in outputs(alone).items():
                np.testing.assert_allclose(outputs(found)[name], numbers, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_is_under_way_is_answered_before_it_ends(
    networks: Path, gate: Path, number: signal.Signals
) -> None:
    with evaluator(networks, "--max-queue", str(WAITING), gate=gate) as server:
        first = make_busy(server, gate)
        waiting = fill(server)
        server.process.send_signal(number)
        while server.call("ServerReady").ready:
            time.sleep(0.01)
        assert server.refusal(position(0)) == ("UNAVAILABLE", "the server is shutting down")
        assert server.call("ServerLive").live
        (gate / "open").touch()
        assert batch_of(first.result()) == 1
        assert [batch_of(reply.result()) for reply in waiting.values()] == [WAITING] * WAITING
        assert server.process.wait() == 0
        assert server.refusal(position(0))[0] == "UNAVAILABLE"
