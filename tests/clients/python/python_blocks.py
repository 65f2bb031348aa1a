"""The blocks of Python in a page of the documentation."""

import re
from pathlib import Path
from typing import Any


def run_blocks(page: Path, sections: slice, namespace: dict[str, Any]) -> None:
    """Runs the blocks of these sections, of which there must be some, one after the other in one namespace."""
    text = page.read_text("utf-8")
    count = 0
    for section in re.split(r"(?m)^(?=## )", text)[sections]:
        for block in re.finditer(r"(?ms)^```python\n(.*?)^```$", section):
            line = text[: text.index(block[1])].count("\n")
            exec(compile("\n" * line + block[1], str(page), "exec"), namespace)
            count += 1
    assert count > 0, f"{page} has no blocks of Python"
