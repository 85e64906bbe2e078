"""Played games of Hive at a server, as sessions are told of them."""

from dataclasses import replace

from engines import Position
from protocols.play.table import Control, Player, Proposal, Result, Table

GAME = "g7Kd"


def table(*moves: str, variant: str = "Base", control: Control | None = None) -> Table:
    """The game after these moves; its number grows with them."""
    position = Position("hive", variant)
    for move in moves:
        position.play(move)
    return Table(
        game_id=GAME,
        seq=10 * (len(moves) + 1),
        position=position,
        config=position.config,
        status="playing",
        to_act=tuple(position.to_act),
        players=(Player("human"), Player("human")),
        host=0,
        match_type="friend",
        created_at=0,
        updated_at=0,
        last_move_at=0,
        clocks=None if control is None else (60_000, 59_000),
        control=control,
    )


def over(before: Table, reason: str, *winners: int) -> Table:
    """The same game, ended without a move."""
    result = Result(winners, reason)
    return replace(before, seq=before.seq + 1, status="finished", to_act=(), result=result, proposal=None)


def aborted(before: Table) -> Table:
    """The same game, called off."""
    return replace(before, seq=before.seq + 1, status="aborted", to_act=())


def offered(before: Table, seat: int | None) -> Table:
    """The same game, with an offer of a draw by this seat, or none any more."""
    proposal = None if seat is None else Proposal("draw", seat)
    return replace(before, seq=before.seq + 1, proposal=proposal)
