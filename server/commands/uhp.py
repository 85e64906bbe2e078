"""``plyhouse uhp``: Plyhouse as an engine of the Universal Hive Protocol, on stdin and stdout.

A viewer waits for the banner, so nothing is imported here that an engine does not need.
"""

import os
import signal
import sys
from typing import Annotated

import typer


def uhp(
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="Search threads (default: one per core). Also an option over UHP."),
    ] = None,
    hash_mb: Annotated[
        int | None,
        typer.Option("--hash-mb", min=1, help="MiB of the search's tables (default: 64). The same."),
    ] = None,
) -> None:
    """Play Hive as a UHP 1.0 engine on stdin and stdout."""
    from protocols.uhp.engine import EngineSession
    from protocols.uhp.engine_options import HASH_MB, THREADS, engine_options
    from server.adapters.uhp_product import product
    from server.adapters.uhp_stdio import UhpStdio

    options = engine_options(os.cpu_count() or 1)
    for name, value in ((THREADS, threads), (HASH_MB, hash_mb)):
        options = options if value is None else options.set(name, str(value))
    stdio = UhpStdio(EngineSession(product(), options), sys.stdout.buffer)
    signal.signal(signal.SIGINT, lambda *_: stdio.interrupt())
    raise typer.Exit(stdio.run(sys.stdin.fileno()))
