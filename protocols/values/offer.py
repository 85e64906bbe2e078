"""What players can propose to each other."""

from dataclasses import dataclass
from enum import StrEnum


class OfferKind(StrEnum):
    """What an offer is about."""

    TAKEBACK = "takeback"
    DRAW = "draw"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer of ``seat``, which waits for the seats that are not in ``accepted``.

    ``to_ply`` belongs to takebacks: the number of moves that remain.
    """

    kind: OfferKind
    seat: int
    to_ply: int | None = None
    accepted: tuple[int, ...] = ()
