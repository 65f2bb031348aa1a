"""OpenSpiel's rules against the server's, in the games that both have, and the engine as OpenSpiel's bot."""

import random
from collections.abc import Iterator

import numpy as np
import pitboss
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots, mcts, minimax
from open_spiel.python.observation import make_observation
from pitboss.openspiel import Bot, Game, GTPBot, Translation, rules
from pitboss.programs import find_program

GAMES = [
    "connect_four",
    "othello",
    "breakthrough",
    "breakthrough(rows=6,columns=6)",
    "hex(board_size=7)",
    "amazons",
    "gomoku(size=9)",
    "mnk(m=7,n=7,k=5)",
]


@pytest.fixture(scope="module")
def server() -> Iterator[pitboss.Server]:
    with pitboss.launch(workers=1) as server:
        yield server


@pytest.mark.parametrize("name", GAMES)
def test_the_same_moves_and_returns(name: str) -> None:
    """100 random games, compared at every ply."""
    numbers = random.Random(name)
    theirs = pyspiel.load_game(name)
    translation = Translation(theirs)
    game = pitboss.Game(rules(theirs))
    for number in range(100):
        state = theirs.new_initial_state()
        ours, begun = translation.ours(game, state)
        possible = [translation.pieces(move) for move in ours.legal_moves()]
        while not state.is_terminal():
            actions = translation.actions(state)
            assert actions.keys() == {move[len(begun)] for move in possible}
            piece, action = numbers.choice(list(actions.items()))
            state.apply_action(action)
            possible = [move for move in possible if move[len(begun)] == piece]
            ours, begun = translation.follow(ours, begun, [action])
            if not begun:
                possible = [translation.pieces(move) for move in ours.legal_moves()]
        while name == "othello" and ours.legal_moves() == ["pass"]:
            ours.apply_move("pass")
        assert ours.is_terminal() and not begun
        assert ours.returns() == state.returns()
        if number % 10 == 0:
            assert translation.theirs(ours).history() == state.history()


def test_both_begin_at_the_initial_position() -> None:
    game = pitboss.Game("breakthrough size=8")
    later = game.new_initial_state().child(game.new_initial_state().legal_actions()[0])
    with pytest.raises(ValueError, match="initial position"):
        Translation(pyspiel.load_game("breakthrough")).theirs(game.state(later.position))


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_gtp_bot(server: pitboss.Server, name: str) -> None:
    game = pyspiel.load_game(name)
    command = [find_program("pitboss"), "gtp", "--connect", server.address, "--game", rules(game)]
    bot = GTPBot(game, [*command, "--set", "simulations=100"])
    try:
        for seat in range(2):
            bots = [bot, pyspiel.make_uniform_random_bot(1 - seat, 3)][:: 1 - 2 * seat]
            assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)[seat] == 1.0
        state = game.new_initial_state()
        for _ in range(3):  # a move of amazons
            state.apply_action(state.legal_actions()[0])
        bot.restart_at(state)
        assert bot.step(state) in state.legal_actions()
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
    "name",
    [
        "tic_tac_toe",
        "breakthrough(rows=6,columns=7)",
        "breakthrough(rows=5,columns=5)",
        "hex(board_size=2)",
    ],
)
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Pitboss does not have"):
        rules(pyspiel.load_game(name))


def test_a_state_of_another_game_is_refused(server: pitboss.Server) -> None:
    with Bot(server, pyspiel.load_game("hex(board_size=5)")) as bot:
        for other in "hex(board_size=11)", "tic_tac_toe":
            with pytest.raises(ValueError, match="this bot plays hex"):
                bot.step(pyspiel.load_game(other).new_initial_state())


def own_mcts(game: Game, simulations: int) -> mcts.MCTSBot:
    numbers = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, numbers)
    return mcts.MCTSBot(game, 2, simulations, evaluator, random_state=numbers)


@pytest.mark.parametrize("name", ["connect4", "amazons size=8", "yavalath", "rolit players=3"])
def test_openspiels_algorithms_take_our_games(name: str) -> None:
    game = Game(name)
    players = game.num_players()
    bots = [own_mcts(game, 10), *(pyspiel.make_uniform_random_bot(n, 7) for n in range(1, players))]
    for returns in (
        pyspiel.evaluate_bots(game.new_initial_state(), bots, 3),
        evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random),
    ):
        assert len(returns) == players and abs(sum(returns)) < 1e-9
    loaded = pyspiel.load_game("pitboss", {"rules": name})
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=False, verbose=False)
    observation = make_observation(game)
    observation.set_from(game.new_initial_state(), 0)
    assert (observation.tensor == game.ours.new_initial_state().observation_tensor()).all()


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_mcts_plays_our_engine(server: pitboss.Server, name: str) -> None:
    game = pyspiel.load_game(name)
    for seat in range(2):
        numbers = np.random.RandomState(seat)
        evaluator = mcts.RandomRolloutEvaluator(1, numbers)
        with Bot(server, game, simulations=200) as ours:
            theirs = mcts.MCTSBot(game, 2, 5, evaluator, random_state=numbers)
            bots = [ours, theirs][:: 1 - 2 * seat]
            returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, numbers)
        assert returns[seat] == 1.0


def test_openspiels_searches_find_a_win() -> None:
    game = Game("connect4")
    state = game.new_initial_state("......./......./......./......./OOO..../XXX.... b")
    assert own_mcts(game, 200).step(state) == 3
    assert minimax.alpha_beta_search(game, state, lambda _: 0.0, 3) == (1.0, 3)
