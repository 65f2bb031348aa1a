"""Requests that wait for a device, and leave in batches: whatever waits for one network when a
device becomes free goes together. Nobody waits for a batch to fill."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pitboss.evaluator.devices import Floats, Planes


class Model(Protocol):
    """What the queue needs to know of a network."""

    @property
    def evaluators(self) -> Sequence[Callable[[Planes], tuple[Floats, Floats]]]:
        """The network on each device."""

    @property
    def most_positions(self) -> int:
        """The largest batch."""


@dataclass
class Outputs:
    policy: Floats
    values: Floats
    batch: int  # positions that were evaluated together


@dataclass
class Request:
    model: Model
    planes: Planes
    outputs: Future[Outputs] = field(default_factory=Future)


class QueueFull(Exception):
    """Too many positions wait already."""


class Batches:
    """A bounded queue with one thread for each device."""

    def __init__(self, devices: int, most_waiting: int) -> None:
        self._most_waiting = most_waiting
        self._waiting: deque[Request] = deque()
        self._positions = 0  # of the requests that wait
        self._changed = threading.Condition()
        self._stopped = False
        self._threads = [
            threading.Thread(target=self._work, args=(device,), name=f"device {device}")
            for device in range(devices)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, model: Model, planes: Planes) -> Future[Outputs]:
        """Never blocks. A request that is cancelled while it waits is not evaluated."""
        request = Request(model, planes)
        with self._changed:
            if self._positions + len(planes) > self._most_waiting:
                raise QueueFull(
                    f"{self._positions} positions wait already, and the limit is {self._most_waiting}"
                )
            self._waiting.append(request)
            self._positions += len(planes)
            self._changed.notify()
        return request.outputs

    def stop(self) -> None:
        """Evaluates what waits, and returns when all threads have ended."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self, device: int) -> None:
        while batch := self._next_batch():
            evaluate(batch, device)

    def _next_batch(self) -> list[Request]:
        """Waits for requests; none if the queue was stopped."""
        with self._changed:
            while True:
                if batch := self._take():
                    return batch
                if self._stopped:
                    return []
                self._changed.wait()

    def _take(self) -> list[Request]:
        """The oldest request, and those for the same network that still fit, in their order."""
        batch: list[Request] = []
        left: deque[Request] = deque()
        positions = 0
        for request in self._waiting:
            model = batch[0].model if batch else request.model
            joined = positions + len(request.planes)
            if request.model is not model or joined > model.most_positions:
                left.append(request)
            elif request.outputs.set_running_or_notify_cancel():
                batch.append(request)
                positions = joined
        self._waiting = left
        self._positions = sum(len(request.planes) for request in left)
        return batch


def evaluate(batch: Sequence[Request], device: int) -> None:
    """Answers all requests of a batch, by an exception if need be."""
    try:
        planes = [request.planes for request in batch]
        joined = planes[0] if len(planes) == 1 else np.concatenate(planes)
        policy, values = batch[0].model.evaluators[device](joined)
    except Exception as error:  # whatever PyTorch throws costs this batch alone
        for request in batch:
            request.outputs.set_exception(error)
        return
    begin = 0
    for request in batch:
        end = begin + len(request.planes)
        outputs = Outputs(policy[begin:end], values[begin:end], len(joined))
        request.outputs.set_result(outputs)
        begin = end
