"""Games and positions in the shape of OpenSpiel's Game and State. The rules are in this process: no server is asked."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .drawing import draw
from .errors import IllegalMove, PitbossError

if TYPE_CHECKING:
    from . import _rules

TERMINAL = -4  # the player of a position in which the game is over; OpenSpiel's TERMINAL


def _initial(rules: str) -> _rules.State:
    try:
        from . import _rules
    except ImportError as error:
        raise PitbossError(
            f"the rules of games are missing from this installation ({error}): install a wheel that has them"
            " (./dev wheel), or build them (./dev build) and set PITBOSS_BIN to the folder of the programs"
        ) from error
    return _rules.State(rules)


class Game:
    """A game with its parameters, such as `Game("hex size=7")`. Raises ValueError for what is no game. `rules` are name
    and all parameters, `colours` those of the players in turn order, `start` is the initial position.
    """

    def __init__(self, rules: str) -> None:
        if not rules.strip():
            raise ValueError("the name of the game is missing, such as 'othello' or 'hex size=7'")
        self._initial = _initial(rules)
        self.rules = self._initial.rules()
        self.colours = tuple(self._initial.colours())
        self.start = self._initial.start()
        self._shape = self._initial.planes_shape()
        self._actions = self._initial.num_actions()

    @property
    def name(self) -> str:
        """Without the parameters."""
        return self.rules.partition(" ")[0]

    @cached_property
    def geometry(self) -> Mapping[str, Any]:
        """The board, as the server's command `geometry` tells it."""
        geometry: Mapping[str, Any] = json.loads(self._initial.geometry())
        return geometry

    def new_initial_state(self, position: str | None = None) -> State:
        """The state in which the game begins, or one that begins at this position."""
        return State(self, self._initial.clone()) if position is None else self.state(position)

    def state(self, position: str, moves: Sequence[str] = ()) -> State:
        """The position that the command `get_position` writes so, and these moves after it. Raises ValueError
        for what is no position, IllegalMove."""
        at = (
            self._initial.clone() if position == self.start else self._initial.at_position(position)
        )
        state = State(self, at)
        for move in moves:
            state.apply_move(move)
        return state

    def deserialize_state(self, text: str) -> State:
        """The state that `State.serialize` wrote. Raises ValueError for any other text."""
        try:
            saved = json.loads(text)
            rules, start = str(saved["rules"]), str(saved["start"])
            moves, pending = list(map(str, saved["moves"])), list(map(int, saved["pending"]))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"this is no serialized state of Pitboss: {text[:60]!r}") from error
        if rules != self.rules:
            raise ValueError(f"this is a state of '{rules}', not of '{self.rules}'")
        state = self.state(start, moves)
        for action in pending:
            state.apply_action(action)
        return state

    def get_parameters(self) -> dict[str, int | str]:
        """All parameters by name, such as `{"size": 7, "swap": "off"}`."""
        pairs = (word.partition("=") for word in self.rules.split()[1:])
        return {key: int(value) if value.isdecimal() else value for key, _, value in pairs}

    def num_distinct_actions(self) -> int:
        """The length of a network's policy (docs/networks.md)."""
        return self._actions

    def policy_tensor_shape(self) -> list[int]:
        """`num_distinct_actions` alone."""
        return [self._actions]

    def num_players(self) -> int:
        """As many as colours."""
        return len(self.colours)

    def max_game_length(self) -> int:
        """No game has more actions; a move may be three."""
        return 3 * self._initial.max_plies()

    def max_chance_outcomes(self) -> int:
        """0: nothing is left to chance."""
        return 0

    def observation_tensor_shape(self) -> list[int]:
        """Planes, rows and columns."""
        return list(self._shape)

    def observation_tensor_size(self) -> int:
        """The product of `observation_tensor_shape`."""
        planes, rows, columns = self._shape
        return planes * rows * columns

    def min_utility(self) -> float:
        """The least that `State.returns` can be."""
        return -1.0 / (self.num_players() - 1)

    def max_utility(self) -> float:
        """The most that `State.returns` can be."""
        return 1.0

    def utility_sum(self) -> float:
        """Of the returns of all players."""
        return 0.0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.rules)

    def __repr__(self) -> str:
        return f"Game({self.rules!r})"

    def __str__(self) -> str:
        return self.rules

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rules,)


class State:
    """A position and how it came about. `Game.new_initial_state` and `Game.state` make them.

    Actions are entries of the policy (docs/networks.md). A move of several parts, such as a queen's move of
    amazons with its arrow, is several actions of the same player.
    """

    __slots__ = ("_game", "_at", "__weakref__")

    def __init__(self, game: Game, at: _rules.State) -> None:
        self._game = game
        self._at = at

    def get_game(self) -> Game:
        """The game that the state is of."""
        return self._game

    @property
    def start(self) -> str:
        """The position before the first move."""
        return self._at.start()

    @property
    def moves(self) -> tuple[str, ...]:
        """The whole moves played since `start`, as text."""
        return tuple(self._at.moves())

    @property
    def position(self) -> str:
        """As the command `position` takes it. Parts of a move that have been chosen are not in it."""
        return self._at.position()

    # --- who moves, and who has won ---

    def current_player(self) -> int:
        """The place in turn order of the colour to move; TERMINAL (-4) if the game is over."""
        return self._at.current_player()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._at.is_terminal()

    def returns(self) -> list[float]:
        """-1, 0 or 1 for each of two players; with n players (n s - 1) / (n - 1) for the share s of the point.
        The sum is 0; all are 0 before the end."""
        return self._at.returns()

    def rewards(self) -> list[float]:
        """The same as `returns`: only the end of a game is rewarded."""
        return self._at.returns()

    def player_return(self, player: int) -> float:
        """Of `returns`, the player's."""
        return self._at.returns()[player]

    def player_reward(self, player: int) -> float:
        """Of `rewards`, the player's."""
        return self._at.returns()[player]

    def result(self) -> str | None:
        """Who has won, in words; None before the end."""
        return self._at.result() or None

    def is_chance_node(self) -> bool:
        """Never."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Never."""
        return False

    def is_player_node(self) -> bool:
        """Whether a player is to choose an action."""
        return not self._at.is_terminal()

    def num_players(self) -> int:
        """As many as colours."""
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        """The length of a network's policy (docs/networks.md)."""
        return self._game.num_distinct_actions()

    # --- actions and moves ---

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Sorted; empty if the game is over or it is not this player's turn."""
        if player is not None and player != self._at.current_player():
            return []
        return self._at.legal_actions()

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """1 for each of `legal_actions(player)`, 0 for all other actions."""
        mask = [0] * self._game.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Raises ValueError for an action that is not legal."""
        self._at.apply_action(action)

    def undo_action(self, player: int | None = None, action: int | None = None) -> None:
        """Takes the last action back; who chose which does not matter. Raises ValueError if there is none."""
        self._at.undo_action()

    def apply_move(self, move: str) -> None:
        """Plays a whole move, written as `legal_moves` writes it. Raises IllegalMove."""
        try:
            self._at.apply_move(move)
        except ValueError as error:
            place = f"the game {self._game.rules}"
            raise IllegalMove(place, f"play {move}", "illegal-move", str(error)) from None

    def legal_moves(self) -> list[str]:
        """The whole moves that are possible, sorted as text; those that go on with the parts chosen so far."""
        return self._at.legal_moves()

    def move_to_actions(self, move: str) -> list[int]:
        """The actions that make a legal move, such as a `Result.move`. Raises ValueError."""
        return self._at.move_to_actions(move)

    def action_probabilities(self, moves: Mapping[str, float]) -> list[float]:
        """Probabilities of whole moves, such as `Result.policy()` or `Evaluation.policy`, as those of the next action:
        one for each action of the game. Raises ValueError for a move that is not legal.
        """
        probabilities = [0.0] * self._game.num_distinct_actions()
        for move, probability in moves.items():
            probabilities[self._at.move_to_actions(move)[0]] += probability
        return probabilities

    def child(self, action: int) -> State:
        """A copy in which this action has been chosen."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> State:
        """A copy."""
        return State(self._game, self._at.clone())

    def action_to_string(self, *arguments: int) -> str:
        """`action_to_string(action)` or `(player, action)`: the move, or for a part that does not complete
        one the beginning that the moves with this part share."""
        return self._at.action_to_string(arguments[-1])

    def string_to_action(self, *arguments: Any) -> int:
        """The action that `action_to_string` writes so here. Raises ValueError if there is none."""
        text = arguments[-1]
        for action in self._at.legal_actions():
            if self._at.action_to_string(action) == text:
                return action
        raise ValueError(f"'{text}' is no action here")

    def playouts(self, games: int, seed: int) -> list[float]:
        """The mean of the returns of so many random games from here."""
        return self._at.playouts(operator.index(games), operator.index(seed) % 2**64)

    def perft(self, depth: int) -> int:
        """The number of sequences of so many legal moves from the position."""
        return self._at.perft(depth)

    # --- history ---

    def history(self) -> list[int]:
        """All actions since `start`."""
        return self._at.history()[1::2]

    def full_history(self) -> list[tuple[int, int]]:
        """(player, action) of all actions."""
        played = self._at.history()
        return list(zip(played[::2], played[1::2]))

    def history_str(self) -> str:
        """`history`, with commas between."""
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        """The number of actions so far."""
        return self._at.move_number()

    def is_initial_state(self) -> bool:
        """Whether no action has been chosen since the state's start."""
        return self._at.move_number() == 0

    def chosen_actions(self) -> list[int]:
        """Those of a move that is not complete."""
        return self._at.chosen()

    def serialize(self) -> str:
        """Text from which `Game.deserialize_state` makes the state again."""
        return json.dumps(
            {
                "rules": self._game.rules,
                "start": self.start,
                "moves": self.moves,
                "pending": self.chosen_actions(),
            }
        )

    # --- observations ---

    def observation_string(self, player: int | None = None) -> str:
        """The position, which all players see."""
        return self.position

    def information_state_string(self, player: int | None = None) -> str:
        """`history_str`, which all players know."""
        return self.history_str()

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a network sees of the position (docs/networks.md), flat. Parts of a move that have been chosen
        are not in it."""
        return list(map(float, self.planes().cast("B")))

    def planes(self, out: Any = None) -> Any:
        """The same in the shape of `Game.observation_tensor_shape`: a memoryview of int8, which `numpy.asarray`
        takes without copying; or `out`, an array of so many int8 or float32, into which it is written.
        """
        if out is None:
            room = memoryview(bytearray(self._game.observation_tensor_size()))
            out = room.cast("b", self._game.observation_tensor_shape())
        self._at.write_planes(out)
        return out

    def svg(self, size: int = 360) -> str:
        """A picture of the board, with the last move marked."""
        moves = self.moves
        return draw(self._game.geometry, self.position, moves[-1] if moves else "", size)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        chosen = self.chosen_actions()
        begun = f", chosen_actions={chosen}" if chosen else ""
        return f"State({self._game.rules!r}, moves={' '.join(self.moves)!r}{begun})"

    def __str__(self) -> str:
        return self.position.replace("/", "\n").replace(" ", "\n", 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._at == other._at

    def __hash__(self) -> int:
        """Of the state as it is: a state that is a key must not be played on."""
        return hash((self._game.rules, self.start, tuple(self.history())))

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return self._game.deserialize_state, (self.serialize(),)
