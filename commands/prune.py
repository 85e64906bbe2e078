"""``plyhouse prune``: deletes old games from a database."""

import gzip
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from commands.databases import (
    READING,
    DatabaseOption,
    database_or_exit,
    has_servers,
    now_ms,
    refuse_beside_servers,
)
from commands.failure import fail, settings_or_exit
from commands.pace import FIRST, Pace
from server.ports.store import EndedGames, EndedKind

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from server.ports.store import Listing

DAY_MS = 86_400_000

LARGEST_BATCH = 2000
"""The most games that are looked at in one transaction."""

SMALL_BATCH = 5
"""The same where the space that games take decides when to stop."""

TOURNAMENT_BATCH = 5
"""The most tournaments that are deleted in one transaction: each may have thousands of events."""

ANY_NUMBER = 2**62

ALL = tuple(EndedKind)

Keep = Callable[["Connection", "Sequence[Listing]"], None]
"""Stores games before they are deleted."""


def prune(
    older_than: Annotated[
        float | None, typer.Option(min=0, metavar="DAYS", help="Delete games unchanged for so many days.")
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Delete the oldest, except the newest N of each kind."),
    ] = None,
    max_megabytes: Annotated[
        int | None,
        typer.Option(
            min=0, help="Delete the oldest until the data in a SQLite file takes at most so many MiB."
        ),
    ] = None,
    kind: Annotated[
        list[EndedKind] | None, typer.Option(help="Which games; may be repeated.  \\[default: all three]")
    ] = None,
    tournaments: Annotated[
        float | None,
        typer.Option(min=0, metavar="DAYS", help="Delete tournaments that are over and so many days old."),
    ] = None,
    archive: Annotated[
        Path | None, typer.Option(help="Write the games to this new file first (plyhouse games restore).")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many games would be deleted.")
    ] = False,
    vacuum: Annotated[
        bool, typer.Option("--vacuum", help="Then give the space back to the disk; no server may run.")
    ] = False,
    database: DatabaseOption = None,
) -> None:
    """Delete old games that have ended. Without a limit, the ages of PLYHOUSE_PRUNE_..._DAYS apply."""
    given = (older_than, keep, max_megabytes)
    is_about_games = tournaments is None or any(limit is not None for limit in given)
    limits = _limits(tuple(kind or ALL), *given) if is_about_games else NO_GAMES
    if dry_run and limits.bytes is not None:
        raise typer.BadParameter("--dry-run cannot say how many games a limit of size would delete")
    with database_or_exit("prune", database, READING) as engine:
        if limits.bytes is not None and engine.dialect.name != "sqlite":
            raise typer.BadParameter(
                "--max-megabytes is for SQLite: Postgres does not say what its rows take"
            )
        if vacuum:
            refuse_beside_servers("prune", engine, "--vacuum")
        plan = [_by_age_and_number(engine, one, limits) for one in limits.kinds]
        old = None if tournaments is None else _old_tournaments(engine, tournaments)
    if dry_run:
        _report("would delete", {one.which.kind: one.count for one in plan}, old)
        return
    with database_or_exit("prune", database) as engine:
        with _archive_or_exit(archive) as store:
            counts = {one.which.kind: _delete(engine, one, store) for one in plan}
            if limits.bytes is not None:
                _delete_to_size(engine, limits.bytes, store, counts)
        if tournaments is not None:
            old = _delete_tournaments(engine, tournaments)
        _give_space_back(engine, vacuum)
    _report("deleted", counts, old)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The oldest ``count`` of these games are to be deleted."""

    which: EndedGames
    count: int


@dataclass(frozen=True, slots=True)
class _PruneLimits:
    """What remains: of each kind the games changed within so many days, the newest ``keep``, and so many bytes."""

    kinds: tuple[EndedKind, ...]
    days: Mapping[EndedKind, float]
    keep: int | None
    bytes: int | None


NO_GAMES = _PruneLimits((), {}, None, None)


def _limits(
    kinds: tuple[EndedKind, ...], older_than: float | None, keep: int | None, megabytes: int | None
) -> _PruneLimits:
    size = None if megabytes is None else megabytes * 2**20
    if older_than is not None:
        return _PruneLimits(kinds, dict.fromkeys(kinds, older_than), keep, size)
    if keep is not None or size is not None:
        return _PruneLimits(kinds, {}, keep, size)
    days = settings_or_exit("prune", {}).prune_days
    limited = tuple(one for one in kinds if one in days)
    if not limited:
        raise typer.BadParameter("give a limit: --older-than, --keep or --max-megabytes")
    return _PruneLimits(limited, days, None, None)


def _report(done: str, counts: Mapping[EndedKind, int], tournaments: int | None) -> None:
    parts = [f"{count:,} {kind} games" for kind, count in counts.items()]
    parts += [] if tournaments is None else [f"{tournaments:,} tournaments"]
    typer.echo(f"{done} {', '.join(parts)}")


def _old_tournaments(engine: "Engine", days: float) -> int:
    """How many tournaments are over and so many days old."""
    from server.store.tournaments.old_tournaments import count_old

    with engine.begin() as connection:
        return count_old(connection, now_ms() - round(days * DAY_MS))


def _delete_tournaments(engine: "Engine", days: float) -> int:
    """Deletes them, a few in each transaction; returns their number."""
    from server.store.tournaments.old_tournaments import delete_old

    before, deleted = now_ms() - round(days * DAY_MS), 0
    while True:
        with engine.begin() as connection:
            count = delete_old(connection, before, TOURNAMENT_BATCH)
        if count == 0:
            return deleted
        deleted += count


def _by_age_and_number(engine: "Engine", kind: EndedKind, limits: _PruneLimits) -> _Plan:
    """The games of a kind that age or number exclude."""
    from server.store.ended_games import count_ended

    now = now_ms()
    with engine.begin() as connection:
        too_old = now - round(limits.days[kind] * DAY_MS) if kind in limits.days else 0
        aged = count_ended(connection, kind, too_old)
        extra = 0 if limits.keep is None else max(0, count_ended(connection, kind, now) - limits.keep)
    before, count = (too_old, aged) if aged >= extra else (now, extra)
    return _Plan(EndedGames(kind, before), count)


def _delete(engine: "Engine", plan: _Plan, store: Keep) -> int:
    """Deletes these games; returns their number."""
    from programs.progress import progress_bars

    count = 0
    with progress_bars() as progress:
        task = progress.add_task(f"deleting {plan.which.kind} games", total=plan.count)
        for deleted in _batches(engine, plan, store, LARGEST_BATCH):
            count += deleted
            progress.update(task, completed=count)
    return count


def _delete_to_size(engine: "Engine", most: int, store: Keep, counts: dict[EndedKind, int]) -> None:
    """Deletes the oldest games of each kind, in turn, until the data of a SQLite file takes at most ``most`` bytes."""
    from server.store.ended_games import used_bytes

    batches = {
        kind: _batches(engine, _Plan(EndedGames(kind, now_ms()), ANY_NUMBER), store, SMALL_BATCH)
        for kind in counts
    }
    while batches:
        for kind in tuple(batches):
            with engine.begin() as connection:
                used = used_bytes(connection)
            if used <= most:
                return
            deleted = next(batches[kind], 0)
            counts[kind] += deleted
            if not deleted:
                del batches[kind]


def _batches(engine: "Engine", plan: _Plan, store: Keep, largest: int) -> Iterator[int]:
    """Deletes games in paced transactions; yields the number of each.

    To look at a game of another kind takes less than to delete one: each transaction deletes at most twice as many
    games as the one before.
    """
    from server.store.ended_games import delete_games, lock_ended
    from server.store.sql_counts import Changes, Counts

    counts = Counts(engine.dialect)
    left, which, pace, most = plan.count, plan.which, Pace(largest), FIRST
    while left > 0:
        began, which = monotonic(), replace(which, look_at=pace.size)
        with engine.begin() as connection:
            is_shared = has_servers(connection)
            batch = lock_ended(connection, which)
            found = batch.found[: min(left, most)]
            if found:
                store(connection, found)
            changes = Changes()
            delete_games(connection, found, changes)
            counts.write(connection, changes)
        seconds = monotonic() - began
        left -= len(found)
        if found:
            yield len(found)
        is_cut = len(found) < len(batch.found)
        last = (found[-1].created_at, found[-1].game_id) if is_cut else batch.last
        if last is None:
            return
        which, most = replace(which, after=last), max(FIRST, 2 * len(found))
        pace.rest_after(len(found) if is_cut else pace.size, seconds, is_shared)


@contextmanager
def _archive_or_exit(path: Path | None) -> Iterator[Keep]:
    """Stores games in a new archive: each batch is on the disk before it is deleted."""
    if path is None:
        yield lambda *_: None
        return
    from server.store.game_archive import HEADER, archive_lines

    try:
        file: BinaryIO = path.open("xb")
    except OSError as error:
        fail("prune", f"{path}: {error.strerror}")
    with file:

        def store(connection: "Connection", found: "Sequence[Listing]") -> None:
            # A member of its own for each batch: what is on the disk can be read whatever happens later.
            file.write(gzip.compress(b"".join(archive_lines(connection, found))))
            file.flush()
            os.fsync(file.fileno())

        file.write(gzip.compress(HEADER))
        yield store


def _give_space_back(engine: "Engine", is_full: bool) -> None:
    """Empties SQLite's write-ahead log, as far as readers allow; if ``is_full``, also compacts the database."""
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        if driver is None:
            return
        if engine.dialect.name == "sqlite":
            if is_full:
                driver.execute("VACUUM")
            driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        elif is_full:
            driver.autocommit = True
            driver.execute("VACUUM (ANALYZE) games, events, tokens, past_games, explorer_moves")
