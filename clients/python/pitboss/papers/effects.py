"""What novelty gains beyond controls: the means of many comparisons, by budget, measure and game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .table import Cell, Comparison, Family, mean_difference
from .verdicts import Difference

EFFECTS_NAME = "effects"
EFFECTS_TITLE = "What novelty gains beyond controls"


@dataclass(frozen=True)
class Effect:
    """A mean of comparisons that have something in common."""

    name: str
    comparisons: int
    difference: Difference


@dataclass(frozen=True)
class Effects:
    """The mean of all comparisons of a question with one budget, and with one control where players have several; and
    the means of its parts."""

    question: str
    conditions: str  # "1,000 simulations, beside first-play"
    unplayed: int  # comparisons that it does not have yet
    all: Effect
    by_measure: list[Effect]
    by_game: list[Effect]


def budget_of(cell: Cell) -> str:
    """The first player's, as "5,000 simulations" or "25 ms, networks"."""
    options = cell.match["players"][0]["options"]
    times = [options.get(name, "0") for name in ("cputime", "movetime")]
    simulations = int(options.get("simulations", 0))
    budget = next((f"{time} ms" for time in times if time != "0"), f"{simulations:,} simulations")
    return budget + (", networks" if options.get("network") else "")


def effects_of(families: Sequence[Family]) -> list[Effects]:
    """Of the comparisons that were played, of players with novelty."""
    found = []
    for family in families:

        def conditions_of(one: Comparison) -> str:
            beside = f", beside {one.beside}" if family.has_several_controls else ""
            return budget_of(one.cell) + beside

        groups: dict[str, list[Comparison]] = {}
        for one in family.counted:
            groups.setdefault(conditions_of(one), []).append(one)
        unplayed = Counter(map(conditions_of, family.unplayed))
        for conditions, of in groups.items():
            [whole] = _parts(of, ["all"] * len(of))
            measures = [one.cell.measure for one in of]
            games = [one.cell.rules for one in of]
            parts = list(_parts(of, measures)), list(_parts(of, games))
            found.append(Effects(family.question, conditions, unplayed[conditions], whole, *parts))
    return found


def _parts(comparisons: Sequence[Comparison], names: Sequence[str]) -> Iterator[Effect]:
    for name in dict.fromkeys(names):
        of = [one for one, other in zip(comparisons, names) if other == name]
        difference = mean_difference(of)
        assert difference is not None
        yield Effect(name, len(of), difference)
