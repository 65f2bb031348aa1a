"""`~` in the paths that a user of the Python client writes."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitboss
from pitboss.address import Address
from pitboss.files import user_path


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_home_stands_at_the_beginning_of_a_path_alone(home: Path) -> None:
    assert user_path("~/x") == home / "x"
    assert user_path(Path("~/x")) == home / "x"
    assert user_path("x/~/y") == Path("x/~/y")
    assert user_path("./~/y") == Path("./~/y")
    with pytest.raises(ValueError, match="no-such-user"):
        user_path("~no-such-user/x")


def test_a_token_file_in_the_home_folder(home: Path) -> None:
    (home / "token").write_text("secret\n")
    assert Address.parse("127.0.0.1:1", token_file="~/token").token == "secret"


def test_records_go_to_the_home_folder_and_are_read_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = home / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    players = [
        {"name": name, "options": {"preset": "uct", "simulations": 2}} for name in ("one", "two")
    ]
    with pitboss.launch(workers=1) as server:
        experiment = {
            "game": "connect4",
            "games": 2,
            "server": [{"address": server.address}],
            "player": players,
        }
        with pitboss.referee(experiment, "~/runs/x") as run:
            run.wait(60)
    assert (home / "runs" / "x" / "summary.json").exists()
    assert not (elsewhere / "~").exists()
    assert len(pitboss.Results("~/runs/x").games) == 2
