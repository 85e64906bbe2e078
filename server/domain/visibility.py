"""Who finds a game in a list: everybody, unless it was opened for a friend, who gets its address."""

from collections.abc import Sequence

from server.domain.events import Created, Visibility
from server.domain.game import MATCHMAKING
from server.domain.seats import Seat, SeatKind


def usual_visibility(match_type: str, seats: Sequence[Seat]) -> Visibility:
    """What holds for a new game unless its creator says otherwise.

    ``seats`` are as the game is opened. A seat that is open for a friend would be taken by whoever finds it first.
    """
    is_for_friend = match_type != MATCHMAKING and any(seat.kind is SeatKind.OPEN for seat in seats)
    return Visibility.UNLISTED if is_for_friend else Visibility.PUBLIC


def visibility_of(created: Created) -> Visibility:
    """What holds for a game, also where its log is older than the choice: then all lists showed it."""
    if created.visibility is not None:
        return created.visibility
    usual = usual_visibility(created.match_type, created.seats)
    return Visibility.SITE if usual is Visibility.UNLISTED else usual
