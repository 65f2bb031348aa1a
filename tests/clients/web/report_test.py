"""The report of a match in a browser: one file, on whose board games are stepped through."""

import pathlib
import re
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import PROGRAM, Daemon
from playwright.sync_api import Browser, Page


def played(folder: pathlib.Path, daemon: Daemon, *games: str) -> pathlib.Path:
    """The report of a match of six games at each of the games."""
    experiment = folder / "experiment.toml"
    names = ", ".join(f'"{game}"' for game in games)
    experiment.write_text(
        f"game = [{names}]\ngames = 6\nseed = 1\n"
        '[[player]]\nname = "A"\noptions = { simulations = 300 }\n'
        '[[player]]\nname = "B"\noptions = { simulations = 1 }\n'
        f'[[server]]\naddress = "{daemon.gtp}"\n'
    )
    subprocess.run(
        [
            PROGRAM.parent / "pitboss",
            "referee",
            "--experiment",
            experiment,
            "--out",
            folder / "out",
        ],
        check=True,
        timeout=120,
    )
    return folder / "out" / "report.html"


def wait_for_pieces(page: Page, count: int) -> None:
    page.wait_for_function(
        "count => document.querySelectorAll('.board .piece').length === count", arg=count
    )


def test_the_report_shows_its_games(
    browser: Browser, daemon: Daemon, scratch: pathlib.Path
) -> None:
    report = played(scratch, daemon, "othello", "hex size=5 swap=off", "rolit players=3")
    text = report.read_text()
    assert not re.search(r"(src|href)=[\"']?https?:", text)  # one file that needs no other
    page: Page = browser.new_page(viewport={"width": 1200, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "request",
        lambda request: errors.append(request.url) if "file:" not in request.url else None,
    )
    page.goto(f"file://{report}")
    page.wait_for_selector(".viewer svg.board .piece")
    assert len(page.query_selector_all(".board .cell")) == 64
    plies = len(page.query_selector_all(".viewer .moves button"))
    assert plies > 20
    assert page.inner_text(".stage output").startswith(f"ply {plies}: ")
    page.click("button[title^=first]")
    wait_for_pieces(page, 4)
    page.click("button[title^=forward]")
    wait_for_pieces(page, 5)
    assert page.url.endswith("#game-1-1-ply-1")
    # What each player gave black: lines that both lie in the chart, and a cursor.
    assert len(page.query_selector_all(".chart polyline")) == 2
    page.goto(f"file://{report}#game-2-2-ply-3")
    page.wait_for_selector(".board .side.black")
    wait_for_pieces(page, 3)
    page.select_option(".list select", "2")
    page.click(".viewer .games a")
    page.wait_for_selector(".board .piece.yellow, .board .piece.green")
    assert errors == []
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_keeps_people_out_of_a_report(
    browser: Browser, daemon: Daemon, scratch: pathlib.Path, theme: str
) -> None:
    report = played(scratch, daemon, "connect4", "hex size=5 swap=off")
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=theme)
    page.goto(f"file://{report}")
    page.wait_for_selector(".viewer svg.board .piece")
    assert page.query_selector(".ahead.lead-50")  # the strongest colour of a score
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # The words of charts are as large as notes.
    for chart in (".viewer .chart text", ".plots svg text"):
        size = page.eval_on_selector(
            chart,
            "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a",
        )
        assert size >= 10, chart
    page.close()
