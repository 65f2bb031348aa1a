#!/usr/bin/env python3
"""Writes networks of random weights in the format of the novelty papers' program (Deep Java Library,
.param), and computes what they answer, knowing nothing of Pitboss's reader and kernels.

    write_djl.py othello 8 --seed 1 --out othello.param

A file is the depth-first walk of a tree of blocks, each a version byte, the shapes of its inputs and its
parameters. Integers are big-endian, the numbers of a parameter little-endian.
"""

from __future__ import annotations

import argparse
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Shape = tuple[int, ...]

EPSILON = 1e-5  # of batch normalisations


@dataclass
class Writer:
    """The bytes of a file and what in them may differ from file to file."""

    sequential_version: int = 3  # older files have 2, without the boolean that follows
    batch: int = 1  # positions in the batch that the shapes of inputs show
    layout: str = "?"  # the letter of each dimension
    names: bool = True  # whether an array repeats its parameter's name
    bytes: bytearray = field(default_factory=bytearray)
    borders: list[int] = field(default_factory=list)  # where a block or a parameter begins

    def put(self, format: str, *values: object) -> None:
        self.bytes += struct.pack(">" + format, *values)

    def utf(self, text: str) -> None:
        self.put("H", len(text))
        self.bytes += text.encode()

    def shape(self, shape: Shape) -> None:
        self.put(f"i{len(shape)}q", len(shape), *shape)
        self.put("i", len(shape))
        self.bytes += (self.layout * len(shape)).encode("utf-16-be")

    def block(self, version: int, inputs: Shape) -> None:
        self.borders.append(len(self.bytes))
        self.put("Bi", version, 1)
        self.shape((self.batch, *inputs))

    def sequential(self, inputs: Shape) -> None:
        self.block(self.sequential_version, inputs)
        if self.sequential_version == 3:
            self.put("?", False)

    def parameter(self, name: str, numbers: Array) -> None:
        self.borders.append(len(self.bytes))
        self.put("HB", ord("P"), 1)
        self.utf(name)
        self.utf("NDAR")
        self.put("i?", 3, self.names)
        if self.names:
            self.utf(name)
        self.utf("DENSE")
        self.utf("FLOAT32")
        self.shape(numbers.shape)
        data = numbers.astype("<f4").tobytes()
        self.bytes += b"<"
        self.put("i", len(data))
        self.borders.append(len(self.bytes))
        self.bytes += data


class Block(Protocol):
    def write(self, writer: Writer, inputs: Shape) -> Shape:
        """Appends the block; answers the shape of its outputs."""

    def outputs(self, inputs: Array) -> Array:
        """Of a single position."""


@dataclass
class Convolution:
    """Keeps the size of the board: padding is half the kernel."""

    weight: Array  # [outputs, inputs, side, side]
    bias: Array

    def write(self, writer: Writer, inputs: Shape) -> Shape:
        writer.block(3, inputs)
        writer.parameter("weight", self.weight)
        writer.parameter("bias", self.bias)
        return (len(self.bias), *inputs[1:])

    def outputs(self, inputs: Array) -> Array:
        _, rows, columns = inputs.shape
        side = self.weight.shape[2]
        margin = side // 2
        padded = np.pad(inputs, ((0, 0), (margin, margin), (margin, margin)))
        outputs = np.zeros((len(self.bias), rows, columns)) + self.bias[:, None, None]
        for row in range(side):
            for column in range(side):
                window = padded[:, row : row + rows, column : column + columns]
                outputs += np.tensordot(self.weight[:, :, row, column], window, 1)
        return outputs


@dataclass
class Normalisation:
    gamma: Array
    beta: Array
    mean: Array
    variance: Array

    def write(self, writer: Writer, inputs: Shape) -> Shape:
        writer.block(2, inputs)
        writer.put("q", len(self.gamma))
        writer.parameter("gamma", self.gamma)
        writer.parameter("beta", self.beta)
        writer.parameter("runningMean", self.mean)
        writer.parameter("runningVar", self.variance)
        return inputs

    def outputs(self, inputs: Array) -> Array:
        gamma, beta, mean, variance = (
            numbers.reshape(-1, *[1] * (inputs.ndim - 1))
            for numbers in (self.gamma, self.beta, self.mean, self.variance)
        )
        outputs: Array = gamma * (inputs - mean) / np.sqrt(variance + EPSILON) + beta
        return outputs


@dataclass
class Linear:
    weight: Array  # [outputs, inputs]
    bias: Array

    def write(self, writer: Writer, inputs: Shape) -> Shape:
        units, width = self.weight.shape
        writer.borders.append(len(writer.bytes))
        writer.put("Bqq", 4, units, width)
        writer.shape((writer.batch,))
        writer.parameter("weight", self.weight)
        writer.parameter("bias", self.bias)
        return (units,)

    def outputs(self, inputs: Array) -> Array:
        return self.weight @ inputs + self.bias


class Rectifier:
    def write(self, writer: Writer, inputs: Shape) -> Shape:
        writer.block(2, inputs)
        return inputs

    def outputs(self, inputs: Array) -> Array:
        return np.maximum(inputs, 0)


@dataclass
class Sequential:
    blocks: list[Block]

    def write(self, writer: Writer, inputs: Shape) -> Shape:
        writer.sequential(inputs)
        for block in self.blocks:
            inputs = block.write(writer, inputs)
        return inputs

    def outputs(self, inputs: Array) -> Array:
        for block in self.blocks:
            inputs = block.outputs(inputs)
        return inputs


@dataclass
class Residual:
    """The rectified sum of two branches; in the file a block that holds a parallel block."""

    main: Sequential
    skip: Sequential

    def write(self, writer: Writer, inputs: Shape) -> Shape:
        writer.block(2, inputs)
        writer.block(2, inputs)
        self.main.write(writer, inputs)
        return self.skip.write(writer, inputs)

    def outputs(self, inputs: Array) -> Array:
        return np.maximum(self.main.outputs(inputs) + self.skip.outputs(inputs), 0)


def softmax(logits: Array) -> Array:
    powers = np.exp(logits - logits.max())
    shares: Array = powers / powers.sum()
    return shares


@dataclass
class Network:
    inputs: Shape  # planes, then the sides of the board
    body: Sequential
    value: Sequential
    policy: Sequential

    def write(self, writer: Writer | None = None) -> Writer:
        writer = writer or Writer()
        writer.sequential(self.inputs)
        shape = self.body.write(writer, self.inputs)
        writer.block(2, shape)  # flattens
        flat = (int(np.prod(shape)),)
        writer.block(2, flat)
        self.value.write(writer, flat)
        self.policy.write(writer, flat)
        return writer

    def outputs(self, planes: Array) -> tuple[Array, Array]:
        """The probabilities that white and black win, and those of the entries of the policy."""
        flat = self.body.outputs(planes.reshape(self.inputs)).reshape(-1)
        return softmax(self.value.outputs(flat)), softmax(self.policy.outputs(flat))


@dataclass
class RandomWeights:
    """Weights with which all that a network computes shows in its answers."""

    random: np.random.Generator

    def numbers(self, *shape: int, scale: float = 1.0) -> Array:
        # Rounded as the file rounds them.
        return (scale * self.random.standard_normal(shape)).astype(np.float32).astype(np.float64)

    def convolution(self, inputs: int, outputs: int, side: int = 3) -> Convolution:
        scale = (inputs * side * side) ** -0.5
        return Convolution(
            self.numbers(outputs, inputs, side, side, scale=scale), self.numbers(outputs, scale=0.3)
        )

    def normalisation(self, channels: int) -> Normalisation:
        # Of all sizes, so that epsilon counts.
        variance = (
            (10.0 ** self.random.uniform(-4, 0, channels)).astype(np.float32).astype(np.float64)
        )
        gamma = (variance**0.5 * self.random.uniform(0.7, 1.6, channels)).astype(np.float32)
        return Normalisation(
            gamma.astype(np.float64),
            self.numbers(channels, scale=0.3),
            self.numbers(channels, scale=0.3),
            variance,
        )

    def linear(self, inputs: int, outputs: int) -> Linear:
        return Linear(
            self.numbers(outputs, inputs, scale=inputs**-0.5),
            self.numbers(outputs, scale=0.3),
        )

    def residual(self, inputs: int, inner: int, outputs: int) -> Residual:
        return Residual(
            Sequential(
                [
                    self.convolution(inputs, inner),
                    self.normalisation(inner),
                    Rectifier(),
                    self.convolution(inner, outputs),
                    self.normalisation(outputs),
                ]
            ),
            Sequential([self.convolution(inputs, outputs, 1), self.normalisation(outputs)]),
        )

    def head(self, inputs: int, hidden: int, outputs: int) -> Sequential:
        return Sequential(
            [
                self.linear(inputs, hidden),
                self.normalisation(hidden),
                Rectifier(),
                self.linear(hidden, outputs),
            ]
        )


WHITE_FIRST = {"connect4", "breakthrough", "knightthrough"}  # black is first in the other games
LETTERS = "abcdefghjklmnopqrst"  # of files in Pitboss's moves


@dataclass
class Game:
    """A board of the authors' program, and how its networks see it."""

    name: str
    width: int
    height: int

    @property
    def policy(self) -> int:
        points = self.width * self.height
        return {
            "connect4": self.width,
            "othello": points + 1,
            "breakthrough": 3 * points,
            "knightthrough": 4 * points,
        }.get(self.name, points)

    @property
    def pitboss_name(self) -> str:
        """As the command `game` takes it."""
        return self.name if self.name == "connect4" else f"{self.name} size={self.width}"

    def is_white(self, colour: str) -> bool:
        """Whether a colour of Pitboss, where black moves first, is the program's white."""
        return (colour == "black") == (self.name in WHITE_FIRST)

    def planes(self, position: str) -> Array:
        """Of a position as Pitboss's command `get_position` tells it: white's stones, black's, ones if
        white is to move, ones if black is. By ranks from the top, whatever the network takes these
        numbers for: connect4's six rows of seven are read as seven rows of six."""
        board, mover = position.split()[:2]
        cells = np.array([list(row) for row in board.split("/")])
        stones = [cells == "X", cells == "O"]
        moves = [np.full(cells.shape, mover == "b"), np.full(cells.shape, mover == "w")]
        if not self.is_white("black"):
            stones.reverse()
            moves.reverse()
        return np.stack(stones + moves).astype(np.float64)

    def entry(self, move: str, black_moves: bool) -> int:
        """Where the policy has a move of Pitboss."""
        if move == "pass":
            return self.width * self.height
        points = re.findall(r"([a-z])(\d+)", move)
        (x, y), *target = [(LETTERS.index(letter), int(rank) - 1) for letter, rank in points]
        if self.name == "connect4":
            return x
        origin = y * self.width + x
        if not target:
            return origin
        # The first player goes up the board, and the other sees it turned round.
        aside = (target[0][0] - x) * (1 if black_moves else -1)
        if self.name == "breakthrough":
            return 3 * origin + aside + 1
        return 4 * origin + {-2: 0, -1: 1, 1: 2, 2: 3}[aside]


def random_network(
    game: Game,
    seed: int,
    blocks: Sequence[tuple[int, int]] = ((32, 32), (16, 16)),
    value_hidden: int = 32,
    policy_hidden: int | None = None,
    planes: int = 4,
    values: int = 2,
) -> Network:
    """Blocks: the outputs of the first and of the second convolution of each."""
    weights = RandomWeights(np.random.default_rng(seed))
    channels, body = planes, []
    for inner, outputs in blocks:
        body.append(weights.residual(channels, inner, outputs))
        channels = outputs
    flat = channels * game.width * game.height
    power = 1 << (game.policy - 1).bit_length()
    return Network(
        (planes, game.width, game.height),
        Sequential([*body]),
        weights.head(flat, value_hidden, values),
        weights.head(flat, policy_hidden or power, game.policy),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("game")
    parser.add_argument("size", type=int, help="files of the board; connect4: 7")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--filters", type=int, nargs="+", default=[32, 16], help="of each block")
    parser.add_argument("--out", type=Path, required=True)
    flags = parser.parse_args()
    game = Game(flags.game, flags.size, 6 if flags.game == "connect4" else flags.size)
    network = random_network(game, flags.seed, [(filters, filters) for filters in flags.filters])
    flags.out.write_bytes(network.write().bytes)


if __name__ == "__main__":
    main()
