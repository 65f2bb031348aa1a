"""Parts of pages in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def made_by(sources: str) -> str:
    return f"<!-- Made by ./dev results from {sources}. -->\n"


def listed(names: Sequence[str]) -> str:
    """ "A, B and C"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    text = "".join("|" + "".join(f" {cell} |" for cell in line) + "\n" for line in lines)
    return text.replace("|  |", "| |").replace("|  |", "| |").replace(" --- |", "---|")
