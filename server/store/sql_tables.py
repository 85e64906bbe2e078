"""The tables of the store.

Their history is in ``server/migrations``; a test checks that both agree.
"""

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, String, Table
from sqlmodel import Field, SQLModel


class GameRow(SQLModel, table=True):
    """A listing, the number of events in the log of the game, and its lease."""

    __tablename__ = "games"
    __table_args__ = (
        Index("games_by_status", "status", "created_at", "game_id"),
        Index("games_listed", "visibility", "created_at", "game_id"),
        Index("games_listed_by_status", "visibility", "status", "created_at", "game_id"),
        Index("games_listed_by_game", "visibility", "game", "created_at", "game_id"),
        Index("games_listed_by_game_and_status", "visibility", "game", "status", "created_at", "game_id"),
    )

    game_id: str = Field(primary_key=True)
    version: int
    game: str
    variant: str
    status: str
    is_timed: bool
    has_bot: bool
    created_at: int = Field(sa_column=Column(BigInteger, nullable=False))
    updated_at: int = Field(sa_column=Column(BigInteger, nullable=False))
    ply: int
    summary: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    has_remote: bool
    visibility: str
    driver: str | None
    """The holder of the lease. The column keeps its first name, so that servers of older versions can still use it."""
    epoch: int


class GameKindRow(SQLModel, table=True):
    """What a filter of past games can distinguish: some finished game is of this kind. There are a few hundred.

    ``kind`` is a hash of the other columns. ``preset`` and ``board`` are empty if a game is in none of the classes.
    """

    __tablename__ = "game_kinds"

    kind: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    visibility: str
    game: str
    variant: str
    preset: str
    board: str
    rated: bool


past_games = Table(
    "past_games",
    SQLModel.metadata,
    Column("players", String, nullable=False),
    Column("kind", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("game_id", String().with_variant(String(collation="C"), "postgresql"), nullable=False),
    Index("past_games_in_order", "players", "kind", "created_at", "game_id"),
)
"""Each finished game, once under the names of no players, once under each player's, and once under each two players'.

``players`` are folded names; see ``past_games``. Ids are compared by their characters, as Python does.
"""


class CountRow(SQLModel, table=True):
    """The number of some rows, changed in the transactions that change the rows."""

    __tablename__ = "row_counts"

    name: str = Field(primary_key=True)
    number: int = Field(sa_column=Column(BigInteger, nullable=False))


class ServerRow(SQLModel, table=True):
    """A running server: the time of its last heartbeat, since when some server has been running, and its players."""

    __tablename__ = "servers"

    server_id: str = Field(primary_key=True)
    seen_at: int = Field(sa_column=Column(BigInteger, nullable=False))
    up_since: int | None = Field(sa_column=Column(BigInteger, nullable=True))
    players: list[Any] = Field(sa_column=Column(JSON, nullable=False))


class EventRow(SQLModel, table=True):
    """An event at its place in the log of a game. Rows are only ever added."""

    __tablename__ = "events"

    game_id: str = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    at_ms: int = Field(sa_column=Column(BigInteger, nullable=False))
    kind: str
    data: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class ChatLineRow(SQLModel, table=True):
    """A message in the chat of a game. ``line_id`` tells those of the same millisecond apart."""

    __tablename__ = "chat_lines"

    game_id: str = Field(primary_key=True)
    at_ms: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    line_id: str = Field(primary_key=True)
    channel: str
    line: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class LadderResultRow(SQLModel, table=True):
    """The result of a game of the ladder: the members of a ``RatedResult`` for which there is no column."""

    __tablename__ = "ladder_results"
    __table_args__ = (Index("ladder_results_in_order", "ended_at", "game_id"),)

    game_id: str = Field(primary_key=True)
    game: str
    variant: str
    ended_at: int = Field(sa_column=Column(BigInteger, nullable=False))
    result: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class LadderSeatRow(SQLModel, table=True):
    """A player's seat in a game of the ladder that has ended. ``bot``: the bot that the player is a version of."""

    __tablename__ = "ladder_seats"
    __table_args__ = (Index("ladder_seats_by_bot", "bot", "ended_at", "game_id"),)

    game_id: str = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    bot: str
    ended_at: int = Field(sa_column=Column(BigInteger, nullable=False))


class DutyRow(SQLModel, table=True):
    """Something that one server does for all: the server that does it."""

    __tablename__ = "duties"

    duty: str = Field(primary_key=True)
    server_id: str


class TournamentRow(SQLModel, table=True):
    """A tournament as lists show it, and the number of events in its log."""

    __tablename__ = "tournaments"
    __table_args__ = (
        Index("tournaments_in_order", "created_at", "tournament_id"),
        Index("tournaments_live", "is_live", "created_at", "tournament_id"),
    )

    tournament_id: str = Field(primary_key=True)
    version: int
    is_live: bool
    created_at: int = Field(sa_column=Column(BigInteger, nullable=False))
    summary: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class TournamentEventRow(SQLModel, table=True):
    """An event at its place in the log of a tournament. Rows are only ever added."""

    __tablename__ = "tournament_events"

    tournament_id: str = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    at_ms: int = Field(sa_column=Column(BigInteger, nullable=False))
    kind: str
    data: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class TokenRow(SQLModel, table=True):
    """The hash of a seat's token; the token itself is not stored. It stays valid in a rematch of its game."""

    __tablename__ = "tokens"
    __table_args__ = (Index("tokens_by_digest", "digest"),)

    game_id: str = Field(primary_key=True)
    digest: str = Field(primary_key=True)
    seat: int


class ClientIdRow(SQLModel, table=True):
    """The id of a bot client, with the hashes of its resume secrets. ``is_kept``: it is never discarded."""

    __tablename__ = "client_ids"
    __table_args__ = (Index("client_ids_by_worth", "is_kept", "is_official", "is_used", "seen_at"),)

    client_id: str = Field(primary_key=True)
    owner: str
    guest: str | None
    is_used: bool
    is_official: bool
    is_kept: bool
    seen_at: int = Field(sa_column=Column(BigInteger, nullable=False))
