"""Rematches: who must agree, when all players have agreed, and who sits where in the new game.

A rematch can be offered in a finished game until one has begun. Every human player is asked, including those who left
the game; bots agree immediately. The caller checks that an attached bot is still connected.
"""

from typing import TypeVar

from protocols.values import Offer, OfferKind, Status
from server.domain import commands as c
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.domain.game import GameState
from server.domain.offers import offer_of_another, open_offer, unanswered

T = TypeVar("T")


def decide(state: GameState, command: c.Propose | c.Accept | c.Reject) -> tuple[e.Event, ...]:
    """Returns the events of a command about a rematch."""
    if state.status is not Status.FINISHED:
        raise ApiError(Code.NO_REMATCH, "A rematch is possible only after a finished game.")
    if state.rematch is not None:
        raise ApiError(Code.REMATCH_DECIDED, f"The rematch has begun: game {state.rematch}.")
    match command:
        case c.Propose():
            return _propose(state, command)
        case c.Accept():
            offer = offer_of_another(state, command)
            return _agree(state, offer, command.seat, command.new_game_id)
        case c.Reject():
            open_offer(state, command.kind)
            return (e.OfferRejected(OfferKind.REMATCH, command.seat),)


def moved_up(seats: tuple[T, ...]) -> tuple[T, ...]:
    """Reorders values per seat for the rematch, where each player sits one seat further up."""
    return seats[1:] + seats[:1]


def seat_after(seat: int, seats: int) -> int:
    """Returns the seat that the player of ``seat`` has in the rematch of a game with ``seats`` seats."""
    return (seat - 1) % seats


def _propose(state: GameState, command: c.Propose) -> tuple[e.Event, ...]:
    if state.offer is not None:
        return _agree(state, state.offer, command.seat, command.new_game_id)
    if not _asked(state, Offer(OfferKind.REMATCH, command.seat)):
        return (e.RematchStarted(command.seat, command.new_game_id),)
    return (e.Offered(OfferKind.REMATCH, command.seat),)


def _agree(state: GameState, offer: Offer, seat: int, new_game_id: str) -> tuple[e.Event, ...]:
    asked = _asked(state, offer)
    if seat not in asked:
        return ()
    accepted = e.OfferAccepted(OfferKind.REMATCH, seat)
    return (accepted, e.RematchStarted(seat, new_game_id)) if asked == (seat,) else (accepted,)


def _asked(state: GameState, offer: Offer) -> tuple[int, ...]:
    return unanswered(state, offer, range(len(state.seats)))
