"""Strength against gain as docs/results/novelty-strength.md has registered it: two means at each level, two slopes, one decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .markdown import markdown_table
from .table import Comparison, Family, Table, mean_difference
from .verdicts import SIGNIFICANCE, Difference, holm

# By level, from exact static values to those with the largest errors.
TABLES = [f"novelty-strength-{level}" for level in range(5)]
CONTROLS = ["control", "first-play"]


@dataclass(frozen=True)
class Level:
    """What was found at one level."""

    comparisons: list[Comparison]
    strength: dict[str, float]  # by game, the score of first-play against exact where all is played

    def beside(self, control: str) -> list[Comparison]:
        return [one for one in self.comparisons if one.beside == control]

    @property
    def is_whole(self) -> bool:
        return bool(self.comparisons) and all(
            one.difference and one.cell.rules in self.strength for one in self.comparisons
        )

    def with_novelty(self, control: str) -> list[Comparison]:
        return [one for one in self.beside(control) if not one.cell.lacks_novelty]

    def mean(self, control: str) -> Difference | None:
        """Over the games that were played with novelty; None if there are none."""
        return mean_difference(self.with_novelty(control))

    def mean_of_0(self, control: str) -> Difference:
        """With players without novelty counted as 0, which they play against a control of their own but for its k."""
        mean = self.mean(control) or Difference(0, 0, 0)
        share = len(self.with_novelty(control)) / len(self.beside(control))
        return Difference.sum_of([mean.times(share)])

    def mean_as_played(self, control: str) -> Difference | None:
        """Over all games, whether with novelty or not."""
        return mean_difference(self.beside(control))


def slope(means: Sequence[Difference | None]) -> Difference | None:
    """Of the line of least squares through the means of the levels that have one, in points a level."""
    there = [(level, mean) for level, mean in enumerate(means) if mean]
    if len(there) < 2:
        return None
    middle = sum(level for level, _ in there) / len(there)
    squares = sum((level - middle) ** 2 for level, _ in there)
    return Difference.sum_of([mean.times((level - middle) / squares) for level, mean in there])


def levels_of(tables: Sequence[Table], families: Sequence[Family]) -> list[Level]:
    """Of the tables that are there; none if one of them is not."""
    by_name = {table.name: table for table in tables}
    if not by_name.keys() >= set(TABLES):
        return []
    comparisons = [one for family in families for one in family.comparisons]
    levels = []
    for name in TABLES:
        cells = by_name[name].cells
        played = [cell for cell in cells if cell.opponent == "exact" and cell.is_complete]
        strength = {cell.rules: float(cell.rounds.distinct.mean()) for cell in played}
        levels.append(Level([one for one in comparisons if one.table == name], strength))
    levels[0].strength.update({one.cell.rules: 0.5 for one in levels[0].comparisons})  # itself
    return levels


def _standing(slope: Difference, p: float) -> str:
    if p > SIGNIFICANCE:
        return "not shown to differ from 0"
    return "above 0" if slope.value > 0 else "below 0"


def decision(slopes: Mapping[str, tuple[Difference, float]]) -> str:
    """What the rule says of the slopes by control, each with its p, adjusted by Holm."""
    if len(slopes) < len(CONTROLS):
        return "a slope is missing, so that nothing is decided"
    standing = {control: _standing(*slopes[control]) for control in CONTROLS}
    if set(standing.values()) == {"above 0"}:
        return "novelty gains more with a worse evaluation"
    if set(standing.values()) == {"below 0"}:
        return "novelty gains less with a worse evaluation"
    each = [f"the slope beside `{control}` is {what}" for control, what in standing.items()]
    ends = []
    for control, (of, _) in slopes.items():
        low, high = (100 * (len(TABLES) - 1) * end for end in of.interval)
        ends.append(f"{low:+.1f} to {high:+.1f} points beside `{control}`")
    return (
        f"no relation is shown: {' and '.join(each)}. The 95 % intervals, each by itself, leave differences"
        f" between level 0 and level 4 of {' and '.join(ends)}"
    )


def _ranks(numbers: Sequence[float]) -> NDArray[np.float64]:
    """From 1; equal ones share the mean of theirs."""
    of = np.asarray(numbers)
    return np.array([(of < one).sum() + ((of == one).sum() + 1) / 2 for one in of])


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Spearman's."""
    first, second = zip(*pairs)
    return float(np.corrcoef(_ranks(first), _ranks(second))[0, 1])


def _points_section(levels: Sequence[Level]) -> str:
    """Each game and level, and how strength and gain go together."""
    rows = []
    pairs: dict[str, list[tuple[float, float, bool]]] = {control: [] for control in CONTROLS}
    for number, level in enumerate(levels):
        for one in level.beside(CONTROLS[0]):
            game = one.cell.rules
            strength, is_without = level.strength[game], one.cell.lacks_novelty
            row = [game, f"{number}", f"{100 * strength:.1f}"]
            for control in CONTROLS:
                [gain] = [of.difference for of in level.beside(control) if of.cell.rules == game]
                assert gain
                row.append(f"{gain}")
                pairs[control].append((strength, gain.value, is_without))
            rows.append(row + ["alpha = 0" if is_without else ""])
    told = []
    for control, of in pairs.items():
        whole = rank_correlation([(strength, gain) for strength, gain, _ in of])
        few = [(strength, gain) for strength, gain, is_without in of if not is_without]
        told.append(
            f"{whole:+.2f} beside `{control}`, {rank_correlation(few):+.2f} over the {len(few)} with novelty"
        )
    heads = ["game", "level", "strength", *(f"beside {control}" for control in CONTROLS), ""]
    return (
        f"* The rank correlation of strength and gain over the {len(rows)} games and levels, as played, is {' and '.join(told)};"
        " below 0 it says what a slope above 0 says, that more is gained with a worse evaluation.\n\n"
        + markdown_table(heads, rows)
        + "\n"
    )


def strength_section(tables: Sequence[Table], families: Sequence[Family]) -> str:
    """Nothing if the experiment's tables are not here."""
    levels = levels_of(tables, families)
    if not levels:
        return ""
    rows = []
    for number, level in enumerate(levels):
        row = [f"{number}"]
        for control in CONTROLS:
            of = level.with_novelty(control)
            row += [f"{level.mean(control) or ''}", f"{len(of)} of {len(level.beside(control))}"]
        score = sum(level.strength.values()) / len(level.strength) if level.strength else None
        rows.append(row + [f"{100 * score:.1f}" if score is not None else ""])
    heads = ["level", "beside control", "with novelty", "beside first-play", "with novelty"]
    out = (
        "## Strength against gain, as registered\n\n[novelty-strength.md](novelty-strength.md) has question and rule of decision,"
        " fixed before its games. Means are over the games whose tuning chose novelty, in points above 50 %; the last column is the"
        " mean score of `first-play` against `exact`, which has no errors, 50 at level 0, where they are one.\n\n"
        f"{markdown_table(heads + ['strength'], rows)}\n"
    )
    if not all(level.is_whole for level in levels):
        return out + "Not all its matches were played, so that nothing is decided.\n\n"
    by_control = {c: slope([level.mean(c) for level in levels]) for c in CONTROLS}
    found = {control: of for control, of in by_control.items() if of}
    slopes = dict(zip(found, zip(found.values(), holm([of.p for of in found.values()]))))
    told = [
        f"{_precise(of)} points a level beside `{control}`, {_probability(p)}"
        for control, (of, p) in slopes.items()
    ]
    of_0 = slope([level.mean_of_0("control") for level in levels])
    played = [slope([level.mean_as_played(c) for level in levels]) for c in CONTROLS]
    assert of_0 and all(played)
    as_played = [f"{_precise(of)} beside `{c}`" for of, c in zip(played, CONTROLS) if of]
    return out + (
        f"* {_capital(decision(slopes))}. Slopes, with p by Holm of two: {' and '.join(told)}.\n"
        f"* Without a decision: with players without novelty counted as 0 the slope beside `control` is {_precise(of_0)}; with all"
        f" games as they were played, with novelty or without, slopes are {' and '.join(as_played)}.\n"
        + _points_section(levels)
    )


def _precise(of: Difference) -> str:
    low, high = of.interval
    return f"{100 * of.value:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}]"


def _probability(p: float) -> str:
    return f"p = {p:.4f}" if p >= 0.00005 else "p < 0.0001"


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
