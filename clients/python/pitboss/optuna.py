"""Options of an engine as parameters of an Optuna study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .options import Option, Value


def suggest(trial: Any, options: Mapping[str, Option], names: Iterable[str]) -> dict[str, Value]:
    """Values for the options of these names, each in its own range: a category for words and switches, a
    logarithmic scale where the range begins above 0. For a narrower range, replace the option:
    `options | {"k": dataclasses.replace(options["k"], min=0.05, max=2)}`. Raises ValueError for an option that
    has no range."""
    values: dict[str, Value] = {}
    for name in names:
        if name not in options:
            raise ValueError(f"there is no option '{name}'")
        option = options[name]
        if option.type == "check":
            values[name] = trial.suggest_categorical(name, [False, True])
        elif option.type == "combo":
            values[name] = trial.suggest_categorical(name, list(option.choices))
        elif option.min is None or option.max is None:
            raise ValueError(f"option '{name}' is a text without a range: suggest it yourself")
        elif option.type == "spin":
            low, high = int(option.min), int(option.max)
            values[name] = trial.suggest_int(name, low, high, log=low > 0)
        else:
            values[name] = trial.suggest_float(name, option.min, option.max, log=option.min > 0)
    return values
