"""Counts openings, and reads what was played in a place. Called by ``sql_store``.

A finished public game waits in ``explorer_waiting`` from the transaction that ends it on. The transaction that counts
it removes it there, and the one that deletes it takes it out of the openings again (``opening_removal``). So the
openings are always those of the games in the database that do not wait.
"""

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import ClauseElement, Connection, Dialect, bindparam, delete, func, insert, select, text
from sqlalchemy.dialects import postgresql, sqlite

from engines.explorer.places import Place
from engines.explorer.tally import OpeningTally
from protocols.values import Status, Visibility
from server.domain.explored import PlayedOpening
from server.ports.explorer import CountOpenings, Explored, ExploredMove
from server.ports.store import Listing
from server.store.explorer.explorer_tables import (
    POINTS,
    WON,
    explorer_moves,
    explorer_waiting,
)
from server.store.sql_listings import listed, listing_of_row
from server.store.sql_statement import Statement
from server.store.sql_tables import GameRow

NO_MOVE: Final = ""
"""The move under which games are counted that ended in a place."""

SHOWN_GAMES: Final = 8
"""How many games are shown of a place."""

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model

NUMBERS: Final = ("games", "draws", *WON, "scored", *POINTS)

ADD: Final = f"""
    INSERT INTO explorer_moves (place, move, {", ".join(NUMBERS)}, latest_at, latest)
    VALUES (:place, :move, {", ".join(f":{name}" for name in NUMBERS)}, :latest_at, :latest)
    ON CONFLICT (place, move) DO UPDATE SET
    {", ".join(f"{name} = explorer_moves.{name} + excluded.{name}" for name in NUMBERS)},
    latest = CASE WHEN (excluded.latest_at, excluded.latest) > (explorer_moves.latest_at, explorer_moves.latest)
        THEN excluded.latest ELSE explorer_moves.latest END,
    latest_at = CASE WHEN excluded.latest_at > explorer_moves.latest_at
        THEN excluded.latest_at ELSE explorer_moves.latest_at END
"""  # noqa: S608 - of constants
"""Adds to a row, which may be new."""

_INSERTS: Final[Mapping[str, Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}

Row = dict[str, Any]


class ExplorerRows:
    """The statements for openings, in the SQL of one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._wait = Statement(_insert_new(dialect, explorer_waiting), dialect)
        this = explorer_waiting.c.game_id == bindparam("game_id")
        self._take = Statement(delete(explorer_waiting).where(this), dialect)
        self._add = Statement(text(ADD), dialect)

    def wait(self, connection: Connection, listing: Listing) -> None:
        """Lets a game that has ended wait to be counted, if it is public."""
        if listing.status == Status.FINISHED and listing.visibility == Visibility.PUBLIC:
            self._wait.write(connection, {"game_id": listing.game_id})

    def count(self, connection: Connection, job: CountOpenings) -> None:
        """Counts those of the games that still wait."""
        known = {opening.game_id: opening for opening in job.openings}
        taken = [
            game_id
            for game_id in sorted(job.game_ids)
            if self._take.write(connection, {"game_id": game_id}) == 1
        ]
        if rows := added_rows(known[game_id] for game_id in taken if game_id in known):
            self._add.write(connection, *rows)


def added_rows(openings: Iterable[PlayedOpening]) -> list[Row]:
    """What these games add to the rows of places, in the order of their keys.

    In one order, so that two transactions that wait for each other's rows are impossible.
    """
    tallies: dict[tuple[Place, str], OpeningTally] = {}
    latest: dict[tuple[Place, str], tuple[int, str]] = {}
    for opening in openings:
        this = opening.ended_at, opening.game_id
        for key in _keys(opening):
            tallies[key] = tallies[key] + opening.tally if key in tallies else opening.tally
            latest[key] = max(latest.get(key, this), this)
    return [_row(key, tallies[key], latest[key]) for key in sorted(tallies)]


def select_waiting(limit: int) -> Any:  # noqa: ANN401 - a query
    """The query for games that are not counted yet."""
    return select(explorer_waiting.c.game_id).order_by(explorer_waiting.c.game_id).limit(limit)


def read_explored(connection: Connection, place: Place, none: OpeningTally, most: int) -> Explored:
    """See ``ports.explorer.ExplorerStore``. Reads the rows of one place, of which there are as many as moves."""
    here = explorer_moves.c.place == place
    sums = [func.sum(explorer_moves.c[name]).label(name) for name in NUMBERS]
    total = connection.execute(select(*sums).where(here)).one()
    most_played = explorer_moves.c.games.desc(), explorer_moves.c.move
    chosen = select(explorer_moves).where(here, explorer_moves.c.move != NO_MOVE)
    moves = connection.execute(chosen.order_by(*most_played).limit(most)).all()
    ids = [row.latest for row in moves]
    shown = select(*listed).where(games.c.game_id.in_(ids))  # By their keys alone: most games are public.
    found = map(listing_of_row, connection.execute(shown))
    listings = {game.game_id: game for game in found if game.visibility == Visibility.PUBLIC}
    latest = sorted(moves, key=lambda row: (row.latest_at, row.latest), reverse=True)
    return Explored(
        none if total.games is None else _tally(total, none),
        [
            ExploredMove(
                row.move, _tally(row, none), row.latest if row.latest in listings else None, row.latest_at
            )
            for row in moves
        ],
        [listings[row.latest] for row in latest if row.latest in listings][:SHOWN_GAMES],
    )


def start_again(connection: Connection) -> int:
    """Forgets all openings, and lets all public games that have ended wait; returns their number."""
    for table in (explorer_moves, explorer_waiting):
        connection.execute(delete(table))
    ended = (games.c.visibility == Visibility.PUBLIC.value, games.c.status == Status.FINISHED.value)
    waiting = insert(explorer_waiting).from_select(["game_id"], select(games.c.game_id).where(*ended))
    return connection.execute(waiting).rowcount


def _keys(opening: PlayedOpening) -> Iterable[tuple[Place, str]]:
    for place, move in opening.moves.items():
        yield place, NO_MOVE if move is None else move


def _row(key: tuple[Place, str], tally: OpeningTally, latest: tuple[int, str]) -> Row:
    row: Row = dict.fromkeys(NUMBERS, 0)
    row |= {"place": key[0], "move": key[1], "latest_at": latest[0], "latest": latest[1]}
    row |= {"games": tally.games, "draws": tally.draws, "scored": tally.scored}
    return row | dict(zip(WON, tally.won, strict=False)) | dict(zip(POINTS, tally.points, strict=False))


def _tally(row: Any, none: OpeningTally) -> OpeningTally:  # noqa: ANN401 - a row of the table
    values = row._mapping
    won = itemgetter(*WON)(values)[: len(none.won)]
    points = itemgetter(*POINTS)(values)[: len(none.points)]
    return OpeningTally(row.games, row.draws, won, row.scored, points)


def _insert_new(dialect: Dialect, table: Any) -> ClauseElement:  # noqa: ANN401 - a table
    added: ClauseElement = _INSERTS[dialect.name](table).on_conflict_do_nothing()
    return added
