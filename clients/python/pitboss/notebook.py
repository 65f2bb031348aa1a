"""Pitboss in Jupyter: an analysis that is drawn in place."""

from __future__ import annotations

import html
import time

from .blocking import Analysis
from .errors import needing
from .result import Report

with needing("notebook"):
    from IPython.display import HTML, display

_PICTURES_A_SECOND = 4


def show(analysis: Analysis, *, seconds: float | None = None) -> Report | None:
    """Draws board and moves of the analysis in place, at most four times a second, until it ends, `seconds` are
    over or the cell is interrupted; the analysis goes on. Returns the last report."""
    board = analysis.state.svg(280)
    begin = drawn = time.monotonic()
    report = None
    handle = display(HTML(""), display_id=True)
    for report in analysis:
        now = time.monotonic()
        if report.sequence == 1 or now - drawn >= 1 / _PICTURES_A_SECOND:
            handle.update(HTML(_picture(board, report)))
            drawn = now
        if seconds is not None and now - begin >= seconds:
            break
    if report is not None:
        handle.update(HTML(_picture(board, report)))
    return report


def _picture(board: str, report: Report) -> str:
    options = ", ".join(f"{name}={value}" for name, value in report.options.items())
    return (
        f'<div style="display:flex;gap:1em"><div>{board}</div><div>{report._repr_html_()}'
        f"<p>{html.escape(options)}</p></div></div>"
    )
