"""The command behind ./dev results; data/results/README.md tells what it does."""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

from ..errors import PitbossError
from ..files import BadInput, write_whole
from .effects import EFFECTS_NAME, effects_of
from .figures import effects_figure, errors_figure, table_figure, times_figure
from .page import has_figure, overview_page, table_page
from .play import (
    Interrupted,
    Player,
    alone,
    cells_named,
    draw_cells,
    play_table,
    record_tables,
    repeat,
    time_novelty,
)
from .power import power_text
from .table import families_of, read_table, table_names
from .times import TIMES_NAME, read_times, times_page
from .truth import ERRORS_NAME, measure_errors, read_errors, read_positions, truth_page


def pages(root: Path) -> dict[Path, str | None]:
    """What the pages and figures of docs/results have to be, from the files in data/results; None: not there."""
    tables = [read_table(root, name) for name in table_names(root)]
    families = families_of(tables)
    folder = root / "docs/results"
    out: dict[Path, str | None] = {}
    for table in tables:
        out[folder / f"{table.name}.md"] = table_page(table, families)
        out[folder / f"{table.name}.svg"] = table_figure(table) if has_figure(table) else None
    if (root / "data/results/papers.toml").exists():
        times = read_times(root / "data/results/times.json")
        out[folder / f"{TIMES_NAME}.md"] = times_page(times)
        out[folder / f"{TIMES_NAME}.svg"] = times_figure(times) if times else None
        errors = read_errors(root)
        out[folder / f"{ERRORS_NAME}.md"] = truth_page(read_positions(root), errors)
        out[folder / f"{ERRORS_NAME}.svg"] = errors_figure(errors) if errors else None
        effects = effects_of(families)
        out[folder / f"{EFFECTS_NAME}.svg"] = effects_figure(effects) if effects else None
        out[folder / "README.md"] = overview_page(root, tables, families, times)
    return out


def write_pages(root: Path) -> None:
    for page, text in pages(root).items():
        _write(page, text)


def _write(page: Path, text: str | None) -> None:
    """Writes a page that has changed, or removes one that has nothing to show."""
    known = page.read_text() if page.exists() else None
    if text == known:
        return
    if text is None:
        page.unlink()
    else:
        write_whole(page, text.encode())
    print(page if text is not None else f"{page} removed")


def _arguments(words: list[str] | None) -> argparse.Namespace:
    all = argparse.ArgumentParser("./dev results", description=__doc__)
    verbs = all.add_subparsers(dest="verb", required=True)
    places = argparse.ArgumentParser(add_help=False)
    places.add_argument("--repository", type=Path, default=Path("."), metavar="DIR")
    places.add_argument("--out", type=Path, default=Path("run/results"), help="for ledgers")
    tables = argparse.ArgumentParser(add_help=False, parents=[places])
    tables.add_argument("tables", nargs="+", metavar="TABLE")
    playing = argparse.ArgumentParser(add_help=False, parents=[tables])
    playing.add_argument("--networks", help="the folder of the networks that are played with")
    playing.add_argument("--concurrency", type=_whole, help="games at once")
    verbs.add_parser("write", parents=[places], help="writes the pages")
    verbs.add_parser("record", parents=[tables], help="only records what was played")
    play = verbs.add_parser("play", parents=[playing], help="plays the matches without a record")
    play.add_argument("--games", type=_whole, help="no more of each match for now")
    again = verbs.add_parser("repeat", parents=[playing], help="plays recorded matches again")
    again.add_argument("--cells", type=_whole, default=10, help="how many are drawn")
    again.add_argument("--draw", type=int, default=1, metavar="SEED", help="which ones")
    again.add_argument("--cell", action="append", metavar="GAME.PLAYER.OPPONENT", help="this one")
    time = verbs.add_parser("time", parents=[places], help="measures what novelty costs")
    time.add_argument("--seconds", type=float, default=60, help="for each game, and its network")
    time.add_argument("--networks", action="store_true", help="networks, too")
    truth = verbs.add_parser("truth", parents=[places], help="measures how far searches err")
    truth.add_argument("--positions", type=_whole, default=400, help="of each drawn set")
    truth.add_argument("--seed", type=int, default=1, help="of the draw")
    truth.add_argument(
        "--most", type=_whole, default=100_000, metavar="N", help="no search of more simulations"
    )
    verbs.add_parser("power", parents=[places], help="tells what experiments can show")
    return all.parse_args(words)


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, not '{text}'")
    return int(text)


def _do(asked: argparse.Namespace) -> int:
    """All but the pages. Returns the exit code."""
    root: Path = asked.repository
    if asked.verb == "time":
        time_novelty(root, asked.seconds, asked.networks)
    elif asked.verb == "truth":
        measure_errors(root, asked.positions, asked.seed, asked.most)
    elif asked.verb == "record":
        record_tables(root, asked.out, asked.tables)
    elif asked.verb in ("play", "repeat"):
        tables = [read_table(root, name) for name in asked.tables]
        with Player(root, asked.out, asked.networks, asked.concurrency) as player:
            if asked.verb == "repeat":
                named = cells_named(tables, asked.cell or [])
                cells = named or draw_cells(tables, asked.cells, asked.draw)
                return 0 if repeat(player, tables, cells, not named) else 1
            for table in tables:
                play_table(player, table, asked.games)
    return 0


def _run(asked: argparse.Namespace) -> int:
    root: Path = asked.repository
    if not (root / "data/experiments").is_dir():
        raise BadInput(f"there is no folder {root / 'data/experiments'}")
    if asked.verb == "power":
        print(power_text(root), end="")
        return 0
    with alone(root) if asked.verb != "write" else nullcontext():
        try:
            code = _do(asked)
        except Interrupted as interrupted:
            code = interrupted.code
        write_pages(root)
    return code


def main(words: list[str] | None = None) -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return _run(_arguments(words))
    except (BadInput, PitbossError) as error:
        print(f"./dev results: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("./dev results: interrupted; the same command continues", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
