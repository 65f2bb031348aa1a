"""Two configurations of a search play each other. The figure shows what each thinks of the first one's chances, turn by
turn: python self_play.py --game othello --games 10 --simulations 1000 --figure values.png"""

import argparse

import matplotlib.pyplot as plt
import pitboss

CONFIGURATIONS = {
    "novelty": {"preset": "reference", "novelty": "pseudocount", "k": 0.3, "alpha": 0.02},
    "plain": {"preset": "reference", "novelty": "none"},
}

words = argparse.ArgumentParser(description=__doc__)
words.add_argument("--game", default="othello")
words.add_argument("--games", type=int, default=10)
words.add_argument("--simulations", type=int, default=1000)
words.add_argument("--figure", default="values.png")
arguments = words.parse_args()

first, second = CONFIGURATIONS
limit = pitboss.Limit(simulations=arguments.simulations)
figure, axes = plt.subplots()
points = 0.0
with pitboss.launch() as server:
    engines = {
        name: server.engine(arguments.game, **CONFIGURATIONS[name]) for name in CONFIGURATIONS
    }
    for number in range(arguments.games):
        seats = [first, second] if number % 2 == 0 else [second, first]  # black, white
        state = engines[first].game.new_initial_state()
        values: dict[str, list[tuple[int, float | None]]] = {name: [] for name in seats}
        while not state.is_terminal():
            name = seats[state.current_player()]
            result = engines[name].play(state, limit, options={"seed": number + 1})
            values[name].append((len(state.moves), result.value_of(seats.index(first))))
            state.apply_move(result.move)
        points += (1 + state.returns()[seats.index(first)]) / 2
        for name, color in zip(CONFIGURATIONS, ("tab:blue", "tab:orange")):
            turns, shares = zip(*values[name])
            axes.plot(turns, shares, color=color, alpha=0.5, label=name if number == 0 else None)
axes.set(xlabel="turn", ylabel=f"expected share of {first}", ylim=(0, 1), title=arguments.game)
axes.legend()
figure.savefig(arguments.figure)
print(f"{first} {points:g} of {arguments.games} points; {arguments.figure}")
