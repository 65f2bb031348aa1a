"""Puts many faults into one source, each behind its number, so that one build has them all.

In C++ the smallest expression around what a fault changes becomes a choice, when the program runs, between the faulty
expression and itself (fault.hpp). In Python a fault only tells that it is reached.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from drawn import CPP_TEXT, Change, mask

HEADER = '#include "tests/faults/fault.hpp"\n#line 1\n'
TOKEN = re.compile(r"\w+|::|->|<=>|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|<<|[^\s\w]")
OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}
# A { behind one of these begins a list of values.
BEFORE_LIST = {"=", "(", ",", "{", "[", "return", "co_return", "?", ":"}
CONTROLS = {"if", "for", "while", "switch", "catch"}
# What an expression ends at, unless a fault changes it, and the words after which one begins.
ASSIGNMENTS = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}
SEPARATORS = {",", ";"}
LOGICAL = {"&&", "||"}
ENDS = {*SEPARATORS, *ASSIGNMENTS, *LOGICAL, "=", "?", ":"}
BEFORE_EXPRESSION = {"return", "co_return", "throw", "else", "do"}
LABEL = re.compile(r"\bcase\b.*?(?<!:):(?!:)", re.DOTALL)
# What the compiler has to know does not wait until the program runs.
COMPILED = re.compile(r"\b(static_assert|case|template|using|enum|virtual|operator|concept)\b")
CONSTANT = re.compile(r"\b(static |inline )?constexpr (?=[^(]*[={])")
EVALUATED = re.compile(r"\bconst(expr|eval)\b")


@dataclass(frozen=True)
class Switch:
    changes: list[Change]
    when_compiled: bool  # the compiler may evaluate what is changed, and sees no fault then


class Code:
    """A source in C++, cut into tokens, whose brackets are in pairs."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.masked = mask(text, CPP_TEXT)
        self.plain = CPP_TEXT.sub(without_comment, text)  # as long as `text`
        self.tokens = list(TOKEN.finditer(self.masked))
        self.marks = [token[0] for token in self.tokens]
        self.partners = {
            place: other for pair in self.pairs() for place, other in (pair, pair[::-1])
        }

    def is_behind_blank(self, place: int) -> bool:
        return self.masked[self.tokens[place].start() - 1].isspace()

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The places of the tokens that are brackets, with < and > of templates: they have no blank inside."""
        opened: list[int] = []
        for place, mark in enumerate(self.marks):
            if mark in {"(", "[", "{"}:
                opened.append(place)
            elif mark == "<":
                if not self.is_behind_blank(place) or self.marks[place - 1] == "template":
                    opened.append(place)
            elif mark in OPENING and (mark != ">" or not self.is_behind_blank(place)):
                while opened and mark != ">" and self.marks[opened[-1]] == "<":
                    opened.pop()  # it was none
                if opened and self.marks[opened[-1]] == OPENING[mark]:
                    yield opened.pop(), place

    def opens(self, place: int) -> bool:
        return self.partners.get(place, -1) > place

    def closes(self, place: int) -> bool:
        return self.partners.get(place, place) < place

    def opens_block(self, place: int) -> bool:
        """Whether statements or declarations begin here, and not a list of values."""
        return (
            self.marks[place] == "{"
            and self.is_behind_blank(place)
            and self.marks[place - 1] not in BEFORE_LIST
        )

    def closes_block(self, place: int) -> bool:
        return self.marks[place] == "}" and self.opens_block(self.partners[place])

    def closes_control(self, place: int) -> bool:
        """Whether what stands in brackets behind `if` or the like ends here."""
        if self.marks[place] != ")":
            return False
        word = self.partners[place] - 1
        return self.marks[word - (self.marks[word] == "constexpr")] in CONTROLS

    def leftwards(self, place: int) -> Iterator[int]:
        """The places before this one, without what stands in brackets between two of them."""
        while (place := place - 1) >= 0:
            yield place
            if self.closes(place):
                place = self.partners[place]

    def rightwards(self, place: int) -> Iterator[int]:
        while (place := place + 1) < len(self.marks):
            yield place
            if self.opens(place):
                place = self.partners[place]

    def expression(self, first: int, last: int) -> tuple[int, int]:
        """The places around the smallest expression with these tokens that a choice may stand for."""
        ends = ENDS
        changed = set(self.marks[first : last + 1])
        if changed & ASSIGNMENTS:
            ends = SEPARATORS
        elif changed & LOGICAL:
            ends = ENDS - LOGICAL
        left = next(
            place
            for place in self.leftwards(first)
            if self.marks[place] in ends | BEFORE_EXPRESSION
            or self.opens(place)
            or self.closes_block(place)
            or self.closes_control(place)
        )
        right = next(
            place
            for place in self.rightwards(self.partners[last] if self.opens(last) else last)
            if self.marks[place] in ends or self.closes(place) or self.opens_block(place)
        )
        return left, right

    def around(self, place: int) -> Iterator[str]:
        """What stands before this token in its statement; then, from the inside, what stands before each block
        around it."""
        while True:
            begin = next(
                (
                    other
                    for other in self.leftwards(place)
                    if self.marks[other] == ";"
                    or self.opens_block(other)
                    or self.ends_statement(other)
                ),
                None,
            )
            start = 0 if begin is None else self.tokens[begin].end()
            yield self.masked[start : self.tokens[place].start()]
            block = next(
                (other for other in self.leftwards(place) if self.opens_block(other)), None
            )
            if block is None:
                return
            place = block

    def ends_statement(self, place: int) -> bool:
        """Whether a block ends here that nothing but another statement follows."""
        return self.closes_block(place) and self.masked[self.tokens[place].end()] in " \n"

    def switch(self, change: Change, number: int) -> Switch | None:
        """None if the fault cannot wait until the program runs."""
        changed = [
            place
            for place, token in enumerate(self.tokens)
            if token.start() < change.end and token.end() > change.start
        ]
        statement, *heads = self.around(changed[0])
        brackets = [self.marks[place] for place in self.leftwards(changed[0]) if self.opens(place)]
        if not heads or COMPILED.search(LABEL.sub("", statement)) or brackets[0] == "<":
            return None
        changes = []
        if EVALUATED.search(statement):
            constant = CONSTANT.search(statement)
            if not constant:
                return None
            start = self.tokens[changed[0]].start() - len(statement) + constant.start()
            linkage = {"static ": "static inline "}.get(constant[1], constant[1] or "")
            changes.append(Change(start, start + len(constant[0]), linkage + "const "))
        when_compiled = not changes and any(map(EVALUATED.search, heads))
        has_fault = f"::has_fault{'_when_run' * when_compiled}({number})"
        start, end = change.start, change.end
        if change.new == ";":
            if re.search(r"\b(class|struct|namespace)\b[^()]*$", heads[0]):
                return None  # a declaration
            end -= 1
            new = f"{has_fault} ? void() : void({self.text[start:end]})"
        elif change.new == f"!({self.text[start:end]})":
            if {"=", ";"} & {self.marks[place] for place in changed}:
                return None  # a declaration
            new = f"{has_fault} != bool({self.text[start:end]})"
            return Switch([*changes, Change(start, end, new)], when_compiled)
        else:
            left, right = self.expression(changed[0], changed[-1])
            start, end = self.tokens[left].end(), self.tokens[right].start()
            before, after = self.plain[start : change.start], self.plain[change.end : end]
            start, end = change.start - len(before.lstrip()), change.end + len(after.rstrip())
            faulty = re.sub(r"\n *", " ", before.lstrip() + change.new + after.rstrip())
            new = f"({has_fault} ? ({faulty}) : ({self.text[start:end]}))"
        if re.search(r"\bco_(await|yield)\b", self.masked[start:end]):
            return None  # g++ 12 does not compile it as it should
        return Switch([*changes, Change(start, end, new)], when_compiled)


def without_comment(some: re.Match[str]) -> str:
    return " " * len(some[0]) if some[0].startswith("//") else some[0]


def switches(text: str, changes: Mapping[int, Change]) -> dict[int, Switch]:
    """Of the faults, by their numbers; without those that cannot wait until the program runs, or that change what
    another one does."""
    code = Code(text)
    found: dict[int, Switch] = {}
    taken: list[Change] = []
    for number, change in changes.items():
        switch = code.switch(change, number)
        if switch and not any(
            one.start < other.end and other.start < one.end
            for one in switch.changes
            for other in taken
        ):
            taken += switch.changes
            found[number] = switch
    return found


def with_changes(text: str, changes: list[Change]) -> str:
    """All of them, which must not overlap."""
    for change in sorted(changes, key=lambda change: -change.start):
        text = change.applied_to(text)
    return text


def switched(text: str, found: Mapping[int, Switch]) -> str:
    """The lines of `text` keep their numbers."""
    return HEADER + with_changes(text, [one for switch in found.values() for one in switch.changes])


def statement_line(tree: ast.AST, lines: list[str], changed: int) -> int:
    """Where the innermost statement with this line begins."""
    first = 1
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= changed <= (node.end_lineno or 0):
            decorators = getattr(node, "decorator_list", [])
            line = min([node.lineno, *(one.lineno for one in decorators)])
            if not lines[line - 1].lstrip().startswith("elif"):
                first = max(first, line)
    return first


def telling(text: str, changes: Mapping[int, Change]) -> str:
    """A source in Python that leaves an empty file in the folder PITBOSS_REACHED, with the number as its name, when it
    comes to the statement that a fault changes."""
    tree, lines = ast.parse(text), text.splitlines(keepends=True)
    told = [
        (statement_line(tree, lines, text.count("\n", 0, change.start) + 1), number)
        for number, change in changes.items()
    ]
    environment = "__import__('os').environ"
    for line, number in sorted(told, reverse=True):
        indentation = " " * (len(lines[line - 1]) - len(lines[line - 1].lstrip()))
        note = f"open({environment}['PITBOSS_REACHED'] + '/{number}', 'w').close()"
        lines.insert(line - 1, f"{indentation}'PITBOSS_REACHED' in {environment} and {note}\n")
    return "".join(lines)
