"""What the learner does in one generation, from the files it reads to those it writes."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from pitboss.batches import Assembler, draw
from pitboss.files import BadInput, Fields, json_bytes, read_bytes, sha256, write_whole
from pitboss.model import Architecture, Network, NetworkFile, network_bytes, parse_network
from pitboss.rows import Indices, Rows, gather, read_chunk
from pitboss.run_files import Chunk, Run, read_run
from pitboss.trainer import Measures, Task, Trainer, measure
from pitboss.window import Plan, window_of

MOST_MEASURED = 8192  # rows


def learn(folder: Path, generation: int) -> None:
    """Learns generation `generation` of a run and writes its network as the last of its files."""
    run = read_run(folder)
    if run.network(generation).exists():
        raise BadInput(f"{run.network(generation)} exists already: generation {generation} is done")
    generations = [run.chunks(number) for number in range(1, generation + 1)]
    if not any(chunk.rows for chunk in generations[-1]):
        raise BadInput(f"generation {generation} has no rows to learn from")
    parent = _read_parent(run, generation, generations[-1])
    device = _prepare_torch(run)
    trainer = Trainer(parent.network, run.settings, device)
    _restore(run, generation, trainer, parent)
    window = [chunk for chunk in window_of(generations, run.settings) if chunk.rows]
    rows = gather([read_chunk(run, chunk) for chunk in window])
    _Generation(run, generation, trainer, rows, generations[-1], device).run(parent)


def _read_parent(run: Run, generation: int, chunks: list[Chunk]) -> NetworkFile:
    """The network that the last generation has left, which has played this one."""
    name = str(run.network(generation - 1))
    file = parse_network(read_bytes(run.network(generation - 1)), name)
    for key, wanted in (("game", run.game), ("parameters", run.parameters)):
        if file.metadata.get(key) != wanted:
            raise BadInput(f"{name}: {key} is {file.metadata.get(key)!r}, not {wanted!r}")
    shape = Architecture.read(Fields(run.architecture, "run.json: architecture"))
    sizes = (shape.planes, shape.rows, shape.columns, shape.policy, shape.values)
    if sizes != (run.planes, run.rows, run.columns, run.policy, run.colours):
        raise BadInput(
            "run.json: the architecture does not fit the run's board, policy and colours"
        )
    if file.shape != shape:
        raise BadInput(f"{name} does not have the architecture that run.json tells")
    if any(chunk.network != file.sha256 for chunk in chunks):
        raise BadInput(f"{name} is not the network that has played generation {generation}")
    return file


def _prepare_torch(run: Run) -> torch.device:
    """Chooses the device, and has PyTorch repeat what it computes to the bit."""
    name = run.settings.device
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.set_num_threads(run.settings.threads)
    torch.set_flush_denormal(True)
    torch.use_deterministic_algorithms(True, warn_only=True)  # type: ignore[no-untyped-call]
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise BadInput(f"PyTorch cannot compute on the device {json.dumps(name)}") from error
    return device


def _restore(run: Run, generation: int, trainer: Trainer, parent: NetworkFile) -> None:
    """Goes on from the learner's state, which was written with the parent."""
    path = run.state(generation - 1)
    if not path.exists():
        if generation == 1:
            return
        raise BadInput(f"{path}, the learner's state after generation {generation - 1}, is missing")
    try:
        state = torch.load(io.BytesIO(read_bytes(path)), weights_only=True, map_location="cpu")
        is_ours = state["written_with"] == parent.sha256
        if is_ours:
            trainer.restore(state)
    except BadInput:
        raise
    except Exception as error:  # of many kinds, as what is wrong with the file
        raise BadInput(f"{path} is not a state of this run's learner") from error
    if not is_ours:
        raise BadInput(f"{path} was not written with {run.network(generation - 1)}")


class _Generation:
    def __init__(
        self,
        run: Run,
        generation: int,
        trainer: Trainer,
        rows: Rows,
        newest: list[Chunk],
        device: torch.device,
    ) -> None:
        self._run = run
        self._generation = generation
        self._trainer = trainer
        self._rows = rows
        self._device = device
        self._plan = Plan(run, generation)
        self._random = np.random.default_rng([run.seed, generation])
        self._assembler = Assembler(run, rows)
        self._weights = np.where(rows.is_held_out, np.float32(0), rows.weight)
        self._new_rows = min(len(rows), sum(chunk.rows for chunk in newest))
        new_weight = float(self._weights[len(rows) - self._new_rows :].sum(dtype=np.float64))
        self._steps = self._plan.steps(new_weight)

    def run(self, parent: NetworkFile) -> None:
        begin = time.monotonic()
        self._learn()
        seconds = time.monotonic() - begin
        network = self._trainer.averaged(self._tasks(self._run.settings.statistics_batches))
        is_held_out = self._rows.is_held_out & (self._rows.weight > 0)
        held_out = self._measure(network, is_held_out) if is_held_out.any() else None
        learned = self._measure(network, ~is_held_out)
        shown = held_out or learned
        findings: dict[str, object] = {
            "generation": self._generation,
            "steps": self._steps,
            "rows_in_window": len(self._rows),
            "new_rows": self._new_rows,
            "learning_rate": self._plan.learning_rate,
            "policy_loss": learned.policy_loss,
            "value_loss": learned.value_loss,
            "held_out_rows": int(is_held_out.sum()),
            "held_out_policy_loss": held_out.policy_loss if held_out else None,
            "held_out_value_loss": held_out.value_loss if held_out else None,
            "policy_entropy": shown.policy_entropy,
            "network_entropy": shown.network_entropy,
            "policy_accuracy": shown.policy_accuracy,
            "seconds": seconds,
            "processor_seconds": time.process_time(),
            "samples_per_second": self._steps * self._run.settings.batch / seconds,
            "device": self._device.type,
            "torch": torch.__version__,
        }
        self._write(network, findings, parent)

    def _learn(self) -> None:
        """All steps."""
        sums = torch.zeros(2, device=self._device)
        step = told = 0
        time_told = time.monotonic()
        for step, task in enumerate(self._tasks(self._steps), 1):
            sums += self._trainer.step(task, self._plan.rate_at(self._trainer.steps))
            is_last = step == self._steps
            if not is_last and time.monotonic() - time_told < 1:
                continue
            recent = np.array(sums.tolist())
            self._tell(step, recent / (step - told))
            sums.zero_()
            told, time_told = step, time.monotonic()

    def _tell(self, step: int, losses: NDArray[np.float64]) -> None:
        if not np.isfinite(losses).all():
            raise BadInput(f"the loss at step {step} is not a finite number: nothing was written")
        policy_loss, value_loss = losses.tolist()
        progress = {
            "step": step,
            "steps": self._steps,
            "policy_loss": policy_loss,
            "value_loss": value_loss,
        }
        print(json.dumps(progress), flush=True)

    def _tasks(self, count: int) -> Iterator[Task]:
        """Batches of rows to learn from, each row turned at random."""
        batch = self._run.settings.batch
        picks = draw(self._weights, count * batch, self._random)
        for begin in range(0, len(picks), batch):
            symmetries = self._random.integers(self._assembler.symmetries, size=batch)
            yield self._task(picks[begin : begin + batch], symmetries)

    def _task(self, picks: Indices, symmetries: Indices) -> Task:
        batch = self._assembler.assemble(picks, symmetries)
        return Task.of(batch, self._plan.root_value_share, self._device)

    def _measure(self, network: Network, is_measured: NDArray[np.bool_]) -> Measures:
        """What the network makes of some of these rows, by their weights."""
        weights = np.where(is_measured, self._rows.weight, np.float32(0))
        picks = draw(weights, min(MOST_MEASURED, int(is_measured.sum())), self._random)
        unturned = np.zeros(len(picks), np.int64)
        batch = self._run.settings.batch
        return measure(
            network,
            (
                self._task(picks[begin : begin + batch], unturned[begin : begin + batch])
                for begin in range(0, len(picks), batch)
            ),
        )

    def _write(self, network: Network, findings: dict[str, object], parent: NetworkFile) -> None:
        run, generation = self._run, self._generation
        metadata = {
            "format": "pitboss network",
            "version": "1",
            "game": run.game,
            "parameters": run.parameters,
            "architecture": parent.metadata["architecture"],
            "layout": "natural",
            "trainer": "pitboss.learn",
            "procedure": f"self-play, generation {generation} of {run.generations}, seed"
            f" {run.seed}, {self._trainer.steps} steps of {run.settings.batch} rows in all",
            "parent": parent.sha256,
        }
        data = network_bytes(metadata, network)
        parse_network(data, "the network learned")  # refuses what is no number
        state = io.BytesIO()
        torch.save({**self._trainer.state(), "written_with": sha256(data)}, state)
        write_whole(run.state(generation), state.getvalue())
        write_whole(run.findings(generation), json_bytes(findings))
        write_whole(run.network(generation), data)
        for older in run.state(0).parent.glob("*.pt"):
            if older.stem.isdecimal() and int(older.stem) < generation - 1:
                older.unlink(missing_ok=True)
