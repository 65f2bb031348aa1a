"""Records of games, which the server reads."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from string import punctuation
from urllib.parse import quote

from .state import State


@dataclass(frozen=True)
class Record:
    """A game that was recorded: `state` is at its end."""

    state: State
    players: dict[str, str | None]
    """Names by colour; None: the record does not name the player."""
    notes: list[str]
    """What differs from the record, such as a missing end: sentences."""


def in_a_word(record: str | bytes | os.PathLike[str]) -> str:
    """The record as `read_record` takes it."""
    if isinstance(record, os.PathLike):
        record = Path(record).read_bytes()
    return quote(record, safe=punctuation.translate({ord("%"): None, ord("#"): None}))
