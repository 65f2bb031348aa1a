"""An evaluator that evaluates nothing after its warm-up unless a gate is open, so that tests decide
how long its device is busy: gated_evaluator.py GATE ARGUMENT ... The gate is a folder: the file
`busy` appears there when an evaluation begins, and a file `open` lets all pass."""

import sys
import time
from pathlib import Path

import pitboss.evaluator.batches as batches
from pitboss.evaluator.__main__ import main

gate = Path(sys.argv[1])
evaluate = batches.evaluate


def evaluate_behind_gate(batch: list[batches.Request], device: int) -> None:
    (gate / "busy").touch()
    while not (gate / "open").exists():
        time.sleep(0.002)
    evaluate(batch, device)


batches.evaluate = evaluate_behind_gate  # type: ignore[assignment]
sys.exit(main(sys.argv[2:]))
