"""What tuners of others lose on the landscapes of tuner_bench (docs/results/tuners.md).

    python3 tests/bench/outside_tuners.py build/release/bin/tuner_bench --runs 40 --games 3000 \\
        --tuners tpe,tbpsa,smac --landscapes narrow,ridge

Needs optuna, nevergrad and smac from PyPI, of which only those that are named are imported. Each
tuner asks for a point of the landscape's cube, plays its games by `tuner_bench engine`, and is told
the score. It prints a line for each tuner and landscape: the mean loss of the answer in Elo, half
of its 95 % interval, and the seconds of a run.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import time
import warnings
from collections.abc import Callable, Sequence

PARAMETERS = {
    "hill": 1,
    "ridge": 2,
    "narrow": 3,
    "flat": 2,
    "edge": 2,
    "two hills": 2,
    "draws": 2,
    "four": 4,
    "six": 6,
    "choice": 2,
}
# Openings of a point that is tried to the end; two games each.
OPENINGS = 12


class Engine:
    """A landscape's engine, with the budget of games that a tuner may play."""

    def __init__(self, bench: str, landscape: str, seed: int, games: int) -> None:
        self.size = PARAMETERS[landscape]
        self.openings = games // 2
        self._process = subprocess.Popen(
            [bench, "engine", landscape, str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _ask(self, word: str, point: Sequence[float]) -> float:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{word} {' '.join(map(str, point))}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def score(self, point: Sequence[float], opening: int) -> float:
        """Points per game of both games of an opening."""
        self.openings -= 1
        return self._ask(str(opening), point) / 2

    def loss(self, point: Sequence[float]) -> float:
        return self._ask("elo", point)

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def tpe(engine: Engine, seed: int) -> list[float]:
    """Optuna's TPE, whose Wilcoxon pruner ends trials that lose on the same openings."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True),
        pruner=optuna.pruners.WilcoxonPruner(p_threshold=0.1),
    )
    while engine.openings >= OPENINGS:
        trial = study.ask()
        point = [trial.suggest_float(f"u{i}", 0, 1) for i in range(engine.size)]
        scores: list[float] = []
        is_pruned = False
        for opening in range(OPENINGS):
            scores.append(engine.score(point, opening))
            trial.report(scores[-1], opening)
            is_pruned = trial.should_prune()
            if is_pruned:
                break
        # As the pruner's documentation has it: a pruned trial tells its mean.
        study.tell(trial, statistics.fmean(scores))
    return [study.best_params[f"u{i}"] for i in range(engine.size)]


def tbpsa(engine: Engine, seed: int) -> list[float]:
    """nevergrad's TBPSA, which is made for noise: its population grows, and its mean answers."""
    import nevergrad

    space = nevergrad.p.Array(shape=(engine.size,), lower=0, upper=1)
    space.random_state.seed(seed)
    tuner = nevergrad.optimizers.registry["TBPSA"](
        parametrization=space, budget=engine.openings
    )
    opening = 0
    while engine.openings > 0:
        asked = tuner.ask()
        tuner.tell(asked, 1 - engine.score(asked.value, opening))
        opening += 1
    return list(tuner.provide_recommendation().value)


def smac(engine: Engine, seed: int) -> list[float]:
    """SMAC3's random forest, whose intensifier repeats on more seeds before it believes."""
    import ConfigSpace
    import smac as smac3

    space = ConfigSpace.ConfigurationSpace(seed=seed)
    names = [f"u{i}" for i in range(engine.size)]
    space.add([ConfigSpace.Float(name, (0.0, 1.0)) for name in names])
    openings = 2  # of a trial
    scenario = smac3.Scenario(
        space, n_trials=engine.openings // openings, seed=seed, deterministic=False
    )
    facade = smac3.HyperparameterOptimizationFacade

    def play(config: ConfigSpace.Configuration, seed: int = 0) -> float:
        point = [float(config[name]) for name in names]
        return 1 - statistics.fmean(
            engine.score(point, (seed + i) % 100_000) for i in range(openings)
        )

    tuner = facade(
        scenario,
        play,
        intensifier=facade.get_intensifier(
            scenario, max_config_calls=OPENINGS // openings
        ),
        logging_level=False,
        overwrite=True,
    )
    answer = tuner.optimize()
    assert not isinstance(answer, list)
    return [float(answer[name]) for name in names]


TUNERS: dict[str, Callable[[Engine, int], list[float]]] = {
    "tpe": tpe,
    "tbpsa": tbpsa,
    "smac": smac,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bench")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--tuners", default=",".join(TUNERS))
    parser.add_argument("--landscapes", default=",".join(PARAMETERS))
    words = parser.parse_args()
    warnings.simplefilter("ignore")
    for landscape in words.landscapes.split(","):
        for name in words.tuners.split(","):
            losses: list[float] = []
            begin = time.process_time()
            for seed in range(1, words.runs + 1):
                engine = Engine(words.bench, landscape, seed, words.games)
                losses.append(engine.loss(TUNERS[name](engine, seed)))
                engine.close()
            seconds = (time.process_time() - begin) / words.runs
            spread = statistics.stdev(losses) if words.runs > 1 else math.nan
            half = 1.96 * spread / math.sqrt(words.runs)
            print(
                f"{landscape:10} {name:6} {statistics.fmean(losses):8.2f} {half:6.2f} "
                f"{seconds:8.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
