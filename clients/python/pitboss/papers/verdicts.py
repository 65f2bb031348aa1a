"""Scores with their intervals, differences of scores, and what these say of a paper's score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]  # a round's points per game: the games of a round share an opening
Interval = tuple[float, float]

NORMAL_95 = NormalDist().inv_cdf(0.975)
NORMAL_90 = NormalDist().inv_cdf(0.95)
SIGNIFICANCE = 0.05  # above which the adjusted p shows no difference
MARGIN = 0.05  # within which two scores are called the same
MEAN_MARGIN = 0.02  # within which the mean of many differences is called none
VERDICTS = (
    "reproduced",
    "in agreement",
    "contradicted",
    "open",
    "undecided",
    "begun",
    "not run",
)
WORDINGS = ("better", "not better", "even", "worse")


def interval_of(scores: Scores) -> Interval:
    """The 95 % interval of the mean by the normal approximation; of rounds that are all alike by the rule of three."""
    mean = float(scores.mean())
    if (scores == scores[0]).all():
        others = min(1.0, -math.log(0.05) / len(scores))
        return mean * (1 - others), mean * (1 - others) + others
    half = NORMAL_95 * float(scores.std()) / math.sqrt(len(scores))
    return max(0.0, mean - half), min(1.0, mean + half)


def wilson(score: float, games: int) -> Interval:
    """The 95 % interval of the papers: Wilson with continuity correction, and the rule of three at the ends."""
    z = 1.96
    alike = min(1.0, -math.log(0.05) / games)
    if score in (0, 1):
        return (0.0, alike) if score == 0 else (1 - alike, 1.0)

    def upper(p: float) -> float:
        root = math.sqrt(max(0.0, z * z - 1 / games + 4 * games * p * (1 - p) + 2 - 4 * p))
        return min(1.0, (2 * games * p + z * z + z * root + 1) / (2 * (games + z * z)))

    return 1 - upper(1 - score), upper(score)


@dataclass(frozen=True)
class Estimate:
    """A score, and the mean and the mean's variance with one round more that was won and one that was lost (Agresti
    and Caffo 2000), so that few rounds, or rounds that are all alike, are not taken for certain."""

    score: float
    mean: float
    variance: float

    @staticmethod
    def of(scores: Scores) -> Estimate:
        more = np.append(scores, [0, 1])
        return Estimate(float(scores.mean()), float(more.mean()), float(more.var()) / len(more))

    @staticmethod
    def published(score: float, games: int) -> Estimate:
        """A paper's, of independent games; draws would make its variance less."""
        mean = (score * games + 1) / (games + 2)
        return Estimate(score, mean, mean * (1 - mean) / (games + 2))


@dataclass(frozen=True)
class Difference:
    """How much one score is above another, or some are above others on average."""

    value: float
    middle: float  # of its interval, a little nearer to 0 than the value
    error: float  # standard
    normal: float = NORMAL_95  # so many errors the interval reaches to each side

    @staticmethod
    def between(one: Estimate, other: Estimate, normal: float = NORMAL_95) -> Difference:
        return Difference.sum_of([(1, one), (-1, other)], normal)

    @staticmethod
    def sum_of(parts: Iterable[tuple[float, Estimate]], normal: float = NORMAL_95) -> Difference:
        """Of estimates by their weights. None of them depends on another one."""
        value = middle = variance = 0.0
        for weight, estimate in parts:
            value += weight * estimate.score
            middle += weight * estimate.mean
            variance += weight * weight * estimate.variance
        return Difference(value, middle, math.sqrt(variance), normal)

    @property
    def interval(self) -> Interval:
        return self.middle - self.normal * self.error, self.middle + self.normal * self.error

    @property
    def p(self) -> float:
        """Two-sided."""
        return math.erfc(abs(self.middle) / self.error / math.sqrt(2)) if self.error else 1.0

    @property
    def holds_zero(self) -> bool:
        return self.interval[0] <= 0 <= self.interval[1]

    def is_within(self, margin: float) -> bool:
        """Whether two one-sided tests of 5 % show that it is nearer to 0 than the margin."""
        return abs(self.middle) + NORMAL_90 * self.error < margin

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"


def verdict(published: float | str, found: Difference | Interval, has_paper_options: bool) -> str:
    """On a number of the paper's by our difference from it, on its words by the interval of our score."""
    if isinstance(found, Difference):
        low, high = found.interval
        agrees = found.holds_zero and high - low <= 2 * MARGIN
        differs = not found.holds_zero
    else:
        low, high = found
        is_above, is_below = low > 0.5, high < 0.5
        is_not_much_above, is_not_much_below = high < 0.5 + MARGIN, low > 0.5 - MARGIN
        agrees, differs = {
            "better": (is_above, is_not_much_above),
            "worse": (is_below, is_not_much_below),
            "even": (is_not_much_above and is_not_much_below, is_above or is_below),
            "not better": (is_not_much_above, is_above),
        }[str(published)]
    if agrees:
        return "reproduced" if has_paper_options else "in agreement"
    if differs:
        return "contradicted" if has_paper_options else "open"
    return "undecided"


def holm(p: Sequence[float]) -> list[float]:
    """The p of a family of comparisons, adjusted by Holm's procedure."""
    adjusted = np.empty(len(p))
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(1, np.asarray(p)[order] * np.arange(len(p), 0, -1))
    adjusted[order] = np.maximum.accumulate(scaled)
    return [float(one) for one in adjusted]
