"""Which rows a generation learns from, how often, and from what on."""

from __future__ import annotations

import math

from pitboss.run_files import Chunk, Run, Settings


def window_size(rows: int, settings: Settings) -> int:
    """Of so many rows in all, how many of the newest are learned from: all at first, then a power
    law that begins with the slope `window_slope` (KataGo's)."""
    least = settings.window_least
    if rows <= least:
        return rows
    exponent = settings.window_exponent
    grown = least * ((rows / least) ** exponent - 1) / exponent
    return min(int(least + settings.window_slope * grown), settings.window_most, rows)


def window_of(generations: list[list[Chunk]], settings: Settings) -> list[Chunk]:
    """The newest whole files that have at least as many rows as the window, oldest first."""
    chunks = [chunk for generation in generations for chunk in generation]
    missing = window_size(sum(chunk.rows for chunk in chunks), settings)
    begin = len(chunks)
    while missing > 0:
        begin -= 1
        missing -= chunks[begin].rows
    return chunks[begin:]


class Plan:
    """What the run's settings make of one generation."""

    def __init__(self, run: Run, generation: int) -> None:
        settings = run.settings
        done = (generation - 1) / run.generations
        self.reuse = settings.first_reuse if done < 0.1 else settings.reuse
        drops = sum(done >= drop for drop in settings.rate_drops)
        self.learning_rate = settings.learning_rate * settings.rate_factor**drops
        self.root_value_share = (
            settings.root_value_share if done >= settings.root_value_from else 0.0
        )
        self._settings = settings

    def steps(self, new_weight: float) -> int:
        """Steps after which each new row has been learned from `reuse` times its weight, if all
        are in the window."""
        steps = math.ceil(self.reuse * new_weight / self._settings.batch)
        return max(1, min(steps, self._settings.most_steps))

    def rate_at(self, step: int) -> float:
        """Learning rate of a step, counted from 0 over the whole run."""
        warmth = (step + 1) / max(1, self._settings.warm_up_steps)
        return self.learning_rate * min(1.0, warmth)
