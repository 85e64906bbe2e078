"""Who sits where: the seats of one game, in turn order."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class SeatKind(StrEnum):
    """Who plays a seat. An open seat becomes human when somebody joins."""

    HUMAN = "human"
    BOT = "bot"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat.

    ``bot_id`` is set for bots only; ``appearance`` is what a player chose to look like, if anything.
    ``missed_by``: a program plays it over a connection of its own (UHP), and whoever is gone from it for too long has
    left the game. Of several servers this one sees to that: the player came to it last, or it was the last to ask.
    An open seat has it for whoever has opened the game.
    """

    kind: SeatKind
    name: str | None = None
    bot_id: str | None = None
    appearance: Mapping[str, str] | None = None
    missed_by: str | None = None
