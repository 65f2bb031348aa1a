"""The learner learns positions of real games by heart: planes, policy and symmetries belong together."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from made_run import BINARIES

from pitboss import safetensors
from pitboss.files import sha256
from pitboss.learn import main

POSITIONS = 256

SETTINGS = """
game = "{game}"
generations = 1
[self_play]
games = 150
early_games = 150
full_share = 0.5
stages = [{{ from = 0.0, full = 16, fast = 4 }}]
[learner]
batch = 256
warm_up_steps = 10
learning_rate = 0.003
first_reuse = 300.0
average = 0.98
held_out = 0.0
threads = 1
statistics_batches = 8
"""


def played(folder: Path, game: str) -> Path:
    """A run with the games of one generation: its learner is there, but fails."""
    learner = folder / "learner"
    learner.write_text("#!/bin/sh\n[ $1 = -c ] && echo ready\n")
    learner.chmod(0o755)
    settings = folder / "settings.toml"
    settings.write_text(SETTINGS.format(game=game))
    run = folder / "run"
    program = str(BINARIES / "pitboss")
    command = [program, "train", "--settings", str(settings), "--out", str(run)]
    environment = {**os.environ, "PITBOSS_TORCH_PYTHON": str(learner)}
    subprocess.run(command, env=environment, check=False, stderr=subprocess.DEVNULL)
    return run


def keep_some(run: Path) -> None:
    """Leaves of all rows POSITIONS with different positions, of whose moves one has all visits."""
    folder = run / "generations" / "0001"
    paths = sorted(folder.glob("*.safetensors"))
    files = [safetensors.parse(path.read_bytes(), "it") for path in paths]
    most = max(file.tensors["moves"].shape[1] for file in files)
    tensors = {}
    for name in files[0].tensors:
        parts = [file.tensors[name] for file in files]
        if name in ("moves", "visits"):
            fill = 65535 if name == "moves" else 0
            gap = [(0, 0), (0, 0), (0, 0)]
            parts = [
                np.pad(
                    part,
                    [(0, 0), (0, most - part.shape[1]), *gap[: part.ndim - 2]],
                    constant_values=fill,
                )
                for part in parts
            ]
        tensors[name] = np.concatenate(parts)
    _, first = np.unique(tensors["planes"], axis=0, return_index=True)
    first = np.sort(first)[-POSITIONS:]  # late ones, in which images are rarely other positions
    assert len(first) == POSITIONS
    tensors = {name: tensor[first] for name, tensor in tensors.items()}
    best = tensors["visits"].argmax(1)
    tensors["visits"][:] = 0
    tensors["visits"][np.arange(POSITIONS), best] = 100
    tensors["weight"][:] = 1
    data = safetensors.serialize(files[0].metadata, tensors)
    paths[0].write_bytes(data)
    file = {"name": paths[0].name, "sha256": sha256(data), "rows": POSITIONS, "games": 1}
    manifest = {
        "format": "pitboss generation",
        "version": 1,
        "generation": 1,
        "network": files[0].metadata["network"],
        "files": [file],
        "rows": POSITIONS,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    "game",
    [
        "connect4",
        "othello size=6",
        "breakthrough size=6",
        "knightthrough size=6",
        "atarigo",
        "gomoku",
    ],
)
def test_positions_of_a_game_are_learned_by_heart(tmp_path: Path, game: str) -> None:
    run = played(tmp_path, game)
    keep_some(run)
    assert main(["--run", str(run), "--generation", "1"]) == 0
    found = json.loads((run / "learner" / "0001.json").read_text())
    assert found["policy_accuracy"] >= 0.99
