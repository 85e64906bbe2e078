"""Which positions an opening explorer treats as one: where the way to a position does not matter.

Two positions are one place if they have the same game, variant and start, and what all seats know of them is the same,
whatever the order of the moves before them. A hidden order is not part of it. Mirror images and rotations are places of
their own.
"""

import json
from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from engines import Position

DEPTH: Final = 24
"""How many plies of a game are counted. After twelve moves of each of two players, hardly two games are the same."""

HASH_BYTES: Final = 8

Place = int
"""A signed number of 64 bits."""


class Places:
    """The places of games with one start."""

    def __init__(self, start: Position) -> None:
        """``start``: any position of such a game."""
        config = json.dumps(start.config, sort_keys=True, separators=(",", ":"))
        self._head = "\n".join((start.game, start.variant, config)).encode()

    def of(self, position: Position) -> Place:
        """The place of a position. Seats know the same in all games here, so the view of any seat will do."""
        key = position.information_key(0).to_bytes(16, "little")
        digest = blake2b(key, digest_size=HASH_BYTES, key=_short(self._head)).digest()
        return int.from_bytes(digest, signed=True)


def passages(start: Position, history: Iterable[str], depth: int = DEPTH) -> dict[Place, str | None]:
    """The places that a game from ``start`` reached, with the move that was played when it first did.

    None for the place in which the game ended, if that was within ``depth`` plies. ``history``: as
    ``Position.history`` has it. After a seat has left, nothing counts: the others play another game.
    """
    position, places = start.copy(), Places(start)
    found: dict[Place, str | None] = {}
    for move in history:
        if position.ply == depth or move.startswith("!"):
            return found
        found.setdefault(places.of(position), position.submitted(move))
        position.play(move)
    if position.ply < depth:
        found.setdefault(places.of(position), None)
    return found


def _short(head: bytes) -> bytes:
    """A key for a hash, which may have 64 bytes."""
    return blake2b(head).digest()
