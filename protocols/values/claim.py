"""What a player may claim whom an absent player keeps waiting."""

from enum import StrEnum


class ClaimKind(StrEnum):
    """The end of the game that is claimed."""

    WIN = "win"
    DRAW = "draw"
