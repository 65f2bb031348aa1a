"""All games as PettingZoo environments (AEC):

    from pitboss.pettingzoo import env

    game = env("othello")

Agents are `black_0`, `white_1`, by the colours in turn order. A move of several parts is several actions of the
same agent. When the game is over `infos[agent]["returns"]` tells who has won."""

from __future__ import annotations

from typing import Any, Literal

from .boards import check_render_mode, mask_of, planes_of
from .errors import needing
from .state import Game, State

with needing("rl"):
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

Observation = NDArray[np.int8] | dict[str, NDArray[np.int8]]


def env(
    game: str = "connect4",
    *,
    mask: Literal["observation", "info"] = "observation",
    render_mode: str | None = None,
) -> Any:
    """The environment with PettingZoo's usual wrappers: an action that is not legal loses, with reward -1.

    `game` is written as `pitboss.Game` takes it (`"hex size=7"`). `mask` says whether legal actions are
    `observation["action_mask"]`, as in PettingZoo's own board games, or `info["action_mask"]` beside a plain observation.
    """
    raw = raw_env(game, mask=mask, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1))
    )


class raw_env(AECEnv):  # the name that PettingZoo gives an environment without wrappers
    """Copies and pickles go on with the same position."""

    metadata = {"render_modes": ["human", "ansi"], "name": "pitboss_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: str = "connect4",
        *,
        mask: Literal["observation", "info"] = "observation",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if mask not in ("observation", "info"):
            raise ValueError(f"mask must be 'observation' or 'info', not {mask!r}")
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self._mask_in = mask
        self._game: Game = Game(game)
        self._state: State = self._game.new_initial_state()
        actions = self._game.num_distinct_actions()
        planes = gymnasium.spaces.Box(0, 1, tuple(self._game.observation_tensor_shape()), np.int8)
        space: gymnasium.Space[Any] = planes
        if mask == "observation":
            legal = gymnasium.spaces.Box(0, 1, (actions,), np.int8)
            space = gymnasium.spaces.Dict({"observation": planes, "action_mask": legal})
        self.possible_agents = [f"{colour}_{n}" for n, colour in enumerate(self._game.colours)]
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents
        }

    @property
    def state_of_game(self) -> State:
        """A copy of the position, for an engine."""
        return self._state.clone()

    def observation_space(self, agent: str) -> Any:
        """The same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same for all agents: the entries of the policy (docs/networks.md)."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`options={"position": TEXT}` begins at that position; nothing is random."""
        position = (options or {}).get("position")
        self._state = (
            self._game.new_initial_state() if position is None else self._game.state(position)
        )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._tell()

    def step(self, action: int | None) -> None:
        """The action of the agent whose turn it is; None when the game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "an agent that is not dead must act"
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._state.apply_action(int(action))
        self._tell()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What the agent sees of the board, and may do, if `mask` is in the observation."""
        board = planes_of(self._state)
        if self._mask_in == "info":
            return board
        return {"observation": board, "action_mask": self._mask(agent)}

    def render(self) -> str | None:
        """The position as text: printed in the mode `human`, returned in `ansi`."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode, 'human' or 'ansi'")
            return None
        if self.render_mode == "ansi":
            return str(self._state)
        print(self._state)
        return None

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return f"pitboss {self._game.rules}"

    def __deepcopy__(self, memo: dict[int, Any]) -> raw_env:
        other = object.__new__(type(self))
        shared = {"observation_spaces", "action_spaces", "_game"}
        for name, value in self.__dict__.items():
            copied = value.copy() if isinstance(value, (dict, list)) else value
            other.__dict__[name] = value if name in shared else copied
        other._state = self._state.clone()
        other.infos = {agent: dict(info) for agent, info in getattr(self, "infos", {}).items()}
        return other

    def _tell(self) -> None:
        player = self._state.current_player()
        if player >= 0:
            self.agent_selection = self.possible_agents[player]
            self.rewards = dict.fromkeys(self.agents, 0.0)
        else:
            returns = dict(zip(self.possible_agents, self._state.returns()))
            self.rewards = {agent: returns[agent] for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            for agent in self.agents:
                self.infos[agent]["returns"] = returns
            self.agent_selection = self.agents[0]
        if self._mask_in == "info":
            for agent in self.agents:
                self.infos[agent]["action_mask"] = self._mask(agent)

    def _mask(self, agent: str) -> NDArray[np.int8]:
        return mask_of(self._state, self.possible_agents.index(agent))
