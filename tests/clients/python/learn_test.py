"""Generations of the learner, which runs as a program of its own."""

import math
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from made_run import BINARIES, CELLS, DEVICE, PLANES, SIZE, MadeRun, random_rows

from pitboss import safetensors
from pitboss.files import BadInput, sha256
from pitboss.model import parse_network
from pitboss.trainer import Task, legal_loss


def test_a_generation_is_learned(run: MadeRun) -> None:
    progress = run.learn(1)
    found = run.findings(1)
    steps = progress[-1]["steps"]
    assert progress[-1]["step"] == steps == found["steps"]
    assert 20 <= steps <= 32  # 500 rows less those held out, four times, by 64
    assert found["generation"] == 1
    assert found["rows_in_window"] == found["new_rows"] == 500
    assert found["learning_rate"] == 0.002
    assert found["held_out_policy_loss"] > 0
    assert found["device"] == DEVICE.partition(":")[0]
    metadata = safetensors.parse(run.network(1).read_bytes(), "network").metadata
    assert metadata["parent"] == sha256(run.network(0).read_bytes())
    assert metadata["game"] == "atarigo"
    assert metadata["trainer"] == "pitboss.learn"
    verify = [str(BINARIES / "pitboss"), "network", "verify", str(run.network(1))]
    assert "sound" in subprocess.run(verify, check=True, capture_output=True, text=True).stdout


def test_the_network_learns_positions_by_heart(tmp_path: Path) -> None:
    """256 positions with moves that follow no rule, turned at random."""
    run = MadeRun(tmp_path, {"held_out": 0.0, "first_reuse": 300.0, "batch": 256})
    rows = random_rows(256, 3)
    run.add_rows(1, rows)
    run.learn(1)
    found = run.findings(1)
    assert found["policy_accuracy"] >= 0.99
    assert found["held_out_policy_loss"] is None
    assert abs(found["network_entropy"] - found["policy_entropy"]) < 0.2


def test_legal_weight_takes_the_policy_from_illegal_moves(tmp_path: Path) -> None:
    rows = random_rows(256, 3)

    def share_of_legal_moves(weight: float) -> float:
        settings = {"held_out": 0.0, "first_reuse": 150.0, "batch": 256, "legal_weight": weight}
        run = MadeRun(tmp_path / str(weight), settings)
        run.add_rows(1, rows)
        run.learn(1)
        network = parse_network(run.network(1).read_bytes(), "network").network.eval()
        bits = np.unpackbits(rows["planes"], axis=1, bitorder="little")
        planes = torch.from_numpy(bits[:, : PLANES * CELLS]).float().view(-1, PLANES, SIZE, SIZE)
        with torch.no_grad():
            policy = network(planes)[0].softmax(1)
        parts = torch.from_numpy(rows["moves"][:, :, 0].astype(np.int64))
        with_no_part = torch.nn.functional.pad(policy, (0, 1))
        return float(with_no_part.gather(1, parts.clamp(max=CELLS)).sum(1).mean())

    shares = share_of_legal_moves(0.0), share_of_legal_moves(1.0)
    assert shares[0] < 0.6 and shares[1] > 0.7, shares


def test_legal_weight_is_for_moves_of_one_part() -> None:
    parts = torch.tensor([[[0, 1], [1, 2]]])
    task = Task(
        planes=torch.empty(0),
        parts=parts,
        is_move=torch.tensor([[True, True]]),
        policy=torch.tensor([[0.5, 0.5]]),
        value=torch.empty(0),
    )
    with pytest.raises(BadInput, match="one part"):
        legal_loss(torch.zeros(1, 4), task)
    task.parts = parts[:, :, :1]
    assert abs(float(legal_loss(torch.zeros(1, 4), task)) - math.log(2)) < 1e-6


def test_generations_repeat_whatever_was_killed(run: MadeRun, tmp_path: Path) -> None:
    run.learn(1)
    run.add_rows(2, random_rows(400, 4))
    run.learn(2)

    again = MadeRun(tmp_path / "again")
    again.add_rows(1, random_rows(300, 1), random_rows(200, 2))
    learner = again.start(1)
    assert learner.stdout
    learner.stdout.readline()  # while it learns, or writes
    learner.send_signal(signal.SIGKILL)
    learner.communicate()
    again.network(1).unlink(missing_ok=True)
    again.learn(1)
    again.add_rows(2, random_rows(400, 4))
    again.learn(2)
    again.network(2).unlink()  # as if killed before its last file
    again.learn(2)

    for generation in (1, 2):
        assert run.network(generation).read_bytes() == again.network(generation).read_bytes()
    assert run.network(1).read_bytes() != run.network(2).read_bytes()
    assert not list(run.folder.rglob("*.tmp"))

    run.add_rows(3, random_rows(100, 5))
    run.learn(3)
    assert sorted(path.name for path in run.state(1).parent.glob("*.pt")) == ["0002.pt", "0003.pt"]
    assert run.findings(3)["rows_in_window"] == 1000
    assert run.findings(3)["new_rows"] == 100
