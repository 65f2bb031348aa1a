"""What an experiment can show: how sharp a correlation over networks is, and how sharp the means of the 2x2 experiment are
(docs/results/novelty-2x2.md), simulated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from .markdown import markdown_table
from .table import read_table
from .verdicts import MEAN_MARGIN, Difference, Rounds, Scores

_NORMAL = NormalDist()
_NORMAL_95 = _NORMAL.inv_cdf(0.975)

# The papers' correlation of strength and gain over gomoku's networks.
CORRELATION = 0.35
NETWORKS = 22

# The 2x2 experiment: so many rounds of two games in each match of four measures, in the games of the table with the spread.
SPREAD_TABLE = "novelty-1000-tuned"
MATCH_ROUNDS = 2000
MEASURES = 4
_TRIALS = 400
_SEED = 1

# --- a correlation, by Fisher's z: atanh(r) is normal, with the variance 1 / (n - 3) ---


def correlation_interval(r: float, n: int) -> tuple[float, float]:
    """Of 95 %."""
    half = _NORMAL_95 / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def correlation_power(r: float, n: int) -> float:
    """The probability that a two-sided test of 5 % over n networks shows a correlation that is truly r."""
    shift = math.atanh(r) * math.sqrt(n - 3)
    return _NORMAL.cdf(shift - _NORMAL_95) + _NORMAL.cdf(-shift - _NORMAL_95)


def networks_for(r: float, power: float) -> int:
    """The least number that has this power."""
    n = 4
    while correlation_power(r, n) < power:
        n += 1
    return n


def correlation_for(n: int, power: float) -> float:
    """The true correlation that n networks show with this power."""
    low, high = 0.0, 1 - 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if correlation_power(middle, n) < power else (low, middle)
    return high


def correlation_text() -> str:
    r, n = CORRELATION, NETWORKS
    low, high = (f"{end:.2f}".replace("0.", ".") for end in correlation_interval(r, n))
    text = (
        f"r = {r:.2f} over {n} networks has the interval [{low}, {high}] (Fisher's z). If it is the true one, {n} networks show"
        f" it with probability {correlation_power(r, n):.2f}, {networks_for(r, 0.8)} with 0.80, {networks_for(r, 0.9)} with 0.90"
        f" (two-sided, 5 %); what {n} show with 0.80 is a true r of {correlation_for(n, 0.8):.2f}"
    )
    return text.replace("r = 0.", "r = .").replace("r of 0.", "r of .")


# --- the means of the 2x2 experiment ---


def spreads_of(root: Path) -> list[Scores]:
    """By game, the scores of rounds that a control has had here, mirrored so that they are even."""
    cells = read_table(root, SPREAD_TABLE).cells
    scores = [cell.rounds.distinct for cell in cells if cell.player == "control" and cell.record]
    return [np.sort(np.append(one, 1 - one)) for one in scores]


def simulated_mean(
    random: np.random.Generator, spreads: Sequence[Scores], likeness: float, gain: float
) -> Difference:
    """The mean over all games and measures, each of which truly gains as much. The four measures meet the control on the
    same openings, by which their rounds are alike: `likeness` is the correlation of what lies behind their scores.
    """
    parts = []
    for number, spread in enumerate(spreads):
        opening = random.normal(size=MATCH_ROUNDS)
        for _ in range(MEASURES):
            own = random.normal(size=MATCH_ROUNDS)
            scores = _like(spread, math.sqrt(likeness) * opening + math.sqrt(1 - likeness) * own)
            scores[random.random(MATCH_ROUNDS) < 2 * gain] = 1  # for one half on average
            rounds = Rounds(scores, scores, np.zeros(MATCH_ROUNDS, bool), str(number))
            parts.append((1 / (MEASURES * len(spreads)), rounds))
    return Difference.of_matches(parts, 0.5)


def _like(spread: Scores, normals: NDArray[np.float64]) -> Scores:
    """Scores that are spread like these, the higher the higher the normal numbers are."""
    points, counts = np.unique(spread, return_counts=True)
    shares = np.cumsum(counts)[:-1] / len(spread)
    ends = [_NORMAL.inv_cdf(float(share)) for share in shares]
    return np.array(points[np.searchsorted(ends, normals)])


def means_text(root: Path) -> str:
    spreads, random = spreads_of(root), np.random.default_rng(_SEED)
    rows = []
    for likeness in (0, 0.2, 0.4):
        for gain in (0, 0.005, 0.01):
            found = [simulated_mean(random, spreads, likeness, gain) for _ in range(_TRIALS)]
            ends = np.array([one.interval for one in found])
            half = float(np.mean(ends[:, 1] - ends[:, 0])) / 2
            shares = (
                np.mean((ends[:, 0] <= gain) & (gain <= ends[:, 1])),
                np.mean(ends[:, 0] > 0),
                np.mean([one.is_within(MEAN_MARGIN) for one in found]),
            )
            rows.append(
                [
                    f"{likeness:.1f}",
                    f"{100 * gain:.1f}",
                    f"{100 * half:.2f}",
                    *(f"{100 * one:.1f} %" for one in shares),
                ]
            )
    heads = [
        "likeness",
        "true gain, points",
        "interval, +- points",
        "holds the true gain",
        "lies above 0",
    ]
    return markdown_table([*heads, "within 2 points is shown"], rows)


def power_text(root: Path) -> str:
    return f"{correlation_text()}.\n\n{means_text(root)}"
