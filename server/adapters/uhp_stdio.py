"""A UHP engine on lines: commands from a file descriptor, answers to a stream.

The thread that called ``run`` reads a line and answers it before it reads the next. Work is done by a thread beside
it, so that an interrupt (``interrupt``, from a signal handler) comes through, and so that a vanished reader is noticed.
"""

import os
import select
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import BinaryIO

from protocols.session import Effect, Event, Send
from protocols.uhp.engine import EngineSession
from protocols.uhp.engine_work import CountLeaves, FindMove, Interrupted, Quit, StopWork
from protocols.uhp.lines import Line, LineSplitter, LineTooLong, read_command
from server.adapters.uhp_search import StopSwitch, UhpSearch, Work

CHUNK_BYTES = 65_536
MAX_INPUT_BYTES = 1 << 20
"""Of a line. Games have no end of plies here, and whoever started the engine may send back what it wrote."""

LOOK_SECONDS = 1.0
"""How often a long search looks whether anybody still waits for its answer."""

LATE_SECONDS = 1.0
"""An interrupt so soon after an answer was meant for the work, and no longer for the process."""

WORK = ("bestmove", "perft")
"""The commands that an interrupt may be meant for. A forced move is answered without any work."""


class InterruptedIdle(Exception):
    """The user wants an end while nothing is under way."""


class UhpStdio:
    """The engine: ``run`` returns the exit status."""

    def __init__(self, session: EngineSession, descriptor: int, output: BinaryIO) -> None:
        self._session = session
        self._input = descriptor
        self._output = output
        self._search = UhpSearch()
        self._switch = StopSwitch()
        self._worker: threading.Thread | None = None
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._worked_at = -LATE_SECONDS
        self._status: int | None = None
        self._unheard = 0
        """Lines that were read, and that the session does not know yet."""

    def run(self) -> int:
        """Answers what comes in until the input ends, ``exit``, an interrupt, or nobody reads any more."""
        try:
            self._carry_out(self._session.start())
            for line in self._lines():
                effects = self._session.receive(line)
                self._unheard -= 1
                if _is_work(line):
                    self._worked_at = time.monotonic()
                self._answer(effects)
                self._work_through()
                if self._status is not None:
                    return self._status
        except InterruptedIdle:
            self._carry_out(self._session.notify(Interrupted()))
        except BrokenPipeError:
            self._abandon()
        return self._status or 0

    def interrupt(self) -> None:
        """The user's interrupt: for a signal handler of the thread that runs. InterruptedIdle."""
        if self._session.is_busy or self._has_command():
            self._events.put(Interrupted())
        elif time.monotonic() - self._worked_at > LATE_SECONDS:
            raise InterruptedIdle

    def _work_through(self) -> None:
        """Until the line is answered."""
        while self._session.is_busy:
            event = self._next_event()
            self._worked_at = time.monotonic()
            self._answer(self._session.notify(event))

    def _answer(self, effects: list[Effect]) -> None:
        if not self._session.is_busy:
            # An interrupt that came until now was for this command, and is not for the next.
            self._events = SimpleQueue()
        self._carry_out(effects)

    def _lines(self) -> Iterator[Line]:
        """The lines of the input as they come. No buffered reader: it would wait for more than a line."""
        splitter = LineSplitter(MAX_INPUT_BYTES)
        with suppress(OSError):
            while chunk := self._read():
                yield from self._noted(splitter.feed(chunk))
        yield from self._noted(splitter.end())

    def _read(self) -> bytes:
        _polled(self._input, select.POLLIN, None)
        self._unheard = 1
        return os.read(self._input, CHUNK_BYTES)

    def _noted(self, lines: list[Line]) -> list[Line]:
        self._unheard = len(lines)
        return lines

    def _has_command(self) -> bool:
        """Whether something has come that the session does not know yet."""
        return self._unheard > 0 or _polled(self._input, select.POLLIN, 0)

    def _next_event(self) -> Event:
        while True:
            with suppress(Empty):
                return self._events.get(timeout=LOOK_SECONDS)
            if _is_unread(self._output):
                raise BrokenPipeError

    def _abandon(self) -> None:
        """Nobody reads any more. Waits for the end of the work: no process may end under a thread in native code."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._output.fileno())
        if self._worker is not None:
            self._switch.pull()
            self._worker.join()

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._output.write(text.encode() + b"\n")
                case FindMove() | CountLeaves():
                    self._begin(effect)
                case StopWork():
                    self._switch.pull()
                case Quit(status=status):
                    self._status = status
                case _:
                    raise TypeError(f"an engine session asks for {type(effect).__name__}")
        self._output.flush()

    def _begin(self, work: Work) -> None:
        asked_at, events, switch = time.monotonic(), self._events, StopSwitch()
        self._switch = switch
        self._worker = threading.Thread(
            target=lambda: events.put(self._search.do(work, asked_at, switch)), name="uhp-search", daemon=True
        )
        self._worker.start()


def _is_work(line: Line) -> bool:
    command = None if isinstance(line, LineTooLong) else read_command(line)
    return command is not None and command.keyword in WORK


def _is_unread(output: BinaryIO) -> bool:
    """Whether the other end of a pipe is closed."""
    return _polled(output.fileno(), 0, 0)


def _polled(descriptor: int, events: int, milliseconds: int | None) -> bool:
    """Whether any of these has happened, or an error, within a time; ``None`` waits for ever."""
    poll = select.poll()
    poll.register(descriptor, events)
    return bool(poll.poll(milliseconds))
