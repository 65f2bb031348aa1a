"""The page in a browser, against a real daemon. The tests marked smoke take under a minute."""

import contextlib
import dataclasses
import hashlib
import json
import math
import pathlib
import random
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import PROGRAM, ROOT, Daemon, Visit
from playwright.sync_api import Browser, Page

GAMES = [
    "connect4", "othello", "breakthrough", "knightthrough", "atarigo", "gomoku", "amazons", "cannon",
    "chinesecheckers", "pentalath", "fanorona", "hex", "teeko", "yavalath", "rolit",
]  # fmt: skip
# Moves that a test plays of a game that need not end by chance.
MOST = {"chinesecheckers": 40, "cannon": 40, "fanorona": 60, "amazons": 40, "teeko": 40}


def lines_sent_by(page: Page) -> list[str]:
    """What the page sends from now on, in its order."""
    lines: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framesent", lambda frame: lines.append(json.loads(frame)["line"])
        ),
    )
    return lines


def kept_games(page: Page) -> list[dict[str, Any]]:
    """The games that the browser keeps, as the page saves them."""
    games: list[dict[str, Any]] = page.evaluate(
        """() => new Promise((done) => {
      const opening = indexedDB.open("pitboss");
      opening.onsuccess = () => {
        const games = opening.result.transaction("games").objectStore("games").getAll();
        games.onsuccess = () => done(games.result);
        opening.result.close();
      };
    })"""
    )
    return games


def wait_until(met: Callable[[], bool], page: Page) -> None:
    end = time.monotonic() + 20
    while not met():
        assert time.monotonic() < end
        page.wait_for_timeout(20)


def wait_for_lines(page: Page, lines: list[str], line: str, count: int) -> None:
    wait_until(lambda: lines.count(line) >= count, page)


@contextmanager
def owner_of(table: str, daemon: Daemon) -> Iterator[Callable[[str], None]]:
    """Another client, at a table with this name, and what sends a line of its."""
    host, port = daemon.gtp.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as owner:
        with owner.makefile("rw", encoding="utf-8") as stream:

            def say(line: str) -> None:
                stream.write(f"{line}\n")
                stream.flush()
                assert stream.readline().startswith("=") and stream.readline() == "\n"

            say(f"attach {table}")
            yield say


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


def says(visit: Visit, words: str) -> None:
    """Waits until the page says so, also to those who hear it."""
    visit.page.wait_for_selector(f".status[role=status]:text-is({json.dumps(words)})")


@pytest.mark.smoke
def test_a_column_takes_a_drop_anywhere(visit: Visit) -> None:
    visit.open("#game=connect4&moves=d1")
    visit.page.hover('[data-point="d5"]')
    visit.page.wait_for_selector('.aimed[data-point="d2"]')
    visit.page.click('[data-point="d6"]')
    visit.wait_for_ply(2)
    visit.page.wait_for_selector('.next[data-point="d3"]')
    visit.page.focus('[data-point="c5"]')
    visit.page.wait_for_selector('.aimed[data-point="c1"]')
    visit.page.keyboard.press("Enter")
    visit.wait_for_ply(3)
    assert visit.page.locator(".moves button").all_inner_texts() == ["d1", "d2", "c1"]


def fingers(page: Page) -> Callable[..., None]:
    """What puts a finger on the first of these points, slides it over the others, and lifts it."""
    session = page.context.new_cdp_session(page)

    def touch(*points: str) -> None:
        for i, point in enumerate(points):
            (box,) = boxes(page, f'[data-point="{point}"]')
            place = {"x": (box.left + box.right) / 2, "y": (box.top + box.bottom) / 2}
            kind = "touchMove" if i else "touchStart"
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    return touch


def test_a_finger_aims_at_points_that_are_too_small_for_it(
    browser: Browser, daemon: Daemon
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visit = Visit(page, daemon.address).open("#game=gomoku+size%3D19+opening%3Dfree")
    (cell,) = boxes(page, '[data-point="k10"]')
    assert cell.right - cell.left < 20
    touch = fingers(page)
    aim = ".words-to-play .primary"
    touch("k10")
    page.wait_for_selector(f"{aim}:text-is('play k10')")
    assert page.locator(".target .piece.black").count() == 1
    (button,) = boxes(page, aim)
    assert button.bottom - button.top >= 44
    touch("l10")  # another aim
    page.wait_for_selector(f"{aim}:text-is('play l10')")
    touch("l10", "l11", "m12")  # slides on
    page.wait_for_selector(f"{aim}:text-is('play m12')")
    assert page.evaluate("scrollY") == 0
    assert page.inner_text(".spoken").startswith("m12: touch it again")
    page.keyboard.press("Escape")
    assert page.locator(".target > *").count() == 0 and page.locator(aim).count() == 0
    touch("m12")
    page.wait_for_selector(f"{aim}:text-is('play m12')")
    assert visit.ply == 0
    touch("m12")
    visit.wait_for_ply(1)
    assert page.locator(".target > *").count() == 0 and page.locator(aim).count() == 0
    touch("m12")  # taken: said at once
    page.wait_for_selector(".status:has-text('m12 (black disc) is not legal')")
    touch("a1")
    page.tap(aim)
    visit.wait_for_ply(2)
    assert page.locator(".moves button").all_inner_texts() == ["m12", "a1"]
    # A mouse, and fingers on larger points, need no aim.
    page.click('[data-point="b2"]')
    visit.wait_for_ply(3)
    touch("m12", "m14", "m16", "m18")  # aims at nothing: the page scrolls
    visit.wait("scrollY > 0")
    assert visit.ply == 3
    visit.open("#game=othello")
    page.tap('[data-point="e3"]')
    visit.wait_for_ply(1)
    assert visit.errors == []
    page.close()


def test_legal_points_are_shown_to_pointers_keys_and_fingers(
    browser: Browser, daemon: Daemon
) -> None:
    page = browser.new_page(has_touch=True, viewport={"width": 390, "height": 844})
    visit = Visit(page, daemon.address).open("#game=othello")
    legal = "getComputedStyle(document.querySelector('.site.next')).fill !== 'rgba(0, 0, 0, 0)'"
    page.mouse.move(200, 800)
    assert not page.evaluate(legal)
    page.hover('[data-point="a1"]')
    assert page.evaluate(legal)
    page.mouse.move(200, 800)
    assert not page.evaluate(legal)
    page.focus('[data-point="a8"]')
    assert page.evaluate(legal)
    page.evaluate("document.activeElement.blur()")
    assert not page.evaluate(legal)
    page.tap('[data-point="a1"]', force=True)
    visit.wait(legal)
    page.close()


def test_a_refused_choice_says_why(visit: Visit) -> None:
    visit.open("#game=gomoku")
    visit.page.click('[data-point="a1"]', force=True)
    says(visit, "a1 (empty) is not legal: black may choose e5.")
    visit.page.click('[data-point="e5"]')
    visit.wait_for_ply(1)
    visit.page.wait_for_selector('.next[data-point="a1"]')
    assert visit.page.inner_text(".status") == ""
    visit.page.focus('[data-point="e5"]')
    visit.page.keyboard.press("Enter")
    says(
        visit,
        "e5 (black disc) is not legal: white may choose one of the 80 points that the board marks.",
    )
    visit.open("#game=breakthrough")
    visit.page.click('[data-point="d2"]')
    visit.page.click('[data-point="d5"]', force=True)
    says(visit, "d5 is not legal after d2: black may choose c3, d3, e3.")
    assert visit.page.query_selector('.chosen[data-point="d2"]')
    visit.page.goto(f"{visit.address}#game=connect4&moves=d1+a1+d2+a2+d3+a3+d4")
    visit.wait_for_ply(7)
    visit.page.click('[data-point="e1"]', force=True)
    says(visit, "The game is over: black wins.")


def test_a_piece_that_is_dragged_moves_with_the_pointer(visit: Visit) -> None:
    visit.open("#game=fanorona")
    page = visit.page

    def middle(point: str) -> tuple[float, float]:
        (box,) = boxes(page, f'[data-point="{point}"]')
        return (box.left + box.right) / 2, (box.top + box.bottom) / 2

    def pieces_at(x: float, y: float) -> int:
        found = boxes(page, ".board .pieces .piece")
        return sum(box.left < x < box.right and box.top < y < box.bottom for box in found)

    (x, y), (to_x, to_y) = middle("d3"), middle("e3")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, y, steps=3)
    assert pieces_at(x, y) == 0 or pieces_at((x + to_x) / 2 + 5, y) == 1
    page.mouse.move(to_x, to_y + 4, steps=3)
    assert pieces_at(to_x, to_y) == 1
    page.mouse.up()
    words = page.inner_text(".words-to-play")
    assert "which man is taken: c3 or f3?" in words or "which man is taken: f3 or c3?" in words
    page.click('[data-point="f3"]')
    visit.wait_for_ply(1)
    assert moves(visit) == ["d3e3a"]


def test_the_rules_of_each_game_are_a_click_away(visit: Visit) -> None:
    visit.open()
    for game in GAMES:
        visit.page.select_option("label:has-text('game') select", game)
        visit.page.click("text=rules")
        rules = visit.page.inner_text("dialog p")
        assert rules.endswith(".") and game in visit.page.inner_text("dialog h2")
        visit.page.click("dialog button")
        visit.page.wait_for_selector("dialog", state="detached")


def test_each_game_begins_with_a_choice(visit: Visit) -> None:
    visit.open()
    for game in GAMES:
        visit.page.select_option("label:has-text('game') select", game)
        visit.wait(f"location.hash.startsWith('#game={game}')")
        visit.page.wait_for_selector(".place:has-text('to move')")
        assert visit.page.locator(".site.next").count() > 1, game
    # An address says what it says.
    visit.open("#game=gomoku")
    assert visit.page.locator(".site.next").count() == 1
    assert visit.page.input_value("[name=opening]") == "gomoku3"


@pytest.mark.smoke
def test_a_game_against_the_engine_begins_by_two_clicks(browser: Browser) -> None:
    daemon = Daemon("--networks", str(ROOT / "data/networks"))
    page = browser.new_page()
    lines = lines_sent_by(page)
    visit = Visit(page, daemon.address).open("#game=connect4")
    assert page.inner_text("header button >> nth=0") == "play the engine"
    page.click("text=play the engine")
    assert page.locator(".strengths button").count() == 5
    page.select_option("dialog select", "white")
    page.click("dialog button:text-is('beginner')")
    visit.wait_for_ply(1)
    page.wait_for_selector(".site.next")
    page.click('[data-point="d6"]')
    visit.wait_for_ply(3)
    assert "setoption name simulations value 20" in lines
    assert page.input_value(".option:has([aria-label='simulations, slider']) input.value") == "20"
    page.click("text=play the engine")
    page.click("dialog button:text-is('strongest')")
    visit.wait_for_ply(0)
    wait_for_lines(page, lines, "setoption name movetime value 5000", 1)
    assert "setoption name preset value network" in lines  # the server has one of connect4
    page.click('[data-point="d6"]')
    visit.wait_for_ply(2, 30)
    assert visit.errors == []
    page.close()
    daemon.stop()


def test_the_strongest_engine_needs_no_network(visit: Visit) -> None:
    lines = lines_sent_by(visit.page)
    visit.open("#game=othello")
    visit.page.click("text=play the engine")
    visit.page.click("dialog button:text-is('strongest')")
    wait_for_lines(visit.page, lines, "setoption name movetime value 5000", 1)
    assert "setoption name preset value uct" in lines
    visit.wait("document.querySelectorAll('.seats select')[1].value === 'A'")
    assert visit.page.inner_text(".status") == "Connected."


@pytest.mark.smoke
def test_a_slider_changes_the_running_search(visit: Visit) -> None:
    visit.open("#game=hex+size%3D7+swap%3Doff")
    analyse(visit)
    visit.page.eval_on_selector(
        "input[aria-label='k, slider']",
        "each => { each.value = 700; each.dispatchEvent(new Event('input')); each.dispatchEvent(new Event('change')); }",
    )
    visit.page.wait_for_selector(".pinned .answer:text-is('in force in the running search')")
    # The search goes on, and tells of the change itself: a mark on its charts.
    visit.wait(
        "[...document.querySelectorAll('.charts text.change')].some((each) => /^k /.test(each.textContent))"
    )
    visit.page.click("text=pause")


def cap(visit: Visit, visits: int) -> None:
    """Has the analysis pause there."""
    visit.page.fill("label:has-text('pause at visits') input", str(visits))
    visit.page.keyboard.press("Tab")


def facts(visit: Visit) -> str:
    return visit.page.inner_text(".facts >> nth=0")


def test_a_pause_at_so_many_visits_is_exact_and_goes_on(visit: Visit) -> None:
    visit.open("#game=othello")
    visit.page.click("summary:text('compare')")
    cap(visit, 900)
    visit.page.click("text=analyse")
    visit.wait("document.querySelector('.facts').textContent.startsWith('900 simulations')")
    visit.page.wait_for_selector("button:text-is('analyse')")
    cap(visit, 950)
    visit.page.click("text=analyse")
    visit.wait("document.querySelector('.facts').textContent.startsWith('950 simulations')")
    visit.page.wait_for_selector("button:text-is('analyse')")
    visit.page.click("button:text-is('+10')")
    visit.wait("document.querySelector('.facts').textContent.startsWith('960 simulations')")
    visit.page.click("text=analyse")  # has enough
    visit.page.wait_for_selector("button:text-is('analyse')")
    visit.page.click("button:text-is('compare')")
    visit.page.click("text=analyse")
    visit.wait("/^950 simulations/.test(document.querySelectorAll('.facts')[1].textContent)")
    visit.page.wait_for_selector("button:text-is('analyse')")


def test_after_another_game_a_search_begins_anew(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda line: asked.append(str(line)))
    )
    visit.open("#game=othello&moves=e3")
    visit.page.click("summary:text('compare')")
    cap(visit, 900)
    visit.page.click("text=analyse")
    visit.wait("document.querySelector('.facts').textContent.startsWith('900 simulations')")
    visit.page.wait_for_selector("button:text-is('analyse')")
    asked.clear()
    visit.page.evaluate("location.hash = '#game=hex'")
    wait_until(lambda: any("earlier_search" in line for line in asked), visit.page)
    visit.page.evaluate("location.hash = '#game=othello&moves=e3'")
    visit.wait_for_ply(1)
    visit.wait("document.querySelector('.facts').textContent.startsWith('earlier: 900')")
    visit.page.click("text=analyse")
    visit.wait("document.querySelector('.facts').textContent.startsWith('900 simulations')")
    visit.page.wait_for_selector("button:text-is('analyse')")


def test_the_server_tells_others_what_was_found_in_a_position(
    browser: Browser, daemon: Daemon
) -> None:
    position = "#game=connect4&moves=a1+b1+g1+a2+g2"
    one, other = [
        Visit(browser.new_context().new_page(), daemon.address).open(position) for _ in range(2)
    ]
    assert facts(other) == "No search of this position yet."
    one.page.click("text='+100'")
    one.wait("document.querySelector('.facts').textContent.startsWith('100 simulations')")
    visits = "[...document.querySelectorAll('.moves-found tbody tr')].map((row) => row.innerText.slice(0, 8))"
    other.open("#game=connect4&moves=a1+b1+g1+a2+g2")
    earlier = "document.querySelector('.facts').textContent.startsWith('earlier: 100 simulations')"
    other.wait(earlier)
    assert other.page.evaluate(visits) == one.page.evaluate(visits)
    other.page.wait_for_selector(".marks .candidate")
    for visit in (one, other):
        assert visit.errors == []
        visit.page.context.close()


def test_a_position_that_comes_back_shows_what_was_found_there(visit: Visit) -> None:
    visit.open("#game=connect4&moves=d1+e1+f1")
    page = visit.page
    page.click("text='+100'")
    visit.wait("document.querySelector('.facts').textContent.startsWith('100 simulations')")
    rows = page.locator(".moves-found tbody").inner_text()
    page.keyboard.press("Home")
    for ply, move in enumerate(("f1", "e1"), 1):
        page.click(f'[data-point="{move}"]')
        visit.wait_for_ply(ply)
        assert facts(visit) == "No search of this position yet."
    page.click('[data-point="d1"]')
    visit.wait_for_ply(3)
    visit.wait(
        "document.querySelector('.facts').textContent.startsWith('earlier: 100 simulations')"
    )
    assert page.locator(".moves-found tbody").inner_text() == rows
    page.wait_for_selector(".marks .candidate")

    def is_kept() -> bool:
        (game,) = kept_games(page)
        node = game["root"]
        for move in game["shown"]:
            node = next(child for child in node["children"] if child["move"] == move)
        return bool(game["shown"] == ["f1", "e1", "d1"] and "report" in node)

    wait_until(is_kept, page)
    page.reload()
    visit.wait_for_ply(3)
    visit.wait(
        "document.querySelector('.facts').textContent.startsWith('earlier: 100 simulations')"
    )
    page.click("text='+1'")
    visit.wait("document.querySelector('.facts').textContent.startsWith('1 simulation ')")


def test_a_search_that_fails_shows_no_old_numbers(visit: Visit) -> None:
    visit.open("#game=othello")
    analyse(visit)
    visit.page.click("text=pause")
    visit.page.click("summary:text('Options')")
    visit.page.select_option(".option:has(span:text-is('evaluation')) select", "network")
    visit.page.wait_for_selector("dialog h2:text-is('Drop the tree?')")
    visit.page.click("dialog button:text-is('change it')")
    visit.page.click("text=analyse")
    visit.page.wait_for_selector(".status.alarm:has-text('network')")
    visit.page.wait_for_selector("button:text-is('analyse')")
    assert visit.page.locator(".moves-found tbody tr").count() == 0


def test_a_change_that_costs_a_tree_asks_first(visit: Visit) -> None:
    visit.open("#game=othello")
    page = visit.page
    page.select_option(".pinned select", "threshold")  # nothing would be lost
    page.wait_for_selector(".option:has-text('novelty') .answer:not(:empty)")
    page.click("summary:text('compare')")
    cap(visit, 2000)
    page.click("text=analyse")
    page.wait_for_selector("button:text-is('analyse')")
    page.select_option(".pinned select", "none")
    page.wait_for_selector("dialog:has-text('drops the 2.0k visits')")
    page.click("dialog button:text-is('close')")
    visit.wait("document.querySelector('.pinned select').value === 'threshold'")
    page.select_option(".pinned select", "none")
    page.click("dialog button:text-is('keep it beside')")
    page.wait_for_selector("[aria-label='Search of engine B']")
    page.click("text=analyse")
    visit.wait("/^2.0k simulations/.test(document.querySelectorAll('.facts')[1].textContent)")
    assert facts(visit).startswith("2.0k simulations")
    assert page.input_value(".pinned select") == "threshold"
    page.click("button:text-is('engine B')")
    visit.wait("document.querySelector('.pinned select').value === 'none'")


def test_networks_are_chosen_from_those_of_the_server(browser: Browser) -> None:
    daemon = Daemon("--networks", str(ROOT / "data/networks"))
    page = browser.new_page()
    visit = Visit(page, daemon.address).open("#game=connect4")
    page.click("summary:text('Options')")
    choices = page.locator(".option:has(span:text-is('network')) option")
    wait_until(lambda: choices.all_inner_texts() == ["none", "auto", "connect4"], page)
    assert visit.errors == []
    page.close()
    daemon.stop()


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


def test_a_connection_that_has_died_is_noticed_and_mended(browser: Browser) -> None:
    daemon = Daemon()
    page = browser.new_page()
    page.clock.install()
    visit = Visit(page, daemon.address).open("#game=othello")
    analyse(visit)
    daemon.process.send_signal(signal.SIGSTOP)  # nothing comes, and nobody says so
    for _ in range(4):
        assert not page.query_selector("body.offline")
        page.clock.fast_forward(7000)
    page.wait_for_selector("body.offline .status:has-text('does not answer')")
    daemon.process.send_signal(signal.SIGCONT)
    page.clock.fast_forward(7000)
    page.wait_for_selector("body:not(.offline)")
    visit.wait("/simulations/.test(document.querySelector('.facts').textContent)")
    assert page.query_selector("button:text-is('pause')")  # the analysis goes on
    page.close()
    daemon.stop()


def test_a_silent_connection_lives(visit: Visit, browser: Browser, daemon: Daemon) -> None:
    visit.page.clock.install()
    lines = lines_sent_by(visit.page)
    visit.open("#game=othello")
    watcher = watcher_of(visit, browser, daemon, with_clock=True)
    watcher.wait_for_ply(0)
    for _ in range(8):
        for page in (visit.page, watcher.page):
            page.clock.fast_forward(7000)
            page.wait_for_timeout(300)
    assert lines.count("getoption threads") > 4
    assert not watcher.page.query_selector(".offline, .alarm")
    assert not visit.page.query_selector(".offline, .alarm")
    visit.page.click('[data-point="e3"]')
    watcher.wait_for_ply(1)
    watcher.page.close()


def test_fifty_positions_in_two_seconds(visit: Visit) -> None:
    moves = "d1+d2+d3+d4+d5+d6+a1+a2+a3+a4+a5+a6+b1+b2+b3+b4+b5+b6"
    visit.open(f"#game=connect4&moves={moves}")
    last = visit.ply
    assert last == 18
    analyse(visit)
    session = visit.page.context.new_cdp_session(visit.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def processor_seconds() -> float:
        """Of the page's thread: what others do on the machine costs it none."""
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    began = processor_seconds()
    visit.page.evaluate(
        """() => new Promise((done) => {
      let i = 0;
      const timer = setInterval(() => {
        const key = Math.floor(i / 8) % 2 === 0 ? "ArrowLeft" : "ArrowRight";
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        if (++i === 50) { clearInterval(timer); done(); }
      }, 30);
    })"""
    )
    assert processor_seconds() - began < 1.5
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
    lines = lines_sent_by(page)
    page.goto(daemon.address)
    page.fill("dialog input", "wrong-horse-battery-staple-123456")
    page.click("dialog button:text('enter')")
    page.wait_for_selector("dialog:has-text('refused')")
    page.fill("dialog input", "correct-horse-battery-staple-1234")
    page.click("dialog button:text('enter')")
    page.wait_for_selector(".site.next")
    page.wait_for_selector(".pinned .option")
    assert [line for line in lines if "wrong-horse" in line] == [
        "auth wrong-horse-battery-staple-123456"
    ]
    assert "correct-horse" not in page.url
    page.close()
    daemon.stop()


def test_a_token_may_be_typed_slowly(browser: Browser, scratch: pathlib.Path) -> None:
    """More slowly than the server waits: the page enters once by it, with each of its connections."""
    tokens = scratch / "tokens"
    digest = hashlib.sha256(b"correct-horse-battery-staple-1234").hexdigest()
    tokens.write_text(f"ann play {digest}\n")
    tokens.chmod(0o600)
    daemon = Daemon("--tokens", str(tokens), "--entry-seconds", "1")
    page = browser.new_page()
    lines = lines_sent_by(page)
    visit = Visit(page, daemon.address)
    page.goto(daemon.address)
    page.wait_for_selector("dialog input")
    page.wait_for_timeout(4000)
    page.fill("dialog input", "correct-horse-battery-staple-1234")
    page.click("dialog button:text('enter')")
    page.wait_for_selector(".site.next")
    page.wait_for_selector(".option input", state="attached")
    assert sum(line.startswith("auth ") for line in lines) == 2  # for the game, and for engine A
    assert lines.count("games json") == lines.count("list_options json") == 1
    page.reload()
    page.wait_for_selector(".site.next")
    assert not page.query_selector("dialog[open]")
    assert visit.errors == []
    page.close()
    daemon.stop()


def test_the_page_and_its_sessions_by_tls(browser: Browser, scratch: pathlib.Path) -> None:
    key, certificate = scratch / "key.pem", scratch / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    key.chmod(0o600)
    daemon = Daemon("--certificate", str(certificate), "--key", str(key), tls=True)
    assert daemon.address.startswith("https://")
    page = browser.new_page(ignore_https_errors=True)
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    visit = Visit(page, daemon.address).open()
    visit.move_by_clicks(random.Random(1).choice)
    analyse(visit)
    assert sockets and all(url.startswith("wss://") for url in sockets)
    assert visit.errors == []
    page.close()
    daemon.stop()


@dataclasses.dataclass
class Box:
    """Where an element is in the window."""

    left: float
    top: float
    right: float
    bottom: float


def boxes(page: Page, selector: str) -> list[Box]:
    found = page.eval_on_selector_all(
        selector,
        "all => all.map((each) => each.getBoundingClientRect()).map((each) => "
        "[each.left, each.top, each.right, each.bottom])",
    )
    assert found, selector
    return [Box(*each) for each in found]


@pytest.mark.parametrize("width,height", [(1280, 800), (1920, 1080)])
def test_a_change_and_its_effect_are_in_one_picture(
    browser: Browser, daemon: Daemon, width: int, height: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})
    visit = Visit(page, daemon.address).open("#game=othello")
    page.select_option(".pinned select", "pseudocount")
    analyse(visit)
    page.wait_for_selector(".moves-found th:has-text('novelty')")
    for seen in ("svg.board", "[aria-label='Value over the game']", ".stage .controls", ".place", ".status",
                 ".moves-found tbody tr:nth-child(4)", ".moves-found tbody tr:first-child td.words",
                 ".charts", ".pinned .option", ".game-moves"):  # fmt: skip
        for box in boxes(page, seen):
            assert (
                box.left >= 0 and box.right <= width and box.top >= 0 and box.bottom <= height
            ), seen
    assert len(boxes(page, ".pinned .option")) == 5
    assert all(box.bottom - box.top <= 32 for box in boxes(page, ".pinned .option"))
    (board,) = boxes(page, "svg.board")
    assert board.bottom - board.top > 0.6 * height
    page.click("summary:text('Options')")
    page.mouse.move(width - 100, height - 50)
    page.mouse.wheel(0, 2000)
    visit.wait("scrollY > 500")
    assert boxes(page, "svg.board") == [board]  # stays where it is
    page.close()


@pytest.mark.parametrize("width,height", [(1280, 800), (1920, 1080)])
def test_two_engines_have_their_tables_and_options_in_one_picture(
    browser: Browser, daemon: Daemon, width: int, height: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})
    visit = Visit(page, daemon.address).open("#game=othello")
    compare(visit)
    analyse(visit)
    visit.wait("document.querySelectorAll('.search')[1].querySelector('tbody tr')")
    seen = [".search h2", ".moves-found th:has-text('mean Q')", ".moves-found tbody tr:nth-child(4)",
            ".search .charts", ".engine-choice", ".pinned .option"]  # fmt: skip
    for selector in seen:
        found = boxes(page, selector)
        assert selector in seen[-2:] or len(found) == 2
        for box in found:
            assert box.left >= 0 and box.right <= width and box.bottom <= height, selector
    k = ".pinned .option:has([aria-label='k, slider']) input.value"
    page.click("button:text-is('engine B')")
    set_option(visit, "k", "0.8")
    page.click("button:text-is('compare')")  # no longer
    visit.wait(f"document.querySelector({json.dumps(k)}).value === '0.3'")
    assert page.locator(".search:visible").count() == 1
    assert page.query_selector("button:text-is('pause')")
    page.close()


def test_pinned_options_stay_pinned(visit: Visit) -> None:
    visit.open("#game=hex+size%3D5+swap%3Doff")
    page = visit.page
    pinned = ".pinned .option label span"
    page.click(".pinned .option:has-text('beta') button:text('pin')")
    assert page.locator(pinned).all_inner_texts() == ["k", "alpha", "novelty", "simulations"]
    page.click("summary:text('Options')")
    page.fill("label:has-text('find') input", "random numbers")
    page.click(".panel .option:visible button:text('pin') >> nth=0")
    kept = page.locator(pinned).all_inner_texts()
    assert len(kept) == 5
    page.reload()
    page.wait_for_selector(pinned)
    assert page.locator(pinned).all_inner_texts() == kept


def test_a_phone_has_the_board_first_and_nothing_off_to_the_side(
    browser: Browser, daemon: Daemon
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    visit = Visit(page, daemon.address).open("#game=amazons")
    analyse(visit)
    page.eval_on_selector_all("details", "all => all.forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    (board,) = boxes(page, "svg.board")
    assert board.top < 20 and board.right - board.left > 370
    row = boxes(page, ".stage .controls button:not(.far)")
    assert len({box.top for box in row}) == 1 and board.bottom <= row[0].top < board.bottom + 20
    small = "all => all.filter((each) => each.offsetHeight < 44).map((each) => each.outerHTML)"
    assert page.eval_on_selector_all("button:visible", small) == []
    (line,) = boxes(page, ".moves-found tbody tr:first-child td.words")
    assert line.right <= 390 and line.right - line.left > 60 and line.top > row[0].bottom
    assert line.bottom < 844
    visit.open("#game=hex")
    sides = boxes(page, "svg.board .side.black")
    assert len(sides) == 2 and all(side.right - side.left > 200 for side in sides)
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


def serious_findings(page: Page) -> list[str]:
    """What keeps people with other senses or hands out, as axe finds it."""
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]}"
        for each in Axe().run(page).response["violations"]
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_serious_keeps_people_out(visit: Visit, theme: str) -> None:
    visit.page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    visit.open("#game=hex+size%3D5+swap%3Doff&moves=c3")
    analyse(visit)
    for drawer in visit.page.query_selector_all("summary"):
        drawer.click()
    visit.page.click("text=pause")
    visit.page.click(".moves-found td.tools button >> nth=0")
    assert not serious_findings(visit.page)


def test_charts_of_values_show_what_differs(visit: Visit) -> None:
    visit.open("#game=othello&moves=e3")
    analyse(visit)
    visit.page.click("text=pause")
    page = visit.page
    chart = "[aria-label='Value of the best moves, in %'] text[text-anchor=end]"
    wait = "document.querySelectorAll('.charts polyline').length > 0"
    visit.wait(wait)
    low, middle, high = (float(each) for each in page.locator(chart).all_text_contents()[:3])
    assert 0 <= low < middle < high <= 100 and high - low < 60
    page.click("figcaption button >> nth=0")
    for figure in ("Value over the game", "Value of the best moves, in %"):
        numbers = page.locator(f"[aria-label='{figure}'] text[text-anchor=end]")
        assert numbers.all_text_contents()[:3] == ["0", "50", "100"]
    page.click("figcaption button >> nth=1")
    page.wait_for_selector("figcaption button[aria-pressed=false]")
    assert page.locator(chart).all_text_contents()[0] != "0"
    page.click("figcaption button >> nth=0")
    page.reload()
    page.wait_for_selector("figcaption button[aria-pressed=true]")


def test_a_word_that_is_best_is_marked(visit: Visit) -> None:
    # White would lose men by going on to take.
    visit.open("#game=fanorona&moves=f2e3a+d5d4a+pass+e1d2a+d2d3a+f3f2a+f2e1w")
    analyse(visit)
    visit.page.wait_for_selector(".words-to-play button.best:text-is('pass')")


def test_the_best_move_and_losses_are_marked(visit: Visit) -> None:
    # White must answer in column d; black has three there.
    visit.open("#game=connect4&moves=d1+a1+d2+b1+d3")
    analyse(visit)
    page = visit.page
    best = page.locator(".mark.best circle")
    best.wait_for()
    visit.wait("document.querySelectorAll('.mark.bad rect').length >= 3")
    (ring,), (point,) = boxes(page, ".mark.best circle"), boxes(page, '[data-point="d4"]')
    assert point.left < (ring.left + ring.right) / 2 < point.right
    assert point.top < (ring.top + ring.bottom) / 2 < point.bottom
    assert not page.is_visible(".mark.best rect") and page.is_visible(".mark.bad rect >> nth=0")
    page.click("text=pause")
    page.hover(".moves-found tbody tr:first-child th")
    path = page.locator(".mark.path")
    path.first.wait_for()
    assert "white" in (path.nth(0).get_attribute("class") or "")
    assert "black" in (path.nth(1).get_attribute("class") or "")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_end_of_a_game_is_seen(visit: Visit, theme: str) -> None:
    visit.page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    visit.page.goto(f"{visit.address}#game=connect4&moves=d1+a1+d2+a2+d3+a3+d4")
    visit.wait_for_ply(7)
    visit.page.wait_for_selector(".place.over:has-text('black wins')")
    assert visit.page.locator(".decisive *").count() == 4
    (line,), (board,) = boxes(visit.page, ".place"), boxes(visit.page, "svg.board")
    assert line.bottom - line.top > 25 and line.top >= board.bottom
    visit.page.keyboard.press("ArrowLeft")
    visit.wait_for_ply(6)
    visit.page.wait_for_selector(".place:not(.over)")
    assert visit.page.locator(".decisive *").count() == 0
    seats = visit.page.eval_on_selector_all(
        ".seats .seat", "all => all.map((each) => getComputedStyle(each).backgroundImage)"
    )
    (black, wood), (white, other_wood) = (re.findall(r"rgb\([^)]*\)", seat) for seat in seats)
    assert (black, white) == ("rgb(35, 38, 43)", "rgb(253, 253, 251)")
    assert wood == other_wood  # stones of both colours on the same board


def test_a_line_is_shown_on_hover_and_the_search_goes_on(visit: Visit) -> None:
    visit.open("#game=othello")
    analyse(visit)
    visit.page.hover(".moves-found tbody tr:first-child th")
    visit.wait("document.querySelector('.place').textContent.startsWith('preview')")
    before = visit.page.inner_text(".facts")
    visit.wait(f"document.querySelector('.facts').textContent !== {before!r}")
    visit.page.mouse.move(5, 5)
    visit.wait_for_ply(0)


def ask(visit: Visit, words: str, move: str = "") -> None:
    """Chooses in the menu of a move found, or of the first one."""
    row = f"tr:has(th button:text-is('{move}'))" if move else "tr:first-child"
    visit.page.click(f".moves-found tbody {row} td.tools button")
    visit.page.click(f".menu button:text-is('{words}')")


def compare(visit: Visit) -> None:
    visit.page.click("summary:text('compare')")
    visit.page.click("button:text-is('compare')")


def test_a_move_gets_visits_of_its_own_in_the_same_tree(visit: Visit) -> None:
    visit.open("#game=othello")
    visit.page.click("summary:text('compare')")
    cap(visit, 900)
    visit.page.click("text=analyse")
    visit.wait("document.querySelector('.facts').textContent.startsWith('900 simulations')")

    def visits() -> dict[str, str]:
        rows = visit.page.locator(".moves-found tbody tr")
        return dict(row.split()[0:3:2] for row in rows.all_inner_texts())

    before = visits()
    last = list(before)[-1]
    ask(visit, "1,000 more", last)
    visit.wait(
        "document.querySelector('.facts').textContent.startsWith('1.0k simulations, 900 kept')"
    )
    after = visits()
    assert after.pop(last).endswith("k") and not before.pop(last).endswith("k")
    assert after == before
    cap(visit, 2000)
    visit.page.click("text=analyse")  # goes on with all of them
    visit.wait(
        "document.querySelector('.facts').textContent.startsWith('100 simulations, 1.9k kept')"
    )


def test_the_tree_is_drawn_while_it_grows_and_as_a_whole(visit: Visit) -> None:
    visit.open("#game=othello")
    page = visit.page
    page.click("summary:text('Picture of the tree')")
    analyse(visit)
    page.wait_for_selector(".branch title:text-matches('visits, value .* %')", state="attached")
    # Also while it grows: the most visited moves of all, with the terms that choose them.
    titles = "[...document.querySelectorAll('.branch title')].map((each) => each.textContent)"
    visit.wait(f"{titles}.length > 100")
    assert "pause" in page.inner_text(".stage .controls")
    visit.wait(f"{titles}.every((each) => /visits, value .* %(, U .*, bound .*)?$/.test(each))")
    visit.wait(f"{titles}.filter((each) => each.match(/^(\\w\\d ){{2}}\\w\\d, .* U /)).length > 9")
    before = page.evaluate(f"{titles}[0]")
    visit.wait(f"{titles}[0] !== {json.dumps(before)}")
    page.click("text=pause")
    visit.wait("document.querySelector('.facts').textContent !== ''")
    count = page.locator(".branch").count()
    assert 100 < count <= 200  # the deepest are not drawn
    (picture,) = boxes(page, ".tree-picture")
    rows: dict[float, list[Box]] = {}
    for box in boxes(page, ".branch rect"):
        assert picture.left - 1 <= box.left and box.right <= picture.right + 1
        assert box.bottom <= picture.bottom
        rows.setdefault(box.top, []).append(box)
    assert len(rows) > 3
    for row in rows.values():
        row.sort(key=lambda box: box.left)
        assert all(one.right <= other.left + 0.1 for one, other in zip(row, row[1:]))
    page.hover(".branch >> nth=0")
    page.wait_for_selector(".place:has-text('preview')")
    told = page.inner_text("details:has(> .tree-picture) .facts")
    assert told == page.evaluate(f"{titles}[0]") and " bound " in told
    page.click(".branch >> nth=0")
    visit.wait("/below/.test(document.querySelector('.facts').textContent)")
    assert page.locator(".branch").count() == count


def test_the_tree_below_and_single_simulations(visit: Visit) -> None:
    visit.open("#game=connect4")
    visit.page.click("text=+100")
    visit.wait("/100 simulations/.test(document.querySelector('.facts').textContent)")
    visit.page.click("button:text-is('+1')")
    visit.wait("/101 simulations/.test(document.querySelector('.facts').textContent)")
    visit.page.wait_for_selector(".marks .candidate")
    ask(visit, "below")
    visit.wait("/below/.test(document.querySelector('.facts').textContent)")


def test_a_saved_game_shows_itself_and_loads_again(
    visit: Visit, scratch: pathlib.Path, browser: Browser
) -> None:
    visit.open("#game=connect4&moves=d1+d2")
    analyse(visit)
    visit.page.click("text=pause")
    visit.page.click("summary:text('Copy')")
    with visit.page.expect_download() as download:
        visit.page.click("text=save as HTML")
    saved = scratch / "game.html"
    download.value.save_as(saved)
    visit.page.set_input_files("input[accept*='.sgf']", str(saved))
    visit.wait_for_ply(2)
    visit.page.wait_for_selector(".moves-found tbody tr")
    other = browser.new_page()
    errors: list[str] = []
    other.on("pageerror", lambda error: errors.append(str(error)))
    other.goto(f"file://{saved}")
    other.wait_for_selector(".place:has-text('ply 2: white d2')")
    other.wait_for_selector(".moves-found tbody tr")
    other.keyboard.press("Home")
    other.wait_for_selector(".place:has-text('ply 0')")
    assert errors == []
    other.close()


@pytest.mark.parametrize("game", ["hex+size%3D5+swap%3Doff", "amazons", "fanorona"])
def test_a_picture_of_the_board_looks_like_it(
    visit: Visit, scratch: pathlib.Path, browser: Browser, game: str
) -> None:
    page = visit.open(f"#game={game}").page
    page.click("summary:text('compare')")
    cap(visit, 500)
    page.click("text=analyse")
    page.wait_for_selector("button:text-is('analyse')")
    page.wait_for_selector(".marks .candidate")
    page.click("summary:text('Copy')")
    with page.expect_download() as download:
        page.click("text=save picture")
    picture = scratch / "board.svg"
    download.value.save_as(picture)
    visit.wait("!document.querySelector('.board .aimed')")
    board = page.locator("svg.board")
    box = board.bounding_box()
    assert box
    other = browser.new_page(
        viewport={"width": math.ceil(box["width"]), "height": math.ceil(box["height"])}
    )
    other.goto(f"file://{picture}")
    drawn = "all => all.map((each) => [each.tagName, getComputedStyle(each).fill, each.getBoundingClientRect().width])"
    selector = "circle, rect, polygon, path, line, polyline, text"
    there = other.eval_on_selector_all(selector, drawn)
    here = page.eval_on_selector_all(
        ", ".join(f"svg.board {each}" for each in selector.split(", ")),
        drawn.replace(
            "all.map", "all.filter((each) => !each.closest('.sites') && each.checkVisibility()).map"
        ),
    )
    assert len(here) > 40
    assert [each[:2] for each in there] == [each[:2] for each in here]
    assert [each[2] for each in there] == pytest.approx([each[2] for each in here], abs=1)
    other.close()


def test_sgf_and_address_bring_a_game_back(visit: Visit) -> None:
    visit.open("#game=hex+size%3D7+swap%3Doff&moves=c3+d4+e2")
    board = visit.page.inner_html(".board .pieces")
    visit.page.click("summary:text('Copy')")
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
    visit.page.click("summary:text('Copy')")
    for text in ("XX/OO b", "hello world"):
        visit.page.fill("textarea", text)
        visit.page.click("button:text-is('paste')")
        visit.page.wait_for_selector(
            ".status.alarm:has-text('no record of a game, and no position of hex: ')"
        )
        visit.page.click("button:text-is('copy position')")
        visit.page.wait_for_selector(".status:not(.alarm)")
    visit.page.fill("textarea", "(;GM[11]SZ[7];B[dd])")  # hex of other programs
    visit.page.click("button:text-is('paste')")
    visit.wait_for_ply(1)
    visit.page.go_back()
    visit.wait_for_ply(3)
    assert visit.ply == 3


def test_an_address_brings_the_options_of_the_engines(
    visit: Visit, browser: Browser, daemon: Daemon
) -> None:
    visit.open("#game=hex+size%3D5+swap%3Doff&moves=c3+b2")
    visit.page.keyboard.press("ArrowLeft")
    visit.wait_for_ply(1)
    set_option(visit, "k", "0.77")
    visit.page.select_option(".pinned select", "threshold")
    compare(visit)
    visit.page.click("button:text-is('engine B')")
    set_option(visit, "k", "0.5")
    visit.page.click("summary:text('Copy')")
    visit.page.click("text=copy address")
    visit.wait("document.querySelector('textarea').value.includes('B=k')")
    page = browser.new_context().new_page()  # somebody else's
    other = Visit(page, daemon.address)
    page.goto(visit.page.input_value("textarea"))
    other.wait_for_ply(1)
    k = ".pinned .option:has([aria-label='k, slider']) input.value"
    other.wait(f"document.querySelector({json.dumps(k)})?.value === '0.77'")
    assert page.input_value(".pinned select") == "threshold"
    assert page.locator(".moves button").all_inner_texts() == ["c3", "b2"]
    compare(other)
    page.click("button:text-is('engine B')")
    other.wait(f"document.querySelector({json.dumps(k)})?.value === '0.5'")
    assert other.errors == [] and "B=" not in page.url
    page.context.close()


# What each file is to be read as while the game `set` is set.
RECORDS = json.loads(
    pathlib.Path(__file__).parents[1].joinpath("foreign_records.json").read_text("utf-8")
)


def test_records_of_other_programs_are_the_daemons(visit: Visit) -> None:
    folder = pathlib.Path(__file__).parents[2] / "fuzz" / "corpus" / "sgf"
    for record in RECORDS:
        visit.open("#" + urlencode({"game": record["set"]}))
        visit.page.click("summary:text('Copy')")
        text = (folder / record["file"]).read_bytes().decode(record["characters"], "replace")
        visit.page.fill("textarea", text)
        visit.page.fill("input[title^='which game']", str(record["number"] or ""))
        visit.page.click("button:text-is('paste')")
        visit.wait("document.querySelector('.status').textContent.startsWith('opened')")
        game = {"game": record["rules"], "start": record["start"], "moves": record["moves"]}
        assert parse_qs(visit.page.evaluate("location.hash.slice(1)")) == {
            key: [value] for key, value in game.items() if value
        }
        told = visit.page.inner_text(".status")
        for word in [*filter(None, record["players"]), *record["notes"]]:
            assert word in told


def test_a_record_that_is_too_long_or_none_is_told(visit: Visit) -> None:
    visit.open("#game=atarigo")
    visit.page.click("summary:text('Copy')")
    for text, told in {
        "(;SZ[9]C[" + 70000 * "x" + "])": "too long",
        "(;SZ[9];B[ee])\n(;SZ[9];B[ff])": "choose one, from 1 to 2",
        "hello\nworld": "holds no game",
    }.items():
        visit.page.fill("textarea", text)
        visit.page.click("button:text-is('paste')")
        visit.wait(f"document.querySelector('.status.alarm')?.textContent.includes('{told}')")
        assert visit.ply == 0


def test_a_record_is_the_positions_whatever_is_shown_meanwhile(visit: Visit) -> None:
    visit.open("#game=hex+size%3D7+swap%3Doff&moves=c3+d4+e2")
    analyse(visit)
    visit.page.click("text=pause")
    visit.page.click("summary:text('Copy')")
    visit.page.evaluate(
        """() => {
      [...document.querySelectorAll("button")].find((each) => each.textContent === "copy SGF").click();
      document.querySelector(".moves-found tbody tr").dispatchEvent(new PointerEvent("pointerenter"));
    }"""
    )
    visit.wait("document.querySelector('textarea').value.startsWith('(;')")
    sgf = visit.page.input_value("textarea")
    assert len(re.findall(r";[BW]\[", sgf)) == 3


def moves(visit: Visit) -> list[str]:
    return visit.page.locator(".moves button").all_inner_texts()


def set_option(visit: Visit, name: str, value: str) -> None:
    visit.page.fill(f".option:has([aria-label='{name}, slider']) input.value", value)
    visit.page.keyboard.press("Tab")
    visit.page.wait_for_selector(f".option:has([aria-label='{name}, slider']) .answer:not(:empty)")


def test_a_reload_loses_nothing(visit: Visit) -> None:
    visit.open("#game=hex+size%3D5+swap%3Doff&moves=c3+b2")
    page = visit.page
    page.keyboard.press("ArrowLeft")
    visit.wait_for_ply(1)
    page.wait_for_selector('.next[data-point="d4"]')
    page.click('[data-point="d4"]')
    visit.wait_for_ply(2)
    compare(visit)
    page.fill("label:has-text('pause at visits') input", "1500")
    analyse(visit)
    page.wait_for_selector("button:text-is('analyse')")
    set_option(visit, "k", "0.77")
    sit(visit, "white", "A")
    set_clock(visit)
    page.wait_for_selector(".clock.runs output:text-matches('1:5')")
    assert moves(visit) == ["c3", "b2", "d4"]
    best = page.inner_text(".search >> nth=0 >> tbody tr:first-child")

    def is_kept() -> bool:
        (game,) = kept_games(page)
        (c3,) = game["root"]["children"]
        reports = [child.get("report") for child in c3["children"]]
        return [each and each["simulations"] for each in reports] == [None, 1500]

    wait_until(is_kept, page)
    page.reload()
    page.wait_for_selector(".site.next")
    visit.wait_for_ply(2)
    assert moves(visit) == ["c3", "b2", "d4"] and page.inner_text(".variation") == "d4"
    assert page.inner_text(".moves [aria-current]") == "d4"
    page.wait_for_selector(".moves-found tbody tr")
    assert page.inner_text(".moves-found tbody tr:first-child") == best
    page.wait_for_selector(".option:has([aria-label='k, slider'])")
    assert page.input_value(".option:has([aria-label='k, slider']) input.value") == "0.77"
    assert page.input_value("label:has(.seat.white) select") == "A"
    assert page.input_value("label:has(.seat.black) select") == ""
    assert page.locator(".search:visible").count() == 2  # engines A and B
    assert page.inner_text(".clock.runs output") < "2:00"
    assert page.locator(".clock output").all_inner_texts()[1] == "2:00"
    page.click("summary:text('Clock')")
    assert page.input_value("label:has-text('clock') select") == "absolute"
    assert page.input_value(".controls .parameters input >> nth=0") == "2"


def test_removals_and_new_games_are_taken_back(visit: Visit) -> None:
    visit.open("#game=othello&moves=e3+f3+f4")
    page = visit.page
    visit.wait_for_ply(3)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    visit.wait_for_ply(1)
    assert moves(visit) == ["e3"]
    page.keyboard.press("Control+z")
    visit.wait_for_ply(2)
    assert moves(visit) == ["e3", "f3", "f4"]
    page.keyboard.press("n")
    visit.wait_for_ply(0)
    says(visit, "new game: undo (Ctrl-Z) brings the last one back")
    assert moves(visit) == []
    page.click("button:text-is('undo')")
    visit.wait_for_ply(2)
    assert moves(visit) == ["e3", "f3", "f4"]
    page.keyboard.press("Control+y")
    visit.wait_for_ply(0)
    # The browser's Back leads to the game before, not away from the page.
    page.go_back()
    visit.wait_for_ply(2)
    assert moves(visit) == ["e3", "f3", "f4"]


def test_the_last_games_are_kept(visit: Visit) -> None:
    visit.open("#game=othello&moves=e3+f3")
    visit.wait_for_ply(2)
    visit.page.select_option("label:has-text('game') select", "hex")
    visit.wait_for_ply(0)
    visit.page.click("summary:text('Last games')")
    visit.page.click(".last-games button:text('othello')")
    visit.wait_for_ply(2)
    assert moves(visit) == ["e3", "f3"]


def test_keys_act_on_the_board_and_not_on_what_was_clicked(visit: Visit) -> None:
    visit.open("#game=othello")
    page = visit.page
    page.click("text=engine move")
    visit.wait_for_ply(1)
    page.keyboard.press(" ")
    page.wait_for_selector("button:text-is('pause')")
    page.keyboard.press(" ")
    page.wait_for_selector("button:text-is('analyse')")
    page.click("text=+100")
    visit.wait("/simulations/.test(document.querySelector('.facts').textContent)")
    page.keyboard.press(" ")
    page.wait_for_selector("button:text-is('pause')")
    page.click("label:has-text('at most') input")
    page.keyboard.press("ArrowLeft")
    visit.wait_for_ply(0)
    # Who uses keys stays where they are.
    page.focus("button:text-is('pause')")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "analyse"


def test_an_engines_move_does_not_end_the_analysis(visit: Visit) -> None:
    visit.open("#game=othello")
    analyse(visit)
    visit.page.keyboard.press("Enter")
    visit.wait_for_ply(1)
    visit.page.wait_for_selector("button:text-is('pause')")
    visit.page.wait_for_selector(".moves-found tbody tr")


def test_storage_that_is_blocked_costs_only_itself(browser: Browser, daemon: Daemon) -> None:
    page = browser.new_page()
    page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
    }"""
    )
    visit = Visit(page, daemon.address).open("#game=othello")
    visit.move_by_clicks(random.Random(1).choice)
    page.click("[title*='light and dark']")
    says(
        visit,
        "This browser keeps nothing for the page: games and options are lost when it is left.",
    )
    page.wait_for_selector(".pinned .option")
    assert visit.errors == []
    page.close()


def test_what_could_not_be_copied_is_not_said_to_be(browser: Browser, daemon: Daemon) -> None:
    page = browser.new_page()
    page.add_init_script(
        """Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => window.mayCopy;"""
    )
    visit = Visit(page, daemon.address).open("#game=othello")
    page.click("summary:text('Copy')")
    page.click("text=copy position")
    page.wait_for_selector(".status:has-text('Ctrl-C copies them')")
    page.evaluate("window.mayCopy = true")
    page.click("text=copy position")
    says(visit, "copied")
    page.close()


@contextmanager
def proxy_of(daemon: Daemon, prefix: str) -> Iterator[str]:
    """The address of a proxy that has the daemon's page below a prefix, which it takes away."""
    listener = socket.create_server(("127.0.0.1", 0))

    def pass_on(source: socket.socket, goal: socket.socket, old: bytes, new: bytes) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                goal.sendall(data.replace(old, new, 1))
            goal.shutdown(socket.SHUT_WR)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                client = listener.accept()[0]
                server = socket.create_connection(("127.0.0.1", daemon.port))
                ways = (client, server, b"GET " + prefix.encode(), b"GET /"), (
                    server,
                    client,
                    b"",
                    b"",
                )
                for way in ways:
                    threading.Thread(target=pass_on, args=way, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}{prefix}"
    listener.close()


def test_the_page_works_below_a_prefix(browser: Browser, daemon: Daemon) -> None:
    page = browser.new_page()
    with proxy_of(daemon, "/user/ann/proxy/") as address:
        visit = Visit(page, address).open("#game=othello")
        visit.move_by_clicks(random.Random(1).choice)
        page.click("summary:text('Copy')")
        page.click("text=let others watch")
        visit.wait("document.querySelector('textarea').value.includes('#watch=')")
        assert page.input_value("textarea").startswith(address + "#watch=")
        page.close()


def sit(visit: Visit, colour: str, player: str) -> None:
    visit.page.select_option(f"label:has(.seat.{colour}) select", player)


def test_two_engines_play_each_other(visit: Visit) -> None:
    visit.open("#game=teeko")
    sit(visit, "black", "A")
    sit(visit, "white", "B")
    visit.wait("/wins|draw/.test(document.querySelector('.place').textContent)", 60)
    assert visit.ply >= 7


def point(visit: Visit, name: str) -> tuple[float, float]:
    box = visit.page.locator(f'[data-point="{name}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_piece_is_dragged(visit: Visit) -> None:
    visit.open("#game=breakthrough")
    mouse = visit.page.mouse
    mouse.move(*point(visit, "d2"))
    mouse.down()
    mouse.move(*point(visit, "d3"), steps=5)
    mouse.up()
    visit.wait_for_ply(1)
    assert "d2d3" in visit.page.inner_text(".moves")
    # Where it may not go: the piece stays, and is chosen.
    mouse.move(*point(visit, "d7"))
    mouse.down()
    mouse.move(*point(visit, "d4"), steps=5)
    mouse.up()
    assert visit.ply == 1


def test_moves_are_made_by_taps_and_drags_of_a_finger(browser: Browser, daemon: Daemon) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    visit = Visit(page, daemon.address).open("#game=breakthrough")
    page.tap('[data-point="a2"]')
    page.tap('[data-point="a3"]')
    visit.wait_for_ply(1)
    page.wait_for_selector(".site.next")
    fingers = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = point(visit, "d7"), point(visit, "d6")
    fingers.send(
        "Input.dispatchTouchEvent",
        {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]},
    )
    for share in (0.3, 0.6, 1):
        at = {"x": x + share * (to_x - x), "y": y + share * (to_y - y)}
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    visit.wait_for_ply(2)
    assert "d7d6" in page.inner_text(".moves")
    page.close()


def test_a_click_on_a_line_adds_it_as_a_variation(visit: Visit) -> None:
    visit.open("#game=othello&moves=e3")
    analyse(visit)
    visit.page.click("text=pause")
    line = visit.page.inner_text(".moves-found tbody tr:first-child td.words").split()
    assert len(line) >= 2
    visit.page.click(".moves-found tbody tr:first-child td.words")
    visit.wait("document.querySelector('.status').textContent.includes('added as a variation')")
    visit.page.mouse.move(5, 5)
    moves = visit.page.eval_on_selector_all(
        ".moves button", "all => all.map((each) => each.textContent)"
    )
    assert moves[:1] == ["e3"] and moves[1 : 1 + len(line)] == line
    visit.page.keyboard.press("End")
    visit.wait_for_ply(len(moves))


def test_candidates_are_hidden_while_an_engine_plays_a_person(visit: Visit) -> None:
    visit.open("#game=othello")
    assert visit.page.is_checked("label:has-text('show candidates') input")
    sit(visit, "white", "A")
    assert not visit.page.is_checked("label:has-text('show candidates') input")
    analyse(visit)
    assert not visit.page.query_selector(".marks .candidate")
    visit.page.check("label:has-text('show candidates') input")
    visit.page.wait_for_selector(".marks .candidate")
    sit(visit, "white", "")
    assert visit.page.is_checked("label:has-text('show candidates') input")


def test_an_engine_begins_a_new_game_and_waits_where_people_look_back(
    visit: Visit,
) -> None:
    visit.open("#game=othello")
    sit(visit, "black", "A")
    visit.wait_for_ply(1)
    visit.page.wait_for_selector(".site.next")
    visit.page.click(".site.next >> nth=0")
    visit.wait_for_ply(3)
    visit.page.click("text=new game")
    visit.wait_for_ply(1)
    visit.page.wait_for_selector(".site.next")
    visit.page.click(".site.next >> nth=0")
    visit.wait_for_ply(3)
    for ply in (2, 1, 0):
        visit.page.keyboard.press("ArrowLeft")
        visit.wait_for_ply(ply)
    visit.page.wait_for_timeout(500)
    assert visit.ply == 0


def test_avoid_and_only_restrict_the_search(visit: Visit) -> None:
    visit.open("#game=othello")
    analyse(visit)
    best = visit.page.inner_text(".moves-found tbody tr:first-child th")
    ask(visit, "avoid", best)
    visit.wait(f"document.querySelector('.restricted').textContent.includes('without {best}')")
    visit.wait(
        "[...document.querySelectorAll('.moves-found tbody th')].every((each) => "
        f"each.textContent !== '{best}') && document.querySelector('.moves-found tbody th')"
    )
    visit.page.click("text=search all moves")
    visit.wait(
        "[...document.querySelectorAll('.moves-found tbody th')].some((each) => "
        f"each.textContent === '{best}')"
    )


def test_two_configurations_get_the_same_visits(visit: Visit) -> None:
    visit.open("#game=othello")
    compare(visit)
    visit.page.check("label:has-text('same visits') input")
    visit.page.fill("label:has-text('pause at visits') input", "1000")
    visit.page.click("text=analyse")
    visit.wait(
        "[...document.querySelectorAll('.search > .facts')]"
        ".every((each) => /^1.0k simulations/.test(each.textContent))"
    )
    visit.page.wait_for_selector("button:text-is('analyse')")
    visits = visit.page.eval_on_selector_all(
        ".moves-found",
        "all => all.map((each) => each.querySelectorAll('tbody tr').length)",
    )
    assert len(visits) == 2 and min(visits) > 0


def test_mistakes_of_a_game_are_listed_and_lead_there(visit: Visit) -> None:
    # White does not see that black has three in column d.
    visit.open("#game=connect4&moves=d1+a1+d2+b1+d3+g1")
    visit.page.click("summary:text('Mistakes')")
    visit.page.fill("label:has-text('simulations a position') input", "300")
    visit.page.click("text=search the game")
    visit.page.wait_for_selector(".mistakes li", timeout=30000)
    worst = visit.page.inner_text(".mistakes li:first-child button")
    found = re.match(r"(\d+)\. \w\d: \d+ % lost", worst)
    assert found
    visit.page.click(".mistakes li:first-child button")
    visit.wait_for_ply(int(found[1]) - 1)
    visit.page.wait_for_selector(".moves-found tbody tr")


def test_an_engine_that_is_to_move_searches_for_no_mistakes_meanwhile(visit: Visit) -> None:
    lines = lines_sent_by(visit.page)
    visit.open("#game=connect4&moves=d1+a1+d2+b1+d3+g1")
    visit.page.click("summary:text('Mistakes')")
    visit.page.fill("label:has-text('simulations a position') input", "1000000")
    visit.page.click("text=search the game")
    visit.wait(
        "document.querySelector('.mistakes').parentElement.textContent.includes('ply 0 of 6')"
    )
    visit.page.wait_for_timeout(200)
    visit.page.click("text=engine move")
    visit.wait_for_ply(7)
    assert "d4" in visit.page.inner_text(".moves")  # which wins
    visit.page.wait_for_selector("button:text-is('search the game')")
    moving = next(i for i, line in enumerate(lines) if line.startswith("genmove"))
    assert any(line.startswith("simulate") for line in lines[:moving])
    assert not any(line.startswith("simulate") for line in lines[moving:])


def test_a_simulation_ends_the_search_for_mistakes(visit: Visit) -> None:
    lines = lines_sent_by(visit.page)
    visit.open("#game=othello&moves=e3+f3+f4")
    visit.page.click("summary:text('Mistakes')")
    visit.page.fill("label:has-text('simulations a position') input", "1000000")
    visit.page.click("text=search the game")
    wait_for_lines(visit.page, lines, "simulate 1000", 2)
    visit.page.click("button:text-is('+1')")
    visit.wait("document.querySelector('.status').textContent.startsWith('simulation: ')")
    visit.page.wait_for_selector("button:text-is('search the game')")
    assert lines[-1] == "simulate 1"


def test_mistakes_are_looked_for_by_numbers_alone(visit: Visit) -> None:
    visit.open("#game=othello&moves=e3")
    visit.page.click("summary:text('Mistakes')")
    visit.page.fill("label:has-text('simulations a position') input", "-3")
    visit.page.click("text=search the game")
    visit.page.wait_for_selector(".status.alarm:has-text(\"'-3' is no number of simulations\")")
    visit.page.fill("label:has-text('from %') input", "much")
    visit.page.keyboard.press("Tab")
    visit.page.wait_for_selector(".status.alarm:has-text(\"'much' is no number of %\")")
    assert "no move lost" not in visit.page.inner_text("details:has(.mistakes)")


def test_an_address_that_holds_no_game_leaves_the_game_shown(visit: Visit) -> None:
    visit.open("#game=othello&moves=e3+f3")
    address = visit.page.url
    visit.page.evaluate("location.hash = '#game=othello&moves=z9'")
    visit.page.wait_for_selector(".status:has-text('no game that can be played')")
    assert visit.ply == 2
    assert visit.page.url == address


def test_the_engine_that_is_told_to_move_is_engine_a(visit: Visit) -> None:
    visit.open("#game=othello")
    compare(visit)
    visit.page.click("button:text-is('engine B')")
    set_clock(visit)
    visit.page.click("text=engine move")
    visit.page.wait_for_selector("section[aria-label='Search of engine A'] tbody tr")
    visit.page.keyboard.press("Escape")
    visit.wait_for_ply(1)


def test_options_are_shown_as_they_are_after_a_look_at_another_engines(visit: Visit) -> None:
    visit.open("#game=othello")
    compare(visit)
    k = ".option:has([aria-label='k, slider']) "
    before = visit.page.input_value(f"{k}input.value")
    visit.page.fill(f"{k}input.value", "7")
    visit.page.keyboard.press("Tab")
    visit.page.wait_for_selector(f"{k}.answer:text-is('set')")
    visit.page.click("button:text-is('engine B')")
    visit.page.wait_for_selector(f"{k}input.value")
    assert visit.page.input_value(f"{k}input.value") == before
    visit.page.click("button:text-is('engine A')")
    assert visit.page.input_value(f"{k}input.value") == "7"
    visit.page.click(f"{k}button")
    visit.wait(f"document.querySelector(\"[aria-label='k, slider']\").ariaValueText === '{before}'")


def test_what_is_below_a_move_is_not_told_of_another_position(visit: Visit) -> None:
    visit.open("#game=hex+size%3D5+swap%3Doff&moves=c3+b2")
    analyse(visit)
    visit.page.keyboard.press("ArrowLeft")
    visit.wait_for_ply(1)
    visit.page.wait_for_selector(".moves-found tbody tr")
    visit.page.click("text=pause")
    visit.page.keyboard.press("ArrowRight")
    visit.wait_for_ply(2)
    ask(visit, "below")  # of what was found here before the other search
    visit.page.wait_for_selector(".status.alarm:has-text('another position')")
    visit.page.click("button:text-is('+1')")
    visit.wait("/^1 simulation /.test(document.querySelector('.facts').textContent)")
    ask(visit, "below")
    visit.wait("/below/.test(document.querySelector('.facts').textContent)")


def set_clock(visit: Visit) -> None:
    """Has engines search each move for some seconds."""
    visit.page.click("summary:text('Clock')")
    visit.page.select_option("label:has-text('clock') select", "absolute")
    visit.page.fill(".controls .parameters input >> nth=0", "2")
    visit.page.click("text=start clock")


def think(visit: Visit) -> None:
    visit.open("#game=othello")
    set_clock(visit)
    sit(visit, "black", "A")
    visit.page.wait_for_selector("body.thinking")


@pytest.mark.parametrize("other", ["analyse", "+1", "search the game"])
def test_no_other_search_takes_a_move_from_an_engine(visit: Visit, other: str) -> None:
    lines = lines_sent_by(visit.page)
    visit.page.goto("about:blank")
    think(visit)
    visit.page.click("summary:text('Mistakes')")
    visit.page.click(f"button:text-is('{other}')")
    visit.page.wait_for_selector(".status:has-text('while engine A thinks')")
    visit.page.keyboard.press("Escape")
    visit.wait_for_ply(1)
    assert not any(re.match("analyze|simulate", line) for line in lines)


def test_who_takes_an_engines_seat_moves_instead(visit: Visit) -> None:
    think(visit)
    sit(visit, "black", "")
    visit.page.wait_for_selector("body:not(.thinking)")
    assert visit.ply == 0
    visit.move_by_clicks(random.Random(1).choice)
    sit(visit, "white", "A")
    sit(visit, "white", "")
    sit(visit, "white", "A")  # while its search from before comes to its end
    visit.page.wait_for_timeout(500)
    assert visit.page.query_selector("body.thinking")


@pytest.mark.parametrize(
    "system, numbers, face",
    [
        ("absolute", ["0.1"], r"0:0\d"),
        ("fischer", ["0.1", "1"], r"0:0\d"),
        ("fischer-capped", ["0.1", "1", "0.2", "1"], r"0:0\d"),
        ("byoyomi", ["0", "2", "3"], r"0:0\d × 3"),
        ("canadian", ["0", "4", "5"], r"0:0\d for 5"),
    ],
)
def test_every_clock_runs_and_bounds_the_engine(
    visit: Visit, system: str, numbers: list[str], face: str
) -> None:
    visit.open("#game=othello")
    visit.page.click("summary:text('Clock')")
    visit.page.select_option("label:has-text('clock') select", system)
    fields = visit.page.query_selector_all(".controls .parameters input")
    assert len(fields) == len(numbers)
    for field, value in zip(fields, numbers):
        field.fill(value)
    visit.page.click("text=start clock")
    clocks = visit.page.eval_on_selector_all(
        ".clock output", "all => all.map((each) => each.textContent)"
    )
    assert len(clocks) == 2 and all(re.fullmatch(face, clock) for clock in clocks)
    visit.page.click("text=engine move")
    visit.wait_for_ply(1, 10)
    assert "alarm" not in (visit.page.get_attribute(".status", "class") or "")
    visit.wait("document.querySelectorAll('.clock')[1].classList.contains('runs')")
    visit.page.wait_for_selector(".clock.alarm:has-text('time is over')", timeout=15000)


def test_an_engines_clock_counts_what_the_server_did_while_the_page_stood_still(
    visit: Visit,
) -> None:
    visit.open("#game=connect4")
    visit.page.click("summary:text('Clock')")
    visit.page.select_option("label:has-text('clock') select", "absolute")
    visit.page.query_selector_all(".controls .parameters input")[0].fill("1.5")
    visit.page.click("text=start clock")
    visit.page.click("text=engine move")
    visit.page.wait_for_selector("body.thinking")
    visit.page.evaluate("const end = performance.now() + 3000; while (performance.now() < end);")
    visit.wait_for_ply(1)
    visit.wait("document.querySelectorAll('.clock')[1].classList.contains('runs')")
    minutes, seconds = visit.page.inner_text(".clock output").split(":")
    assert 60 * int(minutes) + int(seconds) <= 87  # it thinks for four seconds


def watcher_of(visit: Visit, browser: Browser, daemon: Daemon, with_clock: bool = False) -> Visit:
    """A page of somebody else, who watches what this visit shares; with a clock that tests can set."""
    visit.page.click("summary:text('share')")
    visit.page.click("text=let others watch")
    visit.wait("document.querySelector('textarea').value.includes('#watch=')")
    watcher = Visit(browser.new_page(), daemon.address)
    if with_clock:
        watcher.page.clock.install()
    watcher.page.goto(visit.page.input_value("textarea"))
    return watcher


def test_others_watch_a_board_and_its_search(
    visit: Visit, browser: Browser, daemon: Daemon
) -> None:
    visit.open("#game=hex+size%3D5+swap%3Doff&moves=c3")
    watcher = watcher_of(visit, browser, daemon)
    page = watcher.page
    watcher.wait("/^ply 1:.*to move/.test(document.querySelector('.place').textContent)")
    assert not page.query_selector(".site")  # nothing to be chosen
    visit.page.click('[data-point="b2"]')
    watcher.wait_for_ply(2)
    analyse(visit)
    page.wait_for_selector(".moves-found tbody tr")
    page.wait_for_selector(".marks .candidate")
    # Who watches looks back, and the game goes on.
    page.keyboard.press("Home")
    watcher.wait_for_ply(0)
    visit.page.keyboard.press("Home")
    visit.page.keyboard.press("ArrowRight")
    watcher.wait("document.querySelector('.place').textContent.startsWith('ply 1')")
    assert watcher.errors == []
    page.goto("about:blank")
    page.goto(daemon.address + "#watch=nowhere")
    page.wait_for_selector(".status:has-text(\"no table 'nowhere'\")")
    page.close()


def test_who_watches_goes_on_after_the_owners_reload_and_sees_the_end(
    visit: Visit, browser: Browser, daemon: Daemon
) -> None:
    visit.open("#game=hex+size%3D5+swap%3Doff&moves=c3")
    watcher = watcher_of(visit, browser, daemon)
    watcher.wait_for_ply(1)
    visit.page.wait_for_selector("button:text-is('end sharing'):visible")
    visit.page.reload()
    visit.page.wait_for_selector(".site.next")
    visit.page.wait_for_selector("button:text-is('end sharing'):visible")
    visit.page.click('[data-point="b2"]')
    watcher.wait_for_ply(2)
    address = visit.page.url
    visit.page.goto("about:blank")
    watcher.page.wait_for_selector(".status.alarm:has-text('Nobody shows this board any more')")
    visit.page.goto(address)
    watcher.page.wait_for_selector(".status:not(.alarm):has-text('Connected')")
    visit.page.wait_for_selector(".site.next")
    visit.page.click("button:text-is('end sharing')")
    watcher.page.wait_for_selector(".status.alarm:has-text('Nobody shows this board any more')")
    visit.page.click('[data-point="d4"]')
    visit.wait_for_ply(3)
    assert watcher.ply == 2
    assert not visit.page.is_visible("button:text-is('end sharing')")
    assert watcher.errors == []
    watcher.page.close()


def test_a_token_to_watch_is_enough_to_watch(browser: Browser, scratch: pathlib.Path) -> None:
    tokens = scratch / "tokens"
    words = {
        "alice": "correct-horse-battery-staple-1234",
        "carol": "another-horse-battery-staple-1234",
    }
    digests = {name: hashlib.sha256(word.encode()).hexdigest() for name, word in words.items()}
    tokens.write_text(f"alice play {digests['alice']}\ncarol watch {digests['carol']}\n")
    tokens.chmod(0o600)
    daemon = Daemon("--tokens", str(tokens))

    def enter(page: Page, name: str) -> None:
        page.fill("dialog input", words[name])
        page.click("dialog button:text('enter')")

    owner = Visit(browser.new_page(), daemon.address)
    owner.page.goto(daemon.address + "#game=hex+size%3D5+swap%3Doff&moves=c3")
    enter(owner.page, "alice")
    owner.wait_for_ply(1)
    owner.page.click("summary:text('share')")
    owner.page.click("text=let others watch")
    owner.wait("document.querySelector('textarea').value.includes('#watch=')")
    watcher = Visit(browser.new_page(), daemon.address)
    watcher.page.goto(owner.page.input_value("textarea"))
    enter(watcher.page, "carol")
    watcher.wait_for_ply(1)
    assert watcher.page.locator(".board .pieces .piece").count() == 1
    owner.page.click('[data-point="b2"]')
    watcher.wait_for_ply(2)
    assert not watcher.page.query_selector(".status.alarm")
    # Who comes without an address gets those that are shown, when they are.
    front = Visit(browser.new_page(), daemon.address)
    front.page.goto(daemon.address)
    enter(front.page, "carol")
    front.page.wait_for_selector(".tables a:has-text('hex at board-')")
    assert front.page.locator(".tables a").count() == 1
    assert not serious_findings(front.page)
    owner.page.click("button:text-is('end sharing')")
    front.page.wait_for_selector(".tables:has-text('Nobody shows a board now')")
    owner.page.click("text=let others watch")
    front.page.click(".tables a")
    front.wait_for_ply(2)
    front.page.close()
    owner.page.close()
    watcher.page.close()
    daemon.stop()


def test_who_looks_back_sees_no_search_of_another_position(
    visit: Visit, browser: Browser, daemon: Daemon
) -> None:
    visit.open("#game=hex+size%3D5+swap%3Doff&moves=c3")
    analyse(visit)
    watcher = watcher_of(visit, browser, daemon)
    page = watcher.page
    page.wait_for_selector(".moves-found tbody tr")
    page.keyboard.press("Home")
    watcher.wait_for_ply(0)
    page.wait_for_timeout(1000)
    assert page.inner_text(".facts") == "No search of this position yet."
    page.keyboard.press("End")
    page.wait_for_selector(".moves-found tbody tr")
    assert watcher.errors == []
    page.close()


def test_who_watches_waits_for_a_table_that_is_gone(browser: Browser) -> None:
    daemon = Daemon()
    page = browser.new_page()
    lines = lines_sent_by(page)
    watcher = Visit(page, daemon.address)
    with owner_of("lab", daemon) as say:
        say("play d1")
        page.goto(daemon.address + "#watch=lab")
        watcher.wait_for_ply(1)
        daemon.stop()
    page.wait_for_selector("body.offline")
    daemon.start()
    page.wait_for_selector(".status.alarm:has-text(\"no table 'lab'\")", timeout=40000)
    wait_for_lines(page, lines, "tables", lines.count("tables") + 3)
    with owner_of("lab", daemon) as say:
        say("play d1")
        say("play d2")
        watcher.wait_for_ply(2)
        assert not page.query_selector(".status.alarm")
        wait_for_lines(page, lines, "attach lab", 4)  # by both of its connections, before and after
        say("play d3")
        watcher.wait_for_ply(3)
    page.close()
    daemon.stop()


def shared_game(visit: Visit, colour: str) -> dict[str, str]:
    """Goes on with the game shown at a table of people; the addresses for others, by what is said of them."""
    page = visit.page
    page.click("summary:text('share')")
    page.click("text=let others play")
    page.select_option("dialog label:has-text('you play') select", colour)
    page.click("dialog button:text-is('begin')")
    page.wait_for_selector(f"header:has-text('you play {colour}')")
    rows = page.locator(".invitation label")
    return {row.inner_text(): row.locator("input").input_value() for row in rows.all()}


def test_two_people_and_a_spectator_play_through_reloads_and_a_restart(
    browser: Browser, scratch: pathlib.Path
) -> None:
    daemon = Daemon("--state", str(scratch / "state"))
    white, black, eve = (Visit(browser.new_page(), daemon.address) for _ in range(3))
    all_of_them = [white, black, eve]
    white.open("#game=hex+size%3D3+swap%3Doff&moves=b1")
    addresses = shared_game(white, "white")
    assert set(addresses) == {"black plays at", "others look on at"}
    assert "through a restart" in white.page.inner_text(".invitation")
    black.page.goto(addresses["black plays at"])
    eve.page.goto(addresses["others look on at"])
    both = ".players:has-text('black{}: here'):has-text('white{}: here')"
    white.page.wait_for_selector(both.format("", " (you)"))
    black.page.wait_for_selector(both.format(" (you)", ""))
    eve.page.wait_for_selector(both.format("", ""))
    for each in all_of_them:
        assert not serious_findings(each.page)

    def plays_and_all_see(mover: Visit, move: str, ply: int) -> None:
        mover.page.click(f'[data-point="{move}"]')
        for each in all_of_them:
            each.wait_for_ply(ply)

    assert black.page.title() == "Pitboss" and white.page.title().startswith("your turn")
    plays_and_all_see(white, "a2", 2)
    # Somebody else's turn, and no seat at all.
    white.page.click('[data-point="c3"]')
    says(white, "It is black's turn; you play white.")
    assert not eve.page.query_selector(".site")
    assert black.page.title().startswith("your turn")
    black.page.keyboard.press("Home")
    black.wait_for_ply(0)
    black.page.wait_for_selector(".site.next")
    black.page.click('[data-point="c3"]')
    says(black, "The game is further on: End shows where it is.")
    black.page.keyboard.press("End")
    black.wait_for_ply(2)

    second = Visit(browser.new_page(), daemon.address)
    second.page.goto(addresses["black plays at"])
    taken = "black's seat is taken: another connection with its key sits there"
    second.page.wait_for_selector(f'.status.alarm:has-text("{taken}")')
    second.page.click('[data-point="c3"]')
    says(second, taken)
    black.page.goto("about:blank")
    second.page.wait_for_selector(both.format(" (you)", ""))
    second.wait("!document.querySelector('.status.alarm')")
    second.page.close()
    black.page.goto(addresses["black plays at"])
    black.page.wait_for_selector(both.format(" (you)", ""))
    black.wait("!document.querySelector('.status.alarm')")

    for each in all_of_them:
        each.page.reload()
        each.wait_for_ply(2)
    white.page.wait_for_selector(both.format("", " (you)"))
    assert "white" not in white.page.inner_text(".invitation label >> nth=0")
    plays_and_all_see(black, "b2", 3)
    state = next((scratch / "state").glob("game-*.json"))
    wait_until(lambda: '"b2"' in state.read_text(), eve.page)
    daemon.stop()
    for each in all_of_them:
        each.page.wait_for_selector("body.offline")
    daemon.start()
    for each in all_of_them:
        each.wait("!document.body.classList.contains('offline')", 40)
    white.page.wait_for_selector(both.format("", " (you)"), timeout=40000)
    plays_and_all_see(white, "a3", 4)
    eve.page.reload()
    eve.wait_for_ply(4)
    plays_and_all_see(black, "b3", 5)
    for each in all_of_them:
        each.page.wait_for_selector(".place.over:has-text('black wins')")
    wait_until(lambda: not state.exists(), eve.page)  # it is kept no longer
    for each in all_of_them:
        assert [error for error in each.errors if "WebSocket" not in error] == []
        each.page.close()
    daemon.stop()


def test_seats_are_for_those_whom_tokens_let_play(browser: Browser, scratch: pathlib.Path) -> None:
    tokens = scratch / "tokens"
    words = {name: f"{name}-horse-battery-staple-1234" for name in ("alice", "bob", "carol")}
    digests = {name: hashlib.sha256(word.encode()).hexdigest() for name, word in words.items()}
    rights = {"alice": "play", "bob": "play", "carol": "watch"}
    tokens.write_text("".join(f"{name} {rights[name]} {digests[name]}\n" for name in words))
    tokens.chmod(0o600)
    daemon = Daemon("--tokens", str(tokens))

    def enters(name: str, address: str) -> Visit:
        made = Visit(browser.new_page(), daemon.address)
        made.page.goto(address)
        made.page.fill("dialog input", words[name])
        made.page.click("dialog button:text('enter')")
        made.page.wait_for_selector(".place:has-text('ply')")
        return made

    alice = enters("alice", daemon.address + "#game=rolit+players%3D3")
    addresses = shared_game(alice, "red")
    assert set(addresses) == {"yellow plays at", "green plays at", "others look on at"}
    assert "pitbossd --state FOLDER" in alice.page.inner_text(".invitation")
    carol = enters("carol", addresses["green plays at"])
    carol.page.wait_for_selector(".status.alarm:has-text('needs the right play')")
    bob = enters("bob", addresses["yellow plays at"])
    eve = enters("carol", addresses["others look on at"])
    eve.page.wait_for_selector(".players:has-text('red: here'):has-text('green: away')")
    alice.page.wait_for_selector(".players:has-text('yellow: here')")
    carol.page.click(".site.next >> nth=0")
    says(carol, "to take a seat needs the right play at this table")
    for ply, mover in enumerate((alice, bob), 1):
        mover.page.click(".site.next >> nth=0")
        for each in (alice, bob, carol, eve):
            each.wait_for_ply(ply)
    bob.page.click(".site.next >> nth=0")
    says(bob, "It is green's turn; you play yellow.")
    for each in (alice, bob, carol, eve):
        each.page.close()
    daemon.stop()


def test_a_move_that_the_server_refuses_is_taken_back(visit: Visit, daemon: Daemon) -> None:
    visit.open("#game=hex+size%3D3+swap%3Doff")
    address = shared_game(visit, "white")["black plays at"]
    parts = parse_qs(address.split("#")[1])
    (table,), (key,) = parts["watch"], parts["key"]
    with owner_of(table, daemon) as say:
        say(f"seat black {key}")
        visit.page.wait_for_selector(".players:has-text('black: here')")
        say("play b a1")
        visit.wait_for_ply(1)
        # The server hears another move than the page has sent.
        visit.page.evaluate(
            """() => {
          const { send } = WebSocket.prototype;
          WebSocket.prototype.send = function (data) {
            send.call(this, data.replace("play white b2", "play white a1"));
          };
        }"""
        )
        visit.page.click('[data-point="b2"]')
        visit.page.wait_for_selector(".status.alarm:has-text('illegal move')")
        assert visit.ply == 1
        visit.page.click('[data-point="c3"]')
        visit.wait_for_ply(2)
        say("play b b2")
        visit.wait_for_ply(3)


def lines_to(daemon: Daemon, *lines: str) -> list[str]:
    """The answers of another client's session."""
    host, port = daemon.gtp.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as client:
        with client.makefile("rw", encoding="utf-8") as stream:
            answers = []
            for line in lines:
                stream.write(f"{line}\n")
                stream.flush()
                answer = [stream.readline()]
                while answer[-1] != "\n":
                    answer.append(stream.readline())
                assert answer[0].startswith("= "), answer
                answers.append("".join(answer)[2:].strip())
            return answers


def games_told(page: Page) -> dict[str, list[str]]:
    """The rows of the games played from the position shown, by their names."""
    rows: list[list[str]] = page.eval_on_selector_all(
        ".games-told tbody tr",
        "all => all.map((row) => [...row.querySelectorAll(':not(.bar)')]"
        ".filter((cell) => cell.matches('th, td')).map((cell) => cell.textContent.trim()))",
    )
    return {name: cells for name, *cells in rows}


def games_kept(page: Page) -> list[dict[str, Any]]:
    """The games that the browser keeps as played from the position after the first move."""
    for kept in kept_games(page)[:1]:
        for node in kept["root"]["children"][:1]:
            if played := node.get("played"):
                return list(played["games"])
    return []


def test_games_from_here_are_played_counted_and_kept(visit: Visit, daemon: Daemon) -> None:
    visit.open("#game=connect4&moves=d1&A=simulations%3D30+seed%3D9&B=simulations%3D2+seed%3D9")
    page = visit.page
    page.click("summary:text('Play games from here')")
    panel = page.locator("details:has(> summary:text('Play games from here'))")
    panel.locator("input").fill("9")
    panel.locator("button:text-is('play')").click()
    page.wait_for_selector(".games-told:has-text('9 games, ')", timeout=60000)
    panel.locator("button:text-is('play')").wait_for()
    told = games_told(page)
    assert list(told) == ["black", "white", "engine A"]
    black, white, stronger = ([int(number) for number in told[name][:3]] for name in told)
    assert black == white[::-1] and sum(black) == 9 and sum(stronger) == 9
    points = stronger[0] + stronger[1] / 2
    assert points > 4.5
    assert told["engine A"][3] == f"{100 * points / 9:.1f} %"
    z2 = 1.959964**2
    middle, p = points / 9 + z2 / 18, points / 9
    half = math.sqrt(z2 * (p * (1 - p) / 9 + z2 / 324))
    low, high = ((middle + sign * half) / (1 + z2 / 9) for sign in (-1, 1))
    assert told["engine A"][4] == f"{100 * low:.1f} – {100 * high:.1f}"
    # The games are those that the server plays for anybody, with seeds by their numbers.
    wait_until(lambda: len(games_kept(page)) == 9, page)
    games = games_kept(page)
    assert sorted(game["number"] for game in games) == list(range(9))
    for game in games[:2]:
        number = game["number"]
        assert game["engines"] == ("21" if number % 2 else "12")
        *_, answer = lines_to(
            daemon,
            "play d1",
            "setoption simulations 30",
            f"setoption seed {2 * number + 1}",
            f"duel {game['engines']} 1000 100 simulations=2 seed={2 * number + 2}",
        )
        assert answer.split("\n")[1].split() == game["moves"]
    # It is kept, belongs to its position, and grows by further games.
    page.reload()
    visit.wait_for_ply(1)
    page.click("summary:text('Play games from here')")
    assert games_told(page) == told
    page.keyboard.press("Home")
    visit.wait_for_ply(0)
    assert games_told(page) == {}
    page.keyboard.press("End")
    visit.wait_for_ply(1)
    panel.locator("input").fill("2")
    panel.locator("button:text-is('play')").click()
    page.wait_for_selector(".games-told:has-text('11 games, ')", timeout=60000)
    wait_until(lambda: len(games_kept(page)) == 11, page)
    games = games_kept(page)
    assert sorted(game["number"] for game in games) == list(range(11))
    # To stop while a session begins keeps no later session from beginning.
    page.evaluate(
        """() => {
      const { send } = WebSocket.prototype;
      const act = document.querySelector("button[title^='engines A and B play']");
      WebSocket.prototype.send = function (data) {
        send.call(this, data);
        if (!data.includes("known_command state")) return;
        WebSocket.prototype.send = send;
        act.click();
      };
    }"""
    )
    panel.locator("button:text-is('play')").click()
    visit.wait("!WebSocket.prototype.send.toString().includes('known_command')")
    panel.locator("input").fill("1")
    panel.locator("button:text-is('play')").click()
    panel.locator("button:text-is('play')").wait_for()
    assert page.inner_text(".games-told").startswith("12 games, ")


def test_a_preset_overwrites_what_was_set_before_it(visit: Visit, daemon: Daemon) -> None:
    visit.open("#game=connect4&B=k%3D7+alpha%3D0.25+preset%3Duct")
    value = lines_to(daemon, "setoption preset uct", "getoption k")[-1]
    assert float(value) != 7
    page = visit.page

    def options() -> dict[str, str]:
        kept = page.evaluate("sessionStorage.getItem('pitboss-options-B')")
        return dict(json.loads(kept or "[]"))

    wait_until(lambda: options().get("k") == value, page)
    assert options()["preset"] == "uct"


def test_games_from_here_are_ended_refused_and_outlive_the_server(
    browser: Browser,
) -> None:
    daemon = Daemon("--workers", "2")
    visit = Visit(browser.new_page(), daemon.address)
    page = visit.page
    visit.open("#game=connect4&A=simulations%3D300")
    page.click("summary:text('Play games from here')")
    panel = page.locator("details:has(> summary:text('Play games from here'))")

    def count() -> int:
        found = re.match(r"(\d+)", page.inner_text(".games-told"))
        return int(found[1]) if found else 0

    panel.locator("input").fill("1000")
    panel.locator("button:text-is('play')").click()
    wait_until(lambda: count() >= 2, page)
    assert " of 1000 games" in page.inner_text(".games-told")
    assert "engine A" not in games_told(page)  # both engines are the same
    daemon.stop()
    page.wait_for_selector("body.offline")
    before = count()
    daemon.start()
    wait_until(lambda: count() > before + 1, page)
    panel.locator("button:text-is('stop')").click()
    panel.locator("button:text-is('play')").wait_for()
    wait_until(lambda: lines_to(daemon, "sessions")[0].count(" busy ") == 1, page)
    after = count()
    page.wait_for_timeout(1000)
    assert count() == after
    set_option(visit, "simulations", "2000000")
    page.wait_for_selector(".games-told:has-text('with other options')")
    panel.locator("input").fill("none")
    panel.locator("button:text-is('play')").click()
    says(visit, "Games: 'none' is no number from 1 to 10000")
    panel.locator("input").fill("Infinity")
    panel.locator("button:text-is('play')").click()
    says(visit, "Games: 'Infinity' is no number from 1 to 10000")
    page.goto(f"{daemon.address}#game=connect4&moves=d1+a1+d2+a2+d3+a3+d4")
    visit.wait_for_ply(7)
    panel.locator("input").fill("2")
    panel.locator("button:text-is('play')").click()
    says(visit, "The game is over here: go back to play games from there.")
    page.close()
    daemon.stop()


def test_what_was_played_is_told_of_the_position_shown(visit: Visit, scratch: pathlib.Path) -> None:
    head = "(;FF[4]AP[Pitboss:2]SZ[7]RU[connect4]"
    records = scratch / "games.sgf"
    records.write_text(
        f"{head}RE[B+1];B[dg];W[eg];B[fg];W[cg]){head}RE[W+1];B[fg];W[eg];B[dg];W[bg])"
        f"{head}RE[0];B[dg];W[eg];B[fg];W[cg])"
    )
    played = scratch / "played.json"
    words = [PROGRAM.parent / "pitboss", "explore", records, "--out", played]
    subprocess.run(words, check=True, timeout=60)
    visit.open("#game=connect4")
    page = visit.page
    page.click("summary:text('What was played')")
    panel = page.locator("details:has(> summary:text('What was played'))")
    assert "pitboss explore" in panel.inner_text()

    def rows() -> list[list[str]]:
        found: list[list[str]] = page.eval_on_selector_all(
            ".played tbody tr",
            "all => all.map((row) => [...row.cells].map((cell) =>"
            " cell.firstElementChild?.ariaLabel ?? cell.textContent))",
        )
        return found

    nonsense = scratch / "nonsense.json"
    lacks_moves = '{"rules": "connect4", "positions": {"p": {"games": 1}}}'
    for text in ("nonsense", "{}", '{"rules": "connect4"}', "[]", "null", lacks_moves,
                 '{"rules": "connect4", "positions": null}'):  # fmt: skip
        nonsense.write_text(text)
        panel.locator("input").set_input_files(str(nonsense))
        says(visit, "nonsense.json is no file that 'pitboss explore --out' has written")
        page.click("text=new game")
        visit.wait("!document.querySelector('.status.alarm')")
    panel.locator("input").set_input_files(str(played))
    page.wait_for_selector(".played tbody tr")
    assert rows() == [
        ["d1", "2", "66.7 %", "1", "1", "0", "75.0 %", "won 1, drawn 1, lost 0"],
        ["f1", "1", "33.3 %", "0", "0", "1", "0.0 %", "won 0, drawn 0, lost 1"],
    ]
    won, drawn, lost = boxes(page, ".outcomes > *")
    assert (
        abs((won.right - won.left) - (drawn.right - drawn.left)) < 1 and won.right > won.left + 10
    )
    assert abs((lost.right - lost.left) - (drawn.right - won.left)) < 1
    page.hover(".played tbody tr >> nth=0")
    page.wait_for_selector(".place:has-text('preview: d1')")
    for ply, move in enumerate(("d1", "e1", "f1"), 1):
        page.click(f".played button:text-is('{move}')")
        page.mouse.move(1, 1)
        visit.wait_for_ply(ply)
    page.wait_for_selector(".facts:has-text('3 games have come here')")  # however it came about
    assert rows() == [
        ["c1", "2", "66.7 %", "0", "1", "1", "25.0 %", "won 0, drawn 1, lost 1"],
        ["b1", "1", "33.3 %", "1", "0", "0", "100.0 %", "won 1, drawn 0, lost 0"],
    ]
    page.click(".played button:text-is('b1')")
    page.mouse.move(1, 1)
    visit.wait_for_ply(4)
    page.wait_for_selector(".facts:has-text('1 game has come here. None went on.')")
    page.click('[data-point="a1"]')
    page.wait_for_selector(".facts:has-text('played.json: no game has come here.')")
    page.keyboard.press("Home")
    page.reload()
    visit.wait_for_ply(0)
    page.click("summary:text('What was played')")
    page.wait_for_selector(".played tbody tr")
    page.goto(f"{visit.address}#game=othello")
    page.wait_for_selector(".facts:has-text('played.json tells of connect4.')")


def test_nonsense_in_the_address_and_in_files_is_told(visit: Visit, scratch: pathlib.Path) -> None:
    for fragment in ("#game=chess", "#game=hex+size%3D99", "#game=connect4&moves=z9", "#game=&ply=-7",
                     "#%ff%00", "#moves=" + "d1+" * 7):  # fmt: skip
        visit.open(fragment)
        assert visit.ply == 0
        assert visit.page.input_value("label:has-text('game') select") == "connect4"
    visit.page.click("summary:text('Copy')")
    for text in (
        "nonsense",
        '<script id="saved-game">{}</script>',
        '<i id="saved-game">{</script>',
    ):
        file = scratch / "game.html"
        file.write_text(text)
        visit.page.set_input_files("input[accept*='.sgf']", str(file))
        visit.page.wait_for_selector(".status.alarm")
        visit.page.click("text=new game")
        visit.wait("!document.querySelector('.status.alarm')")
    visit.page.fill("textarea", "(;FF[4]RU[hex size=5]SZ[5];B[zz])")
    visit.page.click("button:text-is('paste')")
    visit.page.wait_for_selector(".status.alarm")
    visit.page.click("summary:text('Clock')")
    visit.page.select_option("label:has-text('clock') select", "fischer")
    visit.page.fill(".controls .parameters input >> nth=0", "soon")
    visit.page.click("text=start clock")
    visit.page.wait_for_selector(".status.alarm:has-text('soon')")
    assert visit.ply == 0
