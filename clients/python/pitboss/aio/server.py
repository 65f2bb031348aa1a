"""A server, for code with `await`."""

from __future__ import annotations

import json
import os
import time
from typing import Any, NamedTuple, Never

from ..address import DEFAULT, Address
from ..errors import PitbossError, reading
from ..programs import Daemon, flag_words, shipped
from ..record import Record, in_a_word
from ..result import Truth
from ..state import Game, State
from .engine import Engine
from .link import Link


class TableInfo(NamedTuple):
    """A table with a name: `command` is the running one, `ponder` or `idle`."""

    name: str
    game: str
    sessions: int
    command: str


class Server:
    """A connection to a server, made by `connect` or `launch`. Belongs to the event loop that connected it. `timeout` seconds bound every command that is answered at
    once, and every wait for a server that has no room. While a search runs the server is asked every 5 seconds
    whether it is alive: a dead one fails all that runs there with ServerGone."""

    def __init__(self, link: Link) -> None:
        self._link = link

    @property
    def address(self) -> str:
        """`HOST:PORT`, perhaps after `tls://`."""
        return self._link.address

    @property
    def timeout(self) -> float:
        """Seconds."""
        return self._link.timeout

    @property
    def daemon(self) -> Daemon | None:
        """That which `launch` has started."""
        return self._link.daemon

    @property
    def version(self) -> str:
        """Of the server's program."""
        return self._link.version

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._link.is_closed

    @classmethod
    async def connect(
        cls,
        address: str = DEFAULT,
        *,
        token: str | None = None,
        token_file: str | os.PathLike[str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        timeout: float = 30,
    ) -> Server:
        """Raises ValueError for what is no address, ServerGone, Timeout, AuthError, Busy, VersionMismatch."""
        place = Address.parse(address, token=token, token_file=token_file, ca_file=ca_file)
        link = Link(place, timeout)
        try:
            await link.control()
        except BaseException:
            await link.close()
            raise
        return cls(link)

    @classmethod
    async def launch(
        cls,
        *,
        workers: int | None = None,
        networks: str | os.PathLike[str] | None = None,
        **flags: Any,
    ) -> Server:
        """Starts a daemon of this machine's Pitboss on a free port, for this process alone, and connects. It has
        the networks and features that come with Pitboss, unless others are named. Further flags are those of
        pitbossd (`tree_mb_limit=64` for --tree-mb-limit 64). Raises PitbossError with what pitbossd says if it does
        not start."""
        given = {"workers": workers, "networks": networks, "features": None, **flags}
        models = {name: shipped(name) for name in ("networks", "features") if given[name] is None}
        words = flag_words({**given, **models})
        daemon = await Daemon.start(words, 30)
        try:
            server = await cls.connect(daemon.address)
        except BaseException:
            await daemon.close()
            raise
        server._link.daemon = daemon
        return server

    # --- what can be asked of it ---

    async def games(self) -> list[str]:
        """The names of the games."""
        return (await self._ask("games")).splitlines()

    async def ping(self) -> float:
        """Seconds to the server and back."""
        begin = time.perf_counter()
        await self._ask("protocol_version")
        return time.perf_counter() - begin

    async def stats(self) -> dict[str, Any]:
        """What the server counts; needs the right admin."""
        answer = await self._ask("stats")
        with reading(self.address, "stats"):
            return dict(json.loads(answer))

    async def tables(self) -> list[TableInfo]:
        """The tables with names."""
        lines = (await self._ask("tables")).splitlines()
        with reading(self.address, "tables"):
            return [
                TableInfo(name, game, int(sessions), command)
                for name, game, sessions, command in map(str.split, lines)
            ]

    async def game(self, rules: str) -> Game:
        """The same as `pitboss.Game(rules)`, which needs no server."""
        return Game(rules)

    async def engine(self, game: str, *, name: str | None = None, **options: Any) -> Engine:
        """A new table with a game and a search, and options set there, which Engine.options lists (docs/options.md).
        With a name others can attach to it, and it is found again when the connection is lost."""
        return await Engine._open(self, self._link, name, game, options)

    async def attach(self, name: str) -> Engine:
        """Sits down at a table that is there, with its game and options."""
        if name not in [table.name for table in await self.tables()]:
            raise PitbossError(f"{self.address} has no table '{name}'")
        return await Engine._open(self, self._link, name, None, {})

    async def read_record(
        self,
        record: str | bytes | os.PathLike[str],
        number: int | None = None,
        *,
        game: str = "connect4",
    ) -> Record:
        """The game of a record in SGF, GGF or PSQ: a text, a file's path or its bytes; of several games the one
        of that number, from 1. A record that does not tell its game is read as one of `game`.
        """
        line = f"read_record {in_a_word(record)}{'' if number is None else f' {number}'}"
        async with self._link.lock:
            seat = await self._link.control()
            await seat.begin(Game(game))
            answer = seat.json("read_record", await seat.connection.ask(line))
            with reading(self.address, "read_record"):
                rules, start = answer["rules"], answer["start"]
                moves, notes = list(answer["moves"]), list(answer["notes"])
                players = dict(answer["players"])
        played = Game(rules)
        return Record(played.state(start or played.start, moves), players, notes)

    async def truth(self, state: State, seconds: float = 10) -> Truth:
        """As `Engine.truth`, at a table of its own."""
        async with await self.engine(state.get_game().rules) as engine:
            return await engine.truth(state, seconds)

    async def close(self) -> None:
        """Ends all its connections and what runs there, and a daemon that `launch` has started."""
        await self._link.close()

    async def __aenter__(self) -> Server:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return repr(self._link)

    def __reduce__(self) -> Never:
        raise TypeError("a server is not pickled: connect in the process that is to use it")

    # --- inside ---

    async def _ask(self, line: str) -> str:
        async with self._link.lock:
            return await (await self._link.control()).connection.ask(line)
