"""Matches from Python, and their results while they are played and afterwards."""

import asyncio
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pitboss
import pytest
from pitboss.ledger import _COLUMNS
from pitboss.programs import find_program

NAMES = ["matches", "games", "rounds", "incidents", "players", "ratings", "referees"]


def experiment(server: pitboss.Server, games: int) -> dict[str, Any]:
    return {
        "game": ["connect4", "othello size=6"],
        "games": games,
        "seed": 1,
        "options": {"preset": "reference", "simulations": 30},
        "player": [
            {"name": "plain", "options": {"k": 0.3}},
            {
                "name": "novel",
                "options": {"novelty": "pseudocount", "connect4": {"k": 0.6}},
            },
        ],
        "server": [{"address": server.address}],
    }


@pytest.fixture(scope="module")
def played(server: pitboss.Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "match"
    pitboss.referee(experiment(server, 10), out).wait(300)
    return out


def test_the_rows_are_the_ledgers(played: Path) -> None:
    results = pitboss.results(played)
    assert [(m["game"], m["games"]) for m in results.matches] == [
        ("connect4", 10),
        ("othello", 10),
    ]
    games = results.games
    assert [game["number"] for game in games] == [*range(1, 11)] * 2
    for game in games:
        assert len(game["moves"].split()) == game["plies"] == len(game["values"])
        assert set(game["seats"].split()) == {"plain", "novel"}
        assert game["points1"] + game["points2"] == 1
    match = results.matches[0]
    assert match["points1"] == sum(game["points1"] for game in games[:10])
    assert match["score"] == results.summary["matches"][0]["score"]
    assert all(round["ended"] >= round["begun"] for round in results.rounds)
    (referee,) = results.referees
    assert {round["referee"] for round in results.rounds} == {referee["id"]}
    assert (referee["rounds"], referee["games"], referee["has_left"]) == (10, 20, True)
    assert "with Pitboss" in referee["program"] and referee["processor"]
    players = {row["player"]: row for row in results.players if row["match"] == 1}
    assert players["novel"]["options"]["k"] == "0.6"
    assert players["plain"]["engine_options"]["novelty"] == "none"
    assert {row["player"] for row in results.ratings} == {"plain", "novel"}
    assert results.incidents == []


def test_a_run_can_be_followed_stopped_and_continued(
    server: pitboss.Server, tmp_path: Path
) -> None:
    many = experiment(server, 20000)
    with pitboss.referee(many, tmp_path / "run") as run:
        with pytest.raises(TimeoutError):
            run.wait(1)
        seen = wait_for_games(run, 0)
        assert run.is_running
    after = len(run.results.games)
    assert 0 < seen <= after < 40000
    with pitboss.referee(many, tmp_path / "run") as again:
        wait_for_games(again, after)
    assert len(again.results.games) > after


def test_a_run_tells_its_progress(server: pitboss.Server, tmp_path: Path) -> None:
    few = experiment(server, 10)
    run = pitboss.referee(few, tmp_path / "my run")
    seen = list(run)
    assert seen == sorted(seen) and seen[-1] == run.progress == (20, 20)
    assert run.exit_code == 0 and not run.is_running
    assert run.results.summary["name"] == "my-run"
    for match, told in zip(run.results.matches, run.results.summary["matches"]):
        assert match["interval"] == told["interval"]
        assert match["interval"][0] <= match["score"] <= match["interval"][1]
    again = pitboss.referee(few | {"games": np.int64(20)}, tmp_path / "my run")
    assert again.wait(300).progress == (40, 40)
    with pitboss.referee(experiment(server, 20000), tmp_path / "long") as long:
        wait_for_games(long, 0)
        assert 0 < long.results.summary["games"] < long.progress.of == 40000


def test_a_run_for_code_with_await(server: pitboss.Server, tmp_path: Path) -> None:
    async def play() -> None:
        async with await pitboss.aio.referee(experiment(server, 4), tmp_path / "run") as run:
            progress = [progress async for progress in run]
        assert progress[-1] == (8, 8) and len(run.results.games) == 8
        async with await pitboss.aio.referee(experiment(server, 20000), tmp_path / "run") as run:
            with pytest.raises(TimeoutError):
                await run.wait(0.5)
        assert not run.is_running and run.exit_code is not None
        wrong = experiment(server, 4) | {"bata": 1}
        with pytest.raises(pitboss.RunFailed, match="bata") as caught:
            await (await pitboss.aio.referee(wrong, tmp_path / "wrong")).wait()
        assert caught.value.exit_code == 2 and "tmp" not in str(caught.value)

    asyncio.run(asyncio.wait_for(play(), 300))


def wait_for_games(run: pitboss.Run, before: int) -> int:
    """Waits until more games than before have been played; how many."""
    while True:
        with suppress(pitboss.PitbossError):  # before the first game
            games = len(run.results.games)
            if games > before:
                return games
        assert run.is_running
        time.sleep(0.05)


def test_what_the_referee_refuses(server: pitboss.Server, tmp_path: Path) -> None:
    wrong = experiment(server, 10) | {"bata": 1}
    with pytest.raises(pitboss.PitbossError, match="bata"):
        pitboss.referee(wrong, tmp_path / "wrong").wait(300)
    with pytest.raises(ValueError, match="texts, numbers"):
        pitboss.referee({"game": object()}, tmp_path / "wrong")


def test_a_run_leaves_no_file_and_tells_the_same_again(
    server: pitboss.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    run = pitboss.referee(experiment(server, 2), tmp_path / "run")
    assert run.wait(300).games == run.wait().games
    wrong = pitboss.referee(experiment(server, 2) | {"bata": 1}, tmp_path / "wrong")
    told = []
    for _ in range(2):
        with pytest.raises(pitboss.PitbossError, match="bata") as caught:
            wrong.wait(300)
        told.append(str(caught.value))
    assert told[0] == told[1]
    monkeypatch.setenv("PITBOSS_BIN", str(folder))
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(pitboss.PitbossError, match="there is no program pitboss"):
        pitboss.referee(experiment(server, 2), tmp_path / "none")
    assert list(folder.iterdir()) == []


def test_what_is_no_ledger(played: Path, tmp_path: Path) -> None:
    with pytest.raises(pitboss.PitbossError, match="no ledger.sqlite"):
        pitboss.results(tmp_path)
    (tmp_path / "ledger.sqlite").write_text("text")
    with pytest.raises(pitboss.PitbossError, match="cannot be read as a ledger"):
        pitboss.results(tmp_path)
    shutil.copytree(played, tmp_path / "later")
    with sqlite3.connect(tmp_path / "later" / "ledger.sqlite") as ledger:
        ledger.execute("UPDATE ledger SET value = '99' WHERE key = 'format'")
    with pytest.raises(pitboss.PitbossError, match="format 99, this client reads format 6"):
        pitboss.results(tmp_path / "later")
    with pytest.raises(ValueError, match="no frame 'gmaes'"):
        pitboss.results(played).to_pandas("gmaes")


@pytest.fixture
def empty(played: Path, tmp_path: Path) -> Path:
    """A match of which nothing has been played."""
    shutil.copytree(played, tmp_path / "empty")
    (tmp_path / "empty" / "summary.json").unlink()
    with sqlite3.connect(tmp_path / "empty" / "ledger.sqlite") as ledger:
        for table in ("games", "rounds", "incidents", "matches", "referees"):
            ledger.execute(f"DELETE FROM {table}")
    return tmp_path / "empty"


def test_the_columns_are_the_rows(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "lost")
    with sqlite3.connect(tmp_path / "lost" / "ledger.sqlite") as ledger:
        (match,) = ledger.execute("SELECT id FROM matches").fetchone()
        columns = [row[1] for row in ledger.execute("PRAGMA table_info(incidents)")]
        values = [match if column == "match" else 1 for column in columns]
        ledger.execute(f"INSERT INTO incidents VALUES ({', '.join('?' * len(values))})", values)
    results = pitboss.results(tmp_path / "lost")
    for name, columns_of_frame in _COLUMNS.items():
        assert columns_of_frame.split() == list(getattr(results, name)[0])


@pytest.mark.parametrize("package", ["pandas", "polars"])
@pytest.mark.parametrize("name", NAMES)
def test_frames_of_nothing(empty: Path, name: str, package: str) -> None:
    pytest.importorskip(package)
    frame = getattr(pitboss.results(empty), f"to_{package}")(name)
    assert len(frame) == 0 and list(frame.columns) == _COLUMNS[name].split()


@pytest.mark.parametrize("package", ["pandas", "polars"])
@pytest.mark.parametrize("name", NAMES)
def test_frames(played: Path, name: str, package: str) -> None:
    pytest.importorskip(package)
    results = pitboss.results(played)
    rows = getattr(results, name)
    frame = getattr(results, f"to_{package}")(name)
    assert len(frame) == len(rows)
    assert not rows or list(frame.columns) == list(rows[0])
    if name == "games":
        assert frame["points1"].sum() == sum(game["points1"] for game in rows)


def pitboss_says(*arguments: str | Path) -> str:
    done = subprocess.run(
        [find_program("pitboss"), *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an empty database."""
    pytest.importorskip("psycopg")
    folder = tmp_path_factory.mktemp("database")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o711)  # for the user that runs it if the test runs as root
    try:
        url = pitboss_says("ledger", "start", folder / "server").strip().splitlines()[-1]
    except subprocess.CalledProcessError as error:
        pytest.skip(f"PostgreSQL cannot be started here: {error.stderr}")
    yield url
    pitboss_says("ledger", "stop", folder / "server")


def test_a_database_tells_the_same(played: Path, database: str) -> None:
    with pytest.raises(pitboss.PitbossError, match="must say which experiment: it has none"):
        pitboss.results(database)
    pitboss_says("ledger", "copy", played, f"{database}#It's one")
    of_folder, of_database = pitboss.results(played), pitboss.results(f"{database}#It's one")
    for name in NAMES:
        assert getattr(of_database, name) == getattr(of_folder, name)
    assert of_database.summary == of_folder.summary
    assert pitboss.results(database).games == of_folder.games  # the only one
    pitboss_says("ledger", "copy", played, f"{database}#two")
    with pytest.raises(pitboss.PitbossError, match="which experiment: it has It's one, two"):
        pitboss.results(database)
    with pytest.raises(pitboss.PitbossError, match="no experiment 'three': it has It's one, two"):
        pitboss.results(f"{database}#three")


def test_a_passfile_that_is_not_here_is_left_out(
    played: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pitboss_says("ledger", "copy", played, f"{database}#elsewhere")
    url, passfile = database.split("?passfile=")
    monkeypatch.setenv("PGPASSFILE", passfile)
    there = pitboss.results(f"{url}?passfile={passfile}.none#elsewhere")
    assert there.games == pitboss.results(played).games


def test_a_database_that_cannot_be_read(played: Path, database: str) -> None:
    import psycopg

    pitboss_says("ledger", "copy", played, f"{database}#later")
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE later.ledger SET value = '99' WHERE key = 'format'")
    with pytest.raises(pitboss.PitbossError, match="format 99, this client reads format 6"):
        pitboss.results(f"{database}#later")
    with pytest.raises(pitboss.PitbossError, match="cannot be read: .*refused"):
        pitboss.results("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(pitboss.PitbossError, match="cannot be read: .*connect_timeout.*abc"):
        pitboss.results("postgresql://nobody@127.0.0.1:1/none?connect_timeout=abc")
    with pytest.raises(pitboss.PitbossError, match="holds a password"):
        pitboss.results("postgresql://me:secret@127.0.0.1:1/none")
    with pytest.raises(ValueError, match="not from 'mysql://x'"):
        pitboss.results("mysql://x")
