"""The client for code that waits: each object has a twin in `pitboss.aio`, which does the work."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Never

from . import aio
from .aio.engine import blocks_of
from .address import DEFAULT
from .background import Background, background
from .limit import Limit
from .options import Option
from .programs import Daemon
from .record import Record
from .result import Evaluation, Report, Result, Truth
from .state import Game, State


def connect(
    address: str = DEFAULT,
    *,
    token: str | None = None,
    token_file: str | os.PathLike[str] | None = None,
    ca_file: str | os.PathLike[str] | None = None,
    timeout: float = 30,
) -> Server:
    """Connects to `HOST:PORT` or `tls://HOST:PORT`. `timeout` seconds bound every command that is answered at
    once. Raises ValueError for what is no address, ServerGone, Timeout, AuthError, Busy, VersionMismatch.
    """
    loop = background()
    return Server(
        loop,
        loop.run(
            aio.connect(
                address, token=token, token_file=token_file, ca_file=ca_file, timeout=timeout
            )
        ),
    )


def launch(
    *, workers: int | None = None, networks: str | os.PathLike[str] | None = None, **flags: Any
) -> Server:
    """Starts a daemon of this machine's Pitboss on a free port, for this process alone, and connects. It has the
    networks and features that come with Pitboss, unless others are named. Further flags are those of pitbossd
    (`tree_mb_limit=64` for --tree-mb-limit 64). Raises PitbossError with what pitbossd says if it does not start.
    """
    loop = background()
    return Server(loop, loop.run(aio.launch(workers=workers, networks=networks, **flags)))


class Server:
    """A connection to a server. May be used by several threads. Close it, or use it in `with`."""

    def __init__(self, loop: Background, twin: aio.Server) -> None:
        self._loop = loop
        self._twin = twin
        loop.close_at_exit(self)

    @property
    def address(self) -> str:
        """`HOST:PORT`, perhaps after `tls://`."""
        return self._twin.address

    @property
    def daemon(self) -> Daemon | None:
        """That which `launch` has started."""
        return self._twin.daemon

    @property
    def version(self) -> str:
        """Of the server's program."""
        return self._twin.version

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._twin.is_closed

    def games(self) -> list[str]:
        """The names of the games."""
        return self._loop.run(self._twin.games())

    def ping(self) -> float:
        """Seconds to the server and back."""
        return self._loop.run(self._twin.ping())

    def stats(self) -> dict[str, Any]:
        """What the server counts; needs the right admin."""
        return self._loop.run(self._twin.stats())

    def tables(self) -> list[aio.TableInfo]:
        """The tables with names."""
        return self._loop.run(self._twin.tables())

    def game(self, rules: str) -> Game:
        """The same as `pitboss.Game(rules)`, which needs no server."""
        return Game(rules)

    def read_record(
        self,
        record: str | bytes | os.PathLike[str],
        number: int | None = None,
        *,
        game: str = "connect4",
    ) -> Record:
        """The game of a record in SGF, GGF or PSQ: a text, a file's path or its bytes; of several games the one
        of that number, from 1. A record that does not tell its game is read as one of `game`."""
        return self._loop.run(self._twin.read_record(record, number, game=game))

    def truth(self, state: State, seconds: float = 10) -> Truth:
        """What each legal move comes to, as far as the server's exact solver finds it in so many seconds.
        Raises CommandError for a game that has none."""
        return self._loop.run(self._twin.truth(state, seconds))

    def engine(self, game: str, *, name: str | None = None, **options: Any) -> Engine:
        """A new table with a game and a search, and options set there, which Engine.options lists (docs/options.md).
        With a name others can attach to it, and it is found again when the connection is lost."""
        return Engine(
            self, self._loop, self._loop.run(self._twin.engine(game, name=name, **options))
        )

    def attach(self, name: str) -> Engine:
        """Sits down at a table that is there, with its game and options."""
        return Engine(self, self._loop, self._loop.run(self._twin.attach(name)))

    def close(self) -> None:
        """Ends all its connections, and a daemon that `launch` has started."""
        self._loop.run(self._twin.close())

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._twin)

    def __reduce__(self) -> Never:
        raise TypeError("a server is not pickled: connect in the process that is to use it")


class Engine:
    """A search at a table. One command at a time: others wait for it, but end an analysis. States are the
    caller's: no method changes one."""

    def __init__(self, server: Server, loop: Background, twin: aio.Engine) -> None:
        self.server = server  # which must not be collected before its engines
        self._loop = loop
        self._twin = twin

    @property
    def name(self) -> str | None:
        """Of the table, if it has one."""
        return self._twin.name

    @property
    def game(self) -> Game:
        """That the table has."""
        return self._twin.game

    @property
    def options(self) -> Mapping[str, Option]:
        """The options of the search by name, with the values that hold between calls. `configure` sets them; this
        mapping cannot be changed."""
        return self._twin.options

    def configure(self, **options: Any) -> None:
        """Sets options, all or none, for all later calls. Waits for a search that runs, and ends an analysis:
        `Analysis.set` changes one. Raises UnknownOption or BadValue with the server's advice for a name or value
        that it does not take. Setting a time (`movetime`, `cputime`) lifts the server's default bound of simulations.
        """
        self._loop.run(self._twin.configure(**options))

    @contextmanager
    def configured(self, **options: Any) -> Iterator[Engine]:
        """Inside, these options hold; afterwards those from before."""
        twin = self._twin.configured(**options)
        self._loop.run(twin.__aenter__())
        try:
            yield self
        finally:
            self._loop.run(twin.__aexit__(None, None, None))

    def play(
        self, state: State, limit: Limit = Limit(), *, options: Mapping[str, Any] = {}
    ) -> Result:
        """Searches a move as in a game: by a clock, and with pondering, if the limit or the options say so. The
        state stays as it is; state.apply_move(result.move) plays the move.
        Ctrl-C interrupts the search."""
        return self._loop.run(self._twin.play(state, limit, options=options))

    def analyse(
        self, state: State, limit: Limit = Limit(), *, options: Mapping[str, Any] = {}
    ) -> Result:
        """Searches a move without pondering afterwards."""
        return self._loop.run(self._twin.analyse(state, limit, options=options))

    def simulate(self, state: State, count: int = 1, *, options: Mapping[str, Any] = {}) -> Result:
        """Continues the search of the state, or begins one, by 1 to 1000 simulations in one thread. The result
        tells the `paths` of the last 100 of them."""
        return self._loop.run(self._twin.simulate(state, count, options=options))

    def last_search(self, *moves: str) -> Result:
        """What the table's last search has found below these moves, played from the state that it searched.
        Raises CommandError if its tree does not have that position (any more)."""
        return self._loop.run(self._twin.last_search(*moves))

    def analysis(
        self,
        state: State,
        limit: Limit | None = None,
        *,
        every: float = 0.2,
        allow: Sequence[str] = (),
        avoid: Sequence[str] = (),
        options: Mapping[str, Any] = {},
        lossless: int = 0,
    ) -> Analysis:
        """Begins an analysis: reports every so many seconds, until it is stopped or has reached the limit.
        `allow` and `avoid` are moves. Iterating gives the newest report; with `lossless` all of them, of which
        so many may wait, or the analysis fails."""
        twin = self._twin.analysis(
            state,
            limit,
            every=every,
            allow=allow,
            avoid=avoid,
            options=options,
            lossless=lossless,
        )
        return Analysis(self._loop, self._loop.run(twin))

    def map(
        self, states: Iterable[State], limit: Limit = Limit(), *, concurrency: int = 8
    ) -> Iterator[tuple[int, Result | Exception]]:
        """Searches many states, so many at once, each at a table of its own with this engine's options. Gives
        the place in `states` and the result, or the PitbossError in its stead, in the order in which they end.
        Leaving the iteration ends the searches that run."""
        return self._loop.each(self._twin.map(list(states), limit, concurrency=concurrency))

    def evaluate(self, states: Iterable[State]) -> list[Evaluation]:
        """What the evaluator of the options says of each state, without a search. Raises ValueError for a state in
        which the game is over."""
        return self._loop.run(self._twin.evaluate(list(states)))

    def evaluate_many(self, states: Iterable[State]) -> Iterator[Evaluation]:
        """The same of as many states as come, in their order: 64 at a time are read and evaluated, the next when
        those are taken."""
        # They are read in the caller's thread, which may wait or use an engine.
        for first, some in blocks_of(states):
            yield from self._loop.run(self._twin._evaluate(some, first))

    def truth(self, state: State, seconds: float = 10) -> Truth:
        """As `Server.truth`."""
        return self._loop.run(self._twin.truth(state, seconds))

    def close(self) -> None:
        """Leaves the table, which ends unless it has a name."""
        self._loop.run(self._twin.close())

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._twin)

    def __reduce__(self) -> Never:
        raise TypeError("an engine is not pickled: connect in the process that is to use it")


class Analysis:
    """An analysis that runs. Iterate over it for reports; `with` stops it at the end."""

    def __init__(self, loop: Background, twin: aio.Analysis) -> None:
        self._loop = loop
        self._twin = twin

    def __del__(self) -> None:
        if self._twin.is_running:
            warnings.warn(f"{self!r} was not stopped", ResourceWarning, source=self)
            self._loop.begin(self._twin.stop())

    @property
    def state(self) -> State:
        """The position that is analysed."""
        return self._twin.state

    def __iter__(self) -> Analysis:
        return self

    def __next__(self) -> Report:
        """The next report. Raises what made the analysis fail."""
        try:
            return self._loop.run(self._twin.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    @property
    def is_running(self) -> bool:
        """Whether more reports may come."""
        return self._twin.is_running

    def set(self, **options: Any) -> str:
        """Sets options for the rest of this analysis, live ones at once; the server's word on when they are in
        force. Raises as `Engine.configure`."""
        return self._loop.run(self._twin.set(**options))

    def stop(self) -> None:
        """Ends the analysis, if it runs, and waits for the end."""
        self._loop.run(self._twin.stop())

    def result(self) -> Report:
        """The last report, when the limit is reached; without a limit it stops the analysis. Raises what made
        it fail."""
        return self._loop.run(self._twin.result())

    def __repr__(self) -> str:
        return repr(self._twin)

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
