"""The pages of docs/results that are made from the files of data/results alone, in Markdown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..files import BadInput
from .effects import EFFECTS_NAME, EFFECTS_TITLE, Effects, effects_of
from .markdown import listed, made_by, markdown_table
from .record import Record, key_of, read_records
from .strength import strength_section
from .table import Cell, Comparison, Family, Table, mean_difference, read_toml
from .times import MEASURES, TIMES_NAME, Times
from .two_by_two import two_by_two_section
from .verdicts import MEAN_MARGIN, VERDICTS, Difference, Estimate, interval_of, wilson

_INTRO = """# The papers' tables and figures, and what was found here

Every published table and figure of the five papers, for readers who ask what holds. A page that `./dev results` makes follows from
the records in `data/results` alone; a page written by hand tells how it was measured.

"""
_RULES = """## Verdicts

| verdict | means |
|---|---|
| reproduced | the players have the paper's options, and our score is what the paper says |
| in agreement | our score is what the paper says, but the players have other options: the paper's are not known |
| contradicted | the players have the paper's options, and our score is not what the paper says |
| open | our score is not what the paper says, and the players have other options; or, of times, the paper has words alone |
| undecided | the interval of our score, or of its difference from the paper's, is too wide to tell |
| begun | not all games planned were played |
| not run | no game of it was played here, or nothing measured; with the time that it takes, from games that were timed |
| by hand | `./dev results` does not make the page, which says how it was measured and judged |

| the paper has | our score is what the paper says if the 95 % interval | and it is not if the interval |
|---|---|---|
| a number | of the difference holds 0, and two one-sided tests of 5 % show that it is less than 5 points | of the difference does not hold 0; of twenty numbers that are right, one is missed by chance |
| "better" | of our score lies above 50 % | holds 50 % and lies below 55 %, or lies below 50 % |
| "worse" | of our score lies below 50 % | holds 50 % and lies above 45 %, or lies above 50 % |
| "even" | of our score lies within 45 and 55 % | lies neither there nor holds 50 % |
| "not better" | of our score lies below 55 % | reaches 55 % and lies above 50 % |

All these intervals, and those of differences from controls, count each of our distinct rounds once: a round's games share an opening,
and a round that repeats another one shows nothing new. The paper's games count as independent, but where its players repeat games:
there its openings count. The intervals are by Student's t over rounds, those of differences with the degrees of freedom of Welch and
Satterthwaite, and as Agresti and Caffo (2000) have them: each side with one more round, or game of the paper's, that was won and one more
that was lost, so that a few games, or games that are all alike, are not taken for certain.

A player and its control play the same openings, and in a mean several matches do. Records with the order of their rounds (`in_order`) are
compared opening by opening. Older records have only how many rounds scored how much, from which no pair can be found again: their matches
count as independent, which makes an interval too wide as far as an opening that is good for one of two players is good for both.
In a mean of differences each comparison has the same weight, and matches that several comparisons have are counted as one.

A player with alpha = 0 has no novelty left, whatever its name: it is a control, and its comparisons with controls count as no player's.
The family of a comparison is fixed in the experiments' files, by their question, whatever has been played; Holm's procedure counts what was
not played, and what is not tested, with p = 1. A comparison that is not "better" or "worse" does not show that player and control are
alike: a mean is called within 2 points of 0 if two one-sided tests of 5 % show it. For [the 2x2 experiment](novelty-2x2.md) this margin was
fixed before its games, for older tables after them. Where rounds have every opening that there is, 49 in connect4, 12 in othello and 80 in
gomoku, and players repeat their games, a score of these openings is exact, and its interval speaks of others like them. Scores of all games have the papers'
intervals: Wilson with continuity correction, which takes games for independent.

"""
# Of tables of ten cells, one in twenty has an interval that misses.
_CONFIDENCE = 0.995


def hours_text(hours: float) -> str:
    minutes = 60 * hours
    if minutes < 1:
        return "less than a minute of a processor"
    if minutes < 1.5:
        return "about a minute of a processor"
    if minutes < 120:
        return f"about {minutes:.0f} minutes of a processor"
    return f"about {hours:.0f} hours of a processor"


def verdicts_text(table: Table) -> str:
    """ "Of 20 published figures 17 are reproduced, 2 contradicted, 1 begun." """
    verdicts = table.verdicts()
    total = verdicts.total()
    if total == 0:
        complete = sum(cell.is_complete for cell in table.cells)
        return f"No match has a published figure; {complete} of {len(table.cells)} were played to the end."
    numbers = sum(isinstance(cell.published, float) for cell in table.cells)
    kind = "figures" if numbers == total else "statements"
    kind = "figures and statements" if 0 < numbers < total else kind
    found = [(verdicts[one], one) for one in VERDICTS if verdicts[one]]
    verb = "is" if found[0][0] == 1 else "are"
    first, *rest = [f"{n} {one}" for n, one in found]
    out = f"Of {total} published {kind} {first.replace(' ', f' {verb} ', 1)}{''.join(', ' + one for one in rest)}."
    controls = sum(cell.published is not None and cell.lacks_novelty for cell in table.cells)
    if controls:
        out += f" In {controls} of these matches the player has alpha = 0 and is a control."
    return out


def findings(table: Table, families: Sequence[Family]) -> str:
    """The table's verdicts, and how its players stand beside their controls."""
    out = verdicts_text(table)
    for part in (family.part_of(table) for family in families):
        total = len(part.comparisons)
        if total and not part.played:
            out += f" None of {total} comparisons with controls was played."
        elif total:
            out += f" Of {total} comparisons with controls {len(part.played)} were played"
            if part.of_controls:
                out += f", {len(part.of_controls)} of them between controls"
            out += (
                f": in {len(part.higher)} the player scores higher, in {len(part.better)} it is better and in"
                f" {len(part.worse)} worse (Holm, 5 %)."
            )
    return out


def _link(name: str) -> str:
    return f"[{name}]({name}.md)"


def _played_text(family: Family) -> str:
    tables = [_link(name) for name in dict.fromkeys(one.table for one in family.comparisons)]
    names = listed(tables)
    out = f"{len(family.comparisons)} comparisons in {names}"
    too = ""
    if len(family.played) == len(family.comparisons):
        out += ", all played to the end."
    else:
        out += (
            f", of which {len(family.played)} were played to the end; the others count with p = 1."
        )
        too = ", too"
    if family.alike:
        out += f" {len(family.alike)} of those that were played count with p = 1{too}: the player's games are its control's."
    if family.of_controls:
        out += (
            f" {len(family.of_controls)} of those that were played count nowhere but with p = 1 in Holm's procedure: their"
            " player has alpha = 0, no novelty, and is a control itself."
        )
    if paired := sum(one.is_paired for one in family.played):
        out += f" {paired} are paired by opening."
    return out


def _highest_text(family: Family) -> str:
    """How much of a gain the intervals allow."""
    others = [
        (one.difference.interval[1], one) for one in family.counted if one.difference and one.tested
    ]
    if not others:
        return "No comparison was tested.\n"
    high, one = max(others, key=lambda other: other[0])
    out = (
        f"Of the {len(others)} comparisons that were tested, the interval that reaches highest allows"
        f" a gain of {100 * high:.1f} points ({one.cell.rules}, {one.cell.player} beside {one.beside}). Each"
        " interval is one of 95 % by itself, not for all together"
    )
    if unplayed := len(family.comparisons) - len(family.played):
        out += f"; of the {unplayed} that were not played nothing is known"
    return out + ".\n"


# --- a table's page ---

Options = dict[str, str]


def _options(match: dict[str, Any]) -> list[Options]:
    return [player["options"] for player in match["players"]]


def _code(options: Options) -> str:
    return (
        f"`{shlex.join(f'{name}={value}' for name, value in options.items())}`" if options else ""
    )


def _common(table: Table) -> Options:
    """The options that all players of the table have alike."""
    every = [options for cell in table.cells for options in _options(cell.match)]
    return {k: v for k, v in every[0].items() if all(other.get(k) == v for other in every)}


def _percent(score: float, interval: tuple[float, float]) -> str:
    return f"{100 * score:.1f} [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def _played_cells(cell: Cell) -> list[str]:
    """Games, distinct games, results, both scores, simulations a move."""
    record = cell.record
    if record is None:
        return [f"0 of {cell.games}", "", "", "", "", ""]
    line = record.line
    games = str(record.games) if cell.is_complete else f"{record.games} of {cell.games}"
    results = f"{line['wins']}-{line['draws']}-{line['losses']}"
    if line["failures"]:
        results += f" ({line['failures']} by a failure)"
    distinct = _percent(float(record.rounds.distinct.mean()), interval_of(record.rounds.distinct))
    return [
        games,
        str(line["distinct_games"]),
        results,
        _percent(record.score, wilson(record.score, record.games)),
        f"{distinct} of {len(record.rounds.distinct)}",
        ", ".join(map(str, line.get("simulations", []))),
    ]


def _label(cell: Cell) -> str:
    """The first player's name, with what it is where the name does not tell."""
    is_named = cell.player.startswith("control") or not cell.lacks_novelty
    return cell.player if is_named else f"{cell.player} (a control: alpha = 0)"


def _verdict_text(table: Table, cell: Cell) -> str:
    if cell.record is None:
        hours = table.hours(cell)
        return "not run" if hours is None else f"not run: {hours_text(hours)}"
    if cell.published is not None:
        return table.verdict(cell)
    return "control" if cell.is_control else ""


def _cells_table(table: Table) -> str:
    common = _common(table)
    heads = ["game", "player", "options", "against", "games", "distinct", "won-drawn-lost", "score"]
    heads += ["of distinct rounds", "simulations a move", "paper", "difference", "verdict"]
    rows = []
    for cell in table.cells:
        first, second = (
            _code({k: v for k, v in options.items() if k not in common})
            for options in _options(cell.match)
        )
        paper = cell.published
        rows.append(
            [cell.rules, _label(cell), first, f"{cell.opponent} {second}".strip()]
            + _played_cells(cell)
            + [f"{100 * paper:.1f}" if isinstance(paper, float) else paper or ""]
            + [str(table.to_paper(cell) or ""), _verdict_text(table, cell)]
        )
    absent = {"simulations a move"} if not table.is_timed else set()
    absent |= {"difference"} if not table.has_numbers else set()
    kept = [i for i, head in enumerate(heads) if head not in absent]
    return markdown_table([heads[i] for i in kept], [[row[i] for i in kept] for row in rows])


def _networks_text(table: Table) -> str:
    """The networks that were played with, by game."""
    networks: dict[str, set[str]] = {}
    for cell in table.cells:
        for sha256 in cell.record.line.get("networks", []) if cell.record else []:
            if sha256:
                networks.setdefault(cell.rules, set()).add(f"`{sha256[:12]}`")
    games = [f"{game} {', '.join(sorted(of))}" for game, of in sorted(networks.items())]
    return f" The networks' SHA-256 begin with: {'; '.join(games)}." if games else ""


def _p_text(p: float) -> str:
    return "< 0.0001" if p < 0.00005 else f"{p:.4f}"


def _comparison_row(one: Comparison) -> list[str]:
    row = [one.cell.rules, _label(one.cell), one.beside]
    if one.difference is None:
        is_begun = one.cell.record or (one.control and one.control.record)
        return row + ["", "", "", "begun" if is_begun else "not run"]
    if one.has_same_games:
        return row + ["the same games", "", "", ""]
    p = [_p_text(one.difference.p), _p_text(one.p)]
    if one.cell.lacks_novelty:
        return row + [str(one.difference), p[0], "", "controls"]
    return row + [str(one.difference), *p, one.standing]


def _less_text(family: Family) -> str:
    heads = sum(one.control is None for one in family.comparisons)
    kinds = ["that of the control against the same opponent"] * (heads < len(family.comparisons))
    return " or ".join(kinds + ["one half where player and control met head to head"] * (heads > 0))


def _controls_section(table: Table, family: Family) -> str:
    part = family.part_of(table)
    heads = ["game", "player", "control", "difference", "p", "p, Holm", ""]
    return (
        "\n## Players and their controls\n\n"
        f"Score of distinct rounds less {_less_text(part)},"
        f' in points; two-sided p, and by Holm for the whole family of "{family.question}": {_played_text(family)}\n\n'
        f"{markdown_table(heads, [_comparison_row(one) for one in part.comparisons])}\n{_highest_text(part)}"
    )


def _others_section(table: Table) -> str:
    if not table.others:
        return ""
    out = (
        "\n## Records of no match\n\nThe experiment has no match with the options of these records, which count"
        " nowhere:\n\n"
    )
    for record in table.others:
        players = [f"{one['name']} {_code(one['options'])}" for one in record.match["players"]]
        game = shlex.join(
            [record.match["game"]] + [f"{k}={v}" for k, v in record.match["parameters"].items()]
        )
        out += f"* {game}: {' against '.join(players)}, {record.games} games\n"
    return out


def has_figure(table: Table) -> bool:
    return any(cell.point and cell.is_complete for cell in table.cells)


def table_page(table: Table, families: Sequence[Family]) -> str:
    """Every cell beside the paper's figure, and every player beside its control. `families` are those of all tables."""
    told, first, common = table.published, table.cells[0].match, _common(table)
    sources = f"data/experiments/{table.name}.toml, data/results/{table.name}.jsonl and costs.json"
    out = made_by(sources) + f"# {told['title']}\n\n"
    if about := told.get("about"):
        out += about + "\n\n"
    out += (
        f"**{findings(table, families)}** [README.md](README.md) has the rules of the verdicts.\n"
    )
    out += "\n## Cells\n\nScores are those of the player in per cent, with 95 % intervals"
    if table.has_numbers:
        out += f"; the paper's numbers are from {told['games']} games each"
        repeated = [f"{n} in {game}" for game, n in told.get("openings", {}).items()]
        if repeated:
            out += (
                ", but its players repeat games, of which those of an opening count as one:"
                f" {listed(repeated)}"
            )
    out += ". A line's second score, on which its verdict rests, counts each round of games once, however often it was played."
    if table.is_timed:
        out += " Simulations a move are medians over the moves of all games, of the player and of its opponent."
    failures = sum(cell.record.line["failures"] for cell in table.cells if cell.record)
    out += (
        f" {failures} games were lost by a failure, and count."
        if failures
        else " No game was lost by a failure."
    )
    if not table.has_paper_options:
        out += " **The options are not those of the paper.**"
    out += f" Openings `{first['openings']}`, seed {first['seed']}"
    out += f"; all players have {_code(common)}" if common else ""
    out += f".{_networks_text(table)}\n\n{_cells_table(table)}"
    if has_figure(table):
        out += f"\n## Figure\n\n![{told['title']}, by {told['x_axis']}]({table.name}.svg)\n"
    for family in families:
        if family.question == table.question:
            out += _controls_section(table, family)
    out += _others_section(table)
    repeats = (
        "time bounds the searches, so the games do not repeat."
        if table.is_timed
        else "the games repeat with the seed."
    )
    out += (
        f"\n## Command\n\n```\n./dev results {table.name}\n```\n\nplays what is missing, and continues what was"
        f" interrupted; {repeats}"
    )
    if again := [cell for cell in table.cells if cell.can_repeat]:
        out += f" `./dev results repeat {table.name} --cell {again[0].name}` plays a recorded cell again."
    return out + (
        " A cell's line in the records has what the players' engines call themselves, the signature of the game's search"
        " in the program that made the record, and the SHA-256 of all moves and results.\n"
    )


# --- cells that were played again ---


def with_next_seed(match: dict[str, Any]) -> dict[str, Any]:
    """Other openings and other games."""
    return match | {"seed": match["seed"] + 1}


class Repeat:
    """A cell that was played again, with its seed and with the next one, as far as all its games were played."""

    def __init__(self, table: Table, cell: Cell, records: Sequence[Record]) -> None:
        def record_of(match: dict[str, Any]) -> Record | None:
            found = (one for one in records if key_of(one.match) == key_of(match))
            return next((one for one in found if one.games == cell.games), None)

        assert cell.record is not None
        self.table, self.cell, self.first = table, cell, cell.record
        self.again = record_of(cell.match)
        self.other = record_of(with_next_seed(cell.match))

    @property
    def has_same_games(self) -> bool:
        return self.again is not None and self.again.line["sha256"] == self.first.line["sha256"]

    @property
    def apart(self) -> Difference | None:
        if self.other is None:
            return None
        return Difference.between(
            Estimate.of(self.other.rounds.distinct), self.cell.estimate, _CONFIDENCE
        )

    @property
    def row(self) -> list[str]:
        first = self.first.line["sha256"][:12]
        sameness = "not played"
        if self.again:
            sameness = (
                f"the same: {first}"
                if self.has_same_games
                else f"**other games**: {self.again.line['sha256'][:12]}, not {first}"
            )
        row = [self.table.name, self.cell.rules, self.cell.player, sameness]
        row.append(f"{100 * self.cell.estimate.score:.1f}")
        if self.other is None or self.apart is None:
            return row + ["", "not played", ""]
        holds = "yes" if self.apart.holds_zero else "**no**"
        return row + [f"{100 * self.other.rounds.distinct.mean():.1f}", str(self.apart), holds]


def repeats_of(tables: Sequence[Table], records: Sequence[Record]) -> list[Repeat]:
    all = [Repeat(t, cell, records) for t in tables for cell in t.cells if cell.is_complete]
    return [one for one in all if one.again or one.other]


def repeats_table(repeats: Sequence[Repeat]) -> str:
    heads = ["table", "game", "player", "SHA-256 with the same seed", "score", "with the next seed"]
    return markdown_table(heads + ["difference", "holds 0"], [one.row for one in repeats])


def repeats_section(repeats: Sequence[Repeat]) -> str:
    if not repeats:
        return ""
    same = sum(one.has_same_games for one in repeats)
    within = sum(one.apart is not None and one.apart.holds_zero for one in repeats)
    return (
        "## Cells played again\n\nCells drawn at random and played once more, all their games, by `./dev results repeat`:"
        " with their seed, which must give the same moves and results, and with the next seed, which gives other openings"
        " and other games. Scores are of distinct rounds; the interval of their difference, which should hold 0, is one of"
        " 99.5 %: of ten such intervals one or more miss what is true once in twenty times."
        f" Of {len(repeats)} cells {same} gave the same games, and the interval of {within} holds 0.\n\n"
        f"{repeats_table(repeats)}\n"
    )


# --- the overview ---


def _count_text(one: Effects) -> str:
    """ "7 of 11" comparisons, or "20", which are all."""
    played = one.all.comparisons
    return f"{played} of {played + one.unplayed}" if one.unplayed else str(played)


def _effects_section(groups: Sequence[Effects]) -> str:
    """The headline: what players with novelty gain beyond controls."""
    if not groups:
        return ""
    intervals = [one.all.difference.interval for one in groups]
    above = sum(low > 0 for low, _ in intervals)
    below = sum(high < 0 for _, high in intervals)
    within = sum(one.all.difference.is_within(MEAN_MARGIN) for one in groups)
    measures = list(dict.fromkeys(part.name for one in groups for part in one.by_measure))
    measures.sort(key=lambda name: MEASURES.index(name) if name in MEASURES else -1)
    games = list(dict.fromkeys(part.name for one in groups for part in one.by_game))
    rows = []
    for one in groups:
        told = {part.name: str(part.difference) for part in one.by_measure + one.by_game}
        anchor = re.sub(r"[^a-z0-9_ -]", "", one.question.lower()).replace(" ", "-")
        is_within = "yes" if one.all.difference.is_within(MEAN_MARGIN) else "not shown"
        rows.append(
            [f"[{one.question}](#{anchor})", one.conditions, _count_text(one)]
            + [f"**{one.all.difference}**", _p_text(one.all.difference.p), is_within]
            + [told.get(name, "") for name in measures + games]
        )
    heads = [
        "question",
        "players",
        "comparisons",
        "mean",
        "p",
        f"within {100 * MEAN_MARGIN:.0f} points",
    ]
    return (
        f"## {EFFECTS_TITLE}\n\n**Of {len(groups)} means {above} have an interval above 0 and {below} one below it; {within} are"
        " shown to be within 2 points of 0.** A mean is that of the differences, in points, of players with novelty from their"
        " controls, each comparison with the same weight, with its 95 % interval: of all, then by measure and by game. Where not"
        " all comparisons were played, their number says of how many, and the mean is of those that were first. Each"
        " interval is one by itself, and each two-sided p, not for all together; it is about these games and values, and another choice of games"
        " could give another mean, and where measures or games differ, a mean does not tell of one of them.\n\n"
        f"{markdown_table(heads + measures + games, rows)}\n![{EFFECTS_TITLE}]({EFFECTS_NAME}.svg)\n\n"
    )


def _difference_text(one: Comparison) -> str:
    if one.has_same_games:
        return "the same games"
    told = f"({one.difference})" if one.cell.lacks_novelty else str(one.difference)
    return told + (f" **{one.standing}**" if one.standing else "")


def _mean_cell(comparisons: list[Comparison]) -> str:
    """Of players with novelty."""
    of = [one for one in comparisons if not one.cell.lacks_novelty]
    if not of:
        return ""
    return str(mean_difference(of)) if any(one.tested for one in of) else "the same games"


def _differences_table(family: Family) -> str:
    """A row for each player and control, a column for each game, and the means of both."""
    heads = ["table", "player"]
    if has_several := family.has_several_controls:
        heads.append("control")
    rows: dict[tuple[str, ...], list[Comparison]] = {}
    for one in family.played:
        row = (_link(one.table), one.cell.player) + ((one.beside,) if has_several else ())
        rows.setdefault(row, []).append(one)
    games = list(dict.fromkeys(one.cell.rules for one in family.played))

    lines = []
    for row, of in rows.items():
        texts = {one.cell.rules: _difference_text(one) for one in of}
        mean = _mean_cell(of) if len(of) > 1 else ""
        lines.append([*row, *(texts.get(game, "") for game in games), mean])
    by_game = [[one for one in family.played if one.cell.rules == game] for game in games]
    means = [_mean_cell(of) for of in [*by_game, family.played]]
    lines.append(["mean", *[""] * (len(heads) - 1), *means])
    if not rows:
        return ""
    note = " In brackets: controls beside controls, which no mean counts." * bool(
        family.of_controls
    )
    return f"{note}\n\n{markdown_table([*heads, *games, 'mean'], lines)}"


def _mean_text(family: Family) -> str:
    """The effect over all comparisons that were played."""
    mean = mean_difference(family.counted)
    if mean is None:
        return ""
    is_shown = "is" if mean.is_within(MEAN_MARGIN) else "is not shown to be"
    return (
        f"**The mean difference is {mean} points**; it {is_shown} within {100 * MEAN_MARGIN:.0f} points of 0 (two"
        " one-sided tests, 5 %). "
    )


def _family_text(family: Family) -> str:
    if not family.played:
        return f"## {family.question}\n\n**Nothing is known yet.** {_played_text(family)}\n\n"
    out = (
        f"## {family.question}\n\n**In {len(family.better)} of {len(family.counted)} comparisons that were played to the end"
        f"{' with a player that has novelty' if family.of_controls else ''} the player is better than its control, and in {len(family.worse)} worse** (Holm over the whole family, 5 %); in"
        f" {len(family.higher)} it scores higher. "
    )
    if family.has_several_controls:
        best = sum(all(one.standing == "better" for one in of) for of in family.by_player)
        out += (
            f"{best} of the players are better than all their controls. "
            if best
            else "No player is better than all its controls. "
        )
    out += _mean_text(family)
    out += f"Players beside controls: {_played_text(family)} {_highest_text(family).strip()}"
    return out + _differences_table(family) + "\n"


class _Overview:
    """docs/results/README.md: every published table and figure, with its verdict, its page or its cost."""

    def __init__(self, root: Path, tables: Sequence[Table], families: Sequence[Family]) -> None:
        self.root = root
        self.path = root / "data/results/papers.toml"
        self.tables = {table.name: table for table in tables}
        self.families = families

    def table(self, name: str) -> Table:
        if name not in self.tables:
            raise BadInput(f"{self.path}: there is no table {name}")
        return self.tables[name]

    def found_in(self, table: Table) -> str:
        """What was found in a table, and what the rest of it costs."""
        out = verdicts_text(table)
        left = [table.hours_left(cell) for cell in table.cells]
        hours = sum(one or 0 for one in left)
        if None in left:
            more = f" takes {hours_text(hours)}, and more that" if hours else ""
            return f"{out} What is left{more} was not timed."
        return f"{out} What is left takes {hours_text(hours)}." if hours else out

    def cost_like(self, names: str | list[str], times: float) -> str:
        """The time for so many times all games of these tables; nothing if not all were timed."""
        tables = [self.table(name) for name in ([names] if isinstance(names, str) else names)]
        hours = [table.hours(cell) for table in tables for cell in table.cells]
        return "" if None in hours else f": {hours_text(times * sum(one or 0 for one in hours))}"

    def row(self, item: dict[str, Any], times: Times | None) -> list[str]:
        found, page = "not run", ""
        if "table" in item:
            found, page = self.found_in(self.table(item["table"])), item["table"]
        elif "slowdown_by" in item:
            if item["slowdown_by"] != "novelty":
                raise BadInput(f"{self.path}: slowdown_by: expected novelty")
            found, page = f"open: {times.findings}" if times else found, TIMES_NAME
        elif "page" in item:
            found, page = f"by hand: {item['found']}", item["page"]
            if not (self.root / "docs/results" / f"{page}.md").exists():
                raise BadInput(f"{self.path}: there is no page {page}")
        elif "like" in item:
            found += self.cost_like(item["like"], item.get("times", 1))
        if "why" in item:
            found = f"{found.removesuffix('.')}; {item['why']}"
        return [item["name"], found, page and _link(page)]

    def findings(self, text: str) -> str:
        """The text of the list, in which the name of a table in braces stands for what was found in it."""
        text = re.sub(
            r"\{([^{}]*)\}", lambda name: findings(self.table(name[1]), self.families), text
        )
        if "{" in text:
            raise BadInput(f"{self.path}: findings: a brace is not closed")
        return text


def overview_page(
    root: Path, tables: Sequence[Table], families: Sequence[Family], times: Times | None
) -> str:
    overview = _Overview(root, tables, families)
    out = made_by("data/results/papers.toml, and the records and costs beside it") + _INTRO
    out += _effects_section(effects_of(families)) + _RULES
    try:
        for paper in read_toml(overview.path)["paper"]:
            out += f"## {paper['title']}\n\n{paper['source']}\n\n"
            if "findings" in paper:
                out += overview.findings(paper["findings"]) + "\n\n"
            rows = [overview.row(item, times) for item in paper["item"]]
            out += markdown_table(["published", "here", "page"], rows) + "\n"
    except (LookupError, TypeError) as error:
        raise BadInput(f"{overview.path}: {error!r}") from error
    out += two_by_two_section(tables, families)
    out += strength_section(tables, families)
    out += "".join(map(_family_text, families))
    return out + repeats_section(
        repeats_of(tables, read_records(root / "data/results/repeats.jsonl"))
    )
