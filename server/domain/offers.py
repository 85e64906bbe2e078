"""Takebacks and draws: who must agree, how bots answer, and what happens once all players have agreed.

Every other human player is asked. Bots answer immediately: they accept takebacks and reject draws.
``decide`` checks first whether a kind of game has takebacks at all.
"""

from collections.abc import Iterable

from protocols.values import Offer, OfferKind, SeatKind, is_move
from server.domain import commands as c
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.domain.game import GameState


def open_offer(state: GameState, kind: OfferKind) -> Offer:
    """Returns the open offer; ApiError if there is none of this kind."""
    if state.offer is None or state.offer.kind is not kind:
        raise ApiError(Code.NO_OFFER, f"Nobody has proposed a {kind.value}.")
    return state.offer


def offer_of_another(state: GameState, command: c.Accept) -> Offer:
    """Returns the open offer that the command accepts; ApiError if it is the seat's own."""
    offer = open_offer(state, command.kind)
    if offer.seat == command.seat:
        raise ApiError(Code.NO_OFFER, f"Nobody else has proposed a {command.kind.value}.")
    return offer


def unanswered(state: GameState, offer: Offer, seats: Iterable[int]) -> tuple[int, ...]:
    """Returns those of ``seats`` whose players are asked and have not answered yet."""
    answered = (offer.seat, *offer.accepted)
    return tuple(s for s in seats if s not in answered and state.seats[s].kind is SeatKind.HUMAN)


def propose(state: GameState, command: c.Propose) -> tuple[e.Event, ...]:
    """Makes an offer; or accepts the open one, if it is of the same kind and ``to_ply`` is the same or None."""
    _check_still_in(state, command.seat)
    same = (None, None if state.offer is None else state.offer.to_ply)
    if state.offer is not None and state.offer.kind is command.kind and command.to_ply in same:
        return _agree(state, state.offer, command.seat)
    to_ply = _takeback_target(state, command) if command.kind is OfferKind.TAKEBACK else None
    offer = Offer(command.kind, command.seat, to_ply)
    offered = e.Offered(command.kind, command.seat, to_ply)
    if command.kind is OfferKind.DRAW:
        return (offered, *_bot_rejects(state))
    if not _asked(state, offer):
        return (_take_back(state, offer),)
    return (offered,)


def accept(state: GameState, command: c.Accept) -> tuple[e.Event, ...]:
    """Accepts another seat's offer."""
    _check_still_in(state, command.seat)
    return _agree(state, offer_of_another(state, command), command.seat)


def reject(state: GameState, command: c.Reject) -> tuple[e.Event, ...]:
    """Rejects another seat's offer, or withdraws the seat's own."""
    _check_still_in(state, command.seat)
    open_offer(state, command.kind)
    return (e.OfferRejected(command.kind, command.seat),)


def _agree(state: GameState, offer: Offer, seat: int) -> tuple[e.Event, ...]:
    if seat not in _asked(state, offer):
        return ()
    accepted = e.OfferAccepted(offer.kind, seat)
    if _asked(state, offer) != (seat,):
        return (accepted,)
    if offer.kind is OfferKind.DRAW:
        return (accepted, e.DrawAgreed())
    return (accepted, _take_back(state, offer))


def _asked(state: GameState, offer: Offer) -> tuple[int, ...]:
    return unanswered(state, offer, state.still_in)


def _bot_rejects(state: GameState) -> tuple[e.Event, ...]:
    bots = [seat for seat in state.still_in if state.seats[seat].kind is SeatKind.BOT]
    return (e.OfferRejected(OfferKind.DRAW, bots[0]),) if bots else ()


def _take_back(state: GameState, offer: Offer) -> e.Event:
    clocks = None
    if state.clock is not None and state.time_control is not None:
        clocks = state.clock.after_takeback(offer.to_ply or 0, state.time_control)
    return e.TookBack(offer.seat, offer.to_ply or 0, clocks)


def _check_still_in(state: GameState, seat: int) -> None:
    if seat in state.gone:
        raise ApiError(Code.FINISHED, "You have left this game.")


def _takeback_target(state: GameState, command: c.Propose) -> int:
    target = _last_own_ply(state, command.seat) if command.to_ply is None else command.to_ply
    if target is None or not 0 <= target < state.ply:
        raise ApiError(Code.BAD_TAKEBACK, "There is no move to take back to that ply.", field="toPly")
    if target < _ply_of_last_leave(state):
        raise ApiError(
            Code.BAD_TAKEBACK, "Moves made before a player left cannot be taken back.", field="toPly"
        )
    return target


def _last_own_ply(state: GameState, seat: int) -> int | None:
    """The last earlier ply at which ``seat`` had to move; None if there is none."""
    position = state.position.copy()
    while position.ply > 0:
        position.undo()
        if seat in position.to_act:
            return position.ply
    return None


def _ply_of_last_leave(state: GameState) -> int:
    """The number of moves played when a seat last left; 0 if none did."""
    moves = state.moves
    entries = [index for index, entry in enumerate(moves) if not is_move(entry)]
    return 0 if not entries else entries[-1] + 1 - len(entries)
