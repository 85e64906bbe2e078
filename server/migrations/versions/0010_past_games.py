"""Adds the tables from which lists find past games; and, in small steps, the games that have ended so far.

``step`` adds a batch of games, in a transaction of its own, and remembers where it was. So a server that is stopped in
between goes on from there when it starts again. 0011 completes the migration.
"""

import logging
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import combinations
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

BATCH = 5_000
"""How many games a step adds."""

REPORTED = 50_000
"""After how many games the log gets a line."""

PRESETS = ("bullet", "blitz", "rapid", "classical")

BOARDS = ((36, "small"), (81, "medium"), (400, "large"))
"""The most cells of each class of boards."""

log = logging.getLogger("server.migrations")

kinds = sa.table(
    "game_kinds",
    *(sa.column(name) for name in ("kind", "visibility", "game", "variant", "preset", "board")),
)
past_games = sa.table(
    "past_games", *(sa.column(name) for name in ("players", "kind", "created_at", "game_id"))
)
position = sa.table(
    "past_games_so_far", *(sa.column(name) for name in ("created_at", "game_id", "added", "total"))
)
games = sa.table(
    "games",
    *(sa.column(name) for name in ("game_id", "created_at", "status", "visibility", "game", "variant")),
    sa.column("summary", sa.JSON),
)


def upgrade() -> None:
    """Migrates the tables forward."""
    texts = [sa.Column(name, sa.String(), nullable=False) for name in kinds.c.keys()[1:]]
    op.create_table(
        "game_kinds", sa.Column("kind", sa.BigInteger(), primary_key=True, autoincrement=False), *texts
    )
    op.create_table(
        "past_games",
        sa.Column("players", sa.String(), nullable=False),
        sa.Column("kind", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", _compared_by_characters(), nullable=False),
    )
    op.create_table(
        "row_counts",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("number", sa.BigInteger(), nullable=False),
    )
    prepare()


def downgrade() -> None:
    """Undoes the migration."""
    for table in ("past_games_so_far", "row_counts", "past_games", "game_kinds"):
        op.drop_table(table)


def prepare() -> None:
    """Remembers that no game has been added yet."""
    op.create_table(
        "past_games_so_far",
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
    )
    total = op.get_bind().scalar(
        sa.select(sa.func.count()).select_from(games).where(games.c.status == "finished")
    )
    op.execute(sa.insert(position).values(created_at=-(2**62), game_id="", added=0, total=total))
    if total and op.get_bind().dialect.name == "postgresql":
        # Without statistics, as after games were restored, each step would sort all of them.
        op.execute("ANALYZE games")


def step(connection: sa.Connection) -> bool:
    """Adds the next batch of games; False if there are no more."""
    so_far = connection.execute(sa.select(position)).one()
    key = sa.tuple_(games.c.created_at, games.c.game_id)
    batch = sa.select(games).where(
        games.c.status == "finished", key > sa.tuple_(so_far.created_at, so_far.game_id)
    )
    found: dict[tuple[str, ...], int] = {}
    added: list[tuple[str, int, int, str]] = []
    count, last = so_far.added, None
    for last in connection.execute(batch.order_by(games.c.created_at, games.c.game_id).limit(BATCH)):
        added += _rows(last, found)
        count += 1
    if last is None:
        return False
    _add_kinds(connection, found)
    _add_games(connection, added)
    connection.execute(
        sa.update(position).values(created_at=last.created_at, game_id=last.game_id, added=count)
    )
    if count // REPORTED > so_far.added // REPORTED:
        log.info("migrating the database: %s of %s past games", f"{count:,}", f"{so_far.total:,}")
    return True


def _add_kinds(connection: sa.Connection, found: Mapping[tuple[str, ...], int]) -> None:
    known = set(connection.scalars(sa.select(kinds.c.kind)))
    names = kinds.c.keys()
    new = [
        dict(zip(names, (kind, *columns), strict=True))
        for columns, kind in found.items()
        if kind not in known
    ]
    if new:
        connection.execute(sa.insert(kinds), new)


def _add_games(connection: sa.Connection, rows: list[tuple[str, int, int, str]]) -> None:
    """Adds rows as tuples: SQLAlchemy's work for each row would cost more than SQLite's."""
    if connection.dialect.driver == "psycopg":  # COPY takes a tenth of the time of INSERT.
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy("COPY past_games FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        return
    values = ", ".join(["?" if connection.dialect.paramstyle == "qmark" else "%s"] * 4)
    connection.exec_driver_sql(f"INSERT INTO past_games VALUES ({values})", rows)  # noqa: S608 - of constants


def _rows(game: sa.Row[Any], found: dict[tuple[str, ...], int]) -> Iterator[tuple[str, int, int, str]]:
    """The rows of a game. Kinds are added to those found."""
    summary = game.summary
    columns = game.visibility, game.game, game.variant, _preset(summary), _board(summary)
    kind = found.get(columns)
    if kind is None:
        digest = blake2b("\n".join(columns).encode(), digest_size=6).digest()
        kind = found[columns] = int.from_bytes(digest)
    for players in _players(summary):
        yield players, kind, game.created_at, game.game_id


def _players(summary: dict[str, Any]) -> Iterator[str]:
    """Nobody, each player, and each two of them."""
    names = sorted(
        {" ".join(seat["name"].split()).casefold() for seat in summary["seats"] if seat.get("name")}
    )
    yield ""
    for count in (1, 2):
        yield from map("\n".join, combinations(names, count))


def _preset(summary: dict[str, Any]) -> str:
    preset = (summary.get("timeControl") or {}).get("preset")
    return preset if preset in PRESETS else ""


def _board(summary: dict[str, Any]) -> str:
    config = summary.get("config") or {}
    cells = config.get("boardWidth", 0) * config.get("boardHeight", 0)
    return next((name for most, name in BOARDS if 0 < cells <= most), "")


def _compared_by_characters() -> sa.types.TypeEngine[str]:
    return sa.String().with_variant(sa.String(collation="C"), "postgresql")
