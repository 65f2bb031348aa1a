"""The connections to one server, for those that use it at several tables at once."""

from __future__ import annotations

import asyncio
import math
import random
import time
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from ..address import Address
from ..errors import Busy, ClosedError, PitbossError, ServerGone, Timeout, reading
from ..programs import Daemon
from .connection import Connection, check_loop
from .seat import Seat

T = TypeVar("T")

_PING_SECONDS = 5.0


class Link:
    """What engines need of their server; see `Server`. Belongs to the event loop that made it. `timeout` seconds bound every
    command that is answered at once, and every wait for a server that has no room. While a search runs the
    server is asked every 5 seconds whether it is alive: a dead one fails all that runs there with ServerGone.
    """

    _is_closed = True  # as long as it is not made

    def __init__(self, address: Address, timeout: float) -> None:
        if not timeout > 0:
            raise ValueError(f"timeout must be more than 0 seconds, not {timeout!r}")
        self.address = str(address)
        self.timeout = float(timeout)
        self.version = ""
        self.daemon: Daemon | None = None
        self._address = address
        self._connections: set[Connection] = set()
        self._control: Seat | None = None
        self.lock = asyncio.Lock()
        self._is_closed = False
        self._loop = asyncio.get_running_loop()
        self._running = 0
        self._watch: asyncio.Task[None] | None = None

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    async def close(self) -> None:
        """Ends all its connections and what runs there, and a daemon that `launch` has started."""
        self._is_closed = True
        if self._watch is not None:
            self._watch.cancel()
        await asyncio.gather(*(connection.close() for connection in list(self._connections)))
        self._connections.clear()
        if self.daemon is not None:
            await self.daemon.close()

    def __repr__(self) -> str:
        return f"Server({self.address!r})"

    def __del__(self) -> None:
        if not self._is_closed and any(one.closed is None for one in self._connections):
            warnings.warn(f"{self!r} was not closed", ResourceWarning, source=self)
            for connection in self._connections:
                connection.drop()
            if self.daemon is not None:
                with suppress(RuntimeError):  # the loop has been closed, and the daemon with it
                    self._loop.call_soon_threadsafe(self.daemon.kill)

    async def control(self) -> Seat:
        """The seat for what is answered at once, sat down at anew if its connection is lost."""
        if self._control is None or self._control.connection.closed is not None:
            self._control = await self.sit()
        return self._control

    async def sit(self) -> Seat:
        """A new connection with a table of its own. Waits, up to the timeout, for a server that is full."""
        check_loop(self._loop, self.address)
        if self._is_closed:
            raise ClosedError(f"{self!r} was closed")
        connection = await self.patiently(self._open)
        return Seat(connection, self.version)

    async def leave(self, seat: Seat) -> None:
        self._connections.discard(seat.connection)
        await seat.connection.close()

    async def patiently(
        self,
        work: Callable[[], Awaitable[T]],
        may_pass: Callable[[PitbossError], bool] = lambda error: isinstance(error, Busy),
    ) -> T:
        """Does the work again, for up to the timeout after its first failure, while what it fails with may pass:
        without more being said, while the server has no room for it."""
        end = math.inf
        pause = 0.02
        while True:
            try:
                return await work()
            except PitbossError as error:
                end = min(end, time.monotonic() + self.timeout)
                if self._is_closed or not may_pass(error) or time.monotonic() + pause > end:
                    raise
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, 1.0)

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Watches, while something long runs inside, whether the server is alive."""
        self._running += 1
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._watch_over())
        try:
            yield
        finally:
            self._running -= 1
            if self._running == 0 and self._watch is not None:
                self._watch.cancel()

    # --- inside ---

    async def _open(self) -> Connection:
        connection = await Connection.open(self._address, self.timeout)
        self._connections = {one for one in self._connections if one.closed is None}
        self._connections.add(connection)
        if not self.version:
            # The second line fails at a server that asks for a token, and got none.
            self.version = (await connection.ask_all(["version", "games"]))[0]
        return connection

    async def _watch_over(self) -> None:
        while True:
            await asyncio.sleep(_PING_SECONDS)
            try:
                await (await self.control()).connection.ask("protocol_version")
            except (Timeout, ServerGone, OSError) as error:
                for connection in list(self._connections):
                    connection.abort(f"the server does not answer: {error}")
                return
