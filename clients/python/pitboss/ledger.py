"""The results of matches that `pitboss referee` has played or is playing."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from .errors import PitbossError, needing
from .files import user_path
from .programs import find_program

Row = dict[str, Any]

_FORMAT = "6"  # of clients/referee/ledger/ledger_schema.hpp
# The columns of frames without rows.
_COLUMNS = {
    "matches": "match game parameters player1 player2 seed openings games points1 score interval",
    "games": "match game number round player1 player2 opening seats winner result points1 points2 reason plies moves"
    " seconds1 seconds2 values simulations1 simulations2",
    "rounds": "match number state begun ended referee",
    "incidents": "match game player place reason is_loss excerpt time",
    "players": "match player options program engine_options",
    "ratings": "player component elo low high games points",
    "referees": "id name host processor program joined seen has_left rounds games",
}
_CATEGORIES = (
    "game",
    "player",
    "player1",
    "player2",
    "winner",
    "reason",
    "state",
    "place",
    "host",
    "processor",
    "program",
)


class _Ledger(Protocol):
    """A ledger that is open for reading, in one transaction."""

    def rows(self, query: str) -> list[Row]:
        ...


class Progress(NamedTuple):
    """How many games have been played, `of` how many."""

    games: int
    of: int


class Results:
    """The records at a place: a folder of the referee's, or an experiment in a PostgreSQL database,
    `postgresql://USER@HOST:PORT/DATABASE#NAME` (without `#NAME` if it is the only one; needs the extra
    `postgresql`). Read afresh each time that they are asked for, also while referees write; the place is left as
    it is. Raises PitbossError for a place that has no ledger, or one of another format.
    """

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self.place = os.fspath(place)
        self.is_database = self.place.startswith(("postgresql://", "postgres://"))
        if "://" in self.place and not self.is_database:
            raise ValueError(
                f"results are read from a folder or a PostgreSQL database, not from '{self.place}'"
            )
        if not self.is_database:
            self.place = str(user_path(self.place))
        with self._ledger():
            pass

    @property
    def matches(self) -> list[Row]:
        """A row a match: number, game, parameters, players, seed, openings, games played, and the first player's points, score and
        its interval of 95 %, a pair, from `summary`; None where that has none of the same games. While games are
        played, the program `pitboss` computes it, which takes a moment."""
        told = self._told_matches()
        with self._ledger() as ledger:
            points: dict[str, list[float]] = {}
            for game in ledger.rows("SELECT match, twelfths FROM games"):
                points.setdefault(game["match"], []).append(game["twelfths"] / 12)
            return [
                {
                    **match,
                    "games": len(points.get(id, [])),
                    "points1": sum(points.get(id, [])),
                    "score": sum(points[id]) / len(points[id]) if id in points else None,
                    "interval": told.get((match["match"], len(points.get(id, [])))),
                }
                for id, match in _matches(ledger).items()
            ]

    @property
    def progress(self) -> Progress:
        """The games played and to be played, in all matches."""
        with self._ledger() as ledger:
            played = ledger.rows("SELECT count(*) AS games FROM games")[0]["games"]
            plans = ledger.rows("SELECT value FROM ledger WHERE key = 'plan'")
            planned = json.loads(plans[0]["value"]).get("games", []) if plans else []
        return Progress(played, max(played, sum(planned)))

    @property
    def games(self) -> list[Row]:
        """A row a game, as in games.csv (docs/referee.md): `values` are the movers', from 0 to 1, None where
        they were not told; `simulations1` and `simulations2` those of each move that was searched.
        """
        with self._ledger() as ledger:
            matches = _matches(ledger)
            rounds = {
                row["id"]: row["number"] for row in ledger.rows("SELECT id, number FROM rounds")
            }
            rows = [
                _game(matches[row["match"]], rounds[row["round"]], row)
                for row in ledger.rows("SELECT * FROM games")
            ]
        return sorted(rows, key=lambda row: (row["match"], row["number"]))

    @property
    def rounds(self) -> list[Row]:
        """A row a round that has been begun; `referee` is the `id` of who holds, has given back or has played it,
        None where the ledger does not tell."""
        with self._ledger() as ledger:
            matches = _matches(ledger)
            rows = [
                {
                    "match": matches[row["match"]]["match"],
                    "number": row["number"],
                    "state": row["state"],
                    "begun": _time(row["begun"]),
                    "ended": _time(row["ended"]),
                    "referee": row["referee"] or None,
                }
                for row in ledger.rows("SELECT * FROM rounds")
            ]
        return sorted(rows, key=lambda row: (row["match"], row["number"]))

    @property
    def incidents(self) -> list[Row]:
        """A row a failure: of which player and where it happened, why, and whether it counts as a loss."""
        with self._ledger() as ledger:
            matches = _matches(ledger)
            return [
                {
                    "match": matches[row["match"]]["match"],
                    "game": row["game"],
                    "player": row["player"],
                    "place": row["place"],
                    "reason": row["reason"],
                    "is_loss": bool(row["is_loss"]),
                    "excerpt": row["excerpt"],
                    "time": _time(row["time"]),
                }
                for row in ledger.rows("SELECT * FROM incidents ORDER BY number")
            ]

    @property
    def players(self) -> list[Row]:
        """A row a player of a match: the options it was given, and the program and all options that its engine
        told, None before its first game."""
        with self._ledger() as ledger:
            engines = {
                (row["match"], row["player"]): row for row in ledger.rows("SELECT * FROM engines")
            }
            rows = []
            for match in ledger.rows("SELECT * FROM matches ORDER BY number"):
                for place, player in enumerate(json.loads(match["configuration"])["players"]):
                    engine = engines.get((match["id"], place))
                    rows.append(
                        {
                            "match": match["number"] + 1,
                            "player": player["name"],
                            "options": player.get("options", {}),
                            "program": engine and engine["program"],
                            "engine_options": engine and json.loads(engine["options"]),
                        }
                    )
            return rows

    @property
    def referees(self) -> list[Row]:
        """A row each time that a referee was started, in their order: where its engines search (`host` and
        `processor`), with which builds, when it came and was seen last, and the rounds and games that it has
        finished."""
        with self._ledger() as ledger:
            rounds = dict.fromkeys((row["id"] for row in ledger.rows("SELECT id FROM referees")), 0)
            games = dict(rounds)
            for row in ledger.rows(
                "SELECT referee, rounds.id AS round, count(*) AS games FROM rounds"
                " JOIN games ON games.round = rounds.id GROUP BY referee, rounds.id"
            ):
                if row["referee"] in rounds:
                    rounds[row["referee"]] += 1
                    games[row["referee"]] += row["games"]
            return [
                {
                    "id": row["id"],
                    "name": row["name"],
                    "host": row["host"],
                    "processor": row["processor"],
                    "program": row["program"],
                    "joined": _time(row["joined"] / 1000),
                    "seen": _time(row["seen"] / 1000),
                    "has_left": bool(row["has_left"]),
                    "rounds": rounds[row["id"]],
                    "games": games[row["id"]],
                }
                for row in ledger.rows("SELECT * FROM referees ORDER BY joined, id")
            ]

    @property
    def summary(self) -> Row:
        """What the referee has written to summary.json when it ended; before that, and of a database, the same as
        `pitboss report` tells it now. A folder of which it cannot tell has what was written, if anything.
        """
        if self.is_database:
            return self._told_summary()
        written, is_new = self._written_summary()
        if is_new:
            return written
        try:
            return self._told_summary()
        except PitbossError:
            return written

    @property
    def ratings(self) -> list[Row]:
        """The ratings over all games, from `summary`."""
        return list(self.summary.get("ratings", {}).get("overall", []))

    def to_pandas(self, name: str) -> Any:
        """`matches`, `games`, `rounds`, `incidents`, `players`, `ratings` or `referees` as a pandas.DataFrame; names
        and reasons are categories."""
        rows = self._rows(name)
        with needing("frames"):
            import pandas

        frame = pandas.DataFrame(rows, columns=None if rows else _COLUMNS[name].split())
        present = [column for column in _CATEGORIES if column in frame]
        return frame.astype(dict.fromkeys(present, "category"))

    def to_polars(self, name: str) -> Any:
        """The same as a polars.DataFrame; nested options are JSON."""
        rows = [
            {key: json.dumps(v) if isinstance(v, dict) else v for key, v in row.items()}
            for row in self._rows(name)
        ]
        with needing("frames"):
            import polars

        columns = None if rows else _COLUMNS[name].split()
        frame = polars.DataFrame(rows, columns, infer_schema_length=None)
        present = [column for column in _CATEGORIES if column in frame.columns]
        return frame.with_columns(polars.col(present).cast(polars.Categorical))

    def __repr__(self) -> str:
        return f"Results({self.place!r})"

    def _rows(self, name: str) -> list[Row]:
        if name not in _COLUMNS:
            raise ValueError(f"there is no frame '{name}', but {', '.join(_COLUMNS)}")
        return list(getattr(self, name))

    def _written_summary(self) -> tuple[Row, bool]:
        """What summary.json has, and whether the ledger is no newer."""
        path = Path(self.place) / "summary.json"
        try:
            written = dict(json.loads(path.read_text("utf-8")))
            time = path.stat().st_mtime
        except FileNotFoundError:
            return {}, False
        logs = [Path(self.place) / f"ledger.sqlite{end}" for end in ("", "-wal")]
        return written, all(log.stat().st_mtime <= time for log in logs if log.exists())

    def _told_matches(self) -> dict[tuple[int, int], list[float]]:
        """The intervals by the numbers of the match and of the games that they are of."""
        matches = self.summary.get("matches", [])
        return {
            (number, match.get("games")): match.get("interval")
            for number, match in enumerate(matches, 1)
        }

    def _told_summary(self) -> Row:
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run(
                [find_program("pitboss"), "report", self.place, "--to", folder],
                stdin=subprocess.DEVNULL,
                capture_output=True,
            )
            if told.returncode != 0:
                raise PitbossError(told.stderr.decode(errors="replace").strip()[-2000:])
            return dict(json.loads((Path(folder) / "summary.json").read_text("utf-8")))

    @contextmanager
    def _ledger(self) -> Iterator[_Ledger]:
        opened = _in_database(self.place) if self.is_database else _in_folder(Path(self.place))
        try:
            with opened as ledger:
                formats = ledger.rows("SELECT value FROM ledger WHERE key = 'format'")
                told = formats[0]["value"] if formats else None
                if told != _FORMAT:
                    raise PitbossError(
                        f"{self.place} has format {told}, this client reads format {_FORMAT}"
                    )
                yield ledger
        except (sqlite3.Error, LookupError, ValueError) as error:
            raise PitbossError(f"{self.place} cannot be read as a ledger: {error}") from error


class _File:
    """A _Ledger in a SQLite file."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file
        file.row_factory = lambda cursor, row: {
            column[0]: value for column, value in zip(cursor.description, row)
        }

    def rows(self, query: str) -> list[Row]:
        return list(self._file.execute(query))


@contextmanager
def _in_folder(folder: Path) -> Iterator[_Ledger]:
    path = (folder / "ledger.sqlite").absolute()
    if not path.exists():
        raise PitbossError(f"{folder} has no ledger.sqlite: it is no folder of the referee's")
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
        file.execute("BEGIN")
        yield _File(file)


class _Schema:
    """A _Ledger in a schema of a PostgreSQL database."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def rows(self, query: str) -> list[Row]:
        return list(self._cursor.execute(query))


@contextmanager
def _in_database(place: str) -> Iterator[_Ledger]:
    with needing("postgresql"):
        import psycopg
    url, _, name = place.partition("#")
    try:
        given: dict[str, Any] = {"connect_timeout": 10}
        given.update(psycopg.conninfo.conninfo_to_dict(url))
        if "password" in given:
            raise PitbossError(
                "the URL of the database holds a password, which others could see: set PGPASSWORD, or put it into"
                " ~/.pgpass"
            )
        # With a file that this machine does not have libpq would look nowhere else.
        if not os.path.exists(given.get("passfile", "")):
            given.pop("passfile", None)
        with psycopg.connect(
            **given, row_factory=psycopg.rows.dict_row, prepare_threshold=None
        ) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = True
            cursor = connection.cursor()
            name = _name_in(cursor, url, name)
            cursor.execute("SELECT set_config('search_path', quote_ident(%s), true)", [name])
            yield _Schema(cursor)
    except psycopg.Error as error:
        raise PitbossError(f"{place} cannot be read: {str(error).strip()}") from error


def _name_in(cursor: Any, url: str, name: str) -> str:
    """The name of an experiment in the database: `name`, or the only one's."""
    names = [
        row["nspname"]
        for row in cursor.execute(
            "SELECT nspname FROM pg_namespace WHERE (SELECT count(*) FROM pg_class"
            " WHERE relnamespace = pg_namespace.oid AND relkind = 'r'"
            " AND relname IN ('ledger', 'matches', 'rounds', 'games')) = 4 ORDER BY nspname"
        )
    ]
    if name in names:
        return name
    if not name and len(names) == 1:
        return str(names[0])
    there = f"it has {', '.join(names)}" if names else "it has none"
    raise PitbossError(
        f"{url} has no experiment '{name}': {there}"
        if name
        else f"{url}#NAME must say which experiment: {there}"
    )


def _matches(ledger: _Ledger) -> dict[str, Row]:
    matches = {}
    for row in ledger.rows("SELECT * FROM matches ORDER BY number"):
        configuration = json.loads(row["configuration"])
        player1, player2 = (player["name"] for player in configuration["players"])
        matches[row["id"]] = {
            "match": row["number"] + 1,
            "game": configuration["game"],
            "parameters": configuration.get("parameters", {}),
            "player1": player1,
            "player2": player2,
            "seed": configuration["seed"],
            "openings": configuration["openings"],
        }
    return matches


def _game(match: Row, round: int, row: Mapping[str, Any]) -> Row:
    return {
        "match": match["match"],
        "game": match["game"],
        "number": row["number"],
        "round": round,
        "player1": match["player1"],
        "player2": match["player2"],
        "opening": row["opening"],
        "seats": row["seats"],
        "winner": row["winner"],
        "result": row["result"],
        "points1": row["twelfths"] / 12,
        "points2": 1 - row["twelfths"] / 12,
        "reason": row["reason"],
        "plies": row["plies"],
        "moves": row["moves"],
        "seconds1": row["seconds1"],
        "seconds2": row["seconds2"],
        "values": [
            None if value == "-" else int(value) / 1000 for value in row["move_values"].split()
        ],
        "simulations1": _simulations(row["effort1"]),
        "simulations2": _simulations(row["effort2"]),
    }


def _simulations(effort: str) -> list[int | None]:
    return [None if one == "-" else int(one.partition("/")[0]) for one in effort.split()]


def _time(seconds: float) -> datetime | None:
    return datetime.fromtimestamp(seconds, timezone.utc) if seconds else None
