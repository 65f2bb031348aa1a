"""The options of a search, as the server lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .plain import plain

Value = bool | int | float | str


@dataclass(frozen=True)
class Option:
    """`type` is `spin` (a whole number from `min` to `max`), `real` (a number in that range), `combo` (one of
    `choices`), `check` or `string`; `default` is what the session began with, `value` what holds at the table.
    A running search takes a change of a `live` option over at once. `help` is a line about it."""

    name: str
    type: str
    default: Value
    value: Value
    min: float | None = None
    max: float | None = None
    choices: tuple[str, ...] = ()
    live: bool = False
    help: str = ""

    def at(self, text: str) -> Option:
        """The option with this value, as the server writes it."""
        return replace(self, value=_value(self.type, text))


def read_values(options: Mapping[str, Option], texts: Mapping[str, str]) -> dict[str, Value]:
    """What the server tells of values, by the types of these options."""
    return {
        name: options[name].at(text).value if name in options else text
        for name, text in texts.items()
    }


def read_options(listed: Iterable[Mapping[str, Any]]) -> dict[str, Option]:
    """From the `options` of `list_options json`."""
    return {
        row["name"]: Option(
            row["name"],
            row["type"],
            _value(row["type"], row["default"]),
            _value(row["type"], row["value"]),
            row.get("min"),
            row.get("max"),
            tuple(row["choices"]),
            row["live"],
            row["help"],
        )
        for row in listed
    }


def option_text(name: str, value: object) -> str:
    """The value as `setoption` takes it. Raises ValueError for what no option can be."""
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    text = str(value)
    if not text or not text.isprintable() or any(c.isspace() or c == "#" for c in text):
        raise ValueError(f"the value of option {name} must be one word, not {value!r}")
    return text


def switch_text(text: str) -> str:
    """What is set of a `check`, as the server tells it."""
    words = {"1": "true", "on": "true", "0": "false", "off": "false"}
    return words.get(text.lower(), text.lower())


def _value(kind: str, text: str) -> Value:
    if kind == "check":
        return text == "true"
    return int(text) if kind == "spin" else float(text) if kind == "real" else text
