"""Matches by `pitboss referee`, for code that waits."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import aio
from .background import Background, background
from .ledger import Progress, Results


def referee(
    experiment: Mapping[str, Any] | str | os.PathLike[str], out: str | os.PathLike[str]
) -> Run:
    """Begins the matches of an experiment, a file or a dictionary with its keys (docs/experiment-file.md), which
    names files by absolute paths; the records go to the folder `out`, after which a dictionary without `name` is
    called. The same call continues after an interruption. `wait` for the end, iterate over the progress, or read
    `results` on the way. Raises PitbossError if there is no program `pitboss`, ValueError for a dictionary that
    TOML cannot say."""
    loop = background()
    return Run(loop, loop.run(aio.referee(experiment, out)))


class Run:
    """A referee at work, made by `referee`. `with` stops it at the end, and it ends when nobody holds the run any
    longer. Iterate over it for its progress."""

    def __init__(self, loop: Background, twin: aio.Run) -> None:
        self._loop = loop
        self._twin = twin

    @property
    def out(self) -> Path:
        """The folder of the records."""
        return self._twin.out

    @property
    def results(self) -> Results:
        """What has been played so far. Raises PitbossError before the first game."""
        return self._twin.results

    @property
    def progress(self) -> Progress:
        """The games played and to be played; (0, 0) before the referee knows."""
        return self._twin.progress

    @property
    def is_running(self) -> bool:
        """Whether the referee is at work."""
        return self._twin.is_running

    @property
    def exit_code(self) -> int | None:
        """The referee's, None while it is at work."""
        return self._twin.exit_code

    def wait(self, timeout: float | None = None) -> Results:
        """Waits until all games are played. Raises RunFailed with the referee's words if it ends otherwise, and
        TimeoutError."""
        return self._loop.run(self._twin.wait(timeout))

    def stop(self) -> None:
        """Ends the run after the rounds in play; `referee` with the same arguments continues it."""
        self._loop.run(self._twin.stop())

    def __iter__(self) -> Iterator[Progress]:
        """The progress whenever it has changed, and at last when all games are played. Raises RunFailed."""
        return self._loop.each(self._twin.__aiter__())

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return repr(self._twin)
