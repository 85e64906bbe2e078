"""The ``plyhouse`` command in this process, for tests of what a command prints, writes and refuses.

A command that gets signals, reads its standard input by its descriptor, or is to find other modules than this process
is a process of its own (``program.py``), and so is each command at least once.
"""

import contextlib
import gc
import logging
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from typer.testing import CliRunner

from commands.cli import app
from tests.server.program import ROOT


def run_here(
    *arguments: str, given: bytes = b"", folder: Path = ROOT, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Runs a command in ``folder`` until it exits, with ``given`` as its standard input. Raises what it raises.

    ``environment`` is added to this process's variables.
    """
    with contextlib.chdir(folder), _restored():
        done = CliRunner().invoke(app, arguments, input=given, env=environment)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


@contextlib.contextmanager
def _restored() -> Iterator[None]:
    """Afterwards logging and the garbage collector are as before: ``plyhouse serve`` configures them."""
    root = logging.getLogger()
    known = [root, *(one for one in root.manager.loggerDict.values() if isinstance(one, logging.Logger))]
    before = [(logger, logger.level, logger.handlers[:]) for logger in known]
    try:
        yield
    finally:
        for logger, level, handlers in before:
            logger.setLevel(level)
            logger.handlers[:] = handlers
        gc.enable()
