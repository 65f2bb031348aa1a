"""What the client sends, and how each of its methods ends when the server misbehaves."""

import asyncio
import gc
import math
import os
import pickle
import random
import re
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pitboss
import pytest
from pitboss.aio import connection as connection_module
from pitboss.aio import link as link_module
from scripted_server import ENDS, FAULTS, ScriptedServer

Client = tuple[pitboss.Server, pitboss.Engine]
Method = Callable[[pitboss.Server, pitboss.Engine], object]


def _map(engine: pitboss.Engine) -> object:
    for _, result in engine.map([engine.game.new_initial_state()], concurrency=1):
        if isinstance(result, Exception):
            raise result
    return None


def _analysis(engine: pitboss.Engine) -> object:
    with engine.analysis(engine.game.new_initial_state()) as analysis:
        return next(iter(analysis))


def _set(engine: pitboss.Engine) -> object:
    with engine.analysis(engine.game.new_initial_state()) as analysis:
        analysis.set(k=0.5)
    return None


# Each method with the first line that it sends and no other sends before.
METHODS: dict[str, tuple[str, Method]] = {
    "games": ("games", lambda server, engine: server.games()),
    "ping": ("protocol_version", lambda server, engine: server.ping()),
    "stats": ("stats", lambda server, engine: server.stats()),
    "tables": ("tables", lambda server, engine: server.tables()),
    "engine": ("game hex", lambda server, engine: server.engine("hex")),
    "engine's options": ("list_options", lambda server, engine: server.engine("connect4")),
    "engine's values": ("kata-get-params", lambda server, engine: server.engine("connect4")),
    "read_record": ("read_record", lambda server, engine: server.read_record("(;)")),
    "attach": ("attach lab", lambda server, engine: server.attach("lab")),
    "configure": ("kata-set-params", lambda server, engine: engine.configure(k=0.5)),
    "play": ("reg_genmove", lambda server, engine: engine.play(engine.game.new_initial_state())),
    "play by a clock": (
        "genmove_analyze",
        lambda server, engine: engine.play(
            engine.game.new_initial_state(), pitboss.Limit(clocks={"black": (1.0, 0.0)})
        ),
    ),
    "analyse": (
        "last_search",
        lambda server, engine: engine.analyse(engine.game.new_initial_state()),
    ),
    "simulate": (
        "simulate",
        lambda server, engine: engine.simulate(engine.game.new_initial_state()),
    ),
    "last_search": ("last_search a1", lambda server, engine: engine.last_search("a1")),
    "evaluate": (
        "evaluate_many",
        lambda server, engine: engine.evaluate([engine.game.new_initial_state()]),
    ),
    "map": ("reg_genmove", lambda server, engine: _map(engine)),
    "analysis": ("analyze", lambda server, engine: _analysis(engine)),
    "analysis, set": ("kata-set-params", lambda server, engine: _set(engine)),
}
# What these methods take as it comes, whatever it says.
TAKES_ANY_TEXT = {
    "stats",
    "games",
    "ping",
    "engine",
    "attach",
    "configure",
    "analysis, set",
}
READS_NO_TEXT = {"play", "map"}
# Seconds within which a busy machine answers, and seconds for what needs no time-out to end.
ANSWERED, ENDED = 5.0, 60.0


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "_PING_SECONDS", 0.05)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "stall"])
@pytest.mark.parametrize("method", METHODS)
def test_each_method_fails_by_a_sentence(method: str, fault: str) -> None:
    check_failure(method, fault, timeout=2 * ENDED)


@pytest.mark.usefixtures("quick")
def test_each_method_fails_by_a_sentence_when_the_server_falls_silent() -> None:
    """All at once, for each takes its time-out."""
    with ThreadPoolExecutor(len(METHODS)) as pool:
        for _ in pool.map(lambda method: check_failure(method, "stall", ANSWERED), METHODS):
            pass


def check_failure(method: str, fault: str, timeout: float) -> None:
    line, call = METHODS[method]
    is_text = fault in ("a line of 1 MB", "no JSON", "other JSON", "nobody asked")
    with ScriptedServer() as script, pitboss.connect(script.address, timeout=timeout) as server:
        engine = server.engine("connect4")
        script.at, script.fault = f"{line}( |$)", fault
        begin = time.monotonic()
        if is_text and (method in TAKES_ANY_TEXT or method in READS_NO_TEXT):
            try:
                call(server, engine)
            except pitboss.PitbossError as error:
                check_names(error, script, line, fault)
        else:
            with pytest.raises(pitboss.PitbossError) as caught:
                call(server, engine)
            assert isinstance(caught.value, (pitboss.ServerGone, pitboss.Timeout)) or is_text
            check_names(caught.value, script, line, fault)
        assert time.monotonic() - begin < ENDED


def check_names(error: pitboss.PitbossError, script: ScriptedServer, line: str, fault: str) -> None:
    """The message names the server and the command; an answer that nobody asked for is noticed at the next
    command."""
    command = r"[\w-]+" if fault == "nobody asked" else line.split()[0]
    assert script.address in str(error)
    assert re.search(f"'{command}[ ']", str(error)), str(error)


@pytest.mark.usefixtures("quick")
def test_no_thread_and_no_descriptor_is_left() -> None:
    def use(fault: str) -> None:
        with ScriptedServer("reg_genmove", fault) as script:
            with pitboss.connect(script.address, timeout=ANSWERED) as server:
                engine = server.engine("connect4")
                with pytest.raises(pitboss.PitbossError):
                    engine.play(engine.game.new_initial_state())

    use("drop")
    time.sleep(0.2)
    gc.collect()
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for fault in FAULTS:
        if fault in ENDS or fault in ("garbage", "stall"):
            use(fault)
    end = time.monotonic() + ENDED
    while (
        threading.active_count() > threads or len(os.listdir("/proc/self/fd")) > descriptors
    ) and time.monotonic() < end:
        time.sleep(0.05)
        gc.collect()
    assert threading.active_count() <= threads
    assert len(os.listdir("/proc/self/fd")) <= descriptors


def test_a_late_answer_is_nobodys(script: ScriptedServer) -> None:
    """Who asked has been cancelled; the next command gets its own answer, on the same connection."""

    async def ask() -> None:
        async with await pitboss.aio.connect(script.address, timeout=ENDED) as client:
            for _ in range(3):
                task = asyncio.create_task(client.games())
                while "games" not in script.lines:
                    await asyncio.sleep(0.001)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert [table.name for table in await client.tables()] == ["lab"]
                script.lines.clear()
            assert script.connections == 1

    script.seconds["games"] = 0.1
    asyncio.run(ask())


def test_a_late_answer_after_a_timeout_is_nobodys(script: ScriptedServer) -> None:
    with pitboss.connect(script.address, timeout=ANSWERED) as server:
        script.seconds["games"] = ANSWERED + 1
        with pytest.raises(pitboss.Timeout, match="'games'"):
            server.games()
        assert [table.name for table in server.tables()] == ["lab"]


def test_cancelled_after_any_step_of_the_loop(script: ScriptedServer) -> None:
    """1,000 calls, each cut after so many steps of the event loop: the next one gets its own answer, and no thread
    or descriptor is left."""
    numbers = random.Random(1)

    async def consume(items: AsyncIterator[object]) -> None:
        async for _ in items:
            pass

    async def follow(engine: pitboss.aio.Engine, state: pitboss.State) -> None:
        async with await engine.analysis(state) as analysis:
            await analysis.set(k=0.5)
            await analysis.result()

    async def use(count: int) -> None:
        async with await pitboss.aio.connect(script.address, timeout=ENDED) as client:
            engine = await client.engine("connect4")
            state = engine.game.new_initial_state()
            clock = pitboss.Limit(clocks={"black": (9.0, 0.0)})
            calls: list[Callable[[], Awaitable[object]]] = [
                client.games,
                lambda: engine.play(state),
                lambda: engine.play(state, clock),
                lambda: engine.simulate(state),
                engine.last_search,
                lambda: engine.evaluate([state]),
                lambda: engine.configure(k=numbers.random()),
                lambda: consume(engine.map([state] * 4, concurrency=2)),
                lambda: follow(engine, state),
            ]
            answers: list[tuple[Callable[[], Awaitable[object]], object]] = [
                (client.games, ["connect4", "othello"]),
                (client.tables, [("lab", "connect4", 1, "idle")]),
            ]
            for _ in range(count):
                task = asyncio.ensure_future(numbers.choice(calls)())
                for _ in range(numbers.choice((3, 30, 300))):
                    if numbers.random() < 0.02:
                        break
                    await asyncio.sleep(0)
                task.cancel()
                async with asyncio.timeout(ENDED):
                    await asyncio.wait([task])
                assert task.cancelled() or task.exception() is None
                call, answer = numbers.choice(answers)
                assert await call() == answer
            assert (await engine.play(state)).move == "a1"

    def left() -> tuple[int, int]:
        gc.collect()
        return threading.active_count(), len(os.listdir("/proc/self/fd"))

    asyncio.run(use(10))
    script.wait_until_alone()
    threads, descriptors = left()
    asyncio.run(use(1000))
    script.wait_until_alone()
    after = left()
    assert after[0] <= threads and after[1] <= descriptors


@pytest.fixture
def script() -> Iterator[ScriptedServer]:
    with ScriptedServer() as script:
        yield script


@pytest.fixture
def client(script: ScriptedServer) -> Iterator[Client]:
    with pitboss.connect(script.address, timeout=ANSWERED) as server:
        yield server, server.engine("connect4")


def sent(script: ScriptedServer) -> list[str]:
    lines = list(script.lines)
    script.lines.clear()
    return lines


def test_only_what_differs_is_sent(script: ScriptedServer, client: Client) -> None:
    _, engine = client
    state = engine.game.new_initial_state()
    state.apply_move("a1")
    sent(script)
    search = ["to_move", "reg_genmove", "last_search"]
    engine.play(state, pitboss.Limit(simulations=10))
    assert sent(script) == ['kata-set-params {"simulations": "10"}', "play a1", *search]
    state.apply_move("b1")
    sent(script)
    engine.play(state, pitboss.Limit(simulations=10))
    assert sent(script) == ["play b1", *search]
    engine.play(engine.game.new_initial_state(), options={"k": 1})
    assert sent(script) == [
        'kata-set-params {"simulations": "5000", "k": "1"}',
        "gg-undo 2",
        *search,
    ]
    engine.play(engine.game.new_initial_state())
    assert sent(script) == ['kata-set-params {"k": "0.3"}', *search]


def test_a_clock_is_set_for_the_search_alone(script: ScriptedServer, client: Client) -> None:
    _, engine = client
    state = engine.game.new_initial_state()
    sent(script)
    engine.play(state, pitboss.Limit(clocks={"black": (10.0, 0.1), "white": (9.0, 0.1)}))
    lines = sent(script)
    assert lines[lines.index("to_move") :] == [
        "to_move",
        "kata-time_settings fischer 10.000 0.100",
        "time_left black 10.000 0",
        "genmove_analyze json 360000 minmoves 9999",
    ]
    ends: list[list[str]] = [["kata-time_settings none"], []]
    for clock in ends:
        engine.analyse(state, pitboss.Limit(simulations=10))
        lines = sent(script)
        assert lines[lines.index("to_move") :] == ["to_move", *clock, "reg_genmove", "last_search"]
    assert "gg-undo 1" not in lines


def test_a_failure_of_a_timed_search(script: ScriptedServer, client: Client) -> None:
    _, engine = client
    state = engine.game.new_initial_state()
    clock = pitboss.Limit(clocks={"black": (10.0, 0.0)})
    script.answers["genmove_analyze"] = "\nerror: internal: there is no memory"
    with pytest.raises(pitboss.CommandError, match="'genmove_analyze .*there is no memory"):
        engine.play(state, clock)


def test_what_has_no_room_is_asked_again(script: ScriptedServer) -> None:
    script.refusals = 3
    with pitboss.connect(script.address) as server:
        engine = server.engine("connect4")
        script.answers["reg_genmove"] = "?busy: too many searches at once"
        timer = threading.Timer(0.3, lambda: script.answers.update(reg_genmove="a1"))
        timer.start()
        assert engine.play(engine.game.new_initial_state()).move == "a1"
        timer.join()
    script.refusals = 1000
    with pytest.raises(pitboss.Busy, match="too many sessions"):
        pitboss.connect(script.address, timeout=ANSWERED)


def test_a_failure_without_hope_is_not_asked_again(script: ScriptedServer, client: Client) -> None:
    _, engine = client
    script.answers["reg_genmove"] = "?no-memory: there is no memory for the tree"
    with pytest.raises(pitboss.Busy, match="no memory for the tree"):
        engine.play(engine.game.new_initial_state())
    script.answers["reg_genmove"] = "?needs-right: reg_genmove needs the right play"
    sent(script)
    with pytest.raises(pitboss.AuthError, match="needs the right play"):
        engine.play(engine.game.new_initial_state())
    assert sent(script).count("reg_genmove") == 1


def test_a_named_table_is_found_again(script: ScriptedServer) -> None:
    with pitboss.connect(script.address) as server:
        named = server.engine("connect4", name="lab")
        unnamed = server.engine("connect4")
        script.drop_clients()
        sent(script)
        assert named.play(named.game.new_initial_state()).move == "a1"
        assert "attach lab" in sent(script)
        unnamed.play(unnamed.game.new_initial_state())  # at a new table
        assert "attach lab" not in sent(script)


def test_a_named_table_is_found_again_after_a_long_search(script: ScriptedServer) -> None:
    with pitboss.connect(script.address, timeout=ANSWERED) as server:
        named = server.engine("connect4", name="lab")
        script.at, script.fault = "reg_genmove", "stall"

        def lose() -> None:
            script.fault, script.is_stalled = "", False
            script.drop_clients()

        timer = threading.Timer(ANSWERED + 1, lose)
        timer.start()
        assert named.play(named.game.new_initial_state()).move == "a1"
        timer.join()


def test_a_closed_server_is_not_asked_again(script: ScriptedServer) -> None:
    server = pitboss.connect(script.address, timeout=ENDED)
    named = server.engine("connect4", name="lab")
    server.close()
    begin = time.monotonic()
    with pytest.raises(pitboss.ServerGone, match="closed"):
        named.play(named.game.new_initial_state())
    assert time.monotonic() - begin < ENDED


def test_versions_are_compared(script: ScriptedServer) -> None:
    script.answers["state"] = '{"version":2}'
    with pitboss.connect(script.address) as server:
        with pytest.raises(pitboss.VersionMismatch, match="version 2, expected 1") as caught:
            server.attach("lab")
    assert (caught.value.client, caught.value.server) == (pitboss.__version__, "0.1.0")


def test_the_stream_holds_the_newest_or_all(script: ScriptedServer, client: Client) -> None:
    _, engine = client
    state = engine.game.new_initial_state()
    with engine.analysis(state) as analysis:
        assert next(iter(analysis)).sequence == 1
    assert analysis.result().simulations == 10
    with engine.analysis(state, pitboss.Limit(simulations=10)) as analysis:
        assert [report.simulations for report in analysis] == [10]
    assert "release" in script.lines


def test_the_token_is_told_to_nobody(
    script: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "pitboss")
    script.answers["auth"] = "?wrong-token: wrong token"
    with pytest.raises(pitboss.AuthError) as caught:
        pitboss.connect(script.address, token="secret")
    assert "auth secret" in script.lines
    assert "auth ..." in caplog.text and "secret" not in caplog.text + str(caught.value)
    with pytest.raises(ValueError, match="over TLS only"):
        pitboss.connect("192.0.2.1:4580", token="secret")


@pytest.mark.parametrize(
    "make",
    [
        lambda: pitboss.Limit(simulations=0),
        lambda: pitboss.Limit(simulations=True),
        lambda: pitboss.Limit(simulations=1.5),  # type: ignore[arg-type]
        lambda: pitboss.Limit(time=math.nan),
        lambda: pitboss.Limit(time=0),
        lambda: pitboss.Limit(clocks={"black": (math.inf, 0.0)}),
        lambda: pitboss.connect("nowhere"),
        lambda: pitboss.connect("127.0.0.1:0"),
        lambda: pitboss.connect("127.0.0.1:4580", timeout=math.nan),
    ],
)
def test_values_that_mean_nothing_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        make()


def test_nobody_at_the_address() -> None:
    with pytest.raises(pitboss.ServerGone, match="127.0.0.1:1"):
        pitboss.connect("127.0.0.1:1")


def test_errors_can_be_pickled() -> None:
    error = pitboss.IllegalMove("127.0.0.1:1", "play a9", "illegal-move", "a9 is not legal")
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, pitboss.IllegalMove) and str(again) == str(error)


def test_a_forked_child_is_told(client: Client) -> None:
    server, _ = client
    child = os.fork()
    if child == 0:
        try:
            server.ping()
        except pitboss.PitbossError as error:
            os._exit(0 if "forked" in str(error) else 2)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def test_beside_a_loop_that_runs(script: ScriptedServer) -> None:
    async def notebook() -> float:
        with pitboss.connect(script.address) as server:
            return server.ping()

    assert asyncio.run(notebook()) < ENDED


def test_an_answer_without_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "LONGEST_LINE", 1 << 20)
    sent = 0

    def babble() -> None:
        nonlocal sent
        connection, _ = listener.accept()
        with connection, connection.makefile("r") as lines:
            lines.readline()
            connection.sendall(b"=1 \n\n")
            lines.readline()
            connection.sendall(b"=2 \n")
            with suppress(OSError):
                while True:
                    sent += connection.send(b"more\n" * 1000)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        speaker = threading.Thread(target=babble)
        speaker.start()
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(pitboss.ServerGone, match="an answer of more than 1 MiB"):
            pitboss.connect(address)
        speaker.join()
    assert sent < 50 << 20
