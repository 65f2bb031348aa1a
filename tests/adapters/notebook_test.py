"""The example notebook runs from its first cell to its last, and shows what it says. A kernel's interrupt ends what
its cell waits for, and no more."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pitboss
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]


def test_the_notebook_runs() -> None:
    notebook: Any = nbformat.read(ROOT / "docs" / "notebooks" / "pitboss.ipynb", as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    ]
    assert "image/svg+xml" in shown and "image/png" in shown and shown.count("text/html") >= 4


PATIENCE = 60.0  # seconds


class Kernel:
    """One that runs cells."""

    def __init__(self) -> None:
        self.manager, self.client = start_new_kernel(kernel_name="python3")

    def begin(self, cell: str) -> None:
        self.cell = self.client.execute(cell)

    def end(self) -> tuple[str, str]:
        """How the cell that was begun has ended: its error, and what it has written."""
        error, written = "", ""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            content = message["content"]
            if message["parent_header"].get("msg_id") != self.cell:
                continue
            if message["msg_type"] == "stream":
                written += content["text"]
            error = content.get("ename", error)
            if content.get("execution_state") == "idle":
                return error, written

    def run(self, cell: str) -> str:
        """What a cell writes that does not fail."""
        self.begin(cell)
        error, written = self.end()
        assert error == "", written
        return written

    def interrupt(self) -> None:
        self.manager.interrupt_kernel()

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def kernel() -> Iterator[Kernel]:
    kernel = Kernel()
    yield kernel
    kernel.close()


BEGIN = """
import pitboss
from pitboss.notebook import show
server = pitboss.launch(workers=1)
engine = server.engine("othello")
state = engine.game.new_initial_state()
print(server.address, end="")
"""
PLAYED = "print(engine.play(state, pitboss.Limit(simulations=20)).simulations, end='')"


def test_an_interrupt_ends_the_call_alone(kernel: Kernel) -> None:
    with pitboss.connect(kernel.run(BEGIN)) as watcher:

        def searches(number: int) -> None:
            end = time.monotonic() + PATIENCE
            while watcher.stats()["pitboss_running_commands"] != number:
                assert time.monotonic() < end
                time.sleep(0.02)

        kernel.begin("engine.play(state, pitboss.Limit(time=600))")
        searches(1)
        kernel.interrupt()
        assert kernel.end()[0] == "KeyboardInterrupt"
        searches(0)
        assert kernel.run(PLAYED) == "20"

        # `show` says that the analysis goes on.
        kernel.run("analysis = engine.analysis(state)")
        kernel.begin("show(analysis, seconds=600)")
        searches(1)
        time.sleep(0.5)
        kernel.interrupt()
        assert kernel.end()[0] == "KeyboardInterrupt"
        kernel.run("analysis.set(k=7); next(one for one in analysis if one.options.get('k') == 7)")
        searches(1)
        kernel.run("analysis.stop()")
        assert kernel.run(PLAYED) == "20"
        kernel.run("server.close()")
