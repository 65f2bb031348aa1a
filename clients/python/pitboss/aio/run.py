"""Matches by `pitboss referee`."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import tempfile
import warnings
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any

from ..awake import awake_timeout
from ..errors import PitbossError, RunFailed
from ..files import user_path
from ..ledger import Progress, Results
from ..programs import find_program, that_ends_with_us
from ..toml import toml_lines

_LOOK_SECONDS = 0.5


async def referee(
    experiment: Mapping[str, Any] | str | os.PathLike[str], out: str | os.PathLike[str]
) -> Run:
    """Begins the matches of an experiment, a file or a dictionary with its keys (docs/experiment-file.md), which
    names files by absolute paths; the records go to the folder `out`, after which a dictionary without `name` is
    called. The same call continues after an interruption. `wait` for the end, iterate over the progress, or read
    `results` on the way. Raises PitbossError if there is no program `pitboss`, ValueError for a dictionary that
    TOML cannot say."""
    folder = user_path(out)
    command = [find_program("pitboss"), "referee", "--out", str(folder), "--experiment"]
    files = ExitStack()
    with files:
        if isinstance(experiment, Mapping):
            written = files.enter_context(tempfile.NamedTemporaryFile(suffix=".toml"))
            written.write(toml_lines({"name": _name_of(folder), **experiment}).encode())
            written.flush()
            command.append(written.name)
        else:
            command.append(str(user_path(experiment)))
        said = files.enter_context(tempfile.TemporaryFile())
        process = await asyncio.create_subprocess_exec(
            *that_ends_with_us(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            process_group=0,  # Ctrl-C in a terminal is for whoever waits, not for the referee
        )
        files = files.pop_all()
    return Run(folder, process, said, isinstance(experiment, Mapping), files)


class Run:
    """A referee at work, made by `referee`. `async with` stops it at the end, and it ends when nobody holds the run
    any longer, and with the thread of the event loop that began it. Iterate over it for its progress.
    """

    def __init__(
        self, out: Path, process: Process, said: IO[bytes], is_of_dictionary: bool, files: ExitStack
    ) -> None:
        self.out = out  # the folder of the records
        self._process = process
        self._said = said
        self._is_of_dictionary = is_of_dictionary
        self._files = files  # that go when it has ended
        self._words: str | None = None  # the referee's, when it has ended

    @property
    def results(self) -> Results:
        """What has been played so far. Raises PitbossError before the first game."""
        return Results(self.out)

    @property
    def progress(self) -> Progress:
        """The games played and to be played; (0, 0) before the referee knows."""
        with suppress(PitbossError):
            return self.results.progress
        return Progress(0, 0)

    @property
    def is_running(self) -> bool:
        """Whether the referee is at work."""
        return self._process.returncode is None

    @property
    def exit_code(self) -> int | None:
        """The referee's, None while it is at work."""
        return self._process.returncode

    async def wait(self, timeout: float | None = None) -> Results:
        """Waits until all games are played. Raises RunFailed with the referee's words if it ends otherwise, and
        TimeoutError."""
        try:
            async with awake_timeout(timeout):
                code = await self._process.wait()
        except TimeoutError:
            raise TimeoutError(f"the referee still plays after {timeout:g} s") from None
        words = self._end()
        if code != 0:
            raise RunFailed(code, words)
        return self.results

    async def stop(self) -> None:
        """Ends the run after the rounds in play; `referee` with the same arguments continues it."""
        if self.is_running:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)
            await self._process.wait()
        self._end()

    async def __aiter__(self) -> AsyncIterator[Progress]:
        """The progress whenever it has changed, and at last when all games are played. Raises RunFailed."""
        told = None
        while self.is_running:
            if (now := await asyncio.to_thread(lambda: self.progress)) != told and now.of > 0:
                yield (told := now)
            with suppress(TimeoutError):
                await self.wait(_LOOK_SECONDS)
        await self.wait()
        if (now := self.progress) != told:
            yield now

    async def __aenter__(self) -> Run:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def __del__(self) -> None:
        if self.is_running:
            warnings.warn(f"{self!r} was not stopped", ResourceWarning, source=self)
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGTERM)
        self._files.close()

    def __repr__(self) -> str:
        return f"Run({str(self.out)!r})"

    def _end(self) -> str:
        """What the referee has said. It has ended."""
        if self._words is None:
            self._said.seek(0)
            words = self._said.read().decode(errors="replace").strip()[-2000:]
            if self._is_of_dictionary:  # nobody sees the file
                words = re.sub(r"\S*tmp\w*\.toml(, line \d+)?", "the experiment", words)
            self._words = words
            self._files.close()
        return self._words


def _name_of(folder: Path) -> str:
    """The name of a folder as an experiment may have it."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", folder.absolute().name)[:64] or "experiment"
