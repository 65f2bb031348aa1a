"""Games of ledgers as one table for people without Pitboss, in Parquet, with a card:

    python3 -m pitboss.dataset run/match run/ladder --out games/games.parquet

Needs the extra `frames`; with the extra `openspiel` the moves are there as OpenSpiel's actions, too."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .errors import PitbossError, needing
from .files import BadInput, user_path, write_whole
from .ledger import Results, Row
from .state import Game

if TYPE_CHECKING:
    from .openspiel import Translation

__all__ = ["COLUMNS", "rows", "write"]

CARD_NAME = "README.md"
# By it a card is known as that of the table beside it.
_MARK = "<!-- Made by pitboss.dataset, of {}. -->"

# THE columns: name, type and meaning. Types are named as DuckDB does.
COLUMNS: dict[str, tuple[str, str]] = {
    "source": ("VARCHAR", "the name of the ledger: of its folder, or in its database"),
    "match": ("INTEGER", "of the ledger, from 1"),
    "number": ("INTEGER", "of the game in its match, from 1"),
    "round": ("INTEGER", "games of one round begin alike, with every seating of the two players"),
    "game": ("VARCHAR", "the game without its parameters"),
    "rules": ("VARCHAR", "the game with all its parameters"),
    "colours": ("VARCHAR[]", "in turn order"),
    "seats": ("VARCHAR[]", "the player of each colour"),
    "player1": ("VARCHAR", "the first player of the match"),
    "player2": ("VARCHAR", "the second one"),
    "options1": ("VARCHAR", "the options that player1 was given, an object of JSON"),
    "options2": ("VARCHAR", "those of player2"),
    "all_options1": ("VARCHAR", "all options that the engine of player1 told, an object of JSON"),
    "all_options2": ("VARCHAR", "those of player2"),
    "program1": ("VARCHAR", "the program of player1, with its version"),
    "program2": ("VARCHAR", "that of player2"),
    "processor": ("VARCHAR", "of the machine whose referee played the game"),
    "seed": ("BIGINT", "of the match: openings and the engines' seeds derive from it"),
    "openings": ("VARCHAR", "where the openings of the match come from"),
    "opening": ("VARCHAR", "the moves that nobody has chosen, separated by blanks"),
    "moves": ("VARCHAR", "all moves, those of the opening included, separated by blanks"),
    "plies": ("INTEGER", "how many they are"),
    "openspiel_game": (
        "VARCHAR",
        "what pyspiel.load_game takes; null where OpenSpiel has not these rules",
    ),
    "openspiel_actions": (
        "INTEGER[]",
        "the moves as its actions, to its end of the game; null without openspiel_game",
    ),
    "result": ("VARCHAR", "the winner's colour and perhaps by how much; 0: a draw"),
    "reason": ("VARCHAR", "why the game has ended"),
    "winner": ("VARCHAR", "the player with the whole point, or draw"),
    "points1": ("DOUBLE", "what player1 got of the point"),
    "points2": ("DOUBLE", "what player2 got"),
    "values": ("DOUBLE[]", "of each of the moves for its mover, from 0 to 1; null: not told"),
    "simulations1": ("BIGINT[]", "of each move that player1 searched"),
    "simulations2": ("BIGINT[]", "of each move that player2 searched"),
    "seconds1": ("DOUBLE", "wall time of the moves of player1"),
    "seconds2": ("DOUBLE", "wall time of those of player2"),
    "begun": ("TIMESTAMP WITH TIME ZONE", "when the round began"),
    "ended": ("TIMESTAMP WITH TIME ZONE", "when its last game was over"),
}


def rows(places: Sequence[str | os.PathLike[str]]) -> Iterator[Row]:
    """A row a game of the ledgers at these places (`pitboss.results`), with the columns `COLUMNS`."""
    translator = _Translator()
    for place in places:
        results = Results(place)
        source = _name_of(results)
        games = results.games  # first, since others may be played meanwhile
        matches = {match["match"]: match for match in results.matches}
        players = {(player["match"], player["player"]): player for player in results.players}
        rounds = {(round["match"], round["number"]): round for round in results.rounds}
        processors = {referee["id"]: referee["processor"] for referee in results.referees}
        for played in games:
            match = matches[played["match"]]
            round = rounds[played["match"], played["round"]]
            game = translator.game(match["game"], match["parameters"])
            row: Row = {**played, "source": source}
            row["rules"], row["colours"] = game.rules, list(game.colours)
            row["seats"] = played["seats"].split()
            for number in "12":
                player = players[played["match"], played[f"player{number}"]]
                row[f"options{number}"] = json.dumps(player["options"])
                told = player["engine_options"]
                row[f"all_options{number}"] = None if told is None else json.dumps(told)
                row[f"program{number}"] = player["program"]
            row["processor"] = processors.get(round["referee"])
            row["seed"], row["openings"] = match["seed"], match["openings"]
            row["begun"], row["ended"] = round["begun"], round["ended"]
            row["openspiel_game"], row["openspiel_actions"] = translator.actions(
                game, played["moves"].split()
            )
            yield {name: row[name] for name in COLUMNS}


def _name_of(ledger: Results) -> str:
    if not ledger.is_database:
        return os.path.basename(os.path.abspath(ledger.place))
    place = urlsplit(ledger.place)
    return place.fragment or place.path.strip("/")


class _Translator:
    """Moves as OpenSpiel's actions, where it is installed and has the game."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._translations: dict[str, tuple[str, Translation] | None] = {}
        try:
            from . import openspiel

            self._openspiel: Any = openspiel
        except ImportError:
            self._openspiel = None

    def game(self, name: str, parameters: Row) -> Game:
        rules = " ".join([name, *(f"{key}={value}" for key, value in parameters.items())])
        if rules not in self._games:
            self._games[rules] = Game(rules)
        return self._games[rules]

    def actions(self, game: Game, moves: list[str]) -> tuple[str | None, list[int] | None]:
        if game.rules not in self._translations:
            self._translations[game.rules] = self._translation(game)
        found = self._translations[game.rules]
        if found is None:
            return None, None
        name, translation = found
        history: list[int] = translation.theirs(game.state(game.start, moves)).history()
        return name, history

    def _translation(self, game: Game) -> tuple[str, Translation] | None:
        theirs = self._openspiel and self._openspiel.same_game(game.rules)
        return (str(theirs), self._openspiel.Translation(theirs)) if theirs else None


def write(places: Sequence[str | os.PathLike[str]], out: Path) -> int:
    """Writes the games of the ledgers to `out` and the card beside it, and returns how many they are. Raises
    PitbossError for a place that has no ledger, BadInput if there are no games, or for files that are not ours.
    """
    card = out.parent / CARD_NAME
    if card.exists() and _MARK.format(out.name) not in card.read_text("utf-8", errors="replace"):
        raise BadInput(f"{card} is somebody's, or another table's: choose another folder")
    if out.exists() and not card.exists():
        raise BadInput(f"{out} is somebody's, since no card is beside it: choose another name")
    for place in places:  # the last one may be wrong, and to read the others takes long
        Results(place)
    with needing("frames"):
        import polars
    types: dict[str, Any] = {
        "VARCHAR": polars.String,
        "INTEGER": polars.Int32,
        "BIGINT": polars.Int64,
        "DOUBLE": polars.Float64,
        "TIMESTAMP WITH TIME ZONE": polars.Datetime("us", "UTC"),
    }
    schema = {
        name: polars.List(types[kind[:-2]]) if kind.endswith("[]") else types[kind]
        for name, (kind, _) in COLUMNS.items()
    }
    frame = polars.DataFrame(list(rows(places)), schema=schema)
    if frame.is_empty():
        raise BadInput("these ledgers have no games")
    table = io.BytesIO()
    frame.write_parquet(table, compression="zstd", compression_level=9)
    # The card first, without which the next call would take the table for somebody's.
    write_whole(card, _card(frame, out.name).encode())
    write_whole(out, table.getvalue())
    return len(frame)


# --- the card ---

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def _card(frame: Any, name: str) -> str:
    """As Hugging Face reads it: https://huggingface.co/docs/hub/datasets-cards"""
    games = len(frame)
    size = next((words for most, words in _SIZES if games < most), "1M<n<10M")
    counts = frame.group_by("rules", "openspiel_game", maintain_order=True).len()
    names = sorted(set(frame["game"]))
    replayed = frame["openspiel_game"].drop_nulls()
    programs = sorted({*frame["program1"].drop_nulls(), *frame["program2"].drop_nulls()})
    times = [time for time in (frame["begun"].min(), frame["ended"].max()) if time is not None]
    played = " to ".join(dict.fromkeys(time.date().isoformat() for time in times))
    players = (
        frame.select(
            player=frame["player1"].append(frame["player2"]),
            options=frame["options1"].append(frame["options2"]),
        )
        .group_by("player", "options", maintain_order=True)
        .len()
    )
    title = f"Games of {', '.join(names)} between searches"
    parts = [
        "---",
        "license: cc0-1.0",
        f"pretty_name: {json.dumps(title)}",
        f"size_categories: [{json.dumps(size)}]",
        "tags: [board-games, monte-carlo-tree-search, self-play]",
        f"configs: [{{config_name: default, data_files: {json.dumps(name)}}}]",
        "---",
        _MARK.format(name),
        f"# {title}",
        "",
        f"{games:,} games that programs have played against each other, a row each, in `{name}` (Parquet, zstd)."
        f" Played {played or 'at times that are not known'} by `pitboss`, which had each move searched and checked it"
        " by the rules. Games with equal moves are there as often as they were played.",
        "",
        "| rules | OpenSpiel's game | games |",
        "|---|---|---|",
        *(
            f"| {_code(rules)} | {_code(game)} | {count:,} |"
            for rules, game, count in counts.iter_rows()
        ),
        "",
        "## Load",
        "",
        "```python",
        "import pandas",
        "",
        f'games = pandas.read_parquet("{name}")  # needs pyarrow',
        'print(games.groupby(["rules", "player1", "player2"]).points1.mean())',
        "```",
        "",
        "```sql",
        f"SELECT rules, avg(plies) FROM '{name}' GROUP BY rules;  -- DuckDB",
        "```",
    ]
    if len(replayed):
        parts += [
            "",
            "```python",
            "import pandas, pyspiel",
            "",
            f'games = pandas.read_parquet("{name}").dropna(subset="openspiel_game")',
            "for row in games.itertuples():",
            "    state = pyspiel.load_game(row.openspiel_game).new_initial_state()",
            "    for action in row.openspiel_actions:",
            "        state.apply_action(int(action))",
            "    print(row.result, state.returns() if state.is_terminal() else row.reason)",
            "```",
            "",
            "A game that a failure, a limit of plies or an adjudication has ended is not over for OpenSpiel; `reason` says so.",
        ]
    parts += [
        "",
        "## Columns",
        "",
        "| column | type | meaning |",
        "|---|---|---|",
        *(f"| `{column}` | {kind} | {meaning} |" for column, (kind, meaning) in COLUMNS.items()),
        "",
        "## Moves",
        "",
        "A point is a letter from the left, `a` to `z` without `i`, and a row from 1 at the bottom. A placement is a point, `d3`"
        " (connect4: where the disc comes to lie); a move of a piece two, `d2d3`; a move of amazons three, from, to and arrow."
        " `pass` is a move. A shot of cannon has an `x` between its points; a capture of fanorona ends with `a` (approach)"
        " or `w` (withdrawal); `swap` recolours the first stone. The first of `colours` moves first.",
        "",
        "## Players",
        "",
        "The option `simulations` bounds a search, `movetime` and `cputime` in milliseconds; a preset stands for many options, all of which"
        " are in `all_options1` and `all_options2`.",
        "",
        "| player | options | games |",
        "|---|---|---|",
        *(
            f"| {player} | {_code(options)} | {count:,} |"
            for player, options, count in players.iter_rows()
        ),
        "",
        f"Programs: {'; '.join(programs) or 'not told'}.",
        "",
        "## Licence",
        "",
        "[CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/): whoever publishes these games waives all rights in them.",
    ]
    return "\n".join(parts) + "\n"


def _code(text: str | None) -> str:
    """In a cell of a table, where a bar would end it."""
    return "`" + text.replace("|", "\\|") + "`" if text else "-"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="pitboss.dataset",
        description="Writes the games of ledgers as one table in Parquet, and a card beside it; see"
        " docs/ledger.md.",
    )
    parser.add_argument(
        "ledgers",
        nargs="+",
        metavar="LEDGER",
        help="a folder of the referee's, or postgresql://USER@HOST:PORT/DATABASE#NAME",
    )
    parser.add_argument(
        "--out", type=user_path, required=True, metavar="FILE.parquet", help="the table"
    )
    given = parser.parse_args(arguments)
    try:
        if given.out.suffix != ".parquet":
            raise BadInput(f"--out: {given.out} must end with .parquet")
        games = write(given.ledgers, given.out)
    except (BadInput, PitbossError, ImportError, OSError, ValueError) as bad:
        print(f"pitboss.dataset: {bad}", file=sys.stderr)
        return 1
    print(f"{games} games: {given.out}, {given.out.parent / CARD_NAME}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
