"""Files in the safetensors format: a length of 8 bytes, a header in JSON, the tensors' numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.files import BadInput, Fields

LONGEST_HEADER = 1 << 20
MOST_TENSORS = 4096
MOST_DIMENSIONS = 8
TYPES = {"F32": "<f4", "U8": "u1", "U16": "<u2", "U32": "<u4"}
NAMES = {np.dtype(type_): name for name, type_ in TYPES.items()}

Array = NDArray[Any]


@dataclass
class SafeTensors:
    metadata: dict[str, str] = field(default_factory=dict)
    tensors: dict[str, Array] = field(default_factory=dict)


def parse(data: bytes, name: str) -> SafeTensors:
    """Reads the bytes of a file called `name`, which may come from anywhere: the tensors fill it
    without gaps or overlaps. The arrays are views of the bytes."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > min(LONGEST_HEADER, len(data) - 8):
        raise BadInput(f"{name} is not a safetensors file, or was cut off in its header")
    header = Fields.parse(data[8 : 8 + length], f"{name}: the header")
    if len(header.value) > MOST_TENSORS + 1:
        raise BadInput(f"{name} has more than {MOST_TENSORS} tensors")
    numbers = memoryview(data)[8 + length :]
    contents = SafeTensors()
    places = []
    for key in header.value:
        entry = header.fields(key)
        if key == "__metadata__":
            contents.metadata = {item: entry.text(item) for item in entry.value}
        else:
            contents.tensors[key], begin, end = _read_tensor(entry, numbers)
            places.append((begin, end))
    _expect_no_gaps(places, len(numbers), name)
    return contents


def serialize(metadata: Mapping[str, str], tensors: Mapping[str, Array]) -> bytes:
    """A file's bytes: the same for the same contents, laid out as Pitboss's program does."""
    header: dict[str, object] = {"__metadata__": dict(sorted(metadata.items()))}
    parts = []
    begin = 0
    for name, tensor in sorted(tensors.items()):
        part = np.ascontiguousarray(tensor)
        end = begin + part.nbytes
        header[name] = {
            "data_offsets": [begin, end],
            "dtype": NAMES[part.dtype],
            "shape": list(tensor.shape),
        }
        parts.append(part.tobytes())
        begin = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def _read_tensor(entry: Fields, numbers: memoryview) -> tuple[Array, int, int]:
    type_ = np.dtype(TYPES[entry.text("dtype", tuple(TYPES))])
    shape = entry.items("shape")
    offsets = entry.items("data_offsets")
    for lengths, most in ((shape, MOST_DIMENSIONS), (offsets, 2)):
        if len(lengths) > most or not all(type(n) is int and n >= 0 for n in lengths):
            raise BadInput(f"{entry.name} must have a shape and data_offsets of whole numbers")
    if len(offsets) != 2 or offsets[1] > len(numbers):
        raise BadInput(f"{entry.name} lies outside of the file, which may have been cut off")
    begin, end = offsets
    if end - begin != math.prod(shape) * type_.itemsize:
        raise BadInput(f"{entry.name} has data of another size than its shape tells")
    return np.frombuffer(numbers[begin:end], type_).reshape(shape), begin, end


def _expect_no_gaps(places: list[tuple[int, int]], size: int, name: str) -> None:
    at = 0
    for begin, end in sorted(places):
        if begin != at:
            raise BadInput(f"{name}: its tensors overlap or leave gaps")
        at = end
    if at != size:
        raise BadInput(f"{name}: its tensors do not fill the file")
