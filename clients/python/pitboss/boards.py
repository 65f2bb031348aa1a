"""What environments share: positions as arrays, and servers."""

from __future__ import annotations

import os
import threading
from typing import Any

from .blocking import Server, connect, launch
from .errors import needing
from .state import State

with needing("rl"):
    import numpy as np
    from numpy.typing import NDArray

_servers: dict[str | None, Server] = {}
_lock = threading.Lock()


def server_at(address: str | None) -> Server:
    """This process's connection to the server at the address; without one, a daemon of its own. It is opened
    once and stays until the process ends; a daemon that has ended is followed by another."""
    with _lock:
        server = _servers.get(address)
        has_ended = server is not None and server.daemon is not None and server.daemon.has_ended
        if server is None or server.is_closed or has_ended:
            _servers[address] = launch(workers=1) if address is None else connect(address)
        return _servers[address]


def check_render_mode(mode: str | None, modes: Any) -> None:
    """Raises ValueError for a mode that an environment does not have."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode must be None or one of {', '.join(modes)}, not {mode!r}")


def planes_of(state: State) -> NDArray[np.int8]:
    """What a network sees of the position, in the shape of `Game.observation_tensor_shape`."""
    return np.asarray(state.planes())


def mask_of(state: State, player: int | None = None) -> NDArray[np.int8]:
    """1 for each legal action, of the player if one is named."""
    mask = np.zeros(state.num_distinct_actions(), np.int8)
    mask[state.legal_actions(player)] = 1
    return mask


def _forget_in_child() -> None:
    global _lock
    _servers.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_forget_in_child)
