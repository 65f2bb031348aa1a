from collections.abc import Iterator
from pathlib import Path

from typing import TYPE_CHECKING

import pitboss
import pytest

if TYPE_CHECKING:
    from made_run import MadeRun


@pytest.fixture(scope="module")
def server() -> Iterator[pitboss.Server]:
    """A daemon for the tests of a file."""
    with pitboss.launch(workers=2) as server:
        yield server


@pytest.fixture
def run(tmp_path: Path) -> "MadeRun":
    """A run whose first generation has been played."""
    from made_run import MadeRun, random_rows  # with PyTorch, which tests of the client do without

    run = MadeRun(tmp_path / "run")
    run.add_rows(1, random_rows(300, 1), random_rows(200, 2))
    return run
