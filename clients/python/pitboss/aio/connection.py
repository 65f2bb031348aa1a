"""One connection to a server: lines out, answers in, in order."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from ..address import Address
from ..awake import awake_timeout
from ..errors import Busy, CommandError, ServerGone, Timeout, command_error
from ..programs import own_token


log = logging.getLogger("pitboss")

LONGEST_LINE = 64 << 20  # characters, of an answer, too; the longest honest one has under 1 MiB
LONGEST_SHOWN = 500  # characters of a line, in errors and logs
_INTERRUPT_AGAIN = 0.05  # seconds
_FIRST_LINE = re.compile(r"([=?])(\d*)(?: (.*))?", re.DOTALL)


class Request:
    """A line that has been sent, and its answer. `on_line` is called for each line of a success as it comes,
    the first one included; those behind it are then not part of the answer."""

    def __init__(self, number: int, line: str) -> None:
        self.number = number
        self.line = line
        self.on_line: Callable[[str], None] | None = None
        self.answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())


class Connection(asyncio.Protocol):
    """Belongs to the event loop that opened it. `closed` is None, or why the connection is lost.

    An answer that nobody waits for any longer, after a timeout or a cancellation, is dropped when it comes;
    the connection can still be used.
    """

    def __init__(self, address: Address, timeout: float) -> None:
        self.address = str(address)
        self.timeout = timeout
        self.closed: str | None = None
        self._refusal: str | None = None  # what a server says that lets nobody in
        self._transport: asyncio.Transport | None = None
        self._token = address.token
        self._waiting: deque[Request] = deque()
        self._last_number = 0
        self._input = bytearray()
        self._scanned = 0
        self._sign = ""  # of the answer that is being read; empty between answers
        self._answer: list[str] = []
        self._size = 0  # of it, in characters
        self._last_line = ""
        self._has_ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def open(cls, address: Address, timeout: float) -> Connection:
        """Raises ServerGone or Timeout. Failures have codes from the beginning; the token is shown."""
        connection = cls(address, timeout)
        loop = asyncio.get_running_loop()
        try:
            async with awake_timeout(timeout):
                await loop.create_connection(
                    lambda: connection, address.host, address.port, ssl=address.tls
                )
        except TimeoutError:
            raise Timeout(f"{address} did not accept a connection in {timeout:g} s") from None
        except OSError as error:
            raise ServerGone(f"no connection to {address}: {error}") from error
        try:
            lines = ["error_codes on"]
            if address.token is not None:
                lines.append(f"auth {address.token}")
            await connection.ask_all(lines)
            if address.token is None and (token := own_token(str(address))):
                connection._token = token
                with suppress(CommandError):  # it may be of a daemon that was at this port before
                    await connection.ask(f"auth {token}")
        except ServerGone:
            connection.abort("it let nobody in")
            if connection._refusal is not None and connection._refusal.startswith("too many"):
                raise Busy(connection.address, "connect", "busy", connection._refusal) from None
            raise
        except BaseException:
            connection.abort("it let nobody in")
            raise
        return connection

    # --- asking ---

    def send(
        self, lines: Sequence[str], on_line: Callable[[str], None] | None = None
    ) -> list[Request]:
        """Sends all lines at once; `on_line` is for the last one. Raises RuntimeError in another event loop."""
        check_loop(self._loop, self.address)
        self._check_open(lines[0])
        requests = []
        for line in lines:
            if not line.isprintable() or "#" in line:
                raise ValueError(f"a command has neither control characters nor '#': {line!r}")
            self._last_number = self._last_number % 2147483647 + 1
            requests.append(Request(self._last_number, line))
        requests[-1].on_line = on_line
        self._waiting.extend(requests)
        self._write("".join(f"{request.number} {request.line}\n" for request in requests))
        return requests

    async def ask(self, line: str) -> str:
        """The answer of a command that is answered at once. Raises CommandError and its kin, Timeout,
        ServerGone."""
        return (await self.ask_all([line]))[0]

    async def ask_all(self, lines: Sequence[str]) -> list[str]:
        """The answers to several lines that are sent together. Raises the first failure, when all have been
        answered."""
        return await self.answers(self.send(lines))

    async def answers(self, requests: Sequence[Request]) -> list[str]:
        try:
            async with awake_timeout(self.timeout):
                await _settled(requests[-1].answer)
        except TimeoutError:
            raise Timeout(
                f"{self.address} did not answer '{self._shown(requests[-1].line)}' in {self.timeout:g} s"
                f" (its last line: '{self._last_line[:100]}')"
            ) from None
        return [request.answer.result() for request in requests]

    async def answer_of_long(self, request: Request) -> str:
        """The answer of a command that takes time, however long it takes."""
        await self.settle(request)
        return request.answer.result()

    async def settle(self, request: Request) -> None:
        """Waits until a command that takes time has ended, well or not. A cancellation interrupts the command
        and then waits for its answer, so that the connection is idle afterwards."""
        try:
            await _settled(request.answer)
        except asyncio.CancelledError:
            await self.interrupt(request)
            raise

    async def interrupt(self, request: Request) -> None:
        """Has a running command end, and waits for its answer, but no longer than the timeout. An interrupt
        that overtakes the command has no effect, so it is said again."""
        try:
            async with awake_timeout(self.timeout):
                while not request.answer.done() and self.closed is None:
                    self._write("# interrupt\n")
                    await asyncio.wait([request.answer], timeout=_INTERRUPT_AGAIN)
        except TimeoutError:
            self.abort(f"'{self._shown(request.line)}' did not end when it was interrupted")

    # --- ending ---

    async def close(self) -> None:
        """Says `quit` and closes; waits for the end, but not for an answer that is late."""
        if self.closed is None and self._transport is not None:
            self._fail("it was closed")
            self._transport.write(b"quit\n")
            self._transport.close()
        try:
            async with asyncio.timeout(1):
                await self._has_ended.wait()
        except TimeoutError:
            self.abort("it was closed")

    def abort(self, reason: str) -> None:
        """Closes at once: what waits fails with this reason."""
        self._fail(reason)
        if self._transport is not None:
            self._transport.abort()

    def drop(self) -> None:
        """Closes at once, soon, from whatever thread nobody wants it any longer in."""
        with suppress(RuntimeError):  # the loop has been closed
            self._loop.call_soon_threadsafe(self.abort, "it was dropped")

    # --- what the event loop calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._input += data
        begin = 0
        end = self._input.find(b"\n", self._scanned)
        while end >= 0 and self.closed is None:
            try:
                self._read_line(self._input[begin:end].rstrip(b"\r").decode())
            except UnicodeDecodeError:
                self.abort("it sent a line that is no text")
            begin = end + 1
            end = self._input.find(b"\n", begin)
        del self._input[:begin]
        self._scanned = len(self._input)
        if self._scanned > LONGEST_LINE:
            self.abort(f"it sent a line of more than {LONGEST_LINE >> 20} MiB")

    def connection_lost(self, error: Exception | None) -> None:
        self._fail(str(error) if error else "the server closed it")
        self._has_ended.set()

    # --- inside ---

    def _read_line(self, line: str) -> None:
        if line:
            log.debug("%s < %s", self.address, line)
            self._last_line = line
        if not self._sign:
            if line:
                self._begin_answer(line)
        elif not line:
            self._end_answer()
        elif (on_line := self._waiting[0].on_line) is not None and self._sign == "=":
            on_line(line)
        else:
            self._answer.append(line)
            self._size += len(line)
            if self._size > LONGEST_LINE:
                self.abort(f"it sent an answer of more than {LONGEST_LINE >> 20} MiB")

    def _begin_answer(self, line: str) -> None:
        match = _FIRST_LINE.fullmatch(line)
        if match is None:
            return self.abort(f"it sent '{line[:100]}', which is no answer")
        sign, number, text = match.groups(default="")
        if not number and sign == "?":  # how a server refuses a connection
            self._refusal = text
            return self.abort(text)
        if not self._waiting:
            return self.abort(f"it sent '{line[:100]}', which nobody asked for")
        if number != str(self._waiting[0].number):
            return self.abort(
                f"it answered number '{number}' when '{self._shown(self._waiting[0].line)}' had number"
                f" {self._waiting[0].number}"
            )
        self._sign = sign
        self._answer = [text]
        self._size = len(text)
        if sign == "=" and (on_line := self._waiting[0].on_line) is not None:
            on_line(text)

    def _end_answer(self) -> None:
        request = self._waiting.popleft()
        text = "\n".join(self._answer)
        if not request.answer.done():
            if self._sign == "=":
                request.answer.set_result(text)
            else:
                request.answer.set_exception(
                    command_error(self.address, self._shown(request.line), text)
                )
        self._sign = ""

    def _fail(self, reason: str) -> None:
        if self.closed is not None:
            return
        self.closed = reason
        for request in self._waiting:
            if not request.answer.done():
                request.answer.set_exception(
                    ServerGone(
                        f"the connection to {self.address} ended before '{self._shown(request.line)}' was"
                        f" answered: {reason}"
                    )
                )
        self._waiting.clear()

    def _check_open(self, line: str) -> None:
        if self.closed is not None or self._transport is None:
            raise ServerGone(
                f"'{self._shown(line)}' was not sent: the connection to {self.address} has ended:"
                f" {self.closed}"
            )

    def _write(self, text: str) -> None:
        if log.isEnabledFor(logging.DEBUG):
            for line in text.splitlines():
                log.debug("%s > %s", self.address, self._shown(line))
        if self._transport is not None and self.closed is None:
            self._transport.write(text.encode())

    def _shown(self, line: str) -> str:
        """The line for logs and errors: its beginning, without the token, which they must not tell."""
        shown = line.replace(self._token, "...") if self._token else line
        return shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "..."


def check_loop(loop: asyncio.AbstractEventLoop, address: str) -> None:
    if asyncio.get_running_loop() is not loop:
        raise RuntimeError(
            f"the connection to {address} belongs to another event loop: connect anew in this one"
        )


async def _settled(answer: asyncio.Future[str]) -> None:
    """Waits for the answer, good or bad; a cancellation of the wait leaves the answer alone."""
    if not answer.done():
        await asyncio.wait([answer])
