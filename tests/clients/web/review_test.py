"""Reviews of games in a browser: their page, one file, and their SGF on the board."""

import json
import pathlib
import subprocess
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from conftest import PROGRAM, Daemon, Visit
from playwright.sync_api import Browser, Page

PITBOSS = PROGRAM.parent / "pitboss"

# Black gives the centre away and lets white have three in an open row.
GAME = "(;FF[4]AP[Pitboss:2]SZ[7]RU[connect4]PB[Ada]PW[Bob];B[ag];W[dg];B[af];W[eg];B[gg];W[cg];B[gf];W[bg])"


def reviewed(folder: pathlib.Path, daemon: Daemon) -> tuple[pathlib.Path, dict[str, Any]]:
    """The folder of a review of a game, and what it tells."""
    file = folder / "game.sgf"
    file.write_text(GAME)
    out = folder / "out"
    search = ["--preset", "uct", "--simulations", "2000", "--set", "exact=false"]
    words = [PITBOSS, "review", file, "--out", out, "--server", daemon.gtp, *search]
    subprocess.run(words, check=True, timeout=120)
    return out, json.loads((out / "review.json").read_text())


def test_the_page_of_a_review_marks_moves(
    browser: Browser, daemon: Daemon, scratch: pathlib.Path
) -> None:
    out, told = reviewed(scratch, daemon)
    moves = told["games"][0]["moves"]
    mistakes = [i + 1 for i, move in enumerate(moves) if move["mistake"]]
    marked = [i + 1 for i, move in enumerate(moves) if move["mistake"] or move["turning_point"]]
    assert mistakes
    page: Page = browser.new_page(viewport={"width": 1200, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"file://{out / 'review.html'}#game-1-1-ply-{mistakes[0]}")
    page.wait_for_selector(".viewer svg.board .piece")
    assert "Ada" in page.inner_text(".stage .players")
    assert page.inner_text(".remark").startswith("Mistake: ")
    assert len(page.query_selector_all(".moves > button .marks")) == len(marked)
    assert len(page.query_selector_all(".chart text.change")) == len(marked)
    # The better move is a variation whose positions the page knows.
    pieces = len(page.query_selector_all(".board .piece"))
    page.click(".moves .variation button")
    page.wait_for_function(
        "count => document.querySelectorAll('.board .piece').length === count", arg=pieces
    )
    page.click(".moves .variation button:last-of-type")
    # A row of the worst mistakes leads to the position before it.
    page.goto(f"file://{out / 'review.html'}")
    page.click("section[aria-label=Mistakes] table a")
    worst = max(range(len(moves)), key=lambda i: moves[i]["loss"] if moves[i]["mistake"] else -1)
    page.wait_for_selector(f".stage output:has-text('ply {worst}')")
    assert "best " in page.inner_text(".remark")
    for width in (1200, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert Axe().run(page).response["violations"] == []
    assert errors == []
    page.close()


def test_the_board_opens_a_reviewed_game(
    visit: Visit, daemon: Daemon, scratch: pathlib.Path
) -> None:
    out, told = reviewed(scratch, daemon)
    moves = told["games"][0]["moves"]
    page = visit.open("#game=othello").page
    page.click("summary:text('Copy')")
    page.set_input_files("input[accept*='.sgf']", str(out / "games" / "0001.sgf"))
    visit.wait_for_ply(len(moves))
    marked = [move for move in moves if move["mistake"] or move["turning_point"]]
    visit.wait(f"document.querySelectorAll('.moves > button .marks').length === {len(marked)}")
    assert len(page.query_selector_all(".chart text.change")) == len(marked)
    ply = next(i + 1 for i, move in enumerate(moves) if move["mistake"])
    page.click(f".moves > button[title^='go to ply {ply}, a mistake']")
    visit.wait_for_ply(ply)
    assert page.inner_text(".remark").startswith("Mistake: ")
    page.click(".moves .variation button")
    visit.wait_for_ply(ply)
    assert visit.errors == []
    # A reload keeps the marks, once the browser has kept the game.
    page.wait_for_timeout(1000)
    page.reload()
    page.wait_for_selector(".moves > button .marks")
    assert visit.errors == []


def test_a_file_that_is_no_record_says_so(visit: Visit, scratch: pathlib.Path) -> None:
    page = visit.open("#game=connect4&moves=d1").page
    page.click("summary:text('Copy')")
    file = scratch / "letter.sgf"
    file.write_text("Dear Ada")
    page.set_input_files("input[accept*='.sgf']", str(file))
    page.wait_for_selector(".status:has-text('cannot read the record')")
    assert visit.ply == 1
