#!/usr/bin/env python3
"""Pictures of all fifteen boards while a search runs, of a phone and of the dark: screenshots.py FOLDER."""

import pathlib
import sys

from conftest import Daemon, Visit
from page_test import GAMES
from playwright.sync_api import sync_playwright

PLIES = 5


def main(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    daemon = Daemon()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        sizes = {"light": (1400, 1000), "dark": (1400, 1000), "phone": (360, 1200)}
        for game in GAMES:
            for name, (width, height) in sizes.items():
                if name != "light" and game not in ("hex", "amazons", "cannon"):
                    continue
                page = browser.new_page(
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if name == "dark" else "light",
                )
                visit = Visit(page, daemon.address).open(f"#game={game}")
                for ply in range(1, PLIES + 1):
                    page.keyboard.press("Enter")  # the engine moves
                    visit.wait_for_ply(ply)
                    visit.wait("/ to move/.test(document.querySelector('.place').textContent)")
                page.select_option(
                    "label:has-text('map') select",
                    "visits" if name == "dark" else "none",
                )
                page.click("text=analyse")
                page.wait_for_timeout(1500)
                page.screenshot(path=folder / f"{game}-{name}.png")
                page.close()
        browser.close()
    daemon.stop()


main(pathlib.Path(sys.argv[1]))
