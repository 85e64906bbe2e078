"""Who plays a game: its seats, in turn order."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

BUILT_IN_CLIENT = "plyhouse"
"""The client id of the built-in bots and the prefix of their names; reserved for them."""


class SeatKind(StrEnum):
    """Who plays a seat. An open seat becomes human when a player joins."""

    HUMAN = "human"
    BOT = "bot"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat.

    ``bot_id`` is set for bots only. ``appearance`` is what the player chose to look like, if anything. ``missed_by`` is
    set if a program plays the seat over its own connection (UHP) and forfeits when that stays closed for too long. It
    is the id of the server to which the player connected first. In lists, which do not name the server, it is empty.
    ``elo`` is the player's rating, if the record of an imported game contains it.
    """

    kind: SeatKind
    name: str | None = None
    bot_id: str | None = None
    appearance: Mapping[str, str] | None = None
    missed_by: str | None = None
    elo: int | None = None

    @property
    def via(self) -> str | None:
        """The protocol by which a program plays the seat of a human (``uhp``); None for a person."""
        return "uhp" if self.kind is SeatKind.HUMAN and self.missed_by is not None else None
