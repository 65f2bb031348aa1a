"""A game of each kind, move by move, as tests/golden/playthroughs has it: rules, action numbers and strings that
change would break saved states and learned policies. PITBOSS_UPDATE_PLAYTHROUGHS=1 writes the files anew."""

import os
import zlib
from collections.abc import Iterator
from pathlib import Path

import pitboss
import pytest
from client_daemon_test import GAMES

FOLDER = Path(__file__).parents[2] / "golden" / "playthroughs"
MOST_ACTIONS = 60


def packed(state: pitboss.State) -> bytes:
    """The planes, eight bits a byte."""
    bits = "".join(map(str, state.planes().cast("B")))
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def playthrough(game: pitboss.Game) -> Iterator[str]:
    """Facts of the game, then a line a state: the position, the player, how many actions, a sum over the texts
    of all of them, and the one that is chosen."""
    yield f"game {game.rules}; colours {' '.join(game.colours)}; actions {game.num_distinct_actions()}"
    yield f"planes {game.observation_tensor_shape()}"
    state = game.new_initial_state()
    for number in range(MOST_ACTIONS):
        actions = state.legal_actions()
        texts = [f"{action}={state.action_to_string(action)}" for action in actions]
        chosen = actions[number * 37 % len(actions)] if actions else None
        what = "end" if chosen is None else f"{chosen}={state.action_to_string(chosen)}"
        sums = f"{len(actions)} {zlib.crc32(' '.join(texts).encode()):08x} {zlib.crc32(packed(state)):08x}"
        yield f"{state.position} | {state.current_player()} | {sums} | {what}"
        if chosen is None:
            break
        state.apply_action(chosen)
    yield f"returns {state.returns()}; {state.result()}"


@pytest.mark.parametrize("name", [*GAMES, "rolit players=4", "hex size=5 swap=on"])
def test_the_game_goes_as_before(name: str) -> None:
    lines = list(playthrough(pitboss.Game(name)))
    path = FOLDER / f"{name.replace(' ', '-')}.txt"
    if "PITBOSS_UPDATE_PLAYTHROUGHS" in os.environ:
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    assert lines == path.read_text().splitlines()
