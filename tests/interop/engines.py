"""Plays small matches with programs that we did not write. The environment says where they are; what
plays with one that it does not name is skipped:

    PITBOSS_MOHEX             MoHex: hex, on a board with the column i
    PITBOSS_FAIRY_STOCKFISH   Fairy-Stockfish: breakthrough, and amazons, connect4 and othello where it
                              has them (connect4 with the variants.ini beside the program)
    PITBOSS_GOGUI             the folder of GoGui's programs: gogui-twogtp plays matches of its own, with
                              `pitboss gtp` on both sides and as its referee, and one against MoHex, and
                              is a player of our referee; gogui-regress runs tests/regress
    PITBOSS_FIGRID            pbrain-figrid: gomoku 15x15, by Gomocup's protocol
    PITBOSS_NTEST             NTest, begun in the folder of its coefficients: othello, by NBoard's protocol

engines.py [--games N] [--out FOLDER], from the folder of the project. PITBOSS_BIN may name the folder
of our programs. Fails if a game was lost by a failure, if the ledger or a record does not hold what was
played, or if nothing was played.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from games_at_once import started
from play_game import Session

BIN = Path(os.environ.get("PITBOSS_BIN", "build/release/bin")).resolve()

NETWORK = {"evaluation": "network", "selection": "puct", "simulations": 200}
FEATURES = {
    "evaluation": "playout",
    "selection": "puct",
    "c_puct": 1.25,
    "fpu_reduction": 0,
    "virtual_samples": False,
    "prior": "features",
    "playout": "features",
    "feature_moves": 1,
    "features": "hex-11",
    "simulations": 1000,
}
STATIC = {"preset": "reference", "simulations": 2000}

MOHEX_OPTIONS = ["--quiet", "--use-logfile", "0", "--seed", "1", "--config"]
MOHEX_SETTINGS = """\
param_mohex max_games 100
param_mohex max_memory 100000000
param_mohex perform_pre_search 0
param_mohex num_threads 1
"""

# What Fairy-Stockfish plays: our game, its variant, the nodes of its searches, and our options.
VARIANTS = [
    ("breakthrough", "breakthrough", 5000, NETWORK | {"network": "breakthrough"}),
    ("amazons", "amazons", 100, STATIC),
    ("connect4", "cfour", 5000, NETWORK | {"network": "connect4"}),
    ("othello", "flipello", 5000, NETWORK | {"network": "othello"}),
]

# What gogui-twogtp plays: games whose moves are one point, and the size of its board.
ONE_POINT_GAMES = [
    ("connect4", 7),
    ("othello size=8", 8),
    ("hex size=11", 11),
    ("atarigo size=7", 7),
]


def path_in(variable: str, use: str) -> str | None:
    """The path in the variable; None, and a word about it, if there is none."""
    path = os.environ.get(variable)
    if not path:
        print(f"skipped: {use}: {variable} is not set")
    elif not os.access(path, os.X_OK):
        fail(f"{variable}={path}: there is no such program or folder")
    return path or None


def fail(why: str) -> None:
    sys.exit(f"engines.py: {why}")


def run(*command: str | Path) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        fail(f"{command} ended with {done.returncode}:\n{done.stdout}")


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + " }"
    return json.dumps(value)


class Matches:
    """Matches of so many games, whose records are in the folder `out`, which the daemon serves."""

    def __init__(self, daemon: str, games: int, out: Path) -> None:
        self.daemon, self.games, self.out, self.played = daemon, games, out, 0

    def refereed(
        self, name: str, game: str, options: dict[str, Any], other: dict[str, Any]
    ) -> None:
        """A match of `pitboss referee` against a program."""
        ours = {"name": "pitboss", "server": self.daemon, "options": options}
        lines = [f"game = {toml(game)}", f"games = {self.games}"]
        for player in (ours, other):
            lines += ["[[player]]", *(f"{key} = {toml(value)}" for key, value in player.items())]
        folder = self.out / name
        experiment = self.out / f"{name}.toml"
        experiment.write_text("\n".join(lines) + "\n")
        referee: list[str | Path] = [
            BIN / "pitboss",
            "referee",
            "--experiment",
            experiment,
            "--out",
            folder,
        ]
        run(*referee, "--concurrency", "2")
        run(BIN / "pitboss", "ledger", "verify", folder)
        summary = json.loads((folder / "summary.json").read_text())["matches"][0]
        ours, other = summary["players"]
        low, high = (100 * bound for bound in summary["interval"])
        print(
            f"{name}: {summary['wins']}-{summary['draws']}-{summary['losses']} against"
            f" {other['engine']['program']}: {100 * summary['score']:.1f} % [{low:.1f}, {high:.1f}],"
            f" failures: {ours['failures']} {other['failures']}",
            flush=True,
        )
        if summary["games"] != self.games or summary["failures"]:
            fail(f"{name}: see {folder}")
        self.played += 1

    def pitboss(self, game: str, simulations: int = 1000) -> str:
        """Pitboss as a program that speaks GTP."""
        connect = f"{BIN}/pitboss gtp --connect {self.daemon}"
        return f"{connect} --game {game} --set simulations={simulations}"

    def by_twogtp(self, twogtp: str, name: str, game: str, size: int, white: str) -> None:
        """A match of gogui-twogtp, whose records the daemon has to read as they were played."""
        us = self.pitboss(game)
        files = ["-size", str(size), "-sgffile", str(self.out / name)]
        sides = ["-black", us, "-white", white, "-referee", us]
        run(twogtp, "-auto", "-games", str(self.games), "-alternate", *files, *sides)
        lines = (self.out / f"{name}.dat").read_text().splitlines()
        table = [line for line in lines if not line.startswith("#") or line.startswith("#GAME")]
        rows = list(csv.DictReader(table, delimiter="\t"))
        session = Session(self.daemon)
        session.ask(f"game {game}")
        for row in rows:
            winners = {row[result][0] for result in ("RES_B", "RES_W", "RES_R")}
            session.ask(f"loadsgf {name}-{row['#GAME']}.sgf")
            # Of a game with swapped colours the table has the other colour.
            swap = str.maketrans("BW", "WB" if row["ALT"] == "1" else "BW")
            winners.add(session.ask("final_score")[0].translate(swap))
            if row["ERR"] != "0" or len(winners) != 1:
                fail(f"{name}: game {row['#GAME']}: {row}")
        won, lost = (sum(row["RES_B"][0] == colour for row in rows) for colour in "BW")
        print(f"{name}: {won}-{len(rows) - won - lost}-{lost}", flush=True)
        if len(rows) != self.games:
            fail(f"{name}: {len(rows)} games instead of {self.games}")
        self.played += 1

    def against_mohex(self, mohex: list[str]) -> None:
        other: dict[str, Any] = {
            "name": "mohex",
            "program": mohex,
            "speaks": "gtp",
            "dialect": "hexgui",
            "start_timeout": 60,
        }
        self.refereed("hex-mohex", "hex size=11", FEATURES, other)

    def against_fairy(self, fairy: str) -> None:
        more = Path(fairy).resolve().parent / "variants.ini"
        path = {"VariantPath": str(more)} if more.exists() else {}
        ask = "".join(f"setoption name {name} value {value}\n" for name, value in path.items())
        told = subprocess.run([fairy], input=f"{ask}uci\nquit\n", capture_output=True, text=True)
        known = [
            line for line in told.stdout.splitlines() if line.startswith("option name UCI_Var")
        ]
        for game, variant, nodes, options in VARIANTS:
            if variant not in known[-1].split():
                print(f"skipped: {game}-fairy: this Fairy-Stockfish has no {variant}")
                continue
            other: dict[str, Any] = {"name": "fairy", "program": [fairy], "speaks": "uci"}
            other["options"] = path | {"nodes": nodes, "Hash": 16, "Threads": 1}
            self.refereed(f"{game}-fairy", game, options, other)

    def against_figrid(self, figrid: str) -> None:
        other = {"name": "figrid", "program": [figrid], "speaks": "gomocup"}
        bound = {"options": {"timeout_turn": 300}}
        game = "gomoku size=15 opening=free"
        self.refereed("gomoku-figrid", game, STATIC | {"simulations": 5000}, other | bound)

    def against_ntest(self, ntest: str) -> None:
        other = {"name": "ntest", "program": [ntest], "speaks": "nboard", "options": {"depth": 4}}
        self.refereed("othello-ntest", "othello", NETWORK | {"network": "othello"}, other)

    def with_twogtp(self, twogtp: str, mohex: list[str] | None) -> None:
        for game, size in ONE_POINT_GAMES:
            name = game.split()[0]
            weak = self.pitboss(game, simulations=300)
            self.by_twogtp(twogtp, f"{name}-twogtp", game, size, weak)
            program = [twogtp, "-size", str(size), "-black", weak, "-white", weak]
            other = {"name": "twogtp", "program": program, "speaks": "gtp"}
            self.refereed(f"{name}-player-twogtp", game, {"simulations": 1000}, other)
        if mohex:  # on a board without the column i, which GoGui leaves out
            self.by_twogtp(twogtp, "hex-mohex-twogtp", "hex size=8", 8, shlex.join(mohex))

    def regress(self, gogui_regress: str) -> None:
        suites = sorted(Path("tests/regress").glob("*.tst"))
        out = self.out / "regress"
        run(gogui_regress, "-output", out, self.pitboss("connect4"), *suites)
        names, values = (out / "summary.dat").read_text().splitlines()[:2]
        result = dict(zip(names.split("\t"), map(float, values.split("\t"))))
        unexpected = result["FAIL"] + result["PASS"] + result["Error"]
        print(
            f"regress: {result['#Tests']:.0f} tests, {unexpected:.0f} of them unexpected",
            flush=True,
        )
        if unexpected:
            fail(f"regress: see {out}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=2, help="of each match, an even number")
    parser.add_argument("--out", type=Path, help="keep the records in this folder")
    arguments = parser.parse_args()
    mohex = path_in("PITBOSS_MOHEX", "MoHex")
    fairy = path_in("PITBOSS_FAIRY_STOCKFISH", "Fairy-Stockfish")
    gogui = path_in("PITBOSS_GOGUI", "GoGui")
    figrid = path_in("PITBOSS_FIGRID", "pbrain-figrid")
    ntest = path_in("PITBOSS_NTEST", "NTest")
    with tempfile.TemporaryDirectory() as scratch:
        out = (arguments.out or Path(scratch)).resolve()
        out.mkdir(parents=True, exist_ok=True)
        settings = out / "mohex.htp"
        settings.write_text(MOHEX_SETTINGS)
        mohex_command = [mohex, *MOHEX_OPTIONS, str(settings)] if mohex else None
        serve = ["--networks", "data/networks", "--features", "data/features", "--sgf", str(out)]
        serve += ["--listen", "127.0.0.1:0", "--log-file", str(out / "pitbossd.log")]
        with started(str(BIN / "pitbossd"), *serve) as (_, daemon):
            matches = Matches(daemon, arguments.games, out)
            if mohex_command:
                matches.against_mohex(mohex_command)
            if fairy:
                matches.against_fairy(fairy)
            if figrid:
                matches.against_figrid(figrid)
            if ntest:
                matches.against_ntest(ntest)
            if gogui:
                matches.with_twogtp(f"{gogui}/gogui-twogtp", mohex_command)
                matches.regress(f"{gogui}/gogui-regress")
    print(f"{matches.played} matches")
    return 0 if matches.played else 1


if __name__ == "__main__":
    sys.exit(main())
