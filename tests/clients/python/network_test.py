"""The networks in PyTorch compute what the kernels of Pitboss do."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from made_run import BINARIES, init_network

from pitboss.files import BadInput
from pitboss.model import Network, NetworkFile, network_bytes, parse_network, tensors_of

GAMES = ["connect4", "othello", "breakthrough", "knightthrough", "atarigo", "gomoku"]
POSITIONS = 9


def made(folder: Path, game: str, *flags: str) -> NetworkFile:
    """A network with weights as if it had learned: batch normalisations do something."""
    path = folder / "made.safetensors"
    init_network(path, game, *flags)
    file = parse_network(path.read_bytes(), "made")
    random = torch.Generator().manual_seed(5)
    for name, tensor in tensors_of(file.network).items():
        if tensor.dim() == 1:
            least = 0.5 if name.endswith(("weight", "var")) else -0.5
            tensor.copy_(torch.rand(tensor.shape, generator=random) + least)
    return file


def outputs_of_kernels(folder: Path, file: NetworkFile, planes: torch.Tensor) -> torch.Tensor:
    """Logits of policy and value in a row for each position."""
    network, inputs, outputs = folder / "network.safetensors", folder / "in", folder / "out"
    network.write_bytes(network_bytes(file.metadata, file.network))
    inputs.write_bytes(planes.numpy().tobytes())
    command = [BINARIES / "pitboss_network_outputs", network, inputs, outputs]
    subprocess.run(command, check=True)
    return torch.from_numpy(np.fromfile(outputs, "<f4").reshape(len(planes), -1))


def outputs_of_torch(network: Network, planes: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return torch.cat(network.eval()(planes), 1)


@pytest.mark.parametrize(
    "game, flags",
    [(game, ()) for game in GAMES]
    + [("othello size=6", ("--architecture", "tower", "--blocks", "3", "--filters", "24"))]
    + [("rolit players=4", ()), ("hex size=5", ("--architecture", "tower"))],
)
def test_outputs_are_those_of_the_kernels(
    tmp_path: Path, game: str, flags: tuple[str, ...]
) -> None:
    file = made(tmp_path, game, *flags)
    shape = file.shape
    random = torch.Generator().manual_seed(7)
    size = (POSITIONS, shape.planes, shape.rows, shape.columns)
    planes = (torch.rand(size, generator=random) < 0.3).float()
    wanted = outputs_of_kernels(tmp_path, file, planes)
    found = outputs_of_torch(file.network, planes)
    assert found.shape == wanted.shape == (POSITIONS, shape.policy + shape.values)
    assert ((found - wanted).abs() / wanted.abs().clamp(min=1)).max() < 1e-5
    assert wanted.std() > 0.01


def test_a_network_is_written_as_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "network.safetensors"
    init_network(path, "othello", "--seed", "3")
    file = parse_network(path.read_bytes(), "network")
    assert network_bytes(file.metadata, file.network) == path.read_bytes()


def test_tensors_that_make_no_network_are_refused(tmp_path: Path) -> None:
    file = made(tmp_path, "connect4")
    metadata = file.metadata

    def refusal() -> str:
        with pytest.raises(BadInput) as bad:
            parse_network(network_bytes(metadata, file.network), "it")
        return str(bad.value)

    metadata["layout"] = "reread"
    assert refusal() == "it: the metadata: layout must be natural"
    metadata["layout"] = "natural"
    architecture = metadata["architecture"]
    metadata["architecture"] = architecture.replace('"filters":[32,16]', '"filters":[32]')
    assert refusal() == "it has the tensor blocks.1.bn1.bias"
    metadata["architecture"] = architecture.replace('"filters":[32,16]', '"filters":[32,16,16]')
    assert refusal() == "it lacks the tensor blocks.2.bn1.bias"
    metadata["architecture"] = architecture.replace('"value_hidden":32', '"value_hidden":31')
    assert (
        refusal()
        == "it: the tensor value.bn.bias does not have the type F32 and the shape of the architecture"
    )
    metadata["architecture"] = architecture.replace('"columns":7', '"columns":0')
    assert refusal() == "it: the architecture: columns must be a whole number from 1 to 64"
    metadata["architecture"] = architecture
    tensors_of(file.network)["value.fc2.bias"][0] = float("nan")
    assert refusal() == "it: the tensor value.fc2.bias has a number that is not finite"
