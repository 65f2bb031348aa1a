"""The programs of Pitboss as scripts: `python -m pitboss` is `pitboss`."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from .errors import PitbossError
from .programs import find_program


def pitboss() -> NoReturn:
    """Becomes the program `pitboss`, with this process's arguments."""
    _become("pitboss")


def pitbossd() -> NoReturn:
    """Becomes the program `pitbossd`, with this process's arguments."""
    _become("pitbossd")


def _become(name: str) -> NoReturn:
    try:
        command = [find_program(name), *sys.argv[1:]]
    except PitbossError as error:
        sys.exit(f"{name}: {error}")
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command).returncode)


if __name__ == "__main__":
    pitboss()
