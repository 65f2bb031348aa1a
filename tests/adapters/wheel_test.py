"""The wheel in an empty environment: the page for users runs there, with the programs that it brings."""

import os
import subprocess
import tempfile
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pathlib import Path
import pitboss
from pitboss.programs import find_program

assert Path(pitboss.__file__).is_relative_to(sys.prefix), pitboss.__file__
assert Path(find_program("pitbossd")).is_relative_to(sys.prefix), find_program("pitbossd")
sys.path.append(sys.argv[1])
from python_blocks import run_blocks
namespace = {}
run_blocks(Path(sys.argv[2]), slice(0, -2), namespace)
namespace["server"].close()
from importlib.metadata import files
licences = {file.name for file in files("pitboss-mcts") if file.parent.name == "licenses"}
wanted = "LICENSE LIBRARIES.txt abseil.txt boost1.81.txt c-ares.txt grpc.txt openssl.txt protobuf.txt re2.txt spdlog.txt sqlite3.txt uchardet.txt"
assert licences >= set(wanted.split()), licences
print(sorted({"numpy", "torch", "grpc"} & sys.modules.keys()))
"""

NETWORK = """
import pitboss
with pitboss.launch(workers=1) as server, server.engine("connect4", preset="network") as engine:
    state = engine.game.new_initial_state()
    print(engine.play(state, pitboss.Limit(simulations=10)).network["name"])
"""


@pytest.mark.skipif("PITBOSS_WHEEL" not in os.environ, reason="./dev test python makes the wheel")
def test_the_wheel_is_the_whole_set_up(tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    wheel = Path(os.environ["PITBOSS_WHEEL"]).absolute()
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "--no-index", str(wheel)],
        check=True,
        env=environment,
    )
    tests = ROOT / "tests" / "clients" / "python"
    ran = subprocess.run(
        [python, "-c", SCRIPT, tests, ROOT / "docs" / "python.md"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert ran.returncode == 0 and ran.stdout.endswith("[]\n"), ran.stdout

    # As scripts, which a script of that name on PATH does not mislead.
    scripts = {**environment, "PATH": f"{python.parent}:/usr/bin:/bin"}
    for command in "pitboss", "pitbossd", "python -m pitboss":
        told = subprocess.run(
            [*command.split(), "--version"], env=scripts, capture_output=True, text=True
        )
        assert told.stdout.startswith(("pitboss 0", "pitbossd 0")), told
    network = subprocess.run([python, "-c", NETWORK], env=scripts, capture_output=True, text=True)
    assert network.stdout == "connect4\n", network
    # Ledgers in a database need the system's library.
    place = "postgresql://127.0.0.1:1/none"
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "libpq.so.5").write_bytes(b"")
    for folder, reason in ("", "Connection refused"), (str(broken), "(Debian's package libpq5)"):
        told = subprocess.run(
            ["pitboss", "report", place],
            env={**scripts, "LD_LIBRARY_PATH": folder},
            capture_output=True,
            text=True,
        )
        assert told.returncode == 2 and reason in told.stderr, told
    if Path("/usr/lib/postgresql").exists():
        with tempfile.TemporaryDirectory() as database:
            os.chmod(database, 0o711)  # for the user that runs it if the test runs as root
            for verb in "start", "stop":
                words = ["pitboss", "ledger", verb, f"{database}/server"]
                subprocess.run(words, check=True, env=scripts)
    # Each library that the wheel carries is named.
    carried = (tmp_path / "empty").glob("lib/*/site-packages/pitboss_mcts.libs/*")
    (named,) = (tmp_path / "empty").glob("lib/*/site-packages/*.dist-info/licenses/LIBRARIES.txt")
    text = named.read_text("utf-8")
    for library in carried:
        assert f"{library.name.partition('-')[0]}" in text, library
