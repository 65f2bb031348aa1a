"""A search at a table of a server, for code with `await`."""

from __future__ import annotations

import asyncio
import json
import operator
import warnings
from collections import deque
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, Never, TypeVar

from ..errors import (
    BadValue,
    Busy,
    ClosedError,
    CommandError,
    PitbossError,
    ServerGone,
    Timeout,
    UnknownOption,
    command_error,
    reading,
)
from ..limit import Limit
from ..options import Option, option_text, read_options, switch_text
from ..result import Evaluation, Reader, Result, Truth, read_truth
from ..state import Game, State
from .analysis import Analysis
from .link import Link
from .seat import Seat

T = TypeVar("T")

_STATES_AT_ONCE = 64  # that are read before they are evaluated
# Characters of positions; no server can be told to take lines of fewer than 4096.
_LONGEST_LINE = 4000


def blocks_of(states: Iterable[State]) -> Iterator[tuple[int, list[State]]]:
    """As many as are evaluated together, with the number of the first one."""
    source = iter(states)
    first = 0
    while some := list(islice(source, _STATES_AT_ONCE)):
        yield first, some
        first += len(some)


def _lines_of(states: Iterable[State]) -> Iterator[list[str]]:
    """Their positions, as many as a line may have."""
    line: list[str] = []
    length = 0
    for state in states:
        position = state.position
        if line and length + len(position) > _LONGEST_LINE:
            yield line
            line, length = [], 0
        line.append(position)
        length += len(position) + len("; ")
    if line:
        yield line


class Engine:
    """One command at a time: others wait for it, but end an analysis. States are the caller's: no method
    changes one, and the table has whichever was asked about last."""

    def __init__(self, server: Any, link: Link, name: str | None) -> None:
        self.server = server  # the Server that it is of
        self.name = name  # of the table, if it has one
        self.game: Game  # that the table has
        self._link = link
        self._seat: Seat
        self._lock = asyncio.Lock()  # of the table
        self._door = asyncio.Lock()  # one at a time ends an analysis and waits for the table
        self._listed: dict[str, Option] = {}
        self._values: dict[str, str] = {}  # what holds at the table; empty if it is not known
        self._own: dict[str, str] = {}  # what holds there between calls
        self._analysis: Analysis | None = None
        self._has_clock = False  # at the table, or perhaps
        self._helpers: set[Engine] = set()  # of `map`
        self._free_helpers: list[Engine] = []
        self._is_closed = False

    @classmethod
    async def _open(
        cls,
        server: Any,
        link: Link,
        name: str | None,
        game: str | None,
        options: Mapping[str, Any],
    ) -> Engine:
        if name is not None and name.split() != [name]:
            raise ValueError("the name of a table is a word; None for a table without one")
        engine = cls(server, link, name)
        await engine._sit()
        try:
            if game is None:  # what is there may not have begun at the initial position
                engine.game = Game(engine._seat.rules)
            else:
                engine.game = Game(game)
                await engine._seat.begin(engine.game)
            await engine.configure(**options)
        except BaseException:
            await engine.close()
            raise
        return engine

    # --- options ---

    @property
    def options(self) -> Mapping[str, Option]:
        """The options of the search by name, with the values that hold between calls. `configure` sets them; this
        mapping cannot be changed."""
        own = {name: option.at(self._own[name]) for name, option in self._listed.items()}
        return MappingProxyType(own)

    async def configure(self, **options: Any) -> None:
        """Sets options, all or none, for all later calls. Waits for a search that runs, and ends an analysis:
        `Analysis.set` changes one. Raises UnknownOption or BadValue with the server's advice for a name or value
        that it does not take. Setting a time (`movetime`, `cputime`) lifts the server's default bound of simulations.
        """
        if not options:
            return
        wanted = self._texts(options)
        if wanted.keys() & {"movetime", "cputime"} and self._own["simulations"] == option_text(
            "simulations", self._listed["simulations"].default
        ):
            wanted.setdefault("simulations", "0")
        async with self._turn():
            await self._persistently(lambda: self._set_all(wanted))
            self._own = dict(self._values)

    @asynccontextmanager
    async def configured(self, **options: Any) -> AsyncIterator[Engine]:
        """Inside, these options hold; afterwards those from before."""
        before = dict(self._own)
        await self.configure(**options)
        try:
            yield self
        finally:
            await self.configure(**_differing(before, self._own))

    # --- searching ---

    async def play(
        self, state: State, limit: Limit = Limit(), *, options: Mapping[str, Any] = {}
    ) -> Result:
        """Searches a move as in a game: by a clock, and with pondering, if the limit or the options say so. The
        state stays as it is; state.apply_move(result.move) plays the move.
        A cancellation interrupts the search and returns when it has ended."""
        self._check(state)
        texts = self._texts(options)
        ponders = {**self._own, **texts}.get("ponder") == "true"
        if limit.clocks is None and not ponders:
            return await self.analyse(state, limit, options=options)
        clock = []
        if limit.clocks is not None:
            colour = _to_move(state)
            if colour not in limit.clocks:
                raise ValueError(f"the limit has no clock for {colour}, which is to move")
            seconds, increment = limit.clocks[colour]
            clock = [
                f"kata-time_settings fischer {seconds:.3f} {increment:.3f}",
                f"time_left {colour} {seconds:.3f} 0",
            ]

        async def move() -> Result:
            await self._set_all(self._own, {**texts, **limit.options()})
            return await self._move(state, clock)

        return await self._searching(move)

    async def analyse(
        self, state: State, limit: Limit = Limit(), *, options: Mapping[str, Any] = {}
    ) -> Result:
        """Searches a move without pondering afterwards."""
        self._check(state)
        _check_without_clocks(limit)
        texts = {**self._texts(options), **limit.options()}

        async def search() -> Result:
            await self._set_all(self._own, texts)
            async with self._clock() as clock:
                # to_move fails if the game is over, where the search would find nothing
                answers = await self._seat.ask_long(
                    state, ["to_move", *clock], "reg_genmove", ["last_search"]
                )
            with reading(self._link.address, "last_search"):
                return self._reader().result(json.loads(answers[-1]))

        return await self._searching(search)

    async def analysis(
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
        self._check(state)
        _check_without_clocks(limit or Limit())
        every, lossless = float(every), operator.index(lossless)
        if not 0.01 <= every <= 3600:
            raise ValueError(f"every must be 0.01 to 3600 seconds, not {every!r}")
        if lossless < 0:
            raise ValueError(f"lossless must be at least 0, not {lossless!r}")
        words = [f"analyze json {round(every * 100)}"]
        if allow or avoid:
            colour = _to_move(state)
            for word, moves in ("allow", allow), ("avoid", avoid):
                words += [f"{word} {colour} {','.join(moves)} 1"] if moves else []
        if limit is not None and limit.simulations is not None:
            words.append(f"simulations {limit.simulations}")
        if limit is not None and limit.time is not None:
            words.append(f"movetime {round(limit.time * 1000)}")
        texts = self._texts(options)

        async def begin() -> Analysis:
            await self._set_all(self._own, texts)
            analysis = Analysis(
                self._link,
                self._seat,
                limit or Limit(),
                lossless,
                self._reader(),
                self._set_live,
                self._lock.release,
            )
            await analysis._begin(state, " ".join(words))
            return analysis

        async with self._door:
            await self._enter()
            try:
                self._analysis = await self._persistently(begin)
            except BaseException:
                self._lock.release()
                raise
            return self._analysis

    async def simulate(
        self, state: State, count: int = 1, *, options: Mapping[str, Any] = {}
    ) -> Result:
        """Continues the search of the state, or begins one, by 1 to 1000 simulations in one thread. The result
        tells the `paths` of the last 100 of them."""
        self._check(state)
        texts = self._texts(options)

        async def simulate() -> Result:
            await self._set_all(self._own, texts)
            answers = await self._seat.ask_long(state, [], f"simulate {operator.index(count)}")
            with reading(self._link.address, "simulate"):
                return self._reader().result(json.loads(answers[-1]))

        return await self._searching(simulate)

    async def last_search(self, *moves: str) -> Result:
        """What the table's last search has found below these moves, played from the state that it searched.
        Raises CommandError if its tree does not have that position (any more)."""

        async def ask() -> Result:
            answer = await self._seat.connection.ask(" ".join(["last_search", *moves]))
            with reading(self._link.address, "last_search"):
                return self._reader().result(json.loads(answer))

        async with self._turn():
            return await self._persistently(ask)

    async def map(
        self, states: Iterable[State], limit: Limit = Limit(), *, concurrency: int = 8
    ) -> AsyncIterator[tuple[int, Result | Exception]]:
        """Searches many states, so many at once, each at a table of its own with this engine's options. Gives
        the place in `states` and the result, or the PitbossError in its stead, in the order in which they end.
        Leaving the iteration ends the searches that run."""
        self._check_open()
        concurrency = operator.index(concurrency)
        if concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, not {concurrency!r}")
        work = enumerate(states)
        ready: asyncio.Queue[tuple[int, Result | Exception] | BaseException | None] = asyncio.Queue(
            concurrency
        )
        own = dict(self._own)

        async def helper() -> None:
            engine: Engine | None = None
            try:
                for place, state in work:
                    try:
                        engine = engine or await self._helper(own)
                        await ready.put((place, await engine.analyse(state, limit)))
                    except PitbossError as error:
                        await ready.put((place, error))
                        if isinstance(error, (ServerGone, Timeout)) and engine is not None:
                            await engine.close()
                            self._helpers.discard(engine)
                            engine = None
                await ready.put(None)
            except Exception as error:
                await ready.put(error)
            finally:
                if engine is not None:
                    self._free_helpers.append(engine)

        helpers = [asyncio.create_task(helper()) for _ in range(concurrency)]
        try:
            at_work = concurrency
            while at_work:
                answer = await ready.get()
                if isinstance(answer, BaseException):
                    raise answer
                if answer is None:
                    at_work -= 1
                else:
                    yield answer
        finally:
            for task in helpers:
                task.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)

    async def evaluate(self, states: Iterable[State]) -> list[Evaluation]:
        """What the evaluator of the options says of each state, without a search. Raises ValueError for a state in
        which the game is over."""
        return await self._evaluate(list(states), 0)

    async def evaluate_many(self, states: Iterable[State]) -> AsyncIterator[Evaluation]:
        """The same of as many states as come, in their order: 64 at a time are read and evaluated, the next when
        those are taken."""
        for first, some in blocks_of(states):
            for evaluation in await self._evaluate(some, first):
                yield evaluation

    async def truth(self, state: State, seconds: float = 10) -> Truth:
        """What each legal move comes to, as far as the server's exact solver finds it in so many seconds.
        Raises CommandError for a game that has none."""
        self._check(state)
        async with self._turn(), self._link.watched():

            async def ask() -> Truth:
                await self._set_all(self._own)
                try:
                    request = self._seat.send(state, [f"truth {float(seconds):.3f}"])[-1]
                    await self._seat.connection.answer_of_long(request)
                except BaseException:
                    self._seat.forget()
                    raise
                with reading(self._link.address, "truth"):
                    return read_truth(json.loads(request.answer.result()))

            return await self._persistently(ask)

    # --- ending ---

    async def close(self) -> None:
        """Leaves the table, which ends unless it has a name."""
        self._is_closed = True
        if self._analysis is not None:
            await self._analysis.stop()
        for helper in list(self._helpers):
            await helper.close()
        self._helpers.clear()
        self._free_helpers.clear()
        with suppress(PitbossError):
            await self._seat.take_name_back()
        await self._link.leave(self._seat)

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __del__(self) -> None:
        if (
            self._is_closed
            or not hasattr(self, "_seat")
            or self._seat.connection.closed is not None
        ):
            return
        warnings.warn(f"{self!r} was not closed", ResourceWarning, source=self)
        self._seat.connection.drop()

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name else ""
        game = f"{self.game.rules!r}" if hasattr(self, "game") else "..."
        return f"Engine({game}{name}, server={self._link.address!r})"

    def __reduce__(self) -> Never:
        raise TypeError("an engine is not pickled: connect in the process that is to use it")

    # --- inside ---

    def _reader(self) -> Reader:
        return Reader(self.game.colours, self._listed)

    async def _move(self, state: State, clock: Sequence[str]) -> Result:
        """Has the table search a move and play it. Another line would end pondering: the search tells with its
        move what `last_search` would tell."""
        told: deque[str] = deque(maxlen=2)
        line = "genmove_analyze json 360000 minmoves 9999"
        address = self._link.address
        async with self._clock(clock) as lines:
            await self._seat.ask_long(state, ["to_move", *lines], line, on_line=told.append)
        try:
            if told[-1].startswith("error: "):
                raise command_error(address, line, told[-1].removeprefix("error: "))
            with reading(address, line):
                report, played = told
                result = self._reader().result(self._seat.json(line, report))
                self._seat.has_played(played.removeprefix("play "))
        except PitbossError:
            self._seat.forget()
            raise
        return result

    @asynccontextmanager
    async def _clock(self, lines: Sequence[str] = ()) -> AsyncIterator[Sequence[str]]:
        """What sets the table's clock so, which a search inside is to say first; nothing where it is set so."""
        had_one = self._has_clock
        self._has_clock = had_one or bool(lines)
        yield lines or ["kata-time_settings none"] * had_one
        self._has_clock = bool(lines)

    async def _searching(self, search: Callable[[], Awaitable[Result]]) -> Result:
        """Does the work of a search."""
        async with self._turn(), self._link.watched():
            return await self._persistently(search)

    async def _evaluate(self, states: Sequence[State], first: int) -> list[Evaluation]:
        """`first` is the number of the first one for whom they are evaluated."""
        for number, state in enumerate(states, first):
            self._check(state)
            if state.is_terminal():
                raise ValueError(f"state {number}, from 0: the game is over")
        async with self._turn(), self._link.watched():
            out: list[Evaluation] = []
            for positions in _lines_of(states):
                out += await self._persistently(partial(self._ask_evaluations, positions))
        return out

    async def _ask_evaluations(self, positions: Sequence[str]) -> list[Evaluation]:
        await self._set_all(self._own)
        try:
            request = self._seat.send_in_game(self.game, "evaluate_many " + "; ".join(positions))
            answer = await self._seat.connection.answer_of_long(request)
        except BaseException:
            self._seat.forget()
            raise
        with reading(self._link.address, "evaluate_many"):
            reader = self._reader()
            evaluations = [reader.evaluation(one) for one in json.loads(answer)["positions"]]
            if len(evaluations) != len(positions):
                raise ValueError(f"{len(evaluations)} evaluations of {len(positions)} positions")
            return evaluations

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """The time of one command at the table. An analysis that runs is ended for it."""
        async with self._door:
            await self._enter()
        try:
            yield
        finally:
            self._lock.release()

    async def _enter(self) -> None:
        """Acquires the table's lock; an analysis keeps it until it is ended. The caller holds the door, so that
        none begins meanwhile."""
        self._check_open()
        if self._analysis is not None:
            await self._analysis.stop()
        await self._lock.acquire()

    async def _persistently(self, work: Callable[[], Awaitable[T]]) -> T:
        """Does the work, at a new connection if this one has been lost since the last; again while the server has
        no room for it and, at a table with a name, while the connection is lost. All work begins by bringing the
        table into its state, so doing it twice is doing it once."""

        async def at_the_table() -> T:
            if self._seat.connection.closed is not None:
                own = self._own
                await self._sit()
                self._own = own
                return await work()
            await self._seat.take_name_back()
            if self._seat.is_shared:
                await self._seat.look()  # others may have played there,
                self._values = {}  # and set options
            return await work()

        def may_pass(error: PitbossError) -> bool:
            is_lost = isinstance(error, ServerGone) and self.name is not None
            return not self._is_closed and (is_lost or isinstance(error, Busy))

        return await self._link.patiently(at_the_table, may_pass)

    async def _sit(self) -> None:
        self._seat = await self._link.sit()
        try:
            if self.name is not None:
                await self._seat.attach(self.name)
                await self._seat.look()
            answer = await self._seat.connection.ask("list_options json")
            listed = self._seat.json("list_options", answer)
            with reading(self._link.address, "list_options"):
                self._listed = read_options(listed["options"])
            await self._read_values()
        except BaseException:
            await self._link.leave(self._seat)
            raise
        self._own = dict(self._values)

    async def _read_values(self) -> dict[str, str]:
        answer = await self._seat.connection.ask("kata-get-params")
        with reading(self._link.address, "kata-get-params"):
            values = json.loads(answer)
            self._values = {name: option_text(name, value) for name, value in values.items()}
            for name, option in self._listed.items():
                option.at(self._values[name])
        return self._values

    async def _set_all(self, own: Mapping[str, str], call: Mapping[str, str] = {}) -> None:
        """Makes `own` hold at the table, but for what one call sets; sends what differs. A preset comes first,
        since it sets others; the preset of a call changes `own`."""
        wanted = {**own, **call}
        values = self._values or await self._read_values()
        await self._check_names(wanted, self._seat)
        preset = wanted.get("preset", values["preset"])
        is_of_call = preset != own.get("preset", preset)
        if is_of_call:
            await self._set_all(own)
        if is_of_call or preset != values["preset"]:
            self._values = {}
            await _setting(self._seat, f"setoption preset {preset}")
            values = await self._read_values()
        if is_of_call:
            wanted = {**values, **call}
        if differing := _differing(wanted, values):
            self._values = {}
            await _setting(self._seat, _set_line(differing))
            self._values = {**values, **differing}

    async def _set_live(self, options: Mapping[str, Any], seat: Seat) -> str:
        """Sets options while a search runs, at another seat of the table; what the server says to it."""
        texts = self._texts(options)
        await self._check_names(texts, seat)
        values, self._values = self._values, {}
        said = await _setting(seat, _set_line(texts))
        self._values = {**values, **texts} if values else {}
        return said

    async def _helper(self, own: Mapping[str, str]) -> Engine:
        """An engine with a table of its own, for `map`."""
        self._check_open()
        if self._free_helpers:
            engine = self._free_helpers.pop()
        else:
            engine = Engine(self.server, self._link, None)
            await engine._sit()
            engine.game = self.game
            self._helpers.add(engine)
            if self._is_closed:  # meanwhile
                await engine.close()
        engine._own = dict(own)
        return engine

    async def _check_names(self, options: Iterable[str], seat: Seat) -> None:
        for name in options:
            if name not in self._own:
                try:
                    await seat.connection.ask(f"getoption {name}")  # fails, with advice
                except CommandError as error:
                    raise _as(UnknownOption, error) from None

    def _texts(self, options: Mapping[str, Any]) -> dict[str, str]:
        """By the names that the server lists; it reads them in either case."""
        texts = {}
        for name, value in options.items():
            listed = self._listed.get(name.lower())
            text = option_text(name, value)
            texts[name.lower()] = switch_text(text) if listed and listed.type == "check" else text
        return texts

    def _check_open(self) -> None:
        if self._is_closed:
            raise ClosedError(f"{self!r} was closed")

    def _check(self, state: State) -> None:
        if not isinstance(state, State):
            raise TypeError(f"expected a State of pitboss, not {type(state).__name__}")
        if state.get_game() != self.game:
            raise ValueError(f"{state!r} is no state of {self!r}")
        if state.chosen_actions():
            raise ValueError(
                f"{state!r} is in the middle of a move, of which a server knows nothing"
            )


async def _setting(seat: Seat, line: str) -> str:
    """The answer of a line that sets options."""
    try:
        return await seat.connection.ask(line)
    except CommandError as error:
        if error.code not in ("bad-argument", "unsupported"):
            raise
        raise _as(BadValue, error) from None


def _as(kind: type[CommandError], error: CommandError) -> CommandError:
    return kind(error.address, error.command, error.code, error.text)


def _to_move(state: State) -> str:
    if state.is_terminal():
        raise ValueError(f"the game is over in {state!r}")
    return state.get_game().colours[state.current_player()]


def _differing(wanted: Mapping[str, str], there: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in wanted.items() if there.get(name) != text}


def _set_line(texts: Mapping[str, str]) -> str:
    """A command that sets all these options or none."""
    return f"kata-set-params {json.dumps(texts)}"


def _check_without_clocks(limit: Limit) -> None:
    if limit.clocks is not None:
        raise ValueError("clocks are for Engine.play; give a time")
