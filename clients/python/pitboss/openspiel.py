"""Engines of Pitboss as bots of OpenSpiel, for its connect_four, othello, breakthrough, hex and amazons:

    import pyspiel
    from pitboss.openspiel import Bot

    game = pyspiel.load_game("breakthrough")
    bots = [Bot(server, game, simulations=1000), pyspiel.make_uniform_random_bot(1, 7)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)

Bots take OpenSpiel's own states and give its own actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pyspiel

from .blocking import Server
from .limit import Limit
from .state import Game, State

# An action of OpenSpiel is a piece of a move: `d` (connect_four), `d3`, `d2e3`, or in amazons one of three points.
Pieces = tuple[str, ...]
_COLUMNS = "abcdefghjklmnopqrstuvwxyz"


def rules(game: Any) -> str:
    """The same game as the server takes it. Raises ValueError for one that it does not have."""
    name, parameters = game.get_type().short_name, game.get_parameters()
    found = _RULES[name](parameters) if name in _RULES else None
    if found is None:
        raise ValueError(
            f"Pitboss does not have OpenSpiel's {game}: it has {', '.join(sorted(_RULES))}"
        )
    return found


class Translation:
    """Between an OpenSpiel game and the same game of a server. In othello OpenSpiel ends the game when nobody
    can turn a disc, the server after the two passes that follow."""

    def __init__(self, game: Any, ours: Game) -> None:
        self.ours = ours
        self._name: str = game.get_type().short_name
        self._parameters: dict[str, Any] = game.get_parameters()

    def state(self, theirs: Any) -> tuple[State, Pieces]:
        """Our state of OpenSpiel's, and the pieces of a move that it has beyond."""
        state, begun = self.ours.new_initial_state(), ()
        return self.follow(state, begun, theirs.history())

    def follow(self, state: State, begun: Pieces, actions: Sequence[int]) -> tuple[State, Pieces]:
        """Plays OpenSpiel's actions on a copy of our state, in which these pieces of a move have been
        chosen."""
        state = state.clone()
        for action in actions:
            begun += (self.piece(action),)
            move = next((m for m in state.legal_moves() if self.pieces(m) == begun), None)
            if move is not None:
                state.apply_move(move)
                begun = ()
        return state, begun

    def actions(self, theirs: Any) -> dict[str, int]:
        """OpenSpiel's legal actions by their pieces."""
        return {self.piece(action): action for action in theirs.legal_actions()}

    def pieces(self, move: str) -> Pieces:
        """What a move of ours is made of."""
        if self._name == "connect_four":
            return (move[0],)
        if self._name == "amazons":
            return tuple(re.findall(r"[a-z]\d+", move))
        return (move,)

    def piece(self, action: int) -> str:
        if self._name == "connect_four":
            return _COLUMNS[action]
        if self._name == "othello":
            return "pass" if action == 64 else _point(action, 8, 8)
        if self._name == "hex":
            return _point_upwards(action, int(self._parameters["num_cols"]))
        if self._name == "amazons":
            size = int(self._parameters.get("board_size", 10))
            return _point(action, size, size)
        columns = int(
            self._parameters["columns"]
        )  # breakthrough, whose first player begins at the top
        place, direction = divmod(action // 2, 6)
        target = place + (columns if direction < 3 else -columns) + direction % 3 - 1
        return _point_upwards(place, columns) + _point_upwards(target, columns)


class Bot(pyspiel.Bot):
    """Plays for whoever is to move in the state that it is given. The limit bounds each search; options are
    the search's."""

    def __init__(self, server: Server, game: Any, limit: Limit = Limit(), **options: Any) -> None:
        pyspiel.Bot.__init__(self)
        self.engine = server.engine(rules(game), **options)
        self._limit = limit
        self._translation = Translation(game, self.engine.game)
        self._seen: list[int] = []
        self._at: tuple[State, Pieces] = (self.engine.game.new_initial_state(), ())
        self._planned: Pieces = ()

    def step(self, state: Any) -> int:
        ours, begun = self._follow(state)
        if self._planned[: len(begun)] != begun or not begun:
            result = self.engine.play(ours, self._limit)
            moves = [self._translation.pieces(move.move) for move in result.moves]
            moves.insert(0, self._translation.pieces(result.move))
            self._planned = next(move for move in moves if move[: len(begun)] == begun)
        return self._translation.actions(state)[self._planned[len(begun)]]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The policy has all its weight on the action chosen."""
        action = self.step(state)
        return [(one, float(one == action)) for one in state.legal_actions()], action

    def provides_policy(self) -> bool:
        return False

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Nothing: each state tells its whole history."""

    def restart(self) -> None:
        self._seen, self._planned = [], ()
        self._at = (self.engine.game.new_initial_state(), ())

    def restart_at(self, state: Any) -> None:
        self.restart()

    def _follow(self, state: Any) -> tuple[State, Pieces]:
        history = state.history()
        if history[: len(self._seen)] != self._seen:
            self.restart()
        self._at = self._translation.follow(*self._at, history[len(self._seen) :])
        self._seen = history
        return self._at


def _point(place: int, rows: int, columns: int) -> str:
    """Of cells counted by rows from the top, as the server names it."""
    row, column = divmod(place, columns)
    return f"{_COLUMNS[column]}{rows - row}"


def _point_upwards(place: int, columns: int) -> str:
    """Of cells counted by rows from the bottom."""
    row, column = divmod(place, columns)
    return f"{_COLUMNS[column]}{row + 1}"


def _connect_four(parameters: dict[str, Any]) -> str | None:
    shape = [parameters.get(key) for key in ("rows", "columns", "x_in_row")]
    return "connect4" if shape in ([6, 7, 4], [None] * 3) else None


def _breakthrough(parameters: dict[str, Any]) -> str | None:
    rows, columns = parameters["rows"], parameters["columns"]
    return f"breakthrough size={rows}" if rows == columns and 5 <= rows <= 8 else None


def _hex(parameters: dict[str, Any]) -> str | None:
    rows, columns = parameters["num_rows"], parameters["num_cols"]
    is_ours = rows == columns and 3 <= rows <= 19 and not parameters.get("swap", False)
    return f"hex size={rows}" if is_ours else None


def _amazons(parameters: dict[str, Any]) -> str | None:
    size = parameters.get("board_size", 10)
    return f"amazons size={size}" if size in (8, 10) else None


_RULES: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "connect_four": _connect_four,
    "othello": lambda parameters: "othello size=8",
    "breakthrough": _breakthrough,
    "hex": _hex,
    "amazons": _amazons,
}
