"""The tables of the opening explorer; their history is in ``server/migrations``."""

from typing import Final

from sqlalchemy import BigInteger, Column, Float, Integer, String, Table
from sqlmodel import SQLModel

from server.domain.game import MOST_SEATS

WON: Final = tuple(f"won_{seat}" for seat in range(MOST_SEATS))
POINTS: Final = tuple(f"points_{seat}" for seat in range(MOST_SEATS))

_BY_CHARACTERS: Final = String().with_variant(String(collation="C"), "postgresql")

explorer_moves = Table(
    "explorer_moves",
    SQLModel.metadata,
    Column("place", BigInteger, primary_key=True, autoincrement=False),
    Column("move", _BY_CHARACTERS, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    *(Column(name, Integer, nullable=False) for name in WON),
    Column("scored", Integer, nullable=False),
    *(Column(name, Float, nullable=False) for name in POINTS),
    Column("latest_at", BigInteger, nullable=False),
    Column("latest", _BY_CHARACTERS, nullable=False),
    sqlite_with_rowid=False,
)
"""The tally of each move in each place, with the latest of its games; that of games that ended there has no move.

The games of bots, of people and of each bot are counted under places of their own as well (``domain.explored.filed``).
In SQLite, the rows of a place are next to each other.
"""

explorer_waiting = Table("explorer_waiting", SQLModel.metadata, Column("game_id", String, primary_key=True))
"""The games that have ended and are not counted yet."""
