"""The programs of Pitboss on this machine: where they are, and a daemon that ends with this process."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from asyncio.subprocess import Process
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from .awake import awake_timeout
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
    even if that is killed. Belongs to the event loop that started it."""

    process: Process
    address: str

    def __init__(self) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()

    @classmethod
    async def start(cls, flags: Sequence[str], timeout: float) -> Daemon:
        """The daemon, once it listens. Raises PitbossError with what the program says if it does not start."""
        command = [find_program("pitbossd"), "--listen", "127.0.0.1:0", *flags]
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "TERM", *command]
        daemon = cls()
        daemon.process = await asyncio.create_subprocess_exec(
            *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=daemon._errors
        )
        try:
            async with awake_timeout(timeout):
                daemon.address = await daemon._listening()
        except TimeoutError:
            await daemon.close()
            raise PitbossError(f"pitbossd did not start in {timeout:g} s") from None
        except BaseException:
            await daemon.close()
            raise
        return daemon

    async def close(self) -> None:
        if self.process.returncode is None:
            self.process.terminate()
            try:
                async with asyncio.timeout(10):
                    await self.process.wait()
            except TimeoutError:
                self.process.kill()
                await self.process.wait()
        self._errors.close()

    async def _listening(self) -> str:
        assert self.process.stdout is not None
        said = (await self.process.stdout.readline()).decode()
        if not said:
            await self.process.wait()
            self._errors.seek(0)
            words = self._errors.read().decode(errors="replace").strip()[-2000:]
            raise PitbossError(f"pitbossd did not start: {words or 'it said nothing'}")
        if not said.startswith("listening "):
            raise PitbossError(f"pitbossd did not start: it said '{said.strip()}'")
        return said.split()[1]
