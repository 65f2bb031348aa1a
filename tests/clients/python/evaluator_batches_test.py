"""The evaluator's queue, with networks that only say what came together."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np
import pytest

from pitboss.evaluator.batches import Batches, Outputs, QueueFull
from pitboss.evaluator.devices import Floats, Planes

SECONDS = 60


@dataclass(eq=False)
class Made:
    """Answers with its planes, when it may."""

    most_positions: int = 100
    begun: threading.Event = field(default_factory=threading.Event)
    may_end: threading.Event = field(default_factory=threading.Event)
    fails: bool = False

    def __post_init__(self) -> None:
        self.evaluators = [self._evaluate]

    def _evaluate(self, planes: Planes) -> tuple[Floats, Floats]:
        self.begun.set()
        assert self.may_end.wait(SECONDS)
        if self.fails:
            raise RuntimeError("out of memory")
        numbers = planes.astype(np.float32)
        return numbers, -numbers


def planes(*numbers: int) -> Floats:
    return np.array(numbers, np.float32)


def result(future: Future[Outputs]) -> tuple[list[float], list[float], int]:
    outputs = future.result(SECONDS)
    return outputs.policy.tolist(), outputs.values.tolist(), outputs.batch


def busy(model: Made) -> tuple[Batches, Future[Outputs]]:
    batches = Batches(devices=1, most_waiting=10)
    first = batches.submit(model, planes(0))
    assert model.begun.wait(SECONDS)
    return batches, first


def test_each_network_has_batches_of_its_own() -> None:
    model, other = Made(), Made()
    other.may_end.set()
    batches, first = busy(model)
    waiting = [batches.submit(model, planes(1, 2)), batches.submit(other, planes(3))]
    waiting += [batches.submit(model, planes(4)), batches.submit(other, planes(5, 6))]
    model.may_end.set()
    assert result(first) == ([0], [0], 1)
    assert result(waiting[0]) == ([1, 2], [-1, -2], 3)
    assert result(waiting[1]) == ([3], [-3], 3)
    assert result(waiting[2]) == ([4], [-4], 3)
    assert result(waiting[3]) == ([5, 6], [-5, -6], 3)
    batches.stop()


def test_who_gave_up_is_not_evaluated_and_frees_its_place() -> None:
    model = Made()
    batches, _ = busy(model)
    waiting = [batches.submit(model, planes(*[number] * 5)) for number in (1, 2)]
    with pytest.raises(QueueFull):
        batches.submit(model, planes(3))
    assert waiting[0].cancel()
    model.may_end.set()
    assert result(waiting[1]) == ([2] * 5, [-2] * 5, 5)
    assert result(batches.submit(model, planes(*range(10))))[2] == 10
    batches.stop()


def test_a_failure_costs_its_batch_alone() -> None:
    model, other = Made(fails=True), Made()
    other.may_end.set()
    batches, first = busy(model)
    waiting = batches.submit(other, planes(1))
    model.may_end.set()
    with pytest.raises(RuntimeError, match="out of memory"):
        first.result(SECONDS)
    assert result(waiting) == ([1], [-1], 1)
    batches.stop()


def test_what_waits_is_evaluated_before_the_end() -> None:
    model = Made()
    batches, first = busy(model)
    waiting = batches.submit(model, planes(1))
    stopping = threading.Thread(target=batches.stop)
    stopping.start()
    model.may_end.set()
    assert result(first) == ([0], [0], 1)
    assert result(waiting) == ([1], [-1], 1)
    stopping.join(SECONDS)
    assert not stopping.is_alive()
