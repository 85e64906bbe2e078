"""``plyhouse puzzles``: finds positions with one clearly best move in games."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.board_sizes import board_config
from commands.databases import READING, database_or_exit, now_ms
from commands.failure import fail, failing
from engines import Position, RuleError
from engines.puzzles.checks import Standard
from engines.puzzles.miner import MiningCount, puzzles_in
from engines.puzzles.puzzle import (
    BadPuzzles,
    Puzzle,
    append_puzzles,
    read_head,
    read_puzzles,
    start_file,
)
from engines.puzzles.self_play import GamePlan, played_game
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
        with _source(plan, database) as game_at:
            found = _mine(game_at, plan.variant or "", out, known, standard, mined, (count, games))
        _report(out, mined, found)


def _mine(
    game_at: "Callable[[int], Position | None]",
    variant: str,
    out: Path,
    known: tuple[Puzzle, ...],
    standard: Standard,
    mined: MiningCount,
    limits: tuple[int, int | None],
) -> int:
    """Adds puzzles to the file, game by game; returns how many of the variant it has then.

    ``limits``: the number of puzzles, and that of games.
    """
    count, games = limits
    ids = {one.id for one in known}
    own = [one for one in known if one.variant == variant]
    found, first = len(own), 1 + max((one.source for one in own), default=-1)
    with progress_bars() as progress:
        task = progress.add_task("searching", total=count, completed=found)
        for number in itertools.count(first):
            if found >= count or (games is not None and number >= games):
                break
            position = game_at(number)
            if position is None:
                break
            new = [one for one in puzzles_in(position, number, standard, mined) if one.id not in ids]
            append_puzzles(out, new)
            ids.update(one.id for one in new)
            found += len(new)
            progress.update(task, completed=found)
    return found


@contextmanager
def _source(plan: GamePlan, database: str | None) -> "Iterator[Callable[[int], Position | None]]":
    """The games by their numbers from 0; None after the last one."""
    if database is None:
        yield lambda number: played_game(plan, number)
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
