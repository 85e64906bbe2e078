"""``plyhouse engine``: an engine for bot clients, as JSON lines on stdin and stdout.

Uses our own engine, with ``--uhp`` a Hive engine that speaks UHP, or with ``--pyrat`` or ``--pyrat-host`` a PyRat bot.
With ``--protocol``, our own engine plays one seat in the protocol of a game's bots instead. Only protocol answers are
written to stdout; messages for the operator go to stderr.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.failure import fail, failing, refuse_options
from commands.networks import CacheOption, ModelOption, ProviderOption, announce, load_available_or_exit
from commands.signals import run_until_signal

if TYPE_CHECKING:
    from programs.stdio import Answering

UHP_SECONDS = 2
"""Default time per evaluation. Bots evaluate the positions of both players, with ten seconds each, in several games."""

PROGRAM_SECONDS = 1
"""Default time per move of a program that plays one seat."""

MOST_SECONDS = 8

PREPARATION_SECONDS = 3
"""The time of such a program before its first move; less if the first answer would take more than nine seconds."""

BGS = "bgs"
"""The protocol of bot clients."""


def engine(
    protocol: Annotated[
        str,
        typer.Option(
            help=f"Protocol on stdin and stdout: {BGS} for bot clients, pyrat for one player of PyRat."
        ),
    ] = BGS,
    model: ModelOption = None,
    provider: ProviderOption = "auto",
    cache_size: CacheOption = 100_000,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="New simulations per evaluation and action of a move (default: the game's own).",
        ),
    ] = None,
    parallel: Annotated[
        int, typer.Option(min=1, help="Leaves of one session that a network evaluates at once.")
    ] = 4,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Search threads (default: one per core).")
    ] = None,
    book: Annotated[Path | None, typer.Option(help="Opening book, used instead of a search.")] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            help="With another seed than 0, other moves of about the same value; the same ones with the same seed.",
        ),
    ] = 0,
    pyrat: Annotated[
        str | None,
        typer.Option(help="Command of a bot of PyRat's text protocol, to use in place of our own engine."),
    ] = None,
    pyrat_host: Annotated[
        str | None,
        typer.Option(help="Folder of a bot of PyRat's host protocol, to use in place of our own engine."),
    ] = None,
    uhp: Annotated[
        str | None, typer.Option(help="Command of a Hive engine that speaks UHP, to use in place of our own.")
    ] = None,
    seconds: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_SECONDS,
            help=f"Seconds per evaluation of the UHP engine (default: {UHP_SECONDS}), or per move of the PyRat bot"
            f" (default: {PROGRAM_SECONDS}).",
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Number of UHP engines: evaluations at once.")
    ] = 1,
) -> None:
    """Answer V3 bot requests on stdin with JSON lines on stdout, or play one seat in another protocol."""
    programs = {"--uhp": uhp, "--pyrat": pyrat, "--pyrat-host": pyrat_host}
    if protocol != BGS:
        others: dict[str, object] = {
            "--model": model,
            "--book": book,
            "--threads": threads,
            "--seconds": seconds,
            **programs,
        }
        refuse_options(others, f"only with --protocol {BGS}")
        _play_one_seat(protocol, {"samples": samples or 0, "seed": seed})
        return
    for option, command in programs.items():
        if command is not None:
            others = {"--model": model, "--book": book, "--samples": samples, **programs}
            refuse_options(
                {name: value for name, value in others.items() if name != option}, f"not with {option}"
            )
            _run_program(option, command, seconds, processes)
            return
    from engines.book import BadBook, Book, read_book
    from engines.pool import EnginePool, Limits
    from engines.pool.memory import return_big_blocks
    from engines.variation import SLIGHT, Variation
    from programs.engine.pool_searches import PoolSearches, engine_sessions
    from programs.engine.stdio import EngineStdio
    from protocols.bgs.engine import MAX_SESSIONS

    limits = None if samples is None else Limits(samples=samples)
    with failing("engine", BadBook):
        openings = Book() if book is None else read_book(book)
    models = load_available_or_exit("engine", model or (), provider, threads)
    announce(models, provider)
    return_big_blocks()
    pool = EnginePool(
        models=models,
        threads=threads,
        sessions=MAX_SESSIONS,
        limits=limits,
        parallel=parallel,
        cache_size=cache_size,
        variation=Variation(SLIGHT, seed) if seed else None,
        book=openings,
    )
    try:
        sessions = engine_sessions(pool, MAX_SESSIONS)
        _answer(lambda: EngineStdio(sessions, lambda post: PoolSearches(pool, limits, post), _log).run())
    finally:
        pool.stop()


def _play_one_seat(protocol: str, limits: Mapping[str, int]) -> None:
    from programs.kinds import OWN_PLAYERS

    if protocol not in OWN_PLAYERS:
        known = ", ".join((BGS, *OWN_PLAYERS))
        raise typer.BadParameter(f"{protocol} is not one of {known}", param_hint="--protocol")
    _answer(OWN_PLAYERS[protocol](limits, _log))


def _run_program(option: str, command: str, seconds: int | None, processes: int) -> None:
    """``option``: names one of ``programs.kinds``. A few UHP engines serve all sessions."""
    from programs.engine.program_searches import MOST_SESSIONS, ProgramSearches, program_sessions
    from programs.engine.stdio import EngineStdio
    from programs.kinds import program_of_option
    from programs.seat_programs import ProgramFailed, TurnTimes, UnsuitableProgram
    from programs.uhp.program import UhpProgramCommand
    from protocols.bgs.engine import MAX_SESSIONS

    with failing("engine", UnsuitableProgram, ProgramFailed, OSError):
        program = program_of_option(option, command)
        if isinstance(program, UhpProgramCommand):
            times = TurnTimes((seconds or UHP_SECONDS) * 1000, most_ms=MOST_SECONDS * 1000)
            lacks = asyncio.run(program.identify(times)).lacks
            shared = program.shared(processes)
            searches, stops = ProgramSearches(shared, times, _log), [shared.stop]
            sessions = program_sessions(program.game, lacks, MAX_SESSIONS)
        else:
            seconds = seconds or PROGRAM_SECONDS
            preparation = min(PREPARATION_SECONDS, MOST_SECONDS + 1 - seconds)
            times = TurnTimes(seconds * 1000, preparation * 1000)
            searches, stops = ProgramSearches(program, times, _log), []
            sessions = program_sessions(program.game, {}, MOST_SESSIONS)
    _answer(lambda: EngineStdio(sessions, searches.posting, _log).run(), searches.stop, *stops)


def _answer(answering: "Answering", *stops: Callable[[], Awaitable[None]]) -> None:
    """Answers until the end of the input, or until a signal arrives; then awaits ``stops``."""

    async def run() -> None:
        try:
            await run_until_signal(answering())
        finally:
            for stop in stops:
                await stop()

    try:
        asyncio.run(run())
    except BrokenPipeError:
        fail("engine", "stdout was closed by its reader")


def _log(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
