from pathlib import Path

import pytest
from made_run import MadeRun, random_rows


@pytest.fixture
def run(tmp_path: Path) -> MadeRun:
    """A run whose first generation has been played."""
    run = MadeRun(tmp_path / "run")
    run.add_rows(1, random_rows(300, 1), random_rows(200, 2))
    return run
