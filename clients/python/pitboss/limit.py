"""How long a search may take."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import SupportsFloat, SupportsIndex

MOST_SIMULATIONS = 4_000_000_000
_LONGEST = 86_400.0  # seconds


@dataclass(frozen=True)
class Limit:
    """The first bound reached ends the search; `Limit()` leaves the bounds to the engine's options; any other
    takes their place, `cputime` included.

    `simulations`: 1 to 4,000,000,000. `time`: seconds, at most a day. `clocks`: for each colour the seconds
    that it has left and the seconds that each of its moves adds. Raises ValueError for other values.
    """

    simulations: int | None = None
    time: float | None = None
    clocks: Mapping[str, tuple[float, float]] | None = None

    def __post_init__(self) -> None:
        if self.simulations is not None:
            object.__setattr__(self, "simulations", _count(self.simulations))
        if self.time is not None:
            object.__setattr__(self, "time", _seconds("time", self.time, 0.001, _LONGEST))
        if self.clocks is not None:
            clocks = {colour: _clock(colour, clock) for colour, clock in self.clocks.items()}
            object.__setattr__(self, "clocks", clocks)

    def options(self) -> dict[str, str]:
        """The options of the server that bound a search so; empty if the engine's own hold."""
        if self.simulations is None and self.time is None and self.clocks is None:
            return {}
        return {
            "simulations": str(0 if self.simulations is None else self.simulations),
            "movetime": str(0 if self.time is None else round(self.time * 1000)),
            "cputime": "0",
        }


def _count(value: SupportsIndex) -> int:
    with suppress(TypeError):
        count = operator.index(value)
        if not isinstance(value, bool) and 1 <= count <= MOST_SIMULATIONS:
            return count
    raise ValueError(
        f"simulations must be a whole number from 1 to {MOST_SIMULATIONS}, not {value!r}"
    )


def _seconds(what: str, value: SupportsFloat, least: float, most: float) -> float:
    with suppress(TypeError):
        if not isinstance(value, (bool, str, bytes)) and least <= float(value) <= most:
            return float(value)
    raise ValueError(
        f"{what} must be a number of seconds from {least:g} to {most:g}, not {value!r}"
    )


def _clock(colour: str, clock: Sequence[SupportsFloat]) -> tuple[float, float]:
    try:
        seconds, increment = clock
    except (TypeError, ValueError):
        raise ValueError(
            f"the clock of {colour} must be (seconds, increment), not {clock!r}"
        ) from None
    what = f"the clock of {colour}"
    return _seconds(what, seconds, 0, 1e6), _seconds(what, increment, 0, 1e6)
