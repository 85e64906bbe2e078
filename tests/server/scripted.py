"""Scripted programs that read and write lines: what all of them can do, and how one runs as a process of its own.

A program yields what it writes: text, bytes as they are, or an ``Act``. ``seat_kinds`` runs it in the process of the
tests.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from enum import Enum, auto
from typing import Protocol


class Act(Enum):
    """Something other than a line."""

    THINK = auto()
    """Waits until it is interrupted."""
    HANG = auto()
    """Waits for ever, and ignores interrupts."""
    CLOSE = auto()
    """Closes its output, and stays."""


Said = str | bytes | Act


class Exits(Exception):
    """The program exits, after ``last`` on its stderr."""

    def __init__(self, status: int, last: str = "") -> None:
        super().__init__(status, last)
        self.status = status
        self.last = last


class LineProgram(Protocol):
    """A program. ``answer`` may raise Exits."""

    def greet(self) -> Iterator[Said]:
        """What it writes when it starts."""
        ...

    def answer(self, line: str) -> Iterator[Said]:
        """What it writes when it reads this line."""
        ...


def run(program: LineProgram) -> None:
    """Runs it on stdin and stdout."""
    interrupted = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    try:
        _write(program.greet(), interrupted)
        for line in sys.stdin:
            _write(program.answer(line.rstrip("\n")), interrupted)
    except Exits as end:
        print(end.last, end="\n" if end.last else "", file=sys.stderr, flush=True)
        os._exit(end.status)


def _write(output: Iterator[Said], interrupted: threading.Event) -> None:
    for said in output:
        match said:
            case Act.THINK:
                interrupted.wait()
                interrupted.clear()
            case Act.CLOSE | Act.HANG:
                if said is Act.CLOSE:
                    os.close(sys.stdout.fileno())
                while True:
                    time.sleep(3600)
            case bytes():
                sys.stdout.buffer.write(said)
            case _:
                print(said, flush=True)
