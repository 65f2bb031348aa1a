"""What stands in a source whose faults are behind numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from drawn import CPP_TEXT, Change, drawn
from switched import HEADER, switched, switches, telling


def behind(old: str, new: str, text: str) -> str:
    """With the fault 7, which replaces `old`; the same text if it cannot wait until the program runs."""
    place = text.index(old)
    found = switches(text, {7: Change(place, place + len(old), new)})
    return switched(text, found).removeprefix(HEADER) if found else text


def in_function(line: str) -> str:
    return f"namespace games {{\nint f(int a) {{\n  {line}\n}}\n}}\n"


@pytest.mark.parametrize(
    "old, new, line, expected",
    [
        # A condition is decided the other way, whatever its type.
        (
            "names(a)",
            "!(names(a))",
            "if (names(a)) return 1;",
            "if (::has_fault(7) != bool(names(a))) return 1;",
        ),
        # What a statement does, if there is no fault.
        ("g(a, 1);", ";", "g(a, 1);", "::has_fault(7) ? void() : void(g(a, 1));"),
        (
            "x.y = a;",
            ";",
            "if (a) x.y = a;",
            "if (a) ::has_fault(7) ? void() : void(x.y = a);",
        ),
        # An expression ends at && and ||, at a comma, at a bracket and at what is behind `if`.
        (
            " > ",
            " >= ",
            "return a > 0 && a < 9;",
            "return (::has_fault(7) ? (a >= 0) : (a > 0)) && a < 9;",
        ),
        (
            " && ",
            " || ",
            "return a > 0 && a < 9;",
            "return (::has_fault(7) ? (a > 0 || a < 9) : (a > 0 && a < 9));",
        ),
        ("1", "0", "x = f[a - 1];", "x = f[(::has_fault(7) ? (a - 0) : (a - 1))];"),
        ("++", "--", "if (a) ++n;", "if (a) (::has_fault(7) ? (--n) : (++n));"),
        (
            "min(",
            "max(",
            "x = std::min(a, 1);",
            "x = (::has_fault(7) ? (std::max(a, 1)) : (std::min(a, 1)));",
        ),
        (
            " += ",
            " -= ",
            "x += a && b;",
            "(::has_fault(7) ? (x -= a && b) : (x += a && b));",
        ),
        (
            "1",
            "2",
            "const Table<int, 3> x = t ? g(1) : h;",
            "const Table<int, 3> x = t ? g((::has_fault(7) ? (2) : (1))) : h;",
        ),
        # What the compiler has to know stays, and what awaits, and a condition that declares.
        ("3", "4", "std::array<int, 3> x{};", "std::array<int, 3> x{};"),
        ("3", "4", "static_assert(sizeof(int) > 3);", "static_assert(sizeof(int) > 3);"),
        (
            "1",
            "2",
            "co_await wait(1) + co_await more();",
            "co_await wait((::has_fault(7) ? (2) : (1))) + co_await more();",
        ),
        (" + ", " - ", "x = co_await wait() + 1;", "x = co_await wait() + 1;"),
        (
            "auto x = g()",
            "!(auto x = g())",
            "if (auto x = g()) return 1;",
            "if (auto x = g()) return 1;",
        ),
        # A constant is computed when the program begins.
        (
            "3",
            "4",
            "constexpr int x = 3;",
            "const int x = (::has_fault(7) ? (4) : (3));",
        ),
    ],
)
def test_the_smallest_expression_becomes_a_choice(
    old: str, new: str, line: str, expected: str
) -> None:
    assert behind(old, new, in_function(line)) == in_function(expected)


def test_a_function_that_the_compiler_may_evaluate_has_the_fault_when_it_runs() -> None:
    text = "namespace n {\nconstexpr int f(int a) { return a + 1; }\n}\n"
    expected = text.replace("a + 1", "(::has_fault_when_run(7) ? (a - 1) : (a + 1))")
    assert behind(" + ", " - ", text) == expected
    assert switches(text, {7: Change(44, 47, " - ")})[7].when_compiled


def test_lines_keep_their_numbers() -> None:
    text = in_function("x = g(1,  // one +\n      2) +\n      3;")
    expected = "x = (::has_fault(7) ? (g(1, 2) - 3) : (g(1,  // one +\n      2) +\n      3));"
    changed = behind(" +\n      3", " -\n      3", text)
    assert re.sub(r"g\(1, +2", "g(1, 2", changed) == in_function(expected)
    assert changed.count("\n") == text.count("\n")


def test_a_declaration_in_a_class_is_no_statement() -> None:
    text = "namespace n {\nclass Cell {\n  Cell(int of);\n};\n}\n"
    assert behind("Cell(int of);", ";", text) == text


def test_of_two_faults_in_one_expression_the_first_has_a_number() -> None:
    text = in_function("return a + 1;")
    place = text.index("a + 1")
    changes = {1: Change(place + 1, place + 4, " - "), 2: Change(place + 4, place + 5, "2")}
    assert list(switches(text, changes)) == [1]


def test_a_statement_in_python_tells_that_it_is_reached() -> None:
    text = "def f(x):\n    if x:\n        return 1\n    elif x + 1:\n        y = [\n            2,\n        ]\n"
    changes = {1: Change(text.index("x + 1"), 0, ""), 2: Change(text.index("2"), 0, "")}
    told = telling(text, changes).splitlines()
    assert [line.strip() for line in told if "/1'" in line] == [told[1].strip()]
    assert "/1'" in told[1] and told[2] == "    if x:"
    assert "/2'" in told[5] and told[6] == "        y = ["
    compile("\n".join(told), "told", "exec")


def test_nothing_is_drawn_in_strings_and_comments() -> None:
    sources = {Path("a.cpp"): 'f(R"sql(\n x = 1;\n)sql");\n// y = 1\nauto s = "1";\n'}
    assert list(drawn(sources, 9, 1)) == []
    assert CPP_TEXT.sub("", "x = 1'000 + f('a', 2'000);") == "x = 1'000 + f(, 2'000);"
