"""Many positions of a game, stepped at once, as arrays of NumPy; `torch.from_numpy` takes each without copying."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Never

from .errors import needing
from .state import Game, State

with needing("rl"):
    import numpy as np
    from numpy.typing import NDArray


class States:
    """`States(game, 1000)` are so many at the initial position, `States(list_of_states)` those. Arrays have a row
    for each.

        states = pitboss.States(pitboss.Game("othello"), 1000)
        random = numpy.random.default_rng(1)
        while not states.is_terminal().all():
            states.apply_actions(states.random_actions(random))
        print(states.returns().mean(axis=0))
    """

    def __init__(self, states: Game | Sequence[State], count: int = 1) -> None:
        from . import _rules

        if isinstance(states, Game):
            states = [states.new_initial_state()] * operator.index(count)
        self._all = _rules.States([state._at for state in states])
        self._game = states[0].get_game()

    def get_game(self) -> Game:
        """The game that the states are of."""
        return self._game

    def __copy__(self) -> States:
        copied = object.__new__(type(self))
        copied._all, copied._game = self._all.clone(), self._game
        return copied

    def __deepcopy__(self, memo: object) -> States:
        return self.__copy__()

    def __reduce__(self) -> Never:
        raise TypeError("states that are stepped together are not pickled; each one can be")

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, place: int) -> State:
        """A copy, with nothing before it."""
        return State(self._game, self._all.at(range(len(self))[place]))

    def current_players(self) -> NDArray[np.int32]:
        """TERMINAL (-4) where the game is over."""
        players = np.empty(len(self), np.int32)
        self._all.write_players(players)
        return players

    def is_terminal(self) -> NDArray[np.bool_]:
        """Where the game is over."""
        return self.current_players() < 0

    def returns(self) -> NDArray[np.float64]:
        """Of each player."""
        returns = np.empty((len(self), self._game.num_players()))
        self._all.write_returns(returns)
        return returns

    def legal_actions(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Those of the first state, of the second and so on, in one array; and how many each has."""
        counts = np.empty(len(self), np.int32)
        actions = self._all.write_counts(counts)
        return np.frombuffer(actions, np.int32), counts

    def legal_actions_mask(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """True for each legal action; `out` is an array of bool or int8 to write it to."""
        if out is None:
            out = np.empty((len(self), self._game.num_distinct_actions()), np.bool_)
        self._all.write_mask(out)
        return out

    def observation_tensors(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """What a network sees (docs/networks.md), in float32; `out` is an array of float32 or int8 to write it to."""
        if out is None:
            out = np.empty((len(self), *self._game.observation_tensor_shape()), np.float32)
        self._all.write_planes(out)
        return out

    def apply_actions(self, actions: Any) -> None:
        """One for each; where the game is over it may be anything. Raises ValueError, and then changes nothing, if
        one is not legal."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {given.dtype}")
        if given.shape != (len(self),):
            raise ValueError(f"expected {len(self)} actions, not an array of shape {given.shape}")
        # What has no place in 32 bits is no action of any game.
        self._all.apply(np.ascontiguousarray(given.clip(-1, 2**31 - 1), np.int32))

    def random_actions(self, random: np.random.Generator) -> NDArray[np.int32]:
        """A legal action for each; 0 where the game is over."""
        actions, counts = self.legal_actions()
        first = np.cumsum(counts) - counts
        drawn = first + random.integers(0, np.maximum(counts, 1))
        chosen = np.zeros(len(self), np.int32)
        chosen[counts > 0] = actions[drawn[counts > 0]]
        return chosen

    def restart(self) -> None:
        """Has those that are over begin anew."""
        self._all.restart()
