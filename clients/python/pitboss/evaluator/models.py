"""The networks of a folder, by name: NAME.safetensors is the model NAME."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import torch

from pitboss.evaluator.devices import LAYOUTS, Evaluator, evaluator_on, planes_shape
from pitboss.evaluator.protocol import LARGEST_MESSAGE
from pitboss.files import BadInput, read_bytes
from pitboss.model import Architecture, parse_network

SECONDS_BETWEEN_LOOKS = 1.0


@dataclass(frozen=True, eq=False)
class Model:
    """A network on every device."""

    metadata: dict[str, str]
    sha256: str
    shape: Architecture
    precision: str
    most_positions: int
    evaluators: list[Evaluator]


class Models:
    """What of the folder can be used. `refresh` is for one thread; the others may be called by
    any at any time."""

    def __init__(
        self, folder: Path, devices: list[str], precision: str, most_positions: int
    ) -> None:
        self._folder = folder
        self._devices = devices
        self._precision = precision
        self._most_positions = most_positions
        self._stamps: dict[str, tuple[int, ...]] = {}
        self._models: dict[str, Model] = {}
        self._refusals: dict[str, str] = {}
        self._stopped = threading.Event()

    def find(self, name: str) -> Model | None:
        return self._models.get(name)

    def refusal(self, name: str) -> str | None:
        """Why the network's file cannot be used."""
        return self._refusals.get(name)

    def names(self) -> list[str]:
        return sorted(self._models)

    def refresh(self) -> None:
        """Loads files that are new or were replaced, and forgets those that are gone. A file that
        cannot be used leaves the network that was there before it."""
        stamps = self._look()
        for name in self._stamps.keys() - stamps.keys():
            self._models.pop(name, None)
            self._refusals.pop(name, None)
        for name in sorted(stamps):
            if stamps[name] != self._stamps.get(name):
                self._load(name)
        self._stamps = stamps

    def watch(self) -> None:
        """Refreshes again and again until `stop`."""
        while not self._stopped.wait(SECONDS_BETWEEN_LOOKS):
            try:
                self.refresh()
            except BadInput as bad:
                say(str(bad))

    def stop(self) -> None:
        self._stopped.set()

    def _look(self) -> dict[str, tuple[int, ...]]:
        """The folder's networks, with what changes when a file does."""
        found: dict[str, tuple[int, ...]] = {}
        try:
            for path in self._folder.iterdir():
                if path.suffix == ".safetensors" and path.is_file():
                    stat = path.stat()
                    found[path.stem] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        except OSError as error:
            raise BadInput(f"cannot read the folder {self._folder}: {error.strerror}") from error
        return found

    def _load(self, name: str) -> None:
        path = self._folder / f"{name}.safetensors"
        try:
            self._models[name] = self._read(path)
            self._refusals.pop(name, None)
            say(f"{name} is {self._models[name].sha256}")
        except (BadInput, MemoryError, RuntimeError) as error:  # PyTorch: the last, of memory too
            self._refusals[name] = str(error) or "it needs more memory than there is"
            kept = "; the network before it stays" if name in self._models else ""
            say(f"refuses {path}: {self._refusals[name]}{kept}")

    def _read(self, path: Path) -> Model:
        file = parse_network(read_bytes(path), path.name, LAYOUTS)
        shape = file.shape
        largest = max(torch.Size(planes_shape(shape)).numel(), shape.policy + shape.values)
        most = min(self._most_positions, (LARGEST_MESSAGE - 4096) // (4 * largest))
        evaluators = [evaluator_on(device, self._precision, file, most) for device in self._devices]
        return Model(file.metadata, file.sha256, shape, self._precision, most, evaluators)


def say(sentence: str) -> None:
    print(f"pitboss-evaluator: {sentence}", file=sys.stderr, flush=True)
