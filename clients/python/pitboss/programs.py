"""The programs of Pitboss on this machine: where they are, and a daemon that ends with this process."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import shutil
import stat
import subprocess
import tempfile
from asyncio.subprocess import Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from .awake import awake_timeout
from .errors import PitbossError

_PACKAGE = Path(__file__).resolve().parent


def built_folders() -> list[Path]:
    """Where what is built lies: in this package, in the checkout it lies in."""
    return [
        _PACKAGE / "bin",
        *(parent / "build" / "release" / "bin" for parent in _PACKAGE.parents[2:3]),
    ]


def find_program(name: str) -> str:
    """`pitbossd` or `pitboss`: that of $PITBOSS_BIN, of this package, of the checkout it lies in, of PATH."""
    named = os.environ.get("PITBOSS_BIN")
    for folder in built_folders() if named is None else [Path(named)]:
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    for path in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which(name, path=path)
        if found and not _is_script(Path(found)):
            return found
    raise PitbossError(
        f"there is no program {name}: build it (./dev build), install Pitboss, or set PITBOSS_BIN to its folder"
    )


def _is_script(path: Path) -> bool:
    """Whether it may be the script that pip installs (__main__.py), which looks for the program in turn."""
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def shipped(folder: str) -> Path | None:
    """The `networks` or `features` that come with Pitboss: in this package, in the checkout it lies in, beside the
    folder that Debian's package has it in."""
    checkouts = [parent / "data" / folder for parent in _PACKAGE.parents[2:3]]
    folders = [_PACKAGE / folder, *checkouts, _PACKAGE.parent.parent / folder]
    return next((folder for folder in folders if folder.is_dir()), None)


def that_ends_with_us(command: Sequence[str], by: str = "TERM") -> list[str]:
    """The command so that this signal ends its program when the thread that started it ends, even if that is killed."""
    setpriv = shutil.which("setpriv")
    return [*([setpriv, "--pdeathsig", by] if setpriv else []), *command]


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


def own_token(address: str) -> str | None:
    """The token of a daemon at this address that a program of this user has started for itself, as `pitboss`
    finds it, too (clients/players/own_daemon.hpp)."""
    if os.name != "posix":  # no daemon of ours runs there
        return None
    import fcntl

    for folder in _token_folders():
        with suppress(OSError):
            if not _is_private(folder):
                continue
            with (folder / address).open(encoding="utf-8") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:  # by the program that has written it, which lives
                    return file.read().strip()
    return None


def _token_folders() -> list[Path]:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    temporary = Path(os.environ.get("TMPDIR") or "/tmp") / f"pitboss-{os.getuid()}"
    return [*([Path(runtime, "pitboss")] if runtime else []), temporary]


def _is_private(folder: Path) -> bool:
    """Whether nobody but the user can have put something there."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    is_own = found.st_uid == os.getuid() and not found.st_mode & 0o077
    return stat.S_ISDIR(found.st_mode) and is_own


def _write_privately(text: str) -> Path:
    """A new file that only the user can read."""
    for folder in _token_folders():
        with suppress(OSError):
            folder.mkdir(0o700, exist_ok=True)
        if _is_private(folder):
            descriptor, name = tempfile.mkstemp(dir=folder)
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            return Path(name)
    raise PitbossError(f"cannot make {_token_folders()[-1]}, a folder for tokens, the user's alone")


class Daemon:
    """A `pitbossd` on a free port of this machine, with a token that only this user's programs find, unless the
    flags name others. It ends with `close`, and with the thread that started it, even if that is killed. Belongs
    to the event loop that started it."""

    process: Process
    address: str

    def __init__(self) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        self._token_file: Path | None = None
        self._lock: IO[str] | None = None  # on that file

    @classmethod
    async def start(cls, flags: Sequence[str], timeout: float) -> Daemon:
        """The daemon, once it listens. Raises PitbossError with what the program says if it does not start."""
        command = [find_program("pitbossd"), "--listen", "127.0.0.1:0", *flags]
        token = secrets.token_hex(32)
        hashed = hashlib.sha256(token.encode()).hexdigest()
        known: Path | None = None
        if "--tokens" not in flags:
            known = _write_privately(f"own admin {hashed}\n")
            command += ["--tokens", str(known)]
            for limit in ("--max-sessions-per-client", "--max-tables-per-client"):
                command += [limit, "1000000"] if limit not in flags else []  # there is one client
        daemon = cls()
        try:
            daemon.process = await asyncio.create_subprocess_exec(
                *that_ends_with_us(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=daemon._errors,
                process_group=0,  # Ctrl-C in a terminal is for the search, not for its daemon
            )
            async with awake_timeout(timeout):
                daemon.address = await daemon._listening()
            if known is not None:
                import fcntl  # not on Windows

                daemon._token_file = written = _write_privately(token + "\n")
                daemon._lock = written.open()
                fcntl.flock(daemon._lock, fcntl.LOCK_EX)
                daemon._token_file = written.rename(written.parent / daemon.address)
        except TimeoutError:
            await daemon.close()
            raise PitbossError(f"pitbossd did not start in {timeout:g} s") from None
        except BaseException:
            await daemon.close()
            raise
        finally:
            if known is not None:
                known.unlink()
        return daemon

    @property
    def has_ended(self) -> bool:
        return self.process.returncode is not None

    def kill(self) -> None:
        """Ends the daemon without waiting for it."""
        self._forget_token()
        if not self.has_ended:
            self.process.terminate()

    def _forget_token(self) -> None:
        if self._token_file is not None:
            self._token_file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.close()

    async def close(self) -> None:
        self._forget_token()
        if hasattr(self, "process") and self.process.returncode is None:
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
