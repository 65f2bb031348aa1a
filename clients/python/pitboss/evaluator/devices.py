"""Networks on the device that computes them: CPU, or CUDA with graphs of fixed batch sizes."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils import fusion

from pitboss.files import BadInput
from pitboss.model import Architecture, Network, NetworkFile

inference_mode: Any = torch.inference_mode  # Debian's PyTorch has no types for these
cuda: Any = torch.cuda

Floats = NDArray[np.float32]

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


class OnCpu:
    """A network on the CPU. Not to be called by two threads at once, as all evaluators."""

    def __init__(self, file: NetworkFile, most_positions: int) -> None:
        network: Any = folded(file.network)
        self.network = network.to(memory_format=torch.channels_last)  # faster in oneDNN
        for positions in {1, min(8, most_positions)}:  # what comes first takes longer
            self(np.zeros((positions, *planes_shape(file.shape)), np.float32))

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits of policy and values of [N, planes, rows, columns]."""
        with inference_mode():
            policy, values = self.network(torch.from_numpy(planes))
        return policy.numpy(), values.numpy()


class OnCuda:
    """A network on a CUDA device: one graph for each batch size, the batch padded to the next."""

    def __init__(self, file: NetworkFile, most_positions: int, device: str) -> None:
        self.device = torch.device(device)
        self.network = folded(file.network).to(self.device)
        self.graphs = {}
        with inference_mode(), cuda.device(self.device):
            for size in batch_sizes(most_positions):
                self.graphs[size] = self._graph(size, file.shape)

    def _graph(self, size: int, shape: Architecture) -> tuple[Any, Tensor, tuple[Tensor, Tensor]]:
        planes = torch.zeros((size, *planes_shape(shape)), device=self.device)
        stream = cuda.Stream(self.device)
        stream.wait_stream(cuda.current_stream())
        with cuda.stream(stream):
            for _ in range(3):  # cuDNN chooses its algorithms before the graph is taken
                self.network(planes)
        cuda.current_stream().wait_stream(stream)
        graph = cuda.CUDAGraph()
        # Other threads go on computing while this one takes its graph.
        with cuda.graph(graph, capture_error_mode="thread_local"):
            outputs = self.network(planes)
        return graph, planes, outputs

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        count = len(planes)
        graph, inputs, outputs = self.graphs[min(s for s in self.graphs if s >= count)]
        with inference_mode(), cuda.device(self.device):
            inputs[:count].copy_(torch.from_numpy(planes))
            graph.replay()
            policy, values = (output[:count].cpu().numpy() for output in outputs)
        return policy, values


Evaluator = OnCpu | OnCuda


def evaluator_on(device: str, file: NetworkFile, most_positions: int) -> Evaluator:
    """A network on a device, warmed up for batches of up to so many positions."""
    if device == "cpu":
        return OnCpu(file, most_positions)
    return OnCuda(file, most_positions, device)


def planes_shape(shape: Architecture) -> tuple[int, int, int]:
    return shape.planes, shape.rows, shape.columns


def batch_sizes(most: int) -> list[int]:
    """1, 8, 16, 32 ... and the most."""
    sizes = [1, *(8 << power for power in range(most.bit_length()) if 8 << power < most)]
    return sizes if most == 1 else [*sizes, most]


def compute_as_the_kernels_do(threads: int | None) -> None:
    """In full 32 bits, so that clients who compare find what Pitboss's own kernels say."""
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    if threads is not None:
        torch.set_num_threads(threads)
