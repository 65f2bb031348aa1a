"""The link to the server is down for a while: this file run as a program is the client, in a network of its own, and
puts the daemon into another one, at the far end of a cable that it pulls. Skipped where no networks can be made."""

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pitboss
import pytest

OWN_NETWORK = "unshare --user --map-root-user --net --pid --fork --kill-child --mount-proc".split()
# Addresses of the block for documentation (RFC 5737), which no network uses.
NEAR, FAR = "198.51.100.1", "198.51.100.2"
TIMEOUT = 4.0  # seconds
SLACK = 10.0  # 5 to the next question whether the server lives, and a busy machine


def test_a_link_that_is_down_for_a_minute() -> None:
    if subprocess.run([*OWN_NETWORK, "true"], capture_output=True).returncode != 0:
        pytest.skip("no networks can be made here")
    ran = subprocess.run([*OWN_NETWORK, sys.executable, __file__], timeout=240)
    assert ran.returncode == 0


def run(*words: str) -> None:
    subprocess.run(words, check=True)


class Far:
    """A daemon in a network of its own."""

    def __init__(self) -> None:
        program = str(Path(os.environ["PITBOSS_BIN"]) / "pitbossd")
        command = ["unshare", "--net", program, "--open", "--listen", "0.0.0.0:4580"]
        self.daemon = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.daemon.stdout is not None
        assert self.daemon.stdout.readline().startswith(b"listening")
        far = str(self.daemon.pid)
        run(*f"ip link add near type veth peer name far netns {far}".split())
        run(*f"ip address add {NEAR}/30 dev near".split())
        run(*"ip link set near up".split())
        self._there = f"nsenter --target {far} --net ip".split()
        run(*self._there, *f"address add {FAR}/30 dev far".split())
        self.set_link("up")

    def set_link(self, state: str) -> None:
        run(*self._there, *f"link set far {state}".split())


def failure_of(call: Callable[[], object]) -> pitboss.PitbossError:
    try:
        call()
    except pitboss.PitbossError as error:
        return error
    raise AssertionError("it ended without an error")


def a_short_time(far: Far) -> None:
    """Shorter than the timeout: nothing fails."""
    with pitboss.connect(f"{FAR}:4580", timeout=40) as server, server.engine("othello") as engine:
        state = engine.game.new_initial_state()
        with engine.analysis(state, pitboss.Limit(time=12)) as analysis:
            before = next(iter(analysis))
            far.set_link("down")
            time.sleep(6)
            far.set_link("up")
            assert analysis.result().simulations > before.simulations


def a_minute(far: Far) -> None:
    """Longer than the timeout: whatever is asked ends by an error with address and command, without waiting
    longer than it should; afterwards a table with a name is found again, and nothing is left behind.
    """
    server = pitboss.connect(f"{FAR}:4580", timeout=TIMEOUT)
    named = server.engine("othello", name="lab")
    unnamed = server.engine("othello")
    state = named.game.new_initial_state()
    long = pitboss.Limit(time=600)
    mapped: list[tuple[int, object]] = []
    calls: dict[str, Callable[[], object]] = {
        "reg_genmove": lambda: unnamed.play(state, long),
        "games": server.games,
        "attach lab": lambda: named.play(state, long),
        "map": lambda: mapped.extend(server_of_map.map([state] * 64, long, concurrency=64)),
    }
    server_of_map = server.engine("othello")
    failures: dict[str, tuple[pitboss.PitbossError, float]] = {}

    def note(name: str) -> None:
        if name in ("games", "state"):  # asked when the link is down
            time.sleep(1)
        if name == "map":
            calls[name]()
        else:
            failures[name] = failure_of(calls[name]), time.monotonic()

    threads = [threading.Thread(target=note, args=[name]) for name in calls]
    for thread in threads:
        thread.start()
    time.sleep(0.8)
    far.set_link("down")
    begin = time.monotonic()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    for name, (error, at) in failures.items():
        print(f"{name}: {at - begin:.1f} s: {error}", flush=True)
        assert isinstance(error, (pitboss.ServerGone, pitboss.Timeout))
        assert f"{FAR}:4580" in str(error)
        assert at - begin < 2 * TIMEOUT + SLACK
    assert sorted(place for place, _ in mapped) == list(range(64))
    assert all(isinstance(error, pitboss.PitbossError) for _, error in mapped)
    time.sleep(max(0.0, begin + 60 - time.monotonic()))
    far.set_link("up")
    assert named.play(state, pitboss.Limit(simulations=50)).move in state.legal_moves()
    assert "othello" in server.games()
    server.close()


def main() -> None:
    far = Far()
    a_short_time(far)
    gc.collect()
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))
    a_minute(far)
    gc.collect()
    assert threading.active_count() <= threads
    assert len(os.listdir("/proc/self/fd")) <= descriptors


if __name__ == "__main__":
    main()
