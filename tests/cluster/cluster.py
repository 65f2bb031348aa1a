"""What the tests of clusters share: programs that end with the test, a database, and the experiment whose table has
to be that of one referee on one machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

BIN = Path(os.environ["PITBOSS_BIN"])
NAME = "thousand"
GAMES = 1000
# So slow that there is time for failures: some minutes on two processors.
EXPERIMENT = f"""
name = "{NAME}"
seed = 1
game = "connect4"
games = {GAMES}
openings = "random:2"

[options]
preset = "reference"
simulations = 16000

[[player]]
name = "novel"
options = {{ novelty = "pseudocount", k = 0.6, alpha = 0.0001, beta = 0.3 }}

[[player]]
name = "plain"
options = {{ novelty = "none", k = 0.3 }}

[[server]]
address = "ADDRESS"
"""


def run(*words: object, **more: object) -> str:
    """Runs a program to its end; what it writes."""
    end = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, **more  # type: ignore[call-overload]
    )
    assert end.returncode == 0, f"{words}: {end.returncode}: {end.stdout}{end.stderr}"
    return str(end.stdout)


def wait_for(what: str, holds: Callable[[], object], seconds: float = 60) -> float:
    """Waits until it holds; for how long."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() < begun + seconds, f"not within {seconds} s: {what}"
        time.sleep(0.2)
    return time.monotonic() - begun


class Programs:
    """Programs that run beside the test, and end with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, *words: object, **more: object) -> subprocess.Popen[bytes]:
        """What it writes is in NAME.out and NAME.err."""
        with open(self.folder / f"{name}.out", "wb") as out, open(
            self.folder / f"{name}.err", "wb"
        ) as err:
            program: subprocess.Popen[bytes] = subprocess.Popen(
                [str(word) for word in words],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                **more,  # type: ignore[call-overload]
            )
        self.all.append(program)
        return program

    def errors(self, name: str) -> str:
        return (self.folder / f"{name}.err").read_text()

    def output(self, name: str) -> str:
        return (self.folder / f"{name}.out").read_text()

    def end(self) -> None:
        for program in reversed(self.all):
            if program.poll() is None:
                program.terminate()
                try:
                    program.wait(20)
                except subprocess.TimeoutExpired:
                    program.kill()


def descendants(pid: int) -> list[int]:
    """A process and all that it has started."""
    out = [pid]
    for one in out:
        try:
            children = Path(f"/proc/{one}/task/{one}/children").read_text()
        except OSError:
            continue
        out += [int(child) for child in children.split()]
    return out


def kill_all(pids: list[int]) -> None:
    """With SIGKILL, at once; those that have ended are left out."""
    for sent in (signal.SIGSTOP, signal.SIGKILL):  # so that none restarts another
        for pid in pids:
            try:
                os.kill(pid, sent)
            except ProcessLookupError:
                pass


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that every user may pass through, as the database's has to."""
    path = Path(tempfile.mkdtemp(prefix="pitboss-cluster-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def programs(folder: Path) -> Iterator[Programs]:
    programs = Programs(folder)
    yield programs
    programs.end()


class Database:
    """A PostgreSQL server of `pitboss ledger start`, in a network that `prefix` enters."""

    def __init__(
        self, folder: Path, address: str = "127.0.0.1", prefix: tuple[str, ...] = ()
    ) -> None:
        self.folder, self.prefix = folder, prefix
        self.url = run(
            *prefix, BIN / "pitboss", "ledger", "start", folder, "--listen", address
        ).strip()

    def ask(self, query: str, name: str = NAME) -> list[list[str]]:
        """Rows of the experiment's schema; none before there are any."""
        end = subprocess.run(
            [
                *self.prefix,
                "psql",
                "-XAtq",
                self.url,
                "-c",
                f'SET search_path TO "{name}"; {query}',
            ],
            capture_output=True,
            text=True,
        )
        return [line.split("|") for line in end.stdout.splitlines()]

    def games(self) -> int:
        rows = self.ask("SELECT count(*) FROM games")
        return int(rows[0][0]) if rows else 0

    def table(self, folder: Path) -> tuple[str, list[str]]:
        """What `table_of` tells of the records that are made from the ledger."""
        run(*self.prefix, BIN / "pitboss", "report", f"{self.url}#{NAME}", "--to", folder)
        return table_of(folder)

    def verify(self) -> str:
        return run(*self.prefix, BIN / "pitboss", "ledger", "verify", f"{self.url}#{NAME}")

    def stop(self) -> None:
        run(*self.prefix, BIN / "pitboss", "ledger", "stop", self.folder)


def table_of(folder: Path) -> tuple[str, list[str]]:
    """The summary, and the games without the last two columns, which are seconds."""
    games = (folder / "games.csv").read_text().splitlines()
    return (folder / "summary.json").read_text(), [line.rsplit(",", 2)[0] for line in games]


@cache
def table_of_one_referee() -> tuple[str, list[str]]:
    """The table of the experiment with a ledger in a file."""
    folder = Path(tempfile.mkdtemp(prefix="pitboss-alone-"))
    programs = Programs(folder)
    try:
        programs.start("daemon", BIN / "pitbossd", "--listen", "127.0.0.1:0")
        wait_for("the daemon listens", lambda: programs.output("daemon"))
        file = folder / "experiment.toml"
        file.write_text(EXPERIMENT.replace("ADDRESS", programs.output("daemon").split()[1]))
        begun = time.monotonic()
        run(BIN / "pitboss", "referee", "--experiment", file, "--out", folder / "alone")
        print(f"one referee: {GAMES} games in {time.monotonic() - begun:.0f} s")
        return table_of(folder / "alone")
    finally:
        programs.end()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def experiment(folder: Path) -> Path:
    path = folder / "experiment.toml"
    path.write_text(EXPERIMENT.replace("ADDRESS", "127.0.0.1:1"))
    return path
