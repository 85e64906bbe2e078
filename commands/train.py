"""``plyhouse train``: trains a network for a game by self-play."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from commands.board_sizes import read_size
from commands.failure import fail, failing
from commands.ray_option import RayOption, executor_or_exit
from engines import Position
from engines.executors.executor import TaskExecutor
from engines.executors.ray_executor import RayExecutor
from engines.inference import ModelError
from engines.processor_cores import usable_cores
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
    int8: Annotated[
        bool,
        typer.Option("--int8", help="Self-play with networks in 8-bit integers, which is faster on CPUs."),
    ] = False,
    ray: RayOption = None,
) -> None:
    """Train a network by self-play: games, fitting, export and matches, in generations.

    For a game without networks of its own, fit its native evaluator: the small network that becomes part of the core
    when that is built with it, or the weights that can be written behind its name.
    """
    from engines.training.boards import boards_of
    from engines.training.settings import RunSettings

    folder = out or Path("training") / game
    with failing("train", ValueError, OSError, ModelError):
        layout = Position(game).layout
        if layout is None or not layout.is_trained:
            if board or size != SIZE or int8:
                meaning = "--board, --size and --int8 have no meaning"
                fail("train", f"no networks are trained for {game}: {meaning}")
            with executor_or_exit("train", ray, None if ray else 1) as executor:
                _train_natively(FeatureRunSettings(game, variant, minutes, seed, evaluator), folder, executor)
            return
        boards = tuple(boards_of(game, variant, [read_size(each) for each in board or ()]))
        try:
            from engines.training.backend import LocalBackend, RayBackend, TrainingBackend
            from engines.training.run import Run
        except ImportError as error:
            fail("train", f"{NO_TORCH} ({error})")
        settings = RunSettings(boards, minutes, size, seed, evaluator, plays_in_integers=int8)
        with executor_or_exit("train", ray, None) as executor, _progress() as progress:
            task = progress.add_task("", total=1.0)

            def watch(phase: str, done: float) -> None:
                progress.update(task, description=phase, completed=done)

            backend: TrainingBackend = (
                RayBackend(executor) if isinstance(executor, RayExecutor) else LocalBackend(usable_cores())
            )
            Run(folder, settings, progress.console.print, watch, backend).train()


def _progress() -> Progress:
    """A bar on a terminal, and nothing elsewhere; lines are printed above it."""
    console = Console(highlight=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _train_natively(settings: FeatureRunSettings, folder: Path, executor: TaskExecutor) -> None:
    """Fits a native evaluator: its weights, if it has any, otherwise a network on its features."""
    if Position(settings.game).weights(settings.evaluator):
        fit_weights.run(settings, folder, typer.echo, executor)
        return
    try:
        from engines.training.feature_run import run
    except ImportError as error:
        fail("train", f"{NO_TORCH} ({error})")
    run(settings, folder, typer.echo, executor)
