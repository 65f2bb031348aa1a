"""The rules in this process: what holds in every state, and that it is what a daemon tells."""

import base64
import copy
import itertools
import json
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pitboss
import pytest
from client_daemon_test import GAMES, PATIENCE
from pitboss import aio

MOST_ACTIONS = 150


def check(state: pitboss.State) -> None:
    """What holds in every state of every game."""
    game = state.get_game()
    actions = state.legal_actions()
    assert actions == sorted(set(actions)) == state.legal_actions()
    assert [a for a, legal in enumerate(state.legal_actions_mask()) if legal] == actions
    assert abs(sum(state.returns())) < 1e-9
    assert state.is_terminal() == (state.current_player() == pitboss.TERMINAL) == (not actions)
    for action in actions[:3] + actions[-3:]:
        assert state.string_to_action(state.action_to_string(action)) == action
    texts = [state.action_to_string(action) for action in actions]
    assert len(set(texts)) == len(texts)
    if not state.is_terminal():
        assert actions == state.legal_actions(state.current_player())
        assert state.legal_actions(state.current_player() + 1) == []
        assert state.returns() == [0.0] * game.num_players()


def check_copies(state: pitboss.State) -> None:
    game = state.get_game()
    again = game.deserialize_state(state.serialize())
    for other in copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), again:
        assert other == state
        assert other.full_history() == state.full_history()
        assert other.legal_actions() == state.legal_actions()
    tensor = state.observation_tensor()
    assert len(tensor) == game.observation_tensor_size() and set(tensor) <= {0.0, 1.0}
    assert state.svg().count("<polygon") >= len(game.geometry["sites"])
    assert game.state(state.start, state.moves).position == state.position


@pytest.mark.parametrize(
    "name", [*GAMES, "rolit players=3", "rolit players=4", "hex size=3 swap=on"]
)
def test_random_play(name: str) -> None:
    numbers = random.Random(name)
    game = pitboss.Game(name)
    state = game.new_initial_state()
    assert game.num_players() == len(game.colours) and state.move_number() == 0
    for number in range(MOST_ACTIONS):
        check(state)
        if number & (number - 1) == 0:
            check_copies(state)
        if state.is_terminal():
            break
        before = state.clone()
        player, action = state.current_player(), numbers.choice(state.legal_actions())
        state.apply_action(action)
        assert state.full_history()[-1] == (player, action)
        assert before.move_number() == number and before.child(action) == state
        assert before != state and len({before, state, before.clone()}) == 2
        again = state.clone()
        again.undo_action(player, action)
        assert again == before and again.legal_actions() == before.legal_actions()
    check(state)
    check_copies(state)
    if state.is_terminal():
        assert (
            state.result() and any(state.returns()) or state.returns() == [0.0] * game.num_players()
        )
        with pytest.raises(ValueError, match="not among the legal actions"):
            state.apply_action(0)


def test_moves_as_text() -> None:
    state = pitboss.Game("amazons").new_initial_state()
    assert "d1d7g7" in state.legal_moves()
    by_parts = state.clone()
    actions = state.move_to_actions("d1d7g7")
    state.apply_move("D1-d7-g7")
    assert state.moves == ("d1d7g7",) and state.history() == actions and len(actions) == 3
    for action in actions:
        assert by_parts.current_player() == 0
        by_parts.apply_action(action)
    assert by_parts == state
    with pytest.raises(pitboss.IllegalMove, match="the game amazons size=10 refused 'play d1d7g7'"):
        state.apply_move("d1d7g7")
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(pitboss.IllegalMove, match="middle of another move"):
        state.apply_move(state.legal_moves()[0])
    with pytest.raises(ValueError, match="middle of another move"):
        state.move_to_actions(state.legal_moves()[0])


def test_positions_as_text() -> None:
    game = pitboss.Game("connect4")
    state = game.state("......./......./......./......./...O.../...X... b", ["a1"])
    assert state.current_player() == 1 and state.moves == ("a1",)
    assert (
        game.new_initial_state("......./......./......./......./...O.../...X... b").child(0)
        == state
    )
    with pytest.raises(ValueError, match="position"):
        game.state("nonsense b")
    with pytest.raises(ValueError, match="did you mean 'othello'"):
        pitboss.Game("othelo")
    with pytest.raises(ValueError, match="state of 'othello size=8', not of 'connect4'"):
        game.deserialize_state(pitboss.Game("othello").new_initial_state().serialize())
    with pytest.raises(ValueError, match="nothing has been played"):
        game.new_initial_state().undo_action()
    assert pickle.loads(pickle.dumps(game)) == game


def test_random_games_from_the_middle_of_a_move_begin_with_its_rest() -> None:
    state = pitboss.Game("amazons size=8").state(
        "..*...**/******../OX*O**../*****.**/X******X/***X*O**/****.***/*.****O. w"
    )
    assert abs(state.playouts(200, 1)[0]) < 0.5
    for action in state.move_to_actions("f3e2f3")[
        :2
    ]:  # after which white has won, wherever the arrow goes
        state.apply_action(action)
    assert state.playouts(50, 1) == [-1, 1]


def test_random_games_and_sequences() -> None:
    state = pitboss.Game("connect4").new_initial_state()
    assert [state.perft(depth) for depth in range(6)] == [1, 7, 49, 343, 2401, 16807]
    returns = state.playouts(2000, 1)
    assert returns == state.playouts(2000, 1) != state.playouts(2000, 2)
    assert abs(sum(returns)) < 1e-9 and 0 < returns[0] < 0.3  # the first to move wins more
    won = pitboss.Game("connect4").state("......./......./......./......./OOO..../XXX.... b")
    half = pitboss.Game("amazons size=8").new_initial_state()
    half.apply_action(half.legal_actions()[0])
    assert won.playouts(500, 1)[0] > returns[0] and sum(half.playouts(10, 1)) == 0
    assert state.playouts(1000, -1) == state.playouts(1000, 2**64 - 1) != state.playouts(1000, 0)
    with pytest.raises(ValueError, match="middle of a move"):
        half.perft(1)
    for action in (99, 2**40, 2**70, -1):
        with pytest.raises(ValueError):
            state.apply_action(action)
    with pytest.raises(ValueError, match="at least 1"):
        state.playouts(0, 1)
    with pytest.raises(ValueError, match="at least 0"):
        state.perft(-1)


def settings(values: str) -> list[str]:
    """What a parameter may be, as the command `games json` tells it: "4-8, even" or "on|off"."""
    if "|" in values:
        return values.split("|")
    numbers, _, kind = values.partition(", ")
    first, last = map(int, numbers.split("-"))
    return [str(n) for n in range(first, last + 1) if kind != "even" or n % 2 == 0]


def all_rules(server: pitboss.Server) -> Iterator[str]:
    """Every game with all that its parameters may be."""
    for game in json.loads(server._loop.run(server._twin._ask("games json")))["games"]:
        names = [parameter["name"] for parameter in game["parameters"]]
        for values in itertools.product(*(settings(p["values"]) for p in game["parameters"])):
            yield " ".join([game["game"], *map("=".join, zip(names, values))])


def check_told(state: pitboss.State, told: dict[str, Any]) -> None:
    """A state, between two moves, and what the server's command `state planes` tells of it."""
    game = state.get_game()
    assert (told["rules"], told["start"], told["position"]) == (
        game.rules,
        state.start,
        state.position,
    )
    assert [move["move"] for move in told["moves"]] == list(state.moves)
    assert told["colours"] == list(game.colours)
    player = state.current_player()
    assert told["to_move"] == (None if state.is_terminal() else game.colours[player])
    assert told["result"] == state.result()
    n = game.num_players()
    shares = told["shares"] or dict.fromkeys(game.colours, 1 / n)
    assert [(n * share - 1) / (n - 1) for share in shares.values()] == pytest.approx(
        state.returns()
    )
    assert told["legal"] == state.legal_moves() and told["actions"] == game.num_distinct_actions()
    assert (
        told["parts"]
        == [state.move_to_actions(move) for move in told["legal"][:50]] + told["parts"][50:]
    )
    assert sorted({parts[0] for parts in told["parts"]}) == state.legal_actions()
    assert told["planes"]["shape"] == game.observation_tensor_shape()
    bits = "".join(f"{byte:08b}" for byte in base64.b64decode(told["planes"]["bits"]))
    assert bits[: game.observation_tensor_size()] == "".join(map(str, state.planes().cast("B")))


def test_the_server_tells_the_same(server: pitboss.Server) -> None:
    """Random games of all games, sizes and rules."""

    async def compare(seat: aio.seat.Seat, rules: str) -> None:
        numbers = random.Random(rules)
        try:
            game = pitboss.Game(rules)
        except ValueError as error:
            with pytest.raises(pitboss.CommandError) as refused:
                await seat.connection.ask(f"game {rules}")
            assert refused.value.text == str(error)
            return
        await seat.connection.ask(f"game {rules}")
        geometry = json.loads(await seat.connection.ask("geometry"))
        assert geometry == game.geometry and game.rules == geometry["rules"]
        state = game.new_initial_state()
        for number in range(400):
            if number < 5 or number % 10 == 0 or state.is_terminal():
                check_told(state, json.loads(await seat.connection.ask("state planes")))
            if state.is_terminal():
                break
            while True:
                state.apply_action(numbers.choice(state.legal_actions()))
                if not state.chosen_actions():
                    break
            await seat.connection.ask(f"play {state.moves[-1]}")

    async def compare_all(rules: list[str]) -> None:
        async with await aio.connect(server.address) as client:
            seat = await client._link.sit()
            for one in rules:
                await compare(seat, one)

    rules = list(all_rules(server))
    assert len({name.partition(" ")[0] for name in rules}) == len(GAMES) < len(rules)
    server._loop.run(compare_all(rules))


def test_the_history_however_it_came_about() -> None:
    numbers = random.Random(3)
    for rules in "amazons size=8", "fanorona", "chinesecheckers", "connect4":
        game = pitboss.Game(rules)
        state, chosen = game.new_initial_state(), list[tuple[int, int]]()
        for _ in range(60):
            if state.is_terminal():
                break
            way = numbers.choice(["action", "move", "undo"])
            if way == "undo" and chosen:
                state.undo_action()
                chosen.pop()
            elif way == "move" and not state.chosen_actions():
                move, player = numbers.choice(state.legal_moves()), state.current_player()
                chosen += [(player, action) for action in state.move_to_actions(move)]
                state.apply_move(move)
            else:
                chosen.append((state.current_player(), numbers.choice(state.legal_actions())))
                state.apply_action(chosen[-1][1])
            state = numbers.choice([state, state.clone(), pickle.loads(pickle.dumps(state))])
            assert state.full_history() == chosen and state.move_number() == len(chosen)
            assert state.is_initial_state() == (not chosen)


def test_probabilities_of_actions() -> None:
    for rules in "amazons size=8", "connect4":
        state = pitboss.Game(rules).new_initial_state()
        moves = state.legal_moves()
        probabilities = state.action_probabilities({move: 1 / len(moves) for move in moves})
        assert abs(sum(probabilities) - 1) < 1e-9
        assert [action for action, p in enumerate(probabilities) if p] == state.legal_actions()
        with pytest.raises(ValueError):
            state.action_probabilities({"z99": 1.0})


AGAIN = """
import importlib, sys
import pitboss
from pitboss import _rules
state = _rules.State("connect4")
several = _rules.States([state])
del sys.modules["pitboss._rules"], pitboss._rules
again = importlib.import_module("pitboss._rules")
assert again.State is _rules.State and again.States is _rules.States
again.States([state, several.at(0)])
"""
ELSEWHERE = """
import pitboss._rules
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
failed = interpreters.run_string(other, '''
import pitboss
try:
    import pitboss._rules
except ImportError as error:
    assert "one interpreter" in str(error), error
else:
    raise AssertionError("imported")
''')
assert failed is None, failed
"""
FORKED = """
import os, threading
import pitboss
game = pitboss.Game("breakthrough")
def play():
    while True:
        game.new_initial_state().playouts(100, 1)
for _ in range(3):
    threading.Thread(target=play, daemon=True).start()
for size in range(200):
    child = os.fork()
    if child == 0:
        pitboss.Game(f"hex size={3 + size % 9}").new_initial_state().playouts(1, 1)
        game.new_initial_state().playouts(1, 1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
os._exit(0)
"""


@pytest.mark.parametrize("script", [AGAIN, ELSEWHERE, FORKED])
def test_imports_interpreters_and_forks(script: str) -> None:
    subprocess.run([sys.executable, "-c", script], check=True, timeout=PATIENCE)
