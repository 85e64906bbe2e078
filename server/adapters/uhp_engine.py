"""A running UHP engine: carries out what ``protocols.uhp.viewer`` asks for, and keeps its time.

Used by one thread, which waits for each answer: games of the arena and the workers behind ``plyhouse engine --uhp``
have a thread and an engine each. A second thread only reads, so that a chatty engine is never held up by a full pipe
and a silent one never holds us up.
"""

import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from queue import Empty, Full, Queue

from engines import Position
from protocols.session import Effect, Event, Send
from protocols.uhp.answers import Chosen, Failed, Identity
from protocols.uhp.lines import LineSplitter, LineTooLong
from protocols.uhp.requests import BestMove, Depth, MoveTime, Request, SetOption
from protocols.uhp.viewer import EngineGone, Overlong, TimeIsUp, Viewer
from server.adapters.uhp_command import UhpCommand

START_SECONDS = 20.0
"""For the banner: some engines load a runtime first."""

CHECK_SECONDS = 10.0
"""For everything but the banner and a search."""

END_SECONDS = 1.0

MAX_WAITING = 1024
"""Lines read ahead; then the engine waits for us."""


class EngineFailed(Exception):
    """The engine did not do what it was asked; the text is a sentence."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.text)
        self.failed = failed


class UhpEngine:
    """One engine from its start to ``close``."""

    def __init__(self, command: UhpCommand, log: Callable[[str], None]) -> None:
        """Starts the engine; ``log`` gets what it writes for people. OSError."""
        self._options = command.options
        self._link = command.open(log)
        self._viewer = Viewer()
        self._arrived: Queue[str | Event] = Queue(MAX_WAITING)
        self._closed = threading.Event()
        self._reader = threading.Thread(target=self._read, name="uhp-reader", daemon=True)
        self._reader.start()

    def begin(self) -> Identity:
        """Reads the banner and sets the options. EngineFailed."""
        self._complete(self._viewer.start(), START_SECONDS)
        for name, value in self._options.items():
            self._ask(SetOption(name, value), CHECK_SECONDS)
        return self._viewer.identity

    def go_to(self, position: Position) -> None:
        """Brings the engine to this position. EngineFailed; BadGameString for a position without a GameString."""
        while (step := self._viewer.step_to(position)) is not None:
            self._ask(step, CHECK_SECONDS)

    def best_move(self, limit: MoveTime | Depth, patience: float) -> Chosen:
        """The engine's move in the position it is at, at most ``patience`` seconds from now. EngineFailed."""
        chosen = self._ask(BestMove(limit), patience)
        if not isinstance(chosen, Chosen):
            raise TypeError(f"a search ended with {type(chosen).__name__}")
        return chosen

    def interrupt(self) -> None:
        """Ends the search under way, if the engine can be told. From any thread."""
        self._link.interrupt()

    def close(self) -> None:
        """Ends the engine."""
        self._closed.set()
        self._link.end()
        # Something that got away from the group may still hold the pipe: nobody waits for that.
        self._reader.join(END_SECONDS)
        if not self._reader.is_alive():
            self._link.close()

    # ---- asking -----------------------------------------------------------------------------------

    def _ask(self, request: Request, seconds: float) -> Effect:
        self._take_unasked()
        return self._complete(self._viewer.ask(request), seconds)

    def _take_unasked(self) -> None:
        """What came between two requests counts for nothing, unless the engine is gone."""
        with suppress(Empty):
            while True:
                _raise_failure(self._hand_over(self._arrived.get_nowait()))

    def _complete(self, effects: list[Effect], seconds: float) -> Effect:
        """Carries out effects until the request has come to its end."""
        deadline = time.monotonic() + seconds
        while True:
            _raise_failure(effects)
            for effect in effects:
                if isinstance(effect, Send):
                    self._send(effect.text)
                elif self._viewer.is_idle:
                    return effect
            try:
                effects = self._hand_over(self._arrived.get(timeout=max(0.0, deadline - time.monotonic())))
            except Empty:
                effects = self._viewer.notify(TimeIsUp())

    def _hand_over(self, arrived: str | Event) -> list[Effect]:
        if isinstance(arrived, str):
            return self._viewer.receive(arrived)
        return self._viewer.notify(arrived)

    def _send(self, line: str) -> None:
        # An engine that is gone is noticed by its reader, who knows more.
        with suppress(OSError):
            self._link.write(line.encode() + b"\n")

    # ---- reading ----------------------------------------------------------------------------------

    def _read(self) -> None:
        splitter = LineSplitter()
        for chunk in iter(self._link.read, b""):
            for line in splitter.feed(chunk):
                if not self._put(Overlong() if isinstance(line, LineTooLong) else line):
                    return
        if not self._closed.is_set():
            self._put(EngineGone(self._link.ending()))

    def _put(self, arrived: str | Event) -> bool:
        """Whether it could be handed over: once the engine is closed nobody takes it."""
        while not self._closed.is_set():
            with suppress(Full):
                self._arrived.put(arrived, timeout=0.1)
                return True
        return False


def _raise_failure(effects: list[Effect]) -> None:
    for effect in effects:
        if isinstance(effect, Failed):
            raise EngineFailed(effect)


def identify(command: UhpCommand) -> Identity:
    """Who an engine is: it is started, set up, asked and ended. OSError, EngineFailed: it is of no use."""
    with closing(UhpEngine(command, unheard)) as engine:
        return engine.begin()


def unheard(line: str) -> None:
    """For engines whose stderr nobody is shown: it is read, so that they go on, and quoted where one dies."""
