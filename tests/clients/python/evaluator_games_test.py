"""Games of a daemon whose networks pitboss-evaluator evaluates."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from evaluator_access_test import line_of, make_certificate
from evaluator_process import SECONDS, evaluator
from made_run import init_network

BIN = Path(os.environ["PITBOSS_BIN"])


class Session:
    """What one client asks of a daemon, with answers that are no failures."""

    def __init__(self, address: str) -> None:
        host, port = address.rsplit(":", 1)
        connection = socket.create_connection((host, int(port)), timeout=SECONDS)
        self.stream = connection.makefile("rw")

    def ask(self, line: str) -> str:
        self.stream.write(line + "\n")
        self.stream.flush()
        answer = ""
        while not answer.endswith("\n\n"):
            answer += self.stream.readline()
        assert answer.startswith("="), f"{line}: {answer}"
        return answer[1:].strip()

    def evaluations(self) -> dict[str, int]:
        """Of the last search."""
        report: dict[str, Any] = json.loads(self.ask("last_search"))
        made: dict[str, int] = report["evaluations"]
        return made


@contextmanager
def daemon(networks: Path, url: str, fallback: str, *flags: str) -> Iterator[Session]:
    command = [str(BIN / "pitbossd"), "--listen", "127.0.0.1:0", "--networks", str(networks)]
    command += ["--evaluator", url, "--evaluator-fallback", fallback, *flags]
    command += ["--evaluator-deadline-ms", "30000", "--network-cache-mb", "0", "--in-flight", "4"]
    command += ["--selection", "puct", "--evaluation", "network", "--network", "net"]
    with subprocess.Popen(
        [*command, "--simulations", "20"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            yield Session(process.stdout.readline().split()[1])
        finally:
            process.kill()


@pytest.fixture
def networks(tmp_path: Path) -> Path:
    command = [str(BIN / "pitboss"), "network", "init", "--game", "connect4", "--seed", "1"]
    subprocess.run([*command, "--out", str(tmp_path / "net.safetensors")], check=True)
    return tmp_path


def test_a_game_that_the_evaluator_alone_has_evaluated(networks: Path) -> None:
    with evaluator(networks) as server, daemon(
        networks, f"grpc://{server.address}", "fail"
    ) as session:
        moves = 0
        while session.ask("legal_moves"):
            session.ask(f"genmove {'bw'[moves % 2]}")
            moves += 1
            made = session.evaluations()
            # The last moves may have nothing but ended games below them.
            assert made.get("local", 0) == 0
            assert made.get("remote", 0) > 0 or moves > 7
        assert moves >= 7
        assert session.ask("final_score")
        told = json.loads(session.ask("evaluators"))["servers"][0]
        assert told["failures"] == 0


def test_a_game_in_16_bits(networks: Path) -> None:
    with evaluator(networks, "--precision", "bfloat16") as server, daemon(
        networks, f"grpc://{server.address}", "fail"
    ) as session:
        for colour in "bwb":
            session.ask(f"genmove {colour}")
            made = session.evaluations()
            assert made.get("remote", 0) > 0
            assert made.get("local", 0) == 0


def test_planes_that_fill_no_whole_bytes(networks: Path) -> None:
    (networks / "net.safetensors").unlink()
    init_network(networks / "net.safetensors", "hex size=5", "--seed", "1")
    with evaluator(networks) as server, daemon(
        networks, f"grpc://{server.address}", "fail"
    ) as session:
        session.ask("game hex size=5")
        session.ask("genmove b")
        assert session.evaluations().get("local", 0) == 0


def test_a_game_goes_on_when_the_evaluator_dies(networks: Path) -> None:
    with evaluator(networks) as server, daemon(
        networks, f"grpc://{server.address}", "local"
    ) as session:
        session.ask("genmove b")
        assert session.evaluations().get("remote", 0) > 0
        server.process.kill()
        server.process.wait()
        session.ask("genmove w")
        made = session.evaluations()
        assert made.get("remote", 0) == 0
        assert made["local"] > 0


def test_an_evaluator_that_asks_for_a_token(networks: Path) -> None:
    certificate, key = make_certificate(networks, "certificate")
    (networks / "tokens").write_text(line_of("alice", "play"))
    (networks / "alice.token").write_text("token-of-alice\n")
    flags = ("--tokens", str(networks / "tokens"), "--certificate", str(certificate))
    with evaluator(networks, *flags, "--key", str(key)) as server:
        url = f"grpcs://{server.address}"
        trust = ("--evaluator-ca", str(certificate))
        token = ("--evaluator-token", str(networks / "alice.token"))
        with daemon(networks, url, "fail", *trust, *token) as session:
            session.ask("genmove b")
            assert session.evaluations().get("local", 0) == 0
        with daemon(networks, url, "local", *trust) as session:
            session.ask("setoption evaluator remote")  # a stranger is no reason to lose
            session.ask("genmove b")
            assert session.evaluations().get("remote", 0) == 0
            told = json.loads(session.ask("evaluators"))["servers"][0]
            assert told["last_error"].endswith(
                "this server asks for a token: authorization: Bearer TOKEN"
            )
