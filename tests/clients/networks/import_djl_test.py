"""Networks of the novelty papers' program, written by somebody who knows its format alone, answer in
Pitboss as they should, and damaged ones are refused."""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from write_djl import (
    Game,
    Linear,
    Network,
    Normalisation,
    Rectifier,
    Residual,
    Sequential,
    Writer,
    random_network,
)

BINARIES = Path(os.environ["PITBOSS_BIN"])

CONNECT4 = Game("connect4", 7, 6)
PAPER = ((32, 32), (16, 16))
SMALL = ((5, 5), (3, 3))


def import_djl(source: Path, game: Game, out: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [BINARIES / "pitboss", "network", "import", "--format", "djl"]
    command += ["--game", game.pitboss_name, source, "--out", out]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


# Good files


@dataclass
class Case:
    name: str
    game: Game
    blocks: Sequence[tuple[int, int]] = PAPER
    hidden: dict[str, int] = field(default_factory=dict)  # sizes of the heads
    format: dict[str, Any] = field(default_factory=dict)  # of the file

    @property
    def network(self) -> Network:
        return random_network(self.game, len(self.name), self.blocks, **self.hidden)

    def written(self) -> Writer:
        return self.network.write(Writer(**self.format))


CASES = [
    Case("connect4", CONNECT4),
    Case("othello", Game("othello", 8, 8)),
    Case("breakthrough", Game("breakthrough", 8, 8), format={"sequential_version": 2}),
    Case("knightthrough", Game("knightthrough", 8, 8)),
    Case("atarigo", Game("atarigo", 7, 7), format={"sequential_version": 2}),
    Case("gomoku", Game("gomoku", 9, 9)),
    Case("four-blocks", Game("othello", 6, 6), ((12, 12), (9, 9), (17, 17), (6, 6))),
    Case("four-blocks-connect4", CONNECT4, ((8, 8), (8, 8), (8, 8), (8, 8))),
    Case("one-block", Game("breakthrough", 5, 5), ((7, 7),)),
    Case("few-filters", Game("knightthrough", 6, 6), ((3, 3), (2, 2))),
    Case("other-heads", Game("atarigo", 11, 11), SMALL, {"value_hidden": 13, "policy_hidden": 21}),
    Case("other-filters", Game("gomoku", 13, 13), ((33, 33), (3, 3))),
    Case("largest-board", Game("gomoku", 19, 19), ((2, 2), (1, 1)), {"policy_hidden": 8}),
    Case("smallest-board", Game("othello", 4, 4), SMALL),
    Case("batch", Game("breakthrough", 7, 7), SMALL, format={"batch": 128}),
    Case("layout", Game("atarigo", 5, 5), SMALL, format={"layout": "N"}),
    Case("no-names", Game("gomoku", 7, 7), SMALL, format={"names": False}),
]


class Client:
    """A session with a daemon."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.lines = self.socket.makefile("rw", encoding="utf-8", newline="\n")

    def ask(self, command: str) -> str:
        self.lines.write(command + "\n")
        self.lines.flush()
        answer = ""
        while line := self.lines.readline().rstrip("\n"):
            answer += line
        assert answer.startswith("="), f"{command}: {answer}"
        return answer[1:].strip()

    def close(self) -> None:
        self.lines.close()
        self.socket.close()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a daemon that serves the cases' networks, imported."""
    folder = tmp_path_factory.mktemp("daemon")

    def add(case: Case) -> None:
        source = folder / f"{case.name}.param"
        source.write_bytes(case.written().bytes)
        done = import_djl(source, case.game, folder / "networks" / f"{case.name}.safetensors")
        assert (done.returncode, done.stderr) == (0, ""), case.name

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(add, CASES))
    command: list[str | Path] = [BINARIES / "pitbossd", "--listen", "127.0.0.1:0"]
    command += ["--networks", folder / "networks"]
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    with process:
        assert process.stdout
        yield int(process.stdout.readline().split()[1].rpartition(":")[2])
        process.terminate()


POSITIONS = 6


def positions_of(client: Client, case: Case) -> Iterator[None]:
    """Has the client's table show one position after the other."""
    yield
    choose = random.Random(case.name)
    for _ in range(1, POSITIONS):
        for _ in range(choose.choice([1, 1, 3])):
            client.ask("play " + choose.choice(client.ask("legal_moves").split()))
        yield
    if case.game.name == "othello":
        side = case.game.width
        rows = [".O" + "X" * (side - 2)] + ["X" * side] * (side - 1)
        client.ask(f"position {'/'.join(rows)} w")
        assert client.ask("legal_moves") == "pass"
        yield


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_an_imported_network_answers_as_its_definition_says(daemon: int, case: Case) -> None:
    network, game = case.network, case.game
    logits: list[NDArray[np.float64]] = []
    with contextlib.closing(Client(daemon)) as client:
        client.ask(f"game {game.pitboss_name}")
        for _ in positions_of(client, case):
            position = client.ask("get_position")
            value, policy = network.outputs(game.planes(position))
            logits.append(np.log([*value, *policy]))
            moves = client.ask("legal_moves").split()
            assert moves
            entries = [game.entry(move, position.split()[1] == "b") for move in moves]
            wanted_values = {
                colour: value[0 if game.is_white(colour) else 1] for colour in ("black", "white")
            }
            # As the authors' program has it, illegal moves keep their share.
            for preset, share in (("reference-network", 1.0), ("network", policy[entries].sum())):
                client.ask(f"setoption preset {preset}")
                client.ask(f"setoption network {case.name}")
                found = json.loads(client.ask("evaluate"))
                assert found["network"]["name"] == case.name
                assert found["values"] == pytest.approx(wanted_values, rel=1e-4)
                wanted_policy = dict(zip(moves, policy[entries] / share, strict=True))
                assert found["policy"] == pytest.approx(wanted_policy, rel=1e-4, abs=1e-7)
    # The positions look different to the network.
    assert (np.std(logits, axis=0) > 0.003).all()


# Bad files

ATARIGO = Game("atarigo", 5, 5)


def check_refused(folder: Path, file: bytes, game: Game, reason: str = "") -> None:
    """Tells why, in one sentence that names the file, and writes nothing."""
    folder.mkdir()
    source = folder / "network.param"
    source.write_bytes(file)
    done = import_djl(source, game, folder / "networks" / "made.safetensors")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pitboss: ") and done.stderr.count("\n") == 1
    assert str(source) in done.stderr
    assert reason in done.stderr
    assert list(folder.iterdir()) == [source]


SMALL_CASES = [
    Case("connect4", CONNECT4, SMALL),
    Case("othello", Game("othello", 6, 6), SMALL, {"policy_hidden": 8}),
    Case("breakthrough", Game("breakthrough", 5, 5), SMALL, {"policy_hidden": 8}),
    Case("knightthrough", Game("knightthrough", 5, 5), SMALL, {"policy_hidden": 8}),
    Case("atarigo", ATARIGO, SMALL, format={"sequential_version": 2}),
    Case("gomoku", Game("gomoku", 7, 7), SMALL, format={"names": False}),
]


@pytest.mark.parametrize("case", SMALL_CASES, ids=[case.name for case in SMALL_CASES])
def test_a_truncated_file_is_refused(tmp_path: Path, case: Case) -> None:
    written = case.written()
    file = bytes(written.bytes)
    lengths = {*range(0, len(file), 1000), len(file) - 1}
    if case.game == ATARIGO:
        lengths |= {*written.borders}

    def check(length: int) -> None:
        check_refused(tmp_path / str(length), file[:length], case.game)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(check, sorted(lengths)))


def header(*numbers: int) -> bytes:
    """Sides of a shape."""
    return struct.pack(f">{len(numbers)}q", *numbers)


# What is put in the place of what, where it occurs first.
DAMAGES: dict[str, tuple[bytes, bytes]] = {
    "version-of-sequential": (b"\3", b"\7"),
    "number-of-shapes": (b"\0\0\0\1", b"\xff\xff\xff\xff"),
    "many-shapes": (b"\0\0\0\1", b"\x7f\xff\xff\xff"),
    "number-of-sides": (b"\0\0\0\4", b"\xff\xff\xff\xff"),
    "many-sides": (b"\0\0\0\4", b"\x7f\xff\xff\xff"),
    "letters-of-layout": (b"\0\0\0\4\0?", b"\0\0\0\3\0?"),
    "no-parameter": (b"\0P\1", b"\0X\1"),
    "not-initialised": (b"\0P\1", b"\0N\1"),
    "version-of-parameter": (b"\0P\1", b"\0P\x09"),
    "name-of-parameter": (b"gamma", b"gamba"),
    "long-name": (b"\0\6weight", b"\xff\xffweight"),
    "magic-of-array": (b"NDAR", b"NDAS"),
    "version-of-array": (b"NDAR\0\0\0\3", b"NDAR\0\0\0\4"),
    "sparse": (b"\0\5DENSE", b"\0\3CSR"),
    "doubles": (b"FLOAT32", b"FLOAT64"),
    "big-endian": (b"?<", b"?>"),
    "negative-length": (b"?<\0\0", b"?<\xff\xff"),
    "large-length": (b"?<\0\0", b"?<\x7f\xff"),
    "shape-of-convolution": (header(5, 4, 3, 3), header(5, 3, 4, 3)),
    "zero-side": (header(5, 4, 3, 3), header(0, 4, 3, 3)),
    "negative-side": (header(5, 4, 3, 3), header(-5, -4, 3, 3)),
    "overflowing-sides": (header(5, 4, 3, 3), header(1 << 61, 1 << 61, 3, 3)),
    "channels-of-normalisation": (header(5) + b"\0P\1\0\5gamma", header(6) + b"\0P\1\0\5gamma"),
    "units-of-linear": (b"\4" + header(32, 75), b"\4" + header(33, 75)),
    "inputs-of-linear": (b"\4" + header(32, 75), b"\4" + header(32, 76)),
    "shape-of-linear": (header(32, 75) + b"\0\0\0\2", header(75, 32) + b"\0\0\0\2"),
    "planes-of-input": (header(4, 5, 5), header(5, 5, 5)),
    "board-of-input": (header(4, 5, 5), header(4, 5, 6)),
}


@pytest.mark.parametrize("old, new", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_refused(tmp_path: Path, old: bytes, new: bytes) -> None:
    file = bytes(random_network(ATARIGO, 1, SMALL).write().bytes)
    assert old in file
    check_refused(tmp_path / "damaged", file.replace(old, new, 1), ATARIGO)


def test_more_than_a_network_is_refused(tmp_path: Path) -> None:
    file = bytes(random_network(ATARIGO, 1, SMALL).write().bytes)
    check_refused(tmp_path / "byte", file + b"\0", ATARIGO)
    check_refused(tmp_path / "twice", file + file, ATARIGO)
    check_refused(tmp_path / "empty", b"", ATARIGO)


@pytest.mark.parametrize(
    "game, other",
    [
        (Game("othello", 8, 8), Game("breakthrough", 8, 8)),
        (Game("breakthrough", 8, 8), Game("knightthrough", 8, 8)),
        (Game("breakthrough", 8, 8), Game("breakthrough", 7, 7)),
        (Game("atarigo", 7, 7), CONNECT4),
        (CONNECT4, Game("atarigo", 7, 7)),
        (Game("gomoku", 9, 9), Game("atarigo", 7, 7)),
        (Game("connect4", 6, 7), CONNECT4),  # a policy of six columns
        (Game("connect4", 7, 7), CONNECT4),
        (Game("othello", 6, 6), Game("hex", 6, 6)),
    ],
    ids=str,
)
def test_a_network_for_another_board_is_refused(tmp_path: Path, game: Game, other: Game) -> None:
    file = random_network(game, 1, SMALL, policy_hidden=8).write().bytes
    check_refused(tmp_path / "other", bytes(file), other, other.name)


def test_planes_that_lie_otherwise_are_refused(tmp_path: Path) -> None:
    """Connect4 in six rows of seven: as many numbers as the authors' seven rows of six."""
    network = random_network(CONNECT4, 1, SMALL)
    network.inputs = (4, 6, 7)
    check_refused(tmp_path / "rows", bytes(network.write().bytes), CONNECT4)


def blocks_of(network: Network) -> list[Any]:
    """Those with parameters, in the order of the file."""

    def walk(block: object) -> Iterator[object]:
        if isinstance(block, Sequential):
            for inner in block.blocks:
                yield from walk(inner)
        elif isinstance(block, Residual):
            yield from walk(block.main)
            yield from walk(block.skip)
        elif not isinstance(block, Rectifier):
            yield block

    return [part for head in (network.body, network.value, network.policy) for part in walk(head)]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_not_finite_are_refused(tmp_path: Path, number: float) -> None:
    def check(place: tuple[int, str]) -> None:
        network = random_network(ATARIGO, 1, SMALL)
        index, name = place
        getattr(blocks_of(network)[index], name).flat[-1] = number
        folder = tmp_path / f"{index}-{name}"
        check_refused(folder, bytes(network.write().bytes), ATARIGO, "not finite")

    # A convolution, a skip's normalisation, linear layers and normalisations of the heads.
    blocks = blocks_of(random_network(ATARIGO, 1, SMALL))
    places = [(index, name) for index in (0, 5, 12, 13, 17) for name in vars(blocks[index])]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(check, places))


def replace(network: Network, index: int, **parameters: Any) -> None:
    for name, numbers in parameters.items():
        block = blocks_of(network)[index]
        assert getattr(block, name) is not None
        setattr(block, name, numbers)


# Changes after which a network is written as if it were whole.
WRONG_NETWORKS: dict[str, Callable[[Network], object]] = {
    "negative-variance": lambda it: replace(it, 1, variance=np.full(5, -1.0)),
    "overflow-when-folded": lambda it: replace(it, 1, gamma=np.full(5, 3e38), variance=np.zeros(5)),
    "kernel-of-five": lambda it: replace(it, 0, weight=np.zeros((5, 4, 5, 5))),
    "kernel-of-one": lambda it: replace(it, 0, weight=np.zeros((5, 4, 1, 1))),
    "kernel-of-three-in-skip": lambda it: replace(it, 4, weight=np.zeros((5, 4, 3, 3))),
    "inputs-of-convolution": lambda it: replace(it, 2, weight=np.zeros((5, 6, 3, 3))),
    "outputs-of-skip": lambda it: replace(it, 4, weight=np.zeros((4, 4, 1, 1)), bias=np.zeros(4)),
    "length-of-bias": lambda it: replace(it, 0, bias=np.zeros(6)),
    "length-of-beta": lambda it: replace(it, 1, beta=np.zeros(4)),
    "matrix-as-bias": lambda it: replace(it, 0, bias=np.zeros((5, 1))),
    "flat-kernel": lambda it: replace(it, 0, weight=np.zeros(5 * 4 * 9)),
    "inputs-of-head": lambda it: replace(it, 12, weight=np.zeros((32, 76))),
    "hidden-units": lambda it: replace(it, 14, weight=np.zeros((2, 31))),
    "policy-too-short": lambda it: replace(it, 17, weight=np.zeros((24, 32)), bias=np.zeros(24)),
    "policy-too-long": lambda it: replace(it, 17, weight=np.zeros((26, 32)), bias=np.zeros(26)),
    "one-value": lambda it: replace(it, 14, weight=np.zeros((1, 32)), bias=np.zeros(1)),
    "three-values": lambda it: replace(it, 14, weight=np.zeros((3, 32)), bias=np.zeros(3)),
    "no-filters": lambda it: replace(it, 0, weight=np.zeros((0, 4, 3, 3)), bias=np.zeros(0)),
    "no-rectifier": lambda it: it.value.blocks.pop(2),
    "no-normalisation": lambda it: it.value.blocks.pop(1),
    "deeper-head": lambda it: it.policy.blocks.insert(3, Linear(np.eye(32), np.zeros(32))),
    "normalised-policy": lambda it: it.policy.blocks.append(Normalisation(*np.ones((4, 25)))),
    "two-policies": lambda it: setattr(it, "value", it.policy),
    "no-blocks": lambda it: it.body.blocks.clear(),
}


@pytest.mark.parametrize("change", WRONG_NETWORKS.values(), ids=WRONG_NETWORKS)
def test_another_network_is_refused(tmp_path: Path, change: Callable[[Network], object]) -> None:
    network = random_network(ATARIGO, 1, SMALL)
    change(network)
    check_refused(tmp_path / "wrong", bytes(network.write().bytes), ATARIGO)


@pytest.mark.parametrize(
    "architecture",
    [
        {"blocks": ((128, 64), (64, 32), (32, 16), (16, 8))},  # the authors' large networks
        {"planes": 3},
        {"planes": 5},
    ],
)
def test_an_architecture_that_pitboss_lacks_is_refused(
    tmp_path: Path, architecture: dict[str, Any]
) -> None:
    network = random_network(ATARIGO, 1, **architecture)
    check_refused(tmp_path / "architecture", bytes(network.write().bytes), ATARIGO)


def test_an_import_overwrites_nothing(tmp_path: Path) -> None:
    source, out = tmp_path / "network.param", tmp_path / "made.safetensors"
    file = bytes(random_network(ATARIGO, 1, SMALL).write().bytes)
    out.write_bytes(b"mine")
    for content in (file, file[:1000]):
        source.write_bytes(content)
        for target in (out, source):
            done = import_djl(source, ATARIGO, target)
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.count("\n") == 1
            assert str(target if content == file else source) in done.stderr
        assert (source.read_bytes(), out.read_bytes()) == (content, b"mine")
        assert sorted(tmp_path.iterdir()) == [out, source]
