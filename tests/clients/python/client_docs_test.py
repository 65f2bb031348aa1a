"""What docs/python.md shows runs, as far as it needs the standard library alone."""

from pathlib import Path
from typing import Any

import pytest
from python_blocks import run_blocks

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


def test_the_pages_blocks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    run_blocks(PAGE, slice(0, -2), namespace)
    namespace["server"].close()
