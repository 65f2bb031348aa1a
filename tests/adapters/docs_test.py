"""What docs/python.md shows runs, with the packages that it names."""

import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "clients" / "python"))

from python_blocks import run_blocks  # noqa: E402


def test_the_pages_blocks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    run_blocks(ROOT / "docs" / "python.md", slice(0, None), namespace)
    namespace["server"].close()
