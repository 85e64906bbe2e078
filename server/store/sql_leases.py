"""Reads and writes the running servers, and which of them holds which game's lease. Called by ``sql_store``.

Times are those of the database's clock, so that the clocks of the servers do not have to agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    exists,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from protocols.values import Status
from server.domain.game import MOST_SEATS
from server.ports.store import Heartbeat, OtherServer, Pulse
from server.store.sql_tables import DutyRow, EventRow, GameRow, ServerRow

DEAD_MS = 2000
"""A server is dead once its last heartbeat is older."""

SHARE = 256
"""The most games that a server claims at once while others may claim some too."""

NOW_MS: Mapping[str, ColumnElement[int]] = {
    "sqlite": literal_column("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"),
    "postgresql": literal_column("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"),
}
"""The database's clock in milliseconds since the epoch, by dialect."""

servers = ServerRow.__table__  # type: ignore[attr-defined]  # the table behind the model
games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
duties = DutyRow.__table__  # type: ignore[attr-defined]  # the table behind the model
events = EventRow.__table__  # type: ignore[attr-defined]  # the table behind the model


@dataclass(slots=True)
class Beat:
    """The job of writing a heartbeat; ``pulse`` is its result."""

    heartbeat: Heartbeat
    pulse: Pulse | None = None


@dataclass(slots=True)
class TakeLease:
    """The job of taking a game's lease from another server; ``epoch`` is its result, None if that holds none."""

    game_id: str
    server: str
    epoch: int | None = None


@dataclass(slots=True)
class TakeDuty:
    """The job of taking a duty; ``is_taken`` is its result."""

    duty: str
    server: str
    is_taken: bool = False


@dataclass(frozen=True, slots=True)
class Retire:
    """The job of counting a server as dead from now on."""

    server: str


def beat(connection: Connection, heartbeat: Heartbeat) -> Pulse:
    """Writes the heartbeat, and claims games of dead servers if there are any."""
    own, now = servers.c.server_id == heartbeat.server, NOW_MS[connection.dialect.name]
    # Without the players, who are read only when somebody is missing.
    columns = servers.c.server_id, servers.c.seen_at, servers.c.up_since
    aged = select(*columns, (now - servers.c.seen_at).label("age"))
    rows = {row.server_id: row for row in connection.execute(aged)}
    before = rows.pop(heartbeat.server, None)
    was_dead = before is None or before.age > DEAD_MS
    # A heartbeat that has been waiting for the database does not know better.
    is_up = heartbeat.claims == "all" or not was_dead
    up_since = heartbeat.up_since if is_up else None
    values = {"seen_at": now, "up_since": up_since, "players": heartbeat.players}
    if connection.execute(update(servers).where(own).values(values)).rowcount == 0:
        connection.execute(insert(servers).values(server_id=heartbeat.server, **values))
    alive = {name: OtherServer(row.seen_at, row.up_since) for name, row in rows.items() if row.age <= DEAD_MS}
    claimed: Mapping[str, int] = {}
    is_claim_due = heartbeat.claims == "all" or (heartbeat.claims == "of the dead" and len(alive) < len(rows))
    if is_claim_due:
        claimed = _claim(connection, heartbeat.server, SHARE if alive else None)
        _forget_dead(connection)
    return Pulse(
        others=alive,
        claimed=claimed,
        was_dead=was_dead,
        may_claim_more=len(claimed) == SHARE,
    )


def take_lease(connection: Connection, game_id: str, server: str) -> int | None:
    """Gives the server the lease of a live game that another one holds, and returns its epoch."""
    found = select(games.c.game_id).where(games.c.game_id == game_id)
    is_held = and_(_is_live(), games.c.driver.is_not(None), games.c.driver != server)
    return _claim_games(connection, server, found, is_held).get(game_id)


def take_duty(connection: Connection, duty: str, server: str) -> bool:
    """Gives the server a duty that it has already, or that no living server has."""
    alive = select(servers.c.server_id).where(_is_alive(connection.dialect.name))
    is_free = or_(duties.c.server_id == server, duties.c.server_id.not_in(alive))
    row = {"duty": duty, "server_id": server}
    if connection.execute(update(duties).where(duties.c.duty == duty, is_free).values(row)).rowcount == 1:
        return True
    if connection.execute(select(duties.c.duty).where(duties.c.duty == duty)).first() is not None:
        return False
    connection.execute(insert(duties).values(row))
    return True


def select_games_of(client_id: str) -> Select[Any]:
    """The query for the running games in which bots of this client play."""
    seats = [events.c.data["seats"][seat]["bot_id"].as_string() for seat in range(MOST_SEATS)]
    is_player = or_(*(seat.startswith(f"{client_id}:", autoescape=True) for seat in seats))
    begun = and_(events.c.game_id == games.c.game_id, events.c.seq == 1)
    live = select(games.c.game_id).join(events, begun).where(_is_playing(), games.c.has_bot)
    return live.where(is_player)


def select_server(server: str) -> Select[Any]:
    """The query for a server."""
    return select(servers.c.server_id).where(servers.c.server_id == server)


def select_running(dialect: str) -> Select[Any]:
    """The query for the servers that are alive."""
    return select(servers.c.server_id).where(_is_alive(dialect))


def retire(connection: Connection, server: str) -> None:
    """Counts a server as dead from now on. The row remains until others have claimed its games.

    It is written again if others have deleted it already, since a game may have begun at the server after that.
    """
    dead = update(servers).where(servers.c.server_id == server).values(seen_at=0)
    if connection.execute(dead).rowcount == 0:
        connection.execute(insert(servers).values(server_id=server, seen_at=0))


def select_leases(server: str) -> Select[Any]:
    """The query for the games whose leases a server holds, with their epochs."""
    return select(games.c.game_id, games.c.epoch).where(_is_live(), games.c.driver == server)


def select_others(server: str, dialect: str) -> Select[Any]:
    """The query for the players of the living servers except one."""
    return select(servers.c.players).where(_is_alive(dialect), servers.c.server_id != server)


def _claim(connection: Connection, server: str, limit: int | None) -> Mapping[str, int]:
    """Claims games without a living holder. Where rows can be locked, those that others are claiming are skipped."""
    alive = select(servers.c.server_id).where(_is_alive(connection.dialect.name))
    is_wanted = or_(games.c.has_remote, and_(_is_playing(), or_(games.c.is_timed, games.c.has_bot)))
    is_free = or_(and_(games.c.driver.is_(None), is_wanted), games.c.driver.not_in(alive))
    found = select(games.c.game_id).where(_is_live(), is_free).limit(limit)
    return _claim_games(connection, server, found.with_for_update(skip_locked=True), is_free)


def _claim_games(
    connection: Connection, server: str, found: Select[Any], still: ColumnElement[bool]
) -> Mapping[str, int]:
    """``still`` is checked again for each row, since another server may have changed it in the meantime."""
    claim = update(games).where(games.c.game_id.in_(found), still)
    claim = claim.values(driver=server, epoch=games.c.epoch + 1).returning(games.c.game_id, games.c.epoch)
    return {row.game_id: row.epoch for row in connection.execute(claim)}


def _forget_dead(connection: Connection) -> None:
    """Deletes dead servers that hold no lease, but waits for none: it may be back, and waiting for this one."""
    holds = exists().where(_is_live(), games.c.driver == servers.c.server_id)
    dead = select(servers.c.server_id).where(~_is_alive(connection.dialect.name), ~holds)
    connection.execute(delete(servers).where(servers.c.server_id.in_(dead.with_for_update(skip_locked=True))))


def _is_alive(dialect: str) -> ColumnElement[bool]:
    return servers.c.seen_at >= NOW_MS[dialect] - DEAD_MS  # type: ignore[no-any-return]  # a condition of the untyped table


def _is_playing() -> ColumnElement[bool]:
    return games.c.status == Status.PLAYING.value  # type: ignore[no-any-return]  # a condition of the untyped table


def _is_live() -> ColumnElement[bool]:
    return games.c.status.in_((Status.OPEN.value, Status.PLAYING.value))  # type: ignore[no-any-return]  # a condition of the untyped table
