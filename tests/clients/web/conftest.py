"""A daemon with its page, and a browser that looks at it."""

import os
import pathlib
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ.get("PITBOSS_BIN", ROOT / "build/release/bin")) / "pitbossd"


class Daemon:
    """A daemon that serves the page, on a port that stays when it is started anew."""

    def __init__(self, *flags: str, tls: bool = False) -> None:
        self.flags = flags
        self.tls = ",tls" if tls else ""
        self.scheme = ""
        self.port = 0
        self.gtp = ""  # where lines are spoken
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                PROGRAM,
                "--listen",
                "127.0.0.1:0",
                "--http",
                f"127.0.0.1:{self.port}{self.tls}",
                "--seed",
                "1",
                *self.flags,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.match(r"listening (127\.0\.0\.1:\d+)", line):
                self.gtp = found[1]
            if found := re.match(r"page (https?)://127\.0\.0\.1:(\d+)/", line):
                self.scheme = found[1]
                self.port = int(found[2])
                return
        raise AssertionError("the daemon has not told where its page is")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    @property
    def address(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/"


@pytest.fixture(scope="session")
def daemon() -> Iterator[Daemon]:
    made = Daemon("--workers", "2")
    yield made
    made.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        yield made
        made.close()


class Visit:
    """A page in a browser, and what a person does with it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console",
            lambda message: self.errors.append(message.text) if message.type == "error" else None,
        )

    def open(self, fragment: str = "") -> "Visit":
        self.page.goto("about:blank")
        self.page.goto(self.address + fragment)
        self.page.wait_for_selector(".site.next")
        return self

    @property
    def ply(self) -> int:
        found = re.match(r"ply (\d+)", self.page.inner_text(".place"))
        return int(found[1]) if found else -1

    def wait(self, expression: str, seconds: float = 20) -> None:
        """Waits until a JavaScript expression is true. Playwright's own wait evaluates text in the page, which the
        page's content security policy forbids."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            assert (
                time.monotonic() < end
            ), f"in vain: {expression}; the page says: {self.page.inner_text('.status')}"
            time.sleep(0.02)

    def wait_for_ply(self, ply: int, seconds: float = 20) -> None:
        self.wait(
            f"document.querySelector('.place').textContent.startsWith('ply {ply}:')",
            seconds,
        )

    def is_over(self) -> bool:
        return not self.page.query_selector(".site.next") and not self.page.query_selector(
            ".words-to-play button"
        )

    def move_by_clicks(self, choose: Any) -> None:
        """One whole move: chooses among what the page offers until the ply changes."""
        ply = self.ply
        for _ in range(6):
            offered = self.page.eval_on_selector_all(
                ".site.next", "all => all.map((each) => each.dataset.point)"
            )
            words = self.page.eval_on_selector_all(
                ".words-to-play button",
                "all => all.map((each) => each.textContent).filter((each) => each !== 'cancel')",
            )
            step = choose(sorted(offered) + sorted(words))
            if step in offered:
                self.page.click(f'[data-point="{step}"]')
            else:
                self.page.click(f'.words-to-play button:text-is("{step}")')
            chosen = bool(self.page.query_selector(".site.chosen"))
            if not chosen:
                break
        self.wait_for_ply(ply + 1)
        self.wait(
            "document.querySelector('.place').textContent.match(/ to move|wins|draw|over|share/)"
        )


@pytest.fixture
def visit(browser: Browser, daemon: Daemon) -> Iterator[Visit]:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    made = Visit(page, daemon.address)
    yield made
    page.close()
    assert made.errors == []


@pytest.fixture
def scratch() -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)
