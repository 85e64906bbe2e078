"""Which lists show a game: all, unless it was opened for a friend, who gets its address."""

from collections.abc import Sequence

from protocols.values import Seat, SeatKind, Visibility
from server.domain.events import Created
from server.domain.game import MATCHMAKING


def usual_visibility(match_type: str, seats: Sequence[Seat]) -> Visibility:
    """The default visibility of a new game with these ``seats``.

    If a list showed a game for a friend, anyone could take the open seat.
    """
    is_for_friend = match_type != MATCHMAKING and any(seat.kind is SeatKind.OPEN for seat in seats)
    return Visibility.UNLISTED if is_for_friend else Visibility.PUBLIC


def visibility_of(created: Created) -> Visibility:
    """The visibility of a game. Games from before it was logged were shown in all lists."""
    if created.visibility is not None:
        return created.visibility
    usual = usual_visibility(created.match_type, created.seats)
    return Visibility.SITE if usual is Visibility.UNLISTED else usual
