"""An analysis that runs: a stream of reports, whose options can be changed."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from ..errors import PitbossError, command_error, reading
from ..limit import Limit
from ..result import Reader, Report
from ..state import State
from .connection import Request
from .link import Link
from .seat import Seat


class Analysis:
    """Iterate over it for reports; `async with` stops it at the end. Made by `Engine.analysis`.

    Options of a running analysis can be changed from a second connection only, which is opened by the first
    `set`; for it a table without a name gets one until the analysis is over.
    """

    def __init__(
        self,
        link: Link,
        seat: Seat,
        limit: Limit,
        lossless: int,
        reader: Reader,
        set_live: Callable[[Mapping[str, Any], Seat], Awaitable[str]],
        when_over: Callable[[], None],
    ) -> None:
        self.state: State  # that is analysed
        self._link = link
        self._seat = seat
        self._limit = limit
        self._holds_all = lossless > 0
        self._reports: deque[Report] = deque(maxlen=lossless or 1)
        self._newest: Report | None = None
        self._failure: Exception | None = None
        self._name: str
        self._request: Request
        self._task: asyncio.Task[None]
        self._setter: Seat | None = None
        self._setting = asyncio.Lock()
        self._news = asyncio.Event()
        self._reader = reader
        self._set_live = set_live  # at another seat of the table
        self._when_over = when_over
        self._is_over = False

    async def _begin(self, state: State, line: str) -> None:
        """Sends the command `line`. What fails here leaves the table idle."""
        self.state = state.clone()
        self._name, naming = self._seat.lend_name()
        *before, self._request = self._seat.send(state, [*naming, line], self._take)
        try:
            if before:
                await self._seat.connection.answers(before)
            self._request.answer.add_done_callback(lambda _: self._news.set())
            async with self._link.watched():
                await self._news.wait()
            if self._request.answer.done():
                self._request.answer.result()  # raises why it has not begun
        except BaseException:
            await self._seat.connection.interrupt(self._request)
            self._seat.forget()
            with suppress(PitbossError):
                await self._seat.take_name_back()
            raise
        self._task = asyncio.create_task(self._run())

    def __aiter__(self) -> Analysis:
        return self

    async def __anext__(self) -> Report:
        """The next report. Raises what made the analysis fail."""
        while not self._reports:
            if self._is_over:
                if self._failure is not None:
                    raise self._failure
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._reports.popleft()

    async def set(self, **options: Any) -> str:
        """Sets options for the rest of this analysis, live ones at once; the server's word on when they are in
        force. Raises as `Engine.configure`."""
        if self._is_over:
            raise self._failure or PitbossError(f"{self._what()} is over: options were not set")
        async with self._setting:
            if self._setter is None or self._setter.connection.closed is not None:
                self._setter = await self._link.sit()
                await self._setter.attach(self._name)
            return await self._set_live(options, self._setter)

    async def stop(self) -> None:
        """Ends the analysis, if it runs, and waits for the end."""
        if not self._is_over:
            await self._seat.connection.interrupt(self._request)
            await asyncio.shield(self._task)

    async def result(self) -> Report:
        """The last report, when the limit is reached; without a limit it stops the analysis. Raises what made
        it fail."""
        if self._limit == Limit():
            while self._newest is None and not self._is_over:
                self._news.clear()
                await self._news.wait()
            await self.stop()
        await asyncio.shield(self._task)
        if self._failure is not None:
            raise self._failure
        if self._newest is None:
            raise PitbossError(f"{self._what()} ended without a report")
        return self._newest

    @property
    def is_running(self) -> bool:
        """Whether more reports may come."""
        return not self._is_over and self._seat.connection.closed is None

    def __repr__(self) -> str:
        return f"Analysis({self.state!r}, server={self._seat.connection.address!r})"

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # --- inside ---

    def _what(self) -> str:
        return f"'{self._request.line}' at {self._seat.connection.address}"

    def _take(self, line: str) -> None:
        if not line:  # the header: the analysis has begun
            return self._news.set()
        if not line.startswith("{"):
            failure = line.removeprefix("error: ")
            self._failure = command_error(
                self._seat.connection.address, self._request.line, failure
            )
            return
        try:
            answer = self._seat.json("analyze", line)
            with reading(self._seat.connection.address, "analyze"):
                report = self._reader.report(answer)
        except PitbossError as error:
            self._failure = error
            return self._end_soon()
        if self._holds_all and len(self._reports) == self._reports.maxlen:
            self._failure = PitbossError(
                f"{self._reports.maxlen} reports of {self._what()} waited, and one more came"
            )
            return self._end_soon()
        self._newest = report
        self._reports.append(report)
        self._news.set()

    def _end_soon(self) -> None:
        self._stopping = asyncio.ensure_future(self._seat.connection.interrupt(self._request))

    async def _run(self) -> None:
        connection = self._seat.connection
        try:
            async with self._link.watched():
                await connection.answer_of_long(self._request)
        except (PitbossError, OSError) as error:
            self._failure = self._failure or error
            self._seat.forget()
        finally:
            await self._clean_up()

    async def _clean_up(self) -> None:
        try:
            async with self._setting:
                if self._setter is not None:
                    # Leaving a table is answered, unlike the end of a connection: the name is taken back after it.
                    away = f"attach py-{secrets.token_hex(8)}"
                    await self._setter.connection.ask_all([away, "release"])
                    await self._link.leave(self._setter)
            await self._seat.take_name_back()
        except (PitbossError, OSError):
            pass  # the name goes with the connection
        finally:
            self._when_over()
            self._is_over = True
            self._news.set()
