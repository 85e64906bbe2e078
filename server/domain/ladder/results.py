"""What a game of the ladder says: the places of its players, or that it does not count.

Made from the game's state alone, so that the log of the game is the truth, from which results can be made again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from protocols.values import LeaveReason, Result, Status
from server.domain.game import GameState, LeftSeat

UNPLAYED: Final = 2
"""A game that ends as somebody leaves it before there were so many moves a player does not count."""

SERVER_ERROR: Final = "internal error of the server"
"""The note of a bot's resignation for which the server is to blame: the game does not count."""

LEFT: Final = "the bot disconnected"
NOT_ATTACHED: Final = "the bot is not attached"
NOT_BACK: Final = "the bot did not come back"
AWAY: Final = frozenset({LEFT, NOT_ATTACHED, NOT_BACK})
"""The notes of the resignations of bots that are away."""

_LEFT: Final = frozenset(reason.value for reason in LeaveReason)
"""The reasons of results that are those of the last seat that left."""

ERRORS: Final = frozenset({"disconnect", "illegal-move", "protocol", "desync"})
"""The reasons of results that are errors of the program that lost."""


@dataclass(frozen=True, slots=True)
class RatedResult:
    """The result of a game of the ladder. ``players``, their ``names`` and ``places``, 1 being the best, are by seat.

    ``places`` is None if the game does not count. ``reason`` and ``note`` are those of the game's result; ``aborted``
    without one. ``lost_by_error``: the seats whose bots gave up or were removed because of an error. ``left``: the
    seats that left, in order; none in results of versions that did not store them. Times are milliseconds since the
    epoch.
    """

    game_id: str
    game: str
    variant: str
    players: tuple[str, ...]
    names: tuple[str, ...]
    opening: int
    places: tuple[int, ...] | None
    reason: str
    ended_at: int
    plies: int
    note: str | None = None
    lost_by_error: tuple[int, ...] = ()
    left: tuple[LeftSeat, ...] = ()

    def ending(self, seat: int) -> tuple[str, str | None]:
        """Returns the reason and note of a seat, see ``ending_of``."""
        return ending_of(seat, len(self.players), self.left, self.reason, self.note)


def ending_of(
    seat: int, seats: int, left: Iterable[LeftSeat], reason: str, note: str | None
) -> tuple[str, str | None]:
    """Returns the reason and note with which a seat left; those of the game if it is not known to have left.

    ``left``: the seats that left. ``reason``, ``note``: those of the game. In one of more than two ``seats``, a note
    about another one that has left is none about this seat.
    """
    for one in left:
        if one.seat == seat:
            return one.reason.value, one.note
    is_of_others = seats > 2 and reason in _LEFT
    return reason, None if is_of_others else note


def result_of(state: GameState) -> RatedResult | None:
    """Returns the result of a game that has ended; None if it is not one of the ladder, or still live."""
    if state.ladder is None or state.is_live:
        return None
    result = state.result
    return RatedResult(
        game_id=state.id,
        game=state.game,
        variant=state.variant,
        players=state.ladder.players,
        names=state.ladder.names,
        opening=state.ladder.opening,
        places=None if result is None else _places(state, result),
        reason="aborted" if result is None else result.reason,
        ended_at=state.updated_at,
        plies=state.ply,
        note=None if result is None else result.note,
        lost_by_error=_lost_by_error(state, result),
        left=state.left,
    )


def _places(state: GameState, result: Result) -> tuple[int, ...] | None:
    is_void = (state.gone and is_unplayed(state)) or is_server_to_blame(state, result)
    return None if state.status is not Status.FINISHED or is_void else places_of(state, result)


def places_of(state: GameState, result: Result) -> tuple[int, ...]:
    """Players who left come after those who stayed; these have the places of the rules, or share the first.

    If one stays, all others share the second, whoever left first: who leaves later has not played better.
    """
    outcome = state.position.outcome
    if outcome is not None:
        return tuple(outcome.places)
    first = result.winners or state.still_in
    return tuple(1 if seat in first else 1 + len(first) for seat in range(len(state.seats)))


def is_unplayed(state: GameState) -> bool:
    """Whether there were fewer moves than ``UNPLAYED`` a player."""
    return _is_early(state, state.ply)


def _is_early(state: GameState, ply: int) -> bool:
    """Whether there were so few moves before ``ply``."""
    played = ply - (0 if state.ladder is None else state.ladder.opening_plies)
    return played < UNPLAYED * len(state.seats)


def _lost_by_error(state: GameState, result: Result | None) -> tuple[int, ...]:
    """A bot that cannot go on resigns with a note, which says why; without one, it resigned itself.

    A bot whose time runs out before it has played is one that does not answer.
    """
    if result is None or is_server_to_blame(state, result):
        return ()
    return tuple(left.seat for left in state.left if _is_error(state, left))


def _is_error(state: GameState, left: LeftSeat) -> bool:
    is_silent = left.reason is LeaveReason.TIMEOUT and _is_early(state, left.ply)
    has_failed = left.reason is LeaveReason.RESIGNATION and left.note is not None
    return left.reason in ERRORS or has_failed or is_silent


def is_server_to_blame(state: GameState, result: Result) -> bool:
    """Whether a player has left, or the game has ended, by an error of the server."""
    return SERVER_ERROR in (result.note, *(left.note for left in state.left))
