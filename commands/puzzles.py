"""``plyhouse puzzles``: finds positions with one clearly best move in games."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.board_sizes import board_config
from commands.databases import READING, database_or_exit, now_ms
from commands.failure import fail, failing
from commands.ray_option import RayOption, executor_or_exit
from engines import Position, RuleError
from engines.puzzles.checks import Standard
from engines.puzzles.miner import MiningCount
from engines.puzzles.mining import MinedGame, NumberedGame, mine
from engines.puzzles.puzzle import (
    BadPuzzles,
    Puzzle,
    append_puzzles,
    read_head,
    read_puzzles,
    start_file,
)
from engines.puzzles.self_play import GamePlan
from programs.progress import progress_bars

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

BATCH = 200
"""Games of a database that are looked up at once."""


def puzzles(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    *,
    variant: Annotated[str | None, typer.Option(help="Variant (default: the game's first).")] = None,
    board: Annotated[
        str | None, typer.Option(help="Columns x rows, such as 5x5, in games with several board sizes.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(min=2, help="Seats of a game (default: the smallest number).")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="Search the finished games of this server's database, not new ones."),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="The file to write. If it exists, the search goes on after its last puzzle.")
    ] = Path("puzzles.jsonl"),
    count: Annotated[int, typer.Option(min=1, help="Puzzles of the variant that the file is to have.")] = 100,
    games: Annotated[
        int | None, typer.Option(min=1, help="The number of games after which the search ends in any case.")
    ] = None,
    gap: Annotated[
        float,
        typer.Option(min=0.5, max=50, help="How much worse all other moves are, in loss units of the game."),
    ] = Standard.gap,
    effort: Annotated[
        int,
        typer.Option(min=1, max=10_000, help="How many times more samples than usual the deep check has."),
    ] = Standard.effort,
    most_easy: Annotated[
        float, typer.Option(min=0, max=1, help="The largest share of puzzles that need no search.")
    ] = 0.2,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same puzzles.")] = 0,
    ray: RayOption = None,
) -> None:
    """Find puzzles, positions with one best move, in games of a server or of the search against itself."""
    with failing("puzzles", OSError, RuleError, BadPuzzles):
        config: dict[str, Any] = {
            **(board_config(board) if board else {}),
            **({"seats": seats} if seats else {}),
        }
        start = Position(game, variant, config)
        plan = GamePlan(start.game, start.variant, config, seed)
        standard = Standard(gap, effort)
        made = {"gap": gap, "effort": effort, "mostEasy": most_easy, "seed": seed}
        known = _known(out, start.game, made)
        mined = MiningCount(most_easy)
        mined.kept.update(one.difficulty for one in known)
        with (
            executor_or_exit("puzzles", ray, None if ray else 1) as executor,
            _source(plan, database) as game_at,
        ):
            own = [one for one in known if one.variant == plan.variant]
            numbers = _numbers(own, games)
            games_left = _games_from(numbers, game_at)
            found = _mine(mine(games_left, plan, standard, mined, executor), out, known, len(own), count)
        _report(out, mined, found)


def _numbers(own: Sequence[Puzzle], games: int | None) -> Iterator[int]:
    """The numbers of the games after those of the known puzzles."""
    first = 1 + max((one.source for one in own), default=-1)
    return itertools.count(first) if games is None else iter(range(first, games))


def _games_from(
    numbers: Iterator[int], game_at: "Callable[[int], Position | None] | None"
) -> Iterator[NumberedGame]:
    """The games by their numbers; those that are still to be played have no end."""
    for number in numbers:
        end = None if game_at is None else game_at(number)
        if game_at is not None and end is None:
            return
        yield NumberedGame(number, end)


def _mine(mined: Iterator[MinedGame], out: Path, known: tuple[Puzzle, ...], found: int, count: int) -> int:
    """Adds puzzles to the file, game by game, until there are ``count``; returns how many there are.

    ``found``: how many of the variant are ``known``.
    """
    ids = {one.id for one in known}
    with progress_bars() as progress:
        task = progress.add_task("searching", total=count, completed=found)
        while found < count and (game := next(mined, None)) is not None:
            new = [one for one in game.puzzles if one.id not in ids]
            append_puzzles(out, new)
            ids.update(one.id for one in new)
            found += len(new)
            progress.update(task, completed=found)
    return found


@contextmanager
def _source(plan: GamePlan, database: str | None) -> "Iterator[Callable[[int], Position | None] | None]":
    """Reads the games of a database by their numbers from 0; None after the last one. No reader for new games."""
    if database is None:
        yield None
        return
    with database_or_exit("puzzles", database, READING) as engine:
        ids = list(_finished(engine, plan))
        yield lambda number: _stored(engine, ids[number]) if number < len(ids) else None


def _finished(engine: "Engine", plan: GamePlan) -> Iterator[str]:
    """The ids of the finished games of the variant, the one that ended first before the others."""
    from server.ports.store import EndedGames, EndedKind
    from server.store.ended_games import read_ended

    which: EndedGames | None = EndedGames(EndedKind.FINISHED, now_ms(), BATCH)
    while which is not None:
        with engine.begin() as connection:
            batch = read_ended(connection, which)
        for row in batch.found:
            if (row.game, row.variant) == (plan.game, plan.variant):
                yield row.game_id
        which = None if batch.last is None else replace(which, after=batch.last)


def _stored(engine: "Engine", game_id: str) -> Position:
    """The last position of a game."""
    from protocols.records.record import Reading
    from server.domain.fold import fold
    from server.domain.records import record_of
    from server.services.games.records import position_of
    from server.store.sql_logs import Logs

    with engine.begin() as connection:
        events = Logs(engine.dialect).events(connection, game_id)
    state = fold(game_id, events)
    if state is None:
        fail("puzzles", f"game {game_id} was deleted meanwhile: start again")
    return position_of(Reading(record_of(state, events)))


def _known(out: Path, game: str, made: dict[str, Any]) -> tuple[Puzzle, ...]:
    """The puzzles that the file has already; starts it if there is none."""
    if not out.exists():
        start_file(out, game, made)
        return ()
    its_game, known = read_puzzles(out)
    if its_game != game:
        fail("puzzles", f"{out} has puzzles of {its_game}, not of {game}")
    before = read_head(out).get("made")
    if before != made:
        fail("puzzles", f"{out} was made with other options: {before}")
    return known


def _report(out: Path, mined: MiningCount, found: int) -> None:
    typer.echo(
        f"{out}: {found} puzzles of the variant; looked at {mined.positions:,} positions, "
        f"checked {mined.checked:,}, of which {mined.held:,} held"
    )
