"""A paper's table: the matches of an experiment with a table [published], and what the repository has of them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ..files import BadInput
from ..programs import find_program
from .record import Record, is_timed, key_of, read_records
from .verdicts import (
    SIGNIFICANCE,
    WORDINGS,
    Difference,
    Estimate,
    Rounds,
    holm,
    interval_of,
    verdict,
)

_KEYS = {"title", "about", "games", "openings", "options", "question", "x_axis"}


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise BadInput(f"{path} is not TOML: {error}") from error


def told_by(*words: str | Path) -> str:
    """What `pitboss` prints. Raises BadInput with its sentence if it refuses."""
    told = subprocess.run([find_program("pitboss"), *words], capture_output=True, text=True)
    if told.returncode != 0:
        raise BadInput(told.stderr.strip().removeprefix("pitboss: "))
    sys.stderr.write(told.stderr)
    return told.stdout


def plan_of(experiment: Path) -> list[dict[str, Any]]:
    """Its matches, each with its `configuration`, its number of `games` and its `rules`."""
    lines = told_by("referee", "--experiment", experiment, "--plan").splitlines()
    return [json.loads(line) for line in lines]


@dataclass(eq=False)
class Cell:
    """A match of a table."""

    match: dict[str, Any]  # its configuration
    rules: str  # "gomoku size=7": the game, with the parameters that are not its own choice
    games: int  # planned
    published: float | str | None = None  # the first player's score, or words
    # None is the opponent, which the player meets head to head.
    controls: list[Cell | None] = field(default_factory=list)
    point: tuple[str, float] | None = None  # series and x of the first player in the figure
    record: Record | None = None
    seconds: float | None = None  # of a processor that a game took
    is_control: bool = False

    @property
    def player(self) -> str:
        return str(self.match["players"][0]["name"])

    @property
    def opponent(self) -> str:
        return str(self.match["players"][1]["name"])

    @property
    def name(self) -> str:
        """ "connect4.pseudocount.baseline", in names of files as well."""
        return f"{self.rules}.{self.player}.{self.opponent}".replace(" ", "-")

    @property
    def played(self) -> int:
        return self.record.games if self.record else 0

    @property
    def is_complete(self) -> bool:
        return self.played >= self.games

    @property
    def can_repeat(self) -> bool:
        return self.is_complete and not is_timed(self.match)

    @property
    def measure(self) -> str:
        """Of novelty, or else the first player's name."""
        return str(self.match["players"][0]["options"].get("novelty", self.player))

    @property
    def lacks_novelty(self) -> bool:
        """Whether the first player has a measure of novelty and alpha = 0, which leaves none of it: it is a control."""
        options = self.match["players"][0]["options"]
        is_none = options.get("novelty", "none") == "none"
        return not is_none and float(options.get("alpha", 1)) == 0

    @property
    def rounds(self) -> Rounds:
        assert self.record is not None
        return self.record.rounds

    @property
    def estimate(self) -> Estimate:
        """Of the distinct rounds: a round that repeats another one shows nothing new."""
        return Estimate.of(self.rounds.distinct)


@dataclass(eq=False)
class Comparison:
    """A player beside a control of its own: by their scores against the same opponent, or head to head."""

    table: str
    cell: Cell
    control: Cell | None  # None: the opponent
    p: float = 1  # by Holm for the family

    @cached_property
    def difference(self) -> Difference | None:
        if not self.cell.is_complete or (self.control and not self.control.is_complete):
            return None
        return mean_of([self])

    @property
    def beside(self) -> str:
        return self.control.player if self.control else self.cell.opponent

    @property
    def is_paired(self) -> bool:
        openings = self.cell.rounds.openings
        return self.control is not None and self.control.rounds.openings == openings != ""

    @property
    def has_same_games(self) -> bool:
        return self.difference is not None and self.games[0] == self.games[1]

    @property
    def games(self) -> tuple[str, str]:
        """Which games the player and the control have played; the control none if they met head to head."""
        played = [
            cell.record.line["sha256"] if cell and cell.record else ""
            for cell in (self.cell, self.control)
        ]
        return played[0], played[1]

    @property
    def tested(self) -> bool:
        """Whether its p counts: not what was not played, the control's very games, or a control beside another one."""
        return (
            self.difference is not None and not self.has_same_games and not self.cell.lacks_novelty
        )

    @property
    def standing(self) -> str:
        """Than the control; empty if nothing is shown."""
        if self.difference is None or self.p > SIGNIFICANCE:
            return ""
        return "better" if self.difference.value > 0 else "worse"


@dataclass(eq=False)
class Table:
    name: str
    published: dict[str, Any]
    cells: list[Cell]
    others: list[Record]  # of no match of the table
    concurrency: int

    @property
    def question(self) -> str:
        """For which players are compared with controls; tables with the same one are one family."""
        return str(self.published.get("question", ""))

    @property
    def has_paper_options(self) -> bool:
        return bool(self.published.get("options", "paper") == "paper")

    @property
    def has_numbers(self) -> bool:
        return any(isinstance(cell.published, float) for cell in self.cells)

    @property
    def is_timed(self) -> bool:
        return any(is_timed(cell.match) for cell in self.cells)

    def to_paper(self, cell: Cell) -> Difference | None:
        """From the paper's number, if there is one and the match was played."""
        if not isinstance(cell.published, float) or cell.record is None:
            return None
        told = self.published
        games = _at(told.get("openings", {}), cell) or told["games"]
        paper = Estimate.published(cell.published, games)
        return Difference.between(cell.estimate, paper)

    def verdict(self, cell: Cell) -> str:
        """On a cell with a published score."""
        assert cell.published is not None
        if cell.record is None or not cell.is_complete:
            return "begun" if cell.record else "not run"
        found = self.to_paper(cell) or interval_of(cell.rounds.distinct)
        return verdict(cell.published, found, self.has_paper_options)

    def verdicts(self) -> Counter[str]:
        return Counter(self.verdict(cell) for cell in self.cells if cell.published is not None)

    def hours(self, cell: Cell) -> float | None:
        """Of a processor that the match takes, at what its own games took or those of its game that were timed."""
        timed = [
            one.seconds
            for one in ([cell] if cell.seconds is not None else self.cells)
            if one.rules == cell.rules and one.seconds is not None
        ]
        return sum(timed) / len(timed) * cell.games / 3600 if timed else None

    def hours_left(self, cell: Cell) -> float | None:
        hours = 0 if cell.is_complete else self.hours(cell)
        return hours and hours * (cell.games - cell.played) / cell.games


def table_names(root: Path) -> list[str]:
    files = sorted((root / "data/experiments").glob("*.toml"))
    return [path.stem for path in files if "published" in read_toml(path)]


def read_costs(root: Path) -> dict[str, dict[str, float]]:
    """Seconds of a processor that a game took, by table and the cell's name."""
    path = root / "data/results/costs.json"
    try:
        costs = json.loads(path.read_text()) if path.exists() else {}
        return {table: {name: float(s) for name, s in of.items()} for table, of in costs.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise BadInput(f"{path}: not the costs of games: {error}") from error


def read_table(root: Path, name: str) -> Table:
    """The table, its records and costs. Raises BadInput for every mistake, as docs/experiment-file.md has the rules."""
    path = root / "data/experiments" / f"{name}.toml"
    if not path.exists():
        raise BadInput(f"there is no table {name}: {path} is missing")
    file = read_toml(path)
    if not isinstance(file.get("published"), dict):
        raise BadInput(f"{path} has no table [published]")
    cells = [Cell(one["configuration"], one["rules"], one["games"]) for one in plan_of(path)]
    table = Table(name, file["published"], cells, [], file.get("concurrency", 8))
    try:
        for player in file["player"]:
            _read_player(player, cells)
        _check(table, file)
    except (BadInput, AttributeError, TypeError, LookupError) as error:
        raise BadInput(f"{path}: {error}") from error
    records = read_records(root / "data/results" / f"{name}.jsonl")
    by_match = {key_of(record.match): record for record in reversed(records)}
    costs = read_costs(root).get(name, {})
    for cell in cells:
        cell.record = by_match.get(key_of(cell.match))
        cell.seconds = costs.get(cell.name)
    known = {id(cell.record) for cell in cells}
    table.others = [record for record in records if id(record) not in known]
    return table


def _at(value: Any, cell: Cell) -> Any:
    """The value for a cell's game of what may be a table by game, in which "gomoku size=7" is before "gomoku"."""
    if not isinstance(value, dict):
        return value
    return next((value[key] for key in (cell.rules, cell.match["game"]) if key in value), None)


def _read_player(player: dict[str, Any], cells: list[Cell]) -> None:
    """What a [[player]] says of the cells of which it is the first player."""
    name = player["name"]
    told = {key: player[key] for key in ("published", "control", "point") if key in player}
    own = [cell for cell in cells if cell.player == name]
    opponents = player.get("against")
    for by_game in (opponents, told.get("published"), told.get("control")):
        for game in by_game if isinstance(by_game, dict) else []:
            if not any(game in (cell.rules, cell.match["game"]) for cell in own):
                raise BadInput(f'{name}: "{game}" is not a game of which it is the first player')
    for game, opponent in opponents.items() if isinstance(opponents, dict) else []:
        there = [cell.opponent for cell in own if game in (cell.rules, cell.match["game"])]
        if opponent not in there:
            raise BadInput(f"{name}: against: it meets no {opponent} at {game} as the first player")
    for cell in own:
        if cell.opponent in _controls_at(told, cell):
            cell.controls.append(None)
    met = {(cell.rules, cell.opponent) for cell in own}
    own = [cell for cell in own if _at(opponents, cell) in (None, cell.opponent)]
    if (told or opponents) and not own:
        raise BadInput(f"{name} is the first player of no match that its keys are about")
    if told.keys() - {"control"} or any(_others_at(told, cell, met) for cell in own):
        _expect_one_opponent(name, own)
    for cell in own:
        cell.published = _score(_at(told.get("published"), cell), name)
        for control in _others_at(told, cell, met):
            cell.controls.append(_control(control, cell, cells))
        if "point" in told:
            cell.point = _point(told["point"], name)


def _controls_at(told: dict[str, Any], cell: Cell) -> list[str]:
    controls = _at(told.get("control"), cell) or []
    return [controls] if isinstance(controls, str) else list(controls)


def _others_at(told: dict[str, Any], cell: Cell, met: set[tuple[str, str]]) -> list[str]:
    """The controls that the player does not meet head to head."""
    return [one for one in _controls_at(told, cell) if (cell.rules, one) not in met]


def _expect_one_opponent(name: str, own: list[Cell]) -> None:
    if twice := [game for game, n in Counter(c.rules for c in own).items() if n > 1]:
        raise BadInput(f'{name} has more than one opponent at {twice[0]}, and no key "against"')


def _score(told: Any, player: str) -> float | str | None:
    if told is None or (isinstance(told, str) and told in WORDINGS):
        return told
    if type(told) in (int, float) and 0 <= told <= 100:
        return float(told / 100)
    words = ", ".join(f'"{word}"' for word in WORDINGS)
    raise BadInput(f"{player}: published: expected per cent or one of {words}")


def _point(told: Any, player: str) -> tuple[str, float]:
    is_point = isinstance(told, dict) and told.keys() == {"series", "x"}
    if not is_point or type(told["x"]) not in (int, float):
        raise BadInput(f"{player}: point: expected a series and a number x")
    return str(told["series"]), float(told["x"])


def _control(name: str, cell: Cell, cells: list[Cell]) -> Cell:
    for other in cells:
        is_alike = (other.rules, other.opponent) == (cell.rules, cell.opponent)
        if other.player == name != cell.player and is_alike and other not in cell.controls:
            other.is_control = True
            return other
    raise BadInput(
        f'{cell.player}: no other player "{name}" meets {cell.opponent} at {cell.match["game"]}, or it is named twice'
    )


def _check(table: Table, file: dict[str, Any]) -> None:
    told = table.published
    points = Counter(cell.point for cell in table.cells if cell.point)
    has_control = any(cell.controls for cell in table.cells)
    unknown = ", ".join(sorted(told.keys() - _KEYS))
    games = told.get("games", 0 if table.has_numbers else 1)
    openings = told.get("openings", {})
    known = {name for cell in table.cells for name in (cell.rules, cell.match["game"])}
    for is_amiss, sentence in (
        (unknown, f"unknown: {unknown}; known: {', '.join(sorted(_KEYS))}"),
        ("title" not in told, "title is missing"),
        (told.get("options", "paper") not in ("paper", "other"), 'options: "paper" or "other"'),
        ("sprt" in file, "a match that a test ends has a biased score"),
        (has_control and not table.question, "question is missing, which controls are for"),
        (bool(points) != bool(told.get("x_axis")), "x_axis and a player's point go together"),
        (any(n > 1 for n in points.values()), "the figure has two scores at the same place"),
        (
            not has_control and all(cell.published is None for cell in table.cells),
            "no player has a published score or a control",
        ),
        (type(games) is not int or games < 1, "games: expected how many a number rests on"),
        (
            not isinstance(openings, dict)
            or not openings.keys() <= known
            or any(type(n) is not int or n < 1 for n in openings.values()),
            "openings: expected a game's number of openings that the paper's games repeat",
        ),
    ):
        if is_amiss:
            raise BadInput(f"[published]: {sentence}")


def mean_difference(comparisons: Iterable[Comparison]) -> Difference | None:
    """Of those that were played, each once, whatever tables have it; None if there are none."""
    played = {one.games: one for one in comparisons if one.difference}
    return mean_of(list(played.values())) if played else None


def mean_of(comparisons: Sequence[Comparison]) -> Difference:
    """What several comparisons share, as a control, is counted as one."""
    parts: dict[str, tuple[float, Rounds]] = {}
    heads = 0
    for one in comparisons:
        heads += one.control is None
        for cell, games, sign in ((one.cell, one.games[0], 1), (one.control, one.games[1], -1)):
            if cell:
                weight, rounds = parts.get(games, (0.0, cell.rounds))
                parts[games] = weight + sign / len(comparisons), rounds
    return Difference.of_matches(parts.values(), 0.5 * heads / len(comparisons))


class Family:
    """All comparisons that the tables with one question plan, played or not, so that the family does not depend on
    what has been played."""

    def __init__(self, question: str, comparisons: list[Comparison]) -> None:
        self.question = question
        self.comparisons = comparisons
        self.played = [one for one in comparisons if one.difference]
        of_novelty = [one for one in comparisons if not one.cell.lacks_novelty]
        self.unplayed = [one for one in of_novelty if not one.difference]
        self.of_controls = [one for one in self.played if one.cell.lacks_novelty]
        counted = [one for one in self.played if not one.cell.lacks_novelty]
        self.counted = list({one.games: one for one in counted}.values())  # a match once
        self.alike = [one for one in self.counted if one.has_same_games]
        self.higher = [one for one in self.counted if one.difference and one.difference.value > 0]
        self.better = [one for one in self.counted if one.standing == "better"]
        self.worse = [one for one in self.counted if one.standing == "worse"]

    def part_of(self, table: Table) -> Family:
        return Family(self.question, [one for one in self.comparisons if one.table == table.name])

    @property
    def has_several_controls(self) -> bool:
        return any(len(of) > 1 for of in self.by_player)

    @property
    def by_player(self) -> list[list[Comparison]]:
        """The comparisons of each player with its controls."""
        of: dict[tuple[str, str, str], list[Comparison]] = {}
        for one in self.comparisons:
            of.setdefault((one.table, one.cell.rules, one.cell.player), []).append(one)
        return list(of.values())


def families_of(tables: Sequence[Table]) -> list[Family]:
    found: dict[str, list[Comparison]] = {}
    for table in tables:
        for cell in table.cells:
            for control in cell.controls:
                one = Comparison(table.name, cell, control)
                found.setdefault(table.question, []).append(one)
    for comparisons in found.values():
        p = [one.difference.p if one.difference and one.tested else 1 for one in comparisons]
        for one, adjusted in zip(comparisons, holm(p)):
            one.p = adjusted
    return [Family(question, comparisons) for question, comparisons in found.items()]
