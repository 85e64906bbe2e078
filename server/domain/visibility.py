"""Which lists show a game: all of them, unless it was opened for a friend, who is given its address."""

from collections.abc import Sequence

from server.domain.events import Created, Visibility
from server.domain.game import MATCHMAKING
from server.domain.seats import Seat, SeatKind


def usual_visibility(match_type: str, seats: Sequence[Seat]) -> Visibility:
    """The visibility of a new game with these ``seats``, unless its creator chooses another one.

    In a list, anybody could take a seat that is open for a friend.
    """
    is_for_friend = match_type != MATCHMAKING and any(seat.kind is SeatKind.OPEN for seat in seats)
    return Visibility.UNLISTED if is_for_friend else Visibility.PUBLIC


def visibility_of(created: Created) -> Visibility:
    """The visibility of a game. Logs from before there was one are of games that all lists showed."""
    if created.visibility is not None:
        return created.visibility
    usual = usual_visibility(created.match_type, created.seats)
    return Visibility.SITE if usual is Visibility.UNLISTED else usual
