"""The tests that CTest knows, run one by one, and what each of them reaches."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

LONGEST = 1800  # seconds, without a fault
alone = Lock()


@dataclass(frozen=True)
class Test:
    name: str
    command: list[str]
    environment: dict[str, str]
    folder: str
    is_alone: bool  # it measures time

    def run(self, variables: dict[str, str], limit: float = LONGEST) -> Outcome:
        turn: AbstractContextManager[object] = nullcontext()
        if self.is_alone:
            turn = alone
        with turn:
            return outcome(self.command, self.environment | variables, limit, self.folder)


@dataclass(frozen=True)
class Outcome:
    succeeds: bool
    is_late: bool  # it was ended after the limit
    seconds: float
    output: str

    def case(self) -> str:
        """The first one that failed, as doctest and pytest name it."""
        lines = self.output.splitlines()
        cases = [line for line in lines if line.startswith(("TEST CASE:", "FAILED "))]
        return cases[0].split(maxsplit=2)[-1] if cases else ""


def outcome(
    command: list[str], variables: dict[str, str], limit: float, folder: Path | str
) -> Outcome:
    """Nothing that the command has started is left behind."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        is_late = False
        try:
            succeeds = child.wait(limit) == 0
        except subprocess.TimeoutExpired:
            succeeds, is_late = False, True
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        output.seek(0)
        told = output.read().decode(errors="replace")
    return Outcome(succeeds, is_late, time.monotonic() - began, told)


def tests_of(build: Path) -> list[Test]:
    listed = subprocess.run(
        ["ctest", "--test-dir", build, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True
    )
    tests = []
    for test in json.loads(listed.stdout)["tests"]:
        properties = {one["name"]: one["value"] for one in test["properties"]}
        environment = dict(one.split("=", 1) for one in properties.get("ENVIRONMENT", []))
        folder, is_alone = properties["WORKING_DIRECTORY"], properties.get("RUN_SERIAL", False)
        if "command" in test:  # its program is built
            tests.append(Test(test["name"], test["command"], environment, folder, is_alone))
    return tests
