"""An engine on JSON lines: requests from a file descriptor, answers to a stream, searches by a ``Searches`` backend.

One thread reads, the searches have threads of their own, and the thread that called ``run`` does everything else in the
order in which it happened, so a long search holds up neither reading nor the answers of other sessions.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import BinaryIO, Protocol

from protocols.bgs.engine import (
    MAX_LINE_BYTES,
    Advance,
    EngineSession,
    EngineSessions,
    Evaluate,
    SessionClosed,
    SessionOpened,
)
from protocols.session import Effect, Log, Send
from server.adapters.pool_searches import Finished, SearchEffect

CHUNK_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line that was longer than a line may be; its bytes are gone."""


@dataclass(frozen=True, slots=True)
class EndOfInput:
    """Nothing more will be asked."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The process is to end now, whatever is under way."""


Happening = bytes | TooLong | EndOfInput | Stop | Finished


def split_lines(chunks: Iterator[bytes], limit: int = MAX_LINE_BYTES) -> Iterator[bytes | TooLong]:
    """The lines of a stream without their ends; no more than ``limit`` bytes of a line are ever kept."""
    held, is_dropping = bytearray(), False
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            held += part
            yield TooLong() if is_dropping or len(held) > limit else bytes(held)
            held, is_dropping = bytearray(), False
        held += rest
        if len(held) > limit:
            held, is_dropping = bytearray(), True
    if is_dropping:
        yield TooLong()
    elif held:
        yield bytes(held)


class Searches(Protocol):
    """The search backend of the sessions: the pool, or another engine."""

    def carry_out(self, effect: SearchEffect) -> None:
        """Does it at once; an evaluation is only begun."""


class EngineStdio:
    """The engine. ``searches`` makes what searches for it, given where to post results; ``log`` takes one line."""

    def __init__(
        self,
        sessions: EngineSessions,
        searches: Callable[[Callable[[Finished], None]], Searches],
        *,
        output: BinaryIO,
        log: Callable[[str], None],
    ) -> None:
        self._happenings: SimpleQueue[Happening] = SimpleQueue()
        self._session = EngineSession(sessions)
        self._searches = searches(self._happenings.put)
        self._output = output
        self._log = log

    def stop(self) -> None:
        """Ends ``run`` at once; may be called from any thread."""
        self._happenings.put(Stop())

    def run(self, descriptor: int) -> None:
        """Answers what comes in until the input ends and everything is answered. BrokenPipeError."""
        threading.Thread(target=self._read, args=(descriptor,), name="engine-input", daemon=True).start()
        has_more = True
        while has_more or not self._session.is_idle:
            happening = self._happenings.get()
            if isinstance(happening, Stop):
                return
            if isinstance(happening, EndOfInput):
                has_more = False
            else:
                self._take(happening)

    def _read(self, descriptor: int) -> None:
        for line in split_lines(_chunks(descriptor)):
            self._happenings.put(line)
        self._happenings.put(EndOfInput())

    def _take(self, happening: bytes | TooLong | Finished) -> None:
        match happening:
            case TooLong():
                self._log(f"ignored a line of more than {MAX_LINE_BYTES} bytes")
            case Finished():
                self._report(happening)
                self._carry_out(self._session.notify(happening.event))
            case bytes():
                self._take_line(happening)

    def _take_line(self, line: bytes) -> None:
        try:
            text = line.decode()
        except UnicodeDecodeError:
            self._log("ignored a line that is not UTF-8")
            return
        if text.strip():
            self._carry_out(self._session.receive(text))

    def _report(self, finished: Finished) -> None:
        found = finished.evaluation
        if found is not None:
            self._log(
                f"{finished.bgs_id}: {found.best_move or 'no move'} {found.values[0]:+.3f}"
                f" samples {found.samples} inherited {found.inherited} source {found.source}"
            )

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._output.write(text.encode() + b"\n")
                case Log(text=text):
                    self._log(text)
                case SessionOpened() | Advance() | Evaluate() | SessionClosed():
                    self._searches.carry_out(effect)
                case _:
                    raise TypeError(f"an engine session asks for {type(effect).__name__}")
        self._output.flush()


def _chunks(descriptor: int) -> Iterator[bytes]:
    """What can be read, as it comes. No buffered reader: its lock is held when the process ends."""
    with suppress(OSError):
        while chunk := os.read(descriptor, CHUNK_BYTES):
            yield chunk
