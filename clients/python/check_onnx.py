#!/usr/bin/env python3
"""Runs a network in ONNX format on a batch of positions and compares what it gives with what it
should: check_onnx.py MODEL PLANES POLICY VALUES, the last three raw 32-bit floats. Needs numpy and
onnxruntime. Prints the largest difference, relative to numbers above 1; fails above 1e-5."""

import sys

import numpy as np
import onnxruntime

TOLERANCE = 1e-5


def numbers(path):
    return np.fromfile(path, dtype="<f4")


def main(model, planes, policy, values):
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    (planes_input,) = session.get_inputs()
    batch = numbers(planes).reshape(-1, *planes_input.shape[1:])
    given = session.run(["policy", "values"], {"planes": batch})
    largest = 0.0
    for found, wanted in zip(given, (numbers(policy), numbers(values))):
        wanted = wanted.reshape(found.shape)
        differences = np.abs(found - wanted) / np.maximum(1, np.abs(wanted))
        largest = max(largest, float(differences.max()))
    print(f"{len(batch)} positions, largest difference {largest:.2e}")
    return 0 if largest <= TOLERANCE else 1  # not a number is a failure too


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
