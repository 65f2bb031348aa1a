#!/usr/bin/env python3
"""Puts the faults of faults.toml into a copy of the sources, one at a time, and tells which tests notice.

A fault replaces one text, which stands in one place of the sources, by another. The script builds the faulty
copy with -O1 and runs the tests of the room that the faulty source lies in: first those of its own folder, then,
while nothing has failed, those of the folders above it. A fault that does not compile counts as noticed by
nobody: it has to be written anew.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "faults"
COPY = WORK / "sources"
BUILD = COPY / "build" / "faults"
RESULTS = WORK / "results.jsonl"
LOG = WORK / "last.log"
ROOMS = ("games", "engine", "protocol", "server", "clients", "tls")
KINDS = {".hpp", ".cpp", ".py", ".js", ".toml"}


def copy_tree() -> None:
    """Brings the copy up to date; a file that is equal keeps its time, so that nothing is built in vain."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    names = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for name in names:
        source, target = ROOT / name, COPY / name
        if not target.exists() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    for path in COPY.rglob("*"):
        if (
            path.is_file()
            and BUILD.parent not in path.parents
            and str(path.relative_to(COPY)) not in names
        ):
            path.unlink()


def sources_in(root: Path) -> dict[Path, str]:
    """The texts of the sources, by path from the root."""
    files = [path for room in ROOMS for path in (root / room).rglob("*") if path.suffix in KINDS]
    return {path.relative_to(root): path.read_text() for path in files}


def place_of(fault: dict[str, str], sources: dict[Path, str]) -> Path:
    """The one source that has the text of a fault."""
    found = [path for path, text in sources.items() for _ in range(text.count(fault["old"]))]
    if len(found) != 1:
        raise SystemExit(
            f"{fault['name']}: its text stands in {len(found)} places of the sources instead of one"
        )
    return found[0]


def patterns_of(source: Path) -> list[str]:
    """What to run for a source, the nearest first: patterns of the names of tests."""
    if source.suffix == ".py":
        return ["^python: ", "^clients/(training|growing)/"]
    folders = list(source.parent.parts)
    return ["^" + "/".join(folders[:count]) + "/" for count in range(len(folders), 0, -1)] + ["."]


def run(command: list[str], limit: float) -> tuple[int, str]:
    environment = dict(os.environ, CTEST_OUTPUT_ON_FAILURE="1")
    try:
        done = subprocess.run(
            command,
            cwd=COPY,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit,
        )
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace") + "\ncut off\n"


def build() -> bool:
    code, output = run(["cmake", "--build", str(BUILD)], 3600)
    LOG.write_text(output)
    return code == 0


def failures(output: str) -> list[str]:
    """The tests that failed, each with the first of its cases that did."""
    found = []
    for block in re.split(r"^ *\d+/\d+ Test +#\d+: ", output, flags=re.M)[1:]:
        verdict = re.match(r"(.+?) \.*\*\*\*", block)
        if verdict and "***Skipped" not in block:
            case = re.search(r"^TEST CASE: +(.+)$|^FAILED (.+)$", block, re.M)
            name = verdict.group(1)
            found.append(f"{name} ({case.group(1) or case.group(2)})" if case else name)
    return found


def notice(source: Path, is_thorough: bool) -> list[str]:
    ctest = f"ctest --test-dir {BUILD} --parallel {os.cpu_count() or 1} --timeout 300".split()
    done = ["^faults: "]  # which looks for the texts that faults replace
    for pattern in patterns_of(source):
        if pattern == "." and not is_thorough:
            break
        code, output = run([*ctest, "-R", pattern, "-E", "|".join(done)], 3600)
        LOG.write_text(output)
        if code != 0 and "No tests were found" not in output:
            return failures(output) or ["a test that could not be named: see last.log"]
        done.append(pattern)
    return []


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="these faults only")
    parser.add_argument(
        "--again", action="store_true", help="also those whose result is known from an earlier run"
    )
    parser.add_argument(
        "--unnoticed", action="store_true", help="only those that the last run saw unnoticed"
    )
    parser.add_argument(
        "--thorough",
        action="store_true",
        help="all tests, where those of the folder notice nothing",
    )
    parser.add_argument(
        "--places", action="store_true", help="only whether the sources have each text, and once"
    )
    arguments = parser.parse_args()

    faults = tomllib.loads((ROOT / "tests/faults/faults.toml").read_text())["fault"]
    known: dict[str, dict[str, object]] = {}
    if RESULTS.exists():
        known = {
            result["name"]: result for result in map(json.loads, RESULTS.read_text().splitlines())
        }
    if arguments.names:
        faults = [fault for fault in faults if fault["name"] in arguments.names]
    elif arguments.unnoticed:
        faults = [
            fault
            for fault in faults
            if fault["name"] in known and not known[fault["name"]]["noticed"]
        ]
    elif not arguments.again and not arguments.places:
        faults = [fault for fault in faults if fault["name"] not in known]

    sources = sources_in(ROOT)
    places = {fault["name"]: place_of(fault, sources) for fault in faults}
    if arguments.places:
        print(f"{len(places)} faults, each with its place in the sources")
        return 0

    COPY.mkdir(parents=True, exist_ok=True)
    copy_tree()
    configure = [
        "cmake",
        "-S",
        str(COPY),
        "-B",
        str(BUILD),
        "-G",
        "Ninja",
        "-DCMAKE_BUILD_TYPE=Release",
    ]
    subprocess.run(
        [*configure, "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    if not build():
        raise SystemExit(f"the sources do not build without a fault: {LOG}")

    # The sources first: a faulty header has most of the code compiled anew.
    for fault in sorted(
        faults, key=lambda fault: (places[fault["name"]].suffix == ".hpp", places[fault["name"]])
    ):
        began = time.monotonic()
        relative = places[fault["name"]]
        source = COPY / relative
        text = source.read_text()
        source.write_text(text.replace(fault["old"], fault["new"]))
        try:
            noticed = notice(relative, arguments.thorough) if build() else []
            result = {
                "name": fault["name"],
                "source": str(relative),
                "noticed": noticed,
                "built": bool(noticed) or "FAILED:" not in LOG.read_text(),
                "seconds": round(time.monotonic() - began),
            }
        finally:
            source.write_text(text)
        with RESULTS.open("a") as file:
            file.write(json.dumps(result) + "\n")
        known[fault["name"]] = result
        told = "; ".join(noticed) if noticed else "NOBODY" if result["built"] else "DOES NOT BUILD"
        print(f"{fault['name']} ({relative}, {result['seconds']} s): {told}", flush=True)

    missed = [name for name, result in known.items() if not result["noticed"]]
    print(f"{len(known) - len(missed)} of {len(known)} faults are noticed")
    return 0 if len(missed) <= len(known) // 10 else 1


if __name__ == "__main__":
    sys.exit(main())
