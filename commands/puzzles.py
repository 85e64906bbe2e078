"""``plyhouse puzzles``: finds positions with one clearly best move in games."""

import itertools
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.board_sizes import board_config
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
    out: Annotated[Path, typer.Option(help="The file to write. If it exists, its search goes on.")] = Path(
        "puzzles.jsonl"
    ),
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
    """Find puzzles in games that the search plays against itself: positions with one clearly best move."""
    with failing("puzzles", OSError, RuleError, BadPuzzles):
        config: dict[str, Any] = {
            **(board_config(board) if board else {}),
            **({"seats": seats} if seats else {}),
        }
        start = Position(game, variant, config)
        plan = GamePlan(start.game, start.variant, config, seed)
        standard = Standard(gap, effort)
        known = _known(out, start.game, {"gap": gap, "effort": effort, "mostEasy": most_easy, "seed": seed})
        mined = MiningCount(most_easy)
        mined.kept.update(one.difficulty for one in known)
        ids = {one.id for one in known}
        own = [one for one in known if one.variant == start.variant]
        found, first = len(own), 1 + max((one.source for one in own), default=-1)
        with progress_bars() as progress:
            task = progress.add_task("searching", total=count, completed=found)
            for number in itertools.count(first):
                if found >= count or (games is not None and number >= games):
                    break
                game_over = played_game(plan, number)
                new = [one for one in puzzles_in(game_over, number, standard, mined) if one.id not in ids]
                append_puzzles(out, new)
                ids.update(one.id for one in new)
                found += len(new)
                progress.update(task, completed=found)
        _report(out, mined, found)


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
