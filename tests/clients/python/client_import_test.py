"""`import pitboss` and its parts where there is no POSIX, and no package but Python's own."""

import subprocess
import sys

import pytest

# Nothing that Windows lacks, and no fork.
WITHOUT_POSIX = """
import os, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "posix_ipc", "syslog"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "register_at_fork", "getuid", "geteuid", "getpgid", "killpg", "setsid", "sched_getaffinity", "uname"):
    if hasattr(os, name):
        delattr(os, name)
import signal
for name in ("SIGKILL", "SIGHUP", "SIGUSR1"):
    delattr(signal, name)
os.name = "other"  # the standard library would look for what only Windows has
"""
WITHOUT_PACKAGES = """
import sys
for name in ("numpy", "torch", "grpc", "google", "psycopg", "pandas", "polars", "gymnasium", "pettingzoo", "pyspiel",
             "open_spiel", "optuna", "IPython", "matplotlib"):
    sys.modules[name] = None
"""
# The client as it is used: another machine's daemon is reached, none is here.
USE = """
import pitboss, pitboss.aio, pitboss.optuna, pitboss.__main__
from pitboss.programs import own_token
assert own_token("127.0.0.1:1") is None
try:
    pitboss.connect("127.0.0.1:1", timeout=1)
except pitboss.ServerGone as error:
    print("no connection" in str(error))
"""


@pytest.mark.parametrize(
    "lacking", [WITHOUT_POSIX, WITHOUT_PACKAGES, WITHOUT_POSIX + WITHOUT_PACKAGES]
)
def test_imports(lacking: str) -> None:
    ran = subprocess.run([sys.executable, "-c", lacking + USE], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("True\n", "")


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("pettingzoo", "pettingzoo", "rl"),
        ("gymnasium", "gymnasium", "rl"),
        ("openspiel", "pyspiel", "openspiel"),
        ("notebook", "IPython", "notebook"),
        ("states", "numpy", "rl"),
    ],
)
def test_what_is_missing_names_its_extra(module: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import pitboss.{module}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"which the extra '{extra}' of pitboss-mcts installs" in ran.stderr
