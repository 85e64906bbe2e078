"""``plyhouse openings``: makes a suite of balanced openings for ``plyhouse arena``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from commands.board_sizes import board_config
from commands.failure import failing
from commands.ray_option import RayOption, executor_or_exit
from engines import Position, RuleError
from engines.opening_suite import write_suite
from engines.opening_writer import EFFORT, OpeningPlan
from engines.opening_writer import openings as made_openings
from programs.progress import progress_bars


def openings(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    *,
    variant: Annotated[str | None, typer.Option(help="Variant (default: the game's first).")] = None,
    board: Annotated[
        str | None, typer.Option(help="Columns x rows, such as 5x5, in games with several board sizes.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(min=2, help="Seats of a game (default: the smallest number).")
    ] = None,
    out: Annotated[Path, typer.Option(help="The file to write; it must not exist.")] = Path("openings.jsonl"),
    count: Annotated[int, typer.Option(min=1, help="Openings to make.")] = 500,
    plies: Annotated[int, typer.Option(min=0, help="Moves of an opening.")] = 4,
    limit: Annotated[
        float,
        typer.Option(
            min=0.001, max=0.5, help="How much a seat's expected score may differ from its equal share."
        ),
    ] = OpeningPlan.limit,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1, help=f"Samples of the search that decides this (default: {EFFORT} times the game's own)."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same openings.")] = 0,
    ray: RayOption = None,
) -> None:
    """Make balanced openings for matches between bots, as a file for plyhouse arena --openings."""
    with failing("openings", OSError, RuleError):
        if out.exists():
            raise FileExistsError(f"{out} exists already")
        config: dict[str, Any] = {
            **(board_config(board) if board else {}),
            **({"seats": seats} if seats else {}),
        }
        start = Position(game, variant, config)
        plan = OpeningPlan(start.game, start.variant, config, plies, limit, samples, seed)
        with executor_or_exit("openings", ray, None if ray else 1) as executor, progress_bars() as progress:
            made = made_openings(plan, count, executor)
            found = list(progress.track(made, count, description="searching"))
        write_suite(out, plan.head(), found)
        typer.echo(f"{out}: {len(found)} openings")
