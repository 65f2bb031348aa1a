"""Which tests reach a line of a source: each runs once in a build that counts with gcov what runs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import takewhile
from os import cpu_count, devnull, environ
from pathlib import Path


@dataclass(frozen=True)
class Test:
    name: str
    number: int  # CTest's, from 1
    is_alone: bool  # nothing may run beside it


def tests_of(build: Path) -> list[Test]:
    listed = subprocess.run(
        ["ctest", "--test-dir", build, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True
    )
    tests = json.loads(listed.stdout)["tests"]
    alone = {"name": "RUN_SERIAL", "value": True}
    return [
        Test(test["name"], number, alone in test["properties"])
        for number, test in enumerate(tests, 1)
    ]


def line_of(text: str, old: str, new: str) -> int:
    """The first line that is another one once `old`, which stands in the text once, is `new`. Counted from 1."""
    pairs = zip(old.splitlines(), new.splitlines())
    equal = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return text[: text.index(old)].count("\n") + equal + 1


def has_run(counts: dict[int, int], line: int) -> bool:
    """Of a line that gcov does not count, the last one before it that it counts tells."""
    counted = sorted(counts)
    place = bisect_right(counted, line)
    return place > 0 and counts[counted[place - 1]] > 0


def source_of(note: Path) -> Path:
    """What was compiled, for CMake's ROOM/CMakeFiles/TARGET.dir/SOURCE.gcno."""
    folders = [part for part in note.parts if not part.endswith(("CMakeFiles", ".dir"))]
    return Path(*folders).with_suffix("")


def succeeds(build: Path, test: Test, folder: Path) -> bool:
    """Runs the test, whose programs write into the folder what they count."""
    command = ["ctest", "--test-dir", str(build), "--repeat", "until-pass:2"]
    command += ["-I", f"0,0,0,{test.number}"]
    counting = {**environ, "GCOV_PREFIX": str(folder), "GCOV_ERROR_FILE": devnull}
    return subprocess.run(command, env=counting, capture_output=True).returncode == 0


def counted(notes: list[Path], folder: Path) -> Iterator[tuple[str, dict[int, int]]]:
    """Of each source that these notes describe, how often its lines ran."""
    data = []
    for note in notes:
        file = folder / note.relative_to("/").with_suffix(".gcda")
        if file.exists():
            file.with_suffix(".gcno").symlink_to(note)
            data.append(str(file))
    if not data:
        return
    command = ["gcov", "--json-format", "--stdout", *data]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    for document in output.splitlines():
        for source in json.loads(document)["files"]:
            counts: dict[int, int] = defaultdict(int)
            for line in source["lines"]:
                counts[line["line_number"]] += line["count"]
            yield source["file"], counts


def reaching_tests(
    build: Path, pattern: str, lines: set[tuple[Path, int]], scratch: Path
) -> tuple[set[int], dict[tuple[Path, int], set[int]]]:
    """Runs the tests whose names match `pattern`: the numbers of those that pass, and for these lines, of sources
    relative to the folder that CMake was given, of those that reach them. `build` is compiled with --coverage.
    """
    places = [place for place, _ in lines]
    wanted = [
        note for note in build.rglob("*.gcno") if source_of(note.relative_to(build)) in places
    ]
    passed: set[int] = set()
    reached: dict[tuple[Path, int], set[int]] = {line: set() for line in lines}

    def try_test(test: Test) -> None:
        folder = scratch / str(test.number)
        if succeeds(build, test, folder):
            passed.add(test.number)
            for name, counts in counted(wanted, folder):
                for source, line in lines:
                    if name.endswith(f"/{source}") and has_run(counts, line):
                        reached[source, line].add(test.number)
        else:
            print(f"{test.name} fails without a fault, and is left out", flush=True)
        shutil.rmtree(folder, ignore_errors=True)

    tests = [test for test in tests_of(build) if re.search(pattern, test.name)]
    with ThreadPoolExecutor(cpu_count()) as pool:
        list(pool.map(try_test, [test for test in tests if not test.is_alone]))
    for test in tests:
        if test.is_alone:
            try_test(test)
    return passed, reached
