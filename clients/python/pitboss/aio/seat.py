"""A connection at a table, and what stands on that table."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import CommandError, VersionMismatch, reading
from ..state import Game, State
from ..version import SURFACE, VERSION
from .connection import Connection, Request

Standing = tuple[str, str, tuple[str, ...]]  # rules, first position, moves


class Seat:
    """Brings the table to a state by sending only what differs. One user at a time."""

    def __init__(self, connection: Connection, server_version: str) -> None:
        self.connection = connection
        self._server_version = server_version
        self._standing: Standing | None = None
        self._name: str | None = None  # of the table
        self._is_lent = False  # the name, for an analysis

    async def attach(self, name: str) -> None:
        """Sits down at the table with this name."""
        await self.connection.ask(f"attach {name}")
        self._name = name

    def lend_name(self) -> tuple[str, list[str]]:
        """The name of the table, and the lines that give it one: a table without a name has it until it is taken
        back."""
        if self._name is None:
            self._name, self._is_lent = f"py-{secrets.token_hex(8)}", True
        return self._name, [f"attach {self._name}"] * self._is_lent

    async def take_name_back(self) -> None:
        """Not while guests sit at the table: then the name stays, to be taken back later."""
        if not self._is_lent or self.connection.closed is not None:
            return
        for row in (await self.connection.ask("tables")).splitlines():
            if row.startswith(f"{self._name} ") and row.split()[2:3] != ["1"]:
                return
        try:
            await self.connection.ask("release")
        except CommandError as error:
            if error.code != "wrong-state":  # it has no name
                return
        self._name, self._is_lent = None, False

    @property
    def is_shared(self) -> bool:
        """Whether others can sit down at the table."""
        return self._name is not None

    @property
    def rules(self) -> str:
        """Of the game that stands on the table, which must be known."""
        assert self._standing is not None
        return self._standing[0]

    def forget(self) -> None:
        """What stands on the table is not known: something failed half-way, or others may have played."""
        self._standing = None

    async def begin(self, game: Game) -> None:
        """Begins a game at the table."""
        self.forget()
        await self.connection.ask(f"game {game.rules}")
        self._standing = (game.rules, game.start, ())

    async def look(self) -> dict[str, Any]:
        """Asks what stands on the table: the answer of `state`."""
        state = self.json("state", await self.connection.ask("state"))
        with reading(self.connection.address, "state"):
            moves = tuple(move["move"] for move in state["moves"])
            self._standing = (state["rules"], state["start"], moves)
        return state

    async def ask_long(
        self,
        state: State,
        before: Sequence[str],
        line: str,
        after: Sequence[str] = (),
        on_line: Callable[[str], None] | None = None,
    ) -> list[str]:
        """The answers of a command that takes time in this state, and of those sent before and after it;
        `on_line` is for the last one. Raises the first failure."""
        requests = self.send(state, [*before, line, *after], on_line)
        try:
            await self.connection.settle(requests[-1 - len(after)])
            return await self.connection.answers(requests)
        except BaseException:
            self.forget()
            raise

    def send(
        self, state: State, lines: Sequence[str], on_line: Callable[[str], None] | None = None
    ) -> list[Request]:
        """Sends what brings the table to the state, then these lines. A failure of any of them must be
        followed by `forget`."""
        before = self._lines_to(state)
        requests = self.connection.send([*before, *lines], on_line)
        self._standing = (state.get_game().rules, state.start, state.moves)
        return requests

    def send_in_game(self, game: Game, line: str) -> Request:
        """The same for a line that needs the game, in whatever position."""
        return self.connection.send([*self._lines_to_game(game), line])[-1]

    def has_played(self, move: str) -> None:
        """The table has gone on by this move."""
        if self._standing is not None:
            rules, start, moves = self._standing
            self._standing = rules, start, (*moves, move)

    def json(self, command: str, text: str) -> dict[str, Any]:
        """Reads an answer of the JSON surface. Raises VersionMismatch."""
        with reading(self.connection.address, command):
            answer = dict(json.loads(text))
        version = answer.get("version")
        if version != SURFACE:
            raise VersionMismatch(
                self.connection.address,
                VERSION,
                self._server_version,
                f"its JSON has version {version}, expected {SURFACE}",
            )
        return answer

    def _lines_to(self, state: State) -> list[str]:
        game, moves = state.get_game(), state.moves
        lines = self._lines_to_game(game)
        assert self._standing is not None
        if self._standing[1] != state.start:
            lines.append(f"position {state.start}" if state.start != game.start else "clear_board")
            self._standing = (game.rules, state.start, ())
        there = self._standing[2]
        if moves[: len(there)] != there:
            same = next(n for n, move in enumerate(there) if moves[n : n + 1] != (move,))
            lines.append(f"gg-undo {len(there) - same}")
            there = there[:same]
        return lines + [f"play {move}" for move in moves[len(there) :]]

    def _lines_to_game(self, game: Game) -> list[str]:
        if self._standing is not None and self._standing[0] == game.rules:
            return []
        self._standing = (game.rules, game.start, ())
        return [f"game {game.rules}"]
