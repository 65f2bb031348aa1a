"""Who gets at an evaluator: connections without end, tokens, TLS."""

from __future__ import annotations

import hashlib
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import grpc
import numpy as np
import pytest
from evaluator_process import (
    SECONDS,
    Evaluator,
    evaluator,
    outputs,
    refusal_of,
    refused_start,
    request,
)
from made_run import init_network

POSITIONS = np.zeros((2, 4, 8, 8), np.float32)  # of othello


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("networks")
    init_network(folder / "othello.safetensors", "othello", "--seed", "1")
    return folder


@contextmanager
def idle_connections(address: str, count: int) -> Iterator[list[socket.socket]]:
    """Connections that say nothing."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 1024), hard))
    host, port = address.rsplit(":", 1)
    connections = [socket.create_connection((host, int(port))) for _ in range(count)]
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()


def wait_until_closed(connection: socket.socket) -> None:
    connection.settimeout(SECONDS)
    with suppress(ConnectionResetError):
        while connection.recv(1024):
            pass


def other_client(server: Evaluator, token: str = "", ca: Path | None = None) -> Evaluator:
    return Evaluator(server.process, server.address, token, ca)


def descriptors_of(server: Evaluator) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def test_more_connections_than_descriptors(networks: Path) -> None:
    with evaluator(networks, descriptors=1024) as server:
        wanted = outputs(server.infer(request("othello", POSITIONS)))
        for _ in range(2):
            with idle_connections(server.address, 1100):
                assert other_client(server).call("ServerLive").live
                assert descriptors_of(server) < 400
                server.infer(request("othello", POSITIONS))  # who is served stays
        found = outputs(other_client(server).infer(request("othello", POSITIONS)))
        np.testing.assert_array_equal(found["policy"], wanted["policy"])


def test_a_full_evaluator_drops_who_says_nothing(networks: Path) -> None:
    with evaluator(networks, "--max-connections", "3") as server:
        clients = [server, other_client(server)]
        for client in clients:
            assert client.call("ServerLive").live
        with idle_connections(server.address, 5) as silent:
            for connection in silent[:4]:
                wait_until_closed(connection)
            for client in clients:
                assert client.call("ServerLive").live
            # Among those that have said something the silent one goes.
            silent[4].sendall(b"PRI")
            time.sleep(0.1)
            clients[1].call("ServerLive")
            clients[0].call("ServerLive")
            assert other_client(server).call("ServerLive").live
            wait_until_closed(silent[4])


def test_a_limit_of_descriptors_that_is_too_low(networks: Path) -> None:
    said = refused_start(networks, "--max-connections", "1000", descriptors=1024)
    assert "--max-connections 1000 needs 3256 file descriptors, and the limit is 1024" in said


TOKENS = {"alice": "play", "carol": "watch", "root": "admin"}


def line_of(name: str, right: str) -> str:
    return f"{name} {right} {hashlib.sha256(f'token-of-{name}'.encode()).hexdigest()}\n"


def test_tokens(tmp_path: Path, networks: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("# who may\n" + "".join(line_of(*one) for one in TOKENS.items()))
    with evaluator(networks, "--tokens", str(file)) as server:
        assert server.call("ServerLive").live
        assert server.call("ServerReady").ready
        asked = "this server asks for a token: authorization: Bearer TOKEN"
        assert server.refusal(request("othello", POSITIONS)) == ("UNAUTHENTICATED", asked)
        for call in ("ModelReady", "ModelMetadata"):
            told = refusal_of(lambda: server.call(call, name="othello"))
            assert told == ("UNAUTHENTICATED", asked)
        wrong = other_client(server, "token-of-bob")
        assert wrong.refusal(request("othello", POSITIONS)) == ("UNAUTHENTICATED", "wrong token")
        watcher = other_client(server, "token-of-carol")
        assert watcher.refusal(request("othello", POSITIONS)) == (
            "PERMISSION_DENIED",
            "ModelInfer needs the right play; the token carol has the right watch",
        )
        for name in ("alice", "root"):
            client = other_client(server, f"token-of-{name}")
            assert client.call("ModelReady", name="othello").ready
            client.infer(request("othello", POSITIONS))

        # What the file says after SIGHUP counts at once; a bad file changes nothing.
        bob, alice = other_client(server, "token-of-bob"), other_client(server, "token-of-alice")
        file.write_text(line_of("bob", "play"))
        server.process.send_signal(signal.SIGHUP)
        wait_until_served(bob)
        assert alice.refusal(request("othello", POSITIONS))[0] == "UNAUTHENTICATED"
        file.write_text(line_of("alice", "play") + "bob play 7\n")
        server.process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        bob.infer(request("othello", POSITIONS))
        assert alice.refusal(request("othello", POSITIONS))[0] == "UNAUTHENTICATED"


def wait_until_served(client: Evaluator) -> None:
    for _ in range(400):
        try:
            client.infer(request("othello", POSITIONS))
            return
        except grpc.RpcError:
            time.sleep(0.05)
    raise AssertionError("not served after 20 s")


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    command += (
        f" -subj /CN={name} -addext subjectAltName=IP:127.0.0.1 -keyout {key} -out {certificate}"
    )
    subprocess.run(command.split(), check=True, stderr=subprocess.DEVNULL)
    return certificate, key


def test_tls(tmp_path: Path, networks: Path) -> None:
    certificate, key = make_certificate(tmp_path, "first")
    second, second_key = make_certificate(tmp_path, "second")
    (tmp_path / "tokens").write_text(line_of("alice", "play"))
    flags = ["--certificate", str(certificate), "--key", str(key)]
    flags += ["--tokens", str(tmp_path / "tokens")]
    first = certificate.with_name("copy")
    first.write_bytes(certificate.read_bytes())
    with evaluator(networks, *flags) as server:
        trusting = other_client(server, "token-of-alice", first)
        trusting.infer(request("othello", np.zeros((1024, 4, 8, 8), np.float32)))
        doubting = other_client(server, "token-of-alice", second)
        for client in (server, doubting):  # the one speaks no TLS
            assert client.refusal(request("othello", POSITIONS))[0] == "UNAVAILABLE"
        # New connections get the new certificate, and others keep theirs.
        second.replace(certificate)
        second_key.replace(key)
        server.process.send_signal(signal.SIGHUP)
        wait_until_served(other_client(server, "token-of-alice", certificate))
        trusting.infer(request("othello", POSITIONS))
        late = other_client(server, "token-of-alice", first)
        assert late.refusal(request("othello", POSITIONS))[0] == "UNAVAILABLE"


HASH = "0" * 64
BAD_TOKENS = [
    ("alice play", "line 1: expected NAME RIGHT HASH"),
    ("\nal/ice play " + HASH, "line 2: the name must have 1 to 64 letters"),
    ("alice rule " + HASH, "line 1: the right must be watch, play or admin, not 'rule'"),
    ("alice play 0000", "line 1: the hash must be a SHA-256, 64 hexadecimal digits"),
    (f"a play {HASH}\na play {HASH[1:]}1", "line 2: the name a is given twice"),
    (f"a play {HASH}\nb play {HASH}", "line 2: this token is also that of a"),
    ("# nobody", "has no token"),
]


@pytest.mark.parametrize("text, sentence", BAD_TOKENS)
def test_bad_tokens(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "tokens").write_text(text)
    assert sentence in refused_start(tmp_path, "--tokens", str(tmp_path / "tokens"))


def test_what_is_no_access(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "first")
    other = make_certificate(tmp_path, "second")[1]
    for flags, sentence in [
        (("--tokens", "/nowhere"), "cannot read /nowhere: No such file or directory"),
        (("--key", str(key)), "--certificate and --key belong together"),
        (
            ("--certificate", str(certificate), "--key", str(other)),
            f"{certificate} and {other} are no certificate and its key",
        ),
        (
            ("--listen", "0.0.0.0:0"),
            "everybody who reaches 0.0.0.0 could use this server: give --tokens FILE, or --open",
        ),
    ]:
        assert sentence in refused_start(tmp_path, *flags)
    with evaluator(tmp_path, "--listen", "0.0.0.0:0", "--open") as server:
        assert server.call("ServerLive").live
