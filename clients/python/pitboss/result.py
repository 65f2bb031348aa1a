"""What a search or an evaluator says of a position."""

from __future__ import annotations

import html
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .options import Option, Value, read_values


@dataclass(frozen=True)
class Move:
    """A move that was searched. `value` is the mover's, in [0, 1], or a little beyond with bonuses; `interval`
    its 95 % interval; `novelty` is not scaled by alpha; `pv` is there in reports of an analysis only.
    """

    move: str
    visits: int
    value: float
    interval: tuple[float, float] | None
    novelty: float
    prior: float | None
    proven: Literal["win", "draw", "loss"] | None
    b: float | None = None
    exploration: float | None = None
    bound: float | None = None
    pv: tuple[str, ...] = ()


@dataclass(frozen=True)
class Simulation:
    """Where one simulation went: the moves from the searched position to the leaf, what the leaf was worth to
    each colour, and whether it was `expanded`, that is reached for the first time."""

    moves: tuple[str, ...]
    values: Mapping[str, float]
    expanded: bool


@dataclass(frozen=True)
class Result:
    """What a search has found: the keys of `last_search` (docs/protocol.md).

    `value` is what `move` is worth to its mover, `values` to each colour; None before the first simulation.
    `moves` has the most visited first. `exact` and, in games that are won by them, `points` are there if an
    exact solver has proven what `move` comes to for its mover (option `exact`). `options` are those that differ from
    the program's defaults. `seed` repeats the search. `path` leads from the searched position to that which `move`
    to `pv` are about; if nothing has been tried there, `move` is empty. `paths` are those of `Engine.simulate`.
    `json` is the server's whole answer.
    """

    move: str
    value: float | None
    values: Mapping[str, float | None]
    moves: tuple[Move, ...]
    pv: tuple[str, ...]
    simulations: int
    reused: int
    seconds: float
    seed: int
    tree_full: bool
    options: Mapping[str, Value]
    network: Mapping[str, Any] | None
    json: Mapping[str, Any] = field(repr=False, compare=False)
    path: tuple[str, ...] = ()
    paths: tuple[Simulation, ...] = ()
    exact: Literal["win", "draw", "loss"] | None = None
    points: int | None = None

    def value_of(self, player: int | str) -> float | None:
        """What `move` is worth to a player, a place in turn order or a colour, in [0, 1]: the share of the point that
        the player may expect, as `State.returns` tells it at the end on the scale from -1 to 1. None for a
        colour that the search has no value for."""
        return _value_of(self.values, player)

    @property
    def visits(self) -> Mapping[str, int]:
        """The visits of each move."""
        return {move.move: move.visits for move in self.moves}

    def policy(self, temperature: float = 1.0) -> dict[str, float]:
        """The probability of each move in proportion to visits ** (1 / temperature); 0: all for the most
        visited."""
        if not temperature >= 0:
            raise ValueError(f"temperature must be at least 0, not {temperature!r}")
        most = max((move.visits for move in self.moves), default=0)
        if most == 0:
            return {move.move: 1 / len(self.moves) for move in self.moves}
        if temperature == 0:
            return {move.move: float(move.move == self.moves[0].move) for move in self.moves}
        weights = {
            move.move: (move.visits / most) ** (1 / temperature) if move.visits else 0.0
            for move in self.moves
        }
        total = sum(weights.values())
        return {move: weight / total for move, weight in weights.items()}

    def _repr_html_(self) -> str:
        value = "" if self.value is None else f", worth {self.value:.3f} to its mover"
        rows = "".join(
            f"<tr><td>{html.escape(move.move)}</td><td>{move.visits}</td><td>{move.value:.3f}</td>"
            f"<td>{move.novelty:.4f}</td><td>{'' if move.prior is None else f'{move.prior:.3f}'}</td>"
            f"<td>{move.proven or ''}</td></tr>"
            for move in self.moves[:10]
        )
        return (
            f"<p><b>{html.escape(self.move)}</b>{value}; {self.simulations} simulations in"
            f" {self.seconds:.2f} s</p><table><tr><th>move</th><th>visits</th><th>value</th><th>novelty</th>"
            f"<th>prior</th><th>proven</th></tr>{rows}</table>"
        )


@dataclass(frozen=True)
class Report(Result):
    """What an analysis says so far. `sequence` counts the server's reports from 1, `elapsed` the seconds since
    the analysis began; `changed` are the options that have changed since the report before."""

    sequence: int = 0
    elapsed: float = 0.0
    changed: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluation:
    """What an evaluator says of a position without a search. `values` by colour; `policy`: the probability of
    each legal move, None without a network; `evaluator`: `static`, `playout`, `tuned` or `network`.
    """

    values: Mapping[str, float]
    policy: Mapping[str, float] | None
    evaluator: str
    network: Mapping[str, Any] | None

    def value_of(self, player: int | str) -> float | None:
        """As `Result.value_of`, of the position."""
        return _value_of(self.values, player)


@dataclass(frozen=True)
class ExactMove:
    """What a move comes to for its mover when both sides play their best, by proof; `points`, in games that
    are won by them, are what it is won or lost by."""

    move: str
    exact: Literal["win", "draw", "loss", "unknown"]
    points: int | None = None


@dataclass(frozen=True)
class Truth:
    """What an exact solver knows of a position: of all legal moves, if it is `complete`; `exact` and `points` are
    what the position comes to for the side to move."""

    to_move: str
    complete: bool
    moves: tuple[ExactMove, ...]
    exact: Literal["win", "draw", "loss", "unknown"]
    points: int | None = None

    @property
    def best(self) -> tuple[str, ...]:
        """The best moves, as far as they are known: all, if the truth is complete; none as long as it is not known
        what the position comes to."""
        if self.exact == "unknown":
            return ()
        score = (self.exact, self.points)
        return tuple(move.move for move in self.moves if (move.exact, move.points) == score)


class Reader:
    """Reads answers about a game, with these colours in turn order, by a search with these options."""

    def __init__(self, colours: Sequence[str], options: Mapping[str, Option]) -> None:
        self._colours = colours
        self._options = options

    def result(self, answer: Mapping[str, Any]) -> Result:
        return Result(**self._facts(answer))

    def report(self, answer: Mapping[str, Any]) -> Report:
        return Report(
            **self._facts(answer),
            sequence=answer["sequence"],
            elapsed=answer["elapsed"],
            changed=read_values(self._options, answer["changed"]),
        )

    def evaluation(self, answer: Mapping[str, Any]) -> Evaluation:
        return Evaluation(
            self._by_colour(answer["values"]),
            answer["policy"],
            answer["evaluator"],
            answer.get("network"),
        )

    def _facts(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **_facts(answer),
            "values": self._by_colour(answer["values"] or {}),
            "options": read_values(self._options, answer["options"]),
        }

    def _by_colour(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """In turn order."""
        return {colour: values[colour] for colour in self._colours if colour in values}


def read_truth(answer: Mapping[str, Any]) -> Truth:
    moves = (ExactMove(m["move"], m["exact"], m.get("points")) for m in answer["moves"])
    exact = answer.get("exact", "unknown")  # older daemons tell of moves alone
    return Truth(answer["to_move"], answer["complete"], tuple(moves), exact, answer.get("points"))


def _facts(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "move": answer["move"] or "",
        "value": answer["value"],
        "moves": tuple(_move(move) for move in answer["moves"]),
        "pv": tuple(answer["pv"]),
        "simulations": answer["simulations"],
        "reused": answer["reused"],
        "seconds": answer["seconds"],
        "seed": answer["seed"],
        "tree_full": answer["tree_full"],
        "network": answer.get("network"),
        "json": answer,
        "path": tuple(answer.get("path", ())),
        "paths": tuple(
            Simulation(tuple(path["moves"]), path["values"], path["expanded"])
            for path in answer.get("paths", ())
        ),
        "exact": answer.get("exact"),
        "points": answer.get("points"),
    }


def _move(answer: Mapping[str, Any]) -> Move:
    interval = answer["interval"]
    return Move(
        answer["move"],
        answer["visits"],
        answer["value"],
        None if interval is None else (interval[0], interval[1]),
        answer["novelty"],
        answer["prior"],
        answer["proven"],
        answer.get("b"),
        answer.get("exploration"),
        answer.get("bound"),
        tuple(answer.get("pv", ())),
    )


def _value_of(values: Mapping[str, float | None], player: int | str) -> float | None:
    colours = list(values)
    if isinstance(player, str) and player in values:
        return values[player]
    if not isinstance(player, str) and 0 <= operator.index(player) < len(colours):
        return values[colours[player]]
    raise ValueError(
        f"{player!r} is none of the players 0 to {len(colours) - 1}: {', '.join(colours)}"
    )
