"""The figures of pages, in SVG whose bytes repeat."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from .effects import EFFECTS_TITLE, Effect, Effects
from .table import Table
from .times import FIGURE_TITLE, Times, measures_of
from .truth import ERRORS_TITLE, Errors
from .verdicts import MEAN_MARGIN, interval_of

# Okabe and Ito's, which the colour-blind can tell apart.
_COLOURS = ("#0072b2", "#c04e00", "#009e73", "#1c2127", "#cc79a7", "#e69f00", "#56b4e9")
_STYLE = {"svg.fonttype": "none", "svg.hashsalt": "pitboss", "font.size": 9, "lines.markersize": 4}


def _bars(axes: Any, number: int, name: str, x: Any, y: Any, **errors: Any) -> None:
    colour = _COLOURS[number % len(_COLOURS)]
    axes.errorbar(x, y, **errors, label=name, color=colour, marker="o")


def _svg(figure: Any, title: str) -> str:
    axes = figure.axes[0]
    axes.set_title(title)
    _grid(axes)
    _legend(axes)
    return _text(figure, title)


def _grid(axes: Any) -> None:
    axes.grid(color="#e3e7eb")
    axes.set_axisbelow(True)


def _legend(axes: Any) -> None:
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)


def _text(figure: Any, title: str) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Title": title}, bbox_inches="tight")
    return "".join(line.rstrip() + "\n" for line in file.getvalue().splitlines())


def table_figure(table: Table) -> str:
    """Each series' scores of distinct rounds, of matches that were played to the end, with their 95 % intervals."""
    series: dict[str, list[tuple[float, float, float, float]]] = {}
    for cell in table.cells:
        if cell.point and cell.record and cell.is_complete:
            low, high = interval_of(cell.rounds.distinct)
            score = float(cell.rounds.distinct.mean())
            name, x = cell.point
            series.setdefault(name, []).append(
                (x, 100 * score, 100 * (score - low), 100 * (high - score))
            )
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(8, 4.5))
        axes = figure.subplots()
        axes.axhline(50, color="#586069", linestyle="--", linewidth=1)
        every = [mark[0] for marks in series.values() for mark in marks]
        width = (max(every) - min(every)) or 1
        for number, (name, marks) in enumerate(series.items()):
            xs, scores, below, above = zip(*sorted(marks))
            shift = (number - (len(series) - 1) / 2) * 0.006 * width  # keeps the intervals apart
            _bars(axes, number, name, [x + shift for x in xs], scores, yerr=(below, above))
        are_whole = all(x.is_integer() for x in every)
        axes.xaxis.get_major_locator().set_params(integer=are_whole)
        axes.set_xlabel(table.published["x_axis"])
        axes.set_ylabel("score, %")
        return _svg(figure, table.published["title"])


def effects_figure(groups: Sequence[Effects]) -> str:
    """A forest plot of the means with their 95 % intervals: of all, and below it of its parts."""
    marks: list[tuple[str, list[tuple[int, Effect]]]] = [("all", []), ("measure", []), ("game", [])]
    labels = []
    for group in groups:
        labels += [group.question, f"{group.conditions}: all"]
        marks[0][1].append((len(labels) - 1, group.all))
        for (_, of), effects in zip(marks[1:], (group.by_measure, group.by_game)):
            for effect in effects:
                of.append((len(labels), effect))
                labels.append(effect.name)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(8, 1 + 0.18 * len(labels)))
        axes = figure.subplots()
        margin = 100 * MEAN_MARGIN
        axes.axvspan(-margin, margin, color="#e3e7eb", alpha=0.5)
        axes.axvline(0, color="#586069", linestyle="--", linewidth=1)
        for number, (name, of) in enumerate(marks):
            values = [100 * effect.difference.value for _, effect in of]
            ends = [effect.difference.interval for _, effect in of]
            below = [value - 100 * low for value, (low, _) in zip(values, ends)]
            above = [100 * high - value for value, (_, high) in zip(values, ends)]
            heights = [y for y, _ in of]
            _bars(axes, number, name, values, heights, xerr=(below, above), linestyle="none")
        axes.set_yticks(range(len(labels)), labels)
        axes.set_ylim(len(labels), -1)
        axes.set_xlabel("points above the control")
        return _svg(figure, EFFECTS_TITLE)


def times_figure(times: Times) -> str:
    """Ratios with their 95 % intervals: a row for each game, with static values and with networks, and a colour for
    each measure."""
    rows = [(game.game, game.ratios) for game in times.static_values]
    rows += [(f"{game.game}, network", game.ratios) for game in times.networks]
    measures = measures_of(times.static_values + times.networks)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(8, 1 + 0.5 * len(rows)))
        axes = figure.subplots()
        axes.axvline(1, color="#586069", linestyle="--", linewidth=1)
        for number, measure in enumerate(measures):
            marks = [(y, of[measure]) for y, (_, of) in enumerate(rows) if measure in of]
            place = (number + 1) / (len(measures) + 1) - 0.5
            intervals = [one.interval or (one.value, one.value) for _, one in marks]
            errors = zip(
                *((m.value - low, high - m.value) for (_, m), (low, high) in zip(marks, intervals))
            )
            ratios = [one.value for _, one in marks]
            heights = [y + place for y, _ in marks]
            _bars(axes, number, measure, ratios, heights, xerr=list(errors), linestyle="none")
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        axes.invert_yaxis()
        axes.set_xlabel("times as long")
        return _svg(figure, FIGURE_TITLE)


def errors_figure(errors: Sequence[Errors]) -> str:
    """The share of positions by simulations: a panel for each set, a line for each player."""
    sets = list(dict.fromkeys(one.set for one in errors))
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(10, 4))
        panels = figure.subplots(1, len(sets), sharey=True, squeeze=False)[0]
        for axes, name in zip(panels, sets):
            for number, player in enumerate(dict.fromkeys(one.player for one in errors)):
                marks = [one for one in errors if (one.set, one.player) == (name, player)]
                shares = [100 * one.count / len(one.steps) for one in marks]
                below = [share - 100 * one.interval[0] for share, one in zip(shares, marks)]
                above = [100 * one.interval[1] - share for share, one in zip(shares, marks)]
                budgets = [one.simulations for one in marks]
                _bars(axes, number, player, budgets, shares, yerr=(below, above))
            axes.set_title(name)
            axes.set_xscale("log")
            axes.set_xlabel("simulations")
            _grid(axes)
        panels[0].set_ylabel("positions, %")
        _legend(panels[-1])
        return _text(figure, ERRORS_TITLE)
