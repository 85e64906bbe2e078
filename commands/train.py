"""``plyhouse train``: trains a network for a game by self-play."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from commands.board_sizes import read_size
from commands.failure import fail, failing
from engines import Position
from engines.training import fit_weights
from engines.training.features import FeatureRunSettings

NO_TORCH = 'training needs torch: install "torch>=2.9" "onnxscript>=0.5" "matplotlib>=3.10"'

SIZE: Literal["small"] = "small"


def train(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    *,
    variant: Annotated[
        str | None, typer.Option(help="Only this variant (default: those that the network can play).")
    ] = None,
    board: Annotated[
        list[str] | None, typer.Option(help="Only this board, columns x rows, such as 8x8; may be repeated.")
    ] = None,
    minutes: Annotated[
        float, typer.Option(min=0.1, help="Length of the run, without the final matches.")
    ] = 60,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the run, which continues if it was stopped (default: training/GAME)."),
    ] = None,
    evaluator: Annotated[str, typer.Option(help="Native evaluator that plays the first games.")] = "native",
    size: Annotated[Literal["small", "medium", "large"], typer.Option(help="Size of the network.")] = SIZE,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 1,
) -> None:
    """Train a network by self-play: games, fitting, export and matches, in generations.

    For a game without networks of its own, fit its native evaluator: the small network that becomes part of the core
    when that is built with it, or the weights that can be written behind its name.
    """
    from engines.training.boards import boards_of
    from engines.training.settings import RunSettings

    folder = out or Path("training") / game
    with failing("train", ValueError, OSError):
        layout = Position(game).layout
        if layout is None or not layout.is_trained:
            if board or size != SIZE:
                fail("train", f"no networks are trained for {game}: --board and --size have no meaning")
            _train_natively(FeatureRunSettings(game, variant, minutes, seed, evaluator), folder)
            return
        boards = tuple(boards_of(game, variant, [read_size(each) for each in board or ()]))
        try:
            from engines.training.run import Run
        except ImportError as error:
            fail("train", f"{NO_TORCH} ({error})")
        settings = RunSettings(boards, minutes, size, seed, evaluator)
        with _progress() as progress:
            task = progress.add_task("", total=1.0)

            def watch(phase: str, done: float) -> None:
                progress.update(task, description=phase, completed=done)

            Run(folder, settings, progress.console.print, watch).train()


def _progress() -> Progress:
    """A bar on a terminal, and nothing elsewhere; lines are printed above it."""
    console = Console(highlight=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _train_natively(settings: FeatureRunSettings, folder: Path) -> None:
    """Fits a native evaluator: its weights, if it has any, otherwise a network on its features."""
    if Position(settings.game).weights(settings.evaluator):
        fit_weights.run(settings, folder, typer.echo)
        return
    try:
        from engines.training.feature_run import run
    except ImportError as error:
        fail("train", f"{NO_TORCH} ({error})")
    run(settings, folder, typer.echo)
