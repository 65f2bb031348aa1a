"""Numbers and switches of NumPy and PyTorch as Python's own."""

from __future__ import annotations

from typing import Any


def plain(value: Any) -> Any:
    """The number or switch in an array or tensor without dimensions, as NumPy's numbers are; else the value."""
    return value.item() if getattr(value, "ndim", None) == 0 else value
