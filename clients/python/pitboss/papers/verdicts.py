"""Scores with their intervals, differences of scores, and what these say of a paper's score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .student import student_quantile, student_within

Scores = NDArray[np.float64]  # a round's points per game: the games of a round share an opening
Interval = tuple[float, float]

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
    """The 95 % interval of the mean by Student's t; of rounds that are all alike by the rule of three."""
    mean = float(scores.mean())
    if (scores == scores[0]).all():
        others = min(1.0, -math.log(0.05) / len(scores))
        return mean * (1 - others), mean * (1 - others) + others
    error = float(scores.std(ddof=1)) / math.sqrt(len(scores))
    half = student_quantile(0.95, len(scores) - 1) * error
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


@dataclass(frozen=True, eq=False)
class Rounds:
    """The scores of a match's rounds. Where matches with the same openings keep the order of theirs, their rounds pair."""

    distinct: Scores  # of the rounds of which none repeats an earlier one
    in_order: Scores | None = None  # of all rounds, where it is known
    repeats: NDArray[np.bool_] | None = None  # which of all rounds repeat an earlier one
    openings: str = ""  # a name of the openings and their order


@dataclass(frozen=True)
class Estimate:
    """A score, or a sum of scores by weights, and the mean and the mean's variance with one round more that is as high
    as a round can be and one that is as low (Agresti and Caffo 2000), so that few rounds, or rounds that are all alike,
    are not taken for certain."""

    score: float
    mean: float
    variance: float
    freedom: float  # degrees of it

    @staticmethod
    def of(scores: Scores, low: float = 0, high: float = 1) -> Estimate:
        more = np.append(scores, [low, high])
        variance = float(more.var()) / len(more)
        return Estimate(float(scores.mean()), float(more.mean()), variance, max(1, len(scores) - 1))

    @staticmethod
    def of_sum(parts: Sequence[tuple[float, Rounds]]) -> Estimate:
        """Of matches by their weights: of one, or of several with the same openings, opening by opening. What repeats in
        all of them counts once."""
        weights = [weight for weight, _ in parts]
        if len(parts) == 1:
            sums = weights[0] * parts[0][1].distinct
        else:
            in_order = np.array([rounds.in_order for _, rounds in parts])
            repeats = np.array([rounds.repeats for _, rounds in parts])
            sums = (np.array(weights) @ in_order)[~repeats.all(axis=0)]
        low = sum(min(0.0, weight) for weight in weights)
        return Estimate.of(sums, low, sum(max(0.0, weight) for weight in weights))

    @staticmethod
    def published(score: float, games: int) -> Estimate:
        """A paper's, of independent games; draws would make its variance less."""
        mean = (score * games + 1) / (games + 2)
        return Estimate(score, mean, mean * (1 - mean) / (games + 2), max(1, games - 1))

    def __neg__(self) -> Estimate:
        return Estimate(-self.score, -self.mean, self.variance, self.freedom)


@dataclass(frozen=True)
class Difference:
    """How much one score is above another, or some are above others on average."""

    value: float
    middle: float  # of its interval, a little nearer to 0 than the value
    error: float  # standard
    freedom: float = math.inf  # degrees of it
    confidence: float = 0.95

    @staticmethod
    def sum_of(estimates: Iterable[Estimate], confidence: float = 0.95) -> Difference:
        """None of them depends on another one. The degrees of freedom are those of Welch and Satterthwaite."""
        value = middle = variance = inverse = 0.0
        for one in estimates:
            value += one.score
            middle += one.mean
            variance += one.variance
            inverse += one.variance**2 / one.freedom
        freedom = variance**2 / inverse if inverse else math.inf
        return Difference(value, middle, math.sqrt(variance), freedom, confidence)

    @staticmethod
    def between(one: Estimate, other: Estimate, confidence: float = 0.95) -> Difference:
        return Difference.sum_of([one, -other], confidence)

    @staticmethod
    def of_matches(parts: Iterable[tuple[float, Rounds]], less: float = 0) -> Difference:
        """The sum of matches' scores by their weights, less a number. Matches whose rounds pair depend on each other by
        their openings, all others are taken for independent."""
        sharing: dict[object, list[tuple[float, Rounds]]] = {}
        for weight, rounds in parts:
            sharing.setdefault(rounds.openings or id(rounds), []).append((weight, rounds))
        sums = [Estimate.of_sum(of) for of in sharing.values()]
        return Difference.sum_of([*sums, Estimate(-less, -less, 0, math.inf)])

    def times(self, factor: float) -> Estimate:
        """A part of a sum."""
        variance = (factor * self.error) ** 2
        return Estimate(factor * self.value, factor * self.middle, variance, self.freedom)

    @property
    def interval(self) -> Interval:
        half = student_quantile(self.confidence, self.freedom) * self.error
        return self.middle - half, self.middle + half

    @property
    def p(self) -> float:
        """Two-sided."""
        if not self.error:
            return 1.0
        return 1 - student_within(abs(self.middle) / self.error, self.freedom)

    @property
    def holds_zero(self) -> bool:
        return self.interval[0] <= 0 <= self.interval[1]

    def is_within(self, margin: float) -> bool:
        """Whether two one-sided tests of 5 % show that it is nearer to 0 than the margin."""
        return abs(self.middle) + student_quantile(0.90, self.freedom) * self.error < margin

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"


def verdict(published: float | str, found: Difference | Interval, has_paper_options: bool) -> str:
    """On a number of the paper's by our difference from it, on its words by the interval of our score."""
    if isinstance(found, Difference):
        agrees = found.holds_zero and found.is_within(MARGIN)
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
