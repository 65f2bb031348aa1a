"""The page in a browser, against a real daemon. The tests marked smoke take two minutes."""

import hashlib
import pathlib
import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Daemon, Visit
from playwright.sync_api import Browser

GAMES = [
    "connect4", "othello", "breakthrough", "knightthrough", "atarigo", "gomoku", "amazons", "cannon",
    "chinesecheckers", "pentalath", "fanorona", "hex", "teeko", "yavalath", "rolit",
]  # fmt: skip
# Moves that a test plays of a game that need not end by chance.
MOST = {"chinesecheckers": 40, "cannon": 40, "fanorona": 60, "amazons": 40, "teeko": 40}


def plays(visit: Visit, game: str, most: int) -> None:
    visit.open(f"#game={game}")
    choose = random.Random(1).choice
    while visit.ply < most and not visit.is_over():
        visit.move_by_clicks(choose)
    assert visit.ply == most or re.search(r"wins|draw|share", visit.page.inner_text(".place"))
    assert visit.ply >= 5


@pytest.mark.smoke
@pytest.mark.parametrize("game", ["connect4", "breakthrough"])
def test_a_game_is_played_by_clicks(visit: Visit, game: str) -> None:
    plays(visit, game, 200)


@pytest.mark.parametrize(
    "game", [game for game in GAMES if game not in ("connect4", "breakthrough")]
)
def test_each_game_is_played_by_clicks(visit: Visit, game: str) -> None:
    plays(visit, game, MOST.get(game, 200))


def analyse(visit: Visit) -> None:
    visit.page.click("text=analyse")
    visit.page.wait_for_selector(".moves-found tbody tr")


@pytest.mark.smoke
def test_a_slider_changes_the_running_search(visit: Visit) -> None:
    visit.open("#game=hex+size%3D7+swap%3Doff")
    visit.page.click("summary:text('Options')")
    analyse(visit)
    visit.page.eval_on_selector(
        "input[aria-label='k, slider']",
        "each => { each.value = 700; each.dispatchEvent(new Event('input')); each.dispatchEvent(new Event('change')); }",
    )
    visit.wait(
        "document.querySelector('.status').textContent.includes('in force in the running search')"
    )
    # The search goes on, and tells of the change itself: a mark on its charts.
    visit.wait(
        "[...document.querySelectorAll('.charts text.change')].some((each) => /^k /.test(each.textContent))"
    )
    visit.page.click("text=pause")


@pytest.mark.smoke
def test_the_game_comes_back_after_the_daemon(browser: Browser) -> None:
    daemon = Daemon()
    page = browser.new_page()
    visit = Visit(page, daemon.address).open("#game=othello")
    for _ in range(3):
        visit.move_by_clicks(random.Random(2).choice)
    before = page.inner_html(".board .pieces")
    daemon.stop()
    page.wait_for_selector("body.offline")
    assert page.inner_html(".board .pieces") == before
    daemon.start()
    page.wait_for_selector("body:not(.offline)", timeout=40000)
    visit.move_by_clicks(random.Random(3).choice)
    assert visit.ply == 4
    page.close()
    daemon.stop()


def test_fifty_positions_in_two_seconds(visit: Visit) -> None:
    moves = "d1+d2+d3+d4+d5+d6+a1+a2+a3+a4+a5+a6+b1+b2+b3+b4+b5+b6"
    visit.open(f"#game=connect4&moves={moves}")
    last = visit.ply
    assert last == 18
    analyse(visit)
    took = visit.page.evaluate(
        """() => new Promise((done) => {
      const began = performance.now();
      let i = 0;
      const timer = setInterval(() => {
        const key = Math.floor(i / 8) % 2 === 0 ? "ArrowLeft" : "ArrowRight";
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        if (++i === 50) { clearInterval(timer); done(performance.now() - began); }
      }, 30);
    })"""
    )
    assert took < 2000
    visit.wait("document.querySelectorAll('.moves-found tbody tr').length > 0")
    # What is searched is what is shown: 50 steps of 8 back and 8 forth end 2 moves behind.
    assert visit.ply == last - 2
    visit.wait("/simulations/.test(document.querySelector('.facts').textContent)")


def test_a_token_is_refused_and_accepted(browser: Browser, scratch: pathlib.Path) -> None:
    tokens = scratch / "tokens"
    digest = hashlib.sha256(b"correct-horse-battery-staple-1234").hexdigest()
    tokens.write_text(f"ann play {digest}\n")
    tokens.chmod(0o600)
    daemon = Daemon("--tokens", str(tokens))
    page = browser.new_page()
    page.goto(daemon.address)
    page.fill("dialog input", "wrong-horse-battery-staple-123456")
    page.click("dialog button:text('enter')")
    page.wait_for_selector("dialog:has-text('refused')")
    page.fill("dialog input", "correct-horse-battery-staple-1234")
    page.click("dialog button:text('enter')")
    page.wait_for_selector(".site.next")
    assert "correct-horse" not in page.url
    page.close()
    daemon.stop()


def test_a_phone_needs_no_scrolling_sideways(browser: Browser, daemon: Daemon) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    visit = Visit(page, daemon.address).open("#game=amazons")
    analyse(visit)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box = page.locator("svg.board").bounding_box()
    assert box and box["width"] > 300 and box["y"] + box["height"] < 740
    page.close()


def test_the_keyboard_is_enough(visit: Visit) -> None:
    visit.open("#game=breakthrough")
    page = visit.page
    page.focus('[data-point="a8"]')
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.query_selector('[data-point="a2"].chosen')
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    visit.wait_for_ply(1)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    visit.wait_for_ply(2, 30)
    page.keyboard.press("Home")
    visit.wait_for_ply(0)
    page.keyboard.press("End")
    visit.wait_for_ply(2)
    page.keyboard.press(" ")
    page.wait_for_selector(".moves-found tbody tr")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_serious_keeps_people_out(visit: Visit, theme: str) -> None:
    visit.page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    visit.open("#game=hex+size%3D5+swap%3Doff&moves=c3")
    analyse(visit)
    visit.page.click("summary:text('Options')")
    visit.page.click("summary:text('Clock')")
    visit.page.click("text=pause")
    found = Axe().run(visit.page).response["violations"]
    serious = [
        f"{each['id']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_a_line_is_shown_on_hover_and_the_search_goes_on(visit: Visit) -> None:
    visit.open("#game=othello")
    analyse(visit)
    visit.page.hover(".moves-found tbody tr:first-child th")
    visit.wait("document.querySelector('.place').textContent.startsWith('preview')")
    before = visit.page.inner_text(".facts")
    visit.wait(f"document.querySelector('.facts').textContent !== {before!r}")
    visit.page.mouse.move(5, 5)
    visit.wait_for_ply(0)


def test_the_tree_below_and_single_simulations(visit: Visit) -> None:
    visit.open("#game=connect4")
    visit.page.click("text=+100")
    visit.wait("/100 simulations/.test(document.querySelector('.facts').textContent)")
    visit.page.click("button:text-is('+1')")
    visit.wait("/101 simulations/.test(document.querySelector('.facts').textContent)")
    visit.page.wait_for_selector(".marks .candidate")
    visit.page.click(".moves-found tbody tr:first-child button:text('below')")
    visit.wait("/below/.test(document.querySelector('.facts').textContent)")


def test_a_saved_game_shows_itself_and_loads_again(
    visit: Visit, scratch: pathlib.Path, browser: Browser
) -> None:
    visit.open("#game=connect4&moves=d1+d2")
    analyse(visit)
    visit.page.click("text=pause")
    visit.page.click("summary:text('Clock')")
    with visit.page.expect_download() as download:
        visit.page.click("text=save as HTML")
    saved = scratch / "game.html"
    download.value.save_as(saved)
    visit.page.set_input_files("input[type=file]", str(saved))
    visit.wait_for_ply(2)
    visit.page.wait_for_selector(".moves-found tbody tr")
    other = browser.new_page()
    errors: list[str] = []
    other.on("pageerror", lambda error: errors.append(str(error)))
    other.goto(f"file://{saved}")
    assert other.inner_text(".place").startswith("ply 2: white d2")
    assert other.query_selector_all(".moves-found tbody tr")
    other.keyboard.press("Home")
    assert other.inner_text(".place").startswith("ply 0")
    assert errors == []
    other.close()


def test_sgf_and_address_bring_a_game_back(visit: Visit) -> None:
    visit.open("#game=hex+size%3D7+swap%3Doff&moves=c3+d4+e2")
    board = visit.page.inner_html(".board .pieces")
    visit.page.click("summary:text('Clock')")
    visit.page.click("text=copy SGF")
    visit.wait("document.querySelector('textarea').value.startsWith('(;')")
    sgf = visit.page.input_value("textarea")
    visit.page.click("text=new game")
    visit.wait_for_ply(0)
    visit.page.fill("textarea", sgf)
    visit.page.click("button:text-is('paste')")
    visit.wait_for_ply(3)
    assert visit.page.inner_html(".board .pieces") == board
    address = visit.page.url
    visit.open(address[address.index("#") :])
    visit.wait_for_ply(3)
    # A position that is none of this game changes nothing but the message.
    visit.page.click("summary:text('Clock')")
    visit.page.fill("textarea", "XX/OO b")
    visit.page.click("button:text-is('paste')")
    visit.page.wait_for_selector(".status.alarm")
    assert visit.ply == 3


def test_two_engines_play_each_other(visit: Visit) -> None:
    visit.open("#game=teeko")
    for colour, engine in (("black", "A"), ("white", "B")):
        visit.page.select_option(f"label:has(.seat.{colour}) select", engine)
    visit.wait_for_ply(8, 60)
