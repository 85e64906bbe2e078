"""``plyhouse book``: writes an opening book, and plays a match with and without it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from commands.board_sizes import board_config
from commands.failure import failing
from commands.networks import ModelOption, ProviderOption, load_available_or_exit
from commands.ray_option import RayOption, executor_or_exit
from engines import Position, RuleError
from engines.arena import Contender, Match
from engines.book import Book
from engines.book_match import BookBot, play_with_and_without
from engines.book_writer import analyser, book_rows
from engines.bots import Bot
from engines.effort import usual_samples
from engines.inference import Model, ModelError, choose
from engines.pool import Limits
from programs.progress import progress_bars


def book(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    *,
    variant: Annotated[str | None, typer.Option(help="Variant (default: the game's first).")] = None,
    board: Annotated[
        str | None, typer.Option(help="Columns x rows, such as 8x8, in games with several board sizes.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The file to write; it must not exist.")] = Path("book.txt"),
    positions: Annotated[int, typer.Option(min=1, help="Positions to search.")] = 300,
    samples: Annotated[int, typer.Option(min=1, help="Simulations for each action of a position.")] = 5_000,
    games: Annotated[int, typer.Option(min=0, help="Games to play with the book against without it.")] = 40,
    model: ModelOption = None,
    provider: ProviderOption = "auto",
    ray: RayOption = None,
) -> None:
    """Write an opening book: the likeliest positions from the start on, each searched deeply."""
    models: Sequence[Model] = load_available_or_exit("book", model or (), "cpu" if ray else provider)
    with failing("book", OSError, RuleError, ModelError):
        config = board_config(board) if board else None
        start = Position(game, variant, config)
        if out.exists():
            raise FileExistsError(f"{out} exists already")
        with (
            executor_or_exit("book", ray, None if ray else 1, provider) as executor,
            progress_bars() as progress,
        ):
            models = executor.networks(models)
            task = progress.add_task("searching", total=positions)
            rows = book_rows(
                start,
                board or "-",
                positions,
                analyser(models, samples),
                lambda done: progress.update(task, completed=done),
                executor,
            )
            out.write_text("\n".join(rows) + "\n", encoding="utf-8")
            typer.echo(f"{out}: {len(rows)} positions")
            if games:
                bot = Bot.parse("network" if choose(models, start) else "native")
                contenders: list[Contender] = [BookBot(bot, Book(rows)), bot]
                limits = Limits(usual_samples(game))
                match = Match(
                    game, contenders, games, limits, variant, config, opening_plies=0, models=models
                )
                task = progress.add_task("playing", total=games)
                won = play_with_and_without(
                    match, lambda done: progress.update(task, completed=done), executor
                )
                low, high = won.wilson95
                typer.echo(
                    f"with the book against without: {won.wins}-{won.draws}-{won.losses} = {won.score:.3f} "
                    f"[{low:.3f}, {high:.3f}]"
                )
