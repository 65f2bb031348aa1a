"""Faults that nobody chose: lines of the sources are drawn by a seed, and each is changed by a rule of a table.

The draw orders all lines by a hash of the seed and of their text, so that it stays nearly the same when the sources
change elsewhere.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

# What stands in strings and comments is not changed.
CPP_TEXT = re.compile(
    r'R"(?P<end>\w*)\((?s:.*?)\)(?P=end)"|"(?:\\.|[^"\\\n])*"|(?<!\d)\'(?:\\.|[^\'\\\n])+\'|//[^\n]*'
)
TYPESCRIPT_TEXT = re.compile(r"`(?:\\.|[^`\\])*`|" + CPP_TEXT.pattern)
PYTHON_TEXT = re.compile(r'"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*')
MASK = "\v"  # for each of their characters

# A pattern, of which the group `kept` stays, and what stands instead, with {} for what stood there; or what a number
# grows by.
Rule = tuple[str, str]


@dataclass(frozen=True)
class Change:
    """What stands in a text instead of what is from `start` to `end`."""

    start: int
    end: int
    new: str

    def applied_to(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True)
class Fault:
    """`old` stands in one place of the source `place`."""

    name: str
    old: str
    new: str
    place: Path
    change: Change  # of the source

    def digest(self) -> str:
        return hashlib.sha256(f"{self.place}\0{self.old}\0{self.new}".encode()).hexdigest()[:16]

    def room(self) -> str:
        of_language = {".py": "clients/python", ".ts": "clients/web"}
        return of_language.get(self.place.suffix, self.place.parts[0])


def words(*rules: Rule) -> list[Rule]:
    """Of operators and words; between texts `+` has no other operator in its stead."""
    return [(rf"(?<!{MASK}){old}(?!{MASK})", new) for old, new in rules]


NESTED = r"(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*"  # brackets in it are in pairs
BOTH = [
    *words((" <= ", " < "), (" < ", " <= "), (" >= ", " > "), (" > ", " >= ")),
    *words((" == ", " != "), (" != ", " == ")),
    *words((r" \+ ", " - "), (" - ", " + "), (r" \+= ", " -= "), (" -= ", " += ")),
    *words((r"\bmin\(", "max("), (r"\bmax\(", "min(")),
    (r"(?<![\w.'])\d+(?![\w.'])", "+1"),
    (r"(?<![\w.'])[1-9]\d*(?![\w.'])", "-1"),
]
CPP = [
    *BOTH,
    *words((" && ", " || "), (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true")),
    *words((r"\+\+", "--"), ("--", "++")),
    (rf"(?<=\bif \(){NESTED}(?=\))", "!({})"),
    (
        rf"^(?P<kept> *)(?!return|throw|using|static_assert|co_)[\w:.>\[\]-]+\({NESTED}\);$",
        ";",
    ),
    (r"^(?P<kept> *)[\w:.>\[\]-]+ [-+|&^*]?= [^{}]*;$", ";"),
]
PYTHON = [
    *BOTH,
    *words((" and ", " or "), (" or ", " and "), (r"\bTrue\b", "False"), (r"\bFalse\b", "True")),
    *words((r" is None\b", " is not None"), (r" is not None\b", " is None"), (" not in ", " in ")),
    (r"(?<=\bif ).*(?=:$)", "not ({})"),
    (rf"^(?P<kept> +)(?!return|raise|assert)(?:await )?[\w.\[\]]+\({NESTED}\)$", "pass"),
    (r"^(?P<kept> +)(?:\w+[.\[][\w.\[\]]* |\w+ [-+|])= .*[^,(\[{]$", "pass"),
]


TYPESCRIPT = [*CPP, *words((" === ", " !== "), (" !== ", " === "))]

# For each ending of a file's name, what is not changed, and the rules.
LANGUAGES = {
    ".cpp": (CPP_TEXT, CPP),
    ".hpp": (CPP_TEXT, CPP),
    ".py": (PYTHON_TEXT, PYTHON),
    ".ts": (TYPESCRIPT_TEXT, TYPESCRIPT),
}


def mask(text: str, kept_out: re.Pattern[str]) -> str:
    return kept_out.sub(lambda some: re.sub(r"[^\n]", MASK, some[0]), text)


def changes_of(line: str, masked: str, rules: list[Rule]) -> Iterator[Change]:
    """Of the line, one each."""
    for pattern, new in rules:
        for found in re.finditer(pattern, masked):
            start, end = found.span()
            if "kept" in found.groupdict():
                start = found.end("kept")
            if new in {"+1", "-1"}:
                yield Change(start, end, str(int(found[0]) + int(new)))
            else:
                yield Change(start, end, new.replace("{}", line[start:end]))


def around(lines: list[str], at: int, text: str) -> tuple[int, int]:
    """The fewest whole lines about line `at` that stand in one place of the text: first and end."""
    first, end = at, at + 1
    while text.count("".join(lines[first:end])) > 1:
        first, end = max(first - 1, 0), min(end + 1, len(lines))
    return first, end


def drawn(sources: Mapping[Path, str], count: int, seed: int) -> Iterator[Fault]:
    """So many faults."""

    def order(*parts: object) -> str:
        return hashlib.sha256("\0".join(map(str, (seed, *parts))).encode()).hexdigest()

    found = []
    for path, text in sources.items():
        kept_out, rules = LANGUAGES[path.suffix]
        times: Counter[str] = Counter()
        for at, (line, plain) in enumerate(zip(text.split("\n"), mask(text, kept_out).split("\n"))):
            times[line] += 1
            changes = {change.applied_to(line): change for change in changes_of(line, plain, rules)}
            if changes and not plain.lstrip().startswith(("#", "import ", "from ")):
                new = min(changes, key=lambda new: order(path, line, times[line], new))
                found.append((order(path, line, times[line]), path, at, new, changes[new]))
    for _, path, at, new, change in sorted(found, key=lambda one: one[0])[:count]:
        lines = sources[path].splitlines(keepends=True)
        first, end = around(lines, at, sources[path])
        changed = [*lines[first:at], new + "\n", *lines[at + 1 : end]]
        name = f"{path}:{at + 1}: {lines[at].strip()} -> {new.strip()}"
        before = sum(map(len, lines[:at]))
        in_source = Change(before + change.start, before + change.end, change.new)
        yield Fault(name, "".join(lines[first:end]), "".join(changed), path, in_source)
