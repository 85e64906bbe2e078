"""Tables of Hive games for sessions."""

from dataclasses import replace

from engines import Position
from protocols.values import Offer, OfferKind, Result, Seat, SeatKind, Status, Table, TimeControl

GAME = "g7Kd"


def table(*moves: str, variant: str = "Base", control: TimeControl | None = None) -> Table:
    """The game after these moves; ``seq`` grows with their number."""
    position = Position("hive", variant)
    for move in moves:
        position.play(move)
    return Table(
        game_id=GAME,
        seq=10 * (len(moves) + 1),
        position=position,
        config=position.config,
        status=Status.PLAYING,
        to_act=tuple(position.to_act),
        seats=(Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)),
        host=0,
        match_type="friend",
        created_at=0,
        updated_at=0,
        last_move_at=0,
        clocks=None if control is None else (60_000, 59_000),
        time_control=control,
    )


def over(before: Table, reason: str, *winners: int) -> Table:
    """The same game, ended without a move."""
    result = Result(winners, reason)
    return replace(before, seq=before.seq + 1, status=Status.FINISHED, to_act=(), result=result, offer=None)


def aborted(before: Table) -> Table:
    """The same game, aborted."""
    return replace(before, seq=before.seq + 1, status=Status.ABORTED, to_act=())


def offered(before: Table, seat: int | None) -> Table:
    """The same game, with a draw offer by this seat, or without an offer."""
    offer = None if seat is None else Offer(OfferKind.DRAW, seat)
    return replace(before, seq=before.seq + 1, offer=offer)
