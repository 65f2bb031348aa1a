"""The evaluator's six calls, over a socket."""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from evaluator_process import (
    Evaluator,
    evaluator,
    outputs,
    packed_request,
    refusal_of,
    refused_start,
    request,
)
from made_run import PYTHON, init_network
from network_test import made, outputs_of_kernels

from pitboss.files import sha256
from pitboss.model import network_bytes

TOWER = ("--architecture", "tower", "--blocks", "2", "--filters", "16")
POSITIONS = np.zeros((2, 4, 8, 8), np.float32)  # of othello


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("networks")
    init_network(folder / "othello.safetensors", "othello", "--seed", "1")
    (folder / "broken.safetensors").write_bytes(b"no network")
    os.mkfifo(folder / "fifo.safetensors")
    return folder


@pytest.fixture(scope="module")
def server(networks: Path) -> Iterator[Evaluator]:
    with evaluator(networks, "--max-batch", "8") as server:
        yield server
        assert server.process.poll() is None  # whatever the tests have sent


@pytest.mark.parametrize(
    "game, flags", [("connect4", ()), ("hex size=5", TOWER), ("rolit players=4", ())]
)
def test_evaluations_are_those_of_the_kernels(
    tmp_path: Path, game: str, flags: tuple[str, ...]
) -> None:
    file = made(tmp_path, game, *flags)
    if game == "connect4":
        file.metadata["layout"] = "reread"  # as in networks of the novelty papers' authors
    shape = file.shape
    planes = (torch.rand((9, shape.planes, shape.rows, shape.columns)) < 0.3).float()
    wanted = outputs_of_kernels(tmp_path, file, planes).numpy()
    folder = tmp_path / "networks"
    folder.mkdir()
    (folder / "it.safetensors").write_bytes(network_bytes(file.metadata, file.network))
    with evaluator(folder) as server:
        for count in (9, 1):
            found = outputs(server.infer(request("it", planes[:count].numpy())))
            assert found["policy"].shape == (count, shape.policy)
            joined = np.concatenate((found["policy"], found["values"]), axis=1)
            differences = np.abs(joined - wanted[:count]) / np.maximum(1, np.abs(wanted[:count]))
            assert differences.max() < 1e-5
            packed = outputs(server.infer(packed_request("it", planes[:count].numpy())))
            np.testing.assert_array_equal(packed["policy"], found["policy"])
    assert wanted.std() > 0.01


def test_server_and_models_tell_what_they_are(server: Evaluator, networks: Path) -> None:
    assert server.call("ServerLive").live
    assert server.call("ServerReady").ready
    assert server.call("ServerMetadata").name == "pitboss-evaluator"
    assert server.call("ModelReady", name="othello").ready
    assert not server.call("ModelReady", name="broken").ready
    told = server.call("ModelMetadata", name="othello", version="1")
    properties = dict(told.properties)
    assert properties.pop("sha256") == sha256((networks / "othello.safetensors").read_bytes())
    assert properties == {
        "game": "othello",
        "parameters": "size=8",
        "format_version": "1",
        "max_batch_size": "8",
        "precision": "full",
        "packed_input": "bits",
    }
    tensors = [(one.name, one.datatype, list(one.shape)) for one in [*told.inputs, *told.outputs]]
    assert tensors == [
        ("planes", "FP32", [-1, 4, 8, 8]),
        ("policy", "FP32", [-1, 65]),
        ("values", "FP32", [-1, 2]),
    ]


def test_replies_have_what_was_asked_for(server: Evaluator) -> None:
    both = server.infer(request("othello", POSITIONS, id="seven", model_version="1"))
    assert (both.model_name, both.model_version, both.id) == ("othello", "1", "seven")
    assert [output.name for output in both.outputs] == ["policy", "values"]
    asked = request("othello", POSITIONS)
    asked.outputs.add(name="values")
    values = outputs(server.infer(asked))
    assert values.keys() == {"values"}
    np.testing.assert_array_equal(values["values"], outputs(both)["values"])


def test_typed_numbers_are_taken(server: Evaluator) -> None:
    typed = request("othello", POSITIONS)
    del typed.raw_input_contents[:]
    typed.inputs[0].contents.fp32_contents.extend(POSITIONS.ravel().tolist())
    found, wanted = (outputs(server.infer(r)) for r in (typed, request("othello", POSITIONS)))
    np.testing.assert_array_equal(found["policy"], wanted["policy"])


SHAPE = "planes must have the shape [N, 4, 8, 8] with N from 1 to 8, not "
WRONG: list[tuple[str, str, str]] = [
    ("r.model_name = 'chess'", "NOT_FOUND", "there is no network 'chess'; known: othello"),
    ("r.model_name = '../othello'", "NOT_FOUND", "there is no network '../othello'"),
    ("r.model_name = 'fifo'", "NOT_FOUND", "there is no network 'fifo'"),
    ("r.model_version = '2'", "NOT_FOUND", "the network othello has no version '2', only 1"),
    ("r.model_name = 'broken'", "UNAVAILABLE", "the network broken cannot be used: broken.saf"),
    ("r.inputs[0].name = 'board'", "INVALID_ARGUMENT", "a request must have one input, planes"),
    ("r.inputs.add(name='planes')", "INVALID_ARGUMENT", "a request must have one input, planes"),
    ("del r.inputs[:]", "INVALID_ARGUMENT", "a request must have one input, planes"),
    ("r.inputs[0].datatype = 'FP16'", "INVALID_ARGUMENT", "planes must be FP32, not 'FP16'"),
    ("r.inputs[0].shape[1] = 5", "INVALID_ARGUMENT", SHAPE + "[2, 5, 8, 8]"),
    ("r.inputs[0].shape[0] = -1", "INVALID_ARGUMENT", SHAPE + "[-1, 4, 8, 8]"),
    ("r.inputs[0].shape[0] = 0", "INVALID_ARGUMENT", SHAPE + "[0, 4, 8, 8]"),
    ("r.inputs[0].shape[0] = 9", "INVALID_ARGUMENT", SHAPE + "[9, 4, 8, 8]"),
    ("r.inputs[0].shape[0] = 1 << 62", "INVALID_ARGUMENT", SHAPE),
    ("del r.inputs[0].shape[0]", "INVALID_ARGUMENT", SHAPE + "[4, 8, 8]"),
    (
        "r.inputs[0].shape[0] = 3",
        "INVALID_ARGUMENT",
        "planes of the shape [3, 4, 8, 8] are 768 numbers, not 512",
    ),
    ("del r.raw_input_contents[:]", "INVALID_ARGUMENT", "planes of the shape [2, 4, 8, 8] are 51"),
    (
        "r.raw_input_contents[0] += b'x'",
        "INVALID_ARGUMENT",
        "2049 bytes are not a whole number of FP32 numbers",
    ),
    ("r.raw_input_contents.append(b'')", "INVALID_ARGUMENT", "raw_input_contents must have one"),
    (
        "r.inputs[0].contents.fp32_contents.append(1)",
        "INVALID_ARGUMENT",
        "raw_input_contents must have one entry, and contents must be empty",
    ),
    (
        "r.raw_input_contents[0] = np.full(512, np.nan, '<f4').tobytes()",
        "INVALID_ARGUMENT",
        "planes has a number that is not finite",
    ),
    (
        "r.outputs.add(name='moves')",
        "INVALID_ARGUMENT",
        "outputs must be policy or values, each at most once, not mov",
    ),
    (
        "[r.outputs.add(name='values') for _ in '12']",
        "INVALID_ARGUMENT",
        "outputs must be policy or values, each at most once, not values, values",
    ),
    ("r.id = 'x' * (65 << 20)", "RESOURCE_EXHAUSTED", ""),
]


@pytest.mark.parametrize("change, status, sentence", WRONG, ids=[row[0] for row in WRONG])
def test_wrong_requests_are_refused(
    server: Evaluator, change: str, status: str, sentence: str
) -> None:
    wrong = request("othello", POSITIONS)
    exec(change, {"r": wrong, "np": np})
    found, told = server.refusal(wrong)
    assert found == status
    assert told.startswith(sentence)
    server.infer(request("othello", POSITIONS))


BITS = "bits must have the shape [N, 32] with N from 1 to 8, not "
WRONG_BITS: list[tuple[str, str]] = [
    ("r.inputs[0].datatype = 'FP32'", "bits must be UINT8, not 'FP32'"),
    ("r.inputs[0].shape[1] = 31", BITS + "[2, 31]"),
    ("r.inputs[0].shape[0] = 9", BITS + "[9, 32]"),
    ("r.inputs[0].shape[:] = []", BITS + "[]"),
    ("r.inputs[0].shape.append(1)", BITS + "[2, 32, 1]"),
    ("r.raw_input_contents[0] += b'x'", "bits of the shape [2, 32] are 64 numbers, not 65"),
    ("del r.raw_input_contents[:]", "bits of the shape [2, 32] are 64 numbers, not 0"),
    ("r.raw_input_contents.append(b'')", "raw_input_contents must have one"),
]


@pytest.mark.parametrize("change, sentence", WRONG_BITS, ids=[row[0] for row in WRONG_BITS])
def test_wrong_bits_are_refused(server: Evaluator, change: str, sentence: str) -> None:
    wrong = packed_request("othello", POSITIONS)
    exec(change, {"r": wrong})
    found, told = server.refusal(wrong)
    assert found == "INVALID_ARGUMENT"
    assert told.startswith(sentence)
    server.infer(packed_request("othello", POSITIONS))


def test_what_is_no_message_is_refused(server: Evaluator) -> None:
    call = server.channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
    refusal_of(lambda: call(b"\xff\xff\xff", timeout=60))
    assert refusal_of(lambda: server.call("ModelMetadata", name="chess"))[0] == "NOT_FOUND"
    assert refusal_of(lambda: server.call("ModelReady", name="chess"))[0] == "NOT_FOUND"


def hash_of(server: Evaluator, name: str) -> str | None:
    """A network's hash; none if the server has no such network."""
    try:
        found: str = server.call("ModelMetadata", name=name).properties["sha256"]
        return found
    except Exception as error:
        assert "there is no network" in str(error)
        return None


def wait_until_told(server: Evaluator, name: str, wanted: str | None) -> None:
    while hash_of(server, name) != wanted:
        time.sleep(0.05)


def test_files_are_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "it.safetensors"
    with evaluator(tmp_path) as server:
        for game, flags in (("othello", ("--seed", "1")), ("othello", TOWER), ("connect4", ())):
            made_elsewhere = tmp_path / "made"
            init_network(made_elsewhere, game, *flags)
            made_elsewhere.replace(path)
            wait_until_told(server, "it", sha256(path.read_bytes()))
        planes = np.zeros((1, 4, 6, 7), np.float32)
        before = outputs(server.infer(request("it", planes)))
        shutil.copy(path, tmp_path / "other.safetensors")
        os.truncate(path, 1000)
        (tmp_path / "last.safetensors").write_bytes((tmp_path / "other.safetensors").read_bytes())
        wait_until_told(server, "last", sha256((tmp_path / "last.safetensors").read_bytes()))
        after = outputs(server.infer(request("it", planes)))  # the network that was there before
        np.testing.assert_array_equal(before["policy"], after["policy"])
        path.unlink()
        wait_until_told(server, "it", None)
        server.infer(request("other", planes))


def test_files_are_taken_up_while_others_are_busy(tmp_path: Path) -> None:
    path = tmp_path / "it.safetensors"
    init_network(path, "othello", *TOWER)
    wanted = sha256(path.read_bytes())
    planes = (np.random.default_rng(1).random((64, 4, 8, 8)) < 0.3).astype(np.float32)
    with evaluator(tmp_path) as server:
        before = outputs(server.infer(request("it", planes)))
        busy = [server.begin(request("it", planes)) for _ in range(8)]
        for copy in range(3):
            shutil.copy(path, tmp_path / "copy")
            (tmp_path / "copy").replace(tmp_path / f"copy{copy}.safetensors")
        while not hash_of(server, "copy2"):
            after = outputs(busy.pop(0).result())
            np.testing.assert_allclose(after["policy"], before["policy"], atol=1e-4)
            busy.append(server.begin(request("it", planes)))
        assert (
            hash_of(server, "copy0")
            == hash_of(server, "copy1")
            == hash_of(server, "copy2")
            == wanted
        )


@pytest.mark.parametrize(
    "flags, sentence",
    [
        (("--listen", "here"), "--listen must be HOST:PORT, not here"),
        (("--listen", "127.0.0.1:65536"), "--listen must be HOST:PORT, not 127.0.0.1:65536"),
        (("--max-batch", "0"), "--max-batch must be from 1 to 1048576"),
        (("--device", "cuda:99"), "--device must be one of cpu"),
        (("--precision", "half"), f"--precision half: PyTorch {torch.__version__} has no such"),
        (("--networks", "/nowhere"), "cannot read the folder /nowhere: No such file or directory"),
    ],
)
def test_what_it_cannot_start_with(tmp_path: Path, flags: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused_start(tmp_path, *flags).splitlines()[-1]


def test_a_port_that_is_taken(server: Evaluator, networks: Path) -> None:
    with evaluator(networks) as other:
        other.call("ServerLive")
        address = other.address
        said = refused_start(networks, "--listen", address)
        assert f"cannot listen on {address}: Address already in use" in said


def test_missing_packages_are_named(tmp_path: Path) -> None:
    (tmp_path / "grpc.py").write_text("raise ModuleNotFoundError(name='grpc')")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{PYTHON}"}
    wanted = "pitboss-evaluator: needs gRPC: install python3-grpcio (Debian) or grpcio (PyPI)\n"
    assert refused_start(tmp_path, environment=environment) == wanted
