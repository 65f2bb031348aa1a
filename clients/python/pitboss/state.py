"""Games and positions in the shape of OpenSpiel's Game and State. The rules are the server's: a position that has
not been asked about yet is asked for once, and what the server told of it is kept."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from .drawing import draw
from .errors import IllegalMove, PitbossError

TERMINAL = -4  # the player of a position in which the game is over; OpenSpiel's TERMINAL


@dataclass(frozen=True)
class Facts:
    """What the server's command `state` tells of a position."""

    rules: str
    position: str
    moves: tuple[str, ...]
    to_move: str | None
    shares: Mapping[str, float] | None
    result: str | None
    legal: tuple[str, ...]
    parts: tuple[tuple[int, ...], ...]
    planes: bytes | None

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Facts:
        planes = answer.get("planes")
        return cls(
            answer["rules"],
            answer["position"],
            tuple(move["move"] for move in answer["moves"]),
            answer["to_move"],
            answer["shares"],
            answer["result"],
            tuple(answer["legal"]),
            tuple(tuple(parts) for parts in answer["parts"]),
            base64.b64decode(planes["bits"]) if planes else None,
        )


# Asks the server about a position; the planes only if they are wanted.
Source = Callable[["State", bool], Facts]


class Game:
    """A game with its parameters, as the server at `address` tells it. Made by `Engine.game` and
    `Server.game`."""

    def __init__(
        self, geometry: Mapping[str, Any], start: str, source: Source | None, address: str
    ) -> None:
        self.rules: str = geometry["rules"]
        self.colours: tuple[str, ...] = tuple(geometry["colours"])
        self.geometry = geometry
        self.start = start
        self.address = address
        self._source = source

    @property
    def name(self) -> str:
        return self.rules.partition(" ")[0]

    def new_initial_state(self) -> State:
        return State(self, self.start)

    def state(self, position: str, moves: Sequence[str] = ()) -> State:
        """The position that the command `get_position` writes so, and these moves after it. Raises
        CommandError or IllegalMove if the server takes it for none."""
        state = State(self, position)
        if self._source is not None:
            state.facts()
        for move in moves:
            state.apply_move(move)
        return state

    def deserialize_state(self, text: str) -> State:
        """The state that `State.serialize` wrote."""
        try:
            saved = json.loads(text)
            rules, history = saved["rules"], saved["history"]
            state = State(self, saved["start"])
            state._moves = tuple(saved["moves"])
            state._history = tuple((int(player), int(action)) for player, action in history)
            state._pending = tuple(map(int, saved["pending"]))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"this is no serialized state of Pitboss: {text[:60]!r}") from error
        if rules != self.rules:
            raise ValueError(f"this is a state of '{rules}', not of '{self.rules}'")
        return state

    def adopt(self, state: State) -> State:
        """A copy of the state whose questions go to this game's server: for states that come from another
        process or whose server has ended."""
        return self.deserialize_state(state.serialize())

    def get_parameters(self) -> dict[str, int | str]:
        pairs = (word.partition("=") for word in self.rules.split()[1:])
        return {key: int(value) if value.isdecimal() else value for key, _, value in pairs}

    def num_distinct_actions(self) -> int:
        return int(self.geometry["actions"])

    def num_players(self) -> int:
        return len(self.colours)

    def observation_tensor_shape(self) -> list[int]:
        return list(self.geometry["planes"]["shape"])

    def observation_tensor_size(self) -> int:
        planes, rows, columns = self.observation_tensor_shape()
        return planes * rows * columns

    def min_utility(self) -> float:
        return -1.0 / (self.num_players() - 1)

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> float:
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

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_source": None}


class State:
    """A position and how it came about.

    Actions are entries of the policy (docs/networks.md). A move of several parts, such as a queen's move of
    amazons with its arrow, is several actions of the same player. The methods that ask the server raise what
    commands raise; after `copy.copy`, `copy.deepcopy` and `pickle` a state still knows all that it knew.
    """

    def __init__(self, game: Game, start: str) -> None:
        self._game = game
        self._start = start
        self._moves: tuple[str, ...] = ()
        self._history: tuple[tuple[int, int], ...] = ()
        self._pending: tuple[int, ...] = ()
        self._known: Facts | None = None

    def get_game(self) -> Game:
        return self._game

    @property
    def start(self) -> str:
        """The position before the first move."""
        return self._start

    @property
    def moves(self) -> tuple[str, ...]:
        """The whole moves played since `start`, as text."""
        return self._moves

    @property
    def position(self) -> str:
        """As the command `position` takes it."""
        return self.facts().position

    # --- who moves, and who has won ---

    def current_player(self) -> int:
        """The place in turn order of the colour to move; TERMINAL (-4) if the game is over."""
        to_move = self.facts().to_move
        return TERMINAL if to_move is None else self._game.colours.index(to_move)

    def is_terminal(self) -> bool:
        return self.facts().to_move is None

    def returns(self) -> list[float]:
        """-1, 0 or 1 for each of two players; with n players (n s - 1) / (n - 1) for the share s of the point.
        The sum is 0; all are 0 before the end."""
        shares = self.facts().shares
        n = self._game.num_players()
        if shares is None:
            return [0.0] * n
        return [(n * shares[colour] - 1) / (n - 1) for colour in self._game.colours]

    def rewards(self) -> list[float]:
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def result(self) -> str | None:
        """Who has won, in words."""
        return self.facts().result

    def is_chance_node(self) -> bool:
        return False

    def is_simultaneous_node(self) -> bool:
        return False

    def is_player_node(self) -> bool:
        return not self.is_terminal()

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    # --- actions ---

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Sorted; empty if the game is over or it is not this player's turn."""
        if player is not None and player != self.current_player():
            return []
        return sorted({parts[len(self._pending)] for _, parts in self._open_moves()})

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        mask = [0] * self._game.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Raises ValueError for an action that is not legal."""
        chosen = self._pending + (self._checked(action),)
        player = self.current_player()
        move = next((move for move, parts in self._open_moves() if parts == chosen), None)
        if move is None:
            self._pending = chosen
        else:
            self._advance(move)
        self._history += ((player, int(action)),)

    def apply_move(self, move: str) -> None:
        """Plays a whole move, written as `legal_moves` writes it. Raises IllegalMove."""
        facts = self.facts()
        if move not in facts.legal or self._pending:
            raise IllegalMove(
                self._game.address,
                f"play {move}",
                "illegal-move",
                f"'{move}' is not legal here"
                + (", in the middle of another move" if self._pending else ""),
            )
        player = self.current_player()
        parts = facts.parts[facts.legal.index(move)]
        self._advance(move)
        self._history += tuple((player, action) for action in parts)

    def legal_moves(self) -> list[str]:
        """The whole moves that are possible, sorted as text; those that go on with the parts chosen so far."""
        if not self._pending:
            return list(self.facts().legal)
        return [move for move, _ in self._open_moves()]

    def child(self, action: int) -> State:
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> State:
        state = State(self._game, self._start)
        state.__dict__.update(self.__dict__)
        return state

    def action_to_string(self, *arguments: int) -> str:
        """`action_to_string(action)` or `(player, action)`: the move, or for a part that does not complete
        one the beginning that the moves with this part share."""
        chosen = self._pending + (self._checked(arguments[-1]),)
        moves = [move for move, parts in self._open_moves() if parts[: len(chosen)] == chosen]
        return _common_beginning(moves)

    def string_to_action(self, *arguments: Any) -> int:
        """The action that `action_to_string` writes so here. Raises ValueError if there is none."""
        text = arguments[-1]
        for action in self.legal_actions():
            if self.action_to_string(action) == text:
                return action
        raise ValueError(f"'{text}' is no action here")

    # --- history ---

    def history(self) -> list[int]:
        return [action for _, action in self._history]

    def full_history(self) -> list[tuple[int, int]]:
        """(player, action) of all actions."""
        return list(self._history)

    def history_str(self) -> str:
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        return len(self._history)

    def serialize(self) -> str:
        """Text from which `Game.deserialize_state` makes the state again, on this server or another."""
        return json.dumps(
            {
                "rules": self._game.rules,
                "start": self._start,
                "moves": self._moves,
                "history": self._history,
                "pending": self._pending,
            }
        )

    # --- observations ---

    def observation_string(self, player: int | None = None) -> str:
        return self.position

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a network sees of the position (docs/networks.md), flat. Parts of a move that have been chosen
        are not in it."""
        return [float(bit) for byte in self.planes() for bit in _BITS[byte]][
            : self._game.observation_tensor_size()
        ]

    def planes(self) -> bytes:
        """The same packed, eight bits a byte, the first the highest: for numpy.unpackbits."""
        planes = self.facts(planes=True).planes
        assert planes is not None
        return planes

    def svg(self, size: int = 360) -> str:
        """A picture of the board, with the last move marked."""
        last = self._moves[-1] if self._moves else ""
        return draw(self._game.geometry, self.position, last, size)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"State({self._game.rules!r}, moves={' '.join(self._moves)!r})"

    def __str__(self) -> str:
        return self.position.replace("/", "\n").replace(" ", "\n", 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    # --- what the server knows ---

    def facts(self, planes: bool = False) -> Facts:
        """What the server tells of the position, without the parts of a move chosen so far. Asked once."""
        if self._known is None or (planes and self._known.planes is None):
            if self._game._source is None:
                raise PitbossError(
                    f"{self!r} has not been asked about yet, and knows no server to ask: give it one with"
                    " game.adopt(state), or in code with await by await server.load(state)"
                )
            self._known = self._game._source(self, planes)
        return self._known

    @property
    def known(self) -> Facts | None:
        """What the server has told of the position, if it has been asked."""
        return self._known

    def learn(self, facts: Facts) -> None:
        """Takes over what the server tells of this position."""
        self._known = facts

    def _advance(self, move: str) -> None:
        self._moves += (move,)
        self._pending = ()
        self._known = None

    def _open_moves(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        facts = self.facts()
        length = len(self._pending)
        for move, parts in zip(facts.legal, facts.parts):
            if parts[:length] == self._pending:
                yield move, parts

    def _checked(self, action: int) -> int:
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not among the legal actions of {self!r}")
        return int(action)

    def _identity(self) -> tuple[object, ...]:
        return self._game.rules, self._start, self._moves, self._pending


_BITS = list(product((0, 1), repeat=8))


def _common_beginning(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    for place, character in enumerate(first):
        if place == len(last) or last[place] != character:
            return first[:place]
    return first
