"""Student's t distribution, of any degrees of freedom."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import numpy as np

_STEPS = 1000  # of Simpson's rule
_LIKE_NORMAL = 1e6  # degrees of freedom, from which on nothing tells them apart


def student_within(t: float, freedom: float) -> float:
    """How probable a value between -t and t is: with t = sqrt(freedom) tan(x) the density is a power of cos(x)."""
    if freedom > _LIKE_NORMAL:
        return math.erf(t / math.sqrt(2))
    end = math.atan(t / math.sqrt(freedom))
    heights = np.cos(np.linspace(0, end, _STEPS + 1)) ** (freedom - 1)
    sum = heights[0] + 4 * heights[1::2].sum() + 2 * heights[2:-1:2].sum() + heights[-1]
    integral = end / _STEPS / 3 * float(sum)
    scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    return min(1.0, 2 * integral * math.exp(scale) / math.sqrt(math.pi))


@cache
def student_quantile(confidence: float, freedom: float) -> float:
    """The t for which a value between -t and t has this probability."""
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    if freedom > _LIKE_NORMAL:
        return normal
    low, high = normal, 2 * normal
    while student_within(high, freedom) < confidence:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if student_within(middle, freedom) < confidence else (low, middle)
        )
    return (low + high) / 2
