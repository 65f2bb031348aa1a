"""The environments by PettingZoo's own tests, and what those do not ask."""

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from all_games import GAMES
from pettingzoo.test import api_test, render_test, seed_test
from pitboss.pettingzoo import env, raw_env

pytestmark = pytest.mark.smoke


@pytest.mark.parametrize("game", [*GAMES, "rolit players=4", "hex size=4 swap=on"])
@pytest.mark.parametrize("mask", ["observation", "info"])
def test_api(game: str, mask: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env(game, mask=mask))
    strange = {str(one.message) for one in caught if issubclass(one.category, UserWarning)}
    if mask == "info":
        assert all("zero" in warning for warning in strange), strange
    assert len(strange) <= 3, strange


@pytest.mark.parametrize("game", ["connect4", "amazons size=8", "rolit players=3"])
def test_seeds_and_pictures(game: str) -> None:
    seed_test(lambda: env(game), num_cycles=60)
    render_test(lambda render_mode=None: env(game, render_mode=render_mode))


def play(game: Any, actions: int, numbers: np.random.Generator) -> None:
    for _ in range(actions):
        observation, _, terminated, _, _ = game.last()
        mask = observation["action_mask"]
        game.step(None if terminated else int(numbers.choice(np.flatnonzero(mask))))


@pytest.mark.parametrize("make", [env, raw_env])
def test_copies_and_pickles_go_on_with_the_game(make: Any) -> None:
    game = make("amazons size=8")
    game.reset()
    play(game, 10, np.random.default_rng(1))
    others = [copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    play(game, 7, np.random.default_rng(2))
    for other in others:
        play(other, 7, np.random.default_rng(2))
        for agent in game.possible_agents:
            for key, value in game.observe(agent).items():
                assert (value == other.observe(agent)[key]).all()


def test_the_end_tells_who_has_won() -> None:
    game = env("connect4")
    game.reset()
    for action in [0, 1, 0, 1, 0, 1, 0]:
        game.step(action)
    assert game.terminations == {"black_0": True, "white_1": True}
    assert game.infos["white_1"]["returns"] == {"black_0": 1.0, "white_1": -1.0}
    assert game.rewards == {"black_0": 1.0, "white_1": -1.0}
    game.reset(options={"position": "......./......./......./......./...O.../...X... b"})
    game.step(6)
    assert game.agent_selection == "white_1"


def test_an_illegal_action_loses() -> None:
    game = env("othello")
    game.reset()
    game.step(0)
    assert game.terminations["black_0"] and game.rewards["black_0"] == -1


def test_a_render_mode_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="one of human, ansi, not 'x'"):
        env("connect4", render_mode="x")
