"""How often searches lose what a position is worth: `./dev results truth`, its records and its page."""

from __future__ import annotations

import json
import math
import random
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..blocking import Engine, Server, launch
from ..files import BadInput, write_whole
from ..limit import Limit
from ..processors import processors
from ..programs import find_program
from ..state import Game, State
from .markdown import made_by, markdown_table
from .play import signature_of
from .student import student_quantile

ERRORS_NAME = "truth-errors"
POSITIONS_NAME = "truth-positions"
ERRORS_TITLE = "Positions whose result the search's move loses"
END_GAMES = "tests/engine/exact/othello_end_games.obf"
_FFO = "othello-ffo"
_OPENING = 4  # random moves
_GUIDE = 20  # simulations of a move of the games that positions are from

# An exact solver would answer itself.
PLAYERS: Mapping[str, Mapping[str, Any]] = {
    "static values": {"preset": "reference"},
    "static values, N_C": {"preset": "reference", "novelty": "pseudocount"},
    "playouts": {"preset": "uct", "exact": False},
    "network": {"preset": "network", "exact": False},
    "network, solver": {"preset": "network", "exact": False, "solver": True},
}
BUDGETS = (1, 10, 100, 1000, 10_000, 100_000)
_MOST_WITH_NETWORK = 10_000  # simulations


@dataclass(frozen=True)
class Kind:
    """Positions that are drawn, one of a game: after `first` to `last` plies."""

    name: str
    game: str
    first: int
    last: int


KINDS = (
    Kind("connect4", "connect4", 10, 30),
    Kind("othello", "othello", 44, 50),
    Kind("teeko", "teeko", 4, 24),
)
_WORDS = {
    "connect4": "connect4, 10 to 30 plies played",
    "othello": "othello, 10 to 16 points empty",
    "teeko": "teeko, 4 to 24 plies played",
    _FFO: "othello, the end games 20 to 39 of the FFO set, 6 to 26 points empty",
}


@dataclass(frozen=True)
class Position:
    set: str
    seed: int  # of the draw; 0 if it is not drawn
    game: str
    position: str
    moves: dict[str, int]  # what each comes to for its mover: points, or 1, 0, -1

    @property
    def result(self) -> int:
        return _sign(max(self.moves.values()))

    def lost_by(self, move: str) -> tuple[int, int]:
        """Steps from win by draw to loss, and points."""
        return self.result - _sign(self.moves[move]), max(self.moves.values()) - self.moves[move]

    @property
    def random_share(self) -> float:
        """How probable it is that a random move loses the result."""
        return sum(self.lost_by(move)[0] > 0 for move in self.moves) / len(self.moves)


@dataclass(frozen=True)
class Errors:
    """Of a player in a set, position by position: the steps of the result and the points that its move lost."""

    set: str
    player: str
    options: dict[str, Any]
    simulations: int
    signature: str
    steps: list[int]
    points: list[int]

    @property
    def count(self) -> int:
        return sum(step > 0 for step in self.steps)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of the share of positions, 95 %."""
        n, share, z = len(self.steps), self.count / len(self.steps), 1.96
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def mean_points(self) -> tuple[float, float]:
        """The mean and half of its interval of 95 %."""
        n, mean = len(self.points), sum(self.points) / len(self.points)
        variance = sum((one - mean) ** 2 for one in self.points) / (n - 1)
        return mean, student_quantile(0.95, n - 1) * math.sqrt(variance / n)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


# --- positions ---


def end_games(text: str) -> Iterator[Position]:
    """Of a file of Edax's form (OBF), which counts rows from the top: the board, the side to move, and each move's score."""
    for line in text.splitlines():
        board, side, scores = line[:64], line[65], line[66:].split(";")
        rows = "/".join(board[at : at + 8].replace("-", ".") for at in range(0, 64, 8))
        moves = {}
        for words in (one.replace(":", " ").split() for one in scores):
            if len(words) == 2:
                moves[f"{words[0][0].lower()}{9 - int(words[0][1])}"] = int(words[1])
        yield Position(_FFO, 0, "othello", f"{rows} {'b' if side == 'X' else 'w'}", moves)


def drawn_positions(server: Server, kind: Kind, count: int, seed: int) -> Iterator[Position]:
    """Positions in which the choice matters: some legal moves keep the result, others lose it."""
    draw = random.Random(f"{kind.name} {seed}")
    with server.engine(kind.game, preset="reference", simulations=_GUIDE) as guide:
        found = 0
        while found < count:
            state = guide.game.new_initial_state()
            plies = draw.randint(kind.first, kind.last)
            for ply in range(plies):
                if state.is_terminal():
                    break
                random_move = draw.choice(state.legal_moves())
                options = {"seed": draw.randrange(1, 1 << 31)}
                state.apply_move(
                    random_move if ply < _OPENING else guide.play(state, options=options).move
                )
            if state.is_terminal():
                continue
            position = _solved(guide, kind, seed, state)
            if 0 < position.random_share < 1:
                found += 1
                yield position


def _solved(guide: Engine, kind: Kind, seed: int, state: State) -> Position:
    truth = guide.truth(state, seconds=600)
    if not truth.complete:
        raise BadInput(f"{kind.name}: no solution of {state.position} within ten minutes")
    results = {"win": 1, "draw": 0, "loss": -1}
    moves = {
        one.move: results[one.exact] if one.points is None else one.points for one in truth.moves
    }
    return Position(kind.name, seed, kind.game, state.position, moves)


# --- records ---


def read_positions(root: Path) -> list[Position]:
    return [Position(**line) for line in _lines(root, POSITIONS_NAME)]


def read_errors(root: Path) -> list[Errors]:
    """Raises BadInput, which names the file, for one that is not sound."""
    counts: dict[str, int] = {}
    for position in read_positions(root):
        counts[position.set] = counts.get(position.set, 0) + 1
    errors = [Errors(**line) for line in _lines(root, ERRORS_NAME)]
    for one in errors:
        if not 1 < len(one.steps) == len(one.points) == counts.get(one.set, 0):
            raise BadInput(
                f"{_file(root, ERRORS_NAME)}: {one.set} has other positions than {POSITIONS_NAME}.jsonl"
            )
    return errors


def _file(root: Path, name: str) -> Path:
    return root / "data/results" / f"{name}.jsonl"


def _lines(root: Path, name: str) -> list[dict[str, Any]]:
    path = _file(root, name)
    try:
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    except ValueError as error:
        raise BadInput(f"{path}: not the records of ./dev results truth: {error}") from error


def _write(root: Path, name: str, records: Iterable[Position | Errors]) -> None:
    lines = "".join(json.dumps(asdict(one), separators=(",", ":")) + "\n" for one in records)
    write_whole(_file(root, name), lines.encode())


# --- measuring ---


def measure_errors(root: Path, count: int, seed: int, most: int) -> None:
    """Draws the positions unless they are there, and lets each player search what it has not with up to so many simulations.
    The same call continues."""
    networks = root / "data/networks"
    with launch(workers=processors(), networks=networks) as server:
        positions = read_positions(root)
        for kind in KINDS:
            there = {position.seed for position in positions if position.set == kind.name}
            if there - {seed}:
                raise BadInput(f"{_file(root, POSITIONS_NAME)} has {kind.name} with another seed")
            if not there:
                if kind.game == "teeko":
                    _make_table(kind.game)
                positions += drawn_positions(server, kind, count, seed)
                _write(root, POSITIONS_NAME, positions)
        if all(position.set != _FFO for position in positions):
            positions += end_games((root / END_GAMES).read_text(encoding="ascii"))
            _write(root, POSITIONS_NAME, positions)
        errors = read_errors(root)
        known = {(one.set, one.player, one.simulations) for one in errors}
        for one in errors:
            if PLAYERS.get(one.player) != one.options:
                raise BadInput(
                    f"{_file(root, ERRORS_NAME)}: {one.player} had other options, {one.options}; remove its lines"
                )
        sets = list(dict.fromkeys(position.set for position in positions))
        for simulations in (budget for budget in BUDGETS if budget <= most):
            for player, options in PLAYERS.items():
                by_network = options["preset"] == "network"
                if by_network and simulations > _MOST_WITH_NETWORK:
                    continue
                for name in sets:
                    of = [position for position in positions if position.set == name]
                    if by_network and not (networks / f"{of[0].game}.safetensors").exists():
                        continue
                    if (name, player, simulations) not in known:
                        errors.append(_measured(server, of, player, simulations))
                        _write(root, ERRORS_NAME, errors)
                        print(f"{name}: {player}, {simulations} simulations", flush=True)


def _make_table(game: str) -> None:
    """That its exact results are read from."""
    command = [find_program("pitboss"), "truth", "--make-table", game]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _measured(
    server: Server, positions: Sequence[Position], player: str, simulations: int
) -> Errors:
    game = Game(positions[0].game)
    states = [game.state(position.position) for position in positions]
    options = dict(PLAYERS[player])
    moves = [""] * len(states)
    with server.engine(game.rules, seed=1, **options) as engine:
        for place, result in engine.map(
            states, Limit(simulations=simulations), concurrency=2 * processors()
        ):
            if isinstance(result, Exception):
                raise result
            moves[place] = result.move
    lost = [position.lost_by(move) for position, move in zip(positions, moves)]
    signature = signature_of(game.name)
    return Errors(
        positions[0].set,
        player,
        options,
        simulations,
        signature,
        [steps for steps, _ in lost],
        [points for _, points in lost],
    )


# --- the page ---

_ABOUT = f"""# How far searches are from perfect play

The share of positions in which the move of a search loses a win or a draw that was there, by proof
([`truth`](../protocol.md#searching), [what that rests on](truths.md)). Distance from perfect play needs no opponent. In all positions but
FFO's some legal moves keep the result and others lose it, so that the share of a random move, told above each table, is that of no knowledge.

Positions are from games of the preset `reference` at {_GUIDE} simulations after {_OPENING} random moves, one of a game, drawn by a seed. Searches have
one thread, seed 1, and the option `exact` off, with which no result would be lost. Intervals are Wilson's, of 95 %; searches of
the same positions are paired, so that differences are known better than two intervals tell. A dash: not measured.
"""


def truth_page(positions: Sequence[Position], errors: Sequence[Errors]) -> str:
    out = made_by(f"data/results/{ERRORS_NAME}.jsonl") + _ABOUT
    if not errors:
        return f"{out}\n**Not measured.**\n\n```\n./dev results truth\n```\n\nmeasures and writes this page.\n"
    for name in dict.fromkeys(one.set for one in errors):
        of = [position for position in positions if position.set == name]
        share = sum(position.random_share for position in of) / len(of)
        out += f"\n## {_WORDS[name][0].upper()}{_WORDS[name][1:]}\n\n{len(of)} positions. A random move: {share:.1%}.\n\n"
        out += _table([one for one in errors if one.set == name], _share)
        if of[0].game == "othello":
            out += "\nDiscs lost a move, on average:\n\n"
            out += _table([one for one in errors if one.set == name], _points)
    drawn = [position for position in positions if position.seed > 0]
    most = max(one.simulations for one in errors)
    command = "./dev results truth"
    if drawn:
        count = sum(position.set == drawn[0].set for position in drawn)
        command += f" --positions {count} --seed {drawn[0].seed} --most {most}"
    signatures = ", ".join(f"`{one}`" for one in dict.fromkeys(one.signature for one in errors))
    return out + (
        f"\n![{ERRORS_TITLE}]({ERRORS_NAME}.svg)\n\n## Command\n\n```\n{command}\n```\n\n"
        f"draws the positions unless they are there, and lets the players search what they have not. Signatures: {signatures}. Positions with what"
        f" each move comes to: [{POSITIONS_NAME}.jsonl](../../data/results/{POSITIONS_NAME}.jsonl).\n"
    )


def _share(errors: Errors) -> str:
    low, high = errors.interval
    return f"{errors.count / len(errors.steps):.1%} [{low:.1%}, {high:.1%}]"


def _points(errors: Errors) -> str:
    mean, half = errors.mean_points
    return f"{mean:.2f} ± {half:.2f}"


def _table(errors: Sequence[Errors], text: Any) -> str:
    budgets = sorted({one.simulations for one in errors})
    cells = {(one.player, one.simulations): text(one) for one in errors}
    rows = [
        [player, *(cells.get((player, budget), "-") for budget in budgets)]
        for player in dict.fromkeys(one.player for one in errors)
    ]
    return markdown_table(["simulations", *(f"{budget:,}" for budget in budgets)], rows)
