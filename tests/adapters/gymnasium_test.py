"""One seat against an engine, by Gymnasium's own checks."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from all_games import GAMES
from gymnasium.utils.env_checker import check_env
from pitboss.gymnasium import OneSeat

pytestmark = pytest.mark.smoke


@pytest.mark.parametrize("game", [*GAMES, "amazons size=8", "rolit players=3"])
def test_gymnasiums_checks(game: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*(spec|render).*")
        check_env(OneSeat(game, simulations=20, render_mode="ansi"))


def test_it_is_registered() -> None:
    name = "pitboss.gymnasium:pitboss/OneSeat-v0"
    env = gymnasium.make(name, game="hex size=5", simulations=5)
    assert env.spec is not None and env.reset(seed=1)[1]["action_mask"].shape == (25,)
    env.close()
    several = gymnasium.make_vec(
        name, num_envs=2, vectorization_mode="sync", game="connect4", simulations=5
    )
    assert several.reset(seed=1)[0].shape[0] == 2
    several.close()
    with pytest.raises(ValueError, match="render_mode must be None or one of ansi, not 'human'"):
        OneSeat("hex", render_mode="human")


def play(env: OneSeat, seed: int) -> tuple[list[int], float, Any]:
    numbers = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    actions, reward, terminated = [], 0.0, False
    while not terminated:
        actions.append(int(numbers.choice(np.flatnonzero(info["action_mask"]))))
        _, reward, terminated, truncated, info = env.step(actions[-1])
        assert not truncated
    return actions, reward, info


def test_a_seed_makes_the_same_game() -> None:
    env = OneSeat("othello size=6", simulations=50, seat="white")
    first, second = play(env, 7), play(env, 7)
    assert first[:2] == second[:2]
    state = first[2]["state"]
    assert state.is_terminal() and state.returns()[1] == first[1]
    with pytest.raises(ValueError, match="one of black, white"):
        OneSeat("othello", seat="red")


def test_an_illegal_action_ends_the_game() -> None:
    env = OneSeat("othello", simulations=10, seat="black")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)
