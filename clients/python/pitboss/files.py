"""Files read with a bound and written whole, and the checked reading of JSON."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

LARGEST_FILE = 1 << 32

# What to say when a package is missing that the learner and the evaluator need.
MISSING = {
    "torch": "needs PyTorch: install python3-torch (Debian) or torch (PyPI)",
    "numpy": "needs NumPy: install python3-numpy (Debian) or numpy (PyPI)",
}


class BadInput(Exception):
    """What a person can mend, told in one sentence."""


def user_path(text: str | os.PathLike[str]) -> Path:
    """A path that a user has written: `~` at its beginning stands for the home folder. Raises ValueError if
    there is none."""
    path = os.path.expanduser(os.fspath(text))
    if path.startswith("~"):
        raise ValueError(f"'{text}' begins with the home folder of a user who has none")
    return Path(path)


def read_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadInput(f"cannot read {path}: it is longer than 4 GiB")
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that a reader, or a crash, meets all of it or nothing."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        try:
            temporary.unlink(missing_ok=True)
        except OSError:
            pass  # why the file could not be written says more
        raise BadInput(f"cannot write {path}: {error.strerror}") from error


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def json_bytes(value: object) -> bytes:
    return (json.dumps(value, allow_nan=False) + "\n").encode()


class Fields:
    """An object of a JSON file, whose fields are read by kind; what is amiss is a sentence that
    begins with `name`."""

    def __init__(self, value: object, name: str) -> None:
        if not isinstance(value, dict):
            raise BadInput(f"{name} is not a JSON object")
        self.value: dict[str, Any] = value
        self.name = name

    @staticmethod
    def parse(data: bytes | str, name: str) -> Fields:
        try:
            return Fields(json.loads(data), name)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{name} is not JSON") from error

    def whole(self, key: str, least: int, most: int) -> int:
        number = self.value.get(key)
        if type(number) is not int or not least <= number <= most:
            raise BadInput(f"{self.name}: {key} must be a whole number from {least} to {most}")
        return number

    def number(self, key: str, least: float, most: float) -> float:
        number: Any = self.value.get(key)
        if type(number) not in (int, float) or not least <= number <= most:
            raise BadInput(f"{self.name}: {key} must be a number from {least:g} to {most:g}")
        return float(number)

    def numbers(self, key: str, least: float, most: float) -> list[float]:
        items = self.items(key)
        return [Fields({key: item}, self.name).number(key, least, most) for item in items]

    def text(self, key: str, one_of: tuple[str, ...] = ()) -> str:
        text = self.value.get(key)
        if not isinstance(text, str) or (one_of and text not in one_of):
            wanted = " or ".join(one_of) if one_of else "a text"
            raise BadInput(f"{self.name}: {key} must be {wanted}")
        return text

    def truth(self, key: str) -> bool:
        truth = self.value.get(key)
        if not isinstance(truth, bool):
            raise BadInput(f"{self.name}: {key} must be true or false")
        return truth

    def items(self, key: str) -> list[Any]:
        items = self.value.get(key)
        if not isinstance(items, list):
            raise BadInput(f"{self.name}: {key} must be a list")
        return items

    def fields(self, key: str) -> Fields:
        return Fields(self.value.get(key), f"{self.name}: {key}")
