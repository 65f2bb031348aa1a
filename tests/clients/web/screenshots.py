#!/usr/bin/env python3
"""Pictures of all fifteen boards while a search runs, each in a window and on a phone; of the dark, of a comparison and of
a tree: screenshots.py FOLDER."""

import pathlib
import sys

from conftest import Daemon, Visit
from page_test import GAMES, compare, set_option
from playwright.sync_api import Browser, ViewportSize, sync_playwright

PLIES = 5
WINDOW: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
# Beginnings that the engine does not make by itself.
BEGUN = {"gomoku": "gomoku opening=free"}
DARK = "amazons"
WIDE = "hex"


def opened(
    browser: Browser, address: str, fragment: str, size: ViewportSize, theme: str = "light"
) -> Visit:
    page = browser.new_page(viewport=size, color_scheme="dark" if theme == "dark" else "light")
    return Visit(page, address).open(fragment)


def search(visit: Visit, has_change: bool = True) -> None:
    """Searches for some seconds, with a change of an option on the way."""
    visit.page.click("text=analyse")
    visit.page.wait_for_timeout(1200)
    if has_change:
        set_option(visit, "k", "0.6")
    visit.page.wait_for_timeout(1300)


def take(visit: Visit, folder: pathlib.Path, name: str) -> None:
    visit.page.screenshot(path=folder / f"web-{name}.png")
    visit.page.close()


def main(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    daemon = Daemon("--workers", "2")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for game in GAMES:
            rules = BEGUN.get(game, game).replace(" ", "+").replace("=", "%3D")
            window = opened(browser, daemon.address, f"#game={rules}", WINDOW)
            for ply in range(1, PLIES + 1):
                window.page.keyboard.press("Enter")  # the engine moves
                window.wait_for_ply(ply)
                window.wait("/ to move/.test(document.querySelector('.place').textContent)")
            fragment = window.page.evaluate("location.hash")
            search(window)
            take(window, folder, game)
            phone = opened(browser, daemon.address, fragment, PHONE)
            search(phone, has_change=False)
            take(phone, folder, f"{game}-phone")
            if game == DARK:
                dark = opened(browser, daemon.address, fragment, WINDOW, "dark")
                dark.page.select_option("label:has-text('map') select", "visits")
                search(dark)
                take(dark, folder, f"{game}-dark")
            if game == WIDE:
                both = opened(browser, daemon.address, fragment, WINDOW)
                compare(both)
                search(both)
                take(both, folder, "compare")
                tree = opened(browser, daemon.address, fragment, WINDOW)
                search(tree)
                tree.page.click("text=pause")
                tree.page.click("summary:text('Picture of the tree')")
                tree.wait("document.querySelectorAll('.branch').length > 100")
                tree.page.locator(".tree-picture").scroll_into_view_if_needed()
                take(tree, folder, "tree")
        browser.close()
    daemon.stop()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
