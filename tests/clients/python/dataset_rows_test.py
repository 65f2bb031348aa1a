"""The rows of a dataset, as far as they need the standard library alone."""

import json
import subprocess
import sys
from pathlib import Path

import pitboss
import pytest
from pitboss.dataset import COLUMNS, rows

pytestmark = pytest.mark.smoke


@pytest.fixture(scope="module")
def played(server: pitboss.Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "first"
    experiment = {
        "game": ["connect4", "rolit players=3"],
        "games": 6,
        "seed": 5,
        "openings": "random:2",
        "options": {"preset": "uct", "exact": "off"},
        "player": [
            {"name": "more", "options": {"simulations": 40}},
            {"name": "less", "options": {"simulations": 4}},
        ],
        "server": [{"address": server.address}],
    }
    pitboss.referee(experiment, out).wait(300)
    return out


def test_a_row_tells_all_of_its_game(played: Path) -> None:
    found = list(rows([played]))
    assert len(found) == 12
    results = pitboss.results(played)
    for row, game in zip(found, results.games):
        assert list(row) == list(COLUMNS)
        assert row["moves"] == game["moves"] and row["source"] == "first"
        assert row["moves"].startswith(row["opening"]) and row["opening"]
        assert (row["seed"], row["openings"]) == (5, "random:2")
        assert json.loads(row["options1"]) == {"preset": "uct", "exact": "off", "simulations": "40"}
        assert json.loads(row["all_options2"])["evaluation"] == "playout"
        assert len(row["seats"]) == len(row["colours"]) == (2 if row["match"] == 1 else 3)
        assert row["begun"] <= row["ended"]
        state = pitboss.Game(row["rules"]).new_initial_state()
        for move in row["moves"].split():
            state.apply_move(move)
        assert state.is_terminal() and len(row["values"]) == row["plies"]
    assert {row["rules"] for row in found} == {"connect4", "rolit players=3"}


def test_a_ledger_is_called_as_its_folder(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(played)
    for place in (".", "../first/", "../first/."):
        assert {row["source"] for row in rows([place])} == {"first"}


def test_ledgers_follow_each_other(played: Path) -> None:
    assert list(rows([played, played])) == 2 * list(rows([played]))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["{run}", "--out", "{out}/games.csv"], "must end with .parquet"),
        (["{run}/none", "--out", "{out}/games.parquet"], "has no ledger.sqlite"),
        (["{run}", "--out", "{taken}/games.parquet"], "is somebody's, or another table's"),
        (["{run}", "--out", "{other}/games.parquet"], "is somebody's, or another table's"),
        (["{run}", "--out", "{bare}/games.parquet"], "is somebody's, since no card is beside it"),
    ],
)
def test_what_is_refused_leaves_nothing(
    played: Path, tmp_path: Path, words: list[str], reason: str
) -> None:
    there = {
        "taken/README.md": "mine",
        "other/README.md": "<!-- Made by pitboss.dataset, of more.parquet. -->",
        "bare/games.parquet": "mine",
    }
    places = {"run": played, "out": tmp_path / "out"}
    for name, text in there.items():
        file = tmp_path / name
        file.parent.mkdir()
        file.write_text(text)
        places[file.parent.name] = file.parent
    code = "import sys; sys.modules['polars'] = None\n"
    code += "from pitboss.dataset import main; sys.exit(main(sys.argv[1:]))"
    given = [word.format(**places) for word in words]
    ran = subprocess.run([sys.executable, "-c", code, *given], capture_output=True, text=True)
    assert ran.returncode == 1 and reason in ran.stderr, ran.stderr
    assert ran.stderr.startswith("pitboss.dataset: ") and ran.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
    left = {str(file.relative_to(tmp_path)): file.read_text() for file in tmp_path.glob("*/*")}
    assert left == there


def test_what_is_missing_names_its_extra(played: Path, tmp_path: Path) -> None:
    code = "import sys; sys.modules['polars'] = None\n"
    code += "from pitboss.dataset import main; sys.exit(main(sys.argv[1:]))"
    out = tmp_path / "games.parquet"
    ran = subprocess.run(
        [sys.executable, "-c", code, str(played), "--out", str(out)], capture_output=True, text=True
    )
    assert ran.returncode == 1 and "the extra 'frames' of pitboss-mcts" in ran.stderr
    assert not out.exists()
