"""Plays matches of tables by `pitboss referee`, on a daemon of its own, and keeps their records."""

from __future__ import annotations

import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ..blocking import launch
from ..files import BadInput, write_whole
from ..ledger import Results
from ..toml import toml_lines
from ..processors import processors
from ..programs import find_program, that_ends_with_us
from .page import repeats_of, repeats_table, with_next_seed
from .record import Record, is_timed, key_of, read_records, record_of, write_records
from .table import Cell, Table, plan_of, read_costs, read_table, told_by

# Of each network: players that repeat games repeat evaluations, and the daemon of a machine of 4 GB has room for two networks.
NETWORK_CACHE_MB = 512
TIMED_GAMES = ("connect4", "othello", "breakthrough", "knightthrough", "gomoku", "atarigo")


class Interrupted(Exception):
    """The referee has ended before the match."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the referee ended with exit code {code}")
        self.code = code


def experiment_of(name: str, match: dict[str, Any], games: int, server: str) -> dict[str, Any]:
    """The experiment that plays so many games of a match, and nothing else."""
    rules = [match["game"], *(f"{key}={value}" for key, value in match["parameters"].items())]
    return {
        "name": name,
        "game": " ".join(rules),
        "games": games,
        "seed": match["seed"],
        "openings": match["openings"],
        "max_plies": match["max_plies"],
        "move_timeout": match["move_timeout_ms"] / 1000,
        "player": match["players"],
        "server": [{"address": server}],
    }


class Player:
    """Plays matches on two daemons at most, each started for its first match: one for matches that time bounds, in
    which nobody else's searches should take part, and one that keeps many evaluations for the others. Use it in `with`.
    """

    def __init__(
        self, root: Path, out: Path, networks: str | None, concurrency: int | None
    ) -> None:
        self.root, self.out, self.concurrency = root, out, concurrency
        self._flags: dict[str, Any] = {"workers": processors(), "networks": networks}
        if (features := root / "data/features").is_dir():
            self._flags["features"] = features
        self._addresses: dict[bool, str] = {}  # by whether time bounds a match
        self._started = ExitStack()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self._started.close()

    def play(self, table: Table, match: dict[str, Any], games: int, folder: Path) -> None:
        """The same call continues what was interrupted. Raises Interrupted."""
        experiment = experiment_of(table.name, match, games, self._server(is_timed(match)))
        experiment["concurrency"] = self.concurrency or table.concurrency
        file = folder.with_name(folder.name + ".toml")
        write_whole(file, toml_lines(experiment).encode())
        if [key_of(one["configuration"]) for one in plan_of(file)] != [key_of(match)]:
            raise BadInput(f"{table.name}: a match like {key_of(match)} cannot be played alone")
        code = _referee("--experiment", str(file), "--out", str(folder))
        if code != 0:
            raise Interrupted(code)

    def _server(self, timed: bool) -> str:
        if timed not in self._addresses:
            flags = self._flags if timed else self._flags | {"network_cache_mb": NETWORK_CACHE_MB}
            self._addresses[timed] = self._started.enter_context(launch(**flags)).address
        return self._addresses[timed]


def _referee(*words: str) -> int:
    """Runs `pitboss referee`, and returns its exit code. A signal that ends this process has it end its rounds first;
    its standard output, the results, is not wanted."""
    command = that_ends_with_us([find_program("pitboss"), "referee", *words], by="KILL")
    referee: subprocess.Popen[bytes] | None = None
    signals: list[int] = []

    def pass_on(number: int, _: Any) -> None:
        signals.append(number)
        if referee is not None:
            referee.send_signal(number)

    before = {one: signal.signal(one, pass_on) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, process_group=0
        ) as referee:
            if signals:
                referee.terminate()
            code = referee.wait()
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    if signals and code <= 0:  # it was done, or had not yet begun to mind signals
        raise KeyboardInterrupt
    return code


@cache
def signature_of(game: str) -> str:
    """Of the game's search in this program."""
    told = told_by("bench", "--json", "--game", game, "--threads", "1", "--seconds", "0")
    return str(json.loads(told)["signature"])


def record(root: Path, out: Path, table: Table, cell: Cell) -> None:
    """Records a match if all games are played that its ledger plans, and more than its record has."""
    folder = out / table.name / cell.name
    if not (folder / "ledger.sqlite").exists():
        return
    with Results(folder)._ledger() as ledger:
        matches = ledger.rows("SELECT configuration FROM matches")
        [plan] = ledger.rows("SELECT value FROM ledger WHERE key = 'plan'")
        efforts = ledger.rows("SELECT effort1, effort2 FROM games")
    if [key_of(json.loads(one["configuration"])) for one in matches] != [key_of(cell.match)]:
        raise BadInput(f"{folder} holds another match than {table.name} has")
    _keep_cost(root, table, cell, efforts)
    games = len(efforts)
    if [games] != json.loads(plan["value"])["games"] or games <= cell.played:
        return
    told_by("ledger", "verify", folder)
    cell.record = record_of(folder, cell.match, signature_of(cell.match["game"]))
    known = [one.record for one in table.cells if one.record] + table.others
    write_records(root / "data/results" / f"{table.name}.jsonl", known)
    print(f"{table.name}: {cell.name}, {games} games", flush=True)


def _keep_cost(root: Path, table: Table, cell: Cell, efforts: list[dict[str, Any]]) -> None:
    """Keeps the seconds of a processor that a game of the match took."""
    told = [
        one.split("/")[2] for row in efforts for one in " ".join(row.values()).split() if one != "-"
    ]
    seconds = sum(int(one) for one in told if one != "-") / 1e6 / max(1, len(efforts))
    if seconds == 0:
        return
    cell.seconds = round(seconds, 5)
    costs = read_costs(root)
    costs.setdefault(table.name, {})[cell.name] = cell.seconds
    text = json.dumps(costs, indent=2, sort_keys=True) + "\n"
    write_whole(root / "data/results/costs.json", text.encode())


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Raises BadInput if another process is inside, for each would overwrite the other's records."""
    folder = root / "data/results"
    folder.mkdir(exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(f"another ./dev results adds to {folder}") from None
        yield
    finally:
        os.close(descriptor)


def play_table(player: Player, table: Table, most: int | None) -> None:
    """Plays what is missing, of each match no more than so many games for now."""
    for cell in table.cells:
        games = min(cell.games, most or cell.games)
        if cell.played >= games:
            continue
        try:
            player.play(table, cell.match, games, player.out / table.name / cell.name)
        finally:
            record(player.root, player.out, table, cell)


def record_tables(root: Path, out: Path, names: Sequence[str]) -> None:
    for table in [read_table(root, name) for name in names]:
        for cell in table.cells:
            record(root, out, table, cell)


Recorded = tuple[Table, Cell]


def draw_cells(tables: Iterable[Table], count: int, seed: int) -> list[Recorded]:
    """Different cells of which all games were played and that time does not bound; the same seed draws the same."""
    all = [(table, cell) for table in tables for cell in table.cells if cell.can_repeat]
    if not all:
        raise BadInput("no match of these tables is recorded whole: play them first")
    return random.Random(seed).sample(all, min(count, len(all)))


def cells_named(tables: Sequence[Table], names: Iterable[str]) -> list[Recorded]:
    found: list[Recorded] = []
    for name in names:
        named = [(table, cell) for table in tables for cell in table.cells if cell.name == name]
        if not named:
            raise BadInput(
                f"no match is {name}; expected GAME.PLAYER.OPPONENT, as in the table's page"
            )
        for table, cell in named:
            if not cell.can_repeat:
                raise BadInput(
                    f"{name} of {table.name} cannot be repeated: time bounds it, or not all its games are recorded"
                )
        found += named
    return found


def repeat(
    player: Player, tables: Sequence[Table], cells: Sequence[Recorded], is_drawn: bool
) -> bool:
    """Plays the cells again, with their seed and with the next one. Drawn ones are recorded; of others it prints what
    they came to. Whether all gave the same games."""
    path = player.root / "data/results/repeats.jsonl"
    records = {key_of(one.match): one for one in read_records(path)} if is_drawn else {}
    folder = player.out / ("repeats" if is_drawn else "repeats-named")
    for table, cell in cells:
        for which, match in (("same-seed", cell.match), ("other-seed", with_next_seed(cell.match))):
            place = folder / which / table.name / cell.name
            player.play(table, match, cell.games, place)
            again = record_of(place, match, signature_of(match["game"]))
            records.pop(key_of(match), None)
            records[key_of(match)] = again
        if is_drawn:
            write_records(path, list(records.values()))
    shutil.rmtree(folder)  # the next call begins anew
    repeats = repeats_of(tables, list(records.values()))
    if not is_drawn:
        print(repeats_table(repeats), end="")
    return is_drawn or all(one.has_same_games for one in repeats)


def time_novelty(root: Path, seconds: float, has_networks: bool) -> None:
    """Measures what novelty costs in the games of the paper."""
    games = [word for game in TIMED_GAMES for word in ("--game", game)]
    words = ["bench", "--json", *games, "--threads", "1", "--seconds", f"{seconds:g}"]
    told = told_by(*words, *(["--networks"] if has_networks else []))
    write_whole(root / "data/results/times.json", told.encode())
