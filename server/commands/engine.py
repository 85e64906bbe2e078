"""``plyhouse engine``: an engine behind anybody's bot client, as JSON lines on stdin and stdout.

Ours, or with ``--uhp`` a Hive engine that speaks UHP. Nothing but answers of the protocol goes to stdout; what an
operator may want to know goes to stderr.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.networks import CacheOption, ModelOption, ProviderOption, announce, load_or_exit

if TYPE_CHECKING:
    from server.adapters.engine_stdio import EngineStdio

UHP_SECONDS = 2
"""A bot is asked about both players' positions and has ten seconds for each, and may be in several games."""

MOST_UHP_SECONDS = 8


def engine(
    model: ModelOption = None,
    provider: ProviderOption = "auto",
    cache_size: CacheOption = 100_000,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="New simulations per evaluation and action of a move (default: what is usual for the game).",
        ),
    ] = None,
    parallel: Annotated[int, typer.Option(min=1, help="Leaves of one session in flight at a network.")] = 4,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Search threads (default: one per core).")
    ] = None,
    book: Annotated[Path | None, typer.Option(help="Opening book, answered from without a search.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed and questions give the same answers.")] = 0,
    uhp: Annotated[
        str | None, typer.Option(help="Instead of ours: command of a Hive engine that speaks UHP.")
    ] = None,
    seconds: Annotated[
        int, typer.Option(min=1, max=MOST_UHP_SECONDS, help="Time of the UHP engine for an evaluation.")
    ] = UHP_SECONDS,
    processes: Annotated[int, typer.Option(min=1, max=64, help="UHP engines, so evaluations at once.")] = 1,
) -> None:
    """Answer V3 bot requests on stdin with JSON lines on stdout."""
    if uhp is not None:
        _run_uhp(uhp, seconds, processes)
        return
    from engines.book import BadBook, Book, read_book
    from engines.pool import EnginePool, Limits
    from engines.pool.memory import return_big_blocks
    from protocols.bgs.engine import MAX_SESSIONS
    from server.adapters.engine_stdio import EngineStdio
    from server.adapters.pool_searches import PoolSearches, SearchSettings, engine_sessions

    limits = None if samples is None else Limits(samples=samples)
    try:
        openings = Book() if book is None else read_book(book)
    except BadBook as error:
        print(f"plyhouse engine: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    models = load_or_exit("engine", model or (), provider, threads)
    announce(models, provider)
    return_big_blocks()
    pool = EnginePool(
        models=models,
        threads=threads,
        sessions=MAX_SESSIONS,
        limits=limits,
        parallel=parallel,
        cache_size=cache_size,
        seed=seed,
        book=openings,
    )
    stdio = EngineStdio(
        engine_sessions(pool, MAX_SESSIONS),
        lambda post: PoolSearches(pool, SearchSettings(limits), post),
        output=sys.stdout.buffer,
        log=_log,
    )
    try:
        _answer(stdio)
    finally:
        pool.stop()


def _run_uhp(text: str, seconds: int, processes: int) -> None:
    from protocols.uhp.requests import MoveTime
    from server.adapters.engine_stdio import EngineStdio
    from server.adapters.uhp_command import BadCommand, UhpCommand
    from server.adapters.uhp_engine import EngineFailed, identify
    from server.adapters.uhp_searches import UhpSearches, uhp_sessions

    try:
        command = UhpCommand.parse(text)
        sessions = uhp_sessions(identify(command))
    except (BadCommand, EngineFailed, OSError) as error:
        print(f"plyhouse engine: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    limit = command.limit or MoveTime(seconds)
    if isinstance(limit, MoveTime) and limit.seconds > MOST_UHP_SECONDS:
        print(f"plyhouse engine: {text}: a bot has at most {MOST_UHP_SECONDS} seconds", file=sys.stderr)
        raise typer.Exit(1)
    searches = UhpSearches(command, limit, processes, _log)
    try:
        _answer(EngineStdio(sessions, searches.posting, output=sys.stdout.buffer, log=_log))
    finally:
        searches.stop()


def _answer(stdio: "EngineStdio") -> None:
    _on_signal(stdio.stop)
    try:
        stdio.run(sys.stdin.fileno())
    except BrokenPipeError:
        _silence_stdout()
        print("plyhouse engine: nobody reads the answers any more", file=sys.stderr)
        raise typer.Exit(1) from None


def _log(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _on_signal(stop: Callable[[], None]) -> None:
    """Calls ``stop`` in a thread of its own: a handler runs only once the main thread wakes from its wait."""
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)

    def wait() -> None:
        os.read(told, 1)
        stop()

    threading.Thread(target=wait, name="engine-signals", daemon=True).start()


def _silence_stdout() -> None:
    """Keeps the interpreter from writing what is left in the buffer once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
