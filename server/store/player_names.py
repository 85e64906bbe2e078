"""Renames a player in every game: in the events, the listings, and the past games that lists find by names.

No server may use the database meanwhile, since it would write the old names of games in its memory. Called by commands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, select, update

from protocols.values import Status
from server.ports.store import Listing
from server.store.ended_games import remove_past_games
from server.store.past_games import PastGameRows, fold_name
from server.store.sql_listings import listed, listing_of_row
from server.store.sql_tables import EventRow, GameRow

NAMING_EVENTS: Final = ("Created", "SeatTaken")
"""The kinds of events that contain names."""

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model

Json = Mapping[str, Any]


def next_games(connection: Connection, after: str, limit: int) -> list[Listing]:
    """The first games after an id, in the order of ids."""
    chosen = select(*listed).where(games.c.game_id > after).order_by(games.c.game_id).limit(limit)
    return [listing_of_row(row) for row in connection.execute(chosen)]


def rename_player(
    connection: Connection, found: Sequence[Listing], old: str, new: str | None, past_games: PastGameRows
) -> int:
    """Gives the player ``old`` the name ``new``, or none, in these games; returns in how many the player was.

    Case and spaces of ``old`` do not matter, as in lists.
    """
    wanted = fold_name(old)
    theirs = [listing for listing in found if any(_is(seat, wanted) for seat in listing.summary["seats"])]
    remove_past_games(connection, theirs)
    for listing in theirs:
        summary = {
            **listing.summary,
            "seats": [_renamed(seat, wanted, new) for seat in listing.summary["seats"]],
        }
        this = games.c.game_id == listing.game_id
        connection.execute(update(games).where(this).values(summary=summary))
        _rename_in_log(connection, listing.game_id, wanted, new)
        if listing.status == Status.FINISHED:
            past_games.add(connection, replace(listing, summary=summary))
    return len(theirs)


def _rename_in_log(connection: Connection, game_id: str, wanted: str, new: str | None) -> None:
    this = events.c.game_id == game_id
    naming = select(events.c.seq, events.c.data).where(this, events.c.kind.in_(NAMING_EVENTS))
    for seq, data in connection.execute(naming).all():
        renamed = _renamed(data, wanted, new)
        if "seats" in renamed:
            renamed = {**renamed, "seats": [_renamed(seat, wanted, new) for seat in renamed["seats"]]}
        if renamed != data:
            connection.execute(update(events).where(this, events.c.seq == seq).values(data=renamed))


def _is(seat: Json, wanted: str) -> bool:
    return fold_name(seat.get("name") or "") == wanted


def _renamed(seat: Json, wanted: str, new: str | None) -> Json:
    if not _is(seat, wanted):
        return seat
    rest = {name: value for name, value in seat.items() if name != "name"}
    return rest if new is None else {**rest, "name": new}
