"""The client with a real daemon: games by State, searches, live changes, cancellations."""

import asyncio
import hashlib
import os
import pickle
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pitboss
import pytest
from pitboss.programs import Daemon, _token_folders, find_program, own_token

GAMES = (
    "connect4 othello breakthrough knightthrough atarigo gomoku amazons cannon chinesecheckers pentalath"
    " fanorona hex teeko yavalath rolit"
).split()
PATIENCE = 60.0  # seconds: nothing here takes so long, on any machine


def test_these_are_all_games(server: pitboss.Server) -> None:
    assert server.games() == GAMES


def test_states_of_other_games_and_half_moves_are_refused(server: pitboss.Server) -> None:
    half = pitboss.Game("amazons").new_initial_state()
    half.apply_action(half.legal_actions()[0])
    with server.engine("amazons") as engine:
        for state, reason in (
            (pitboss.Game("othello").new_initial_state(), "no state of"),
            (half, "in the middle of a move"),
        ):
            asks: list[Callable[[pitboss.State], object]]
            asks = [engine.play, engine.analyse, engine.analysis, engine.simulate]
            for ask in asks:
                with pytest.raises(ValueError, match=reason):
                    ask(state)
            with pytest.raises(ValueError, match=reason):
                engine.evaluate([state])
            with pytest.raises(ValueError, match=reason):
                list(engine.map([state]))


def test_searches(server: pitboss.Server) -> None:
    with server.engine("othello", seed=1, k=0.5) as engine:
        state = engine.game.new_initial_state()
        result = engine.play(state, pitboss.Limit(simulations=300))
        assert result.move == engine.play(state, pitboss.Limit(simulations=300)).move
        assert result.simulations == sum(result.visits.values()) == 300
        assert abs(sum(result.policy().values()) - 1) < 1e-9
        assert result.policy(0)[result.moves[0].move] == 1
        assert result.options["k"] == 0.5 and result.seed == 1
        assert state.moves == ()
        timed = engine.play(state, pitboss.Limit(time=0.1), options={"alpha": 0.5})
        assert 0.05 < timed.seconds < 10 and timed.options["alpha"] == 0.5
        assert "alpha" not in engine.play(state).options
        clock = pitboss.Limit(clocks={"black": (1.0, 0.0), "white": (1.0, 0.0)})
        assert engine.play(state, clock).seconds < 10
        assert engine.evaluate([state, state.child(state.legal_actions()[0])])[0].policy is None
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        with pytest.raises(pitboss.CommandError, match="the game is over"):
            engine.play(state)


def test_exact_results(server: pitboss.Server) -> None:
    state = server.game("othello size=4").new_initial_state()
    truth = server.truth(state)
    assert truth.complete and truth.to_move == "black" and truth.exact == "loss"
    assert {move.points for move in truth.moves} == {-10}
    assert sorted(truth.best) == sorted(move.move for move in truth.moves)
    assert truth.points == -10
    breakthrough = server.game("breakthrough")
    at_goal = breakthrough.new_initial_state(
        "OOOOOOO./OOOOOOOX/......../......../......../......../XXXXXXXX/XXXXXXX. b"
    )
    partial = server.truth(at_goal, seconds=0.5)
    assert (partial.complete, partial.exact, partial.best) == (False, "win", ("h7g8",))
    start = server.game("connect4").new_initial_state()
    hasty = server.truth(start, seconds=0)
    assert (hasty.complete, hasty.exact, hasty.best) == (False, "unknown", ())
    with pytest.raises(pitboss.CommandError, match="no exact solver for fanorona"):
        server.truth(server.game("fanorona").new_initial_state())
    with server.engine("othello size=4", exact=True, simulations=1000) as engine:
        result = engine.play(state)
        assert (result.exact, result.points, result.simulations) == ("loss", -10, 0)
        assert engine.truth(state) == truth


def test_steps_and_browsing(server: pitboss.Server) -> None:
    with server.engine("othello", seed=1) as engine:
        state = engine.game.new_initial_state()
        with pytest.raises(pitboss.CommandError, match="no search yet"):
            engine.last_search()
        for n in range(1, 5):
            step = engine.simulate(state)
            assert step.simulations == sum(step.visits.values()) == n
            (path,) = step.paths
            assert path.expanded and abs(sum(path.values.values()) - 1) < 1e-9
            below = engine.last_search(*path.moves)
            assert below.path == path.moves and below.json["visits"] == 1
            assert below.move == "" and below.value is None
        many = engine.simulate(state, 496, options={"k": 0.4})
        assert many.simulations == 500 and len(many.paths) == 100
        assert many.options["k"] == 0.4 and many.path == ()
        below = engine.last_search(many.move)
        assert sum(below.visits.values()) == below.json["visits"] - 1 == many.visits[many.move] - 1
        assert below.pv == many.pv[1:]
        with pytest.raises(pitboss.CommandError, match="1 to 1000"):
            engine.simulate(state, 1001)
        with pytest.raises(pitboss.IllegalMove):
            engine.last_search("a1")
        leaf = engine.last_search(*many.pv).moves[0].move
        with pytest.raises(pitboss.CommandError, match="has no position after"):
            engine.last_search(*many.pv, leaf)
        assert engine.last_search().paths == ()


def test_options(server: pitboss.Server) -> None:
    with server.engine("connect4") as engine:
        with pytest.raises(pitboss.CommandError, match="did you mean 'alpha'"):
            engine.configure(alpho=1)
        state = engine.game.new_initial_state()
        with pytest.raises(pitboss.CommandError, match="did you mean 'alpha'"):
            engine.play(state, options={"alpho": 1})
        with engine.analysis(state) as analysis:
            with pytest.raises(pitboss.CommandError, match="did you mean 'alpha'"):
                analysis.set(alpho=1)
        with pytest.raises(pitboss.PitbossError, match=f"'analyze .*{server.address} is over"):
            analysis.set(alpha=1)
        with pytest.raises(pitboss.CommandError, match="alpha must be a number from 0 to 1000"):
            engine.configure(k=0.9, alpha=2000)
        assert engine.options["k"].value == 0.3
        with engine.configured(k=0.9, solver=True):
            assert engine.options["k"].value == 0.9 and engine.options["solver"].value is True
        assert engine.options["k"].value == 0.3
        for solver in 1, "on", "TRUE":  # as the server reads it
            with engine.configured(solver=solver):
                assert engine.options["solver"].value is True
        engine.configure(preset="uct")
        assert engine.options["selection"].value == "ucb1"
        engine.configure(movetime=50)
        result = engine.play(engine.game.new_initial_state())
        assert result.simulations != 5000 and "movetime" in result.options


def test_a_limit_takes_the_place_of_all_bounds(server: pitboss.Server) -> None:
    with server.engine("connect4", cputime=1) as engine:
        state = engine.game.new_initial_state()
        many = pitboss.Limit(simulations=30000)
        assert engine.play(state, many).simulations == 30000
        assert engine.options["cputime"].value == 1
        assert engine.play(state).simulations < 30000


def test_options_know_their_kinds(server: pitboss.Server) -> None:
    with server.engine("connect4", k=0.5, tree_mb=100) as engine:
        options = engine.options
    k, memory = options["k"], options["tree_mb"]
    assert (k.type, k.default, k.value, k.min, k.max, k.live) == ("real", 0.3, 0.5, 0, 100, True)
    assert (memory.type, memory.value, memory.live) == ("spin", 100, False)
    assert isinstance(memory.value, int) and memory.help
    assert "uct" in options["preset"].choices and options["solver"].value is False


def test_a_change_during_a_search(server: pitboss.Server) -> None:
    """It waits for the search, and holds for those that follow."""

    async def change() -> None:
        async with await pitboss.aio.connect(server.address) as client:
            async with await client.engine("othello") as engine:
                state = engine.game.new_initial_state()
                searching = asyncio.create_task(engine.play(state, pitboss.Limit(time=1)))
                await asyncio.sleep(0.3)
                await engine.configure(k=9)
                assert searching.done() and "k" not in (await searching).options
                assert engine.options["k"].value == 9
                assert (await engine.play(state)).options["k"] == 9

    asyncio.run(change())


def test_pondering() -> None:
    """Told for all calls, or for one; the next search goes on in its tree."""
    with pitboss.launch(workers=1) as server:
        engine = server.engine("othello", name="lab", reuse_tree=True)
        state, few = engine.game.new_initial_state(), pitboss.Limit(simulations=50)

        def check(ponders: bool) -> None:
            end = time.monotonic() + PATIENCE
            while (server.tables()[0].command == "ponder") != ponders:
                assert time.monotonic() < end
                time.sleep(0.01)

        for ponders in (True, False, True):
            result = engine.play(state, few, options={"ponder": ponders})
            check(ponders)
        state.apply_move(result.move)
        state.apply_action(state.legal_actions()[0])
        assert engine.play(state, few).reused > 0
        check(False)
        engine.configure(ponder=True)
        engine.play(state, few, options={"ponder": False})
        check(False)
        clocks = {"black": (1.0, 0.0), "white": (1.0, 0.0)}
        for limit in few, pitboss.Limit(clocks=clocks):
            engine.play(state, limit)
            check(True)
        engine.analyse(state, few)
        check(False)


def test_nothing_names_nothing(server: pitboss.Server) -> None:
    with pytest.raises(ValueError, match="name of the game is missing"):
        server.engine("")
    with pytest.raises(ValueError, match="name of a table is a word"):
        server.engine("hex", name="")
    with pytest.raises(ValueError, match="name of a table is a word"):
        server.engine("hex", name=" two words ")
    with server.engine("connect4") as engine, pytest.raises(ValueError, match="lossless must be"):
        engine.analysis(engine.game.new_initial_state(), lossless=-1)


def test_a_preset_of_one_call(server: pitboss.Server) -> None:
    with server.engine("connect4", preset="uct", k=0.9) as engine:
        state = engine.game.new_initial_state()
        few = pitboss.Limit(simulations=30)
        with server.engine("connect4", preset="uct", k=0.9) as other:
            other.configure(preset="control")
            expected = dict(other.analyse(state, few).options)
        for _ in range(2):
            assert engine.analyse(state, few, options={"preset": "control"}).options == expected
            changed = engine.analyse(state, few, options={"preset": "control", "K": 0.7}).options
            assert changed == expected | {"k": 0.7}
        own = engine.analyse(state, few).options
        assert (own["preset"], own["k"], own["evaluation"]) == ("uct", 0.9, "playout")


def test_options_in_either_case(server: pitboss.Server) -> None:
    with server.engine("connect4") as engine:
        engine.configure(ALPHA=7)
        assert engine.options["alpha"].value == 7
        state = engine.game.new_initial_state()
        few = pitboss.Limit(simulations=30)
        assert engine.analyse(state, few).options["alpha"] == 7
        assert (
            "alpha" not in engine.analyse(state, few, options={"Alpha": 0.01}).options
        )  # the default


def test_analyses_that_begin_at_once(server: pitboss.Server) -> None:
    async def begun() -> None:
        async with await pitboss.aio.connect(server.address) as other:
            async with await other.engine("connect4") as engine:
                state = engine.game.new_initial_state()
                first, second = await asyncio.gather(engine.analysis(state), engine.analysis(state))
                assert (await first.result()).simulations >= 0  # ended by the second
                with pytest.raises(ValueError, match="clocks are for"):
                    await engine.analysis(
                        state, pitboss.Limit(clocks={"black": (1, 0), "white": (1, 0)})
                    )
                searched, third = await asyncio.gather(
                    engine.analyse(state, pitboss.Limit(simulations=10)), engine.analysis(state)
                )
                assert searched.simulations == 10
                await second.stop()
                await third.stop()

    asyncio.run(asyncio.wait_for(begun(), 60))


def test_a_process_that_ends_with_searches(server: pitboss.Server) -> None:
    script = f"""
import atexit, pitboss
atexit.register(lambda: server.close())
server = pitboss.connect("{server.address}")
engine = server.engine("connect4")
results = engine.map([engine.game.new_initial_state()] * 20, pitboss.Limit(simulations=1000))
next(results)
"""
    subprocess.run([sys.executable, "-c", script], timeout=60, check=True, capture_output=True)


def test_a_server_that_dies_in_an_analysis() -> None:
    with pitboss.launch(workers=1) as mortal, mortal.engine("connect4") as engine:
        with engine.analysis(engine.game.new_initial_state()) as analysis:
            next(iter(analysis))
            assert mortal.daemon is not None
            mortal.daemon.process.kill()
            with pytest.raises(pitboss.ServerGone, match=f"{mortal.address} ended before 'analyze"):
                for _ in analysis:
                    pass
            with pytest.raises(pitboss.ServerGone, match=f"{mortal.address} ended before 'analyze"):
                analysis.set(k=0.5)


def test_a_live_change_moves_visits(server: pitboss.Server) -> None:
    with server.engine("othello", k=0) as engine:
        state = engine.game.new_initial_state()
        with engine.analysis(state, every=0.05, lossless=1000) as analysis:
            before = next(report for report in analysis if report.simulations > 100)
            analysis.set(k=100)
            changed = next(report for report in analysis if report.changed)
            assert changed.changed["k"] == 100
            after = next(report for report in analysis if report.sequence > changed.sequence + 3)
        least = min(before.visits.values()) / before.simulations
        assert min(after.visits.values()) / after.simulations > least
        assert engine.options["k"].value == 0
        assert "k" not in engine.analyse(state, options={"k": 0.3}).options
        limited = engine.analysis(state, pitboss.Limit(time=0.2), allow=["d6"], every=0.05)
        assert {move.move for move in limited.result().moves} == {"d6"}
        engine.play(state)  # ends no analysis, for none runs
    assert server.tables() == []


def test_two_clients_at_one_table(server: pitboss.Server) -> None:
    with server.engine("othello", name="shared") as engine:
        with pitboss.connect(server.address) as guest, guest.attach("shared") as other:
            state = engine.game.new_initial_state()
            state.apply_action(state.legal_actions()[0])
            results = [
                client.play(state, pitboss.Limit(simulations=50)) for client in (engine, other)
            ]
            engine.play(engine.game.new_initial_state())
            results.append(other.play(state, pitboss.Limit(simulations=50)))
            assert all(result.move in state.legal_moves() for result in results)
        with pytest.raises(pitboss.PitbossError, match="no table 'nowhere'"):
            server.attach("nowhere")


def test_a_guest_at_the_table_of_an_analysis(server: pitboss.Server) -> None:
    """While the guest sits there the table keeps the name that it got for the analysis, and is still ours."""

    def lent_names() -> list[str]:
        return [table.name for table in server.tables() if table.name.startswith("py-")]

    with server.engine("othello", k=0.7) as engine, pitboss.connect(server.address) as visitor:
        state = engine.game.new_initial_state()
        state.apply_move(state.legal_moves()[0])
        with engine.analysis(state) as analysis:
            next(iter(analysis))
            (name,) = lent_names()
            guest = visitor.attach(name)
        for _ in range(2):
            guest.play(
                guest.game.new_initial_state(), pitboss.Limit(simulations=10), options={"k": 2}
            )
            with engine.analysis(state, pitboss.Limit(simulations=100)) as analysis:
                assert analysis.result().visits.keys() == set(state.legal_moves())
                assert analysis.result().options["k"] == 0.7
            assert lent_names() == [name]
        guest.play(guest.game.new_initial_state(), pitboss.Limit(simulations=10))
        result = engine.play(state, pitboss.Limit(simulations=50))
        assert result.move in state.legal_moves() and result.options["k"] == 0.7
        guest.close()
        engine.play(state, pitboss.Limit(simulations=50))
        assert lent_names() == []


def test_many_states_in_flight(server: pitboss.Server) -> None:
    with server.engine("connect4") as engine:
        state, states = engine.game.new_initial_state(), []
        for action in [3, 3, 3, 2, 4, 1, 5, 0] * 4:
            states.append(state.clone())
            if action in state.legal_actions():
                state.apply_action(action)
        states *= 4
        results = dict(engine.map(states, pitboss.Limit(simulations=20), concurrency=64))
        assert sorted(results) == list(range(len(states)))
        for place, result in results.items():
            if states[place].is_terminal():
                assert isinstance(result, pitboss.CommandError)
                assert server.address in str(result) and "'to_move'" in str(result)
            else:
                assert isinstance(result, pitboss.Result)
                assert result.move in states[place].legal_moves()
        begin = time.monotonic()
        for _ in engine.map(states * 10, pitboss.Limit(time=1), concurrency=8):
            break
        assert time.monotonic() - begin < PATIENCE
    with pytest.raises(pitboss.ServerGone, match="was closed"):
        next(engine.map(states))


def test_closing_an_engine_ends_its_map() -> None:
    with pitboss.launch(workers=2) as server:
        engine = server.engine("connect4")
        states = [engine.game.new_initial_state()] * 12
        results = engine.map(states, pitboss.Limit(time=2 * PATIENCE), concurrency=4)
        closing = threading.Timer(0.5, engine.close)
        closing.start()
        begin = time.monotonic()
        found = dict(results)
        assert time.monotonic() - begin < PATIENCE
        assert sorted(found) == list(range(12))
        assert all(isinstance(each, pitboss.ServerGone) for each in found.values())
        closing.join()
        while server.stats()["pitboss_connections"] > 1:  # the server notices soon
            assert time.monotonic() - begin < PATIENCE
            time.sleep(0.05)


def test_a_server_that_is_killed_and_restarted(tmp_path: Path) -> None:
    with pitboss.launch(state=tmp_path) as first:
        port = first.address.rpartition(":")[2]
        named = first.engine("connect4", name="lab")
        state = named.game.new_initial_state()
        named.configure(simulations=77)
        unnamed = first.engine("connect4")
        assert first.daemon is not None
        first.daemon.process.send_signal(signal.SIGKILL)
        wait_for_end(first.daemon.process.pid)
        calls: list[Callable[[], object]] = [first.ping, lambda: unnamed.play(state)]
        for call in calls:
            with pytest.raises(pitboss.ServerGone, match="127.0.0.1"):
                call()
        for simulations in 77, 78:  # the options hold at a second daemon, and at a third
            again = subprocess.Popen(
                [Path(os.environ["PITBOSS_BIN"]) / "pitbossd", "--listen", f"127.0.0.1:{port}"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            try:
                result = named.play(state)
                assert result.simulations == simulations and result.move in state.legal_moves()
                named.configure(simulations=78, k=0.9)
            finally:
                again.kill()
                again.communicate()
        with pytest.raises(pitboss.ServerGone):
            first.ping()
        assert named.options["k"].value == 0.9


def test_what_does_not_start_says_why() -> None:
    with pytest.raises(pitboss.PitbossError, match="nonsense"):
        pitboss.launch(nonsense=1)


def test_the_daemon_ends_with_the_process() -> None:
    script = (
        "import pitboss, os; server = pitboss.launch(); print(server.daemon.process.pid, flush=True);"
        "os.kill(os.getpid(), 9)"
    )
    out = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True).stdout
    wait_for_end(int(out))


def wait_for_end(process: int) -> None:
    end = time.monotonic() + PATIENCE
    while Path(f"/proc/{process}").exists():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_launch_holds_nobody_up(server: pitboss.Server) -> None:
    """Others of the same loop are answered before the daemon listens."""

    async def ask_meanwhile() -> None:
        async with await pitboss.aio.connect(server.address) as other:
            launching = asyncio.create_task(pitboss.aio.launch(workers=1))
            answers = 0
            while not launching.done():
                await other.ping()
                answers += 1
            assert answers > 1
            async with await launching as launched:
                assert await launched.games() == GAMES
                assert launched.daemon is not None
                process = launched.daemon.process
            assert process.returncode is not None

    asyncio.run(ask_meanwhile())


def test_a_daemon_that_never_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "pitbossd"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PITBOSS_BIN", str(tmp_path))

    async def start() -> None:
        with pytest.raises(pitboss.PitbossError, match="did not start in 0.2 s"):
            await Daemon.start([], 0.2)
        starting = asyncio.create_task(Daemon.start([], 2 * PATIENCE))
        await asyncio.sleep(0.2)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting

    begin = time.monotonic()
    asyncio.run(start())
    assert time.monotonic() - begin < PATIENCE


def test_ctrl_c_interrupts_a_search(server: pitboss.Server) -> None:
    with server.engine("connect4") as engine:
        state = engine.game.new_initial_state()
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            engine.play(state, pitboss.Limit(time=2 * PATIENCE))
        assert time.monotonic() - begin < PATIENCE
        assert engine.play(state, pitboss.Limit(simulations=50)).simulations == 50


def test_ctrl_c_in_a_terminal_does_not_reach_the_daemon(server: pitboss.Server) -> None:
    assert server.daemon is not None
    assert os.getpgid(server.daemon.process.pid) != os.getpgid(0)


def test_cancelled_at_any_await(server: pitboss.Server) -> None:
    """1,000 calls cut after 0 to 20 ms: each ends soon, and the next one is answered rightly."""

    async def fuzz() -> None:
        numbers = random.Random(1)
        async with await pitboss.aio.connect(server.address, timeout=PATIENCE) as client:
            engine = await client.engine("connect4")
            initial = engine.game.new_initial_state()
            state = initial.child(3)
            calls: list[Callable[[], Awaitable[object]]] = [
                lambda: client.games(),
                lambda: engine.play(state, pitboss.Limit(time=10)),
                lambda: engine.play(state, pitboss.Limit(clocks={"white": (600.0, 0.0)})),
                lambda: engine.analyse(initial, pitboss.Limit(simulations=10**9)),
                lambda: engine.evaluate([initial, state]),
                lambda: engine.configure(k=numbers.random()),
                lambda: collect(engine.map([initial, state], pitboss.Limit(time=10))),
                lambda: analyse(engine, state),
            ]
            for _ in range(1000):
                task = asyncio.ensure_future(numbers.choice(calls)())
                await asyncio.sleep(numbers.uniform(0, 0.02))
                task.cancel()
                try:
                    async with asyncio.timeout(PATIENCE):
                        await task
                except asyncio.CancelledError:
                    pass
                assert "hex" in await client.games()
            result = await engine.play(state, pitboss.Limit(simulations=50))
            assert result.move in state.legal_moves() and result.simulations == 50
            assert [t.name for t in await client.tables() if t.name != "shared"] == []

    async def collect(results: AsyncIterator[object]) -> None:
        async for _ in results:
            pass

    async def analyse(engine: pitboss.aio.Engine, state: pitboss.State) -> None:
        async with await engine.analysis(state, every=0.01) as analysis:
            await analysis.set(alpha=0.5)
            async for _ in analysis:
                pass

    asyncio.run(fuzz())


def test_import_takes_the_standard_library_alone(tmp_path: Path) -> None:
    (tmp_path / "_rules.py").write_text("raise SystemExit('code of a foreign folder')")
    script = (
        "import sys; from pitboss import *; Game('hex').new_initial_state();"
        " print([m for m in ('numpy', 'torch', 'grpc') if m in sys.modules])"
    )
    command = [sys.executable, "-P", "-c", script]
    end = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert end.stdout == "[]\n"


def test_a_launched_daemon_serves_its_user_alone(tmp_path: Path) -> None:
    with pitboss.launch(workers=1) as server:
        host, _, port = server.address.rpartition(":")
        with socket.create_connection((host, int(port))) as stranger:
            stranger.sendall(b"sessions\n")
            assert stranger.recv(1000).startswith(b"? this server asks for a token")
        token = own_token(server.address)
        assert token is not None
        with pitboss.connect(server.address, token=token) as other:
            assert other.stats()["pitboss_sessions"] > 1
        command = [find_program("pitboss"), "load", "--connect", server.address, "--seconds", "0.1"]
        assert subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0
        files = [file for folder in _token_folders() for file in folder.glob(f"*:{port}")]
        assert [file.stat().st_mode & 0o777 for file in files] == [0o600]
        assert server.daemon is not None
        words = Path(f"/proc/{server.daemon.process.pid}/cmdline").read_bytes()
        assert token.encode() not in words
    assert own_token(server.address) is None
    files[0].write_text("of a program that was killed")
    assert own_token(server.address) is None
    files[0].unlink()
    # Tokens of one's own are not replaced.
    hashed = hashlib.sha256(b"secret").hexdigest()
    (tmp_path / "tokens").write_text(f"me admin {hashed}\n")
    with pytest.raises(pitboss.AuthError):
        pitboss.launch(workers=1, tokens=tmp_path / "tokens")


def test_many_evaluations_are_those_of_each(server: pitboss.Server) -> None:
    for rules in server.games():
        with server.engine(rules) as engine:
            numbers = random.Random(1)
            states: list[pitboss.State] = []
            state = engine.game.new_initial_state()
            while not state.is_terminal() and len(states) < 150:
                states.append(state.clone())
                state.apply_move(numbers.choice(state.legal_moves()))
            alone = [engine.evaluate([state])[0] for state in states]
            assert engine.evaluate(states) == alone
            assert list(engine.evaluate_many(iter(states))) == alone
            assert list(alone[0].values) == list(engine.game.colours)
            assert alone[0].value_of(0) == alone[0].values[engine.game.colours[0]]
            with pytest.raises(ValueError, match="none of the players"):
                alone[0].value_of(len(engine.game.colours))


def test_many_evaluations_are_asked_for_as_they_are_taken(
    server: pitboss.Server,
) -> None:
    read = 0

    def states() -> Iterator[pitboss.State]:
        nonlocal read
        while True:
            read += 1
            yield engine.game.new_initial_state()

    with server.engine("connect4") as engine:
        source = states()
        evaluations = engine.evaluate_many(source)
        assert next(evaluations) == next(evaluations)
        assert read == 64
        engine.play(engine.game.new_initial_state(), pitboss.Limit(simulations=10))  # in between
        for _ in range(64):
            next(evaluations)
        assert read == 128
        del evaluations
        assert engine.evaluate([]) == []
        over = engine.game.new_initial_state()
        while not over.is_terminal():
            over.apply_action(over.legal_actions()[0])
        with pytest.raises(ValueError, match="state 1, from 0: the game is over"):
            engine.evaluate([engine.game.new_initial_state(), over])
        initial = engine.game.new_initial_state()
        with pytest.raises(ValueError, match="state 69, from 0: the game is over"):
            list(engine.evaluate_many([initial] * 69 + [over]))
        assert len(engine.evaluate(initial for _ in range(3))) == 3  # no list


def test_states_may_come_from_what_uses_the_engine(server: pitboss.Server) -> None:
    """They are read in the thread of the caller."""
    with server.engine("connect4") as engine:

        def states() -> Iterator[pitboss.State]:
            state = engine.game.new_initial_state()
            for _ in range(3):
                yield state
                state = state.clone()
                state.apply_move(engine.play(state, pitboss.Limit(simulations=10)).move)

        assert len(list(engine.evaluate_many(states()))) == 3

        def broken() -> Iterator[pitboss.State]:
            yield engine.game.new_initial_state()
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            list(engine.evaluate_many(broken()))
        assert engine.play(engine.game.new_initial_state(), pitboss.Limit(simulations=10)).move


def test_evaluations_fit_into_the_shortest_lines() -> None:
    with pitboss.launch(workers=1, max_line=4096) as server:
        with server.engine("hex size=19") as engine:
            states = [engine.game.new_initial_state()] * 40
            assert len(engine.evaluate(states)) == 40


def test_a_table_keeps_the_network_that_it_evaluates_with() -> None:
    """Else each position would take the time in which a network is read."""

    def bytes_of_networks() -> int:
        return int(server.stats()["pitboss_memory_bytes"]["networks"])

    with pitboss.launch(workers=1) as server:
        with server.engine("connect4", preset="network") as engine:
            state = engine.game.new_initial_state()
            assert bytes_of_networks() == 0
            (evaluation,) = engine.evaluate([state])
            assert evaluation.network is not None and evaluation.policy is not None
            assert bytes_of_networks() > 0
            assert engine.play(state, pitboss.Limit(simulations=10)).simulations == 10
            assert engine.evaluate([state])[0].policy == evaluation.policy
        end = time.monotonic() + PATIENCE
        while bytes_of_networks() > 0:
            assert time.monotonic() < end
            time.sleep(0.01)


def test_a_limit_bounds_an_analysis(server: pitboss.Server) -> None:
    with server.engine("othello") as engine:
        state = engine.game.new_initial_state()
        for every in (0.01, 0.2, 3600):
            with engine.analysis(state, pitboss.Limit(simulations=1000), every=every) as analysis:
                assert analysis.result().simulations == 1000
                assert not analysis.is_running
        with engine.analysis(state, pitboss.Limit(time=0.3), every=3600) as analysis:
            reports = list(analysis)
            assert 0.3 <= reports[-1].elapsed < PATIENCE and reports[-1] == analysis.result()
            with pytest.raises(StopIteration):
                next(analysis)


def test_what_set_says(server: pitboss.Server) -> None:
    with server.engine("connect4") as engine:
        with engine.analysis(engine.game.new_initial_state()) as analysis:
            assert "running search" in analysis.set(k=0.5)
            assert "next search" in analysis.set(preset="uct")


def test_options_that_are_none(server: pitboss.Server) -> None:
    with server.engine("connect4") as engine:
        state = engine.game.new_initial_state()
        calls: list[Callable[[dict[str, object]], object]] = [
            lambda options: engine.configure(**options),
            lambda options: engine.play(state, options=options),
        ]
        for call in calls:
            with pytest.raises(pitboss.UnknownOption, match="simulation"):
                call({"simulatons": 1})
            with pytest.raises(pitboss.BadValue):
                call({"k": "much"})
        with pytest.raises(TypeError):
            engine.options["k"] = 1  # type: ignore[index]
        assert engine.options | {"k": 1} != engine.options


def test_what_was_closed_by_ourselves(server: pitboss.Server) -> None:
    other = pitboss.connect(server.address)
    engine = other.engine("connect4")
    for gone in (engine, other):
        with pytest.raises(TypeError, match="connect in the process"):
            pickle.dumps(gone)
    engine.close()
    with pytest.raises(pitboss.ClosedError):
        engine.play(engine.game.new_initial_state())
    other.close()
    with pytest.raises(pitboss.ClosedError):
        other.games()


def test_numbers_of_numpy(server: pitboss.Server) -> None:
    np: Any = pytest.importorskip("numpy")
    with pitboss.connect(server.address, timeout=np.float32(30)) as other, other.engine(
        "connect4", simulations=np.int64(20), k=np.float32(0.5), solver=np.True_
    ) as engine:
        assert engine.options["k"].value == 0.5 and engine.options["solver"].value is True
        state = engine.game.new_initial_state()
        assert engine.play(state).simulations == 20
        assert engine.play(state, pitboss.Limit(simulations=np.int32(30))).simulations == 30
        engine.play(state, pitboss.Limit(time=np.float32(0.05)))
        clock = [np.float64(1), np.int64(0)]
        engine.play(state, pitboss.Limit(clocks={"black": clock}))  # type: ignore[dict-item]
        assert len(engine.simulate(state, np.int64(3)).paths) == 3
        with engine.analysis(state, every=np.float64(0.02), lossless=np.int64(5)) as analysis:
            next(analysis)
        assert len(list(engine.map([state] * 3, concurrency=np.int64(2)))) == 3
        assert engine.truth(state, np.float32(0.05)).moves
        assert state.child(np.uint8(3)).history() == [3]
        assert state.perft(np.int64(2)) == 49
        assert state.playouts(np.int64(2), np.int64(1)) == state.playouts(2, 1)
        with pytest.raises(TypeError):
            engine.simulate(state, 1.5)  # type: ignore[arg-type]
