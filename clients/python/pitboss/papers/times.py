"""What novelty costs: the part of a record of `pitboss bench --json` that is about it, and its page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..files import BadInput
from .markdown import made_by, markdown_table

TIMES_NAME = "novelty-times"
FIGURE_TITLE = "Time of a search over that without novelty"
MEASURES = ("pseudocount", "pseudocount-features", "evaluation", "threshold")
_LEAST_ROUNDS = 6  # with fewer a ratio has no interval
_NEGLIGIBLE = 1.05  # a search that takes less than so many times as long is negligibly slower

_ABOUT = """# Novelty in Monte Carlo Tree Search: the time that the measures cost

Figures 5 and 6 of the paper show what the novelty measures cost; their bars are lost. Its text has 45,000 to 75,000 simulations a second
without novelty and a significant slowdown with hand-coded evaluations, 1,000 to 1,500 and an almost negligible one with networks. Here a
ratio is the time of a search with a measure over that of the same search without novelty, from the initial position by one thread.

"""
_READING = """The searches take turns, and a ratio is the median over the rounds of the ratio within a round. Its interval of 95 % goes from one
round's ratio to another's and rests on no distribution, only on rounds that do not depend on each other; with fewer than six rounds there
is none. It tells how well these rounds set the median, not how other machines or builds differ. The paper's names: `pseudocount` is N_C raw,
`pseudocount-features` N_C eval, `evaluation` N_E, `threshold` N_T ([novelty.md](../novelty.md)).
"""


@dataclass(frozen=True)
class Ratio:
    """How many times as long a search with a measure takes as the same one without novelty."""

    value: float
    interval: tuple[float, float] | None

    def __str__(self) -> str:
        low, high = self.interval or (0, 0)
        return f"{self.value:.3f}" + (f" [{low:.3f}, {high:.3f}]" if self.interval else "")


@dataclass(frozen=True)
class GameTimes:
    game: str
    simulations: int  # of each search
    simulations_per_second: float  # without novelty
    rounds: int
    ratios: dict[str, Ratio]  # by measure


@dataclass(frozen=True)
class Times:
    command: str
    signature: str
    static_values: list[GameTimes]
    networks: list[GameTimes]  # may be empty

    @property
    def findings(self) -> str:
        out = f"a measure makes a search {_range(self.static_values)} with static values"
        if not self.networks:
            return out
        all = [ratio for game in self.networks for ratio in game.ratios.values()]
        below = sum(one.interval is not None and one.interval[1] < _NEGLIGIBLE for one in all)
        negligible = (
            f"every interval lies below {_NEGLIGIBLE}, which is called negligible here; the paper says almost negligible"
            if below == len(all)
            else f"of {len(all)} ratios {below} have an interval below {_NEGLIGIBLE}: that all are negligible, as the paper"
            " says, is not shown"
        )
        return f"{out}, and {_range(self.networks)} with networks, where {negligible}"


def _range(games: list[GameTimes]) -> str:
    ratios = [ratio.value for game in games for ratio in game.ratios.values()]
    plural = "game" if len(games) == 1 else "games"
    return f"{min(ratios):.2f} to {max(ratios):.2f} times as long in {len(games)} {plural}"


def read_times(path: Path) -> Times | None:
    """None without a file. Raises BadInput, which names the file, for one that is not sound."""
    if not path.exists():
        return None
    try:
        record = json.loads(path.read_text())
        plain = {
            "evaluation": "static",
            "estimators": "none",
            "bonus": "none",
            "solver": False,
            "mast": 0,
            "threads": 1,
        }
        rows = [row for row in record["rows"] if all(row[k] == v for k, v in plain.items())]
        _expect(bool(rows), "it has no search with static values")
        networks = [
            search | {"game": network["game"]}
            for network in record.get("networks", [])
            for search in network["searches"]
            if not search["cache"]
        ]
        command, signature = record["command"], record["signature"]
        _expect(
            isinstance(command, str) and isinstance(signature, str),
            "command or signature is no text",
        )
        return Times(command, signature, list(_games_of(rows)), list(_games_of(networks)))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise BadInput(f"{path}: not the times of searches: {error}") from error


def _games_of(searches: Iterable[dict[str, Any]]) -> Iterator[GameTimes]:
    """The search without novelty with those that are compared with it; a record has plain searches of other lengths."""
    by_game: dict[str, list[dict[str, Any]]] = {}
    for search in searches:
        by_game.setdefault(search["game"], []).append(search)
    for game, of in by_game.items():
        novel = [search for search in of if search["novelty"] != "none"]
        _expect(bool(novel), f"{game} has no search with novelty")
        length = novel[0]["simulations"]
        plain = [one for one in of if one["novelty"] == "none" and one["simulations"] == length]
        _expect(bool(plain), f"{game} has no search without novelty")
        first = plain[0]
        _expect(first["simulations_per_second"] > 0, "a search has no simulations")
        ratios = {one["novelty"]: _ratio(one) for one in novel}
        for one in novel:
            is_alike = one["simulations"] == length and one["rounds"] == first["rounds"]
            _expect(is_alike, f"the searches of {game} have other simulations or rounds")
            _expect(one["novelty"] in MEASURES, f"there is no novelty '{one['novelty']}'")
        _expect(len(ratios) == len(novel), f"{game} has a measure twice")
        yield GameTimes(game, length, first["simulations_per_second"], first["rounds"], ratios)


def _ratio(search: dict[str, Any]) -> Ratio:
    value, interval = search["overhead"], search["overhead_interval"]
    _expect(value > 0 < search["rounds"], "an overhead is not above 0, or rounds are fewer than 1")
    _expect(
        (interval is None) == (search["rounds"] < _LEAST_ROUNDS),
        "an interval is there with too few rounds, or missing with enough",
    )
    if interval is None:
        return Ratio(value, None)
    low, high = interval
    _expect(0 < low <= value <= high, "an overhead is not in its interval")
    return Ratio(value, (low, high))


def _expect(holds: bool, sentence: str) -> None:
    if not holds:
        raise ValueError(sentence)


def measures_of(games: Iterable[GameTimes]) -> list[str]:
    """Those that at least one of the games has."""
    known = {measure for game in games for measure in game.ratios}
    return [measure for measure in MEASURES if measure in known]


def _table(games: list[GameTimes]) -> str:
    measures = measures_of(games)
    heads = ["game", "simulations", "simulations/s without novelty", "rounds"]
    rows = [
        [game.game, str(game.simulations), f"{game.simulations_per_second:.0f}", str(game.rounds)]
        + [str(game.ratios.get(measure, "-")) for measure in measures]
        for game in games
    ]
    return markdown_table(heads + [f"`{measure}`" for measure in measures], rows)


def times_page(times: Times | None) -> str:
    out = made_by("data/results/times.json") + _ABOUT
    if times is None:
        return out + (
            "**Not measured.** On a machine where nothing else runs\n\n```\n./dev results time --networks\n```\n\nmeasures"
            " them in some minutes and writes this page.\n"
        )
    out += f"**A{times.findings[1:]}.**\n\n{_READING}"
    out += f"\n## Hand-coded evaluations\n\nLeaves have static values.\n\n{_table(times.static_values)}"
    if times.networks:
        out += (
            "\n## Networks\n\nNetworks of the paper's shape with random weights, searches by PUCT that evaluate each position"
            " anew. A trained network may be faster, as more of what it computes is zero.\n\n"
            f"{_table(times.networks)}"
        )
    return out + (
        f"\n## Figure\n\n![{FIGURE_TITLE}]({TIMES_NAME}.svg)\n\n## Command\n\n`./dev results time` measures anew:"
        " `--networks` networks, too, `--seconds S` more rounds. On the machine, which the record does not name, these"
        f" ratios depend, too. The record is what\n\n```\n{times.command}\n```\n\nprints, with the searches'"
        f" [signature](../development.md#the-bench) `{times.signature}`.\n"
    )
