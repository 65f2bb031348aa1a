"""Positions to learn from: files of rows, gathered into arrays that waste no place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss import safetensors
from pitboss.files import BadInput, read_bytes, sha256
from pitboss.run_files import Chunk, Run

NO_PART = 65535
MOST_MOVES = 512
MOST_PARTS = 3

Floats = NDArray[np.float32]
Indices = NDArray[np.int64]


@dataclass
class Rows:
    """The moves of row i are those from begins[i] to begins[i + 1]."""

    planes: NDArray[np.uint8]  # [row, byte], bits
    begins: Indices  # [row + 1]
    parts: NDArray[np.uint16]  # [move, part], or NO_PART
    visits: NDArray[np.uint16]  # [move]
    outcome: Floats  # [row, colour], sums 1
    root_value: Floats  # [row, colour], sums 1
    weight: Floats  # [row]
    is_held_out: NDArray[np.bool_]  # [row]

    def __len__(self) -> int:
        return len(self.weight)


def is_held_out(generation: int, games: NDArray[np.uint32], share: float) -> NDArray[np.bool_]:
    """Whether a game's rows are kept for tests: by a hash of its number (that of splitmix64), so
    that the answer is the same in every window."""
    hashed = games.astype(np.uint64) + (np.uint64(generation) << np.uint64(32))
    hashed *= np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        hashed = (hashed ^ (hashed >> np.uint64(shift))) * np.uint64(factor)
    hashed ^= hashed >> np.uint64(31)
    held_out: NDArray[np.bool_] = hashed.astype(np.float64) < share * 2.0**64
    return held_out


def read_chunk(run: Run, chunk: Chunk) -> Rows:
    """The rows of a file, which has to be the one that the manifest names."""
    name = str(chunk.path)
    data = read_bytes(chunk.path)
    if sha256(data) != chunk.sha256:
        raise BadInput(f"{name} is not the file that its manifest names: its SHA-256 is another")
    return parse_rows(run, chunk, data)


def parse_rows(run: Run, chunk: Chunk, data: bytes) -> Rows:
    name = str(chunk.path)
    contents = safetensors.parse(data, name)
    _check_metadata(run, chunk, contents.metadata)
    tensors = contents.tensors
    _check_tensors(run, chunk, tensors)
    moves = tensors["moves"]
    is_move = moves[:, :, 0] != NO_PART
    counts = is_move.sum(1)
    rows = Rows(  # copies, so that the file's bytes go
        planes=tensors["planes"].copy(),
        begins=_begins(counts),
        parts=moves[is_move],
        visits=tensors["visits"][is_move],
        outcome=_shares(tensors["outcome"], name, "outcome"),
        root_value=_shares(tensors["root_value"], name, "root_value"),
        weight=tensors["weight"].copy(),
        is_held_out=is_held_out(chunk.generation, tensors["game"], run.settings.held_out),
    )
    _check_rows(run, rows, tensors["visits"].sum(1, dtype=np.int64), name)
    return rows


def gather(chunks: list[Rows]) -> Rows:
    """The rows of many files as one; empties the list, so that no row is in memory twice."""
    most_parts = max(rows.parts.shape[1] for rows in chunks)
    for rows in chunks:
        missing = most_parts - rows.parts.shape[1]
        rows.parts = np.pad(rows.parts, ((0, 0), (0, missing)), constant_values=NO_PART)
    counts = np.concatenate([np.diff(rows.begins) for rows in chunks])
    fields = {}
    for field in ("planes", "parts", "visits", "outcome", "root_value", "weight", "is_held_out"):
        fields[field] = np.concatenate([getattr(rows, field) for rows in chunks])
        for rows in chunks:
            delattr(rows, field)
    chunks.clear()
    return Rows(begins=_begins(counts), **fields)


def _check_metadata(run: Run, chunk: Chunk, metadata: dict[str, str]) -> None:
    wanted = {
        "format": "pitboss rows",
        "version": "1",
        "game": run.game,
        "parameters": run.parameters,
        "generation": str(chunk.generation),
        "network": chunk.network,
    }
    for key, value in wanted.items():
        if metadata.get(key) != value:
            raise BadInput(f"{chunk.path}: {key} is {metadata.get(key)!r}, not {value!r}")


def _check_tensors(run: Run, chunk: Chunk, tensors: dict[str, safetensors.Array]) -> None:
    rows = chunk.rows
    plane_bytes = (run.planes * run.cells + 7) // 8
    moves = tensors["moves"].shape if "moves" in tensors else ()
    if len(moves) != 3 or not 1 <= moves[1] <= MOST_MOVES or not 1 <= moves[2] <= MOST_PARTS:
        raise BadInput(f"{chunk.path} has no tensor moves of up to 512 moves with up to 3 parts")
    wanted = {
        "planes": ("u1", (rows, plane_bytes)),
        "moves": ("<u2", (rows, *moves[1:])),
        "visits": ("<u2", (rows, moves[1])),
        "outcome": ("<f4", (rows, run.colours)),
        "root_value": ("<f4", (rows, run.colours)),
        "weight": ("<f4", (rows,)),
        "game": ("<u4", (rows,)),
    }
    for name, (type_, shape) in wanted.items():
        if name not in tensors or tensors[name].dtype != type_ or tensors[name].shape != shape:
            raise BadInput(f"{chunk.path} has no tensor {name} of the type and shape that it needs")


def _check_rows(run: Run, rows: Rows, visits: Indices, name: str) -> None:
    is_out_of_policy = (rows.parts >= run.policy) & (rows.parts != NO_PART)
    for is_amiss, what in (
        (is_out_of_policy.any(), "a move that is not in the policy"),
        ((visits == 0).any(), "a row without visits"),
        (not np.isfinite(rows.weight).all() or (rows.weight < 0).any(), "an unsound weight"),
    ):
        if is_amiss:
            raise BadInput(f"{name} has {what}")
    listed = _begins(rows.visits)[rows.begins]
    if (np.diff(listed) != visits).any():
        raise BadInput(f"{name} has visits without a move")


def _begins(counts: NDArray[Any]) -> Indices:
    """Where each of some lists begins, if they lie one after the other, and where the last ends."""
    begins: Indices = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=begins[1:])
    return begins


def _shares(values: Floats, name: str, what: str) -> Floats:
    """Values of all colours, so that they sum to 1."""
    sums = values.sum(1, keepdims=True)
    if not np.isfinite(values).all() or (values < 0).any() or not (sums > 0).all():
        raise BadInput(
            f"{name} has an unsound {what}: "
            "the numbers of a row must be finite, not below 0 and not all 0"
        )
    shares: Floats = values / sums
    return shares
