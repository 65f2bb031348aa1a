"""Experiments as TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .plain import plain


def toml_lines(table: Mapping[str, Any]) -> str:
    """The table as TOML, a key a line. Raises ValueError for what TOML cannot say."""
    return "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in table.items())


def _toml(value: Any) -> str:
    """The value as TOML writes it on one line."""
    value = plain(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, (bool, int, float, str)):
        return json.dumps(value, allow_nan=False, ensure_ascii=False)
    raise ValueError(f"an experiment has texts, numbers, lists and tables, not {value!r}")


def _key(key: object) -> str:
    return json.dumps(str(key), ensure_ascii=False)
