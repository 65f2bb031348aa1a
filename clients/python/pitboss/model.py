"""Policy-value networks in PyTorch: both architectures of docs/networks.md, and their files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from pitboss import safetensors
from pitboss.files import BadInput, Fields, sha256

COUNTER = "num_batches_tracked"  # which PyTorch's batch normalisations have and files have not


@dataclass(frozen=True)
class Architecture:
    """The metadata key `architecture` of network files."""

    planes: int
    rows: int
    columns: int
    policy: int
    values: int
    stem: bool
    filters: tuple[int, ...]
    heads: str
    value_hidden: int
    policy_hidden: int  # dense heads only
    value_filters: int  # convolutional heads only
    policy_filters: int  # convolutional heads only

    @staticmethod
    def read(fields: Fields) -> Architecture:
        filters = {str(block): item for block, item in enumerate(fields.items("filters"))}
        blocks = Fields(filters, f"{fields.name}: filters")
        if not 1 <= len(filters) <= 256:
            raise BadInput(
                f"{fields.name}: filters must be a list of 1 to 256 numbers, one for each block"
            )
        heads = fields.text("heads", ("dense", "convolutional"))
        dense = 1 if heads == "dense" else 0
        return Architecture(
            planes=fields.whole("planes", 1, 1024),
            rows=fields.whole("rows", 1, 64),
            columns=fields.whole("columns", 1, 64),
            policy=fields.whole("policy", 1, 65534),
            values=fields.whole("values", 1, 64),
            stem=fields.truth("stem"),
            filters=tuple(blocks.whole(block, 1, 4096) for block in filters),
            heads=heads,
            value_hidden=fields.whole("value_hidden", 1, 1 << 16),
            policy_hidden=fields.whole("policy_hidden", dense, 1 << 20),
            value_filters=fields.whole("value_filters", 1 - dense, 4096),
            policy_filters=fields.whole("policy_filters", 1 - dense, 4096),
        )

    @property
    def body_inputs(self) -> int:
        """Filters, or planes, that the first block reads."""
        return self.filters[0] if self.stem else self.planes


class Stem(nn.Module):
    def __init__(self, planes: int, filters: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(planes, filters, 3, padding=1)
        self.bn = nn.BatchNorm2d(filters)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.bn(self.conv(x)), inplace=True)


class Block(nn.Module):
    """A residual block, whose skip is a convolution if `has_skip`."""

    def __init__(self, inputs: int, filters: int, has_skip: bool) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, filters, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(filters)
        self.conv2 = nn.Conv2d(filters, filters, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(filters)
        self.has_skip = has_skip
        if has_skip:
            self.skip = nn.Conv2d(inputs, filters, 1)
            self.skip_bn = nn.BatchNorm2d(filters)

    def forward(self, x: Tensor) -> Tensor:
        inside = functional.relu(self.bn1(self.conv1(x)), inplace=True)
        skipped = self.skip_bn(self.skip(x)) if self.has_skip else x
        return functional.relu(self.bn2(self.conv2(inside)) + skipped, inplace=True)


class DenseHead(nn.Module):
    def __init__(self, inputs: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(inputs, hidden)
        self.bn = nn.BatchNorm1d(hidden)
        self.fc2 = nn.Linear(hidden, outputs)

    def forward(self, x: Tensor) -> Tensor:
        hidden = functional.relu(self.bn(self.fc1(x.flatten(1))), inplace=True)
        outputs: Tensor = self.fc2(hidden)
        return outputs


class PolicyHead(nn.Module):
    """The policy of a network with convolutional heads."""

    def __init__(self, inputs: int, filters: int, points: int, policy: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, filters, 1)
        self.bn = nn.BatchNorm2d(filters)
        self.fc = nn.Linear(filters * points, policy)

    def forward(self, x: Tensor) -> Tensor:
        hidden = functional.relu(self.bn(self.conv(x)), inplace=True)
        policy: Tensor = self.fc(hidden.flatten(1))
        return policy


class ValueHead(nn.Module):
    """The value of a network with convolutional heads."""

    def __init__(self, inputs: int, filters: int, points: int, hidden: int, values: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, filters, 1)
        self.bn = nn.BatchNorm2d(filters)
        self.fc1 = nn.Linear(filters * points, hidden)
        self.fc2 = nn.Linear(hidden, values)

    def forward(self, x: Tensor) -> Tensor:
        flat = functional.relu(self.bn(self.conv(x)), inplace=True).flatten(1)
        values: Tensor = self.fc2(functional.relu(self.fc1(flat), inplace=True))
        return values


class Network(nn.Module):
    """Planes [N, planes, rows, columns] to the logits of policy and value. Parameters have the
    names that they have in files."""

    def __init__(self, shape: Architecture) -> None:
        super().__init__()
        self.has_stem = shape.stem
        if shape.stem:
            self.stem = Stem(shape.planes, shape.filters[0])
        blocks = []
        inputs = shape.body_inputs
        for filters in shape.filters:
            blocks.append(Block(inputs, filters, not shape.stem or inputs != filters))
            inputs = filters
        self.blocks = nn.Sequential(*blocks)
        points = shape.rows * shape.columns
        self.policy: nn.Module
        self.value: nn.Module
        if shape.heads == "dense":
            self.policy = DenseHead(inputs * points, shape.policy_hidden, shape.policy)
            self.value = DenseHead(inputs * points, shape.value_hidden, shape.values)
        else:
            self.policy = PolicyHead(inputs, shape.policy_filters, points, shape.policy)
            self.value = ValueHead(
                inputs, shape.value_filters, points, shape.value_hidden, shape.values
            )

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        body = self.blocks(self.stem(planes) if self.has_stem else planes)
        return self.policy(body), self.value(body)


@dataclass
class NetworkFile:
    metadata: dict[str, str]
    sha256: str
    shape: Architecture
    network: Network


def parse_network(data: bytes, name: str, layouts: tuple[str, ...] = ("natural",)) -> NetworkFile:
    """Reads the bytes of a network's file called `name`, with one of these layouts."""
    contents = safetensors.parse(data, name)
    metadata = Fields(contents.metadata, f"{name}: the metadata")
    metadata.text("format", ("pitboss network",))
    metadata.text("version", ("1",))
    metadata.text("layout", layouts)
    architecture = f"{name}: the architecture"
    shape = Architecture.read(Fields.parse(metadata.text("architecture"), architecture))
    network = Network(shape)
    wanted = tensors_of(network)
    for tensor in sorted(wanted.keys() ^ contents.tensors.keys()):
        raise BadInput(f"{name} {'lacks' if tensor in wanted else 'has'} the tensor {tensor}")
    for tensor, numbers in contents.tensors.items():
        if numbers.dtype != "<f4" or numbers.shape != tuple(wanted[tensor].shape):
            raise BadInput(
                f"{name}: the tensor {tensor} does not have the type F32 and the shape of the architecture"
            )
        wanted[tensor].copy_(torch.from_numpy(numbers.copy()))
        if not torch.isfinite(wanted[tensor]).all():
            raise BadInput(f"{name}: the tensor {tensor} has a number that is not finite")
    return NetworkFile(contents.metadata, sha256(data), shape, network)


def network_bytes(metadata: dict[str, str], network: Network) -> bytes:
    arrays = {name: tensor.cpu().numpy() for name, tensor in tensors_of(network).items()}
    return safetensors.serialize(metadata, arrays)


def tensors_of(network: Network) -> dict[str, Any]:
    """What of a network is in its file, by name; a tensor shares its numbers with the network."""
    state = network.state_dict()
    return {name: tensor for name, tensor in state.items() if not name.endswith(COUNTER)}
