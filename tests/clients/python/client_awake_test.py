"""Waits of the client do not run on while its process stands still."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time

import pytest
from pitboss.awake import awake_timeout


def stopped_soon(seconds: float) -> subprocess.Popen[bytes]:
    me = os.getpid()
    return subprocess.Popen(
        ["sh", "-c", f"sleep 0.3; kill -STOP {me}; sleep {seconds}; kill -CONT {me}"]
    )


async def late(seconds: float, timeout: float | None) -> bool:
    """Whether the timeout ends a wait that is over after so many seconds of the event loop's life."""
    try:
        async with awake_timeout(timeout):
            for _ in range(round(seconds / 0.05)):
                await asyncio.sleep(0.05)
    except TimeoutError:
        return True
    return False


def test_a_wait_ends_when_its_time_is_over() -> None:
    begun = time.monotonic()
    assert asyncio.run(late(5, 0.3))
    assert 0.25 < time.monotonic() - begun < 2
    assert not asyncio.run(late(0.3, 5))
    assert not asyncio.run(late(0.3, None))


def test_time_in_which_the_process_was_stopped_does_not_count() -> None:
    other = stopped_soon(2)
    begun = time.monotonic()
    assert not asyncio.run(late(1, 1.7))
    assert time.monotonic() - begun > 2
    assert other.wait() == 0


def test_nor_does_time_in_which_the_loop_was_blocked() -> None:
    async def blocked() -> None:
        async with awake_timeout(0.5):
            await asyncio.sleep(0.01)
            time.sleep(1.2)
            await asyncio.sleep(0.2)

    asyncio.run(blocked())


def test_the_failure_of_what_is_inside_comes_out() -> None:
    async def fails() -> None:
        async with awake_timeout(1):
            raise KeyError("x")

    with pytest.raises(KeyError):
        asyncio.run(fails())
