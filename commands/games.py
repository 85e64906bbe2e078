"""``plyhouse games``: shows, exports, deletes, archives and restores games of a database, and renames players."""

import gzip
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from commands.databases import (
    READING,
    DatabaseOption,
    database_or_exit,
    has_servers,
    now_ms,
    refuse_beside_servers,
)
from commands.failure import fail
from commands.pace import Pace
from server.ports.store import EndedGames, EndedKind

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from server.domain.events import Recorded
    from server.ports.store import Append, Listing

BATCH = 200
"""The most games that are read or written at once."""

LONGEST_LINE = 64 * 2**20
"""More than any game takes in an archive."""

games = typer.Typer(
    name="games",
    help="Show, export, delete, archive and restore games, and rename players.",
    no_args_is_help=True,
)

GameId = Annotated[str, typer.Argument(metavar="ID", help="The game's id, as in its address.")]


@games.command()
def show(game_id: GameId, database: DatabaseOption = None) -> None:
    """Print what is stored of a game."""
    from server.store.sql_logs import Logs

    with database_or_exit("games show", database, READING) as engine, engine.begin() as connection:
        listing = _find_or_exit(connection, "show", game_id)
        logs = Logs(engine.dialect)
        events, tokens = logs.events(connection, game_id), logs.tokens(connection, game_id)
    seats = listing.summary["seats"]
    facts = {
        "game": f"{listing.game} {listing.variant}",
        "status": listing.status,
        "lists": listing.visibility,
        "players": ", ".join(str(seat.get("name") or f"({seat['kind']})") for seat in seats),
        "created": _time(listing.created_at),
        "changed": _time(listing.updated_at),
        "plies": str(listing.ply),
        "events": ", ".join(f"{count} {kind}" for kind, count in _by_kind(events).items()),
        "tokens": str(len(tokens)),
    }
    typer.echo("\n".join(f"{name + ':':9} {value}" for name, value in facts.items()))


@games.command()
def export(
    game_id: GameId,
    record_format: Annotated[str, typer.Option("--format", help="A format of docs/records.md.")] = "json",
    database: DatabaseOption = None,
) -> None:
    """Print a game's record."""
    from protocols.records import formats
    from server.domain.fold import fold
    from server.domain.records import record_of
    from server.store.sql_logs import Logs

    with database_or_exit("games export", database, READING) as engine, engine.begin() as connection:
        events = Logs(engine.dialect).events(connection, game_id)
    state = fold(game_id, events)
    if state is None:
        fail("games export", f"there is no game {game_id}")
    try:
        typer.echo(formats.write(record_of(state, events), record_format), nl=False)
    except formats.UnknownFormat as refusal:
        fail("games export", refusal)


@games.command()
def delete(game_id: GameId, database: DatabaseOption = None) -> None:
    """Delete a game. While servers run, only one that has ended."""
    from server.store.ended_games import LIVE, delete_games
    from server.store.sql_counts import Changes, Counts

    with database_or_exit("games delete", database) as engine, engine.begin() as connection:
        listing = _find_or_exit(connection, "delete", game_id)
        if listing.status in LIVE and has_servers(connection):
            fail("games delete", f"game {game_id} is not over: stop the servers first")
        changes = Changes()
        delete_games(connection, [listing], changes)
        Counts(engine.dialect).write(connection, changes)
    typer.echo(f"deleted game {game_id}")


@games.command()
def archive(
    file: Annotated[Path, typer.Argument(help="The new file, such as games.jsonl.gz.")],
    kind: Annotated[
        list[EndedKind] | None, typer.Option(help="Which games; may be repeated.  \\[default: all three]")
    ] = None,
    database: DatabaseOption = None,
) -> None:
    """Write all games that have ended to a file, from which they can be restored. Deletes nothing."""
    from programs.progress import progress_bars
    from server.store.game_archive import HEADER, archive_lines

    count = 0
    with database_or_exit("games archive", database, READING) as engine, progress_bars() as progress:
        before = now_ms()
        task = progress.add_task("archiving games", total=_count(engine, kind, before))
        try:
            with gzip.open(file, "xb") as out:
                out.write(HEADER)
                for connection, found in _ended(engine, kind, before):
                    out.writelines(archive_lines(connection, found))
                    count += len(found)
                    progress.update(task, completed=count)
        except OSError as error:
            fail("games archive", f"{file}: {error.strerror}")
    typer.echo(f"archived {count:,} games")


@games.command()
def restore(
    file: Annotated[Path, typer.Argument(help="An archive of plyhouse games archive or plyhouse prune.")],
    database: DatabaseOption = None,
) -> None:
    """Add the games of an archive to the database, except those that it has."""
    from programs.progress import progress_bars

    count = total = 0
    with database_or_exit("games restore", database) as engine, progress_bars() as progress:
        task = progress.add_task("restoring games", total=None)
        pace = Pace(BATCH)
        for batch in _archived(file, pace):
            began = monotonic()
            restored, is_shared = _restore(engine, batch)
            pace.rest_after(len(batch), monotonic() - began, is_shared)
            count += restored
            total += len(batch)
            progress.update(task, completed=total)
    typer.echo(f"restored {count:,} games; {total - count:,} were in the database already")


@games.command()
def rename(
    old: Annotated[str, typer.Argument(metavar="NAME", help="The player's name; case does not matter.")],
    new: Annotated[str | None, typer.Argument(metavar="[NEW]", help="The new name.")] = None,
    no_name: Annotated[
        bool, typer.Option("--delete", help="Leave the player without a name instead.")
    ] = False,
    database: DatabaseOption = None,
) -> None:
    """Rename a player, or delete the name, in every game. No server may run."""
    from programs.progress import progress_bars
    from protocols.names import name_fault
    from server.store.past_games import PastGameRows
    from server.store.player_names import next_games, rename_player

    if no_name is (new is not None):
        raise typer.BadParameter("give a new name, or --delete")
    if new is not None and (fault := name_fault(new)) is not None:
        raise typer.BadParameter(f"the new name must {fault}")
    count = 0
    with database_or_exit("games rename", database) as engine, progress_bars() as progress:
        refuse_beside_servers("games rename", engine, "this")
        past_games, after = PastGameRows(engine.dialect), ""
        task = progress.add_task("renaming", total=None)
        while True:
            with engine.begin() as connection:
                found = next_games(connection, after, BATCH)
                count += rename_player(connection, found, old, new, past_games)
            if not found:
                break
            after = found[-1].game_id
            progress.update(task, advance=len(found))
    typer.echo(f"renamed {old!r} in {count:,} games")


def _find_or_exit(connection: "Connection", command: str, game_id: str) -> "Listing":
    from server.ports.store import ListingQuery
    from server.store.sql_listings import listing_of_row, select_listings

    row = connection.execute(select_listings(ListingQuery(game_ids=(game_id,)))).one_or_none()
    if row is None:
        fail(f"games {command}", f"there is no game {game_id}")
    return listing_of_row(row)


def _by_kind(events: "list[Recorded]") -> dict[str, int]:
    return Counter(type(one.event).__name__ for one in events)


def _time(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _count(engine: "Engine", kinds: list[EndedKind] | None, before: int) -> int:
    from server.store.ended_games import count_ended

    with engine.begin() as connection:
        return sum(count_ended(connection, kind, before) for kind in kinds or EndedKind)


def _ended(
    engine: "Engine", kinds: list[EndedKind] | None, before: int
) -> "Iterator[tuple[Connection, Sequence[Listing]]]":
    """Batches of ended games, each with the connection that reads it."""
    from server.store.ended_games import read_ended

    for kind in kinds or EndedKind:
        which: EndedGames | None = EndedGames(kind, before, BATCH)
        while which is not None:
            with engine.begin() as connection:
                batch = read_ended(connection, which)
                if batch.found:
                    yield connection, batch.found
            which = None if batch.last is None else replace(which, after=batch.last)


def _archived(file: Path, pace: Pace) -> "Iterator[list[Append]]":
    """The games of an archive in batches of a ``pace``.

    Exits at the first line that cannot be read; the games before it count.
    """
    batch: list[Append] = []
    number = 1  # the header's line
    try:
        for game in _lines(file):
            number += 1
            batch.append(game)
            if len(batch) >= pace.size:
                yield batch
                batch = []
        fault = ""
    except (ValueError, OSError, EOFError, zlib.error) as error:
        fault = f"{file}, line {number + 1}: {error}"
    if batch:
        yield batch
    if fault:
        fail("games restore", fault)


def _lines(file: Path) -> "Iterator[Append]":
    """The games of an archive. ArchiveError, and the errors of a file and of its compression."""
    from server.store.game_archive import HEADER, ArchiveError, read_line

    with gzip.open(file) as lines:
        if lines.readline(len(HEADER)) != HEADER:
            raise ArchiveError("not an archive of games")
        for line in iter(lambda: lines.readline(LONGEST_LINE), b""):
            yield read_line(line)


def _restore(engine: "Engine", batch: "list[Append]") -> tuple[int, bool]:
    """Adds the games that the database does not have; returns their number, and whether servers run beside this."""
    from server.store import game_archive
    from server.store.sql_counts import Changes, Counts
    from server.store.sql_logs import Logs

    changes = Changes()
    with engine.begin() as connection:
        is_shared = has_servers(connection)
        count = game_archive.restore(connection, Logs(engine.dialect), batch, changes)
        Counts(engine.dialect).write(connection, changes)
    return count, is_shared
