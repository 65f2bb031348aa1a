"""What is wrong with a run is told in a sentence, and nothing is written."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_run import DEVICE, MadeRun, init_network, random_rows

from pitboss import safetensors
from pitboss.files import BadInput, sha256

CHUNK = "generations/0001/games-000000.safetensors"


def change_json(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def change_network(run: MadeRun, tensor: str, number: float) -> None:
    contents = safetensors.parse(run.network(0).read_bytes(), "network")
    changed = contents.tensors[tensor].copy()
    changed.flat[0] = number
    contents.tensors[tensor] = changed
    run.network(0).write_bytes(safetensors.serialize(contents.metadata, contents.tensors))


def test_run_json(run: MadeRun) -> None:
    path = run.folder / "run.json"
    text = path.read_text()
    changes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"format": "other"}, "run.json: format must be pitboss run"),
        ({"version": 2}, "run.json: version must be a whole number from 1 to 1"),
        (
            {"planes": 5},
            "run.json: the architecture does not fit the run's board, policy and colours",
        ),
        ({"symmetries": []}, "run.json: the first symmetry must be the identity"),
        ({"learner": 3}, "run.json: learner is not a JSON object"),
    )
    for change, sentence in changes:
        change_json(path, lambda value: value.update(change))
        assert run.sentence(1) == sentence
        path.write_text(text)
    change_json(path, lambda value: value["symmetries"][1]["cells"].append(1))
    assert "cells of a symmetry must have each number below 25 once" in run.sentence(1)
    path.write_text(text.replace('"learning_rate": 0.002', '"learning_rate": NaN'))
    assert run.sentence(1) == "run.json: learner: learning_rate must be a number from 0 to 10"
    path.write_text(text.replace(f'"{DEVICE}"', '"abacus"'))
    assert run.sentence(1) == 'PyTorch cannot compute on the device "abacus"'
    path.write_text(text[:100])
    assert run.sentence(1) == "run.json is not JSON"
    path.unlink()
    assert run.sentence(1) == "cannot read run.json: No such file or directory"


def test_manifests(run: MadeRun) -> None:
    path = run.rows_folder(1) / "manifest.json"
    text = path.read_text()
    change_json(path, lambda value: value.update(rows=499))
    assert "manifest.json: rows must be a whole number from 500 to 500" in run.sentence(1)
    path.write_text(text)
    change_json(path, lambda value: value["files"][0].update(name="../x.safetensors"))
    assert 'has a file with the name "../x.safetensors"' in run.sentence(1)
    path.unlink()
    assert "cannot read generations/0001/manifest.json" in run.sentence(1)
    run.add_rows(1)
    assert run.sentence(1) == "generation 1 has no rows to learn from"


def test_files_of_rows(run: MadeRun) -> None:
    path, manifest = run.folder / CHUNK, run.rows_folder(1) / "manifest.json"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"x")
    assert "is not the file that its manifest names: its SHA-256 is another" in run.sentence(1)
    for length, sentence in (
        (-8, "lies outside of the file, which may have been cut off"),
        (100, f"{CHUNK} is not a safetensors file, or was cut off in its header"),
    ):
        path.write_bytes(data[:length])
        cut_hash = sha256(data[:length])
        change_json(manifest, lambda value: value["files"][0].update(sha256=cut_hash))
        assert sentence in run.sentence(1)
    path.unlink()
    assert run.sentence(1) == f"cannot read {CHUNK}: No such file or directory"


def test_rows_of_another_game_or_network(run: MadeRun) -> None:
    run.add_rows(1, random_rows(9, 1), metadata={"game": "othello"})
    assert run.sentence(1) == f"{CHUNK}: game is 'othello', not 'atarigo'"
    run.add_rows(1, random_rows(9, 1), metadata={"network": "ab12"})
    assert "network is 'ab12'" in run.sentence(1)


def test_unsound_rows(run: MadeRun) -> None:
    def refusal(tensor: str, change: Callable[[np.ndarray[Any, Any]], object]) -> str:
        rows = random_rows(9, 1)
        change(rows[tensor])
        run.add_rows(1, rows)
        return run.sentence(1)

    shares = ": the numbers of a row must be finite, not below 0 and not all 0"
    assert (
        refusal("outcome", lambda of: of.fill(np.nan)) == f"{CHUNK} has an unsound outcome{shares}"
    )
    assert (
        refusal("root_value", lambda of: of.fill(0)) == f"{CHUNK} has an unsound root_value{shares}"
    )
    assert refusal("weight", lambda of: of.fill(-1)) == f"{CHUNK} has an unsound weight"
    assert (
        refusal("weight", lambda of: of.fill(0))
        == "the window has no rows of a weight above 0 to learn from"
    )
    assert refusal("visits", lambda of: of.fill(0)) == f"{CHUNK} has a row without visits"
    assert refusal("visits", lambda of: of.fill(1)) == f"{CHUNK} has visits without a move"
    out = refusal("moves", lambda of: np.put(of, 0, 25))
    assert out == f"{CHUNK} has a move that is not in the policy"
    rows = random_rows(9, 1)
    rows["planes"] = rows["planes"][:, 1:]
    run.add_rows(1, rows)
    assert "has no tensor planes of the type and shape that it needs" in run.sentence(1)


def test_networks(run: MadeRun, tmp_path: Path) -> None:
    run.network(0).unlink()
    init_network(run.network(0), "atarigo size=5", "--seed", "2")
    refused = "networks/0000.safetensors is not the network that has played generation 1"
    assert run.sentence(1) == refused
    change_network(run, "value.fc2.bias", np.nan)
    assert "value.fc2.bias has a number that is not finite" in run.sentence(1)
    run.network(0).unlink()
    init_network(run.network(0), "hex size=5")
    assert run.sentence(1) == "networks/0000.safetensors: game is 'hex', not 'atarigo'"


def test_a_loss_that_is_no_number(run: MadeRun) -> None:
    change_network(run, "policy.fc2.weight", 3e38)
    run.add_rows(1, random_rows(500, 1))  # by this network
    said = re.compile(r"the loss at step \d+ is not a finite number: nothing was written")
    assert said.fullmatch(run.sentence(1))


def test_states(run: MadeRun) -> None:
    run.learn(1)
    run.add_rows(2, random_rows(9, 1))
    state = run.state(1).read_bytes()
    run.state(1).unlink()
    missing = "learner/0001.pt, the learner's state after generation 1, is missing"
    assert run.sentence(2) == missing
    run.state(1).write_bytes(state[:5000])
    assert run.sentence(2) == "learner/0001.pt is not a state of this run's learner"
    run.state(1).write_bytes(state)
    run.network(1).unlink()
    init_network(run.network(1), "atarigo size=5", "--seed", "2")
    run.add_rows(2, random_rows(9, 1))
    other = "learner/0001.pt was not written with networks/0001.safetensors"
    assert run.sentence(2) == other


def test_a_generation_that_is_done(run: MadeRun) -> None:
    init_network(run.network(1), "atarigo size=5")
    assert run.sentence(1) == "networks/0001.safetensors exists already: generation 1 is done"
    assert run.sentence(0) == "--generation must be 1 or more"


def test_no_pytorch(run: MadeRun, tmp_path: Path) -> None:
    """Python finds a module before the installed one that is as if there were none."""
    before = run.files()
    absent = "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')"
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "torch.py").write_text(absent)
    learner = run.start(1, before_path=tmp_path / "hidden")
    _, errors = learner.communicate()
    sentence = run.check_refusal(learner.returncode, errors, before)
    assert sentence == "needs PyTorch: install python3-torch (Debian) or torch (PyPI)"


def test_a_full_disk(run: MadeRun) -> None:
    """Files cannot grow beyond a limit, as on a disk that is full."""
    before = run.files()
    learner = run.start(1, most_bytes=100_000)
    _, errors = learner.communicate()
    sentence = run.check_refusal(learner.returncode, errors, before)
    assert sentence == "cannot write learner/0001.pt: File too large"


def test_safetensors() -> None:
    data = safetensors.serialize({"a": "b"}, {"x": np.arange(6, dtype="<u2").reshape(2, 3)})
    contents = safetensors.parse(data, "it")
    assert contents.metadata == {"a": "b"}
    assert contents.tensors["x"].tolist() == [[0, 1, 2], [3, 4, 5]]
    for before, after, sentence in (
        (b"[2,3]", b"[2,9]", "it: the header: x has data of another size than its shape tells"),
        (
            b"[2,3]",
            b"[-2,3]",
            "it: the header: x must have a shape and data_offsets of whole numbers",
        ),
        (b"[0,12]", b"[0,99]", "it: the header: x lies outside of the file"),
        (b"[2,3]", b"[2,2]", "it: the header: x has data of another size than its shape tells"),
        (b'"U16"', b'"F64"', "it: the header: x: dtype must be F32 or U8 or U16 or U32"),
        (b'{"a":"b"}', b'{"a":[9]}', "it: the header: __metadata__: a must be a text"),
        (b'"__m', b"'__m", "it: the header is not JSON"),
    ):
        text = data[8:-12].replace(before, after)
        with pytest.raises(BadInput) as bad:
            safetensors.parse(len(text).to_bytes(8, "little") + text + data[-12:], "it")
        assert str(bad.value).startswith(sentence)
    with pytest.raises(BadInput, match="its tensors do not fill the file"):
        safetensors.parse(data + b"more", "it")
