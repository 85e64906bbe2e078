"""``plyhouse engine``: our engine behind anybody's bot client, as JSON lines on stdin and stdout.

Nothing but answers of the protocol goes to stdout; what an operator may want to know goes to stderr.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Annotated

import typer


def engine(
    samples: Annotated[
        int, typer.Option(min=1, help="New simulations per evaluation and action of a move.")
    ] = 1000,
    parallel: Annotated[int, typer.Option(min=1, help="Leaves of one session in flight at a network.")] = 4,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Search threads (default: one per core).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed and questions give the same answers.")] = 0,
) -> None:
    """Answer V3 bot requests on stdin with JSON lines on stdout."""
    from engines.pool import EnginePool, Limits
    from protocols.bgs.engine import MAX_SESSIONS
    from server.adapters.engine_stdio import EngineStdio
    from server.adapters.pool_searches import SearchSettings

    limits = Limits(samples=samples)
    pool = EnginePool(threads=threads, sessions=MAX_SESSIONS, limits=limits, parallel=parallel, seed=seed)
    stdio = EngineStdio(
        pool,
        SearchSettings(limits),
        max_sessions=MAX_SESSIONS,
        output=sys.stdout.buffer,
        log=lambda line: print(line, file=sys.stderr),
    )
    _on_signal(stdio.stop)
    try:
        stdio.run(sys.stdin.fileno())
    except BrokenPipeError:
        _silence_stdout()
        print("plyhouse engine: nobody reads the answers any more", file=sys.stderr)
        raise typer.Exit(1) from None
    finally:
        pool.stop()


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
