"""``plyhouse analyze``: evaluations, best moves and accuracy of a recorded game, without a server.

The engine has the same settings as a server's, so that the results equal those of ``POST /api/analysis``.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import aclosing
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.failure import fail, failing, settings_or_exit
from engines.book import BadBook
from engines.effort import usual_samples
from engines.inference import ModelError
from programs.progress import progress_bars
from protocols.records.formats import AUTO, FORMATS
from protocols.records.record import MAX_BYTES
from protocols.values import Record, moves_of, parts_of
from server.domain.accuracy import PlayedMove
from server.domain.errors import ApiError, Code
from server.services.evaluation.analysis_plan import MAX_SAMPLES, AnalysisPlan, start_of
from server.services.evaluation.analysis_run import Analysis, Progress
from server.services.games.records import position_of, read

if TYPE_CHECKING:
    from rich.table import Table

    from server.settings import Settings

MAX_THREADS = 256
"""The limit of the searches."""

FORMAT_NAMES = (AUTO, *(one.name for one in FORMATS))


def _known(name: str) -> str:
    if name not in FORMAT_NAMES:
        raise typer.BadParameter(f"{name} is not one of {', '.join(FORMAT_NAMES)}")
    return name


def analyze(
    file: Annotated[str, typer.Argument(help="A record, or - for stdin.")],
    *,
    name: Annotated[
        str,
        typer.Option(
            "--format",
            callback=_known,
            help=f"Format of the record: {', '.join(FORMAT_NAMES)}.",
        ),
    ] = AUTO,
    samples: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_SAMPLES, help="Samples per evaluation.  \\[default: 1000]"),
    ] = None,
    threads: Annotated[
        int,
        typer.Option(min=1, max=MAX_THREADS, help="Threads for each search, in games that can use several."),
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Evaluate every position of a recorded game: best moves, losses, and the accuracy of each seat."""
    settings = settings_or_exit("analyze", {"session_megabytes": 0})
    text = _text(file)
    with failing("analyze", ApiError, BadBook, ModelError):
        reading = read(name, text)
        position = position_of(reading)
        effort = samples or settings.samples or usual_samples(position.game)
        plan = AnalysisPlan(position, start_of(position), effort, 1, 0, position.ply)
        analysis = asyncio.run(_run(plan, settings, threads))
    for note in reading.notes:
        typer.echo(f"plyhouse analyze: {note}", err=True)
    if analysis.progress is not Progress.DONE:
        fail("analyze", analysis.error or "the analysis was stopped")
    if as_json:
        from server.routes.analysis import result_json

        typer.echo(json.dumps(result_json(analysis)))
    else:
        _print(analysis, reading.record)


def _text(file: str) -> str:
    """Reads the file, but at most one byte more than the maximum size, which is enough for the error."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        return data.decode()
    except OSError as error:
        fail("analyze", f"{file}: {error.strerror}")
    except UnicodeDecodeError as error:
        if len(data) > MAX_BYTES:
            return data.decode(errors="replace")
        fail("analyze", f"{file}: not UTF-8 at byte {error.start}")


async def _run(plan: AnalysisPlan, settings: "Settings", threads: int) -> Analysis:
    from server.engine_services import open_engines

    async with open_engines(settings, threads_per_search=threads) as engines:
        if not engines.pool.can_evaluate(plan.position):
            how = "" if threads == 1 else " on several threads"
            raise ApiError(Code.UNSUPPORTED, f"no evaluator supports {plan.position.game}{how}")
        analysis = Analysis(plan, engines.host, engines.study_analyst("analyze", plan.multipv))
        try:
            watching = asyncio.ensure_future(_show_progress(analysis))
            await analysis.run()
            await watching
        finally:
            await engines.host.stop()
    return analysis


async def _show_progress(analysis: Analysis) -> None:
    with progress_bars() as progress:
        bar = progress.add_task("positions", total=analysis.plan.to_ply + 1)
        async with aclosing(analysis.ready()) as ready:
            async for _ in ready:
                progress.advance(bar)


# ---- the tables ----------------------------------------------------------------------------------


def _print(analysis: Analysis, record: Record) -> None:
    from rich.console import Console

    seats = [_seat_name(record, seat) for seat in range(analysis.plan.position.seats)]
    console = Console()
    console.print(_moves_table(analysis, seats))
    console.print(_seats_table(analysis, seats))


def _moves_table(analysis: Analysis, seats: list[str]) -> "Table":
    """One row per move and seat, with the seat's part of joint moves.

    The evaluation is seat 0's after the move; 1 is a win.
    """
    from rich.table import Table

    table = Table("", "seat", "move", "evaluation", "best move", "loss", "")
    found, moves = analysis.found, moves_of(analysis.plan.position.history)
    table.add_row("0", "", "", f"{found[0].evaluation.values[0]:+.2f}", "", "", "")
    for before, after in pairwise(found):
        movers = len(after.played)
        parts = parts_of(moves[before.ply], movers), parts_of(before.evaluation.best_move, movers)
        for played, move, best in zip(after.played, *parts, strict=True):
            evaluation = f"{after.evaluation.values[0]:+.2f}"
            table.add_row(str(after.ply), seats[played.seat], move, evaluation, best, *_loss(played))
    last = found[-1]
    if last.evaluation.best_move:
        best_moves = parts_of(last.evaluation.best_move, len(last.to_act))
        for seat, best in zip(last.to_act, best_moves, strict=True):
            table.add_row(str(last.ply + 1), seats[seat], "", "", best, "", "")
    return table


def _loss(played: PlayedMove) -> Iterator[str]:
    yield f"{played.loss:.2f}" if played.points_lost is None else f"{played.points_lost:.1f} points"
    yield "" if played.judgement is None else played.judgement.value


def _seats_table(analysis: Analysis, seats: list[str]) -> "Table":
    from rich.table import Table

    table = Table("seat", "accuracy", "mean loss", "inaccuracies", "mistakes", "blunders")
    for one in analysis.summary:
        accuracy = "" if one.accuracy is None else f"{one.accuracy:.1f}"
        mean_loss = "" if one.mean_loss is None else f"{one.mean_loss:.3f}"
        if one.mean_points_lost is not None:
            mean_loss = f"{one.mean_points_lost:.2f} points"
        counts = (one.inaccuracies, one.mistakes, one.blunders)
        table.add_row(seats[one.seat], accuracy, mean_loss, *map(str, counts))
    return table


def _seat_name(record: Record, seat: int) -> str:
    """The player's name without control characters, or the seat's number."""
    from rich.markup import escape

    name = (record.seats[seat].name if record.seats else None) or ""
    return escape("".join(sign if sign.isprintable() else " " for sign in name)) or f"seat {seat}"
