"""The 2x2 experiment as docs/results/novelty-2x2.md has registered it: three means at each budget, six tests, one decision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .markdown import markdown_table
from .table import Comparison, Family, Table, mean_difference, mean_of
from .verdicts import MEAN_MARGIN, SIGNIFICANCE, Difference, holm

# By table, the budget.
BUDGETS = {"novelty-2x2-1000": 1000, "novelty-2x2-5000": 5000}
# The three means, by the control that players meet.
MEANS = {"D1": "control", "D2": "plain", "D3": "first-play"}
# Of D1 and D2 at this budget the interval should reach no further to either side.
SHARP_BUDGET, SHARPNESS = 1000, 0.005


@dataclass(frozen=True)
class Mean:
    """One of the registered means."""

    name: str
    budget: int
    comparisons: list[Comparison]

    @property
    def played(self) -> list[Comparison]:
        return [one for one in self.comparisons if one.difference]

    @property
    def is_whole(self) -> bool:
        return len(self.played) == len(self.comparisons)

    @property
    def counted(self) -> list[Comparison]:
        """Of players with novelty."""
        return [one for one in self.played if not one.cell.lacks_novelty]

    @cached_property
    def difference(self) -> Difference | None:
        return mean_difference(self.counted)

    @cached_property
    def placebo(self) -> Difference | None:
        """Of the players whose tuning chose alpha = 0, of which several may play the same games: what their other values do."""
        of = [one for one in self.played if one.cell.lacks_novelty]
        return mean_of(of) if of else None

    @property
    def if_others_are_0(self) -> str:
        """The mean with players without novelty counted as 0."""
        if self.difference is None:
            return ""
        share = len(self.counted) / len(self.played)
        return f"{Difference.sum_of([self.difference.times(share)])}"

    @property
    def is_none_to_speak_of(self) -> bool:
        return self.difference is not None and self.difference.is_within(MEAN_MARGIN)


@dataclass(frozen=True)
class Decided:
    """A mean with its p of six, which is 1 until all its matches are played."""

    mean: Mean
    p: float

    @property
    def standing(self) -> str:
        difference = self.mean.difference
        if difference is None or self.p > SIGNIFICANCE:
            return "not shown to differ from 0"
        return "above 0" if difference.value > 0 else "below 0"

    @property
    def is_above(self) -> bool:
        return self.standing == "above 0"

    @property
    def verdict(self) -> str:
        mean = self.mean
        if not mean.is_whole:
            return f"begun: {len(mean.played)} of {len(mean.comparisons)}"
        return self.standing + ", none to speak of" * mean.is_none_to_speak_of


def decided(tables: Sequence[Table], families: Sequence[Family]) -> list[Decided]:
    """All means of the tables that are there; by Holm over all of them."""
    questions = {table.name: table.question for table in tables}
    means = []
    for name, budget in BUDGETS.items():
        of = [
            one
            for family in families
            if family.question == questions.get(name)
            for one in family.comparisons
            if one.table == name
        ]
        for mean, control in MEANS.items() if of else ():
            means.append(Mean(mean, budget, [one for one in of if one.beside == control]))
    p = [one.difference.p if one.is_whole and one.difference else 1 for one in means]
    return [Decided(mean, adjusted) for mean, adjusted in zip(means, holm(p))]


def _most_of(mean: Mean) -> str:
    """The gain that the upper end of the interval leaves."""
    assert mean.difference is not None
    top = mean.difference.interval[1]
    if top > 0:
        return f"{mean.name} up to {100 * top:.1f} points"
    return f"{mean.name} none, as the interval ends at {100 * top:+.1f}"


def decision(three: Sequence[Decided]) -> str:
    """What the rule says of a budget."""
    if not all(one.mean.is_whole for one in three):
        return "not all its matches were played, so that nothing is decided"
    above = [one.is_above for one in three]
    if all(above):
        small = all(one.mean.is_none_to_speak_of for one in three)
        return f"novelty helps, by a gain that {'does not matter' if small else 'matters'}"
    if above == [True, True, False]:
        return "what novelty gains is no more than a value of untried moves gains"
    if not any(above):
        ends = [_most_of(one.mean) for one in three if one.mean.difference]
        return f"no gain is shown; what gains are not excluded: {', '.join(ends)}"
    return "novelty is not said to help, for which all three means have to be above 0"


def _sharpness(three: Sequence[Decided]) -> str:
    """Whether D1 and D2 are as sharp as they were meant to be."""
    halves = []
    for one in three[:2]:
        if one.mean.difference is None or not one.mean.is_whole:
            return ""
        low, high = one.mean.difference.interval
        halves.append((high - low) / 2)
    told = " and ".join(f"{100 * half:.2f}" for half in halves)
    is_sharp = max(halves) <= SHARPNESS
    return (
        f" D1 and D2 have intervals of {told} points on either side, where at most {100 * SHARPNESS:.1f} were meant:"
        f" the experiment is {'as sharp as it was' if is_sharp else 'not as sharp as it was'} meant to be."
    )


def _score_of(table: Table, player: str, opponent: str) -> str:
    """The mean of a player's scores in all games, less one half."""
    cells = [cell for cell in table.cells if (cell.player, cell.opponent) == (player, opponent)]
    played = [cell for cell in cells if cell.is_complete]
    if not played:
        return "not run"
    mean = Difference.of_matches([(1 / len(played), one.rounds) for one in played], 0.5)
    return f"{mean}" + f", of {len(played)} of {len(cells)} games" * (len(played) < len(cells))


def _less(one: Mean, other: Mean) -> str:
    if not one.difference or not other.difference:
        return "not run"
    value = one.difference.value - other.difference.value
    ends = [mean.difference.interval for mean in (one, other) if mean.difference]
    half = math.hypot(*((high - low) / 2 for low, high in ends))
    begun = "" if one.is_whole and other.is_whole else ", begun"
    return f"{100 * value:+.1f} [{100 * (value - half):+.1f}, {100 * (value + half):+.1f}]{begun}"


def two_by_two_section(tables: Sequence[Table], families: Sequence[Family]) -> str:
    """Nothing if the experiment has no table here."""
    found = decided(tables, families)
    if not found:
        return ""
    rows = []
    for one in found:
        mean = one.mean
        rows.append(
            [f"{mean.budget:,}", f"{mean.name}: beside {MEANS[mean.name]}"]
            + [f"{len(mean.counted)} of {len(mean.played)}" if mean.played else "0 of 0"]
            + [f"{mean.difference or ''}", mean.if_others_are_0]
            + ["" if not mean.is_whole else f"{one.p:.4f}" if one.p >= 0.00005 else "< 0.0001"]
            + [one.verdict, f"{mean.placebo or ''}"]
        )
    heads = [
        "simulations",
        "mean",
        "players with novelty",
        "difference",
        "if the others count as 0",
    ]
    heads += ["p, Holm of six", "verdict", "players with alpha = 0"]
    out = (
        "## The 2x2 experiment, as registered\n\n[novelty-2x2.md](novelty-2x2.md) has hypotheses and rule of decision, fixed before"
        " its games. A mean is decided when all its matches are played; what has begun is of the games that were first, which are"
        " no sample of the five, and decides nothing. The last column is not registered: the mean of the players"
        " whose tuning chose alpha = 0, each with the same weight, those that play the same games, too. It tells what their k"
        " and beta do without novelty.\n\n"
        f"{markdown_table(heads, rows)}\n"
    )
    by_name = {table.name: table for table in tables}
    for name, budget in BUDGETS.items():
        three = [one for one in found if one.mean.budget == budget]
        if not three:
            continue
        table, first, second = by_name[name], three[0].mean, three[1].mean
        out += f"* At {budget:,} simulations {decision(three)}."
        out += _sharpness(three) if budget == SHARP_BUDGET else ""
        out += (
            f" Without a decision: D1 - D2 {_less(first, second)}; 1 - b alone, `control` against `plain`,"
            f" {_score_of(table, 'control', 'plain')}; `first-play` against `plain` {_score_of(table, 'first-play', 'plain')}.\n"
        )
    return out + "\n"
