"""How long a search may take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

MOST_SIMULATIONS = 4_000_000_000
_LONGEST = 86_400.0  # seconds


@dataclass(frozen=True)
class Limit:
    """The first bound reached ends the search; `Limit()` leaves the bounds to the engine's options.

    `simulations`: 1 to 4,000,000,000. `time`: seconds, at most a day. `clocks`: for each colour the seconds
    that it has left and the seconds that each of its moves adds. Raises ValueError for other values.
    """

    simulations: int | None = None
    time: float | None = None
    clocks: Mapping[str, tuple[float, float]] | None = None

    def __post_init__(self) -> None:
        if self.simulations is not None and (
            isinstance(self.simulations, bool)
            or not isinstance(self.simulations, int)
            or not 1 <= self.simulations <= MOST_SIMULATIONS
        ):
            raise ValueError(
                f"simulations must be a whole number from 1 to {MOST_SIMULATIONS}, not {self.simulations!r}"
            )
        if self.time is not None and not 0.001 <= _seconds("time", self.time) <= _LONGEST:
            raise ValueError(f"time must be 0.001 to {_LONGEST:g} seconds, not {self.time!r}")
        for colour, clock in (self.clocks or {}).items():
            if not isinstance(clock, tuple) or len(clock) != 2:
                raise ValueError(
                    f"the clock of {colour} must be (seconds, increment), not {clock!r}"
                )
            for seconds in clock:
                if not 0 <= _seconds(f"the clock of {colour}", seconds) <= 1e6:
                    raise ValueError(
                        f"the clock of {colour} must have 0 to 1000000 seconds, not {clock!r}"
                    )

    def options(self) -> dict[str, str]:
        """The options of the server that bound a search so; empty if the engine's own hold."""
        if self.simulations is None and self.time is None and self.clocks is None:
            return {}
        return {
            "simulations": str(0 if self.simulations is None else self.simulations),
            "movetime": str(0 if self.time is None else round(self.time * 1000)),
        }


def _seconds(what: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{what} must be a number of seconds, not {value!r}")
    return value
