"""Finds finished games by their players and what else lists can be filtered by.

No index of ``games`` has the order of a list for every combination of filters. So ``past_games`` has a row of each game
for each combination of its players, and its index is ordered by players, kind and age. A query takes the newest games
of each kind that matches, and of these the newest. Called by ``sql_logs`` and ``sql_lists``.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import combinations
from math import ceil
from typing import Any, Final

from sqlalchemy import ClauseElement, Connection, Dialect, Select, TextClause, insert, select, text
from sqlalchemy.dialects import postgresql, sqlite

from server.domain.board_class import board_class
from server.ports.store import PRESETS, Listing, PageQuery, PastFilter
from server.store.sql_statement import Statement
from server.store.sql_tables import GameKindRow, past_games

FEWEST: Final = 8
"""The smallest number of games by which kinds are compared; most kinds have none of the newest games."""

SHARES: Final = (2, 16)
"""How many times its share of a page each kind is asked for at first, and then, if too few kinds have so many games."""

RANGES: Final = (1, 4, 16, 64)
"""The numbers of kinds for which SQLite has statements: few, as a new one of 64 kinds takes 0.8 ms to prepare."""

NO_KIND: Final = -1
"""No game is of this kind."""

kinds = GameKindRow.__table__  # type: ignore[attr-defined]  # the table behind the model

MOST_PLAYERS: Final = 2
"""The most players of a query."""

HASH_BYTES: Final = 6

SELECTIONS: Final = 64
"""How many selections of kinds are kept."""

Key = tuple[int, str]
"""The time of a game's creation in milliseconds since the epoch, and its id: the order of lists."""

_RANGE: Final = """
    SELECT created_at, game_id FROM past_games WHERE players = :players AND kind = :kind{number}
    AND created_at >= :since AND (created_at, game_id) < (:before, :before_id)
"""

_BOUND: Final = """
    (SELECT ranked.created_at FROM given CROSS JOIN LATERAL (
        SELECT created_at FROM past_games WHERE players = :players AND kind = given.kind
        AND created_at >= :since AND (created_at, game_id) < (:before, :before_id)
        ORDER BY created_at DESC, game_id DESC OFFSET :share{number} - 1 LIMIT 1
    ) AS ranked ORDER BY created_at DESC OFFSET :shares{number} - 1 LIMIT 1)
"""
"""A time since which there are enough games: ``shares`` kinds have ``share`` each. NULL if fewer kinds have so many."""

_BOUNDED: Final = f"""
    WITH given AS (
        SELECT CAST(wanted AS BIGINT) AS kind FROM json_array_elements_text(CAST(:kinds AS JSON)) AS one (wanted)
    )
    SELECT created_at, game_id FROM given CROSS JOIN LATERAL (
        SELECT created_at, game_id FROM past_games WHERE players = :players AND kind = given.kind
        AND created_at >= coalesce({", ".join(_BOUND.format(number=number) for number, _ in enumerate(SHARES))}, :since)
        AND (created_at, game_id) < (:before, :before_id)
        ORDER BY created_at DESC, game_id DESC LIMIT :most
    ) AS found ORDER BY created_at DESC, game_id DESC LIMIT :most - :skip OFFSET :skip
"""  # noqa: S608 - of constants
"""The newest games of several kinds, of which older ones than the bound cannot be. Most kinds may have few games."""


_INSERTS: Final[Mapping[str, Callable[[], ClauseElement]]] = {
    "sqlite": lambda: sqlite.insert(kinds).on_conflict_do_nothing(),
    "postgresql": lambda: postgresql.insert(kinds).on_conflict_do_nothing(),
}
"""Adds a kind unless it is known, by dialect."""


class PastGameRows:
    """The statements for finished games, in the SQL of one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._add_kind = Statement(_INSERTS[dialect.name](), dialect)
        self._add_games = Statement(insert(past_games), dialect)
        self._ranges = (_MergedRanges if dialect.name == "sqlite" else _BoundedRanges)(dialect)

    def add(self, connection: Connection, listing: Listing) -> None:
        """Adds a game that has ended. Nothing that lists filter by changes after that."""
        kind = kind_of(listing)
        self._add_kind.write(connection, kind)
        row = {"kind": kind["kind"], "created_at": listing.created_at, "game_id": listing.game_id}
        self._add_games.write(connection, *({"players": names, **row} for names in player_keys(listing)))

    def find(self, connection: Connection, query: PageQuery, within: tuple[int, Key]) -> list[Key]:
        """The games of a page; see ``sql_lists`` for ``within``."""
        wanted = query.past or PastFilter()
        since, (before, before_id) = within
        values = {
            "players": _players_key(wanted.players),
            "since": since,
            "before": before,
            "before_id": before_id,
            "most": query.skip + query.limit,
            "skip": query.skip,
        }
        matching = _select_kinds(query.visibility, query.games, replace(wanted, players=()))
        return self._ranges.read(connection, list(connection.scalars(matching)), values)


class _MergedRanges:
    """The newest games of several kinds on SQLite, which merges ranges of an index, reading no further than it must."""

    def __init__(self, dialect: Dialect) -> None:
        self._statements = {count: Statement(_merged(count), dialect) for count in RANGES}

    def read(self, connection: Connection, wanted: Sequence[int], values: Mapping[str, Any]) -> list[Key]:
        """The newest games of these kinds, without some; see ``PastGameRows.find`` for the values."""
        found: list[Key] = []
        for start in range(0, len(wanted), RANGES[-1]):
            some = wanted[start : start + RANGES[-1]]
            size = next(size for size in RANGES if size >= len(some))
            padded = [*some, *[NO_KIND] * (size - len(some))]
            given = {f"kind{number}": kind for number, kind in enumerate(padded)}
            found += _keys(self._statements[size].read(connection, {**values, **given}))
        return sorted(found, reverse=True)[values["skip"] : values["most"]]


class _BoundedRanges:
    """The same on Postgres, which would have to plan each range before it merges them."""

    def __init__(self, dialect: Dialect) -> None:
        self._statement = Statement(text(_BOUNDED), dialect)

    def read(self, connection: Connection, wanted: Sequence[int], values: Mapping[str, Any]) -> list[Key]:
        """The newest games of these kinds, without some; see ``PastGameRows.find`` for the values."""
        most = values["most"]
        given: dict[str, Any] = {"kinds": json.dumps(wanted)}
        for number, times in enumerate(SHARES):
            share = min(most, max(FEWEST, times * most // max(1, len(wanted))))
            given |= {f"share{number}": share, f"shares{number}": ceil(most / share)}
        return _keys(self._statement.read(connection, {**values, **given}))


@cache
def _merged(count: int) -> TextClause:
    """The statement for so many kinds."""
    ranges = " UNION ALL ".join(_RANGE.format(number=number) for number in range(count))
    return text(f"{ranges} ORDER BY created_at DESC, game_id DESC LIMIT :most")


def _keys(rows: Iterable[Sequence[Any]]) -> list[Key]:
    return [(created_at, game_id) for created_at, game_id in rows]


def fold_name(name: str) -> str:
    """The form of a name in which names that differ only in case and spaces are equal."""
    return " ".join(name.split()).casefold()


def player_keys(listing: Listing) -> list[str]:
    """The players under whom a game can be found: nobody, each player, and each two of them."""
    names = sorted({fold_name(name) for seat in listing.summary["seats"] if (name := seat.get("name"))})
    return [_players_key(some) for count in range(MOST_PLAYERS + 1) for some in combinations(names, count)]


def kind_of(listing: Listing) -> dict[str, Any]:
    """The row of a game's kind."""
    control, board = listing.summary.get("timeControl") or {}, listing.summary.get("config") or {}
    preset = control.get("preset")
    cells = board.get("boardWidth", 0) * board.get("boardHeight", 0)
    columns = {
        "visibility": listing.visibility,
        "game": listing.game,
        "variant": listing.variant,
        "preset": preset if preset in PRESETS else "",
        "board": board_class(cells) or "",
    }
    is_rated = "ladder" in listing.summary
    distinct = [*columns.values(), *(["rated"] if is_rated else [])]
    digest = blake2b("\n".join(distinct).encode(), digest_size=HASH_BYTES).digest()
    return {"kind": int.from_bytes(digest), **columns, "rated": is_rated}


def _players_key(names: Iterable[str]) -> str:
    return "\n".join(sorted({fold_name(name) for name in names}))


@lru_cache(maxsize=SELECTIONS)
def _select_kinds(
    visibilities: tuple[str, ...], games: tuple[str, ...] | None, wanted: PastFilter
) -> Select[Any]:
    """Selects the kinds that match. SQLAlchemy takes longer to build it than the databases to execute it."""
    equal = (
        (kinds.c.variant, wanted.variant),
        (kinds.c.preset, wanted.preset),
        (kinds.c.board, wanted.board),
        (kinds.c.rated, wanted.is_rated),
    )
    chosen = select(kinds.c.kind).where(kinds.c.visibility.in_(visibilities))
    chosen = chosen.where(*(column == value for column, value in equal if value is not None))
    return chosen if games is None else chosen.where(kinds.c.game.in_(games))
