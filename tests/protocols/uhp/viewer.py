"""A test viewer: asks a ``UhpEngineSession`` and reads its answers, without real searches."""

from collections.abc import Iterable

from protocols.session import Effect, Send
from protocols.uhp.engine import Product, UhpEngineSession
from protocols.uhp.engine_options import engine_options
from protocols.uhp.engine_work import (
    Counted,
    CountLeaves,
    FindMove,
    Found,
    Interrupted,
    Quit,
    StopWork,
    WorkFailed,
)
from protocols.uhp.lines import OK

CORES = 4
DEEPEST_COUNT = 3


def open_session() -> UhpEngineSession:
    """An engine session on a machine with four cores."""
    return UhpEngineSession(
        Product("Plyhouse v0.0", ("MIT License", "", "All of it.")), engine_options(CORES)
    )


class Viewer:
    """Asks the session, answers its searches with the first legal move, and counts leaves itself."""

    def __init__(self) -> None:
        self.session = open_session()
        self.session.start()
        self.found: list[FindMove] = []
        """The searches requested."""

    def ask(self, line: str) -> list[str]:
        """The answer without its ``ok``, which must occur exactly once."""
        *answer, end = self._sent(self.session.receive(line))
        assert end == OK
        assert OK not in answer
        return answer

    def tell(self, *lines: str) -> None:
        """Sends lines that must not be refused."""
        for line in lines:
            assert not self.ask(line)[0].startswith(("err", "invalidmove")), line

    def _sent(self, effects: Iterable[Effect]) -> list[str]:
        lines: list[str] = []
        for effect in effects:
            match effect:
                case Send(text):
                    lines += text.split("\n")
                case FindMove():
                    self.found.append(effect)
                    lines += self._sent(self.session.notify(Found(effect.position.legal_moves()[0])))
                case CountLeaves(depth=depth) if depth > DEEPEST_COUNT:
                    lines += self._sent(self.session.notify(WorkFailed("This takes too long.")))
                case CountLeaves(position, depth, threads):
                    lines += self._sent(self.session.notify(Counted(position.perft(depth, threads))))
                case _:
                    raise AssertionError(f"{effect} was not wanted")
        return lines


class TranscriptDriver:
    """An engine session whose searches are scripted by the transcript."""

    def __init__(self) -> None:
        self._session = open_session()

    def receive(self, frame: str) -> list[str]:
        """Sends a line from the viewer."""
        return _written(self._session.receive(frame))

    def tell(self, words: str) -> list[str]:
        """Handles an order: ``start``, ``interrupt``, or the end of the current work."""
        order, _, rest = words.partition(" ")
        match order:
            case "start":
                effects = self._session.start()
            case "found":
                effects = self._session.notify(Found(rest))
            case "counted":
                effects = self._session.notify(Counted(int(rest)))
            case "failed":
                effects = self._session.notify(WorkFailed(rest))
            case "interrupt":
                effects = self._session.notify(Interrupted())
            case _:
                raise AssertionError(f"unknown order {order}")
        return _written(effects)


def _written(effects: Iterable[Effect]) -> list[str]:
    """One line for each line or other effect."""
    return [line for effect in effects for line in _words(effect).split("\n")]


def _words(effect: Effect) -> str:
    match effect:
        case Send(text):
            return "\n".join(f"< {line}" for line in text.split("\n"))
        case FindMove(position, limit, threads, hash_mb, seed):
            criteria = f"depth {limit.depth}" if limit.depth else f"time {limit.milliseconds} ms"
            return f"= search ply {position.ply} {criteria} threads {threads} hash {hash_mb} seed {seed}"
        case CountLeaves(position, depth, threads):
            return f"= count ply {position.ply} depth {depth} threads {threads}"
        case StopWork():
            return "= stop"
        case Quit(status):
            return f"= quit {status}"
        case _:
            raise AssertionError(f"transcripts do not support {effect}")
