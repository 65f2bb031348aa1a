"""Faults that nobody chose: lines of the sources are drawn by a seed, and each is changed by a rule of a table.

The draw orders all lines by a hash of the seed and of their text, so that it stays nearly the same when the sources
change elsewhere.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

# What stands in strings and comments is not changed.
CPP_TEXT = re.compile(r'R"\((?s:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*')
TYPESCRIPT_TEXT = re.compile(r"`(?:\\.|[^`\\])*`|" + CPP_TEXT.pattern)
PYTHON_TEXT = re.compile(r'"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*')
MASK = "\v"  # for each of their characters

Rule = tuple[
    str, str
]  # a pattern, and what stands instead, with the pattern's groups; or what a number grows by


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
    (rf"\bif \(({NESTED})\)", r"if (!(\1))"),
    (rf"^( *)(?!return|throw|using|static_assert|co_)[\w:.>\[\]-]+\({NESTED}\);$", r"\1;"),
    (r"^( *)[\w:.>\[\]-]+ [-+|&^*]?= [^{}]*;$", r"\1;"),
]
PYTHON = [
    *BOTH,
    *words((" and ", " or "), (" or ", " and "), (r"\bTrue\b", "False"), (r"\bFalse\b", "True")),
    *words((r" is None\b", " is not None"), (r" is not None\b", " is None"), (" not in ", " in ")),
    (r"\bif (.*):$", r"if not (\1):"),
    (rf"^( +)(?!return|raise|assert)(?:await )?[\w.\[\]]+\({NESTED}\)$", r"\1pass"),
    (r"^( +)(?:\w+[.\[][\w.\[\]]* |\w+ [-+|])= .*[^,(\[{]$", r"\1pass"),
]


TYPESCRIPT = [*CPP, *words((" === ", " !== "), (" !== ", " === "))]

# For each ending of a file's name, what is not changed, and the rules.
LANGUAGES = {
    ".cpp": (CPP_TEXT, CPP),
    ".hpp": (CPP_TEXT, CPP),
    ".py": (PYTHON_TEXT, PYTHON),
    ".ts": (TYPESCRIPT_TEXT, TYPESCRIPT),
}


def changes_of(line: str, masked: str, rules: list[Rule]) -> Iterator[str]:
    """The line with one change each."""
    for pattern, new in rules:
        for found in re.finditer(pattern, masked):
            if new in {"+1", "-1"}:
                text = str(int(found[0]) + int(new))
            else:
                text = re.sub(r"\\1", lambda _: line[slice(*found.span(1))], new)
            yield line[: found.start()] + text + line[found.end() :]


def around(lines: list[str], at: int, text: str) -> tuple[int, int]:
    """The fewest whole lines about line `at` that stand in one place of the text: first and end."""
    first, end = at, at + 1
    while text.count("".join(lines[first:end])) > 1:
        first, end = max(first - 1, 0), min(end + 1, len(lines))
    return first, end


def drawn(
    sources: Mapping[Path, str], count: int, seed: int
) -> Iterator[tuple[str, str, str, Path]]:
    """So many faults: name, old text, new text, file."""

    def order(*parts: object) -> str:
        return hashlib.sha256("\0".join(map(str, (seed, *parts))).encode()).hexdigest()

    found = []
    for path, text in sources.items():
        kept_out, rules = LANGUAGES[path.suffix]
        masked = kept_out.sub(lambda some: re.sub(r"[^\n]", MASK, some[0]), text)
        times: Counter[str] = Counter()
        for at, (line, plain) in enumerate(zip(text.split("\n"), masked.split("\n"))):
            times[line] += 1
            changes = set(changes_of(line, plain, rules))
            if changes and not plain.lstrip().startswith(("#", "import ", "from ")):
                new = min(changes, key=lambda new: order(path, line, times[line], new))
                found.append((order(path, line, times[line]), path, at, new))
    for _, path, at, new in sorted(found)[:count]:
        lines = sources[path].splitlines(keepends=True)
        first, end = around(lines, at, sources[path])
        changed = [*lines[first:at], new + "\n", *lines[at + 1 : end]]
        name = f"{path}:{at + 1}: {lines[at].strip()} -> {new.strip()}"
        yield name, "".join(lines[first:end]), "".join(changed), path
