"""Engines of Pitboss as bots of OpenSpiel, for its connect_four, othello, breakthrough, hex, amazons, gomoku and mnk:

    import pyspiel
    from pitboss.openspiel import Bot

    game = pyspiel.load_game("breakthrough")
    bots = [Bot(server, game, simulations=1000), pyspiel.make_uniform_random_bot(1, 7)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)

Bots take OpenSpiel's own states and give its own actions. The other way round, OpenSpiel's algorithms
take `Game("yavalath")` and its states, without a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from .blocking import Server
from .errors import needing
from .limit import Limit
from .state import Game as PlainGame
from .state import State

with needing("openspiel"):
    import numpy as np
    import pyspiel
    from open_spiel.python.bots import gtp
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

# An action of OpenSpiel is a piece of a move: `d` (connect_four), `d3`, `d2e3`, or in amazons one of three points.
Pieces = tuple[str, ...]
_COLUMNS = "abcdefghjklmnopqrstuvwxyz"
_POINTS = re.compile(r"[a-z]\d+")
_SIZES = {"amazons": ("board_size", 10), "gomoku": ("size", 15), "mnk": ("m", 15)}


class Game(pyspiel.Game):
    """Any game of Pitboss as one of OpenSpiel: `Game("hex size=7")`, or
    `pyspiel.load_game("pitboss", {"rules": "hex size=7"})`. Algorithms of OpenSpiel take it and its states; no server is
    needed."""

    def __init__(self, rules: str | dict[str, Any] | None = None) -> None:
        parameters = (
            {"rules": rules} if isinstance(rules, str) else {"rules": "connect4", **(rules or {})}
        )
        self.ours = PlainGame(parameters["rules"])
        players = self.ours.num_players()
        information = pyspiel.GameInfo(
            num_distinct_actions=self.ours.num_distinct_actions(),
            max_chance_outcomes=0,
            num_players=players,
            min_utility=self.ours.min_utility(),
            max_utility=self.ours.max_utility(),
            utility_sum=self.ours.utility_sum(),
            max_game_length=self.ours.max_game_length(),
        )
        super().__init__(_type(players), information, parameters)

    def new_initial_state(self, state: str | None = None) -> OwnState:
        """The initial state, or one that begins at a position, as `State.position` writes it."""
        return OwnState(self, state)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Any:
        """OpenSpiel asks for it: what a network sees, or the history."""
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return _Observer(self.ours)
        return IIGObserverForPublicInfoGame(kind, parameters)


class OwnState(pyspiel.State):
    """A state of `Game`; `ours` is the same state of `pitboss`."""

    def __init__(self, game: Game, position: str | None) -> None:
        super().__init__(game)
        self.ours = game.ours.new_initial_state(position)

    def current_player(self) -> int:
        """As `pitboss.State.current_player`."""
        return self.ours.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.ours.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self.ours.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.ours.action_to_string(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.ours.is_terminal()

    def returns(self) -> list[float]:
        """As `pitboss.State.returns`."""
        return self.ours.returns()

    def __str__(self) -> str:
        return str(self.ours)


class _Observer:
    """What a network sees (docs/networks.md), as OpenSpiel's observers give it."""

    def __init__(self, game: PlainGame) -> None:
        shape = game.observation_tensor_shape()
        self.tensor = np.zeros(game.observation_tensor_size(), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: OwnState, player: int) -> None:
        state.ours.planes(self.tensor)

    def string_from(self, state: OwnState, player: int) -> str:
        return state.ours.observation_string(player)


def _type(players: int | None) -> Any:
    """Of a game for so many players; None for what is true of all games of Pitboss."""
    kind = pyspiel.GameType
    return kind(
        short_name="pitboss",
        long_name="Pitboss",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players or 4,
        min_num_players=players or 2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": "connect4"},
    )


pyspiel.register_game(_type(None), Game)


def rules(game: Any) -> str:
    """The same game as the server takes it. Raises ValueError for one that it does not have."""
    name, parameters = game.get_type().short_name, game.get_parameters()
    if name not in _RULES:
        raise ValueError(
            f"Pitboss does not have OpenSpiel's {game}: it has {', '.join(sorted(_RULES))}"
        )
    of, has = _RULES[name]
    found = of(parameters)
    if found is None:
        raise ValueError(f"Pitboss does not have OpenSpiel's {game}: of {name} it has {has}")
    return found


def same_game(rules_of_ours: str) -> Any | None:
    """OpenSpiel's own game with the rules of ours, such as `hex size=7`; None if it has none."""
    ours = PlainGame(rules_of_ours)
    size = ours.get_parameters().get("size")
    theirs = {
        "connect4": "connect_four",
        "othello": "othello",
        "breakthrough": f"breakthrough(rows={size},columns={size})",
        "hex": f"hex(board_size={size})",
        "amazons": f"amazons(board_size={size})",
        "gomoku": f"mnk(m={size},n={size},k=5)",
    }.get(ours.name)
    if theirs is None:
        return None
    game = pyspiel.load_game(theirs)
    try:
        return game if PlainGame(rules(game)).rules == ours.rules else None
    except ValueError:
        return None


class Translation:
    """Between the actions of an OpenSpiel game and the moves of the same game of a server. In othello OpenSpiel
    ends the game when nobody can turn a disc, the server after the two passes that follow."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._name: str = game.get_type().short_name
        self._parameters: dict[str, Any] = game.get_parameters()

    # --- states ---

    def ours(self, game: PlainGame, theirs: Any) -> tuple[State, Pieces]:
        """Our state of OpenSpiel's, and the pieces of a move that it has beyond."""
        return self.follow(game.new_initial_state(), (), theirs.history())

    def theirs(self, ours: State) -> Any:
        """OpenSpiel's state of ours, which began at the initial position."""
        if ours.start != ours.get_game().start:
            raise ValueError(f"OpenSpiel begins at the initial position, and {ours!r} does not")
        state = self._game.new_initial_state()
        for move in ours.moves:
            for piece in self.pieces(move):
                if not state.is_terminal():
                    state.apply_action(self.actions(state)[piece])
        return state

    def follow(self, state: State, begun: Pieces, actions: Sequence[int]) -> tuple[State, Pieces]:
        """Plays OpenSpiel's actions on a copy of our state, in which these pieces of a move have been
        chosen."""
        state = state.clone()
        for action in actions:
            begun += (self.piece(action),)
            if (move := self.move(begun, state.legal_moves)) is not None:
                state.apply_move(move)
                begun = ()
        return state, begun

    # --- moves and actions ---

    def actions(self, theirs: Any) -> dict[str, int]:
        """OpenSpiel's legal actions by their pieces."""
        return {self.piece(action): action for action in theirs.legal_actions()}

    def move(self, pieces: Pieces, legal: Callable[[], list[str]]) -> str | None:
        """The legal move that is made of these pieces; None if more must follow."""
        if self._name == "amazons" and len(pieces) < 3:
            return None
        return next(move for move in legal() if self.pieces(move) == pieces)

    def pieces(self, move: str) -> Pieces:
        """What a move of ours is made of."""
        if self._name == "connect_four":
            return (move[0],)
        if self._name == "amazons":
            return tuple(_POINTS.findall(move))
        return (move,)

    def piece(self, action: int) -> str:
        """What an action of OpenSpiel adds to a move."""
        if self._name == "connect_four":
            return _COLUMNS[action]
        if self._name == "othello":
            return "pass" if action == 64 else _point(action, 8, 8)
        if self._name == "hex":
            return _point_upwards(action, int(self._parameters["num_cols"]))
        if self._name in _SIZES:
            size = _number(self._parameters, *_SIZES[self._name])
            return _point(action, size, size)
        columns = int(self._parameters["columns"])
        # breakthrough, whose first player begins at the top
        place, direction = divmod(action // 2, 6)
        target = place + (columns if direction < 3 else -columns) + direction % 3 - 1
        return _point_upwards(place, columns) + _point_upwards(target, columns)


class Bot(pyspiel.Bot):
    """Plays for whoever is to move in the state that it is given. The limit bounds each search; options are
    the search's."""

    def __init__(self, server: Server, game: Any, limit: Limit = Limit(), **options: Any) -> None:
        pyspiel.Bot.__init__(self)
        self._game = str(game)
        self.engine = server.engine(rules(game), **options)
        self._limit = limit
        self._translation = Translation(game)
        self._seen: list[int] = []
        self._at: tuple[State, Pieces] = (self.engine.game.new_initial_state(), ())
        self._planned: Pieces = ()

    def step(self, state: Any) -> int:
        """The action to choose in the state."""
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
        """No: there is only the action chosen."""
        return False

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Nothing: each state tells its whole history."""

    def restart(self) -> None:
        """A new game begins."""
        self._seen, self._planned = [], ()
        self._at = (self.engine.game.new_initial_state(), ())

    def restart_at(self, state: Any) -> None:
        """The game goes on from the state."""
        self.restart()

    def close(self) -> None:
        """Leaves the server."""
        self.engine.close()

    def __enter__(self) -> Bot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _follow(self, state: Any) -> tuple[State, Pieces]:
        if str(state.get_game()) != self._game:
            raise ValueError(f"this bot plays {self._game}, not {state.get_game()}")
        history = state.history()
        if history[: len(self._seen)] != self._seen:
            self.restart()
        self._at = self._translation.follow(*self._at, history[len(self._seen) :])
        self._seen = history
        return self._at


class GTPBot(gtp.GTPBot):
    """OpenSpiel's own bot for programs that speak GTP, for those that write moves as Pitboss does, such as
    `pitboss gtp --game "breakthrough size=8"`. A game begins with `restart`."""

    def __init__(self, game: Any, exec_path: str | Sequence[str], **arguments: Any) -> None:
        self._translation = Translation(game)
        self._begun: Pieces = ()  # pieces of a move that have been chosen
        self._planned: Pieces = ()  # those of the program's move that are still to be said
        super().__init__(game, exec_path, **arguments)

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Plays the action for the side to move, whatever the state and the player."""
        self._begun += (self._translation.piece(action),)
        move = self._translation.move(self._begun, lambda: str(self.gtp_cmd("legal_moves")).split())
        if move is not None:
            self.gtp_cmd("play", move)
            self._begun = ()

    def step(self, state: Any) -> int:
        """The program's action in the state."""
        if self._begun:
            raise ValueError("the program cannot complete a move that somebody else has begun")
        if not self._planned:
            self._planned = self._translation.pieces(self.gtp_cmd("genmove"))
        piece, *later = self._planned
        self._planned = tuple(later)
        return self._translation.actions(state)[piece]

    def restart(self) -> None:
        """A new game begins."""
        self._begun = self._planned = ()
        super().restart()

    def restart_at(self, state: Any) -> None:
        """The game goes on from the state."""
        self.restart()
        for action in state.history():
            self.inform_action(state, 0, action)


def _point(place: int, rows: int, columns: int) -> str:
    """Of cells counted by rows from the top, as the server names it."""
    row, column = divmod(place, columns)
    return f"{_COLUMNS[column]}{rows - row}"


def _point_upwards(place: int, columns: int) -> str:
    """Of cells counted by rows from the bottom."""
    row, column = divmod(place, columns)
    return f"{_COLUMNS[column]}{row + 1}"


def _number(parameters: dict[str, Any], key: str, default: int) -> int:
    """A game that is new may not tell its defaults."""
    return int(parameters.get(key, default))


def _connect_four(parameters: dict[str, Any]) -> str | None:
    shape = [parameters.get(key) for key in ("rows", "columns", "x_in_row")]
    return "connect4" if shape in ([6, 7, 4], [None] * 3) else None


def _breakthrough(parameters: dict[str, Any]) -> str | None:
    rows, columns = parameters["rows"], parameters["columns"]
    # With fewer rows OpenSpiel's sides have one row of pieces each.
    return f"breakthrough size={rows}" if rows == columns and 6 <= rows <= 8 else None


def _hex(parameters: dict[str, Any]) -> str | None:
    rows, columns = parameters["num_rows"], parameters["num_cols"]
    is_ours = rows == columns and 3 <= rows <= 19 and not parameters.get("swap", False)
    return f"hex size={rows}" if is_ours else None


def _amazons(parameters: dict[str, Any]) -> str | None:
    size = _number(parameters, *_SIZES["amazons"])
    return f"amazons size={size}" if size in (8, 10) else None


def _gomoku(parameters: dict[str, Any]) -> str | None:
    size, others = parameters["size"], [
        parameters[key] for key in ("connect", "dims", "wrap", "anti")
    ]
    is_ours = 5 <= size <= 19 and others == [5, 2, False, False]
    return f"gomoku size={size} opening=free" if is_ours else None


def _mnk(parameters: dict[str, Any]) -> str | None:
    m, n = (_number(parameters, key, 15) for key in ("m", "n"))
    k = _number(parameters, "k", 5)
    return f"gomoku size={m} opening=free" if m == n and 5 <= m <= 19 and k == 5 else None


# By OpenSpiel's name: our rules of its parameters, and for which of these we have them.
_RULES: dict[str, tuple[Callable[[dict[str, Any]], str | None], str]] = {
    "connect_four": (_connect_four, "rows=6, columns=7, x_in_row=4"),
    "othello": (lambda parameters: "othello size=8", "all"),
    "breakthrough": (_breakthrough, "as many rows as columns, 6 to 8"),
    "hex": (_hex, "as many num_rows as num_cols, 3 to 19, without swap"),
    "amazons": (_amazons, "board_size 8 and 10"),
    "gomoku": (_gomoku, "size 5 to 19 with connect=5, dims=2, without wrap and anti"),
    "mnk": (_mnk, "m equal to n, 5 to 19, with k=5"),
}
