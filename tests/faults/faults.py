#!/usr/bin/python3
"""Puts the faults of faults.toml into a copy of the sources, one at a time, and tells which tests notice.

A fault replaces one text, which stands in one place of the sources, by another. The script builds the faulty
copy as release does, counting what runs, and runs the tests of the room that the faulty source lies in: first those of
its own folder, then, while nothing has failed, those of the folders above it. For a source (not a header) it leaves out
the tests that do not reach the faulty line. A fault that does not compile is noticed by nobody: it has to be written
anew. Results stay in build/faults, and the script goes on where it was stopped.

With --draw the faults are not those of the list: drawn.py makes them of lines that a seed draws. One that does not
compile is left out of the score, as is one that equivalent.toml names, which changes nothing that anybody can see.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from xml.etree import ElementTree

from drawn import LANGUAGES, drawn
from reach import line_of, reaching_tests

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests" / "faults" / "faults.toml"
EQUIVALENT = ROOT / "tests" / "faults" / "equivalent.toml"
WORK = ROOT / "build" / "faults"
COPY = WORK / "sources"
BUILD = COPY / "build" / "faults"
LOG = WORK / "last.log"
JUNIT = WORK / "last.xml"
COUNTS = WORK / "counts"  # where programs write how often their lines ran
WEB = ROOT / "build" / "web"  # of ./dev browser
TSC = [str(WEB / "bin/node"), str(WEB / "node/node_modules/.bin/tsc")]
COUNTING = {**os.environ, "GCOV_PREFIX": str(COUNTS), "GCOV_ERROR_FILE": os.devnull}
COUNTING["PITBOSS_BIN"] = str(BUILD / "bin")  # for the tests of the page
ROOMS = {"environment", "games", "engine", "protocol", "server", "clients"}
KINDS = {".hpp", ".cpp", ".py", ".ts", ".toml"}
BUILT = {".git", ".mypy_cache", "__pycache__", "build", "run"}
HOUR = 3600  # seconds
LONGEST_TEST = 300  # seconds
NOT_RUN = "^faults: "  # the test that looks for the texts that faults replace


@dataclass(frozen=True)
class Fault:
    name: str
    old: str
    new: str
    place: Path

    def digest(self) -> str:
        return hashlib.sha256(f"{self.place}\0{self.old}\0{self.new}".encode()).hexdigest()[:16]

    def line(self) -> tuple[Path, int]:
        text = (COPY / self.place).read_text(encoding="utf-8")
        return self.place, line_of(text, self.old, self.new)

    def room(self) -> str:
        of_language = {".py": "clients/python", ".ts": "clients/web"}
        return of_language.get(self.place.suffix, self.place.parts[0])


@dataclass(frozen=True)
class Result:
    name: str
    digest: str
    is_built: bool
    noticed: list[str]


def files_of_repository() -> list[Path]:
    """Without what was built: any clone or unpacked archive will do."""
    found: list[Path] = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            name for name in folders if name not in BUILT and not name.endswith(".egg-info")
        ]
        found += [(Path(folder) / name).relative_to(ROOT) for name in files]
    return sorted(found)


def read_sources(kinds: set[str]) -> dict[Path, str]:
    return {
        path: (ROOT / path).read_text(encoding="utf-8")
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
        if entry["old"] == entry["new"]:
            mistakes.append(f"{name}: old and new are the same")
        if any(fault.name == name for fault in faults):
            mistakes.append(f"{name}: another fault has this name")
        places = [path for path, text in sources.items() for _ in range(text.count(entry["old"]))]
        if len(places) != 1:
            mistakes.append(
                f"{name}: its text stands in {len(places)} places of the sources, not in one"
            )
            continue
        faults.append(Fault(name, entry["old"], entry["new"], places[0]))
    if mistakes:
        raise SystemExit("\n".join(mistakes))
    return faults


def read_results(file: Path, faults: list[Fault]) -> dict[str, Result]:
    """The last result of each fault, unless the fault has changed since."""
    digests = {fault.name: fault.digest() for fault in faults}
    results: dict[str, Result] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        try:
            result = Result(**json.loads(line))
        except (ValueError, TypeError):  # a line that was cut off
            continue
        if digests.get(result.name) == result.digest:
            results[result.name] = result
    return results


def add_result(results: Path, result: Result) -> None:
    with results.open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(vars(result)) + "\n")


def copy_tree() -> None:
    """Brings the copy up to date; a file that is equal keeps its time, so that nothing is built in vain."""
    files = files_of_repository()
    for path in files:
        source, target = ROOT / path, COPY / path
        if not target.exists() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    known = set(files)
    for path in COPY.rglob("*"):
        if (
            path.is_file()
            and BUILD.parent not in path.parents
            and path.relative_to(COPY) not in known
        ):
            path.unlink()


def run(command: list[str], limit: float) -> bool:
    """Whether the command succeeds. Nothing that it has started is left behind."""
    with LOG.open("wb") as log:
        child = subprocess.Popen(
            command, cwd=COPY, env=COUNTING, stdout=log, stderr=log, start_new_session=True
        )
        try:
            return child.wait(limit) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            shutil.rmtree(COUNTS, ignore_errors=True)


def build() -> bool:
    return run(["cmake", "--build", str(BUILD)], HOUR)


def compiles(source: Path) -> bool:
    """Builds the copy after a change to one of its sources."""
    if source.suffix == ".py":
        return run([sys.executable, "-m", "py_compile", str(source)], HOUR)
    typed = source.suffix != ".ts" or run([*TSC, "--project", "clients/web"], HOUR)
    return typed and build()


def failures_among(pattern: str, without: str, numbers: set[int]) -> list[str]:
    """Runs those of the tests with these numbers whose names match `pattern` and not `without`, until one fails
    twice: the names of those that did, each with the first of its cases that did."""
    command = ["ctest", "--test-dir", str(BUILD), "--parallel", str(os.cpu_count() or 1)]
    command += ["--repeat", "until-pass:2", "--stop-on-failure", "--output-junit", str(JUNIT)]
    command += ["-R", pattern, "-E", without, "-I", "0,0,0," + ",".join(map(str, sorted(numbers)))]
    return told_by(command)


def failures_of_page() -> list[str]:
    """The first test of the page in a browser that fails."""
    command = [str(WEB / "bin/python"), "-m", "pytest", "-x", "-p", "no:cacheprovider"]
    command += ["tests/clients/web", "--junitxml", str(JUNIT)]
    return told_by(command)


def told_by(command: list[str]) -> list[str]:
    """The tests that failed, as the command's report in JUNIT names them."""
    JUNIT.unlink(missing_ok=True)
    succeeded = run(command, HOUR)
    found: list[str] = []
    if JUNIT.exists():
        for test in ElementTree.parse(JUNIT).getroot().iter("testcase"):
            if test.find("failure") is None:
                continue
            lines = (test.findtext("system-out") or "").splitlines()
            cases = [line for line in lines if line.startswith(("TEST CASE:", "FAILED "))]
            found.append(
                test.get("name", "") + (f" ({cases[0].split(maxsplit=2)[-1]})" if cases else "")
            )
    if not succeeded and not found and "No tests were found" not in LOG.read_text(errors="replace"):
        raise SystemExit(f"the tests could not be run: {LOG}")
    return found


def patterns_of(place: Path) -> list[str]:
    """What to run for a source, the nearest first: patterns of the names of tests."""
    if place.suffix == ".py":
        return ["^python: |^clients/(training|growing)/"]
    folders = place.parent.parts
    return ["^" + "/".join(folders[:count]) + "/" for count in range(len(folders), 0, -1)]


def try_fault(fault: Fault, tests: set[int], is_thorough: bool) -> Result:
    source = COPY / fault.place
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    try:
        is_built = compiles(source)
        if source.suffix == ".ts":
            noticed = failures_of_page() if is_built else []
            return Result(fault.name, fault.digest(), is_built, noticed)
        noticed = []
        without = NOT_RUN
        for pattern in patterns_of(fault.place) + ["."] * is_thorough:
            if is_built and tests and not noticed:
                noticed = failures_among(pattern, without, tests)
            without += "|" + pattern
        return Result(fault.name, fault.digest(), is_built, noticed)
    finally:
        source.write_text(text, encoding="utf-8")


def prepare(faults: list[Fault], is_thorough: bool) -> dict[str, set[int]]:
    """Builds the copy without a fault, and runs the tests that faults may be noticed by: for each fault, by its
    name, the numbers of those that pass and, for a source, reach its line. What is found is kept for as long as no
    file changes."""
    copy_tree()
    configure = ["cmake", "--preset", "release", "-B", str(BUILD), "-DCMAKE_UNITY_BUILD=OFF"]
    # g++ 12 sees overflows that are not there, in code that counts.
    configure += [
        "-DCMAKE_CXX_FLAGS=--coverage -Wno-stringop-overflow -Wno-array-bounds",
        f"-DPITBOSS_LONGEST_TEST={LONGEST_TEST}",
    ]
    if not run(configure, HOUR) or not build():
        raise SystemExit(f"the sources do not build without a fault: {LOG}")
    patterns = {"." if is_thorough else patterns_of(fault.place)[-1] for fault in faults}
    pattern = "|".join(sorted(patterns))
    known = WORK / f"reached-{digest_of(faults, pattern)}.json"
    if known.exists():
        return {
            name: set(numbers)
            for name, numbers in json.loads(known.read_text(encoding="utf-8")).items()
        }
    lines = {fault.name: fault.line() for fault in faults if fault.place.suffix == ".cpp"}
    passed, reached = reaching_tests(BUILD, pattern, set(lines.values()), COUNTS)
    tests = {
        fault.name: sorted(reached[lines[fault.name]] if fault.name in lines else passed)
        for fault in faults
    }
    known.write_text(json.dumps(tests), encoding="utf-8")
    return {name: set(numbers) for name, numbers in tests.items()}


def digest_of(faults: list[Fault], pattern: str) -> str:
    """Of all files, these faults and the names of the tests that may notice them."""
    digest = hashlib.sha256(pattern.encode())
    for fault in faults:
        digest.update(fault.digest().encode())
    for path in files_of_repository():
        digest.update(f"{path}\0".encode() + (ROOT / path).read_bytes())
    return digest.hexdigest()[:16]


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
    for fault in faults:
        result = results.get(fault.name)
        if result and result.is_built and fault.digest() not in equivalent:
            rooms.setdefault(fault.room(), []).append(result)
            if not result.noticed:
                print(f"not noticed: {fault.digest()} {fault.name}")
    for room, some in sorted(rooms.items()):
        print(f"{room}: {score_of(some)}")
    print(f"all rooms: {score_of([result for some in rooms.values() for result in some])}")


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
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    arguments = parser.parse_args()

    results_file = WORK / "results.jsonl"
    if arguments.draw:
        results_file = WORK / f"drawn-{arguments.seed}.jsonl"
        sources = read_sources(set(LANGUAGES))
        faults = [Fault(*one) for one in drawn(sources, arguments.draw, arguments.seed)]
    else:
        faults = read_faults()
    if unknown := set(arguments.names) - {fault.name for fault in faults}:
        parser.error("there is no fault " + ", ".join(sorted(unknown)))
    if arguments.names:
        faults = [fault for fault in faults if fault.name in arguments.names]
    if arguments.places:
        print(f"{len(faults)} faults, each with its place in the sources")
        return 0

    WORK.mkdir(parents=True, exist_ok=True)
    lock = (WORK / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SystemExit("another faults.py is at work here") from None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    if arguments.again:
        results_file.unlink(missing_ok=True)
    results = read_results(results_file, faults)
    if arguments.names:
        due = faults
    elif arguments.unnoticed:
        due = [
            fault for fault in faults if fault.name in results and not results[fault.name].noticed
        ]
    else:
        due = [fault for fault in faults if fault.name not in results]
    tests = prepare(faults, arguments.thorough) if due else {}
    for fault in due:
        began = time.monotonic()
        result = results[fault.name] = try_fault(fault, tests[fault.name], arguments.thorough)
        add_result(results_file, result)
        told = "; ".join(result.noticed) or ("NOBODY" if result.is_built else "DOES NOT BUILD")
        print(f"{fault.name} ({fault.place}, {time.monotonic() - began:.0f} s): {told}", flush=True)

    if arguments.draw:
        tell_scores(faults, results)
        return 0
    missed = [result.name for result in results.values() if not result.noticed]
    print(f"{len(results) - len(missed)} of {len(results)} faults are noticed")
    return 0 if len(missed) <= len(results) / 10 else 1


if __name__ == "__main__":
    sys.exit(main())
