"""Reports in a browser: of a match, one file, on whose board games are stepped through; of all kinds of runs, what
keeps nobody out of them."""

import os
import pathlib
import re
import subprocess
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import PROGRAM, Daemon
from playwright.sync_api import Browser, Page, expect


PITBOSS = PROGRAM.parent / "pitboss"
LONG_NAME = "a-player-whose-name-has-forty-characters"

# Stands for Python with PyTorch: the network stays as it is.
LEARNER = """#!/bin/sh
[ $1 = -c ] && echo ready && exit
generation=$(printf %04d $6)
echo '{"steps":3,"rows_in_window":9,"learning_rate":0.001,"policy_loss":2,"value_loss":0.7,"held_out_rows":5,
"held_out_policy_loss":2,"held_out_value_loss":0.7,"policy_entropy":1,"network_entropy":1,"policy_accuracy":0.5,
"seconds":1,"processor_seconds":1.5,"samples_per_second":9}' > $4/learner/$generation.json
echo '{"step":3,"steps":3}'
cp $4/networks/$(printf %04d $(($6 - 1))).safetensors $4/networks/$generation.safetensors
"""


def command(*words: object, **environment: str) -> None:
    subprocess.run([PITBOSS, *words], check=True, timeout=120, env={**os.environ, **environment})


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
    command("referee", "--experiment", experiment, "--out", folder / "out")
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


def a_match(folder: pathlib.Path, daemon: Daemon) -> pathlib.Path:
    return played(folder, daemon, "connect4", "hex size=5 swap=off")


def a_tournament(folder: pathlib.Path, daemon: Daemon) -> pathlib.Path:
    experiment = folder / "experiment.toml"
    experiment.write_text(
        'game = "connect4"\ngames = 6\nseed = 1\noptions = { simulations = 50 }\n'
        f'[[player]]\nname = "{LONG_NAME}"\n'
        f'[[player]]\nname = "{LONG_NAME[::-1]}"\n[[player]]\nname = "C"\n'
        f'[[server]]\naddress = "{daemon.gtp}"\n'
    )
    command("referee", "--experiment", experiment, "--out", folder / "out")
    return folder / "out" / "report.html"


def a_tuning(folder: pathlib.Path, daemon: Daemon) -> pathlib.Path:
    experiment = folder / "experiment.toml"
    experiment.write_text(
        'game = "connect4"\ngames = 10\nseed = 1\noptions = { simulations = 20 }\n'
        '[[player]]\nname = "novel"\noptions = { novelty = "pseudocount", k = 0.3 }\n'
        '[[player]]\nname = "plain"\n'
        f'[[server]]\naddress = "{daemon.gtp}"\n'
        '[tune]\nplayer = "novel"\nmethod = "ucb1-tuned"\ngames = 60\n'
        "[tune.parameters]\nk = [0.1, 0.3]\n"
    )
    command("tune", "--experiment", experiment, "--out", folder / "out")
    return folder / "out" / "report.html"


def a_training(folder: pathlib.Path, _daemon: Daemon) -> pathlib.Path:
    settings = folder / "tiny.toml"
    settings.write_text(
        'game = "hex size=3"\ngenerations = 2\n'
        "[self_play]\ngames = 12\nearly_games = 12\nstages = [{ from = 0.0, full = 16, fast = 8 }]\n"
        "[learner]\nwindow_least = 1000\nheld_out = 0.1\n"
        '[evaluation]\nevery = 1\ngames = 4\nsimulations = 20\nanchor = "simulations=10"\n'
        "[abort]\npolicy_entropy = 0.0\ndistinct_openings = 0.0\ndraws = 1.0\nvalue_gap = 10.0\n"
    )
    learner = folder / "learner.sh"
    learner.write_text(LEARNER)
    learner.chmod(0o700)
    command(
        "train", "--settings", settings, "--out", folder / "out", PITBOSS_TORCH_PYTHON=str(learner)
    )
    return folder / "out" / "report.html"


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


# Words of pictures that are drawn outside them.
SPILT = """() => [...document.querySelectorAll("figure > svg")].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter((text) => {
    const { left, right } = text.getBoundingClientRect();
    return left < frame.left - 1 || right > frame.right + 1;
  }).map(({ textContent }) => textContent);
})"""


def test_a_position_of_a_report_opens_on_a_board_with_its_players_options(
    browser: Browser, daemon: Daemon, scratch: pathlib.Path
) -> None:
    report = played(scratch, daemon, "hex size=5 swap=off")
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.goto(f"file://{report}#game-1-1")
    page.wait_for_selector(".viewer output.over")
    assert page.locator(".decisive *").count() >= 5  # the winner's chain
    page.goto(f"file://{report}#game-1-1-ply-3")
    page.wait_for_selector(".viewer output:has-text('ply 3')")
    assert page.locator(".decisive *").count() == 0
    moves = page.locator(".viewer .moves button").all_inner_texts()
    page.fill("input[type=url]", daemon.address)
    with page.context.expect_page() as opening:
        page.click("text=play and search on from here")
    board = opening.value
    board.wait_for_selector(".place:has-text('ply 3')")
    assert board.locator(".moves button").all_inner_texts() == moves
    assert board.locator(".board .pieces .piece").count() == 3
    simulations = ".pinned .option:has([aria-label='simulations, slider']) input.value"
    board.wait_for_selector(simulations)
    assert board.input_value(simulations) == "300"
    board.click("summary:text('compare')")
    board.click("button:text-is('compare')")
    board.click("button:text-is('engine B')")
    expect(board.locator(simulations)).to_have_value("1")
    board.close()
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("make", [a_match, a_tournament, a_tuning, a_training])
def test_nothing_keeps_people_out_of_a_report(
    browser: Browser,
    daemon: Daemon,
    scratch: pathlib.Path,
    make: Callable[[pathlib.Path, Daemon], pathlib.Path],
    width: int,
    theme: str,
) -> None:
    report = make(scratch, daemon)
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=theme)
    page.goto(f"file://{report}")
    open_all(page)
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(SPILT) == []
    page.close()


def test_the_words_of_charts_are_as_large_as_notes(
    browser: Browser, daemon: Daemon, scratch: pathlib.Path
) -> None:
    report = a_match(scratch, daemon)
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(f"file://{report}")
    page.wait_for_selector(".viewer svg.board .piece")
    assert page.query_selector(".ahead.lead-50")  # the strongest colour of a score
    for chart in (".viewer .chart text", ".plots svg text"):
        size = page.eval_on_selector(
            chart,
            "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a",
        )
        assert size >= 10, chart
    page.close()
