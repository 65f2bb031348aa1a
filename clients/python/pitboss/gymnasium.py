"""One seat of a game against an engine, as a Gymnasium environment:

    from pitboss.gymnasium import OneSeat

    env = OneSeat("othello", simulations=100)
    observation, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])

`gymnasium.make("pitboss.gymnasium:pitboss/OneSeat-v0", game="othello")` makes the same, and `make_vec` several.
"""

from __future__ import annotations

from typing import Any

from .boards import check_render_mode, mask_of, planes_of, server_at
from .errors import needing
from .state import TERMINAL, State

with needing("rl"):
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray

Observation = NDArray[np.int8]


class OneSeat(gymnasium.Env):
    """The learner's moves against those of a search with these options; the reward is the game's return at
    its end, and -1 for an action that is not legal, which ends the game. `info["action_mask"]` has the legal
    actions, `info["state"]` the position. `seat` is a colour, or None for one drawn at each reset. A seed
    makes the same games where simulations bound the search."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "connect4",
        *,
        seat: str | None = None,
        server: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self._engine = server_at(server).engine(game, **options)
        self._game = self._engine.game
        if seat is not None and seat not in self._game.colours:
            raise ValueError(f"seat must be one of {', '.join(self._game.colours)}, not {seat!r}")
        self._seat = seat
        self._player = 0
        self._state: State | None = None
        shape = tuple(self._game.observation_tensor_shape())
        self.observation_space = gymnasium.spaces.Box(0, 1, shape, np.int8)
        self.action_space = gymnasium.spaces.Discrete(self._game.num_distinct_actions())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game; the engine moves first if that is its turn."""
        super().reset(seed=seed)
        colours = self._game.colours
        drawn = int(self.np_random.integers(len(colours)))
        self._player = drawn if self._seat is None else colours.index(self._seat)
        self._state = self._game.new_initial_state()
        self._let_engine_move(self._state)
        return planes_of(self._state), self._info(self._state)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The learner's action, and the engine's moves up to the learner's next turn."""
        assert self._state is not None, "reset comes before step"
        state = self._state
        if int(action) not in state.legal_actions():
            info = self._info(state) | {"illegal": True}
            return planes_of(state), -1.0, True, False, info
        state.apply_action(int(action))
        self._let_engine_move(state)
        reward = state.returns()[self._player]
        return planes_of(state), reward, state.is_terminal(), False, self._info(state)

    def render(self) -> str | None:
        """The position as text, in the mode `ansi`."""
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Leaves the engine's table."""
        if not self._engine.server.is_closed:
            self._engine.close()

    def _let_engine_move(self, state: State) -> None:
        while state.current_player() not in (TERMINAL, self._player):
            seed = int(self.np_random.integers(1, 2**53))
            state.apply_move(self._engine.play(state, options={"seed": seed}).move)

    def _info(self, state: State) -> dict[str, Any]:
        return {"action_mask": mask_of(state), "state": state.clone()}


gymnasium.register("pitboss/OneSeat-v0", entry_point="pitboss.gymnasium:OneSeat")
