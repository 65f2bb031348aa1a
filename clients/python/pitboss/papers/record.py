"""What data/results keeps of a match that was played: all that the pages say of it, and no positions."""

from __future__ import annotations

import hashlib
import json
import statistics
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..files import BadInput, write_whole
from ..ledger import Results
from .verdicts import Rounds

POINT = 12  # twelfths of a game won


def key_of(match: dict[str, Any]) -> str:
    """A match as one text, by its configuration: game, players with their options, seed."""
    return json.dumps(match, separators=(",", ":"), ensure_ascii=False)


def is_timed(match: dict[str, Any]) -> bool:
    """Whether time bounds a player, so that the games do not repeat with the seed."""
    return any(
        "tc" in player
        or any(player["options"].get(time, "0") != "0" for time in ("movetime", "cputime"))
        for player in match["players"]
    )


class Record:
    """A line of data/results/TABLE.jsonl, whose keys data/results/README.md describes."""

    def __init__(self, line: dict[str, Any]) -> None:
        self.line = line
        self.match: dict[str, Any] = line["match"]
        self.games: int = line["wins"] + line["draws"] + line["losses"]
        self._check()

    @cached_property
    def score(self) -> float:
        return float(sum(points * n for points, n in self.line["rounds"]) / (POINT * self.games))

    @cached_property
    def rounds(self) -> Rounds:
        points, counts = np.array(self.line["distinct_rounds"]).T
        distinct = np.repeat(points / (POINT * self._round), counts)
        if "in_order" not in self.line:
            return Rounds(distinct)
        in_order = np.frombuffer(self._in_order, np.uint8) / (POINT * self._round)
        repeats = np.isin(np.arange(len(in_order)), self.line["repeats"])
        match = {key: value for key, value in self.match.items() if key != "players"}
        return Rounds(distinct, in_order, repeats, f"{len(in_order)} of {key_of(match)}")

    @property
    def _in_order(self) -> bytes:
        """The points of all rounds."""
        return bytes.fromhex(self.line["in_order"])

    @property
    def _round(self) -> int:
        return int(self.games // sum(n for _, n in self.line["rounds"]))

    def _check(self) -> None:
        line = self.line
        rounds = sum(n for _, n in line["rounds"])
        points = sum(points * n for points, n in line["rounds"])
        scores = line["rounds"] + line["distinct_rounds"]
        is_sound = (
            rounds > 0
            and self.games % rounds == 0
            and all(0 <= one <= POINT * self._round and n > 0 for one, n in scores)
            and POINT * line["wins"] <= points <= POINT * (line["wins"] + line["draws"])
            and 0 < sum(n for _, n in line["distinct_rounds"]) <= rounds
            and 0 < line["distinct_games"] <= self.games
            and len(line["match"]["players"]) == len(line["programs"]) == 2
            and isinstance(line["sha256"], str)
            and line["failures"] >= 0
            and len([n for n in line.get("simulations", [0, 0]) if n >= 0]) == 2
            and ("in_order" not in line or self._is_in_order())
        )
        if not is_sound:
            raise ValueError("its numbers contradict each other")

    def _is_in_order(self) -> bool:
        """Whether the rounds in their order are those that are counted."""
        points, repeats = self._in_order, set(self.line["repeats"])
        new = [one for number, one in enumerate(points) if number not in repeats]
        return (
            _counted(points) == self.line["rounds"]
            and _counted(new) == self.line["distinct_rounds"]
            and repeats <= set(range(len(points)))
        )


def read_records(path: Path) -> list[Record]:
    """Of a file, none if there is none. Raises BadInput, which names file and line, for what is no record."""
    records = []
    for number, line in enumerate(path.read_bytes().splitlines() if path.exists() else [], 1):
        try:
            records.append(Record(json.loads(line)))
        except (ValueError, LookupError, TypeError) as error:
            raise BadInput(f"{path}, line {number}: not the record of a match: {error}") from error
    return records


def write_records(path: Path, records: list[Record]) -> None:
    write_whole(path, "".join(key_of(record.line) + "\n" for record in records).encode())


def record_of(folder: Path, match: dict[str, Any], signature: str) -> Record:
    """Of a match whose games are all in the ledger of the folder. The same games make the same record."""
    results = Results(folder)
    games, players = results.games, results.players
    options = [player["engine_options"] or {} for player in players]
    courses: dict[int, str] = {}
    points: Counter[int] = Counter()
    for game in games:
        course = f"{game['moves']} {game['result']}\n"
        courses[game["round"]] = courses.get(game["round"], "") + course
        points[game["round"]] += round(POINT * game["points1"])
    seen: dict[str, int] = {}  # by course, the first round that had it
    in_order = sorted(courses)
    firsts = [seen.setdefault(courses[number], number) for number in in_order]
    won = Counter(game["points1"] for game in games)
    line: dict[str, Any] = {
        "match": match,
        "programs": [player["program"] or "" for player in players],
    }
    networks = [option.get("network_sha256", "") for option in options]
    if any(networks):
        line["networks"] = networks
    line |= {
        "recorder_signature": signature,
        "wins": won[1],
        "draws": len(games) - won[1] - won[0],
        "losses": won[0],
        "failures": sum(game["result"].endswith(("+F", "+T")) for game in games),
    }
    told = [
        [n for game in games for n in game[which] if n is not None]
        for which in ("simulations1", "simulations2")
    ]
    if is_timed(match) and all(told):
        line["simulations"] = [statistics.median_low(one) for one in told]
    line |= {
        "distinct_games": len({game["moves"] for game in games}),
        "plies": sum(game["plies"] for game in games),
        "rounds": _counted(points.values()),
        "distinct_rounds": _counted(points[number] for number in seen.values()),
        "in_order": bytes(points[number] for number in in_order).hex(),
        "repeats": [at for at, one in enumerate(in_order) if firsts[at] != one],
        "sha256": hashlib.sha256("".join(courses.values()).encode()).hexdigest(),
    }
    return Record(line)


def _counted(points: Iterable[int]) -> list[list[int]]:
    return [list(one) for one in sorted(Counter(points).items())]
