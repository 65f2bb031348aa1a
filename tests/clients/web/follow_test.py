"""The page that follows experiments, over one that is played meanwhile."""

import pathlib
import re
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest
from conftest import PROGRAM, Daemon
from playwright.sync_api import Browser, Page

GAMES = 2000


class Followed:
    """The server of the page, and a referee that plays what it shows."""

    def __init__(self, folder: pathlib.Path, daemon: Daemon) -> None:
        self.folder = folder
        self.token = folder / "token"
        self.token.write_text("sesame\n")
        self.token.chmod(0o600)
        self.referee = subprocess.Popen(
            [
                PROGRAM.parent / "pitboss",
                "referee",
                "--server",
                daemon.gtp,
                "--game",
                "connect4",
                "--player",
                "name=A simulations=10000",
                "--player",
                "name=B simulations=10000 k=0.5",
                "--games",
                str(GAMES),
                "--sprt",
                "elo0=0 elo1=20 alpha=0.001 beta=0.001",
                "--concurrency",
                "2",
                "--out",
                folder / "runs" / "first",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not (folder / "runs/first/ledger.sqlite").exists():
            assert self.referee.poll() is None
            time.sleep(0.05)
        self.server = subprocess.Popen(
            [
                PROGRAM.parent / "pitboss",
                "report",
                "--serve",
                folder / "runs",
                "--listen",
                "127.0.0.1:0",
                "--token-file",
                self.token,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.server.stdout
        found = re.match(r"page (http://\S+/)", self.server.stdout.readline())
        assert found
        self.address = found[1]

    def stop(self) -> None:
        for process in (self.referee, self.server):
            process.terminate()
            process.wait(30)


@pytest.fixture
def followed(scratch: pathlib.Path, daemon: Daemon) -> Iterator[Followed]:
    made = Followed(scratch, daemon)
    yield made
    made.stop()


def done(page: Page) -> int:
    found = re.search(r"(\d+) of at most", page.inner_text("section[aria-label=Progress]"))
    return int(found[1]) if found else 0


def wait_for(what: str, is_so, seconds: float = 40) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def wait_for_pieces(page: Page, count: int) -> None:
    wait_for(
        f"{count} pieces are not on the board",
        lambda: len(page.query_selector_all(".board .piece")) == count,
    )


@pytest.mark.smoke
def test_an_experiment_is_followed(browser: Browser, followed: Followed) -> None:
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    # Ages are told by the server's clock: this one is an hour ahead.
    page.add_init_script("const now = Date.now; Date.now = () => now() + 3600000;")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: errors.append(message.text) if message.type == "error" else None,
    )
    # The list, and its filters.
    page.goto(followed.address)
    page.wait_for_selector("td:text-is('running')")
    assert page.inner_text("tbody tr th").strip() == "first"
    page.fill(".filters input", "nothing of this name")
    assert not page.is_visible("tbody tr")
    page.fill(".filters input", "FIRST")
    page.select_option(".filters label:nth-child(2) select", "experiment")
    page.select_option(".filters label:nth-child(4) select", "connect4")
    page.click("tbody a")
    # The experiment's page, which grows without a reload.
    page.wait_for_selector("section[aria-label=Results] meter")
    wait_for("no game is shown", lambda: done(page) > 0)
    before = done(page)
    wait_for("nothing is added", lambda: done(page) > before)
    results = page.inner_text("section[aria-label=Results]")
    for words in ("SPRT-corrected Elo", "normalized Elo", "LOS", "LLR", "distinct"):
        assert words in results
    assert page.query_selector("section[aria-label=Results] svg .band")
    assert "Log-likelihood ratio" in results
    assert "No game was lost by a failure" in page.inner_text("section[aria-label=Failures]")
    assert re.fullmatch(r"\d+ s ago", page.inner_text("section[aria-label=Referees] time"))
    # A game on the board, with what the searches said of it.
    page.wait_for_selector(".viewer svg.board .piece")
    number = page.eval_on_selector(
        ".viewer .games li:nth-child(2) a",
        "link => (link.click(), link.querySelector('b').textContent)",
    )
    page.wait_for_selector(f".players >> text=game {number}:")
    page.wait_for_selector(".viewer .chart polyline")
    assert page.inner_text(".viewer .games [aria-current] b") == number
    plies = len(page.query_selector_all(".viewer .moves button"))
    wait_for_pieces(page, plies)
    page.click("button[title^=back]")
    wait_for_pieces(page, plies - 1)
    # Stop and resume.
    page.click(".commands button")
    page.fill("dialog input", "wrong")
    page.click("dialog button")
    page.wait_for_selector("dialog >> text=refused the token")
    page.fill("dialog input", "sesame")
    page.click("dialog button")
    page.wait_for_selector(".commands button:text-is('resume')", timeout=20000)
    page.click(".commands button")
    page.wait_for_selector(".commands button:text-is('stop')", timeout=20000)
    # The data of all that is shown.
    for link in page.query_selector_all(".data a"):
        answer = page.request.get(followed.address + str(link.get_attribute("href")))
        assert answer.ok, link.get_attribute("href")
    assert [one for one in errors if "401" not in one] == []
    page.close()


def test_a_list_on_a_telephone_hides_nothing(browser: Browser, followed: Followed) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(followed.address)
    page.wait_for_selector("td:text-is('running')")
    for cell in page.query_selector_all("tbody th, tbody td"):
        box = cell.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390, cell.inner_text()
    page.fill(".filters input", "nothing of this name")
    assert not page.is_visible("tbody tr")
    page.close()


def test_a_server_that_stands_still_is_told(browser: Browser, followed: Followed) -> None:
    page = browser.new_page()
    page.goto(followed.address)
    page.wait_for_selector("td:text-is('running')")
    followed.server.send_signal(signal.SIGSTOP)
    try:
        page.wait_for_selector(".stale:has-text('does not answer')", timeout=40000)
    finally:
        followed.server.send_signal(signal.SIGCONT)
    wait_for("the page goes on", lambda: page.inner_text(".stale") == "")
    page.close()
