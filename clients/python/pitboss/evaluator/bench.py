"""Evaluations a second of networks on a device, in batches of the sizes that CUDA's graphs have and in
each precision, without the calls that bring positions.

  python3 -m pitboss.evaluator.bench                     # a tower of 10 blocks of 128 filters
  python3 -m pitboss.evaluator.bench --device cpu data/networks/*.safetensors

The last column is the largest difference of a logit to full precision, of the larger of 1 and that
logit, over the largest batch, whose boards are random bits."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np
import torch

from pitboss.evaluator.devices import (
    GRAPHS,
    LARGEST,
    LAYOUTS,
    PRECISIONS,
    Evaluator,
    Floats,
    Planes,
    check_precision,
    compute_as_the_kernels_do,
    device_names,
    planes_shape,
)
from pitboss.files import BadInput, read_bytes, user_path
from pitboss.model import Architecture, Network, NetworkFile, parse_network

# Of othello, with random weights.
TOWER = Architecture(
    planes=4,
    rows=8,
    columns=8,
    policy=65,
    values=2,
    stem=True,
    filters=(128,) * 10,
    heads="convolutional",
    value_hidden=64,
    policy_hidden=0,
    value_filters=1,
    policy_filters=2,
)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python3 -m pitboss.evaluator.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("networks", nargs="*", type=user_path, metavar="FILE", help="networks")
    parser.add_argument("--device", default="", help="cpu, cuda:0 ...; default: as the evaluator's")
    parser.add_argument("--threads", type=int, help="threads that compute on the CPU")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each cell; default 2")
    parser.add_argument("--largest", type=int, default=LARGEST, help="largest batch; default 1024")
    given = parser.parse_args(arguments)
    compute_as_the_kernels_do(given.threads)
    device = device_names([given.device] if given.device else [])[0]
    name = torch.cuda.get_device_name(device) if device != "cpu" else f"{torch.get_num_threads()}"
    print(f"PyTorch {torch.__version__}, {device} ({name}{' threads' * (device == 'cpu')})")
    sizes = [size for size in GRAPHS if size <= given.largest]
    files = [parse_network(read_bytes(path), path.name, LAYOUTS) for path in given.networks]
    if not files:
        torch.manual_seed(1)
        files = [NetworkFile({"game": "10x128"}, "", TOWER, Network(TOWER))]
    for file in files:
        print_table(file, device, sizes, given.seconds)


def print_table(file: NetworkFile, device: str, sizes: Sequence[int], seconds: float) -> None:
    """A row for each precision."""
    print(f"\n| {file.metadata['game']}: batch | {' | '.join(map(str, sizes))} | difference |")
    print("|---" * (len(sizes) + 2) + "|")
    shape = (sizes[-1], *planes_shape(file.shape))
    boards = (np.random.default_rng(1).random(shape) < 0.3).astype(np.uint8)
    exact = logits(Evaluator(file, device, "full", sizes), boards)
    for precision in PRECISIONS:
        try:
            check_precision([device], precision)
            evaluator = Evaluator(file, device, precision, sizes)
        except BadInput as bad:
            print(f"| {precision} | {bad} |", flush=True)
            continue
        rates = [f"{rate(evaluator, boards[:size], seconds):,.0f}" for size in sizes]
        apart = np.abs(logits(evaluator, boards) - exact) / np.maximum(1, np.abs(exact))
        print(f"| {precision} | {' | '.join(rates)} | {apart.max():.4f} |", flush=True)


def rate(evaluator: Evaluator, planes: Planes, seconds: float) -> float:
    """Evaluations a second, from and to the memory of the processor."""
    evaluator(planes)
    begun = time.perf_counter()
    batches = 0
    while (passed := time.perf_counter() - begun) < seconds:
        evaluator(planes)
        batches += 1
    return batches * len(planes) / passed


def logits(evaluator: Evaluator, planes: Planes) -> Floats:
    return np.concatenate(evaluator(planes), axis=1)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BadInput as bad:
        sys.exit(f"pitboss.evaluator.bench: {bad}")
