"""Folders of training runs of atarigo on a small board, with rows that are made up."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pitboss import safetensors
from pitboss.files import sha256
from pitboss.learn import main
from pitboss.rows import NO_PART

BINARIES = Path(os.environ["PITBOSS_BIN"])
PYTHON = Path(os.environ["PITBOSS_PYTHON"])  # the folder of the package
DEVICE = os.environ.get("PITBOSS_DEVICE", "cpu")  # such as cuda:0, where there is one

SIZE = 5
CELLS = SIZE * SIZE
PLANES = 4

SETTINGS: dict[str, Any] = {
    "batch": 64,
    "learning_rate": 0.002,
    "weight_decay": 0.0001,
    "warm_up_steps": 10,
    "gradient_clip": 1.0,
    "average": 0.98,
    "reuse": 4.0,
    "first_reuse": 4.0,
    "most_steps": 1500,
    "window_least": 50000,
    "window_slope": 0.4,
    "window_exponent": 0.65,
    "window_most": 1200000,
    "rate_drops": [0.6, 0.8, 0.92],
    "rate_factor": 0.3,
    "value_weight": 1.0,
    "legal_weight": 0.0,
    "root_value_share": 0.5,
    "root_value_from": 0.25,
    "held_out": 0.1,
    "threads": 1,
    "device": DEVICE,
    "statistics_batches": 8,
}


def init_network(path: Path, game: str, *flags: str) -> None:
    program = str(BINARIES / "pitboss")
    command = [program, "network", "init", "--game", game, "--out", str(path), *flags]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def symmetries() -> list[dict[str, list[int]]]:
    """The eight of a square, of cells from the top and of a policy of points from the bottom."""
    found = []
    for turns in range(4):
        for flipped in (False, True):
            board = np.arange(CELLS).reshape(SIZE, SIZE)
            turned = np.rot90(board[:, ::-1] if flipped else board, turns)
            cells = np.argsort(turned.ravel())
            from_bottom = np.arange(CELLS).reshape(SIZE, SIZE)[::-1].ravel()
            policy = np.empty(CELLS, np.int64)
            policy[from_bottom] = from_bottom[cells]
            found.append({"cells": cells.tolist(), "policy": policy.tolist()})
    return found


def random_rows(rows: int, seed: int) -> dict[str, np.ndarray[Any, Any]]:
    """Random stones; each empty point is a move, and one of them has most visits."""
    random = np.random.default_rng(seed)
    stones = random.integers(0, 3, (rows, CELLS))
    stones[:, random.integers(CELLS)] = 0
    to_move = random.integers(0, 2, rows)
    planes = np.zeros((rows, PLANES, CELLS), np.uint8)
    planes[:, 0], planes[:, 1] = stones == 1, stones == 2
    planes[np.arange(rows), 2 + to_move] = 1
    moves = np.full((rows, CELLS, 1), NO_PART, np.uint16)
    visits = np.zeros((rows, CELLS), np.uint16)
    for row in range(rows):
        cells = np.flatnonzero(stones[row] == 0)
        points = (SIZE - 1 - cells // SIZE) * SIZE + cells % SIZE
        moves[row, : len(points), 0] = points
        visits[row, random.integers(len(points))] = 50
        visits[row, : len(points)] += 1
    first_won = random.integers(0, 2, rows)
    values = np.stack((first_won, 1 - first_won), 1).astype(np.float32)
    return {
        "planes": np.packbits(planes.reshape(rows, -1), axis=1, bitorder="little"),
        "moves": moves,
        "visits": visits,
        "outcome": values,
        "root_value": values * 0.5 + 0.25,
        "weight": np.ones(rows, np.float32),
        "game": np.arange(rows, dtype=np.uint32) // 8,
        "ply": np.zeros(rows, np.uint16),
        "plies_left": np.zeros(rows, np.uint16),
    }


@dataclass
class MadeRun:
    folder: Path
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        init_network(self.network(0), f"atarigo size={SIZE}", "--seed", "1")
        metadata = safetensors.parse(self.network(0).read_bytes(), "network").metadata
        self.write_run(
            {
                "format": "pitboss run",
                "version": 1,
                "game": "atarigo",
                "parameters": f"size={SIZE}",
                "seed": 1,
                "generations": 10,
                "planes": PLANES,
                "rows": SIZE,
                "columns": SIZE,
                "policy": CELLS,
                "colours": 2,
                "architecture": json.loads(metadata["architecture"]),
                "symmetries": symmetries(),
                "learner": {**SETTINGS, **self.settings},
            }
        )

    def network(self, generation: int) -> Path:
        return self.folder / "networks" / f"{generation:04}.safetensors"

    def state(self, generation: int) -> Path:
        return self.folder / "learner" / f"{generation:04}.pt"

    def findings(self, generation: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.state(generation).with_suffix(".json").read_text())
        return found

    def rows_folder(self, generation: int) -> Path:
        return self.folder / "generations" / f"{generation:04}"

    def run_json(self) -> dict[str, Any]:
        run: dict[str, Any] = json.loads((self.folder / "run.json").read_text())
        return run

    def write_run(self, run: dict[str, Any]) -> None:
        (self.folder / "run.json").write_text(json.dumps(run))

    def add_rows(
        self, generation: int, *chunks: dict[str, Any], metadata: dict[str, str] | None = None
    ) -> None:
        """Writes a generation's files of rows and their manifest."""
        folder = self.rows_folder(generation)
        folder.mkdir(parents=True, exist_ok=True)
        network = sha256(self.network(generation - 1).read_bytes())
        texts = {
            "format": "pitboss rows",
            "version": "1",
            "game": "atarigo",
            "parameters": f"size={SIZE}",
            "generation": str(generation),
            "network": network,
            **(metadata or {}),
        }
        files = []
        for number, tensors in enumerate(chunks):
            data = safetensors.serialize(texts, tensors)
            name = f"games-{number:06}.safetensors"
            (folder / name).write_bytes(data)
            rows = len(tensors["weight"])
            files.append({"name": name, "sha256": sha256(data), "rows": rows, "games": 1})
        manifest = {
            "format": "pitboss generation",
            "version": 1,
            "generation": generation,
            "network": network,
            "files": files,
            "rows": sum(len(tensors["weight"]) for tensors in chunks),
        }
        (folder / "manifest.json").write_text(json.dumps(manifest))

    def start(
        self, generation: int, before_path: Path | None = None, most_bytes: int | None = None
    ) -> subprocess.Popen[str]:
        """Starts the learner as `pitboss train` does, perhaps with a folder that Python searches
        first, or a limit for the files that it writes."""

        def limit() -> None:
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        command = [sys.executable, "-m", "pitboss.learn", "--run", str(self.folder)]
        path = str(PYTHON) if before_path is None else f"{before_path}:{PYTHON}"
        return subprocess.Popen(
            [*command, "--generation", str(generation)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            preexec_fn=limit,
        )

    def learn(self, generation: int) -> list[dict[str, Any]]:
        """Has the learner make a generation; what it told of its progress."""
        learner = self.start(generation)
        output, errors = learner.communicate()
        assert learner.returncode == 0, errors
        return [json.loads(line) for line in output.splitlines()]

    def sentence(self, generation: int) -> str:
        """What the learner says when it refuses, having written nothing."""
        before = self.files()
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            code = main(["--run", str(self.folder), "--generation", str(generation)])
        return self.check_refusal(code, errors.getvalue(), before)

    def check_refusal(self, code: int, errors: str, before: dict[Path, bytes]) -> str:
        assert code == 1, errors
        assert len(errors.splitlines()) == 1, errors
        assert self.files() == before
        return errors.removeprefix("pitboss.learn: ").rstrip("\n").replace(f"{self.folder}/", "")

    def files(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
