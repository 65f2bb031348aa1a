"""Games for environments that must survive copies and pickles: whoever holds one names a server, and finds it again."""

from __future__ import annotations

import os
import threading

from .blocking import Server, connect, launch
from .state import Game

_servers: dict[str | None, Server] = {}
_lock = threading.Lock()


def server_at(address: str | None) -> Server:
    """This process's connection to the server at the address; without one, a daemon of its own. It is opened
    once and stays until the process ends."""
    with _lock:
        if address not in _servers or _servers[address].is_closed:
            _servers[address] = launch(workers=1) if address is None else connect(address)
        return _servers[address]


def game_at(address: str | None, rules: str) -> Game:
    return server_at(address).game(rules)


def _forget_in_child() -> None:
    global _lock
    _servers.clear()
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_in_child)
