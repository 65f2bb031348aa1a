"""Batches of rows: which rows, turned by which symmetry, laid out as the learner wants them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitboss.files import BadInput
from pitboss.rows import NO_PART, Floats, Indices, Rows
from pitboss.run_files import Run


@dataclass
class Batch:
    """Row by row, the legal moves come first; a move without a part has the entry behind the
    policy's last in its place."""

    planes: NDArray[np.uint8]  # [row, plane, row of the board, column], 0 or 1
    parts: Indices  # [row, move, part]
    is_move: NDArray[np.bool_]  # [row, move]
    target: Floats  # [row, move], sums 1
    outcome: Floats  # [row, colour]
    root_value: Floats  # [row, colour]


def draw(weights: Floats, count: int, random: np.random.Generator) -> Indices:
    """Rows in random order, each as often as its share of the weights says, rounded down or up."""
    ends = np.cumsum(weights, dtype=np.float64)
    if len(ends) == 0 or not ends[-1] > 0:
        raise BadInput("the window has no rows of a weight above 0 to learn from")
    points = (np.arange(count) + random.random()) * (ends[-1] / count)
    last = np.flatnonzero(weights)[-1]  # beyond which a rounded sum might lead
    picks: Indices = np.minimum(np.searchsorted(ends, points, side="right"), last)
    random.shuffle(picks)
    return picks


class Assembler:
    """Makes batches of a run's rows."""

    def __init__(self, run: Run, rows: Rows) -> None:
        self._rows = rows
        self._board = (run.planes, run.rows, run.columns)
        self.symmetries = len(run.cell_maps)
        self._origins = np.argsort(run.cell_maps, axis=1)  # which cell comes to a place
        self._policy = run.policy
        no_part = np.full((self.symmetries, 1), run.policy)
        self._policy_maps = np.concatenate((run.policy_maps, no_part), axis=1)

    def assemble(self, picks: Indices, symmetries: Indices) -> Batch:
        """These rows, each turned by its symmetry."""
        rows = self._rows
        counts = rows.begins[picks + 1] - rows.begins[picks]
        places = np.arange(counts.max())
        is_move = places < counts[:, None]
        moves = np.where(is_move, rows.begins[picks][:, None] + places, 0)
        visits = np.where(is_move, rows.visits[moves], 0).astype(np.float32)
        return Batch(
            planes=self._planes(picks, symmetries),
            parts=self._parts(rows.parts[moves], is_move, symmetries),
            is_move=is_move,
            target=visits / visits.sum(1, keepdims=True),
            outcome=rows.outcome[picks],
            root_value=rows.root_value[picks],
        )

    def _planes(self, picks: Indices, symmetries: Indices) -> NDArray[np.uint8]:
        planes, height, width = self._board
        bits = np.unpackbits(
            self._rows.planes[picks], axis=1, count=planes * height * width, bitorder="little"
        ).reshape(len(picks), planes, height * width)
        if self.symmetries > 1:
            bits = np.take_along_axis(bits, self._origins[symmetries][:, None, :], axis=2)
        return bits.reshape(len(picks), *self._board)

    def _parts(
        self, parts: NDArray[np.uint16], is_move: NDArray[np.bool_], symmetries: Indices
    ) -> Indices:
        entries = np.where(is_move[:, :, None] & (parts != NO_PART), parts, self._policy)
        turned: Indices = self._policy_maps[symmetries[:, None, None], entries]
        return turned
