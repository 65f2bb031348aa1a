"""The event loop behind everything in `pitboss` that blocks: one daemon thread a process."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any, TypeVar

from .errors import PitbossError

T = TypeVar("T")


class Background:
    """Runs coroutines to their end for threads that wait. Works beside a loop that runs in the caller's
    thread, as in a notebook."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._loop.run_forever, name="pitboss", daemon=True)
        self._thread.start()
        self._is_ending = False
        self._open: weakref.WeakSet[Any] = weakref.WeakSet()
        self._begun: set[asyncio.Task[Any]] = set()  # a loop holds its tasks weakly

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The coroutine's result. An exception in the waiting thread, such as KeyboardInterrupt, cancels the
        coroutine and waits for it."""
        if os.getpid() != self._process:
            work.close()
            raise PitbossError(
                "this was made before the process forked, and its connections are the parent's: connect or"
                " launch again in this process"
            )
        if self._is_ending:
            work.close()
            raise PitbossError("the process ends, and the connections of pitboss have been closed")
        if threading.current_thread() is self._thread:
            work.close()
            raise PitbossError("the thread of pitboss cannot wait for itself")
        outcome: Future[T] = Future()
        task: asyncio.Task[T] | None = None

        def start() -> None:
            nonlocal task
            task = self._loop.create_task(work)
            task.add_done_callback(lambda done: _hand_over(done, outcome))

        self._loop.call_soon_threadsafe(start)
        try:
            return outcome.result()
        except BaseException:
            if not outcome.done():  # it is the wait that was interrupted
                self._loop.call_soon_threadsafe(lambda: task and task.cancel())
                wait([outcome])
            raise

    def begin(self, work: Coroutine[Any, Any, Any]) -> None:
        """Begins the coroutine, from any thread; nobody waits for it."""

        def start() -> None:
            task = self._loop.create_task(work)
            self._begun.add(task)
            task.add_done_callback(self._begun.discard)

        try:
            self._loop.call_soon_threadsafe(start)
        except RuntimeError:  # the process ends, and the connections have been closed
            work.close()

    def each(self, items: AsyncIterator[T]) -> Iterator[T]:
        """What the iterator gives, one waited for after the other."""

        async def following() -> T:
            return await anext(items)

        async def closing() -> None:
            if isinstance(items, AsyncGenerator):
                await items.aclose()

        try:
            while True:
                try:
                    yield self.run(following())
                except StopAsyncIteration:
                    return
        finally:
            with suppress(PitbossError):  # the process may be ending
                self.run(closing())

    def close_at_exit(self, closeable: Any) -> None:
        """Calls its `close` when the process ends, if it is still there."""
        self._open.add(closeable)

    def end(self) -> None:
        """Closes what is open, and the loop. Nothing runs afterwards."""
        for closeable in list(self._open):
            with suppress(Exception):  # the others are closed all the same
                closeable.close()
        self._is_ending = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(1)


def background() -> Background:
    global _background
    with _lock:
        if _background is None:
            _background = Background()
            atexit.register(_background.end)
        return _background


_background: Background | None = None
_lock = threading.Lock()


def _hand_over(task: asyncio.Task[T], outcome: Future[T]) -> None:
    if task.cancelled():
        outcome.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        outcome.set_exception(error)
    else:
        outcome.set_result(task.result())


def _forget_in_child() -> None:
    global _background, _lock
    if _background is not None:
        atexit.unregister(_background.end)
    _background, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_forget_in_child)
