"""A dataset is read by pandas and DuckDB, and its games are played again by OpenSpiel, without Pitboss."""

from pathlib import Path

import duckdb
import pandas
import pitboss
import pyspiel
import pytest
from pitboss.dataset import COLUMNS, main

pytestmark = pytest.mark.smoke

# Those that OpenSpiel has, two that it has with other rules, and one that it has not.
RULES = [
    "connect4",
    "othello size=8",
    "breakthrough size=6",
    "breakthrough size=5",
    "hex size=3",
    "amazons size=8",
    "gomoku size=5 opening=free",
    "othello size=6",
    "yavalath",
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    with pitboss.launch(workers=2) as server:
        players = [
            {"name": name, "options": {"simulations": simulations}}
            for name, simulations in (("more", 16), ("less", 2))
        ]
        experiment = {
            "game": RULES,
            "games": 4,
            "seed": 1,
            "openings": "random:1",
            "options": {"preset": "uct", "exact": "off"},
            "player": players,
            "server": [{"address": server.address}],
        }
        pitboss.referee(experiment, folder / "run").wait(300)
    out = folder / "out" / "games.parquet"
    assert main([str(folder / "run"), "--out", str(out)]) == 0
    return out


def test_pandas_and_duckdb_read_the_same(written: Path) -> None:
    frame = pandas.read_parquet(written)
    assert list(frame.columns) == list(COLUMNS) and len(frame) == 4 * len(RULES)
    told = duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE FROM '{written}')")
    assert told.fetchall() == [(name, kind) for name, (kind, _) in COLUMNS.items()]
    counted = duckdb.sql(f"SELECT rules, count(*), sum(plies) FROM '{written}' GROUP BY rules")
    by_pandas = frame.groupby("rules").plies.agg(["count", "sum"])
    assert {row[0]: row[1:] for row in counted.fetchall()} == {
        rules: (count, plies) for rules, count, plies in by_pandas.itertuples()
    }
    codecs = duckdb.sql(f"SELECT DISTINCT compression FROM parquet_metadata('{written}')")
    assert codecs.fetchall() == [("ZSTD",)]


def test_openspiel_comes_to_the_same_results(written: Path) -> None:
    frame = pandas.read_parquet(written)
    has = frame.openspiel_game.notna()
    assert sorted(set(frame[~has].game)) == ["breakthrough", "othello", "yavalath"]
    assert frame[~has].openspiel_actions.isna().all()
    for row in frame[has].itertuples():
        state = pyspiel.load_game(row.openspiel_game).new_initial_state()
        for action in row.openspiel_actions:
            state.apply_action(int(action))
        assert state.is_terminal(), row.rules
        first = row.points1 if row.seats[0] == row.player1 else row.points2
        assert state.returns()[0] == 2 * first - 1, row.rules


def test_the_card_says_what_is_there(written: Path) -> None:
    card = (written.parent / "README.md").read_text()
    head, _, text = card.removeprefix("---\n").partition("\n---\n")
    assert "license: cc0-1.0" in head and 'data_files: "games.parquet"' in head
    assert f"{4 * len(RULES)} games" in text and "| `hex size=3 swap=off` | `hex(" in text
    assert all(f"| `{name}` |" in text for name in COLUMNS)
    # What it shows runs, and again without anything of Pitboss.
    blocks = [part.partition("```")[0] for part in text.split("```python\n")[1:]]
    for block in blocks:
        exec(block.replace('"games.parquet"', repr(str(written))), {})
    sql = text.split("```sql\n")[1].partition("```")[0].replace("games.parquet", str(written))
    assert len(duckdb.sql(sql).fetchall()) == len(RULES)


def test_the_same_call_writes_the_same(written: Path, tmp_path: Path) -> None:
    run = written.parents[1] / "run"
    again = tmp_path / "games.parquet"
    for _ in range(2):  # also over its own card
        assert main([str(run), "--out", str(again)]) == 0
    assert again.read_bytes() == written.read_bytes()
    assert (tmp_path / "README.md").read_text() == (written.parent / "README.md").read_text()
