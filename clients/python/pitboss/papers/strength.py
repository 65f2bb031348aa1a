"""Strength against gain as docs/results/novelty-strength.md has registered it: two means at each level, two slopes, one decision."""

from __future__ import annotations

import math
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
    strength: dict[str, float]  # by game, the score of first-play against exact

    def beside(self, control: str) -> list[Comparison]:
        return [one for one in self.comparisons if one.beside == control]

    @property
    def is_whole(self) -> bool:
        return all(one.difference for one in self.comparisons)

    def with_novelty(self, control: str) -> list[Comparison]:
        """Of those that were played."""
        of = self.beside(control)
        return [one for one in of if one.difference and not one.cell.lacks_novelty]

    def mean(self, control: str) -> Difference | None:
        return mean_difference(self.with_novelty(control))

    def mean_of_all(self, control: str) -> Difference | None:
        """With players without novelty counted as 0."""
        mean = self.mean(control)
        return mean and scaled(mean, len(self.with_novelty(control)) / len(self.beside(control)))


def scaled(of: Difference, factor: float) -> Difference:
    return Difference(
        factor * of.value, factor * of.middle, abs(factor) * of.error, of.freedom, of.confidence
    )


def total(parts: Sequence[Difference]) -> Difference:
    """The sum of independent differences."""
    variances = [one.error**2 for one in parts]
    inverse = sum(v**2 / one.freedom for v, one in zip(variances, parts))
    freedom = sum(variances) ** 2 / inverse if inverse else math.inf
    value, middle = sum(one.value for one in parts), sum(one.middle for one in parts)
    return Difference(value, middle, math.sqrt(sum(variances)), freedom)


def slope(means: Mapping[int, Difference | None]) -> Difference | None:
    """Of the line of least squares through the means of the levels that have one, in points a level."""
    there = {level: mean for level, mean in means.items() if mean}
    if len(there) < 2:
        return None
    middle = sum(there) / len(there)
    squares = sum((level - middle) ** 2 for level in there)
    return total([scaled(mean, (level - middle) / squares) for level, mean in there.items()])


def levels_of(tables: Sequence[Table], families: Sequence[Family]) -> list[Level]:
    """Of the tables that are there; none if one of them is not."""
    by_name = {table.name: table for table in tables}
    if not by_name.keys() >= set(TABLES):
        return []
    comparisons = [one for family in families for one in family.comparisons]
    levels = []
    for name in TABLES:
        played = [cell for cell in by_name[name].cells if cell.opponent == "exact" and cell.played]
        strength = {cell.rules: float(cell.rounds.distinct.mean()) for cell in played}
        levels.append(Level([one for one in comparisons if one.table == name], strength))
    levels[0].strength.update({one.cell.rules: 0.5 for one in levels[0].comparisons})  # itself
    return levels


def decision(slopes: Sequence[tuple[Difference, float]]) -> str:
    """What the rule says of the two slopes with their p, adjusted by Holm."""
    if all(p <= SIGNIFICANCE for _, p in slopes):
        if all(of.value > 0 for of, _ in slopes):
            return "novelty gains more with a worse evaluation"
        if all(of.value < 0 for of, _ in slopes):
            return "novelty gains less with a worse evaluation"
    ends = [[100 * (len(TABLES) - 1) * end for end in of.interval] for of, _ in slopes]
    told = [
        f"{low:+.1f} to {high:+.1f} points beside `{control}`"
        for control, (low, high) in zip(CONTROLS, ends)
    ]
    return (
        "no relation is shown; what differences between level 0 and level 4 are not excluded: "
        + " and ".join(told)
    )


def _ranks(numbers: Sequence[float]) -> NDArray[np.float64]:
    """From 1; equal ones share the mean of theirs."""
    of = np.asarray(numbers)
    return np.array([(of < one).sum() + ((of == one).sum() + 1) / 2 for one in of])


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Spearman's."""
    first, second = zip(*pairs)
    return float(np.corrcoef(_ranks(first), _ranks(second))[0, 1])


def _against_strength(levels: Sequence[Level], control: str) -> str:
    pairs = [
        (level.strength[one.cell.rules], one.difference.value)
        for level in levels
        for one in level.beside(control)
        if one.difference
    ]
    return f"{rank_correlation(pairs):+.2f} beside `{control}`"


def strength_section(tables: Sequence[Table], families: Sequence[Family]) -> str:
    """Nothing if the experiment's tables are not here."""
    levels = levels_of(tables, families)
    if not levels:
        return ""
    rows = []
    for number, level in enumerate(levels):
        row = [f"{number}"]
        for control in CONTROLS:
            counted, played = level.with_novelty(control), level.beside(control)
            row += [f"{level.mean(control) or ''}", f"{len(counted)} of {len(played)}"]
        score = sum(level.strength.values()) / len(level.strength) if level.strength else None
        rows.append(row + [f"{100 * score:.1f}" if score is not None else ""])
    heads = ["level", "beside control", "with novelty", "beside first-play", "with novelty"]
    out = (
        "## Strength against gain, as registered\n\n[novelty-strength.md](novelty-strength.md) has question and rule of decision,"
        " fixed before its games. Means are over the games whose tuning chose novelty, in points above 50 %; the last column is the"
        " mean score of `first-play` against `exact`, which has no errors.\n\n"
        f"{markdown_table(heads + ['strength'], rows)}\n"
    )
    if not all(level.is_whole for level in levels):
        return out + "Not all its matches were played, so that nothing is decided.\n\n"
    slopes = {c: slope({n: of.mean(c) for n, of in enumerate(levels)}) for c in CONTROLS}
    of_all = {c: slope({n: of.mean_of_all(c) for n, of in enumerate(levels)}) for c in CONTROLS}
    found = [one for one in slopes.values() if one]
    p = holm([one.p for one in found])
    told = [
        f"{_precise(one)} points a level beside `{control}`, {_probability(adjusted)}"
        for (control, one), adjusted in zip(slopes.items(), p)
        if one
    ]
    others = [f"{_precise(one)} beside `{control}`" for control, one in of_all.items() if one]
    return out + (
        f"* {_capital(decision(list(zip(found, p))))}. Slopes, with p by Holm of two: {' and '.join(told)}.\n"
        f"* Without a decision: the slopes with players without novelty counted as 0, {' and '.join(others)}; the rank correlation of"
        f" strength and gain over games and levels, {' and '.join(_against_strength(levels, c) for c in CONTROLS)}.\n\n"
    )


def _precise(of: Difference) -> str:
    low, high = of.interval
    return f"{100 * of.value:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}]"


def _probability(p: float) -> str:
    return f"p = {p:.4f}" if p >= 0.00005 else "p < 0.0001"


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
