"""OpenSpiel's rules against the server's, in the five games that both have, and the engine as OpenSpiel's bot."""

import random
from collections.abc import Iterator

import pitboss
import pyspiel
import pytest
from open_spiel.python.bots.gtp import GTPBot
from pitboss.openspiel import Bot, Translation, rules
from pitboss.programs import find_program

GAMES = ["connect_four", "othello", "breakthrough", "hex(board_size=7)", "amazons"]
GAMES_EACH = {"amazons": 10}  # a hundred actions and more a game, of a thousand choices


@pytest.fixture(scope="module")
def server() -> Iterator[pitboss.Server]:
    with pitboss.launch(workers=1) as server:
        yield server


@pytest.mark.parametrize("name", GAMES)
def test_the_same_moves_and_returns(server: pitboss.Server, name: str) -> None:
    numbers = random.Random(name)
    theirs = pyspiel.load_game(name)
    translation = Translation(theirs, server.game(rules(theirs)))
    for _ in range(GAMES_EACH.get(name, 100)):
        state = theirs.new_initial_state()
        ours, begun = translation.state(state)
        while not state.is_terminal():
            open_moves = map(translation.pieces, ours.legal_moves())
            possible = {move[len(begun)] for move in open_moves if move[: len(begun)] == begun}
            assert set(translation.actions(state)) == possible
            action = numbers.choice(state.legal_actions())
            state.apply_action(action)
            ours, begun = translation.follow(ours, begun, [action])
        while name == "othello" and ours.legal_moves() == ["pass"]:
            ours.apply_move("pass")
        assert ours.is_terminal() and not begun
        assert ours.returns() == state.returns()


def test_openspiels_own_gtp_bot(server: pitboss.Server) -> None:
    """In hex, the one game of the five whose points and colours both programs call the same."""
    game = pyspiel.load_game("hex(board_size=7)")
    command = [find_program("pitboss"), "gtp", "--connect", server.address, "--game", "hex size=7"]
    bot = GTPBot(game, [*command, "--set", "simulations=200"])
    try:
        for seat in range(2):
            bots = [bot, pyspiel.make_uniform_random_bot(1 - seat, 3)][:: 1 - 2 * seat]
            assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)[seat] == 1.0
    finally:
        bot.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_beats_chance(server: pitboss.Server, name: str) -> None:
    game = pyspiel.load_game(name)
    bot = Bot(server, game, pitboss.Limit(simulations=200))
    for seat in range(2):
        bots = [bot, pyspiel.make_uniform_random_bot(1 - seat, 3)][:: 1 - 2 * seat]
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 5)
        assert returns[seat] == 1.0, (name, seat)


def test_a_bot_goes_on_from_any_state(server: pitboss.Server) -> None:
    game = pyspiel.load_game("amazons")
    bot = Bot(server, game, simulations=50)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])  # somebody else has chosen the amazon
    for _ in range(5):
        policy, action = bot.step_with_policy(state)
        assert dict(policy)[action] == 1.0
        state.apply_action(action)
    bot.restart_at(game.new_initial_state())
    assert bot.step(game.new_initial_state()) in game.new_initial_state().legal_actions()


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "breakthrough(rows=6,columns=7)", "hex(board_size=2)"]
)
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Pitboss does not have"):
        rules(pyspiel.load_game(name))
