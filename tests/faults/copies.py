"""A copy of the sources that is built with faults."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections import defaultdict
from pathlib import Path

from drawn import Change, Fault
from suite import outcome
from switched import Switch, switched, switches, telling

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "faults"
LOG = WORK / "last.log"
UNFIT = WORK / "unfit"  # the faults that did not compile behind a number
WEB = ROOT / "build" / "web"  # of ./dev browser
TSC = [str(WEB / "bin/node"), str(WEB / "node/node_modules/.bin/tsc")]
BUILT = {".git", ".mypy_cache", "__pycache__", "build", "run"}
LONGEST_BUILD = 6 * 3600  # seconds
# Where g++ says that an error is, or what leads there.
PLACE = re.compile(r"^(?:In file included from | +from )?([^\s:]+):(\d+)[:,]", re.MULTILINE)


def files_of_repository() -> list[Path]:
    """Without what was built: any clone or unpacked archive will do."""
    found: list[Path] = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            name for name in folders if name not in BUILT and not name.endswith(".egg-info")
        ]
        found += [(Path(folder) / name).relative_to(ROOT) for name in files]
    return sorted(found)


def text_of(place: Path) -> str:
    return (ROOT / place).read_text(encoding="utf-8")


class Copy:
    """Has these faults behind their numbers, from 1; those in Python only tell that they are reached. The other files
    are as they are in the repository."""

    folder = WORK / "sources"
    build_folder = folder / "build" / "faults"

    def __init__(self, faults: list[Fault]) -> None:
        distinct = {fault.digest(): fault for fault in faults}
        self.faults = dict(enumerate(distinct.values(), 1))
        self.switches: dict[Path, dict[int, Switch]] = {}
        self.texts: dict[Path, str] = {}
        places: dict[Path, dict[int, Change]] = defaultdict(dict)
        unfit = set(UNFIT.read_text().split()) if UNFIT.exists() else set()
        for number, fault in self.faults.items():
            if fault.digest() not in unfit:
                places[fault.place][number] = fault.change
        for place, changes in places.items():
            text = text_of(place)
            if place.suffix == ".py":
                self.texts[place] = telling(text, changes)
            elif place.suffix in {".cpp", ".hpp"}:
                self.switches[place] = switches(text, changes)
                if self.switches[place]:
                    self.texts[place] = switched(text, self.switches[place])

    def switch_of(self, number: int) -> Switch | None:
        return self.switches.get(self.faults[number].place, {}).get(number)

    def write(self, changed: Fault | None = None) -> None:
        """A file that is equal keeps its time, so that nothing is built in vain. The fault `changed` is in its source, and
        no other one."""
        files = files_of_repository()
        for path in files:
            target = self.folder / path
            wanted = (ROOT / path).read_bytes()
            if changed and path == changed.place:
                wanted = changed.change.applied_to(text_of(path)).encode()
            elif path in self.texts:
                wanted = self.texts[path].encode()
            if not target.exists() or target.read_bytes() != wanted:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(wanted)
                target.chmod((ROOT / path).stat().st_mode)
        for path in set(self.folder.rglob("*")) - {self.folder / path for path in files}:
            if path.is_file() and self.build_folder.parent not in path.parents:
                path.unlink()

    def digest(self) -> str:
        """Of all that is compiled."""
        digest = hashlib.sha256()
        for path in files_of_repository():
            if path.parts[0] != "tests" and path.suffix in {".cpp", ".hpp", ".py", ".txt"}:
                digest.update(f"{path}\0{self.texts.get(path, text_of(path))}".encode())
        return digest.hexdigest()[:16]

    def succeeds(self, command: list[str]) -> bool:
        done = outcome(command, {}, LONGEST_BUILD, self.folder)
        LOG.write_text(done.output)
        return done.succeeds

    def builds(self, most_errors: int = 1) -> bool:
        """The tests and what they start; 0 is for any number of errors."""
        command = ["ninja", "-C", str(self.build_folder), "-k", str(most_errors)]
        return self.succeeds([*command, "exact_tests", "memory_tests"])

    def compiles(self, place: Path) -> bool:
        if place.suffix == ".py":
            return self.succeeds([sys.executable, "-m", "py_compile", str(place)])
        typed = place.suffix != ".ts" or self.succeeds([*TSC, "--project", "clients/web"])
        return typed and self.builds()

    def configure(self) -> None:
        """Without warnings, which a fault may well cause, and optimised less than release, since a header is compiled
        with many sources."""
        command = ["cmake", "--preset", "release", "-B", str(self.build_folder)]
        command += ["-DCMAKE_CXX_FLAGS=-w -Wno-narrowing", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"]
        if not self.succeeds(command):
            raise SystemExit(f"the sources cannot be configured: {LOG}")

    def unfit(self) -> set[str]:
        """After a build that has failed: the faults behind numbers that it failed for."""
        found: set[str] = set()
        for error in re.split(r"\n(?=[^\n]*error: )", LOG.read_text())[1:]:
            found |= self.at(PLACE.findall(error)[:1]) or self.at(PLACE.findall(error))
        return found

    def at(self, lines: list[tuple[str, str]]) -> set[str]:
        """The faults behind numbers in these lines of files."""
        found = set()
        for name, line in lines:
            path = (self.build_folder / name).resolve()
            if not path.is_relative_to(self.folder):
                continue
            place = path.relative_to(self.folder)
            for number, switch in self.switches.get(place, {}).items():
                text = text_of(place)
                first = 1 + min(text.count("\n", 0, one.start) for one in switch.changes)
                last = 1 + max(text.count("\n", 0, one.end) for one in switch.changes)
                if first <= int(line) <= last:
                    found.add(self.faults[number].digest())
        return found


def built_copy(faults: list[Fault]) -> Copy:
    """With those of the faults behind numbers that compile there."""
    while True:
        copy = Copy(faults)
        copy.write()
        copy.configure()
        if copy.builds(most_errors=0):
            return copy
        unfit = copy.unfit()
        if not unfit:
            raise SystemExit(f"the sources do not build: {LOG}")
        print(f"behind a number, {len(unfit)} faults do not compile", flush=True)
        with UNFIT.open("a") as file:
            file.writelines(f"{digest}\n" for digest in sorted(unfit))
