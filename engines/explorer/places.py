"""Which positions an opening explorer treats as one, and which moves.

Two positions are one place if they have the same game, variant and start, and all seats see the same in them: whatever
the order of the moves before them, what is hidden, and the side from which the board is seen, if it looks the same from
several. The moves of a place are written as seen from one of these sides, so that moves which differ in nothing but
that are one move.
"""

import json
from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from engines import Position

DEPTH: Final = 24
"""How many plies of a game are counted. After twelve moves of each of two players, hardly two games are the same, and
each ply of a game takes a row of its own then."""

HASH_BYTES: Final = 8

Place = int
"""A signed number of 64 bits."""


class Places:
    """The places of games with one start."""

    def __init__(self, start: Position) -> None:
        """``start``: any position of such a game."""
        config = json.dumps(start.config, sort_keys=True, separators=(",", ":"))
        head = "\n".join((start.game, start.variant, config))
        self._head = blake2b(head.encode()).digest()

    def of(self, position: Position) -> Place:
        """The place of a position."""
        key = min(position.image_keys).to_bytes(16, "little")
        digest = blake2b(key, digest_size=HASH_BYTES, key=self._head).digest()
        return int.from_bytes(digest, signed=True)


def name_of(position: Position, move: str) -> str:
    """How the place of a position names a recorded move that is legal there."""
    keys = position.image_keys
    if len(keys) == 1:
        return position.submitted(move)
    first = min(keys)
    images = position.images(position.submitted(move))
    return min(image for image, key in zip(images, keys, strict=True) if key == first)


def moves_by_name(position: Position, names: Iterable[str]) -> dict[str, str]:
    """For these names of moves in the place of a position, the moves as seen in the position.

    One of several moves with the same name: they differ only in the side from which they are seen.
    """
    if len(position.image_keys) == 1:
        return {name: name for name in names}
    wanted, found = set(names), dict[str, str]()
    for move in position.legal_moves() if wanted else ():
        name = name_of(position, move)
        if name in wanted:
            found.setdefault(name, move)
    return found


def passages(start: Position, history: Iterable[str], depth: int = DEPTH) -> dict[Place, str | None]:
    """The places that a game from ``start`` reached, with the name of the move that it played when it first did.

    None for the place in which the game ended, if that was within ``depth`` plies. ``history``: as
    ``Position.history`` has it. After a seat has left, nothing counts: the others play another game.
    """
    position, places = start.copy(), Places(start)
    found: dict[Place, str | None] = {}
    for move in history:
        if position.ply == depth or move.startswith("!"):
            return found
        place = places.of(position)
        if place not in found:
            found[place] = name_of(position, move)
        position.play(move)
    if position.ply < depth:
        found.setdefault(places.of(position), None)
    return found


def seen_from_one_side(start: Position, history: Iterable[str]) -> tuple[str, ...]:
    """A game as seen from the side from which its moves come first in the alphabet.

    Games that differ only in the side from which they are seen become the same.
    """
    position = start.copy()
    sides: list[tuple[str, ...]] = [()] * len(position.image_keys)
    for move in history:
        images = position.images(move) if len(sides) > 1 else [move]
        sides = [(*seen, image) for seen, image in zip(sides, images, strict=True)]
        position.play(move)
    return min(sides)
