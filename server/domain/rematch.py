"""Rematches: who is asked, when everybody has agreed, and who sits where in the new game.

A finished game takes offers of a rematch until one is agreed on. Every human seat is asked, also those that
left the game; bots agree at once. That an attached bot may have gone is not known here.
"""

from typing import TypeVar

from server.domain import commands as c
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.domain.game import GameState, Offer, Status
from server.domain.seats import SeatKind

T = TypeVar("T")


def decide(state: GameState, command: c.Propose | c.Accept | c.Reject) -> tuple[e.Event, ...]:
    """The events of a command about a rematch."""
    if state.status is not Status.FINISHED:
        raise ApiError(Code.NO_REMATCH, "There is a rematch only after a game that was played to its end.")
    if state.rematch is not None:
        raise ApiError(Code.REMATCH_DECIDED, f"The rematch has begun: game {state.rematch}.")
    match command:
        case c.Propose():
            return _propose(state, command)
        case c.Accept():
            return _accept(state, command)
        case c.Reject():
            _open_offer(state)
            return (e.OfferRejected(e.OfferKind.REMATCH, command.seat),)


def moved_up(seats: tuple[T, ...]) -> tuple[T, ...]:
    """What belongs to the seats of a game, in the order of its rematch: each seat is the next one's now."""
    return seats[1:] + seats[:1]


def seat_after(seat: int, seats: int) -> int:
    """Where the player of ``seat`` sits in the rematch of a game with so many seats."""
    return (seat - 1) % seats


def _propose(state: GameState, command: c.Propose) -> tuple[e.Event, ...]:
    if state.offer is not None:
        return _agree(state, state.offer, command.seat, command.new_game_id)
    if not _asked(state, Offer(e.OfferKind.REMATCH, command.seat)):
        return (e.RematchStarted(command.seat, command.new_game_id),)
    return (e.Offered(e.OfferKind.REMATCH, command.seat),)


def _accept(state: GameState, command: c.Accept) -> tuple[e.Event, ...]:
    offer = _open_offer(state)
    if offer.seat == command.seat:
        raise ApiError(Code.NO_OFFER, "Nobody else has proposed a rematch.")
    return _agree(state, offer, command.seat, command.new_game_id)


def _agree(state: GameState, offer: Offer, seat: int, new_game_id: str) -> tuple[e.Event, ...]:
    asked = _asked(state, offer)
    if seat not in asked:
        return ()
    accepted = e.OfferAccepted(e.OfferKind.REMATCH, seat)
    return (accepted, e.RematchStarted(seat, new_game_id)) if asked == (seat,) else (accepted,)


def _asked(state: GameState, offer: Offer) -> tuple[int, ...]:
    """The seats whose answer is still missing."""
    answered = (offer.seat, *offer.accepted)
    humans = (index for index, seat in enumerate(state.seats) if seat.kind is SeatKind.HUMAN)
    return tuple(seat for seat in humans if seat not in answered)


def _open_offer(state: GameState) -> Offer:
    if state.offer is None:
        raise ApiError(Code.NO_OFFER, "Nobody has proposed a rematch.")
    return state.offer
