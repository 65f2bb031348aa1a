"""The options of a search, as the server lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Value = bool | int | float | str


@dataclass(frozen=True)
class Option:
    """`type` is `spin` (a number from `min` to `max`), `combo` (one of `choices`), `check` or `string`;
    `default` is what the session began with, `value` what holds at the table."""

    name: str
    type: str
    default: Value
    value: Value
    min: float | None = None
    max: float | None = None
    choices: tuple[str, ...] = ()


def read_options(listed: str, values: Mapping[str, str]) -> dict[str, Option]:
    """From the answer of `list_options` and the options' values as text."""
    options = {}
    for line in listed.splitlines():
        words = line.split()
        name, kind = words[2], words[4]
        facts: dict[str, list[str]] = {}
        for key, word in zip(words[5::2], words[6::2]):
            facts.setdefault(key, []).append(word)
        options[name] = Option(
            name,
            kind,
            _value(kind, facts["default"][0]),
            _value(kind, values[name]),
            _number(facts, "min"),
            _number(facts, "max"),
            tuple(facts.get("var", ())),
        )
    return options


def option_text(name: str, value: object) -> str:
    """The value as `setoption` takes it. Raises ValueError for what no option can be."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    text = str(value)
    if not text or not text.isprintable() or any(c.isspace() or c == "#" for c in text):
        raise ValueError(f"the value of option {name} must be one word, not {value!r}")
    return text


def _value(kind: str, text: str) -> Value:
    if kind == "check":
        return text == "true"
    if kind == "spin":
        number = float(text)
        return int(number) if number.is_integer() else number
    return text


def _number(facts: Mapping[str, list[str]], key: str) -> float | None:
    return float(facts[key][0]) if key in facts else None
