"""Matches by `pitboss referee`, from Python."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from .background import background
from .errors import PitbossError
from .files import user_path
from .ledger import Results
from .programs import find_program, that_ends_with_us


def referee(
    experiment: Mapping[str, Any] | str | os.PathLike[str], out: str | os.PathLike[str]
) -> Run:
    """Begins the matches of an experiment, a file or a dictionary with its keys (docs/experiment-file.md), which
    names files by absolute paths; the records go to the folder `out`. The same call continues after an
    interruption. `wait` for the end, or read `results` on the way. Raises PitbossError if there is no program
    `pitboss`, ValueError for a dictionary that TOML cannot say."""
    return Run(experiment, user_path(out))


class Run:
    """A referee at work. `with` stops it at the end, and it ends when nobody holds the run any longer."""

    _process: subprocess.Popen[bytes] | None = None

    def __init__(self, experiment: Mapping[str, Any] | str | os.PathLike[str], out: Path) -> None:
        self.out = out
        self._words: str | None = None  # the referee's, when it has ended
        program = find_program("pitboss")
        with ExitStack() as files:
            if isinstance(experiment, Mapping):
                written = files.enter_context(tempfile.NamedTemporaryFile(suffix=".toml"))
                written.write(_toml_lines(experiment).encode())
                written.flush()
                experiment = written.name
            else:
                experiment = user_path(experiment)
            self._said = files.enter_context(tempfile.TemporaryFile())
            command = [program, "referee", "--experiment", str(experiment), "--out", str(out)]
            self._process = background().run(_started(command, self._said))
            self._files = files.pop_all()  # that go when it has ended

    @property
    def results(self) -> Results:
        """What has been played so far. Raises PitbossError before the first game."""
        return Results(self.out)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def wait(self, timeout: float | None = None) -> Results:
        """Waits until all games are played. Raises PitbossError with the referee's words if it ends otherwise,
        and TimeoutError."""
        assert self._process is not None
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the referee still plays after {timeout:g} s") from None
        said = self._end()
        if code != 0:
            raise PitbossError(f"the referee ended with exit code {code}: {said}")
        return self.results

    def stop(self) -> None:
        """Ends the run after the rounds in play; `referee` with the same arguments continues it."""
        if self._process is not None and self.is_running:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
        self._end()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __del__(self) -> None:
        if self._process is not None:
            if self.is_running:
                warnings.warn(f"{self!r} was not stopped", ResourceWarning, source=self)
                self._process.terminate()
                self._process.wait()
            self._files.close()

    def __repr__(self) -> str:
        return f"Run({str(self.out)!r})"

    def _end(self) -> str:
        """What the referee has said. It has ended."""
        if self._words is None:
            self._said.seek(0)
            self._words = self._said.read().decode(errors="replace").strip()[-2000:]
            self._files.close()
        return self._words


async def _started(command: list[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """A program that ends with the thread of `background`, and so with this process. Ctrl-C in a terminal is for
    whoever waits, not for the referee."""
    return subprocess.Popen(
        that_ends_with_us(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        process_group=0,
    )


def _toml_lines(experiment: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in experiment.items())


def _toml(value: Any) -> str:
    """The value as TOML writes it on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, (bool, int, float, str)):
        return json.dumps(value, allow_nan=False, ensure_ascii=False)
    raise ValueError(f"an experiment has texts, numbers, lists and tables, not {value!r}")


def _key(key: object) -> str:
    return json.dumps(str(key), ensure_ascii=False)
