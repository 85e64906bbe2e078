"""Finds finished games by their players and what else lists can be filtered by.

No index of ``games`` has the order of a list for every combination of filters. So ``past_games`` has a row of each game
for each combination of its players, and its index is ordered by players, kind and age. A query takes the newest games
of each kind that matches, and of these the newest. Called by ``sql_logs`` and ``sql_lists``.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, combinations
from typing import Any, Final

from sqlalchemy import ClauseElement, Connection, Dialect, Select, insert, select, text
from sqlalchemy.dialects import postgresql, sqlite

from server.domain.board_class import board_class
from server.ports.store import PRESETS, Listing, PageQuery, PastFilter
from server.store.sql_statement import Statement
from server.store.sql_tables import GameKindRow, past_games

FIRST: Final = 8
"""The number of games that are first read of each kind; most kinds have none of the newest games."""

GROWTH: Final = 3
"""How many times as many are read next, of the kinds that had no older games among those read."""

kinds = GameKindRow.__table__  # type: ignore[attr-defined]  # the table behind the model

MOST_PLAYERS: Final = 2
"""The most players of a query."""

HASH_BYTES: Final = 6

Key = tuple[int, str]
"""The time of a game's creation in milliseconds since the epoch, and its id: the order of lists."""

_NOTHING: Final = (-(2**62), "")
"""A key before all others."""

_NEWEST: Final = """
    SELECT kind, created_at, game_id FROM past_games WHERE players = :players AND kind = :kind
    AND created_at >= :since AND (created_at, game_id) < (:before, :before_id)
    ORDER BY created_at DESC, game_id DESC LIMIT :most
"""

_NEWEST_OF_EACH: Final = """
    SELECT kind, created_at, game_id FROM json_array_elements_text(CAST(:kinds AS JSON)) AS given (wanted)
    CROSS JOIN LATERAL (
        SELECT kind, created_at, game_id FROM past_games WHERE players = :players AND kind = CAST(wanted AS BIGINT)
        AND created_at >= :since AND (created_at, game_id) < (:before, :before_id)
        ORDER BY created_at DESC, game_id DESC LIMIT :most
    ) AS found
"""
"""The same for several kinds. SQLite has no lateral joins, and each statement takes less time."""


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
        is_sqlite = dialect.name == "sqlite"
        self._find = Statement(text(_NEWEST if is_sqlite else _NEWEST_OF_EACH), dialect)
        self._read = self._read_one_by_one if is_sqlite else self._read_together

    def add(self, connection: Connection, listing: Listing) -> None:
        """Adds a game that has ended. Nothing that lists filter by changes after that."""
        kind = kind_of(listing)
        self._add_kind.write(connection, kind)
        row = {"kind": kind["kind"], "created_at": listing.created_at, "game_id": listing.game_id}
        self._add_games.write(connection, *({"players": names, **row} for names in player_keys(listing)))

    def find(
        self, connection: Connection, query: PageQuery, within: tuple[int, Key], count: int
    ) -> list[Key]:
        """The newest games that match, at most ``count``; see ``sql_lists`` for ``within``."""
        wanted = query.past or PastFilter()
        since, (before, before_id) = within
        given = {
            "players": _players_key(wanted.players),
            "since": since,
            "before": before,
            "before_id": before_id,
        }
        found: dict[int, list[Key]] = {}
        newest: list[Key] = []
        reading = list(connection.scalars(_select_kinds(query, wanted)))
        most = max(FIRST, 2 * count // max(1, len(reading)))
        while reading:
            most = min(most, count)
            found |= {kind: [] for kind in reading}
            for kind, created_at, game_id in self._read(connection, reading, {**given, "most": most}):
                found[kind].append((created_at, game_id))
            newest = sorted(chain.from_iterable(found.values()), reverse=True)[:count]
            oldest = newest[-1] if len(newest) == count else _NOTHING
            # The others have no more games, or only such as are older than those found.
            reading = [
                kind for kind in reading if most == len(found[kind]) < count and found[kind][-1] > oldest
            ]
            most *= GROWTH
        return newest

    def _read_one_by_one(
        self, connection: Connection, wanted: Sequence[int], values: Mapping[str, Any]
    ) -> Iterator[Sequence[Any]]:
        for kind in wanted:
            yield from self._find.read(connection, {**values, "kind": kind})

    def _read_together(
        self, connection: Connection, wanted: Sequence[int], values: Mapping[str, Any]
    ) -> Iterable[Sequence[Any]]:
        return self._find.read(connection, {**values, "kinds": json.dumps(wanted)})


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


def _select_kinds(query: PageQuery, wanted: PastFilter) -> Select[Any]:
    equal = (
        (kinds.c.variant, wanted.variant),
        (kinds.c.preset, wanted.preset),
        (kinds.c.board, wanted.board),
        (kinds.c.rated, wanted.is_rated),
    )
    chosen = select(kinds.c.kind).where(kinds.c.visibility.in_(query.visibility))
    chosen = chosen.where(*(column == value for column, value in equal if value is not None))
    return chosen if query.games is None else chosen.where(kinds.c.game.in_(query.games))
