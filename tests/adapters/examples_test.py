"""The examples of the package run, and show what they say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "clients" / "python" / "examples"


@pytest.mark.parametrize("game", ["othello size=6", "amazons size=8"])
def test_self_play(tmp_path: Path, game: str) -> None:
    figure = tmp_path / "values.png"
    words = ["--game", game, "--games", "2", "--simulations", "20", "--figure", str(figure)]
    command = [sys.executable, str(EXAMPLES / "self_play.py"), *words]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert re.fullmatch(r"novelty (0|0\.5|1|1\.5|2) of 2 points; .*values\.png\n", told)
    assert figure.read_bytes().startswith(b"\x89PNG")
