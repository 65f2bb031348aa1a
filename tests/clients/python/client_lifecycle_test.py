"""What is dropped closes by itself and says so; what was cut off comes back; Ctrl-C reaches whoever waits."""

import asyncio
import gc
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pitboss
import pytest

PATIENCE = 60.0  # seconds: nothing here takes so long, on any machine
FEW = pitboss.Limit(simulations=20)


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_engines_that_are_dropped_leave() -> None:
    with pitboss.launch(workers=1) as server:
        for _ in range(20):
            with pytest.warns(ResourceWarning, match="Engine.*was not closed"):
                engine = server.engine("othello")
                engine.play(engine.game.new_initial_state(), FEW)
                del engine
                gc.collect()
        until(lambda: server.stats()["pitboss_connections"] == 1)


def test_an_analysis_that_is_dropped_ends() -> None:
    with pitboss.launch(workers=1) as server, server.engine("othello") as engine:
        analysis = engine.analysis(engine.game.new_initial_state())
        assert server.stats()["pitboss_running_commands"] == 1
        with pytest.warns(ResourceWarning, match="Analysis.*was not stopped"):
            del analysis
            gc.collect()
        until(lambda: server.stats()["pitboss_running_commands"] == 0)
        assert engine.play(engine.game.new_initial_state(), FEW).simulations == 20


def test_a_server_that_is_dropped_takes_its_daemon_along() -> None:
    server = pitboss.launch(workers=1)
    assert server.daemon is not None
    process = server.daemon.process.pid
    with pytest.warns(ResourceWarning, match="Server.*was not closed"):
        del server
        gc.collect()
    until(lambda: not Path(f"/proc/{process}").exists())


def test_nothing_that_was_closed_complains(recwarn: pytest.WarningsRecorder) -> None:
    with pitboss.launch(workers=1) as server, server.engine("connect4") as engine:
        with engine.analysis(engine.game.new_initial_state()) as analysis:
            next(iter(analysis))
    del server, engine, analysis
    gc.collect()
    assert [str(warning.message) for warning in recwarn] == []


def test_an_engine_that_was_cut_off_comes_back_with_its_options() -> None:
    with pitboss.launch(workers=1, idle_seconds=1) as server:
        engine = server.engine("connect4", simulations=33)
        state = engine.game.new_initial_state()
        engine.configure(k=0.7)
        for _ in range(2):
            result = engine.play(state)
            assert result.simulations == 33 and result.options["k"] == 0.7
            until(lambda: engine._twin._seat.connection.closed is not None)
        with engine.analysis(state, FEW) as analysis:
            assert analysis.result().options["k"] == 0.7


def test_another_event_loop_is_told_at_once(server: pitboss.Server) -> None:
    async def connect() -> tuple[pitboss.aio.Server, pitboss.aio.Engine]:
        client = await pitboss.aio.connect(server.address)
        return client, await client.engine("connect4")

    loop = asyncio.new_event_loop()
    client, engine = loop.run_until_complete(connect())
    calls: list[Callable[[], Awaitable[object]]] = [
        lambda: client.games(),
        lambda: client.engine("hex"),
        lambda: engine.play(engine.game.new_initial_state()),
    ]
    for call in calls:

        async def elsewhere() -> None:
            await call()

        with pytest.raises(RuntimeError, match="belongs to another event loop"):
            asyncio.run(elsewhere())
    loop.run_until_complete(client.close())
    loop.close()


def test_a_referee_that_nobody_holds_ends(server: pitboss.Server, tmp_path: Path) -> None:
    experiment = {
        "game": "othello",
        "games": 1000,
        "options": {"simulations": 100},
        "player": [{"name": "one"}, {"name": "two"}],
        "server": [{"address": server.address}],
    }
    run = pitboss.referee(experiment, tmp_path / "run")
    process = run._twin._process.pid
    assert os.getpgid(process) != os.getpgid(0)  # Ctrl-C in a terminal is not for it
    with pytest.warns(ResourceWarning, match="Run.*was not stopped"):
        del run
        gc.collect()
    until(lambda: not Path(f"/proc/{process}").exists())


class Terminal:
    """Python as a user talks to it at a terminal, whose Ctrl-C reaches all programs in front."""

    def __init__(self) -> None:
        self._screen, inside = pty.openpty()
        self.program = subprocess.Popen(
            ["setsid", "--ctty", sys.executable, "-i"], stdin=inside, stdout=inside, stderr=inside
        )
        os.close(inside)

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())

    def shows(self, pattern: str) -> re.Match[str]:
        """What fits the pattern first, of what has come since the last call."""
        text = ""
        while not (found := re.search(pattern, text)):
            assert select.select([self._screen], [], [], PATIENCE)[0], text
            text += os.read(self._screen, 4096).decode()
        return found

    def answers(self, text: str, pattern: str) -> bool:
        """Types text. Whether what fits the pattern is shown before nothing was for five seconds."""
        self.type(text)
        shown = ""
        while not re.search(pattern, shown) and select.select([self._screen], [], [], 5)[0]:
            shown += os.read(self._screen, 4096).decode()
        return bool(re.search(pattern, shown))

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self._screen)


@pytest.mark.skipif(shutil.which("setsid") is None, reason="util-linux is not installed")
def test_ctrl_c_at_a_terminal_ends_the_call_alone() -> None:
    terminal = Terminal()
    try:
        terminal.type(
            "import pitboss; server = pitboss.launch(workers=1); engine = server.engine('othello')\n"
            "state = engine.game.new_initial_state(); few = pitboss.Limit(simulations=20)\n"
            "print('at', server.address)\n"
        )
        address = terminal.shows(r"at (127\.0\.0\.1:\d+)\s")[1]
        played = "print('played', 10 + engine.play(state, few).simulations)\n"
        with pitboss.connect(address) as watcher:

            def is_searching() -> bool:
                return bool(watcher.stats()["pitboss_running_commands"])

            for call in "engine.play(state)", "list(engine.map([state] * 100))", "list(analysis)":
                terminal.type("engine.configure(movetime=600000, simulations=0)\n")
                if call == "list(analysis)":
                    terminal.type("analysis = engine.analysis(state)\n")
                terminal.type(call + "\n")
                until(is_searching)
                terminal.type("\x03")
                terminal.shows("KeyboardInterrupt")
                terminal.type(played)
                terminal.shows(r"played 30[^>]*>>> ")
                until(lambda: not is_searching())
            # While nothing runs; again, as Python keeps a signal of the moment before it waits for a line until it has one.
            assert any(terminal.answers("\x03", "KeyboardInterrupt") for _ in range(3))
            terminal.type(played)
            terminal.shows("played 30")
    finally:
        terminal.close()
