"""Whole runs of `pitboss train` with this learner."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from made_run import BINARIES

SETTINGS = """
game = "{game}"
generations = 2
[self_play]
games = 12
early_games = 12
games_per_file = 1
full_share = 0.1
stages = [{{ from = 0.0, full = 8, fast = 4 }}]
options = "solver=true"
[learner]
batch = 16
warm_up_steps = 2
held_out = {held_out}
threads = 1
statistics_batches = 2
[evaluation]
every = 2
games = 2
simulations = 8
earlier = 1
anchor = "evaluation=playout simulations=8"
[abort]
policy_entropy = 0.0
distinct_openings = 0.0
draws = 1.0
"""


@pytest.mark.parametrize(
    "game, held_out", [("hex size=3", 0.0), ("rolit players=3", 0.5), ("amazons size=8", 0.1)]
)
def test_a_run_ends(tmp_path: Path, game: str, held_out: float) -> None:
    """Few full searches and a file for each game: some files have no rows."""
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS.format(game=game, held_out=held_out))
    run = tmp_path / "run"
    ended = subprocess.run(
        [BINARIES / "pitboss", "train", "--settings", settings, "--out", run, "--threads", "2"],
        env={**os.environ, "PITBOSS_TORCH_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert (run / "networks" / "0002.safetensors").exists()
    found = json.loads((run / "learner" / "0002.json").read_text())
    assert (found["held_out_policy_loss"] is None) == (
        held_out == 0.0 or not found["held_out_rows"]
    )
    assert len(json.loads((run / "evaluations" / "0002" / "evaluation.json").read_text())) == 2
    manifest = json.loads((run / "generations" / "0001" / "manifest.json").read_text())
    assert any(file["rows"] == 0 for file in manifest["files"]) or game != "hex size=3"


SHIPPED = sorted((Path(__file__).parents[3] / "data/training").glob("*.toml"))


def printed(flag: str, value: str | Path) -> str:
    command = [str(BINARIES / "pitboss"), "train", flag, str(value), "--print-settings"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()


@pytest.mark.parametrize("path", SHIPPED, ids=[path.stem for path in SHIPPED])
def test_settings_that_come_with_pitboss_are_read(tmp_path: Path, path: Path) -> None:
    text = printed("--settings", path)
    again = tmp_path / "again.toml"
    again.write_text(text)
    assert printed("--settings", again) == text
    game = tomllib.loads(path.read_text())["game"]
    assert tomllib.loads(text)["game"].split()[0] == game.split()[0] == path.stem.split("-")[0]


def test_a_game_has_the_settings_that_are_named_after_it() -> None:
    assert [path.stem for path in SHIPPED].count("teeko") == 1
    assert tomllib.loads(printed("--game", "teeko"))["self_play"]["gumbel_moves"] == 16
    assert tomllib.loads(printed("--game", "chinesecheckers"))["self_play"]["gumbel_moves"] == 0
