"""Options as parameters of a study."""

import dataclasses

import optuna
import pitboss
import pytest
from pitboss.optuna import suggest

pytestmark = pytest.mark.smoke


def test_options_become_parameters() -> None:
    with pitboss.launch(workers=1) as server, server.engine("connect4") as engine:
        options = engine.options
        narrow = options | {"k": dataclasses.replace(options["k"], min=0.05, max=2.0)}
        names = ["k", "alpha", "solver", "novelty", "in_flight", "kr"]
        study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
        for _ in range(5):
            trial = study.ask()
            values = suggest(trial, narrow, names)
            with engine.configured(**values):  # the server takes them all
                assert {name: engine.options[name].value for name in names} == values
            study.tell(trial, 0.5)
        kinds = study.trials[0].distributions
        assert kinds["k"] == optuna.distributions.FloatDistribution(0.05, 2.0, log=True)
        assert kinds["alpha"] == optuna.distributions.FloatDistribution(0, 1000)
        assert kinds["in_flight"] == optuna.distributions.IntDistribution(1, 256, log=True)
        assert kinds["solver"] == optuna.distributions.CategoricalDistribution((False, True))
        for name, reason in ("network", "without a range"), ("omega", "no option"):
            with pytest.raises(ValueError, match=reason):
                suggest(study.ask(), options, [name])
