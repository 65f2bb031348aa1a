"""Records of other programs: those of the table in docs/dialects.md are the same games to the daemon and to Python."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pitboss
import pytest
from pitboss.address import Address
from pitboss.aio.connection import Connection

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "fuzz" / "corpus" / "sgf"
# What each file is to be read as while the game `set` is set; tests/clients/web/page_test.py reads it, too.
RECORDS = json.loads((ROOT / "tests" / "clients" / "foreign_records.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def server() -> Iterator[pitboss.Server]:
    with pitboss.launch(workers=1, sgf=str(FOLDER)) as server:
        yield server


def test_each_row_of_the_page_has_its_record() -> None:
    page = (ROOT / "docs" / "dialects.md").read_text("utf-8")
    table = page.split("| the file has |")[1].split("\n\n")[0]
    examples = set(re.findall(r"(?m)`([a-z0-9-]+)` \|$", table))
    assert examples == {record["file"] for record in RECORDS}


async def loaded(server: pitboss.Server, record: dict[str, Any]) -> tuple[list[str], Any]:
    """What the daemon tells of a file of its folder, and what then stands on the table."""
    connection = await Connection.open(Address.parse(server.address), 30)
    number = f":{record['number']}" if record["number"] else ""
    answers = await connection.ask_all(
        [f"game {record['set']}", f"loadsgf {record['file']}{number}", "state"]
    )
    await connection.close()
    return answers[1].splitlines(), json.loads(answers[2])


@pytest.mark.parametrize("record", RECORDS, ids=[record["file"] for record in RECORDS])
def test_the_daemon_loads_it(server: pitboss.Server, record: dict[str, Any]) -> None:
    notes, state = asyncio.run(loaded(server, record))
    start = record["start"] or pitboss.Game(record["rules"]).start
    assert (state["rules"], state["start"]) == (record["rules"], start)
    assert [move["move"] for move in state["moves"]] == record["moves"].split()
    assert notes == record["notes"]


@pytest.mark.parametrize("record", RECORDS, ids=[record["file"] for record in RECORDS])
def test_python_loads_it(server: pitboss.Server, record: dict[str, Any]) -> None:
    path = FOLDER / record["file"]
    text = path.read_bytes().decode(record["characters"], "replace")
    for given in (path, path.read_bytes(), text):
        read = server.read_record(given, record["number"], game=record["set"])
        game = read.state.get_game()
        assert (game.rules, read.state.start) == (record["rules"], record["start"] or game.start)
        assert list(read.state.moves) == record["moves"].split()
        assert list(read.players.values()) == record["players"]
        assert read.notes == record["notes"]


def test_what_is_no_record_is_told(server: pitboss.Server) -> None:
    with pytest.raises(pitboss.CommandError, match="no game of SGF") as error:
        server.read_record("hello # world\n")
    assert error.value.code == "bad-file"
    with pytest.raises(pitboss.CommandError, match="choose one, from 1 to 2"):
        server.read_record(FOLDER / "two")


def test_a_record_that_is_too_long_for_a_line_has_a_short_error(server: pitboss.Server) -> None:
    with pitboss.connect(server.address) as other:
        with pytest.raises(pitboss.ServerGone, match="line too long") as raised:
            other.read_record("(;C[" + "x" * 100_000 + "])")
    assert len(str(raised.value)) < 1000
