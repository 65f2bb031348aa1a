"""The folder of a training run: the names of its files, what run.json says, the manifests."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.files import BadInput, Fields, read_bytes


@dataclass(frozen=True)
class Settings:
    """How to learn; docs/training.md says what each means."""

    batch: int
    learning_rate: float
    weight_decay: float
    warm_up_steps: int
    gradient_clip: float
    average: float
    reuse: float
    first_reuse: float
    most_steps: int
    window_least: int
    window_slope: float
    window_exponent: float
    window_most: int
    rate_drops: list[float]
    rate_factor: float
    value_weight: float
    legal_weight: float
    root_value_share: float
    root_value_from: float
    held_out: float
    threads: int
    device: str
    statistics_batches: int

    @staticmethod
    def read(fields: Fields) -> Settings:
        return Settings(
            batch=fields.whole("batch", 2, 1 << 16),
            learning_rate=fields.number("learning_rate", 0, 10),
            weight_decay=fields.number("weight_decay", 0, 1),
            warm_up_steps=fields.whole("warm_up_steps", 0, 1 << 30),
            gradient_clip=fields.number("gradient_clip", 1e-6, 1e6),
            average=fields.number("average", 0, 1),
            reuse=fields.number("reuse", 0.01, 1000),
            first_reuse=fields.number("first_reuse", 0.01, 1000),
            most_steps=fields.whole("most_steps", 1, 1 << 30),
            window_least=fields.whole("window_least", 1, 1 << 30),
            window_slope=fields.number("window_slope", 0, 1),
            window_exponent=fields.number("window_exponent", 0.01, 1),
            window_most=fields.whole("window_most", 1, 1 << 30),
            rate_drops=fields.numbers("rate_drops", 0, 1),
            rate_factor=fields.number("rate_factor", 0, 1),
            value_weight=fields.number("value_weight", 0, 1000),
            legal_weight=fields.number("legal_weight", 0, 1000),
            root_value_share=fields.number("root_value_share", 0, 1),
            root_value_from=fields.number("root_value_from", 0, 1),
            held_out=fields.number("held_out", 0, 0.5),
            threads=fields.whole("threads", 1, 1024),
            device=fields.text("device"),
            statistics_batches=fields.whole("statistics_batches", 1, 1 << 16),
        )


@dataclass(frozen=True)
class Chunk:
    """A file of rows, as a manifest names it."""

    path: Path
    sha256: str
    rows: int
    generation: int
    network: str  # the hash of the network that played


@dataclass(frozen=True)
class Run:
    folder: Path
    game: str
    parameters: str
    seed: int
    generations: int
    planes: int
    rows: int
    columns: int
    policy: int
    colours: int
    architecture: dict[str, Any]
    cell_maps: NDArray[np.int64]  # [symmetry, cell]: where the cell goes
    policy_maps: NDArray[np.int64]  # [symmetry, entry]: where the entry of the policy goes
    settings: Settings

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def network(self, generation: int) -> Path:
        return self.folder / "networks" / f"{generation:04}.safetensors"

    def state(self, generation: int) -> Path:
        return self.folder / "learner" / f"{generation:04}.pt"

    def findings(self, generation: int) -> Path:
        return self.folder / "learner" / f"{generation:04}.json"

    def chunks(self, generation: int) -> list[Chunk]:
        """The files of a generation in the order of their games."""
        folder = self.folder / "generations" / f"{generation:04}"
        path = folder / "manifest.json"
        manifest = Fields.parse(read_bytes(path), str(path))
        manifest.text("format", ("pitboss generation",))
        manifest.whole("version", 1, 1)
        manifest.whole("generation", generation, generation)
        network = manifest.text("network")
        chunks = []
        for item in manifest.items("files"):
            file = Fields(item, f"{path}: a file")
            name = file.text("name")
            if not re.fullmatch(r"[A-Za-z0-9_-]+\.safetensors", name):
                raise BadInput(f"{path} has a file with the name {json.dumps(name)}")
            rows = file.whole("rows", 0, 1 << 30)
            chunks.append(Chunk(folder / name, file.text("sha256"), rows, generation, network))
        manifest.whole("rows", (rows := sum(chunk.rows for chunk in chunks)), rows)
        return sorted(chunks, key=lambda chunk: chunk.path)


def read_run(folder: Path) -> Run:
    path = folder / "run.json"
    fields = Fields.parse(read_bytes(path), str(path))
    fields.text("format", ("pitboss run",))
    fields.whole("version", 1, 1)
    cells = fields.whole("rows", 1, 64) * fields.whole("columns", 1, 64)
    policy = fields.whole("policy", 1, 65534)
    symmetries = [Fields(item, f"{path}: a symmetry") for item in fields.items("symmetries")]
    return Run(
        folder=folder,
        game=fields.text("game"),
        parameters=fields.text("parameters"),
        seed=fields.whole("seed", 0, (1 << 64) - 1),
        generations=fields.whole("generations", 1, 1_000_000),
        planes=fields.whole("planes", 1, 1024),
        rows=fields.whole("rows", 1, 64),
        columns=fields.whole("columns", 1, 64),
        policy=policy,
        colours=fields.whole("colours", 2, 64),
        architecture=fields.fields("architecture").value,
        cell_maps=_permutations(symmetries, "cells", cells, str(path)),
        policy_maps=_permutations(symmetries, "policy", policy, str(path)),
        settings=Settings.read(fields.fields("learner")),
    )


def _permutations(symmetries: list[Fields], key: str, size: int, name: str) -> NDArray[np.int64]:
    """The lists `key` of all symmetries, each of which has every number below `size` once."""
    identity = list(range(size))
    maps = [symmetry.items(key) for symmetry in symmetries]
    for numbers in maps:
        if not all(type(n) is int for n in numbers) or sorted(numbers) != identity:
            raise BadInput(f"{name}: {key} of a symmetry must have each number below {size} once")
    if not maps or maps[0] != identity:
        raise BadInput(f"{name}: the first symmetry must be the identity")
    return np.array(maps, np.int64)
