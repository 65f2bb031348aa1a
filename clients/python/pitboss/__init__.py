"""Pitboss in Python: play, analyse and steer searches on a server (docs/python.md).

    import pitboss

    with pitboss.launch() as server, server.engine("othello") as engine:
        state = engine.game.new_initial_state()
        print(engine.play(state, pitboss.Limit(simulations=1000)).move)

`import pitboss` needs the standard library alone. `pitboss.aio` is the same for code with `await`;
`pitboss.pettingzoo`, `pitboss.gymnasium`, `pitboss.openspiel` and `pitboss.optuna` are adapters, `pitboss.learn`
learns networks from games of self-play, and `pitboss.evaluator` evaluates positions for searches elsewhere."""

import os as _os
import typing as _typing

from .programs import built_folders as _built_folders

# Where the rules (_rules) are, if a build made them and not a wheel; as find_program looks for programs.
__path__ += (
    [_os.environ["PITBOSS_BIN"]] if "PITBOSS_BIN" in _os.environ else map(str, _built_folders())
)

from . import aio
from .blocking import Analysis, Engine, Server, connect, launch
from .errors import (
    AuthError,
    BadValue,
    Busy,
    ClosedError,
    CommandError,
    IllegalMove,
    PitbossError,
    RunFailed,
    ServerGone,
    Timeout,
    UnknownOption,
    VersionMismatch,
)
from .ledger import Progress, Results
from .limit import Limit
from .matches import Run, referee
from .options import Option
from .record import Record
from .result import Evaluation, ExactMove, Move, Report, Result, Simulation, Truth
from .state import TERMINAL, Game, State
from .version import VERSION as __version__

if _typing.TYPE_CHECKING:
    from .states import States as States

results = Results


if not _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """What needs NumPy is imported when it is asked for."""
        if name != "States":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from .states import States

        return States


__all__ = [
    "TERMINAL",
    "Analysis",
    "AuthError",
    "BadValue",
    "Busy",
    "ClosedError",
    "CommandError",
    "Engine",
    "Evaluation",
    "ExactMove",
    "Game",
    "IllegalMove",
    "Limit",
    "Move",
    "Option",
    "PitbossError",
    "Progress",
    "Record",
    "Report",
    "Result",
    "Results",
    "Run",
    "RunFailed",
    "Server",
    "ServerGone",
    "Simulation",
    "State",
    "Timeout",
    "Truth",
    "UnknownOption",
    "VersionMismatch",
    "aio",
    "connect",
    "launch",
    "referee",
    "results",
    "__version__",
]
