"""Networks as the evaluator computes them: in batches of fixed sizes, and in 16 bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from made_run import DEVICE
from network_test import GAMES, made
from numpy.typing import NDArray

from pitboss.evaluator.devices import (
    PRECISIONS,
    Evaluator,
    Planes,
    batch_sizes,
    check_precision,
    folded,
    planes_shape,
)
from pitboss.files import BadInput
from pitboss.model import NetworkFile, parse_network, tensors_of

TOWER = ("--architecture", "tower", "--blocks", "2", "--filters", "16")
NETWORKS = Path(__file__).parents[3] / "data/networks"
TOLERANCES = {"half": 0.05, "bfloat16": 0.5}  # the client's (inference_messages.cpp)


def random_planes(file: NetworkFile, count: int) -> NDArray[np.uint8]:
    size = (count, *planes_shape(file.shape))
    return (np.random.default_rng(1).random(size) < 0.3).astype(np.uint8)


def logits(evaluator: Evaluator, planes: Planes) -> Any:
    policy, values = evaluator(planes)
    assert policy.dtype == values.dtype == np.float32
    return np.concatenate((policy, values), axis=1)


def difference(found: Any, wanted: Any) -> float:
    """The largest, as a client sees it."""
    return float((np.abs(found - wanted) / np.maximum(1, np.abs(wanted))).max())


@pytest.mark.parametrize("flags", [(), TOWER])
def test_positions_that_fill_up_a_batch_change_nothing(
    tmp_path: Path, flags: tuple[str, ...]
) -> None:
    file = made(tmp_path, "othello", *flags)
    padded = Evaluator(file, DEVICE, "full", [1, 4, 9])
    planes = random_planes(file, 25)
    wanted = logits(Evaluator(file, "cpu", "full", range(1, 33)), planes)
    for count in (1, 2, 4, 5, 9, 10, 25, 3):  # over the largest, it is computed in pieces
        assert difference(logits(padded, planes[-count:]), wanted[-count:]) < 1e-5
    assert wanted.std() > 0.01


def test_bytes_and_numbers_are_the_same_planes(tmp_path: Path) -> None:
    file = made(tmp_path, "othello", *TOWER)
    evaluator = Evaluator(file, DEVICE, "full", [8])
    planes = random_planes(file, 8)
    numbers = planes.astype(np.float32)
    np.testing.assert_array_equal(logits(evaluator, planes), logits(evaluator, numbers))


def test_sizes_of_batches() -> None:
    assert batch_sizes("cuda:0", 1024)[-3:] == [512, 768, 1024]
    assert batch_sizes("cuda:0", 5000) == batch_sizes("cuda:0", 1024)
    assert batch_sizes("cuda:0", 100) == [1, 8, 16, 32, 64, 96, 100]
    assert batch_sizes("cuda:0", 1) == [1]
    assert batch_sizes("cpu", 100) == range(1, 101)


def has(precision: str) -> bool:
    try:
        layer: Any = torch.nn.Conv2d(1, 1, 1)
        layer.to(DEVICE, PRECISIONS[precision])(
            torch.zeros((1, 1, 3, 3), device=DEVICE, dtype=PRECISIONS[precision])
        )
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("precision", ["half", "bfloat16"])
def test_what_a_device_computes_in_16_bits(tmp_path: Path, precision: str) -> None:
    if not has(precision):
        sentence = f"--precision {precision}: PyTorch .* has no such numbers on the device {DEVICE}"
        with pytest.raises(BadInput, match=sentence):
            check_precision([DEVICE], precision)
        return
    check_precision([DEVICE], precision)
    for game in GAMES:
        file = parse_network((NETWORKS / f"{game}.safetensors").read_bytes(), game)
        planes = random_planes(file, 50)
        wanted = logits(Evaluator(file, DEVICE, "full", [64]), planes)
        found = difference(logits(Evaluator(file, DEVICE, precision, [64]), planes), wanted)
        assert 0 < found < TOLERANCES[precision]


def rounded(file: NetworkFile, precision: str, planes: NDArray[np.uint8]) -> Any:
    """What a device computes that has weights and outputs of layers in 16 bits, and sums in 32."""
    network, number = folded(file.network), PRECISIONS[precision]

    def round_output(layer: object, inputs: object, output: Any) -> Any:
        return output.to(number).float()

    for weights in network.parameters():
        weights.data = weights.data.to(number).float()
    for module in network.modules():
        if module is not network:
            module.register_forward_hook(round_output)
    with torch.no_grad():
        return torch.cat(network(torch.from_numpy(planes.astype(np.float32))), 1).numpy()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("precision", ["half", "bfloat16"])
def test_16_bits_are_enough_for_clients(game: str, precision: str) -> None:
    file = parse_network((NETWORKS / f"{game}.safetensors").read_bytes(), game)
    planes = random_planes(file, 200)
    wanted = logits(Evaluator(file, "cpu", "full", range(1, 201)), planes)
    found = difference(rounded(file, precision, planes), wanted)
    print(f"{game}, {precision}: {found:.4f}")
    assert 0 < found < TOLERANCES[precision]


def test_weights_that_16_bits_cannot_hold(tmp_path: Path) -> None:
    file = made(tmp_path, "othello", *TOWER)
    tensors_of(file.network)["value.fc2.bias"][0] = 1e6
    with pytest.raises(BadInput, match="it has weights that are too large for the precision half"):
        Evaluator(file, DEVICE, "half", [1])
