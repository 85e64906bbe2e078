"""The store in an SQL database: the event log, tokens, listings, leases and the ids of bot clients.

Implements ``Store``, ``LadderStore``, ``ChatStore``, ``ClientIdStore`` and ``RetentionStore`` of ``ports.store``,
``TournamentStore`` of ``ports.tournaments``, and ``ExplorerStore`` of ``ports.explorer``.

One thread writes (see ``group_commit``), a few read, and others read lists (see ``limited_reads``); most appends to
Postgres are written on the event loop (see ``postgres_appends``). Errors of the database become ``store_unavailable``.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Select, select, text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from engines.explorer.places import Place
from engines.explorer.tally import OpeningTally
from server.domain.client_ids import ClientId
from server.domain.errors import list_unavailable, openings_unavailable, store_unavailable
from server.domain.events import Recorded, length
from server.domain.ladder.results import RatedResult
from server.domain.tournaments.state import RecordedTournamentEvent
from server.ports.explorer import CountOpenings, Explored
from server.ports.store import (
    Append,
    DeletedGames,
    EndedGames,
    GameKey,
    Heartbeat,
    Listing,
    ListingQuery,
    PageQuery,
    Player,
    Pulse,
    StoredGame,
    TokenHash,
    VersionConflictError,
)
from server.ports.tournaments import TournamentAppend, TournamentListing
from server.services.recorded_metrics import Metrics, timed
from server.store.database_file import DatabaseFile, MovedError
from server.store.ended_games import DeleteEnded, delete_ended, used_bytes
from server.store.explorer.sql_explorer import ExplorerRows, read_explored, select_waiting
from server.store.group_commit import GroupCommit, RefusedError
from server.store.limited_reads import LimitedReads, TooLongError
from server.store.past_games import PastGameRows
from server.store.postgres_limits import WRITING, set_up
from server.store.sql_chat import KeepLine, keep_line, select_lines
from server.store.sql_client_ids import KeptIds, client_id_of_row, select_client_id, write_client_id
from server.store.sql_counts import GAMES, Changes, Counts, read_counts
from server.store.sql_engine import database_file, open_engine, reason
from server.store.sql_ladder import result_of_row, select_games_of_bot, select_results, select_results_of
from server.store.sql_leases import (
    Beat,
    Retire,
    TakeDuty,
    TakeLease,
    beat,
    retire,
    select_games_of,
    select_leases,
    select_others,
    select_server,
    take_duty,
    take_lease,
)
from server.store.sql_listings import listing_of_row, select_listings
from server.store.sql_lists import read_page
from server.store.sql_logs import TRIAL_ID, Logs, Trial
from server.store.sql_tables import GameRow, TokenRow
from server.store.tournaments.sql_tournaments import (
    append_tournament,
    select_latest,
    select_live,
    select_tournament_events,
    tournament_event_of_row,
    tournament_of_row,
)
from server.store.write_failures import WriteFailures

if TYPE_CHECKING:
    from server.store.postgres_appends import PostgresAppends

READERS = 2
"""Threads that read games. Each keeps a connection, and so do those of lists and the one that writes."""

LIST_SECONDS = 1.0
"""How long a page of a list may take."""

IDS = 1000
"""The most ids in one query."""

T = TypeVar("T")

Job = (
    Append
    | ClientId
    | KeepLine
    | Trial
    | Beat
    | TakeLease
    | TakeDuty
    | Retire
    | DeleteEnded
    | TournamentAppend
    | CountOpenings
)
"""What the thread that writes is asked to do."""

games = GameRow.__table__  # type: ignore[attr-defined]  # the table behind the model
tokens = TokenRow.__table__  # type: ignore[attr-defined]  # the table behind the model


SIZE = {
    "sqlite": text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
    "postgresql": text("SELECT pg_database_size(current_database())"),
}
"""The query for the size of the database in bytes, by dialect."""

MANY_MOVES = 100
"""An append of more moves or other events waits for the others."""


def _write_of_server(connection: Connection, job: Beat | TakeLease | TakeDuty | Retire) -> None:
    """Writes what a server says of itself; sets the result of the job."""
    match job:
        case Beat():
            job.pulse = beat(connection, job.heartbeat)
        case TakeLease():
            job.epoch = take_lease(connection, job.game_id, job.server)
        case TakeDuty():
            job.is_taken = take_duty(connection, job.duty, job.server)
        case Retire():
            retire(connection, job.server)


def _is_large(job: Job) -> bool:
    if isinstance(job, Append):
        return length(one.event for one in job.events) > MANY_MOVES
    return isinstance(job, DeleteEnded | CountOpenings)


class SqlStore:
    """The store in a migrated database.

    ``pragmas`` are further settings of SQLite for the writing connection.
    """

    def __init__(
        self, url: str, pragmas: Mapping[str, str | int] | None = None, metrics: Metrics | None = None
    ) -> None:
        self._file = DatabaseFile(database_file(url))
        self._writing = open_engine(url, pragmas, begin="BEGIN IMMEDIATE")
        if self._writing.dialect.name == "postgresql":
            set_up(self._writing, WRITING)
        self._reading = open_engine(url)
        self._metrics = metrics or Metrics()
        self._logs = Logs(self._writing.dialect)
        self._counts = Counts(self._writing.dialect)
        self._kept_ids = KeptIds(self._writing.dialect)
        self._past_games = PastGameRows(self._writing.dialect)
        self._explorer = ExplorerRows(self._writing.dialect)
        self._writer: GroupCommit[Job] = GroupCommit(
            self._writing, self._write_all, self._metrics.commit_seconds, _is_large
        )
        self._appends = self._quick_appends(url)
        self._failures = WriteFailures()
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._lists = LimitedReads(url, LIST_SECONDS)

    def _quick_appends(self, url: str) -> "PostgresAppends | None":
        if self._writing.dialect.driver != "psycopg":
            return None
        from server.store.postgres_appends import PostgresAppends  # the driver may not be installed

        return PostgresAppends(url, self._metrics.commit_seconds)

    async def append(self, change: Append) -> None:
        """Returns once everything is durable. VersionConflictError if nothing has changed; ApiError: as in the port."""
        try:
            with timed(self._metrics.append_seconds):
                await self._attempt(self._append(change))
        except (RefusedError, IntegrityError):
            raise VersionConflictError from None
        except SQLAlchemyError as error:
            raise store_unavailable(reason(error)) from None

    async def events(self, game_id: str, *, after: int = 0, until: int | None = None) -> list[Recorded]:
        """The events of a game with ``after`` < seq <= ``until``, in order; empty for an unknown game."""
        return await self._read(
            lambda connection: self._logs.events(connection, game_id, after=after, until=until)
        )

    async def tokens(self, game_id: str) -> list[TokenHash]:
        """The token hashes of a game."""
        return await self._read(lambda connection: self._logs.tokens(connection, game_id))

    async def game(self, game_id: str) -> StoredGame:
        """The whole log of a game and its token hashes."""

        def read(connection: Connection) -> StoredGame:
            return StoredGame(self._logs.events(connection, game_id), self._logs.tokens(connection, game_id))

        return await self._read(read)

    async def games_of(self, digest: str) -> list[str]:
        """The games in which a token with this hash gives access to a seat, newest first."""
        query = (
            select(games.c.game_id)
            .join(tokens, tokens.c.game_id == games.c.game_id)
            .where(tokens.c.digest == digest)
            .order_by(games.c.created_at.desc())  # Few games have the same token.
        )
        return await self._rows(query, lambda row: str(row.game_id))

    async def versions(self, game_ids: Collection[str]) -> Mapping[str, int]:
        """The number of events in the log of each of these games that exists."""
        found: dict[str, int] = {}
        ids = list(game_ids)
        for start in range(0, len(ids), IDS):
            query = select(games.c.game_id, games.c.version)
            query = query.where(games.c.game_id.in_(ids[start : start + IDS]))
            found |= await self._rows(query, lambda row: (str(row.game_id), int(row.version)))
        return found

    async def listings(self, query: ListingQuery) -> list[Listing]:
        """The games that match, newest first."""
        return await self._rows(select_listings(query), listing_of_row)

    async def page(self, query: PageQuery) -> list[Listing]:
        """See ``ports.store.Store``."""
        try:
            return await self._lists.read(lambda connection: read_page(connection, query, self._past_games))
        except TooLongError:
            raise list_unavailable() from None
        except SQLAlchemyError as error:
            raise store_unavailable(reason(error)) from None

    async def counts(self) -> Mapping[str, int]:
        """The number of games by status."""
        counts = await self._read(read_counts)
        return {name.removeprefix(GAMES): count for name, count in counts.items() if name.startswith(GAMES)}

    async def client_id(self, client_id: str) -> ClientId | None:
        """The stored state of a bot client's id; None if it is unknown."""
        return next(iter(await self._rows(select_client_id(client_id), client_id_of_row)), None)

    async def keep_client_id(self, kept: ClientId) -> None:
        """Stores the id and returns once it is durable. Raises ApiError."""
        await self._done(kept)

    async def chat(self, game_id: str) -> list[Mapping[str, Any]]:
        """See ``ports.store.ChatStore``."""
        return await self._rows(select_lines(game_id), lambda row: row.line)

    async def keep_chat_line(self, game_id: str, channel: str, at_ms: int, line: Mapping[str, Any]) -> None:
        """See ``ports.store.ChatStore``."""
        await self._done(KeepLine(game_id, channel, at_ms, line))

    async def beat(self, heartbeat: Heartbeat) -> Pulse:
        """See ``ports.store.LeaseStore``."""
        job = Beat(heartbeat)
        await self._done(job)
        if job.pulse is None:
            raise ValueError("a heartbeat that was written has a result")
        return job.pulse

    async def take_lease(self, game_id: str, server: str) -> int | None:
        """See ``ports.store.LeaseStore``."""
        job = TakeLease(game_id, server)
        await self._done(job)
        return job.epoch

    async def games_of_client(self, client_id: str) -> list[str]:
        """See ``ports.store.Store``."""
        return await self._rows(select_games_of(client_id), lambda row: str(row.game_id))

    async def has_server(self, server: str) -> bool:
        """See ``ports.store.LeaseStore``."""
        return bool(await self._rows(select_server(server), lambda row: row.server_id))

    async def leases(self, server: str) -> Mapping[str, int]:
        """See ``ports.store.LeaseStore``."""
        return dict(await self._rows(select_leases(server), lambda row: (row.game_id, row.epoch)))

    async def players_elsewhere(self, server: str) -> frozenset[Player]:
        """See ``ports.store.LeaseStore``."""
        query = select_others(server, self._reading.dialect.name)
        rows = await self._rows(query, lambda row: row.players)
        return frozenset((game_id, seat) for players in rows for game_id, seat in players)

    async def retire(self, server: str) -> None:
        """See ``ports.store.LeaseStore``."""
        await self._done(Retire(server))

    async def ladder_results(self, after: GameKey, limit: int) -> list[RatedResult]:
        """See ``ports.store.LadderStore``."""
        return await self._rows(select_results(after, limit), result_of_row)

    async def ladder_results_of(self, game_ids: Collection[str]) -> list[RatedResult]:
        """See ``ports.store.LadderStore``."""
        return await self._rows(select_results_of(game_ids), result_of_row)

    async def ladder_games_of(self, bot: str, limit: int) -> list[RatedResult]:
        """See ``ports.store.LadderStore``."""
        games = await self._rows(select_games_of_bot(bot, limit), lambda row: str(row.game_id))
        found = await self.ladder_results_of(games)
        return sorted(found, key=lambda result: (result.ended_at, result.game_id), reverse=True)

    async def take_duty(self, duty: str, server: str) -> bool:
        """See ``ports.store.DutyStore``."""
        job = TakeDuty(duty, server)
        await self._done(job)
        return job.is_taken

    async def append_tournament(self, change: TournamentAppend) -> None:
        """See ``ports.tournaments.TournamentStore``."""
        try:
            await self._attempt(self._writer.submit(change))
        except (RefusedError, IntegrityError):
            raise VersionConflictError from None
        except SQLAlchemyError as error:
            raise store_unavailable(reason(error)) from None

    async def tournament_events(self, tournament_id: str, after: int) -> list[RecordedTournamentEvent]:
        """See ``ports.tournaments.TournamentStore``."""
        return await self._rows(select_tournament_events(tournament_id, after), tournament_event_of_row)

    async def live_tournaments(self) -> list[TournamentListing]:
        """See ``ports.tournaments.TournamentStore``."""
        return await self._rows(select_live(), tournament_of_row)

    async def latest_tournaments(self, limit: int, after: str | None) -> list[TournamentListing]:
        """See ``ports.tournaments.TournamentStore``."""
        return await self._rows(select_latest(limit, after), tournament_of_row)

    async def uncounted(self, limit: int) -> list[str]:
        """See ``ports.explorer.ExplorerStore``."""
        return await self._rows(select_waiting(limit), lambda row: str(row.game_id))

    async def count_openings(self, job: CountOpenings) -> None:
        """See ``ports.explorer.ExplorerStore``."""
        await self._done(job)

    async def explored(self, place: Place, none: OpeningTally, most: int) -> Explored:
        """See ``ports.explorer.ExplorerStore``."""
        try:
            return await self._lists.read(lambda connection: read_explored(connection, place, none, most))
        except TooLongError:
            raise openings_unavailable() from None
        except SQLAlchemyError as error:
            raise store_unavailable(reason(error)) from None

    async def size(self) -> int:
        """The size of the database in bytes; in SQLite without its write-ahead log."""
        return await self._read(
            lambda connection: connection.execute(SIZE[connection.dialect.name]).scalar_one()
        )

    async def delete_ended(self, which: EndedGames) -> DeletedGames:
        """See ``ports.store.RetentionStore``."""
        job = DeleteEnded(which)
        await self._done(job)
        return job.deleted

    async def used_bytes(self) -> int:
        """See ``ports.store.RetentionStore``."""
        return await self._read(used_bytes)

    async def ping(self) -> None:
        """Returns once the database has answered a query. ApiError if it does not, or if its file is another one."""
        try:
            self._file.check()
        except MovedError as error:
            raise store_unavailable(reason(error)) from None
        await self._rows(select(games.c.game_id).where(games.c.game_id == TRIAL_ID), lambda row: row)

    async def try_writing(self) -> None:
        """Returns once a trial was written durably and deleted; ApiError if that fails."""
        await self._done(Trial())

    async def close(self) -> None:
        """Finishes pending work and closes the connections."""
        if self._appends is not None:
            await self._appends.close()
        await self._writer.close()
        self._readers.shutdown()
        self._lists.close()
        self._writing.dispose()
        self._reading.dispose()

    async def _done(self, job: Job) -> None:
        try:
            await self._attempt(self._writer.submit(job))
        except SQLAlchemyError as error:
            raise store_unavailable(reason(error)) from None

    async def _append(self, change: Append) -> None:
        """In the quick way where there is one and it applies; raises what ``GroupCommit.submit`` raises."""
        if self._appends is None or not await self._appends.submit(change):
            await self._writer.submit(change)

    async def _attempt(self, writing: Awaitable[None]) -> None:
        """Returns once something is durable, and records whether the database can be written."""
        try:
            await writing
        except IntegrityError:
            raise  # A conflict of the job; the database works.
        except SQLAlchemyError as error:
            self._failures.failed(reason(error))
            self._metrics.refused_writes.inc()
            raise
        self._failures.succeeded()

    def _write_all(self, connection: Connection, jobs: Sequence[Job]) -> Sequence[bool]:
        counts = Changes()
        accepted = [self._write(connection, job, counts) for job in jobs]
        self._kept_ids.mark(connection, counts)
        self._counts.write(connection, counts)
        self._file.check()
        return accepted

    def _write(self, connection: Connection, job: Job, counts: Changes) -> bool:
        match job:
            case Append():
                return self._logs.append(connection, job, counts)
            case ClientId():
                write_client_id(connection, job, counts)
            case KeepLine():
                keep_line(connection, job)
            case Trial():
                self._logs.try_writing(connection)
            case TournamentAppend():
                return append_tournament(connection, job, counts)
            case DeleteEnded():
                delete_ended(connection, job, counts)
            case CountOpenings():
                self._explorer.count(connection, job)
            case Beat() | TakeLease() | TakeDuty() | Retire():
                _write_of_server(connection, job)
        return True

    async def _rows(self, query: Select[Any], make: Callable[[Any], T]) -> list[T]:
        return await self._read(lambda connection: [make(row) for row in connection.execute(query)])

    async def _read(self, work: Callable[[Connection], T]) -> T:
        def run() -> T:
            with self._reading.connect() as connection:
                return work(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except SQLAlchemyError as error:
            raise store_unavailable(reason(error)) from None
