"""The papers' tables: verdicts, records, pages, and how they are played."""

import copy
import hashlib
import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pitboss.files import BadInput
from pitboss.toml import toml_lines
from pitboss.papers import __main__ as command
from pitboss.papers.effects import effects_of
from pitboss.papers.figures import effects_figure, errors_figure, table_figure, times_figure
from pitboss.papers.page import (
    has_figure,
    hours_text,
    overview_page,
    repeats_of,
    repeats_section,
    table_page,
    with_next_seed,
)
from pitboss.papers import play
from pitboss.papers.play import (
    TIMED_GAMES,
    Player,
    alone,
    cells_named,
    draw_cells,
    experiment_of,
)
from pitboss.papers.power import (
    correlation_for,
    correlation_interval,
    correlation_power,
    correlation_text,
    means_text,
    networks_for,
    simulated_mean,
    spreads_of,
)
from pitboss.papers.record import Record, key_of, read_records, record_of, write_records
from pitboss.papers import strength
from pitboss.papers.strength import rank_correlation, slope, strength_section
from pitboss.papers.student import student_quantile, student_within
from pitboss.papers.table import (
    Family,
    Table,
    families_of,
    mean_difference,
    plan_of,
    read_table,
    table_names,
)
from pitboss.papers.times import MEASURES, read_times, times_page
from pitboss.papers import two_by_two
from pitboss.papers.two_by_two import Decided, Mean, decided, decision, two_by_two_section
from pitboss.papers.truth import (
    ERRORS_NAME,
    PLAYERS,
    POSITIONS_NAME,
    Errors,
    Position,
    end_games,
    read_errors,
    read_positions,
    truth_page,
)
from pitboss.papers.verdicts import (
    Difference,
    Estimate,
    Rounds,
    holm,
    interval_of,
    verdict,
    wilson,
)

REPOSITORY = Path(__file__).resolve().parents[3]

PATIENCE = 120

# --- verdicts ---


def scores(*counts: tuple[float, int]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.repeat([float(score) for score, _ in counts], [n for _, n in counts])


def test_the_difference_of_two_proportions() -> None:
    # 1194 and 1143 wins of 2000: with (1194 + 1) / 2002 and (1143 + 1) / 2002 for p1 and p2,
    # p1 - p2 +- 1.96 sqrt(p1 q1 / 2002 + p2 q2 / 2002), as of so many degrees of freedom t is like z
    one, other = Estimate.of(scores((1, 1194), (0, 806))), Estimate.published(0.5715, 2000)
    assert one.score == pytest.approx(0.597)
    assert one.mean == pytest.approx(1195 / 2002)
    assert one.variance == pytest.approx(1195 / 2002 * 807 / 2002 / 2002)
    assert other.variance == pytest.approx(1144 / 2002 * 858 / 2002 / 2002)
    found = Difference.between(one, other)
    assert found.value == pytest.approx(0.0255)
    assert found.interval == pytest.approx((-0.00504, 0.05599), abs=5e-5)
    assert found.p == pytest.approx(0.1018, abs=2e-4)  # z = 1.636
    assert Difference.between(other, one).p == pytest.approx(found.p)


def test_few_games_are_not_certain_however_alike_they_are() -> None:
    # 4 of 4 and 0 of 4: 5/6 and 1/6, 2/3 +- 2.44691 sqrt(2 * 5/36 / 6), the t of 3 + 3 degrees of freedom
    found = Difference.between(Estimate.of(scores((1, 4))), Estimate.published(0, 4))
    assert found.value == 1
    assert found.interval == pytest.approx((0.1402, 1.1932), abs=1e-4)
    # Of 6 degrees the two-sided p is 1 - s (1 + c^2 / 2 + 3 c^4 / 8), with s and c of atan(t / sqrt(6)); t = 3.098
    assert found.p == pytest.approx(0.02116, abs=1e-5)
    # One round of two wins beside a paper's 2000 games at 60 % shows nothing.
    found = Difference.between(Estimate.of(scores((1, 1))), Estimate.published(0.6, 2000))
    assert found.holds_zero


def test_draws_and_games_that_share_an_opening_count_by_their_rounds() -> None:
    # Each round scores half, but for the two rounds more: 0 and 1.
    assert Estimate.of(scores((0.5, 100))).variance == pytest.approx(2 * 0.25 / 102 / 102)


def test_intervals() -> None:
    # The referee prints the same of 6 of 20.
    assert wilson(0.3, 20) == pytest.approx((0.1284, 0.5433), abs=1e-4)
    three = 0.299573  # -ln 0.05 / 10
    assert wilson(0, 10) == pytest.approx((0, three), abs=1e-6)
    assert wilson(1, 10) == pytest.approx((1 - three, 1), abs=1e-6)
    # 0.3 +- 2.26216 sqrt(0.06 / 9), the t of 9 degrees of freedom
    assert interval_of(scores((0, 4), (0.5, 6))) == pytest.approx((0.1153, 0.4847), abs=1e-4)
    assert interval_of(scores((1, 10))) == pytest.approx((1 - three, 1), abs=1e-6)


def test_students_t() -> None:
    # Of 1, 2 and 4 degrees of freedom by their closed forms: 2 atan(t) / pi, t / sqrt(2 + t^2), and for 4 with s and c of
    # atan(t / 2) s (1 + c^2 / 2).
    for t in (0.1, 1, 2.5, 40):
        assert student_within(t, 1) == pytest.approx(2 * math.atan(t) / math.pi, abs=1e-12)
        assert student_within(t, 2) == pytest.approx(t / math.sqrt(2 + t * t), abs=1e-12)
        s, c = math.sin(math.atan(t / 2)), math.cos(math.atan(t / 2))
        assert student_within(t, 4) == pytest.approx(s * (1 + c * c / 2), abs=1e-12)
    # From the tables in textbooks.
    for confidence, freedom, t in (
        (0.95, 1, 12.7062),
        (0.95, 5, 2.5706),
        (0.95, 11, 2.2010),
        (0.90, 10, 1.8125),
        (0.99, 29, 2.7564),
        (0.95, 120, 1.9799),
        (0.95, 1000, 1.9623),
        (0.95, math.inf, 1.9600),
    ):
        assert student_quantile(confidence, freedom) == pytest.approx(t, abs=5e-5)
    for t in (0.5, 2, 6):
        assert student_within(t, 9e5) == pytest.approx(student_within(t, math.inf), abs=1e-6)


def test_two_samples_of_unlike_spread() -> None:
    # Welch 1947: with variances of the means of 0.02 and 0.05, and 9 and 4 degrees of freedom, t has
    # 0.07^2 / (0.02^2 / 9 + 0.05^2 / 4) = 7.32 degrees.
    found = Difference.between(Estimate(0.6, 0.6, 0.02, 9), Estimate(0.5, 0.5, 0.05, 4))
    assert found.freedom == pytest.approx(7.3195, abs=1e-4)
    assert found.error == pytest.approx(math.sqrt(0.07))


def rounds(in_order: list[float], repeats: list[int] = [], openings: str = "o") -> Rounds:
    order, which = np.array(in_order), np.isin(np.arange(len(in_order)), repeats)
    return Rounds(order[~which], order, which, openings)


def test_rounds_with_the_same_openings_pair() -> None:
    # The differences are 0.5, 0, 0.5, 0, and one more of 1 and one of -1: mean 1/6 and variance 1/6 x 2.5 - 1/36.
    one, other = rounds([1, 0.5, 0.5, 0]), rounds([0.5, 0.5, 0, 0])
    found = Difference.of_matches([(1, one), (-1, other)])
    assert found.value == pytest.approx(0.25)
    assert found.middle == pytest.approx(1 / 6)
    assert found.error == pytest.approx(math.sqrt((2.5 / 6 - 1 / 36) / 6))
    assert found.freedom == pytest.approx(3)
    # Of other openings, or in no known order, they are independent: 0.25 and 0.5 of 4 and two more.
    for apart in (rounds([0.5, 0.5, 0, 0], openings="p"), Rounds(other.distinct)):
        found = Difference.of_matches([(1, one), (-1, apart)])
        assert found == Difference.between(Estimate.of(one.distinct), Estimate.of(apart.distinct))
    # What only one of the two repeats is new; what both repeat is not.
    one, other = rounds([1, 0, 1, 0], [2, 3]), rounds([0.5, 0.5, 0, 0.5], [3])
    assert Difference.of_matches([(1, one), (-1, other)]).value == pytest.approx(1 / 3)


def test_pairs_are_as_sharp_as_their_openings_are_unlike() -> None:
    # An opening's worth of variance 0.04 is in both scores, and of 0.01 in each alone: differences have 0.02, not 0.1.
    random = np.random.default_rng(1)
    worth = random.normal(0.5, 0.2, 4000)
    one, other = (list(worth + random.normal(0, 0.1, 4000)) for _ in range(2))
    paired = Difference.of_matches([(1, rounds(one)), (-1, rounds(other))])
    apart = Difference.of_matches([(1, rounds(one)), (-1, rounds(other, openings="p"))])
    assert paired.error == pytest.approx(math.sqrt(0.02 / 4000), rel=0.05)
    assert apart.error == pytest.approx(math.sqrt(0.1 / 4000), rel=0.05)
    assert paired.value == pytest.approx(apart.value)


def test_intervals_of_few_rounds_hold_what_is_true() -> None:
    # 12 rounds of two games, as othello's networks have: of 2,000 intervals 95 % and more hold the true difference, 0.1.
    random, held = np.random.default_rng(2), 0
    for _ in range(2000):
        one, other = random.binomial(2, 0.6, 12) / 2, random.binomial(2, 0.5, 12) / 2
        low, high = Difference.between(Estimate.of(one), Estimate.of(other)).interval
        held += low <= 0.1 <= high
    assert 0.945 <= held / 2000 <= 0.985


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1, 1]


def test_a_difference_is_none_where_both_one_sided_tests_say_so() -> None:
    # 0.005 + 1.645 x 0.009 = 0.0198
    assert Difference(0.005, 0.005, 0.009).is_within(0.02)
    assert Difference(-0.005, -0.005, 0.009).is_within(0.02)
    assert not Difference(0.006, 0.006, 0.009).is_within(0.02)
    assert not Difference(0, 0, 0.02).is_within(0.02)
    same = Difference(0, 0, 0)
    assert same.is_within(0.02) and same.p == 1 and same.interval == (0, 0)


def test_verdicts_on_numbers() -> None:
    holds_zero, wide = Difference(0.01, 0.01, 0.01), Difference(0.01, 0.01, 0.036)
    above, below = Difference(0.02, 0.02, 0.01), Difference(-0.02, -0.02, 0.01)
    # [-0.005, 0.055] holds 0 and is short, but 0.025 + 1.645 x 0.0153 = 0.0502 is not less than 0.05.
    assert verdict(0.5, Difference(0.025, 0.025, 0.0153), True) == "undecided"
    assert verdict(0.5, Difference(0.025, 0.025, 0.0151), True) == "reproduced"
    assert verdict(0.5, holds_zero, True) == "reproduced"
    assert verdict(0.5, holds_zero, False) == "in agreement"
    assert verdict(0.5, wide, True) == "undecided"
    assert verdict(0.5, above, True) == verdict(0.5, below, True) == "contradicted"
    assert verdict(0.5, above, False) == "open"


def test_verdicts_on_words() -> None:
    intervals = {
        "above": (0.56, 0.6),
        "little above": (0.501, 0.549),
        "around": (0.451, 0.549),
        "wide": (0.44, 0.56),
        "little below": (0.451, 0.499),
        "below": (0.4, 0.44),
    }
    for word, yes, no in (
        ("better", ["above", "little above"], ["around", "little below", "below"]),
        ("worse", ["little below", "below"], ["around", "above", "little above"]),
        ("even", ["little above", "around", "little below"], ["above", "below"]),
        ("not better", ["little above", "around", "little below", "below"], ["above"]),
    ):
        for name, interval in intervals.items():
            told = "reproduced" if name in yes else "contradicted" if name in no else "undecided"
            assert verdict(word, interval, True) == told, (word, name)
    assert verdict("better", intervals["below"], False) == "open"
    assert verdict("better", intervals["above"], False) == "in agreement"


# --- what can be shown ---


def test_a_correlation_and_the_networks_that_show_it() -> None:
    # Fisher's z of .5 over 12: ln(3) / 2 +- 1.96 / 3 is -0.1040 to 1.2026, and tanh(z) is 1 - 2 / (exp(2 z) + 1).
    assert correlation_interval(0.5, 12) == pytest.approx((-0.1036, 0.8345), abs=1e-4)
    # Cohen's tables (1988) have 28 for a true r of .5 and 85 for .3; by Fisher's z the first is (2.802 / 0.5493)^2 + 3.
    assert networks_for(0.5, 0.8) == 30 and networks_for(0.3, 0.8) == 85
    assert correlation_power(0, 22) == pytest.approx(0.05)
    assert correlation_power(correlation_for(22, 0.8), 22) == pytest.approx(0.8)
    # The papers' r, simulated with pairs of normal numbers and the exact test: t of 20 degrees of freedom is 2.08596.
    random = np.random.default_rng(3)
    x, own = random.normal(size=(2, 20000, 22))
    y = 0.35 * x + math.sqrt(1 - 0.35**2) * own
    x, y = (one - one.mean(axis=1, keepdims=True) for one in (x, y))
    r = (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    shown = np.abs(r) * np.sqrt(20 / (1 - r * r)) > 2.08596
    assert correlation_power(0.35, 22) == pytest.approx(shown.mean(), abs=0.015)
    claims = (REPOSITORY / "docs/results/claims.md").read_text()
    assert f"| {correlation_text()} (`./dev results power`)" in claims


def test_the_verdicts_on_claims_are_counted_where_they_are_told() -> None:
    lines = (REPOSITORY / "docs/results/claims.md").read_text().splitlines()
    verdicts = {
        int(line[3:].split(" ")[0]): line.rstrip(" |").rsplit("| ", 1)[1]
        for line in lines
        if line.startswith("| C")
    }
    assert list(verdicts) == list(range(1, 81))
    papers = tomllib.loads((REPOSITORY / "data/results/papers.toml").read_text())["paper"]
    items = [item for paper in papers for item in paper["item"] if item.get("page") == "claims"]
    told = Counter[str]()
    for item in items:
        first, last = (int(number) for number in re.findall(r"C(\d+)", item["name"]))
        found = re.findall(
            r"(\d+) (?:are |is )?(?:confirmed )?(in part|\w+(?: \w+)?)", item["found"]
        )
        of = Counter(verdicts[number] for number in range(first, last + 1))
        assert {verdict: int(n) for n, verdict in found} == of, item
        told += of
    assert told.total() == 80


def test_simulated_means_have_the_spread_of_the_rounds_and_the_likeness_of_the_openings() -> None:
    # Scores of 0 and 1 have the variance 1/4: 8 matches of 2,000 rounds, two games of four measures.
    spreads, random = [scores((0, 1), (1, 1))] * 2, np.random.default_rng(4)
    apart = [simulated_mean(random, spreads, 0, 0) for _ in range(200)]
    assert np.mean([one.error for one in apart]) == pytest.approx(0.5 / math.sqrt(16000), rel=0.02)
    assert np.std([one.value for one in apart]) == pytest.approx(0.5 / math.sqrt(16000), rel=0.15)
    # All four alike: of 4,000 rounds.
    alike = [simulated_mean(random, spreads, 1, 0.01) for _ in range(200)]
    assert np.mean([one.error for one in alike]) == pytest.approx(0.5 / math.sqrt(4000), rel=0.03)
    assert np.mean([one.value for one in alike]) == pytest.approx(0.01, abs=0.002)


def test_the_pooled_interval_of_the_2x2_experiment_reaches_half_a_point() -> None:
    spreads, random = spreads_of(REPOSITORY), np.random.default_rng(5)
    assert len(spreads) == 5 and all(one.mean() == pytest.approx(0.5) for one in spreads)
    assert means_text(REPOSITORY) in (REPOSITORY / "docs/results/novelty-2x2.md").read_text()
    for likeness in (0, 0.4):
        low, high = simulated_mean(random, spreads, likeness, 0).interval
        assert high - low < 2 * 0.005


@pytest.mark.parametrize("budget", [1000, 5000])
def test_the_2x2_experiment_is_as_its_page_has_it(budget: int) -> None:
    name = f"novelty-2x2-{budget}"
    folder = REPOSITORY / "data/experiments"
    candidates: dict[str, set[int]] = {}
    for part in ("plain-tuning", "controls-tuning", "tuning"):
        file = tomllib.loads((folder / f"{name}-{part}.toml").read_text())
        lists = {k: v for k, v in file["tune"]["parameters"].items() if isinstance(v, list)}
        for game in file["game"]:
            own = lists | file["tune"]["parameters"].get(game, {})
            for player in file["player"][1:]:
                tuned = player.get("tuned", [key for key in own])
                count = math.prod(len(set(own[key])) for key in tuned)
                candidates.setdefault(player["name"], set()).add(count)
            if part == "tuning":  # what the player's control came to is among its candidates
                for control, key in (("plain", "k"), ("control", "k"), ("control", "beta")):
                    preset = REPOSITORY / f"data/options/{name}/{game}-{control}.toml"
                    assert float(tomllib.loads(preset.read_text())[key]) in own[key], game
                assert 0 in own["alpha"]
    assert len(candidates) == 11 and all(one == {36} for one in candidates.values())

    [family] = families_of([read_table(REPOSITORY, name)])
    met = {(one.cell.rules, one.cell.player, one.beside) for one in family.comparisons}
    assert len(met) == len(family.comparisons) == 80
    assert all(one.control is None and one.cell.games == 4000 for one in family.comparisons)
    for one in family.comparisons:
        novel, other = (player["options"] for player in one.cell.match["players"])
        mix = {"control": "convex", "plain": "additive"}.get(one.beside, novel["novelty_mix"])
        assert novel["novelty_mix"] == mix and novel["simulations"] == str(budget)
        assert other["novelty"] == "none" or other["alpha"] == "0"
        assert one.cell.measure in MEASURES


# --- records ---

MATCH = {
    "game": "connect4",
    "parameters": {},
    "players": [{"name": "A", "options": {"k": "1"}}, {"name": "B", "options": {}}],
    "openings": "random:1",
    "seed": 1,
}


def made_record(
    folder: Path, rounds: list[str], options_of_a: dict[str, str] = {}, efforts_of_a: str = ""
) -> Record:
    """The record of a match of which these rounds were played, as "WD", in a ledger that no referee has written; the
    moves of a round that is written twice are the same."""
    match = copy.deepcopy(MATCH)
    match["players"][0]["options"] = options_of_a  # type: ignore[index]
    folder.mkdir(exist_ok=True)
    path = folder / "ledger.sqlite"
    path.unlink(missing_ok=True)
    columns = "match number round opening seats winner result twelfths reason plies moves seconds1"
    columns += " seconds2 move_values effort1 effort2"
    with sqlite3.connect(path) as file:
        for table in (
            "ledger (key, value)",
            "matches (id, number, configuration)",
            "rounds (id, match, number)",
            "engines (match, player, program, options)",
            f"games ({', '.join(columns.split())})",
        ):
            file.execute(f"CREATE TABLE {table}")
        file.execute("INSERT INTO ledger VALUES ('format', '6')")
        file.execute("INSERT INTO matches VALUES ('m', 0, ?)", [json.dumps(match)])
        for player, (program, options) in enumerate(
            [("novel 1", {"network_sha256": "abc"}), ("plain 2", {})]
        ):
            row = ["m", player, program, json.dumps(options)]
            file.execute("INSERT INTO engines VALUES (?, ?, ?, ?)", row)
        for number, results in enumerate(rounds):
            file.execute("INSERT INTO rounds VALUES (?, 'm', ?)", [f"r{number}", number])
            for game, result in enumerate(results):
                text, twelfths = {"W": ("B+", 12), "D": ("0", 6), "L": ("W+", 0)}[result]
                row = ["m", 2 * number + game + 1, f"r{number}", "", "A B", "", text, twelfths]
                row += ["", 1, f"{results}{game}", 0, 0, "", efforts_of_a, "20/1/1/1"]
                file.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
    return record_of(folder, match, "signature")


def test_a_record_has_results_and_what_is_distinct(tmp_path: Path) -> None:
    record = made_record(tmp_path, ["WW", "WD", "WW", "LL"])
    course = "WW0 B+\nWW1 B+\nWD0 B+\nWD1 0\nWW0 B+\nWW1 B+\nLL0 W+\nLL1 W+\n"
    told = {key: value for key, value in record.line.items() if key != "match"}
    assert told == {
        "programs": ["novel 1", "plain 2"],
        "networks": ["abc", ""],
        "recorder_signature": "signature",
        "wins": 5,
        "draws": 1,
        "losses": 2,
        "failures": 0,
        "distinct_games": 6,
        "plies": 8,
        "rounds": [[0, 1], [18, 1], [24, 2]],
        "distinct_rounds": [[0, 1], [18, 1], [24, 1]],
        "in_order": "18121800",
        "repeats": [2],
        "sha256": hashlib.sha256(course.encode()).hexdigest(),
    }
    assert record.score == pytest.approx(5.5 / 8)
    assert record.rounds.distinct.tolist() == [0, 0.75, 1]
    other = made_record(tmp_path, ["WD", "WW", "WW", "LL"])
    assert other.line["sha256"] != record.line["sha256"]  # the order counts


def test_a_record_keeps_the_order_of_its_rounds_for_pairs(tmp_path: Path) -> None:
    one = made_record(tmp_path, ["WW", "WD", "WW", "LL"])
    other = made_record(tmp_path, ["DD", "WD", "LW", "DD"])
    assert one.rounds.in_order is not None and one.rounds.repeats is not None
    assert one.rounds.in_order.tolist() == [1, 0.75, 1, 0]
    assert one.rounds.repeats.tolist() == [False, False, True, False]
    found = Difference.of_matches([(1, one.rounds), (-1, other.rounds)])
    assert found.value == pytest.approx((0.5 + 0 + 0.5 - 0.5) / 4)
    # A record that was made before is what it was, and pairs with none.
    old = {k: v for k, v in one.line.items() if k not in ("in_order", "repeats")}
    assert Record(old).rounds.openings == "" and Record(old).line == old
    assert Record(old).rounds.distinct.tolist() == one.rounds.distinct.tolist()
    # Another seed has other openings.
    seed = Record(other.line | {"match": other.match | {"seed": 2}})
    assert seed.rounds.openings != one.rounds.openings == other.rounds.openings
    damages: list[dict[str, Any]] = [
        {"in_order": "18121812"},
        {"in_order": "181218"},
        {"in_order": "1812180"},
        {"repeats": [3]},
        {"repeats": [2, 4]},
        {"repeats": []},
        {"in_order": 5},
    ]
    for wrong in damages:
        with pytest.raises((ValueError, TypeError)):
            Record(one.line | wrong)
    without = {k: v for k, v in one.line.items() if k != "repeats"}
    with pytest.raises(LookupError):
        Record(without)


def test_simulations_are_recorded_where_time_bounds_them(tmp_path: Path) -> None:
    timed = {"simulations": "0", "movetime": "25"}
    efforts = "500/1/1/1 700/1/1/1 900/1/1/1"
    record = made_record(tmp_path, ["WW", "WD"], timed, efforts)
    assert record.line["simulations"] == [700, 20]
    for wrong in ([700], [700, 20, 1], [-1, 20], ["a", 20]):
        with pytest.raises((ValueError, TypeError)):
            Record(record.line | {"simulations": wrong})
    assert "simulations" not in made_record(tmp_path, ["WW"], timed).line  # A's engine tells none
    assert "simulations" not in made_record(tmp_path, ["WW"], {"simulations": "9"}, efforts).line


def test_records_are_read_as_they_were_written(tmp_path: Path) -> None:
    records = [made_record(tmp_path, ["WW", "WD", "WW"]), made_record(tmp_path, ["LL"])]
    path = tmp_path / "r.jsonl"
    write_records(path, records)
    text = path.read_bytes()
    assert [one.line for one in read_records(path)] == [one.line for one in records]
    write_records(path, read_records(path))
    assert path.read_bytes() == text
    assert read_records(tmp_path / "none.jsonl") == []


def test_a_damaged_record_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    write_records(path, [made_record(tmp_path, ["WW", "WD", "WW"])] * 2)
    sound = path.read_bytes()
    for old, new in (
        (b'"wins":5', b'"wins":4'),
        (b'"wins":5', b'"wins":"5"'),
        (b'"wins"', b'"win"'),
        (b"[18,1]", b"[17,9]"),
        (b'{"match"', b'"match"'),
        (b'"distinct_games":4', b'"distinct_games":40'),
        (b"connect4", b"\xff"),
        (b'"rounds"', b""),
    ):
        at = sound.rindex(old)
        path.write_bytes(sound[:at] + new + sound[at + len(old) :])
        with pytest.raises(BadInput, match="r.jsonl, line 2: not the record of a match"):
            read_records(path)
    path.write_bytes(sound[:-20])  # cut off
    with pytest.raises(BadInput, match="r.jsonl, line 2: not the record of a match"):
        read_records(path)


# --- times ---


def search(game: str, novelty: str, overhead: float, interval: Any, rounds: int) -> dict[str, Any]:
    """A row of `pitboss bench --json`, of a search with static values."""
    return {
        "game": game,
        "evaluation": "static",
        "novelty": novelty,
        "estimators": "none",
        "bonus": "none",
        "solver": False,
        "mast": 0.0,
        "threads": 1,
        "simulations": 5000,
        "simulations_per_second": 6330000.4,
        "overhead": overhead,
        "overhead_interval": interval,
        "rounds": rounds,
    }


def measured() -> dict[str, Any]:
    """Two games with static values, beside rows of which the page has nothing, and a network."""
    plain = search("connect4", "none", 1, [1, 1], 40)
    network = {"cache": False, "simulations": 500, "simulations_per_second": 1234.5}
    of_network = [plain | network, search("", "pseudocount", 1.004, [0.99, 1.049], 20) | network]
    of_network[0]["rounds"] = 20
    return {
        "command": "pitboss bench --json --game connect4 --game atarigo",
        "signature": "0123456789abcdef",
        "rows": [
            plain,
            search("connect4", "threshold", 1.1496, [1.1, 1.2004], 40),
            search("connect4", "pseudocount", 1.08, [1.07, 1.09], 40),
            plain | {"solver": True},
            plain | {"simulations": 1000},
            plain | {"estimators": "history,global", "overhead": 7},
            plain | {"evaluation": "playout", "novelty": "pseudocount"},
            plain | {"threads": 2, "overhead_interval": None},
            search("atarigo", "none", 1, None, 5),
            search("atarigo", "pseudocount", 0.9712, None, 5),
        ],
        "networks": [
            {
                "game": "connect4",
                "searches": [*of_network, *(one | {"cache": True} for one in of_network)],
            }
        ],
    }


def test_times_are_those_of_novelty(tmp_path: Path) -> None:
    path = tmp_path / "times.json"
    assert read_times(path) is None
    path.write_text(json.dumps(measured()))
    times = read_times(path)
    assert times is not None
    connect4, atarigo = times.static_values
    assert (connect4.game, connect4.simulations, connect4.rounds) == ("connect4", 5000, 40)
    assert connect4.ratios["threshold"].interval == (1.1, 1.2004)
    assert atarigo.ratios["pseudocount"].interval is None
    (network,) = times.networks
    assert (network.simulations, list(network.ratios)) == (500, ["pseudocount"])
    page = times_page(times)
    for part in (
        "**A measure makes a search 0.97 to 1.15 times as long in 2 games with static values, and 1.00 to 1.00 times as long in"
        " 1 game with networks, where every interval lies below 1.05, which is called negligible here; the paper says almost negligible.**",
        "| game | simulations | simulations/s without novelty | rounds | `pseudocount` | `threshold` |\n",
        "| connect4 | 5000 | 6330000 | 40 | 1.080 [1.070, 1.090] | 1.150 [1.100, 1.200] |\n",
        "| atarigo | 5000 | 6330000 | 5 | 0.971 | - |\n",
        "| connect4 | 500 | 1234 | 20 | 1.004 [0.990, 1.049] |\n",
        "`0123456789abcdef`",
        "(novelty-times.svg)",
    ):
        assert part in page
    figure = times_figure(times)
    for word in (">connect4<", ">atarigo<", ">connect4, network<", ">pseudocount<", ">threshold<"):
        assert word in figure
    missing = times_page(None)
    assert "**Not measured.**" in missing and ".svg" not in missing


def test_what_the_times_show(tmp_path: Path) -> None:
    path = tmp_path / "times.json"

    def findings(change: Callable[[dict[str, Any]], Any]) -> str:
        told = measured()
        change(told)
        path.write_text(json.dumps(told))
        times = read_times(path)
        assert times is not None
        return times.findings

    def set_interval(told: dict[str, Any], interval: Any, rounds: int) -> None:
        for one in told["networks"][0]["searches"]:
            one.update(overhead_interval=interval, rounds=rounds)

    not_shown = "of 1 ratios 0 have an interval below 1.05: that all are negligible, as the paper says, is not shown"
    assert not_shown in findings(lambda told: set_interval(told, [0.99, 1.05], 20))
    assert not_shown in findings(lambda told: set_interval(told, None, 5))
    static = "a measure makes a search 0.97 to 1.15 times as long in 2 games with static values"
    assert findings(lambda told: told.pop("networks")) == static


def test_damaged_times_are_named_and_why(tmp_path: Path) -> None:
    path = tmp_path / "times.json"
    begin = f"{path}: not the times of searches: "

    def error(text: str) -> str:
        path.write_text(text)
        with pytest.raises(BadInput) as caught:
            read_times(path)
        assert str(caught.value).startswith(begin)
        return str(caught.value).removeprefix(begin)

    for text in ("", "{", "[]", "{}", '{"rows": 3}', json.dumps(measured())[:2000]):
        error(text)
    path.write_bytes(b"\xff")
    with pytest.raises(BadInput, match="not the times"):
        read_times(path)

    def row(number: int, **values: Any) -> str:
        told = measured()
        told["rows"][number].update(values)
        return error(json.dumps(told))

    error(json.dumps(measured() | {"signature": 3}))
    assert error(json.dumps(measured() | {"rows": []})) == "it has no search with static values"
    row(1, overhead="1.1")
    row(1, overhead_interval=[1.1])
    assert row(1, overhead=1.3) == "an overhead is not in its interval"
    assert row(1, overhead_interval=[1.0, 1.1]) == "an overhead is not in its interval"
    assert "with too few rounds, or missing" in row(1, overhead_interval=None)
    assert "is not above 0" in row(9, overhead=-1)
    assert "rounds are fewer than 1" in row(9, rounds=0)
    assert row(9, rounds=4) == "the searches of atarigo have other simulations or rounds"
    assert row(1, simulations=4000) == "connect4 has no search without novelty"
    assert row(2, simulations=4000) == "the searches of connect4 have other simulations or rounds"
    assert row(2, novelty="threshold") == "connect4 has a measure twice"
    assert row(2, novelty="new") == "there is no novelty 'new'"
    assert row(9, novelty="none") == "atarigo has no search with novelty"
    assert row(8, simulations_per_second=0) == "a search has no simulations"


# --- pages ---

SMALL = """game = ["connect4", "othello"]
games = 8
pairings = { against = "base" }
[published]
title = "A small table"
games = 100
question = "Does A help?"
[options]
simulations = 10
[[player]]
name = "base"
[[player]]
name = "A"
published = { connect4 = 50, othello = 80 }
control = "C"
options = { k = 0.5 }
[[player]]
name = "C"
options = { k = 0.5, alpha = 0 }
[[server]]
address = "127.0.0.1:4580"
"""

PAPERS = """[[paper]]
title = "Small"
source = "Somebody."
findings = "Somebody is right: {small} So it is."
[[paper.item]]
name = "Table 1"
table = "small"
[[paper.item]]
name = "Figure 1"
like = "small"
times = 2
why = "no time"
[[paper.item]]
name = "Figure 2"
page = "small"
found = "3 of 4 are reproduced"
"""


class Small:
    """A repository with one table of two cells, whose matches are those of A and C at connect4, then at othello."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.experiment = root / "data/experiments/small.toml"
        self.papers = root / "data/results/papers.toml"
        self.records = root / "data/results/small.jsonl"
        self.costs = root / "data/results/costs.json"
        self.pages = root / "docs/results"
        for file, text in (
            (self.experiment, SMALL),
            (self.papers, PAPERS),
            (self.pages / "small.md", ""),
        ):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def record(self, won: dict[int, int], of: int = 4) -> None:
        """Records matches as won in so many of 4 rounds by both games."""
        records = []
        for number, rounds in won.items():
            points = [[points, n] for points, n in ((0, of - rounds), (24, rounds)) if n > 0]
            line = {
                "match": self.table.cells[number].match,
                "programs": ["Pitboss", "Pitboss"],
                "networks": ["a" * 64 if number == 0 else "", ""],
                "recorder_signature": "s",
                "wins": 2 * rounds,
                "draws": 0,
                "losses": 2 * (of - rounds),
                "failures": 0,
                "distinct_games": 2 * of,
                "plies": 80,
                "rounds": points,
                "distinct_rounds": points,
                "sha256": f"h{number}",
            }
            records.append(Record(line))
        write_records(self.records, records)

    def edit(self, path: Path, old: str, new: str) -> None:
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    @property
    def table(self) -> Table:
        return read_table(self.root, "small")

    @property
    def families(self) -> list[Family]:
        return families_of([self.table])

    @property
    def page(self) -> str:
        table = self.table
        return table_page(table, families_of([table]))

    @property
    def overview(self) -> str:
        table = self.table
        return overview_page(self.root, [table], families_of([table]), None)

    def write(self) -> None:
        command.write_pages(self.root)


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small(tmp_path)


def test_the_pages_in_docs_are_what_the_records_give() -> None:
    pages = command.pages(REPOSITORY)
    assert len(pages) > 40
    for path, text in pages.items():
        assert (path.read_text() if path.exists() else None) == text, f"{path}: run ./dev update"


def test_every_record_is_of_a_match_of_its_table() -> None:
    for name in table_names(REPOSITORY):
        assert read_table(REPOSITORY, name).others == [], name


def test_every_match_can_be_played_by_itself(tmp_path: Path) -> None:
    for name in table_names(REPOSITORY):
        cells = read_table(REPOSITORY, name).cells
        for cell in {cell.rules: cell for cell in cells}.values():
            file = tmp_path / "match.toml"
            experiment = experiment_of(name, cell.match, cell.games, "127.0.0.1:4580")
            file.write_text(toml_lines(experiment))
            (told,) = plan_of(file)
            assert told["configuration"] == cell.match
            assert (told["games"], told["rules"]) == (cell.games, cell.rules)


def test_matches_that_time_bounds_have_a_daemon_without_a_large_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[dict[str, Any]] = []

    def launched(**flags: Any) -> Any:
        started.append(flags)
        return nullcontext(SimpleNamespace(address=f"127.0.0.1:{4580 + len(started)}"))

    monkeypatch.setattr(play, "launch", launched)
    monkeypatch.setattr(play, "_referee", lambda *words: 0)
    servers = []
    with Player(REPOSITORY, tmp_path, "networks", None) as player:
        for name in ("networks-500", "networks-time", "networks-500"):
            table = read_table(REPOSITORY, name)
            player.play(table, table.cells[0].match, 2, tmp_path / name)
            experiment = tomllib.loads((tmp_path / f"{name}.toml").read_text())
            servers.append(experiment["server"][0]["address"])
    assert servers == ["127.0.0.1:4581", "127.0.0.1:4582", "127.0.0.1:4581"]
    assert started[0]["network_cache_mb"] > 64
    assert "network_cache_mb" not in started[1]


@pytest.mark.parametrize(
    "name",
    "novelty-1000 novelty-5000 novelty-time novelty-gecco networks-500 networks-2500 networks-time"
    " authors-networks-500 authors-networks-2500 checkpoints-othello checkpoints-gomoku".split(),
)
def test_a_control_has_its_players_options_and_no_novelty(name: str) -> None:
    for cell in read_table(REPOSITORY, name).cells:
        options = cell.match["players"][0]["options"]
        has_novelty = options.get("novelty", "none") != "none" and options.get("alpha") != "0"
        assert bool(cell.controls) == has_novelty, cell.name
        for control in cell.controls:
            assert control is not None
            other = control.match["players"][0]["options"]
            assert other["alpha"] == "0"
            for key in ("k", "beta", "c_puct", "simulations", "movetime", "preset", "network"):
                assert other.get(key) == options.get(key), (cell.name, key)


def test_a_page_has_verdicts_controls_and_what_was_not_run(small: Small) -> None:
    assert "SHA-256 begin" not in small.page
    small.record({0: 2, 1: 0, 2: 0})
    page = small.page
    for part in (
        "# A small table\n",
        "**Of 2 published figures 1 is contradicted, 1 undecided.",
        "all players have `simulations=10`",
        "| connect4 | A | `k=0.5` | base | 8 | 8 | 4-0-4 | 50.0 [",
        "| 50.0 | +0.0 [",
        "| 80.0 | -80.0 [",
        "| othello | C | `k=0.5 alpha=0` | base | 0 of 8 | | | | | | | not run |",
        "No game was lost by a failure.",
        "The networks' SHA-256 begin with: connect4 `aaaaaaaaaaaa`.\n",
        "`./dev results repeat small --cell connect4.A.base` plays a recorded cell again.",
    ):
        assert part in page
    assert "## Records of no match" not in page
    small.edit(small.records, '"failures":0', '"failures":3')
    assert "| 4-0-4 (3 by a failure) |" in small.page
    assert " 3 games were lost by a failure, and count." in small.page


def test_comparisons_that_were_not_played_belong_to_their_family(small: Small) -> None:
    # Nothing that the one comparison says changes with the other's being played or not, but p by Holm.
    small.record({0: 4, 1: 0})
    page = small.page
    for part in (
        "Of 2 comparisons with controls 1 were played: in 1 the player scores higher, in 1 it is better and in 0 worse",
        '"Does A help?": 2 comparisons in [small](small.md), of which 1 were played to the end',
        "| connect4 | A | C | +100.0 [+14.0, +119.3] | 0.0212 | 0.0423 | better |",
        "| othello | A | C | | | | not run |",
        "Of the 1 comparisons that were tested, the interval that reaches highest allows a gain of 119.3"
        " points (connect4, A beside C).",
        "of the 1 that were not played nothing is known.",
    ):
        assert part in page
    # A match of which some games were played is not yet compared.
    small.edit(small.experiment, "games = 8", "games = 16")
    assert "of which 0 were played to the end" in small.page
    assert "| connect4 | A | C | | | | begun |" in small.page


def test_tables_with_the_same_question_are_one_family(small: Small) -> None:
    small.record({0: 4, 1: 0})
    one, other = small.table, small.table
    other.name = "other"
    (family,) = families_of([one, other])
    assert len(family.comparisons) == 4
    first = family.comparisons[0]
    assert first.difference is not None
    assert first.p == pytest.approx(4 * first.difference.p)
    other.published["question"] = "Does B help?"
    assert len(families_of([one, other])) == 2


def test_a_verdict_needs_all_games_and_the_rest_is_estimated(small: Small) -> None:
    small.record({0: 2})
    small.edit(small.experiment, "games = 8", "games = 4000")
    costs = {"connect4.A.base": 1.8, "connect4.C.base": 0.9, "othello.C.base": 0.09}
    small.costs.write_text(json.dumps({"small": costs}))
    assert "| 8 of 4000 | 8 |" in small.page
    assert "Of 2 published figures 1 is begun, 1 not run." in small.page
    # A's time at othello is that of C, which was timed.
    assert "| not run: about 6 minutes of a processor |" in small.page
    left = sum(small.table.hours_left(cell) or 0 for cell in small.table.cells)
    assert left == pytest.approx((3992 * 1.8 + 4000 * 0.9 + 8000 * 0.09) / 3600)


def test_words_of_the_paper_instead_of_numbers(small: Small) -> None:
    small.record({0: 4, 1: 0, 2: 0})
    words = 'connect4 = "even", othello = "better"'
    small.edit(small.experiment, "connect4 = 50, othello = 80", words)
    page = small.page
    assert "**Of 2 published statements 2 are undecided." in page
    assert "| score | of distinct rounds | paper | verdict |" in page
    assert " of 4 | even | undecided |" in page and " of 4 | better | undecided |" in page
    assert "the paper's numbers are from" not in page
    # With more rounds the words are decided.
    small.edit(small.experiment, "games = 8", "games = 400")
    for rounds in ('"rounds":', '"distinct_rounds":'):
        small.edit(small.records, rounds + "[[24,4]]", rounds + "[[0,1],[24,199]]")
    small.edit(small.records, '"wins":8,"draws":0,"losses":0', '"wins":398,"draws":0,"losses":2')
    assert " of 200 | even | contradicted |" in small.page
    small.edit(small.experiment, 'connect4 = "even"', 'connect4 = "better"')
    assert " of 200 | better | reproduced |" in small.page
    small.edit(small.experiment, "title =", 'options = "other"\ntitle =')
    assert " of 200 | better | in agreement |" in small.page


def test_a_table_without_published_scores_is_for_its_controls(small: Small) -> None:
    small.record({0: 2, 1: 0})
    small.edit(small.experiment, "published = { connect4 = 50, othello = 80 }", "")
    page = small.page
    begin = "**No match has a published figure; 2 of 4 were played to the end. Of 2"
    assert begin in page
    assert " of 4 | | |" in page and " of 4 | | control |" in page


def test_what_time_bounds_has_its_simulations_and_is_not_played_again(small: Small) -> None:
    small.edit(small.experiment, "simulations = 10", "movetime = 25")
    small.record({0: 2})
    small.edit(small.records, '"failures":0', '"failures":0,"simulations":[5000,73211]')
    page = small.page
    assert "| of distinct rounds | simulations a move | paper |" in page
    assert " of 4 | 5000, 73211 | 50.0 |" in page
    unplayed = "| othello | C | `k=0.5 alpha=0` | base | 0 of 8 | | | | | | | | not run |"
    assert unplayed in page
    assert "time bounds the searches, so the games do not repeat." in page
    with pytest.raises(BadInput, match="recorded whole: play them first"):
        draw_cells([small.table], 10, 1)


def test_a_figure_has_the_series_of_the_players_points(small: Small) -> None:
    small.record({0: 2, 1: 0})
    assert not has_figure(small.table) and "## Figure" not in small.page
    small.edit(small.experiment, "question =", 'x_axis = "weeks"\nquestion =')
    point = 'control = "C"\npoint = { series = "<one>", x = 3 }'
    small.edit(small.experiment, 'control = "C"', point)
    small.edit(small.experiment, 'name = "C"', 'name = "C"\npoint = { series = "two", x = 7 }')
    small.edit(small.experiment, '["connect4", "othello"]', '"connect4"')
    small.edit(small.experiment, ", othello = 80", "")
    figure = table_figure(small.table)
    for word in (">weeks</text>", ">&lt;one&gt;</text>", ">two</text>", ">A small table</text>"):
        assert word in figure
    assert table_figure(small.table) == figure
    assert "## Figure\n\n![A small table, by weeks](small.svg)\n" in small.page
    small.write()
    assert (small.pages / "small.svg").read_text() == figure
    # What is not played to the end is not drawn, and its file goes.
    small.edit(small.experiment, "games = 8", "games = 16")
    small.write()
    assert not (small.pages / "small.svg").exists()


def test_records_of_no_match_are_told(small: Small) -> None:
    small.record({0: 2, 1: 0})
    small.edit(small.experiment, "options = { k = 0.5 }", "options = { k = 0.7 }")
    assert "## Records of no match\n" in small.page
    told = "* connect4: A `simulations=10 k=0.5` against base `simulations=10`, 8 games\n"
    assert told in small.page


def test_a_player_with_two_controls_is_compared_with_each(small: Small) -> None:
    small.edit(small.experiment, 'control = "C"', 'control = ["C", "D"]')
    more = '[[player]]\nname = "D"\noptions = { k = 0.9 }\n\n[[player]]\nname = "C"'
    small.edit(small.experiment, '[[player]]\nname = "C"', more)
    assert "None of 4 comparisons with controls was played." in small.page
    rows = "| connect4 | A | C | | | | not run |\n| connect4 | A | D | | | | not run |"
    assert rows in small.page
    small.edit(small.experiment, "games = 8", "games = 24")
    small.record({0: 12, 1: 0, 2: 10}, 12)  # connect4's A, D and C
    overview = small.overview
    for part in (
        "4 comparisons in [small](small.md), of which 2 were played to the end",
        "| [small](small.md) | A | C | +16.7 [",
        "| [small](small.md) | A | D | +100.0 [",
        "In 1 of 2 comparisons that were played to the end",
        "No player is better than all its controls.",
        "(connect4, A beside D)",
    ):
        assert part in overview
    small.record({0: 12, 1: 0, 2: 0}, 12)
    assert "1 of the players are better than all their controls." in small.overview


def test_a_player_whose_novelty_changes_no_move(small: Small) -> None:
    small.edit(small.experiment, "games = 8", "games = 24")
    small.record({0: 6, 1: 6, 2: 12, 3: 0}, 12)
    small.edit(small.records, '"sha256":"h1"', '"sha256":"h0"')
    page, overview = small.page, small.overview
    assert "| connect4 | A | C | the same games | | | |" in page
    alike = "all played to the end. 1 of those that were played count with p = 1: the player's games are its control's."
    assert alike in page
    assert "Of the 1 comparisons that were tested" in page
    assert "**In 1 of 2 comparisons that were played to the end the player is better" in overview
    assert "| [small](small.md) | A | the same games | +100.0 [" in overview
    assert "] **better** | +50.0 [" in overview
    assert "| mean | | the same games | +100.0 [" in overview


def test_a_player_meets_its_control_head_to_head(small: Small) -> None:
    small.edit(small.experiment, '{ against = "base" }', '[["A", "C"], ["A", "base"]]')
    small.edit(small.experiment, "published = { connect4 = 50, othello = 80 }", "")
    small.edit(small.experiment, 'control = "C"', 'control = ["C", "base"]')
    small.edit(small.experiment, "games = 8", "games = 24")
    small.record({0: 9, 1: 5, 2: 6}, 12)  # connect4 against C and base, othello against C
    [family] = small.families
    first, second, third, unplayed = family.comparisons
    assert [one.beside for one in family.comparisons] == ["C", "base", "C", "base"]
    assert first.difference is not None and unplayed.difference is None
    # 10 of 14, with one more that was won and one that was lost
    assert first.difference.value == pytest.approx(0.25)
    assert first.difference.middle == pytest.approx(10 / 14 - 0.5)
    assert first.difference.error == pytest.approx(math.sqrt(10 * 4 / 14**3))
    mean = mean_difference([first, third])
    assert mean is not None and mean.value == pytest.approx((0.25 + 0) / 2)
    assert mean.error == pytest.approx(math.sqrt((10 * 4 + 7 * 7) / 14**3) / 2)
    page = small.page
    assert (
        "Score of distinct rounds less one half where player and control met head to head" in page
    )
    assert f"| connect4 | A | C | {first.difference} |" in page
    groups = {one.conditions: one.all.comparisons for one in effects_of(small.families)}
    assert groups == {"10 simulations, beside C": 2, "10 simulations, beside base": 1}


def test_matches_head_to_head_on_the_same_openings_depend_on_each_other() -> None:
    # The mean of two players' scores, round by round: 0.75, 0.5, 0.75, 0.25, and one more of 1 and one of 0.
    one, other = rounds([1, 0.5, 0.5, 0]), rounds([0.5, 0.5, 1, 0.5])
    found = Difference.of_matches([(0.5, one), (0.5, other)], 0.5)
    means = np.array([0.75, 0.5, 0.75, 0.25, 1, 0])
    assert found.value == pytest.approx(0.0625)
    assert found.middle == pytest.approx(means.mean() - 0.5)
    assert found.error == pytest.approx(
        math.sqrt((means**2).mean() - means.mean() ** 2) / math.sqrt(6)
    )


def with_novelty(small: Small, alpha: str) -> None:
    """A has a measure with this alpha, and C is as it is."""
    small.edit(
        small.experiment,
        '"C"\noptions = {',
        f'"C"\noptions = {{ novelty = "threshold", alpha = {alpha},',
    )


def test_a_player_with_alpha_0_is_a_control_and_counts_as_no_player(small: Small) -> None:
    small.edit(small.experiment, "games = 8", "games = 24")
    with_novelty(small, "0.1")
    small.record({0: 12, 1: 0, 2: 12, 3: 6}, 12)
    [family] = small.families
    assert len(family.counted) == len(family.better) == 2
    assert "control: alpha" not in small.page
    small.edit(small.experiment, "alpha = 0.1", "alpha = 0")
    small.record({0: 12, 1: 0, 2: 12, 3: 6}, 12)
    [family] = small.families
    assert [len(family.comparisons), len(family.played), len(family.counted)] == [2, 2, 0]
    page, overview = small.page, small.overview
    for part in (
        "In 2 of these matches the player has alpha = 0 and is a control. Of 2 comparisons with controls 2 were played, 2 of them"
        " between controls: in 0 the player scores higher, in 0 it is better and in 0 worse",
        "| connect4 | A (a control: alpha = 0) | `",
        "| connect4 | A (a control: alpha = 0) | C | +100.0 [",
        " | < 0.0001 | | controls |",
        "2 of those that were played count nowhere but with p = 1",
    ):
        assert part in page, part
    assert "In 0 of 0 comparisons" in overview and "The mean difference" not in overview
    assert "| [small](small.md) | A | (+100.0 [" in overview and "| mean | | | | |" in overview
    assert "What novelty gains beyond controls" not in overview


def test_the_headline_is_the_mean_by_measure_and_game(small: Small) -> None:
    small.edit(small.experiment, "games = 8", "games = 24")
    with_novelty(small, "0.1")
    small.record({0: 9, 1: 6, 2: 6, 3: 9}, 12)  # +25 and -25 points
    [family] = small.families
    mean = mean_difference(family.counted)
    [games] = [[one.difference for one in family.counted]]
    overview = small.overview
    head = "| question | players | comparisons | mean | p | within 2 points | threshold | connect4 | othello |"
    assert mean is not None
    row = f"10 simulations | 2 | **{mean}** | {mean.p:.4f} | not shown | {mean} | {games[0]} | {games[1]} |"
    assert overview.index("# What novelty gains beyond controls") < overview.index("## Verdicts")
    for part in (
        head,
        "[Does A help?](#does-a-help) | " + row,
        "(effects.svg)",
        "**Of 1 means 0 have",
    ):
        assert part in overview
    figure = effects_figure(effects_of(small.families))
    assert ">10 simulations: all</text>" in figure and figure.count(">threshold</text>") == 1
    small.write()
    assert (small.pages / "effects.svg").read_text() == figure
    # Another budget and another control are means of their own.
    small.edit(small.experiment, "simulations = 10", "movetime = 25")
    small.edit(small.experiment, 'control = "C"', 'control = ["C", "base2"]')
    small.edit(
        small.experiment,
        '[[player]]\nname = "C"',
        '[[player]]\nname = "base2"\n\n[[player]]\nname = "C"',
    )
    small.record({0: 9, 1: 6, 2: 6, 3: 9, 4: 6, 5: 6}, 12)
    groups = [one.conditions for one in effects_of(small.families)]
    assert groups == ["25 ms, beside C", "25 ms, beside base2"]


TWO_BY_TWO = """game = ["connect4", "othello"]
games = 24
pairings = [
  ["N", "control"], ["N", "first-play"], ["N-additive", "plain"], ["N-additive", "first-play"],
  ["control", "plain"], ["first-play", "plain"],
]
[published]
title = "A small experiment"
question = "Does N help?"
[options]
simulations = 10
[[player]]
name = "plain"
[[player]]
name = "control"
options = { k = 0.2 }
[[player]]
name = "first-play"
options = { virtual_value = 0.6 }
[[player]]
name = "N"
control = ["control", "first-play"]
options = { novelty = "threshold", alpha = 0.1, othello = { alpha = 0 } }
[[player]]
name = "N-additive"
control = ["plain", "first-play"]
options = { novelty = "threshold", novelty_mix = "additive", alpha = 0.1 }
[[server]]
address = "127.0.0.1:4580"
"""


@pytest.fixture
def experiment(small: Small, monkeypatch: pytest.MonkeyPatch) -> Small:
    monkeypatch.setattr(two_by_two, "BUDGETS", {"small": 10})
    monkeypatch.setattr(two_by_two, "SHARP_BUDGET", 10)
    small.experiment.write_text(TWO_BY_TWO)
    return small


def test_the_registered_means_of_the_2x2_experiment(experiment: Small) -> None:
    # In connect4, then in othello: N, N, additive, additive, control, first-play.
    won = dict(enumerate([9, 6, 12, 3, 6, 8, 9, 0, 6, 3, 5, 7]))
    experiment.record(won, 12)
    tables, families = [experiment.table], experiment.families
    first, second, third = (one.mean for one in decided(tables, families))
    # Of othello's N, which has no novelty, nothing counts.
    assert [len(first.counted), len(first.played)] == [1, 2]
    assert first.difference is not None and first.difference.value == pytest.approx(9 / 12 - 0.5)
    assert first.placebo is not None and first.placebo.value == pytest.approx(9 / 12 - 0.5)
    # Two players that play the same games have twice the weight of one.
    without = [one for mean in (first, third) for one in mean.played if one.cell.lacks_novelty]
    twice = Mean("D3", 10, [without[0], *without]).placebo
    assert twice is not None and twice.value == pytest.approx((2 * 9 + 0) / 36 - 0.5)
    assert first.if_others_are_0.startswith("+12.5 [")
    assert second.difference is not None and second.difference.value == pytest.approx(0.25)
    assert second.if_others_are_0 == str(second.difference)
    assert third.difference is not None
    assert third.difference.value == pytest.approx((6 + 3 + 3) / 36 - 0.5)
    p = [one.difference.p for one in (first, second, third) if one.difference]
    assert [one.p for one in decided(tables, families)] == holm(p)
    section = two_by_two_section(tables, families)
    low, high = first.difference.interval
    half = math.hypot((high - low) / 2, np.subtract(*second.difference.interval) / 2)
    for part in (
        f"| 10 | D1: beside control | 1 of 2 | {first.difference} | {first.if_others_are_0} | ",
        f"D1 - D2 +0.0 [{-100 * half:+.1f}, {100 * half:+.1f}];",
        "`control` against `plain`, -4.2 [",
        "`first-play` against `plain` +12.5 [",
        "the experiment is not as sharp as it was meant to be.",
    ):
        assert part in section, part
    assert section in experiment.overview


def test_the_2x2_experiment_decides_when_all_is_played(experiment: Small) -> None:
    experiment.record({0: 12, 2: 12}, 12)
    tables, families = [experiment.table], experiment.families
    found = decided(tables, families)
    assert [one.p for one in found] == [1, 1, 1]
    assert [one.verdict for one in found] == ["begun: 1 of 2", "begun: 1 of 2", "begun: 0 of 4"]
    section = two_by_two_section(tables, families)
    assert "nothing is decided" in section and "as sharp as" not in section
    assert "D1 - D2 +0.0 [" in section and "], begun; " in section
    experiment.records.unlink()
    tables, families = [experiment.table], experiment.families
    assert "D1 - D2 not run; 1 - b alone" in two_by_two_section(tables, families)


def test_the_rule_of_decision_of_the_2x2_experiment(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*values: float, p: float = 0.01) -> list[Decided]:
        means = [Mean(name, 1000, []) for name in ("D1", "D2", "D3")]
        for mean, value in zip(means, values):
            mean.__dict__["difference"] = Difference(value, value, 0.001)
        return [Decided(mean, p) for mean in means]

    assert decision(found(0.03, 0.01, 0.01)) == "novelty helps, by a gain that matters"
    assert decision(found(0.01, 0.01, 0.01)) == "novelty helps, by a gain that does not matter"
    assert "no more than a value of untried moves" in decision(found(0.01, 0.01, -0.01))
    assert decision(found(0.001, -0.01, -0.02, p=0.06)).endswith(
        "D1 up to 0.3 points, D2 none, as the interval ends at -0.8, D3 none, as the interval ends at -1.8"
    )
    assert decision(found(0.01, 0.01, 0.01, p=0.06)).startswith("no gain is shown")
    for values in ((0.01, -0.01, 0.01), (-0.01, -0.01, 0.01), (0.01, -0.01, -0.01)):
        assert "not said to help" in decision(found(*values))
    assert [one.verdict for one in found(0.03, 0.01, -0.01)] == [
        "above 0",
        "above 0, none to speak of",
        "below 0, none to speak of",
    ]
    assert [one.verdict for one in found(0.03, 0.01, 0, p=0.06)][:2] == [
        "not shown to differ from 0",
        "not shown to differ from 0, none to speak of",
    ]


def test_the_slope_of_means_over_levels() -> None:
    def mean(value: float, error: float) -> Difference:
        return Difference(value, value, error)

    five = [mean(0.01 * level**2, 0.002 * (level + 1)) for level in range(5)]
    found = slope(five)
    assert found is not None and found.value == pytest.approx(0.04)
    # The root of (2 * .2)^2 + .4^2 + 0 + .8^2 + (2 * 1)^2, over 10, in points.
    assert found.error == pytest.approx(0.01 * math.sqrt(0.16 + 0.16 + 0.64 + 4) / 10)
    few = slope([mean(0.1, 0.01), None, None, None, mean(0.3, 0.01)])
    assert few is not None and few.value == pytest.approx(0.05)
    assert few.error == pytest.approx(0.01 * math.sqrt(2) / 4)
    assert slope([mean(0.1, 0.01), None]) is None
    # By Welch and Satterthwaite.
    one, other = Difference(0, 0, 0.01, 5), Difference(0, 0, 0.03, 9)
    freedom = (1 + 9) ** 2 / (1 / 5 + 81 / 9)
    two = slope([one, other])
    assert two is not None and two.freedom == pytest.approx(freedom)


def test_the_rule_of_decision_of_strength_against_gain() -> None:
    def found(*slopes: tuple[float, float]) -> str:
        of = [(Difference(value, value, 0.001), p) for value, p in slopes]
        return strength.decision(dict(zip(strength.CONTROLS, of)))

    assert found((0.01, 0.01), (0.02, 0.01)) == "novelty gains more with a worse evaluation"
    assert found((-0.01, 0.01), (-0.02, 0.01)) == "novelty gains less with a worse evaluation"
    for one, other in (
        ((0.01, 0.01), (0.02, 0.06)),
        ((0.01, 0.06), (0.02, 0.01)),
        ((-0.01, 0.01), (-0.02, 0.06)),
        ((0.01, 0.01), (-0.02, 0.01)),
    ):
        assert found(one, other).startswith("no relation is shown"), (one, other)
    assert found((0.01, 0.01), (0.0, 0.06)) == (
        "no relation is shown: the slope beside `control` is above 0 and the slope beside `first-play` is not shown to"
        " differ from 0. The 95 % intervals, each by itself, leave differences between level 0 and level 4 of"
        " +3.2 to +4.8 points beside `control` and -0.8 to +0.8 points beside `first-play`"
    )
    assert "nothing is decided" in found((0.01, 0.01)) and "nothing is decided" in found()


def test_ranks_that_are_shared() -> None:
    assert rank_correlation([(1, 10), (2, 20), (3, 15)]) == pytest.approx(0.5)
    assert rank_correlation([(1, 3), (1, 3), (2, 9)]) == pytest.approx(1)
    # Ranks 1, 2.5, 2.5, 4 and 4, 3, 2, 1.
    assert rank_correlation([(1, 9), (5, 8), (5, 7), (6, 6)]) == pytest.approx(-4.5 / 22.5**0.5)


STRENGTH = """
name = "small"
seed = 7
game = ["connect4", "othello"]
games = 200
pairings = [["N", "control"], ["N", "first-play"], ["first-play", "exact"]]
[published]
title = "Small"
about = "A table."
question = "Does it help?"
options = "other"
[options]
simulations = 10
[[player]]
name = "N"
control = ["control", "first-play"]
options = { novelty = "threshold", alpha = 0.1WITHOUT }
[[player]]
name = "control"
options = { k = 0.2 }
[[player]]
name = "first-play"
options = { virtual_value = 0.6 }
[[server]]
address = "127.0.0.1:4580"
"""
EXACT = """
[[player]]
name = "exact"
options = { virtual_value = 0.7 }
"""
# Of 100 rounds, those that N wins against control and first-play and first-play against exact, in connect4 and othello; and
# in which games N has no novelty.
LEVELS: list[tuple[list[int], str]] = [
    ([40, 50, 70, 70], ""),
    ([45, 50, 40, 80, 70, 20], ", othello = { alpha = 0 }"),
    ([50, 50, 30, 80, 70, 30], ", connect4 = { alpha = 0 }, othello = { alpha = 0 }"),
    ([55, 50, 20, 90, 70, 10], ", othello = { alpha = 0 }"),
    ([60, 50, 10, 90, 70, 40], ""),
]


def levels_played(small: Small, monkeypatch: pytest.MonkeyPatch, left_out: int) -> str:
    """The section of five levels, without a match of the last."""
    tables = []
    for level, (won, without) in enumerate(LEVELS):
        text = STRENGTH.replace("WITHOUT", without) + EXACT
        if level == 0:
            text = text.replace(EXACT, "").replace(', ["first-play", "exact"]', "")
        small.experiment.write_text(text)
        rounds = dict(enumerate(won))
        if level == 4:
            rounds.pop(left_out, None)
        small.record(rounds, 100)
        table = small.table
        table.name = f"small-{level}"
        tables.append(table)
    monkeypatch.setattr(strength, "TABLES", [table.name for table in tables])
    assert strength_section(tables[:4], families_of(tables[:4])) == ""
    return strength_section(tables, families_of(tables))


def test_strength_against_gain_follows_from_the_records(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = levels_played(small, monkeypatch, left_out=-1)
    # Beside control with novelty +5, -5, none, +5 and +25; as played +5, +12.5, +15, +22.5 and +25.
    with_novelty = (-2 * 5 - 1 * -5 + 1 * 5 + 2 * 25) / 10
    of_0 = (-2 * 5 - 1 * -5 / 2 + 1 * 5 / 2 + 2 * 25) / 10
    as_played = (-2 * 5 - 12.5 + 22.5 + 2 * 25) / 10
    # Beside first-play +10 with both, 0 with connect4 alone.
    for part in (
        "| 0 | +5.0 [",
        "| 2 of 2 | 50.0 |\n| 1 | -5.0 [",
        "| 1 of 2 | 30.0 |\n| 2 | | 0 of 2 | | 0 of 2 | 30.0 |\n",
        f"Slopes, with p by Holm of two: {with_novelty:+.2f} [",
        "No relation is shown",
        f"counted as 0 the slope beside `control` is {of_0:+.2f} [",
        f"slopes are {as_played:+.2f} [",
        "] beside `control` and +0.00 [",
        "over the 10 games and levels, as played, is ",
        "over the 6 with novelty",
        "| othello | 1 | 20.0 | +30.0 [",
        "| connect4 | 1 | 40.0 | -5.0 [",
    ):
        assert part in section, (part, section)


@pytest.mark.parametrize("left_out", [0, 3, 5])
def test_strength_against_gain_waits_for_all_matches(
    small: Small, monkeypatch: pytest.MonkeyPatch, left_out: int
) -> None:
    section = levels_played(small, monkeypatch, left_out)
    assert "nothing is decided" in section and "Slopes" not in section


def test_a_mean_that_has_begun_says_of_how_many(experiment: Small) -> None:
    experiment.record({0: 12}, 12)
    assert (
        "| 10 simulations, beside control | 1 | " in experiment.overview
    )  # othello's N is a control
    experiment.record({2: 12}, 12)
    assert "| 10 simulations, beside plain | 1 of 2 | " in experiment.overview


def test_a_mean_counts_what_comparisons_share_once(small: Small) -> None:
    small.edit(small.experiment, 'control = "C"', 'control = ["C", "D"]')
    more = '[[player]]\nname = "D"\noptions = { k = 0.9 }\n\n[[player]]\nname = "C"'
    small.edit(small.experiment, '[[player]]\nname = "C"', more)
    small.record({0: 3, 1: 1, 2: 2})  # connect4's A, D and C
    [family] = small.families
    assert len(family.played) == 2
    player, other, control = (cell.estimate for cell in small.table.cells[:3])
    mean = mean_difference(family.played)
    assert mean is not None
    assert mean.value == pytest.approx(0.75 - (0.25 + 0.5) / 2)
    variance = player.variance + (other.variance + control.variance) / 4
    assert mean.error**2 == pytest.approx(variance)
    assert mean_difference(family.played + family.played) == mean
    assert mean_difference([]) is None
    assert f"**The mean difference is {mean} points**; it is not shown to be" in small.overview


def test_games_that_the_papers_players_repeat_count_once_an_opening(small: Small) -> None:
    small.record({0: 2, 1: 2, 2: 2, 3: 2})
    before = {
        cell.rules: small.table.to_paper(cell) for cell in small.table.cells if cell.published
    }
    small.edit(small.experiment, "games = 100", "games = 100\nopenings = { othello = 2 }")
    after = {cell.rules: small.table.to_paper(cell) for cell in small.table.cells if cell.published}
    assert after["connect4"] == before["connect4"]
    one, other = before["othello"], after["othello"]
    assert one is not None and other is not None and other.error > one.error
    assert "repeat games, of which those of an opening count as one: 2 in othello" in small.page
    for wrong in ("12", "{ chess = 12 }", "{ othello = 0 }", "{ othello = true }"):
        small.edit(small.experiment, "openings = { othello = 2 }", f"openings = {wrong}")
        with pytest.raises(BadInput, match="openings: expected"):
            read_table(small.root, "small")
        small.edit(small.experiment, f"openings = {wrong}", "openings = { othello = 2 }")


def test_hours() -> None:
    assert hours_text(0.9 / 60) == "less than a minute of a processor"
    assert hours_text(1.4 / 60) == "about a minute of a processor"
    assert hours_text(1.6 / 60) == "about 2 minutes of a processor"
    assert hours_text(2.4) == "about 2 hours of a processor"


def test_the_overview(small: Small) -> None:
    small.record({0: 2, 1: 0, 2: 0, 3: 0})
    assert "| Figure 1 | not run; no time | |" in small.overview
    costs = {"connect4.A.base": 900, "othello.A.base": 900}
    small.costs.write_text(json.dumps({"small": costs}))
    overview = small.overview
    for part in (
        "## Small\n\nSomebody.\n\nSomebody is right: Of 2 published figures 1 is contradicted, 1 undecided. Of 2 comparisons"
        " with controls 2 were played: in 1 the player scores higher, in 0 it is better and in 0 worse (Holm, 5 %). So it is.\n",
        "| Table 1 | Of 2 published figures 1 is contradicted, 1 undecided. | [small](small.md) |",
        "| Figure 1 | not run: about 16 hours of a processor; no time | |",
        "| Figure 2 | by hand: 3 of 4 are reproduced | [small](small.md) |",
        "## Does A help?\n\n**In 0 of 2 comparisons that were played to the end the player is better than its control",
    ):
        assert part in overview


def test_the_overview_has_what_novelty_costs(small: Small) -> None:
    by_hand = 'page = "small"\nfound = "3 of 4 are reproduced"'
    small.edit(small.papers, by_hand, 'slowdown_by = "novelty"\nwhy = "so it is"')
    small.write()
    link = " | [novelty-times](novelty-times.md) |\n"
    assert f"| Figure 2 | not run; so it is{link}" in (small.pages / "README.md").read_text()
    assert not (small.pages / "novelty-times.svg").exists()
    times = small.root / "data/results/times.json"
    times.write_text(json.dumps(measured()))
    small.write()
    found = "| Figure 2 | open: a measure makes a search 0.97 to 1.15 times as long in 2 games"
    assert found in (small.pages / "README.md").read_text()
    assert (small.pages / "novelty-times.svg").exists()
    # A damaged record stops everything, also the pages of tables.
    (small.pages / "small.md").unlink()
    times.write_text('{"rows": []}')
    with pytest.raises(BadInput, match="not the times"):
        small.write()
    assert not (small.pages / "small.md").exists()
    times.unlink()
    small.edit(small.papers, '"novelty"', '"luck"')
    with pytest.raises(BadInput, match="expected novelty"):
        small.write()


def test_mistakes_in_the_list_of_papers(small: Small) -> None:
    for old, new, sentence in (
        ("{small}", "{other}", "there is no table other"),
        ("{small}", "{small", "a brace is not closed"),
        ('found = "3', 'find = "3', "papers.toml: KeyError"),
        ('page = "small"', 'page = "none"', "there is no page none"),
        ("[[paper]]", "[[paper]", "papers.toml is not TOML"),
    ):
        small.papers.write_text(PAPERS)
        small.edit(small.papers, old, new)
        with pytest.raises(BadInput, match=sentence):
            small.overview


def test_mistakes_in_a_table(small: Small) -> None:
    with pytest.raises(BadInput, match="there is no table none"):
        read_table(small.root, "none")
    small.costs.write_text("[]")
    with pytest.raises(BadInput, match="not the costs of games"):
        small.table
    small.costs.unlink()
    one_game = "published = 50"
    table = SMALL[SMALL.index("[published]") : SMALL.index("[options]")]
    figure = "question =", 'x_axis = "weeks"\nquestion ='
    scores = "published = { connect4 = 50, othello = 80 }"
    for edits, sentence in (
        ([(scores, ""), ('control = "C"', "")], "no player has a published score or a control"),
        ([('title = "A small table"', "")], "title is missing"),
        ([("games = 100", "")], "games: expected how many a number rests on"),
        ([("games = 100", "games = -1")], "games: expected"),
        ([("games = 100", 'games = "all"')], "games: expected"),
        (
            [("games = 100", "games = 100\noption = 1")],
            "unknown: option; known: about, games, openings, opt",
        ),
        ([("games = 100", 'games = 100\noptions = "mine"')], 'options: "paper" or "other"'),
        ([('question = "Does A help?"', "")], "question is missing"),
        ([(scores, "published = 101")], "A: published: expected per cent or one of"),
        ([(scores, 'published = "good"')], 'expected per cent or one of "better", "not better"'),
        ([(scores, "published = true")], "expected per cent"),
        ([(scores, "published = { hex = 50 }")], '"hex" is not a game of which it is the first'),
        ([figure], "x_axis and a player's point go together"),
        ([(scores, 'point = { series = "s", x = 1 }')], "x_axis and a player's point go together"),
        ([figure, (scores, 'point = { series = "s", y = 1 }')], "point: expected a series and a"),
        ([figure, (scores, 'point = { series = "s", x = "1" }')], "point: expected a series and a"),
        ([figure, (scores, 'point = { series = "s", x = 1 }')], "two scores at the same place"),
        ([(scores, f'{one_game}\nagainst = "C"')], "first player of no match that its keys are"),
        ([(scores, f'{one_game}\nagainst = {{ hex = "C" }}')], '"hex" is not a game'),
        ([(scores, f'{one_game}\nagainst = {{ othello = "C" }}')], "it meets no C at othello as"),
        ([('control = "C"', 'control = "D"')], 'no other player "D" meets base at connect4'),
        ([('control = "C"', 'control = "A"')], 'no other player "A" meets base at connect4'),
        ([('control = "C"', 'control = ["C", "C"]')], "or it is named twice"),
        (
            [('{ against = "base" }', '[["A", "base"], ["A", "C"]]')],
            'A has more than one opponent at connect4, and no key "against"',
        ),
        (
            [('{ against = "base" }', '[["base", "A"], ["C", "base"]]')],
            '"connect4" is not a game of which it is the first player',
        ),
        ([("games = 8", "games = 8\nsprt = { elo0 = 0, elo1 = 5 }")], "has a biased score"),
        ([("games = 8", "games = 7")], "line 2, games: must be a multiple of 2"),  # the referee's
        ([("[published]", "[publisht]")], "has no table .published."),
        ([(table, ""), ("games = 8", "games = 8\npublished = 3")], "has no table .published."),
    ):
        small.experiment.write_text(SMALL)
        for old, new in edits:
            small.edit(small.experiment, old, new)
        with pytest.raises(BadInput, match=sentence):
            small.table


def test_of_several_opponents_the_one_that_a_players_key_names(small: Small) -> None:
    small.edit(small.experiment, '{ against = "base" }', '[["A", "base"], ["A", "C"]]')
    small.edit(small.experiment, 'control = "C"', 'against = { connect4 = "base", othello = "C" }')
    table = small.table
    told = {(cell.rules, cell.opponent): cell.published for cell in table.cells}
    assert told == {
        ("connect4", "base"): 0.5,
        ("connect4", "C"): None,
        ("othello", "base"): None,
        ("othello", "C"): 0.8,
    }


# --- cells that were played again ---


def test_repeats_are_the_same_games_or_other_ones(small: Small) -> None:
    small.record({0: 2, 2: 1, 3: 0})
    tables = [small.table]
    assert repeats_section(repeats_of(tables, [])) == ""
    again = []
    for number in (0, 2):
        record = tables[0].cells[number].record
        assert record is not None
        again.append(Record(dict(record.line)))
        again.append(Record(record.line | {"match": with_next_seed(record.match)}))
    again[2].line["sha256"] = "x"  # another game with the same seed
    chance = {"rounds": [[24, 4]], "distinct_rounds": [[24, 4]], "wins": 8, "losses": 0}
    again[3] = Record(again[3].line | chance)
    section = repeats_section(repeats_of(tables, again))
    assert "Of 2 cells 1 gave the same games, and the interval of 2 holds 0." in section
    assert "| small | connect4 | A | the same: h0 | 50.0 | 50.0 | +0.0 [" in section
    assert "| small | othello | A | **other games**: x, not h2 | 25.0 | 100.0 | +75.0 [" in section
    many = {"rounds": [[24, 4]], "distinct_rounds": [[24, 4]]}  # which chance does not make
    again[3].line.update(many)
    again[3].rounds = Rounds(scores((1, 4000)))
    first = tables[0].cells[2].record
    assert first is not None
    first.rounds = Rounds(scores((0, 3000), (1, 1000)))
    section = repeats_section(repeats_of(tables, again))
    assert "the interval of 1 holds 0." in section and "| **no** |" in section
    # What was not played is told.
    del again[1]
    assert "| not played |" in repeats_section(repeats_of(tables, again))
    again[0].games -= 2  # not all games
    assert len(repeats_of(tables, again)) == 1


def test_cells_are_drawn_or_named(small: Small) -> None:
    small.record({0: 2, 2: 1, 3: 0})
    tables = [small.table]
    drawn = [cell.name for _, cell in draw_cells(tables, 10, 1)]
    assert sorted(drawn) == ["connect4.A.base", "othello.A.base", "othello.C.base"]
    assert len(draw_cells(tables, 1, 1)) == 1
    named = cells_named(tables, ["othello.A.base", "connect4.A.base"])
    assert [cell.name for _, cell in named] == ["othello.A.base", "connect4.A.base"]
    with pytest.raises(BadInput, match="no match is hex.A.base; expected GAME.PLAYER.OPPONENT"):
        cells_named(tables, ["hex.A.base"])
    with pytest.raises(BadInput, match="connect4.C.base of small cannot be repeated: time bounds"):
        cells_named(tables, ["connect4.C.base"])


# --- the command ---

TINY = """name = "tiny"
seed = 5
game = "connect4"
games = 200
pairings = { against = "base" }
[published]
title = "A table for tests"
games = 100
question = "Is novelty better than its control?"
[options]
preset = "reference"
simulations = 10
[[player]]
name = "base"
[[player]]
name = "novel"
published = 50
control = "control"
options = { novelty = "pseudocount" }
[[player]]
name = "control"
options = { novelty = "pseudocount", alpha = 0 }
[[server]]
address = "127.0.0.1:4580"
"""


class Tiny:
    """A repository with a table that is played in seconds."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.experiment = root / "data/experiments/tiny.toml"
        self.experiment.parent.mkdir(parents=True)
        self.experiment.write_text(TINY)

    def start(self, verb: str, *words: str) -> "subprocess.Popen[str]":
        table = ["tiny"] if verb in ("play", "record", "repeat") else []
        places = ["--repository", str(self.root), "--out", str(self.root / "run")]
        return subprocess.Popen(
            [sys.executable, "-m", "pitboss.papers", verb, *table, *words, *places],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def said(self, verb: str, *words: str, code: int = 0) -> str:
        """What the command has said on standard error when it ends with this exit code."""
        process = self.start(verb, *words)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == code, said
        return said

    def ledger(self, player: str) -> Path:
        return self.root / "run/tiny" / f"connect4.{player}.base/ledger.sqlite"

    def text(self, name: str) -> str:
        return (self.root / name).read_text()

    @property
    def records(self) -> str:
        return self.text("data/results/tiny.jsonl")

    @property
    def page(self) -> str:
        return self.text("docs/results/tiny.md")

    @property
    def left(self) -> list[str]:
        """The command lines of programs of this repository that still run."""
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                found.append(file.read_text(errors="replace").replace("\0", " "))
        return [line for line in found if str(self.root) in line]


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path / "tiny")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    """Played without a break."""
    whole = Tiny(tmp_path_factory.mktemp("papers") / "whole")
    whole.said("play")
    return whole


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_rounds_that_pair_have_the_same_openings(whole: Tiny) -> None:
    records = read_records(whole.root / "data/results/tiny.jsonl")
    played = []
    for record in records:
        with closing(sqlite3.connect(whole.ledger(record.match["players"][0]["name"]))) as file:
            rows = file.execute(
                "SELECT DISTINCT rounds.number, opening FROM games JOIN rounds ON round = rounds.id ORDER BY rounds.number"
            ).fetchall()
        played.append(rows)
        assert record.rounds.in_order is not None
        assert len(record.rounds.in_order) == len(rows) == 100
    assert len(played) == 2 and played[0] == played[1]
    assert records[0].rounds.openings == records[1].rounds.openings != ""
    assert "are paired by opening" in whole.page


def test_killed_and_repeated_it_leaves_the_same_records_and_pages(tiny: Tiny, whole: Tiny) -> None:
    assert "Of 1 published figures 1 is" in whole.page
    for player in ("novel", "control"):
        process = tiny.start("play")
        wait_until(tiny.ledger(player).exists)
        process.kill()
        process.communicate()
        wait_until(lambda: not tiny.left)  # its referee has gone with it
    tiny.said("play")
    assert (tiny.records, tiny.page) == (whole.records, whole.page)
    costs = json.loads(tiny.text("data/results/costs.json"))["tiny"]
    assert all(0 < costs[f"connect4.{player}.base"] < 1 for player in ("novel", "control"))
    # Nothing is left to play: no daemon is needed.
    tiny.said("play", "--networks", str(tiny.root / "none"))
    assert tiny.records == whole.records


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_ends_its_rounds_and_is_continued(
    tiny: Tiny, whole: Tiny, number: signal.Signals
) -> None:
    process = tiny.start("play")
    wait_until(tiny.ledger("novel").exists)
    os.killpg(process.pid, number)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    assert "interrupted; the same command continues" in said
    assert not tiny.left
    tiny.said("play")
    assert (tiny.records, tiny.page) == (whole.records, whole.page)


def test_some_games_now_and_the_rest_later(tiny: Tiny, whole: Tiny) -> None:
    tiny.said("play", "--games", "20")
    assert "| 20 of 200 |" in tiny.page
    assert "must be a multiple of 2" in tiny.said("play", "--games", "31", code=1)
    assert "expected a whole number from 1" in tiny.said("play", "--games", "0", code=2)
    tiny.said("play", "--concurrency", "1")
    assert tiny.records == whole.records
    # What a referee has played is recorded, too.
    (tiny.root / "data/results/tiny.jsonl").unlink()
    tiny.said("record")
    assert (tiny.records, tiny.page) == (whole.records, whole.page)


def test_repeats_give_the_same_records(tiny: Tiny) -> None:
    tiny.experiment.write_text(TINY.replace("games = 200", "games = 20"))
    assert "play them first" in tiny.said("repeat", code=1)  # none is recorded
    assert not (tiny.root / "docs").exists()
    tiny.said("play")
    tiny.said("repeat")  # both of them
    repeats = tiny.text("data/results/repeats.jsonl")
    lines = repeats.splitlines()
    assert [line in lines for line in tiny.records.splitlines()] == [True, True]
    assert [json.loads(line)["match"]["seed"] for line in sorted(lines)].count(6) == 2
    assert len(lines) == 4
    # It plays them again, and the records stay what they are.
    tiny.said("repeat")
    assert sorted(tiny.text("data/results/repeats.jsonl").splitlines()) == sorted(lines)
    # Other games than the recorded ones are told, and nothing is written.
    path = tiny.root / "data/results/tiny.jsonl"
    record = Record(json.loads(tiny.records.splitlines()[0]))
    record.line["sha256"] = "0" * 64
    write_records(path, [record, *read_records(path)[1:]])
    before = path.read_bytes()
    process = tiny.start("repeat", "--cell", "connect4.novel.base")
    told, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "| tiny | connect4 | novel | **other games**: " in told
    assert path.read_bytes() == before
    assert sorted(tiny.text("data/results/repeats.jsonl").splitlines()) == sorted(lines)


def test_two_at_once_do_not_overwrite_each_other(tiny: Tiny) -> None:
    (tiny.root / "data/results").mkdir()
    with alone(tiny.root):
        for verb in ("play", "record", "repeat"):
            assert "another ./dev results adds to" in tiny.said(verb, code=1)
        tiny.said("write")
    assert not (tiny.root / "run").exists()


def test_what_cannot_be_played_is_told_and_nothing_is_written(tiny: Tiny) -> None:
    # A network that is missing.
    tiny.experiment.write_text(
        TINY.replace('preset = "reference"', 'preset = "network"\nnetwork = "absent"').replace(
            "games = 200", "games = 2"
        )
    )
    networks = ["--networks", str(REPOSITORY / "data/networks")]
    assert "there is no network 'absent'" in tiny.said("play", *networks, code=2)
    assert not (tiny.root / "data/results/tiny.jsonl").exists()
    # A record that ends in the middle.
    tiny.experiment.write_text(TINY.replace("games = 200", "games = 2"))
    tiny.said("play")
    path = tiny.root / "data/results/tiny.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    cut = path.read_bytes()
    for verb in ("play", "record", "repeat", "write"):
        assert "tiny.jsonl, line 2: not the record of a match" in tiny.said(verb, code=1)
    assert path.read_bytes() == cut
    path.unlink()
    # A ledger of other players.
    tiny.experiment.write_text(TINY.replace("simulations = 10", "simulations = 9"))
    assert "holds another match than tiny has" in tiny.said("record", code=1)
    assert not path.exists()
    # A ledger that is damaged.
    tiny.experiment.write_text(TINY.replace("games = 200", "games = 2"))
    with sqlite3.connect(tiny.ledger("control")) as file:
        file.execute("UPDATE games SET twelfths = 12 - twelfths")
    assert "connect4.control.base" in tiny.said("record", code=1)
    assert "control" not in "".join(key_of(one.match["players"][0]) for one in read_records(path))


def test_what_novelty_costs_is_measured(tiny: Tiny) -> None:
    assert "seconds must be from 0" in tiny.said("time", "--seconds", "-1", code=1)
    path = tiny.root / "data/results/times.json"
    assert not path.exists()
    tiny.said("time", "--seconds", "0")
    times = read_times(path)
    assert times is not None
    assert [game.game for game in times.static_values] == list(TIMED_GAMES)
    assert times.command.endswith(" --threads 1 --seconds 0")
    assert "pseudocount-features" in times.static_values[0].ratios


END_GAME = "X" * 8 + "O" * 24 + "-" + "X" * 31 + " O A4:+6; H1:0; B2:-2;"


def test_what_a_move_loses() -> None:
    (position,) = end_games(END_GAME)
    assert (
        position.position
        == "XXXXXXXX/OOOOOOOO/OOOOOOOO/OOOOOOOO/.XXXXXXX/" + 2 * "XXXXXXXX/" + ("XXXXXXXX w")
    )
    assert position.moves == {"a5": 6, "h8": 0, "b7": -2}
    assert [position.lost_by(move) for move in position.moves] == [(0, 0), (1, 6), (2, 8)]
    assert position.random_share == 2 / 3
    lost = replace(position, moves={"a5": -6, "h8": -2})
    assert lost.lost_by("a5") == (0, 4) and lost.random_share == 0


def test_a_page_of_errors() -> None:
    positions = [
        Position("connect4", 1, "connect4", str(place), {"a1": 1, "b1": -1, "c1": -1, "d1": -1})
        for place in range(10)
    ]
    steps = [2] + [0] * 9
    none = Errors("connect4", "network", {}, 1, "5167", [0] * 10, [0] * 10)
    errors = [none, Errors("connect4", "playouts", {}, 10, "5167", steps, steps)]
    page = truth_page(positions, errors)
    for part in (
        "10 positions. A random move: 75.0%.",
        "| simulations | 1 | 10 |",
        "| network | 0.0% [0.0%, 27.8%] | - |",
        "| playouts | - | 10.0% [1.8%, 40.4%] |",
        "`5167`",
        "./dev results truth --positions 10 --seed 1 --most 10\n",
    ):
        assert part in page
    assert "Discs lost" not in page
    assert errors[1].mean_points == pytest.approx((0.2, 0.4524), abs=1e-4)
    figure = errors_figure(errors)
    assert ">network<" in figure and ">playouts<" in figure
    assert "**Not measured.**" in truth_page([], [])


def test_errors_are_measured_once(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tiny.root / "cache"))
    (tiny.root / "data/networks").mkdir(parents=True)
    for name in (
        "data/networks/connect4.safetensors",
        "data/networks/othello.safetensors",
        "tests",
    ):
        (tiny.root / name).symlink_to(REPOSITORY / name)
    tiny.said("truth", "--positions", "2", "--most", "10")
    drawn = read_positions(tiny.root)
    sets = {"connect4": 2, "othello": 2, "teeko": 2, "othello-ffo": 20}
    assert Counter(one.set for one in drawn) == sets
    assert all(0 < one.random_share < 1 for one in drawn[:6])
    errors = read_errors(tiny.root)
    by_network = {name for name, options in PLAYERS.items() if options["preset"] == "network"}
    assert len(errors) == (len(sets) * len(PLAYERS) - len(by_network)) * 2  # teeko has none
    assert not any(one.set == "teeko" and one.player in by_network for one in errors)
    assert {one.simulations for one in errors} == {1, 10}
    whole = [tiny.text(f"data/results/{name}.jsonl") for name in (POSITIONS_NAME, ERRORS_NAME)]
    ended = whole[1].splitlines(keepends=True)[:-4]
    path = tiny.root / f"data/results/{ERRORS_NAME}.jsonl"
    path.write_text("".join(ended))
    tiny.said("truth", "--most", "10")
    assert [
        tiny.text(f"data/results/{name}.jsonl") for name in (POSITIONS_NAME, ERRORS_NAME)
    ] == whole
    assert "has connect4 with another seed" in tiny.said("truth", "--seed", "2", code=1)
    path.write_text(whole[1].replace('"preset":"uct"', '"preset":"paper"', 1))
    assert "playouts had other options" in tiny.said("truth", code=1)
    path.write_text(whole[1].replace('"steps":[', '"steps":[1,', 1))
    assert "has other positions than" in tiny.said("truth", code=1)
    path.write_text("{")
    assert f"{path}: not the records" in tiny.said("truth", code=1)


def test_a_place_without_tables_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["write", "--repository", str(tmp_path)]) == 1
    assert f"there is no folder {tmp_path}/data/experiments" in capsys.readouterr().err
