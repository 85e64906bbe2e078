"""Takebacks and draws: who is asked, who answers at once, and what happens when everybody agreed.

Every other human seat is asked. Bots answer at once: a takeback yes, a draw no.
"""

from server.domain import commands as c
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.domain.game import GameState, Offer
from server.domain.seats import SeatKind


def propose(state: GameState, command: c.Propose, now: int) -> tuple[e.Event, ...]:
    """A new offer; or agreement, when another seat has made one and this names no other ply."""
    _check_still_in(state, command.seat)
    same = (None, None if state.offer is None else state.offer.to_ply)
    if state.offer is not None and state.offer.kind is command.kind and command.to_ply in same:
        return _agree(state, state.offer, command.seat, now)
    to_ply = _takeback_target(state, command) if command.kind is e.OfferKind.TAKEBACK else None
    offer = Offer(command.kind, command.seat, to_ply)
    offered = e.Offered(command.kind, command.seat, to_ply)
    if command.kind is e.OfferKind.DRAW:
        return (offered, *_bot_rejects(state))
    if not _asked(state, offer):
        return (_take_back(state, offer, now),)
    return (offered,)


def accept(state: GameState, command: c.Accept, now: int) -> tuple[e.Event, ...]:
    """Agreement to what another seat has proposed."""
    _check_still_in(state, command.seat)
    offer = _open_offer(state, command.kind)
    if offer.seat == command.seat:
        raise ApiError(Code.NO_OFFER, f"Nobody else has proposed a {command.kind.value}.")
    return _agree(state, offer, command.seat, now)


def reject(state: GameState, command: c.Reject) -> tuple[e.Event, ...]:
    """The end of an offer, by whoever was asked or by whoever made it."""
    _check_still_in(state, command.seat)
    _open_offer(state, command.kind)
    return (e.OfferRejected(command.kind, command.seat),)


def _agree(state: GameState, offer: Offer, seat: int, now: int) -> tuple[e.Event, ...]:
    if seat not in _asked(state, offer):
        return ()
    accepted = e.OfferAccepted(offer.kind, seat)
    if _asked(state, offer) != (seat,):
        return (accepted,)
    if offer.kind is e.OfferKind.DRAW:
        return (accepted, e.DrawAgreed())
    return (accepted, _take_back(state, offer, now))


def _asked(state: GameState, offer: Offer) -> tuple[int, ...]:
    """The seats whose answer is still missing."""
    answered = (offer.seat, *offer.accepted)
    return tuple(s for s in state.still_in if s not in answered and state.seats[s].kind is SeatKind.HUMAN)


def _bot_rejects(state: GameState) -> tuple[e.Event, ...]:
    bots = [seat for seat in state.still_in if state.seats[seat].kind is SeatKind.BOT]
    return (e.OfferRejected(e.OfferKind.DRAW, bots[0]),) if bots else ()


def _take_back(state: GameState, offer: Offer, now: int) -> e.Event:
    return e.TookBack(offer.seat, offer.to_ply or 0, state.clocks_at(now))


def _open_offer(state: GameState, kind: e.OfferKind) -> Offer:
    if state.offer is None or state.offer.kind is not kind:
        raise ApiError(Code.NO_OFFER, f"Nobody has proposed a {kind.value}.")
    return state.offer


def _check_still_in(state: GameState, seat: int) -> None:
    if seat in state.gone:
        raise ApiError(Code.FINISHED, "You have left this game.")


def _takeback_target(state: GameState, command: c.Propose) -> int:
    target = _last_own_ply(state, command.seat) if command.to_ply is None else command.to_ply
    if target is None or not 0 <= target < state.ply:
        raise ApiError(Code.BAD_TAKEBACK, "There is no move to take back to that ply.", field="toPly")
    if target < _ply_of_last_leave(state):
        raise ApiError(Code.BAD_TAKEBACK, "Moves before a player left stay played.", field="toPly")
    return target


def _last_own_ply(state: GameState, seat: int) -> int | None:
    """The latest ply before this one at which ``seat`` had to move."""
    position = state.position.copy()
    while position.ply > 0:
        position.undo()
        if seat in position.to_act:
            return position.ply
    return None


def _ply_of_last_leave(state: GameState) -> int:
    """How many moves had been played when a seat last left; 0 if none did."""
    moves = state.moves
    entries = [index for index, move in enumerate(moves) if move.startswith("!")]
    return 0 if not entries else entries[-1] + 1 - len(entries)
