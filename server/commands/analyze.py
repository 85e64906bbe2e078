"""``plyhouse analyze``: evaluations, best moves and accuracy of a recorded game, without a server.

The engine is made from the same settings as a server's, and so the numbers are those of ``POST /api/analysis``.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import aclosing
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from engines.book import BadBook
from engines.effort import usual_samples
from engines.inference import ModelError
from protocols.records.formats import AUTO, FORMATS
from protocols.records.record import MAX_BYTES, Record
from server.domain.accuracy import PlayedMove
from server.domain.errors import ApiError, Code
from server.services.analysis import Analysis, Progress
from server.services.records import position_of, read
from server.services.study import MAX_SAMPLES, Study

if TYPE_CHECKING:
    from rich.table import Table

    from server.settings import Settings

FORMAT_NAMES = (AUTO, *(one.name for one in FORMATS))


def _known(name: str) -> str:
    if name not in FORMAT_NAMES:
        raise typer.BadParameter(f"{name} is none of {', '.join(FORMAT_NAMES)}")
    return name


def analyze(
    file: Annotated[str, typer.Argument(help="A record, or - for stdin.")],
    *,
    name: Annotated[
        str,
        typer.Option(
            "--format",
            callback=_known,
            help=f"What the record is written in: {', '.join(FORMAT_NAMES)}.",
        ),
    ] = AUTO,
    samples: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_SAMPLES, help="Samples per evaluation.  \\[default: 1000]"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Evaluate every position of a recorded game: what was best, what was lost, how well each seat played."""
    settings = _settings()
    text = _text(file)
    try:
        reading = read(name, text)
        position = position_of(reading)
        effort = samples or settings.samples or usual_samples(position.game)
        study = Study(position, effort, 1, 0, position.ply)
        analysis = asyncio.run(_run(study, settings))
    except ApiError as refusal:
        _fail(refusal.text)
    except (BadBook, ModelError) as error:
        _fail(str(error))
    for note in reading.notes:
        typer.echo(f"plyhouse analyze: {note}", err=True)
    if analysis.progress is not Progress.DONE:
        _fail(analysis.error or "the analysis was stopped")
    if as_json:
        from server.routes.analysis import result_json

        typer.echo(json.dumps(result_json(analysis)))
    else:
        _print(analysis, reading.record)


def _settings() -> "Settings":
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from server.settings import settings_with

    try:
        return settings_with({"session_megabytes": 0})
    except ValidationError as error:
        first = error.errors()[0]
        _fail(f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    except SettingsError as error:
        _fail(str(error))


def _text(file: str) -> str:
    """At most one byte more than a record may have: reading it says so."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        return data.decode()
    except OSError as error:
        _fail(f"{file}: {error.strerror}")
    except UnicodeDecodeError as error:
        if len(data) > MAX_BYTES:
            return data.decode(errors="replace")
        _fail(f"{file}: not UTF-8 at byte {error.start}")


async def _run(study: Study, settings: "Settings") -> Analysis:
    from server.thinking import open_engines

    async with open_engines(settings) as engines:
        if not engines.pool.can_evaluate(study.position):
            raise ApiError(Code.UNSUPPORTED, f"nobody here can evaluate {study.position.game}")
        analysis = Analysis(study, engines.host, engines.study_analyst("analyze", study.multipv))
        try:
            watching = asyncio.ensure_future(_show_progress(analysis))
            await analysis.run()
            await watching
        finally:
            await engines.host.stop()
    return analysis


async def _show_progress(analysis: Analysis) -> None:
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("positions", total=analysis.study.to_ply + 1)
        async with aclosing(analysis.ready()) as ready:
            async for _ in ready:
                progress.advance(bar)


# ---- the tables ----------------------------------------------------------------------------------


def _print(analysis: Analysis, record: Record) -> None:
    from rich.console import Console

    seats = [_seat_name(record, seat) for seat in range(analysis.study.position.seats)]
    console = Console()
    console.print(_moves_table(analysis, seats))
    console.print(_seats_table(analysis, seats))


def _moves_table(analysis: Analysis, seats: list[str]) -> "Table":
    """A row per move, and seat that made it: the evaluation is seat 0's after the move, 1 means that it wins."""
    from rich.table import Table

    table = Table("", "seat", "move", "evaluation", "best move", "loss", "")
    found = analysis.found
    table.add_row("0", "", "", f"{found[0].entry.evaluation:+.2f}", "", "", "")
    for before, after in pairwise(found):
        move = analysis.study.position.history[before.entry.ply]
        for played in after.played:
            evaluation = f"{after.entry.evaluation:+.2f}"
            row = (str(after.entry.ply), seats[played.seat], move, evaluation, before.entry.best_move)
            table.add_row(*row, *_loss(played))
    if found[-1].entry.best_move:
        to_act = ", ".join(seats[seat] for seat in found[-1].to_act)
        table.add_row(str(found[-1].entry.ply + 1), to_act, "", "", found[-1].entry.best_move, "", "")
    return table


def _loss(played: PlayedMove) -> Iterator[str]:
    yield f"{played.loss:.2f}"
    yield "" if played.judgement is None else played.judgement.value


def _seats_table(analysis: Analysis, seats: list[str]) -> "Table":
    from rich.table import Table

    table = Table("seat", "accuracy", "mean loss", "inaccuracies", "mistakes", "blunders")
    for one in analysis.summary:
        accuracy = "" if one.accuracy is None else f"{one.accuracy:.1f}"
        mean_loss = "" if one.mean_loss is None else f"{one.mean_loss:.3f}"
        counts = (one.inaccuracies, one.mistakes, one.blunders)
        table.add_row(seats[one.seat], accuracy, mean_loss, *map(str, counts))
    return table


def _seat_name(record: Record, seat: int) -> str:
    """The player's name, harmless for a terminal, or the seat's number."""
    from rich.markup import escape

    name = (record.seats[seat].name if record.seats else None) or ""
    return escape("".join(sign if sign.isprintable() else " " for sign in name)) or f"seat {seat}"


def _fail(text: str) -> NoReturn:
    typer.echo(f"plyhouse analyze: {text}", err=True)
    raise typer.Exit(1)
