#!/usr/bin/python3
"""Puts faults into a copy of the sources, and tells which tests notice.

A fault replaces one text, which stands in one place of the sources, by another. The copy is built with each fault of
faults.toml in turn. With --draw, drawn.py makes faults of lines that a seed draws, and one build has all those in C++
behind numbers (switched.py). Built one at a time are then the few that cannot wait until a program runs, and again
those in functions that the compiler may evaluate and that nothing noticed behind their number.

Each test runs once without a fault, which tells how long it takes, and which faults behind numbers it reaches. A fault
is tried with the tests of its room that reach it: first those of its own folder, then those of the folders above it,
the shortest first, until one fails twice with the fault, or takes three times as long as without it, and then, where
that needs no build, passes without it.

Results stay in build/faults, and the script goes on where it was stopped. A fault that does not compile is left out of
the score, as is one that equivalent.toml names, which changes nothing that anybody can see.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import re
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from copies import ROOT, WEB, WORK, Copy, built_copy, files_of_repository, text_of
from drawn import LANGUAGES, Change, Fault, drawn
from suite import Test, tests_of

LIST = ROOT / "tests" / "faults" / "faults.toml"
EQUIVALENT = ROOT / "tests" / "faults" / "equivalent.toml"
RESULTS = WORK / "results.jsonl"
REACHED = WORK / "reached.jsonl"
WORKERS = 2  # faults that are tried at once
ROOMS = {"environment", "games", "engine", "protocol", "server", "clients"}
KINDS = {".hpp", ".cpp", ".py", ".ts", ".toml"}
NOT_RUN = "faults: "  # the test that looks for the texts that faults replace
PYTHON = ROOT / "build" / "python"  # of ./dev test python
OF_PYTHON = "^python: |^adapters: |^clients/(training|growing)/"
OF_PAGE = "^page$"


@dataclass(frozen=True)
class Result:
    name: str
    digest: str
    is_built: bool
    noticed: list[str]
    tests: int  # that were run


@dataclass(frozen=True)
class Run:
    """Of a test, without a fault."""

    test: str
    digest: str  # of the sources and of the test
    succeeds: bool
    seconds: float
    reached: list[str]  # digests of faults


def read_sources(kinds: set[str]) -> dict[Path, str]:
    return {
        path: text_of(path)
        for path in files_of_repository()
        if path.parts[0] in ROOMS and path.suffix in kinds
    }


def read_faults() -> list[Fault]:
    """Ends the script if the list has mistakes, with all of them."""
    sources = read_sources(KINDS)
    faults: list[Fault] = []
    mistakes: list[str] = []
    for number, entry in enumerate(tomllib.loads(LIST.read_text(encoding="utf-8"))["fault"], 1):
        name = entry.get("name", f"fault {number}")
        missing = [key for key in ("name", "old", "new", "breaks") if key not in entry]
        if missing:
            mistakes.append(f"{name}: there is no {', '.join(missing)}")
            continue
        old, new = entry["old"], entry["new"]
        if old == new:
            mistakes.append(f"{name}: old and new are the same")
        if any(fault.name == name for fault in faults):
            mistakes.append(f"{name}: another fault has this name")
        places = [path for path, text in sources.items() for _ in range(text.count(old))]
        if len(places) != 1:
            mistakes.append(
                f"{name}: its text stands in {len(places)} places of the sources, not in one"
            )
            continue
        start = sources[places[0]].index(old)
        faults.append(Fault(name, old, new, places[0], Change(start, start + len(old), new)))
    if mistakes:
        raise SystemExit("\n".join(mistakes))
    return faults


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        try:
            yield json.loads(line)
        except ValueError:  # it was cut off
            continue


def add_line(file: Path, values: Result | Run) -> None:
    with file.open("a", encoding="utf-8") as lines:
        lines.write("\n" + json.dumps(vars(values)))


def read_results() -> dict[str, Result]:
    """The last one of each fault, by its digest."""
    return {line["digest"]: Result(**line) for line in lines_of(RESULTS)}


def patterns_of(place: Path) -> list[str]:
    """Of the names of the tests for a source, the nearest first."""
    if place.suffix == ".py" or place.is_relative_to("clients/python"):
        return [OF_PYTHON]
    if place.suffix == ".ts":
        return [OF_PAGE]
    folders = place.parent.parts
    return ["^" + "/".join(folders[:count]) + "/" for count in range(len(folders), 0, -1)]


def tests_in(python: Path, name: str, place: str) -> list[Test]:
    """Those that CTest does not know; none without the Python that has what they need."""
    package, programs = Copy.folder / "clients" / "python", Copy.build_folder / "bin"
    environment = {"PITBOSS_BIN": str(programs), "PYTHONPATH": str(package)}
    command = [str(python / "bin/python"), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    test = Test(name, [*command, place], environment, str(Copy.folder), is_alone=False)
    return [test] if python.exists() else []


def all_tests() -> list[Test]:
    tests = tests_of(Copy.build_folder) + tests_in(WEB, "page", "tests/clients/web")
    for file in sorted((ROOT / "tests" / "adapters").glob("*_test.py")):
        name = "adapters: " + file.stem.removesuffix("_test")
        tests += tests_in(PYTHON, name, f"tests/adapters/{file.name}")
    return tests


class Trials:
    def __init__(self, copy: Copy, tests: list[Test], is_thorough: bool) -> None:
        self.copy = copy
        self.tests = tests
        self.is_thorough = is_thorough
        self.runs: dict[str, Run] = {}

    def patterns(self, fault: Fault) -> list[str]:
        return patterns_of(fault.place) + ["."] * self.is_thorough

    def prepare(self, faults: Iterable[Fault]) -> None:
        """Runs the tests that may notice these faults, unless it is known what they do."""
        patterns = {self.patterns(fault)[-1] for fault in faults}
        digest = self.copy.digest()
        known = {(line["test"], line["digest"]): Run(**line) for line in lines_of(REACHED)}

        def run(test: Test) -> None:
            source = next((ROOT / "tests").glob(f"**/{test.name.split(': ')[-1]}_test.*"), LIST)
            own = digest + hashlib.sha256(source.read_bytes()).hexdigest()[:16]
            if (test.name, own) not in known:
                self.runs[test.name] = self.run_of(test, own)
                add_line(REACHED, self.runs[test.name])
            else:
                self.runs[test.name] = known[test.name, own]

        due = [
            test
            for test in self.tests
            if test.name not in self.runs
            and not test.name.startswith(NOT_RUN)
            and any(re.search(pattern, test.name) for pattern in patterns)
        ]
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(run, due))

    def run_of(self, test: Test, digest: str) -> Run:
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(2):
                done = test.run({"PITBOSS_REACHED": folder})
                if done.succeeds:
                    break
            else:
                print(f"{test.name} fails without a fault, and is left out", flush=True)
            numbers = [int(file.name) for file in Path(folder).iterdir()]
        reached = [self.copy.faults[number].digest() for number in sorted(numbers)]
        return Run(test.name, digest, done.succeeds, done.seconds, reached)

    def tests_for(self, fault: Fault, are_reached: bool) -> Iterator[Test]:
        left = [test for test in self.tests if test.name in self.runs]
        for pattern in self.patterns(fault):
            near = [test for test in left if re.search(pattern, test.name)]
            left = [test for test in left if test not in near]
            for test in sorted(near, key=lambda test: self.runs[test.name].seconds):
                run = self.runs[test.name]
                if run.succeeds and (not are_reached or fault.digest() in run.reached):
                    yield test

    def notices(self, test: Test, number: str) -> str:
        """How the test tells of the fault that is in the copy, or has this number; nothing if it does not."""
        limit = 20 + 3 * self.runs[test.name].seconds
        for _ in range(2):
            done = test.run({"PITBOSS_FAULT": number}, limit)
            if done.succeeds:
                return ""
            if done.is_late:
                break
        if number and not test.run({}).succeeds:
            return ""
        return f"{test.name} ({done.case()})" if done.case() else test.name

    def try_switched(self, number: int) -> Result:
        fault = self.copy.faults[number]
        return self.tried(fault, self.tests_for(fault, are_reached=True), str(number))

    def try_built(self, fault: Fault) -> Result:
        """With the fault itself in the copy."""
        self.copy.write(fault)
        try:
            if not self.copy.compiles(fault.place):
                return Result(fault.name, fault.digest(), False, [], 0)
            tests = self.tests_for(fault, are_reached=fault.place.suffix == ".py")
            return self.tried(fault, tests, "")
        finally:
            self.copy.write()

    def tried(self, fault: Fault, tests: Iterable[Test], number: str) -> Result:
        """Until one notices."""
        noticed: list[str] = []
        count = 0
        for count, test in enumerate(tests, 1):
            if told := self.notices(test, number):
                noticed = [told]
                break
        return Result(fault.name, fault.digest(), True, noticed, count)


def score_of(results: list[Result]) -> str:
    """How many were noticed, with the 95 % interval of Wilson."""
    n = len(results)
    noticed = sum(bool(result.noticed) for result in results)
    if n == 0:
        return "0 of 0"
    z, share = 1.96, noticed / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low, high = middle - half, middle + half
    return f"{noticed} of {n} ({share:.0%}, {low:.0%} to {high:.0%})"


def tell_scores(faults: list[Fault], results: dict[str, Result]) -> None:
    """Of drawn faults, by room."""
    equivalent = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    rooms: dict[str, list[Result]] = {}
    tried = [results[fault.digest()] for fault in faults if fault.digest() in results]
    for fault in faults:
        result = results.get(fault.digest())
        if result and result.is_built and fault.digest() not in equivalent:
            rooms.setdefault(fault.room(), []).append(result)
            if not result.noticed:
                print(f"not noticed: {fault.digest()} {fault.name}")
    for room, some in sorted(rooms.items()):
        print(f"{room}: {score_of(some)}")
    print(f"all rooms: {score_of([result for some in rooms.values() for result in some])}")
    broken = sum(not result.is_built for result in tried)
    same = sum(result.is_built and result.digest in equivalent for result in tried)
    print(f"tried: {len(tried)} of {len(faults)}; {broken} do not compile, {same} change nothing")


def try_all(faults: list[Fault], due: set[str], is_switched: bool, is_thorough: bool) -> None:
    """Those of the faults whose digests are due; behind numbers, where they can be."""
    if any(fault.digest() in due and fault.place.suffix == ".ts" for fault in faults):
        if not WEB.exists():
            raise SystemExit("the faults of the page need ./dev browser")
    copy = built_copy(faults if is_switched else [])
    trials = Trials(copy, all_tests(), is_thorough)
    built = {fault.digest(): fault for fault in faults if fault.digest() in due}
    behind = []
    for number, fault in copy.faults.items():
        if copy.switch_of(number) and built.pop(fault.digest(), None):
            behind.append(number)

    def tell(result: Result, began: float) -> None:
        add_line(RESULTS, result)
        nobody = f"NOBODY, of {result.tests} tests" if result.is_built else "DOES NOT BUILD"
        told = "".join(result.noticed) or nobody
        print(f"{result.name} ({time.monotonic() - began:.0f} s): {told}", flush=True)

    def try_one(number: int) -> None:
        began = time.monotonic()
        result = trials.try_switched(number)
        switch = copy.switch_of(number)
        if switch and switch.when_compiled and not result.noticed:
            built[result.digest] = copy.faults[number]
        else:
            tell(result, began)

    trials.prepare(copy.faults[number] for number in behind)
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(try_one, behind))
    suffixes = [".py", ".ts", ".cpp", ".hpp"]  # what is built longest comes last
    trials.prepare(built.values())
    for fault in sorted(built.values(), key=lambda fault: suffixes.index(fault.place.suffix)):
        began = time.monotonic()
        tell(trials.try_built(fault), began)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="these faults only")
    parser.add_argument("--again", action="store_true", help="forget the results of earlier runs")
    parser.add_argument(
        "--unnoticed", action="store_true", help="once more those that nothing noticed"
    )
    parser.add_argument(
        "--thorough", action="store_true", help="all tests, where the room's notice nothing"
    )
    parser.add_argument(
        "--places", action="store_true", help="only read the list, and look for the texts"
    )
    parser.add_argument("--draw", type=int, metavar="N", help="so many drawn faults, not the list")
    parser.add_argument(
        "--seed",
        type=int,
        action="append",
        help="of the draw (default: 1); several are drawn apart",
    )
    parser.add_argument("--scores", action="store_true", help="only tell what is known")
    arguments = parser.parse_args()

    if arguments.draw:
        sources = read_sources(set(LANGUAGES))
        draws = [list(drawn(sources, arguments.draw, seed)) for seed in arguments.seed or [1]]
    else:
        draws = [read_faults()]
    faults = [fault for draw in draws for fault in draw]
    if unknown := set(arguments.names) - {fault.name for fault in faults}:
        parser.error("there is no fault " + ", ".join(sorted(unknown)))
    if arguments.places:
        print(f"{len(faults)} faults, each with its place in the sources")
        return 0

    WORK.mkdir(parents=True, exist_ok=True)
    if not arguments.scores:
        lock = (WORK / "lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SystemExit("another faults.py is at work here") from None
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        results = {} if arguments.again else read_results()
        due = {
            fault.digest()
            for fault in faults
            if fault.digest() not in results
            or (arguments.unnoticed and not results[fault.digest()].noticed)
        }
        if arguments.names:
            due = {fault.digest() for fault in faults if fault.name in arguments.names}
        if due:
            try_all(faults, due, bool(arguments.draw), arguments.thorough)

    results = read_results()
    for draw in draws if arguments.draw else []:
        tell_scores(draw, results)
    if arguments.draw:
        return 0
    tried = [results[fault.digest()] for fault in faults if fault.digest() in results]
    missed = [result.name for result in tried if not result.noticed]
    print(f"{len(tried) - len(missed)} of {len(tried)} faults are noticed")
    return 0 if len(missed) <= len(tried) / 10 else 1


if __name__ == "__main__":
    sys.exit(main())
