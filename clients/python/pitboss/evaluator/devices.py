"""Networks on the devices that compute them, in batches of fixed sizes and in a precision."""

from __future__ import annotations

import copy
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils import fusion

from pitboss.files import BadInput
from pitboss.model import Architecture, Network, NetworkFile
from pitboss.processors import processors

inference_mode: Any = torch.inference_mode  # Debian's PyTorch has no types for these
cuda: Any = torch.cuda

Floats = NDArray[np.float32]
Planes = NDArray[np.float32] | NDArray[np.uint8]  # [N, planes, rows, columns]

# A GPU computes in tiles: one position more than fills them takes as long as a whole tile.
GRAPHS = (1, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
LARGEST = GRAPHS[-1]

PRECISIONS = {"full": torch.float32, "half": torch.float16, "bfloat16": torch.bfloat16}

LAYOUTS = ("natural", "reread")  # which only says how a game's board becomes planes

# The batch normalisation that follows a layer, by the names that pitboss.model gives them.
NORMALISED = (
    ("conv", "bn"),
    ("conv1", "bn1"),
    ("conv2", "bn2"),
    ("skip", "skip_bn"),
    ("fc1", "bn"),
)


def device_names(wanted: list[str]) -> list[str]:
    """The devices to use: those wanted, or else all that CUDA has, or else the CPU."""
    known = [f"cuda:{number}" for number in range(cuda.device_count())]
    for name in wanted:
        if name not in ["cpu", *known]:
            raise BadInput(f"--device must be one of {', '.join(['cpu', *known])}, not {name}")
    return wanted or known or ["cpu"]


def check_precision(devices: list[str], precision: str) -> None:
    """Refuses a device that cannot compute so, by a few layers that it is to compute."""
    for device in devices:
        layers: Any = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 1))
        layers = layers.to(device, PRECISIONS[precision])
        try:
            with inference_mode():
                layers(torch.zeros((2, 1, 3, 3), device=device, dtype=PRECISIONS[precision])).cpu()
        except RuntimeError:
            raise BadInput(
                f"--precision {precision}: PyTorch {torch.__version__} has no such numbers on the"
                f" device {device}"
            ) from None


def folded(network: Network) -> Network:
    """A network that computes the same, with batch normalisations in the layers before them."""
    network = copy.deepcopy(network).eval()
    for module in network.modules():
        for layer_name, norm_name in NORMALISED:
            layer, norm = getattr(module, layer_name, None), getattr(module, norm_name, None)
            if layer is None or not isinstance(norm, (nn.BatchNorm1d, nn.BatchNorm2d)):
                continue
            is_convolution = isinstance(layer, nn.Conv2d)
            fuse: Any = fusion.fuse_conv_bn_eval if is_convolution else fusion.fuse_linear_bn_eval
            setattr(module, layer_name, fuse(layer, norm))
            setattr(module, norm_name, nn.Identity())
    return network


class Evaluator:
    """A network on a device. Not to be called by two threads at once.

    It computes batches of certain sizes. Others are filled up to the next size by positions that
    were there before, whose logits nobody sees, and what is larger than the largest is computed
    piece by piece.
    """

    def __init__(
        self, file: NetworkFile, device: str, precision: str, sizes: Sequence[int]
    ) -> None:
        self._device = torch.device(device)
        self._sizes = sizes
        number, order = PRECISIONS[precision], memory_format(device, precision)
        network: Any = folded(file.network).to(self._device, number)
        if not all(torch.isfinite(weights).all() for weights in network.parameters()):
            raise BadInput(f"it has weights that are too large for the precision {precision}")
        self._network = network.to(memory_format=order)
        inputs = torch.zeros((sizes[-1], *planes_shape(file.shape)), device=device, dtype=number)
        self._inputs = inputs.contiguous(memory_format=order)
        self._graphs: dict[int, tuple[Any, tuple[Tensor, Tensor]]] = {}
        with inference_mode(), self._as_current():
            if self._device.type == "cuda":
                self._take_graphs()
            else:
                for size in {1, min(8, sizes[-1])}:  # what comes first takes longer
                    self._run(size)

    def __call__(self, planes: Planes) -> tuple[Floats, Floats]:
        """Logits of policy and values of [N, planes, rows, columns]."""
        largest = self._sizes[-1]
        with inference_mode(), self._as_current():
            if len(planes) <= largest:
                return self._evaluate(planes)
            pieces = [planes[first : first + largest] for first in range(0, len(planes), largest)]
            policies, values = zip(*map(self._evaluate, pieces))
        return np.concatenate(policies), np.concatenate(values)

    def _as_current(self) -> Any:
        """A context: CUDA takes and starts graphs on its current device."""
        return cuda.device(self._device) if self._device.type == "cuda" else nullcontext()

    def _evaluate(self, planes: Planes) -> tuple[Floats, Floats]:
        count = len(planes)
        size = self._sizes[bisect_left(self._sizes, count)]
        self._inputs[:count] = torch.from_numpy(planes).to(self._device)
        policy, values = self._run(size)
        return policy[:count].cpu().numpy(), values[:count].cpu().numpy()

    def _run(self, size: int) -> tuple[Tensor, Tensor]:
        """Logits of the inputs' first positions."""
        if size in self._graphs:
            graph, outputs = self._graphs[size]
            graph.replay()
            return outputs
        policy, values = self._network(self._inputs[:size])
        return policy.float(), values.float()

    def _take_graphs(self) -> None:
        """One for each size. They share their memory, since one runs at a time."""
        memory = None
        for size in reversed(self._sizes):
            stream = cuda.Stream(self._device)
            stream.wait_stream(cuda.current_stream())
            with cuda.stream(stream):
                for _ in range(3):  # cuDNN chooses its algorithms before the graph is taken
                    self._run(size)
            cuda.current_stream().wait_stream(stream)
            graph = cuda.CUDAGraph()
            # Other threads go on computing while this one takes its graph.
            with cuda.graph(graph, pool=memory, capture_error_mode="thread_local"):
                outputs = self._run(size)
            self._graphs[size] = graph, outputs
            memory = memory or graph.pool()


def evaluator_on(device: str, precision: str, file: NetworkFile, most_positions: int) -> Evaluator:
    """A network on a device, warmed up for batches of up to so many positions."""
    return Evaluator(file, device, precision, batch_sizes(device, most_positions))


def batch_sizes(device: str, most: int) -> Sequence[int]:
    """Those of CUDA's graphs, to the most; a CPU computes no position that nobody asked for."""
    largest = min(most, LARGEST)
    if device == "cpu":
        return range(1, largest + 1)
    return [*(size for size in GRAPHS if size < largest), largest]


def memory_format(device: str, precision: str) -> torch.memory_format:
    """In which order a tensor's numbers lie: filters innermost, where that is faster. In full
    precision CUDA has its fast kernels for the other order."""
    innermost = device == "cpu" or precision != "full"
    return torch.channels_last if innermost else torch.contiguous_format


def planes_shape(shape: Architecture) -> tuple[int, int, int]:
    return shape.planes, shape.rows, shape.columns


def compute_as_the_kernels_do(threads: int | None) -> None:
    """Full precision is all 32 bits, so that clients who compare find what Pitboss's own kernels
    say."""
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.set_num_threads(threads or processors())
