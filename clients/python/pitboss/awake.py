"""A timeout that does not run while this process stands still: stopped by Ctrl-Z, asleep with its machine, or at
work elsewhere in the thread of the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_LOOK_EVERY = 0.1  # seconds
_TOO_LATE = 0.5


@asynccontextmanager
async def awake_timeout(seconds: float | None) -> AsyncIterator[asyncio.Timeout]:
    """As asyncio.timeout, but a gap of half a second or more in which the event loop did not run does not count."""
    async with asyncio.timeout(None) as limit:
        if seconds is None:
            yield limit
            return
        loop = asyncio.get_running_loop()
        left = seconds
        seen = loop.time()
        later: asyncio.TimerHandle | None = None

        def look() -> None:
            nonlocal left, seen, later
            now = loop.time()
            passed = now - seen
            seen = now
            left -= passed if passed < _LOOK_EVERY + _TOO_LATE else 0
            if left <= 0:
                limit.reschedule(now)
            else:
                later = loop.call_later(min(_LOOK_EVERY, left), look)

        later = loop.call_later(min(_LOOK_EVERY, left), look)
        try:
            yield limit
        finally:
            if later is not None:
                later.cancel()
