"""The results of matches that `pitboss referee` has played or is playing."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from .errors import PitbossError, needing

Row = dict[str, Any]

_FORMAT = 6  # of clients/referee/ledger/ledger_schema.hpp
# The columns of frames without rows.
_COLUMNS = {
    "matches": "match game parameters player1 player2 games points1 score",
    "games": "match game number round player1 player2 opening seats winner result points1 points2 reason plies moves"
    " seconds1 seconds2 values simulations1 simulations2",
    "rounds": "match number state begun ended",
    "incidents": "match game player place reason is_loss excerpt time",
    "players": "match player options program engine_options",
    "ratings": "player component elo low high games points",
}
_CATEGORIES = ("game", "player", "player1", "player2", "winner", "reason", "state", "place")


class Results:
    """Read afresh each time that they are asked for, also while the referee writes; the folder is left as it
    is. Raises PitbossError for a folder that has no ledger, or one of a later format."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        if "://" in os.fspath(folder):
            raise ValueError(f"results are read from a folder, not from '{folder}'")
        self.folder = Path(folder)
        with self._ledger():
            pass

    @property
    def matches(self) -> list[Row]:
        """A row a match: number, game, parameters, players, games played, and the first player's points and
        score."""
        with self._ledger() as ledger:
            points: dict[str, list[float]] = {}
            for game in ledger.execute("SELECT match, twelfths FROM games"):
                points.setdefault(game["match"], []).append(game["twelfths"] / 12)
            return [
                {
                    **match,
                    "games": len(points.get(id, [])),
                    "points1": sum(points.get(id, [])),
                    "score": sum(points[id]) / len(points[id]) if id in points else None,
                }
                for id, match in _matches(ledger).items()
            ]

    @property
    def games(self) -> list[Row]:
        """A row a game, as in games.csv (docs/referee.md): `values` are the movers', from 0 to 1, None where
        they were not told; `simulations1` and `simulations2` those of each move that was searched.
        """
        with self._ledger() as ledger:
            matches = _matches(ledger)
            rounds = {
                row["id"]: row["number"] for row in ledger.execute("SELECT id, number FROM rounds")
            }
            rows = [
                _game(matches[row["match"]], rounds[row["round"]], dict(row))
                for row in ledger.execute("SELECT * FROM games")
            ]
        return sorted(rows, key=lambda row: (row["match"], row["number"]))

    @property
    def rounds(self) -> list[Row]:
        with self._ledger() as ledger:
            matches = _matches(ledger)
            rows = [
                {
                    "match": matches[row["match"]]["match"],
                    "number": row["number"],
                    "state": row["state"],
                    "begun": _time(dict(row).get("begun", 0)),
                    "ended": _time(dict(row).get("ended", 0)),
                }
                for row in ledger.execute("SELECT * FROM rounds")
            ]
        return sorted(rows, key=lambda row: (row["match"], row["number"]))

    @property
    def incidents(self) -> list[Row]:
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
                for row in ledger.execute("SELECT * FROM incidents ORDER BY number")
            ]

    @property
    def players(self) -> list[Row]:
        """A row a player of a match: the options it was given, and the program and all options that its engine
        told, None before its first game."""
        with self._ledger() as ledger:
            engines = {}
            if ledger.execute("SELECT 1 FROM sqlite_master WHERE name = 'engines'").fetchone():
                for row in ledger.execute("SELECT * FROM engines"):
                    engines[row["match"], row["player"]] = row
            rows = []
            for match in ledger.execute("SELECT * FROM matches ORDER BY number"):
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
    def summary(self) -> Row:
        """What the referee has written to summary.json when it last ended; empty before."""
        try:
            return dict(json.loads((self.folder / "summary.json").read_text("utf-8")))
        except FileNotFoundError:
            return {}

    @property
    def ratings(self) -> list[Row]:
        """The ratings over all games, from `summary`."""
        return list(self.summary.get("ratings", {}).get("overall", []))

    def to_pandas(self, name: str) -> Any:
        """`matches`, `games`, `rounds`, `incidents`, `players` or `ratings` as a pandas.DataFrame; names and
        reasons are categories."""
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
        return f"Results({str(self.folder)!r})"

    def _rows(self, name: str) -> list[Row]:
        if name not in _COLUMNS:
            raise ValueError(f"there is no frame '{name}', but {', '.join(_COLUMNS)}")
        return list(getattr(self, name))

    @contextmanager
    def _ledger(self) -> Iterator[sqlite3.Connection]:
        path = (self.folder / "ledger.sqlite").absolute()
        if not path.exists():
            raise PitbossError(
                f"{self.folder} has no ledger.sqlite: it is no folder of the referee's"
            )
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as ledger:
                ledger.row_factory = sqlite3.Row
                row = ledger.execute("SELECT value FROM ledger WHERE key = 'format'").fetchone()
                if row is None or int(row["value"]) > _FORMAT:
                    raise PitbossError(
                        f"{path} has format {row and row['value']}, this client reads formats up to {_FORMAT}"
                    )
                yield ledger
        except (sqlite3.Error, LookupError, ValueError) as error:
            raise PitbossError(f"{path} cannot be read as a ledger: {error}") from error


def _matches(ledger: sqlite3.Connection) -> dict[str, Row]:
    matches = {}
    for row in ledger.execute("SELECT * FROM matches ORDER BY number"):
        configuration = json.loads(row["configuration"])
        player1, player2 = (player["name"] for player in configuration["players"])
        matches[row["id"]] = {
            "match": row["number"] + 1,
            "game": configuration["game"],
            "parameters": configuration.get("parameters", {}),
            "player1": player1,
            "player2": player2,
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
            None if value == "-" else int(value) / 1000
            for value in row.get("move_values", "").split()
        ],
        "simulations1": _simulations(row.get("effort1", "")),
        "simulations2": _simulations(row.get("effort2", "")),
    }


def _simulations(effort: str) -> list[int | None]:
    return [None if one == "-" else int(one.partition("/")[0]) for one in effort.split()]


def _time(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, timezone.utc) if seconds else None
