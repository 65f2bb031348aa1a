"""Batches of positions are stepped as single states are."""

import copy
import pickle
import time
from typing import Any

import numpy as np
import pitboss
import pytest
import torch
from pitboss.boards import server_at

COUNT = 50


@pytest.mark.parametrize(
    "name", ["connect4", "othello size=6", "amazons size=8", "rolit players=3"]
)
def test_as_single_states(name: str) -> None:
    random = np.random.default_rng(1)
    game = pitboss.Game(name)
    states, singles = pitboss.States(game, COUNT), [game.new_initial_state() for _ in range(COUNT)]
    assert len(states) == COUNT and states.get_game() == game
    while not states.is_terminal().all():
        assert states.current_players().tolist() == [one.current_player() for one in singles]
        assert states.is_terminal().tolist() == [one.is_terminal() for one in singles]
        mask = states.legal_actions_mask()
        assert mask.tolist() == [one.legal_actions_mask() for one in singles]
        actions, counts = states.legal_actions()
        split = np.split(actions, np.cumsum(counts)[:-1])
        assert [part.tolist() for part in split] == [one.legal_actions() for one in singles]
        chosen = states.random_actions(random)
        states.apply_actions(chosen)
        for one, action in zip(singles, chosen):
            if not one.is_terminal():
                one.apply_action(action)
    assert states.returns().tolist() == [one.returns() for one in singles]
    planes = states.observation_tensors()
    assert planes.shape == (COUNT, *game.observation_tensor_shape())
    assert all((row == np.asarray(one.planes())).all() for row, one in zip(planes, singles))
    assert states[-1].position == singles[-1].position and states[0].is_terminal()
    states.restart()
    assert states[0] == game.new_initial_state() and not states.is_terminal().any()


def test_each_begins_where_it_is_told() -> None:
    game = pitboss.Game("amazons size=8")
    begun = game.new_initial_state()
    begun.apply_action(begun.legal_actions()[3])
    states = pitboss.States([game.new_initial_state(), begun])
    assert states[1].chosen_actions() == begun.chosen_actions()
    assert states[1].legal_actions() == begun.legal_actions()
    with pytest.raises(IndexError):
        states[2]
    with pytest.raises(ValueError, match="cannot be stepped together"):
        pitboss.States([begun, pitboss.Game("hex").new_initial_state()])
    with pytest.raises(ValueError, match="at least one"):
        pitboss.States([])


def test_arrays_are_the_callers() -> None:
    game = pitboss.Game("connect4")
    states = pitboss.States(game, 2)
    tensors = torch.ones(2, *game.observation_tensor_shape())
    given = tensors.numpy()
    assert states.observation_tensors(given) is given
    assert tensors[:, :2].sum() == 0 and tensors.dtype == torch.float32
    small = np.ones((2, *game.observation_tensor_shape()), np.int8)
    assert (states.observation_tensors(small) == tensors.numpy()).all()
    mask = np.zeros((2, 7), np.int8)
    assert states.legal_actions_mask(mask) is mask and mask.all()
    alone = np.zeros(game.observation_tensor_shape(), np.float32)
    assert game.new_initial_state().planes(alone) is alone and alone.sum() == 42
    arrays: list[Any] = [
        np.zeros((2, 7)),
        np.zeros((3, 7), np.int8),
        np.zeros((2, 14), np.int8)[:, ::2],
    ]
    for wrong in arrays:
        with pytest.raises((ValueError, BufferError)):
            states.legal_actions_mask(wrong)
    with pytest.raises(ValueError, match="state 1: 7 is not among the legal actions"):
        states.apply_actions([3, 7])
    assert states[0] == game.new_initial_state()  # nothing has changed
    states.apply_actions(np.array([3, 4], np.int64))
    assert [states[0].position, states[1].position] == [
        game.new_initial_state().child(action).position for action in (3, 4)
    ]


def test_copies_go_their_own_ways() -> None:
    states = pitboss.States(pitboss.Game("connect4"), 2)
    for copied in (copy.copy(states), copy.deepcopy(states)):
        copied.apply_actions(np.array([3, 3], np.uint8))
        assert copied[0].position != states[0].position
        assert copied.get_game() == states.get_game() and len(copied) == 2
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(states)


def test_actions_that_are_none_change_nothing() -> None:
    states = pitboss.States(pitboss.Game("connect4"), 2)
    before = states[1].position
    actions, _ = states.legal_actions()
    assert actions.flags.writeable
    wrong: list[tuple[Any, type[Exception]]] = [
        (np.array([3.0, 3.7]), TypeError),
        ([True, False], TypeError),
        (np.array([3, 2**32 + 3]), ValueError),
        ([3, -1], ValueError),
        (np.array([[3], [3]]), ValueError),
        ([3], ValueError),
    ]
    for actions, error in wrong:
        with pytest.raises(error):
            states.apply_actions(actions)
        assert states[1].position == before
    for empty in (np.zeros(3, "V0"), np.zeros(3, "V8")):
        with pytest.raises(ValueError, match="expected an array of 14"):
            states.legal_actions_mask(empty)


def test_a_daemon_that_has_died_is_followed_by_another() -> None:
    first = server_at(None)
    assert server_at(None) is first and first.daemon is not None
    first.daemon.process.kill()
    end = time.monotonic() + 60
    while not first.daemon.has_ended:
        assert time.monotonic() < end
        time.sleep(0.02)
    second = server_at(None)
    assert second is not first and "connect4" in second.games()
    first.close()
    second.close()


def test_numbers_of_numpy_are_numbers() -> None:
    limit = pitboss.Limit(simulations=np.int64(5), time=np.float32(0.5))  # type: ignore[arg-type]
    assert limit == pitboss.Limit(simulations=5, time=0.5) and type(limit.simulations) is int
    clocks = {"black": [np.float64(1), 2]}
    assert pitboss.Limit(clocks=clocks).clocks == {"black": (1.0, 2.0)}  # type: ignore[arg-type]
