"""The programs of Pitboss on this machine: where they are, and a daemon that ends with this process."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from .errors import PitbossError

_PACKAGE = Path(__file__).resolve().parent


def find_program(name: str) -> str:
    """`pitbossd` or `pitboss`: that of $PITBOSS_BIN, of this package, of the checkout it lies in, of PATH."""
    folders = [
        _PACKAGE / "bin",
        *(parent / "build" / "release" / "bin" for parent in _PACKAGE.parents[2:3]),
    ]
    if "PITBOSS_BIN" in os.environ:
        folders = [Path(os.environ["PITBOSS_BIN"])]
    for folder in folders:
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    if found := shutil.which(name):
        return found
    raise PitbossError(
        f"there is no program {name}: build it (./dev build), install Pitboss, or set PITBOSS_BIN to its folder"
    )


def flag_words(flags: dict[str, object]) -> list[str]:
    """`tree_mb_limit=64` becomes --tree-mb-limit 64; True is a flag alone, a list a flag that is repeated, None
    and False none."""
    words = []
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(flag)
            elif one is not None and one is not False:
                words += [flag, str(one)]
    return words


class Daemon:
    """A `pitbossd` on a free port of this machine. It ends with `close`, and with the thread that started it,
    even if that is killed. Raises PitbossError with what the program says if it does not start."""

    def __init__(self, flags: Sequence[str], timeout: float) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        command = [find_program("pitbossd"), "--listen", "127.0.0.1:0", *flags]
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "TERM", *command]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors
        )
        try:
            self.address = self._listening(timeout)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._errors.close()

    def _listening(self, timeout: float) -> str:
        assert self.process.stdout is not None
        end = time.monotonic() + timeout
        said = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in said:
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise PitbossError(f"pitbossd did not start in {timeout:g} s")
                more = os.read(self.process.stdout.fileno(), 4096)
                if not more:
                    raise PitbossError(f"pitbossd did not start: {self._last_words()}")
                said += more
        word, address = said.decode().split()[:2]
        if word != "listening":
            raise PitbossError(f"pitbossd did not start: it said '{said.decode().strip()}'")
        return address

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip()[-2000:] or "it said nothing"
