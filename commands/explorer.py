"""``plyhouse explorer``: makes the openings that come with Plyhouse, and counts those of a database again."""

from pathlib import Path
from typing import Annotated, Any

import typer

from commands.board_sizes import board_config
from commands.databases import DatabaseOption, database_or_exit, refuse_beside_servers
from commands.failure import fail, failing
from commands.ray_option import RayOption, executor_or_exit

explorer = typer.Typer(add_completion=False, no_args_is_help=True)


@explorer.callback()
def summary() -> None:
    """Count the openings of finished games again, or play games whose openings the explorer shows."""


@explorer.command()
def play(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    *,
    variant: Annotated[str | None, typer.Option(help="Variant (default: the game's first).")] = None,
    board: Annotated[
        str | None, typer.Option(help="Columns x rows, such as 5x5, in games with several board sizes.")
    ] = None,
    level: Annotated[str, typer.Option(help="The level that plays all seats.")] = "medium",
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 1000,
    depth: Annotated[int, typer.Option(min=1, max=24, help="Plies of each game to record.")] = 12,
    least: Annotated[int, typer.Option(min=1, help="Leave out moves of fewer games.")] = 2,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    ray: RayOption = None,
    out: Annotated[Path, typer.Option(help="The file to write; it must not exist.")] = Path("openings.txt"),
) -> None:
    """Play games between equal bots, one after the other or on a cluster, and write their openings to a file."""
    from engines import Position, RuleError
    from engines.explorer.opening_tree import write_tree
    from engines.explorer.self_play import OpeningGames, play_openings
    from programs.progress import progress_bars
    from server.domain.levels import LEVELS

    if level not in (known := [one.bot_id for one in LEVELS]):
        fail("explorer play", f"there is no level {level}, only {', '.join(known)}")
    with failing("explorer play", OSError, RuleError):
        if out.exists():
            raise FileExistsError(f"{out} exists already")
        config: dict[str, Any] = board_config(board) if board else {}
        start = Position(game, variant, config)
        plan = OpeningGames(start.game, start.variant, config, level, games, depth, seed)
        with (
            executor_or_exit("explorer play", ray, None if ray else 1) as executor,
            progress_bars() as progress,
        ):
            task = progress.add_task("playing", total=games)
            root = play_openings(plan, lambda done: progress.update(task, completed=done), executor)
        write_tree(out, plan.head(), root, least)
        typer.echo(f"{out}: the openings of {games:,} games")


@explorer.command()
def rebuild(database: DatabaseOption = None) -> None:
    """Let the servers count the openings of all games again, when they start. No server may run meanwhile.

    Games that have been deleted no longer count afterwards.
    """
    from server.store.explorer.sql_explorer import start_again

    with database_or_exit("explorer rebuild", database) as engine:
        refuse_beside_servers("explorer", engine, "rebuild")
        with engine.begin() as connection:
            count = start_again(connection)
    typer.echo(f"{count:,} games are counted again when a server starts")
