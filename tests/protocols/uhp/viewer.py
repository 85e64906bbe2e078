"""A viewer of the tests: asks an ``EngineSession`` and reads its answers, without any search."""

from collections.abc import Iterable

from protocols.session import Effect, Send
from protocols.uhp.engine import EngineSession, Product
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


def open_session() -> EngineSession:
    """An engine on a machine of four cores."""
    return EngineSession(Product("Plyhouse v0.0", ("MIT License", "", "All of it.")), engine_options(CORES))


class Viewer:
    """Asks, and answers what the session wants to have searched: with the first legal move, and counting itself."""

    def __init__(self) -> None:
        self.session = open_session()
        self.session.start()
        self.found: list[FindMove] = []
        """The searches that were wanted."""

    def ask(self, line: str) -> list[str]:
        """The answer without its ``ok``, which must be there, and once."""
        *answer, end = self._sent(self.session.receive(line))
        assert end == OK
        assert OK not in answer
        return answer

    def tell(self, *lines: str) -> None:
        """Asks, and takes no refusal."""
        for line in lines:
            assert not self.ask(line)[0].startswith(("err", "invalidmove")), line

    def _sent(self, effects: Iterable[Effect]) -> list[str]:
        lines: list[str] = []
        for effect in effects:
            match effect:
                case Send(text):
                    lines.append(text)
                case FindMove():
                    self.found.append(effect)
                    lines += self._sent(self.session.notify(Found(effect.position.legal_moves()[0])))
                case CountLeaves(depth=depth) if depth > DEEPEST_COUNT:
                    lines += self._sent(self.session.notify(WorkFailed("Nobody waits so long.")))
                case CountLeaves(position, depth, threads):
                    lines += self._sent(self.session.notify(Counted(position.perft(depth, threads))))
                case _:
                    raise AssertionError(f"{effect} was not wanted")
        return lines


class TranscriptDriver:
    """An engine's session whose searches are the transcript's."""

    def __init__(self) -> None:
        self._session = open_session()

    def receive(self, frame: str) -> list[str]:
        """A line of the viewer."""
        return [_words(effect) for effect in self._session.receive(frame)]

    def tell(self, words: str) -> list[str]:
        """An order: ``start``, ``interrupt``, or the end of the work that is under way."""
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
                raise AssertionError(f"there is no order {order}")
        return [_words(effect) for effect in effects]


def _words(effect: Effect) -> str:
    match effect:
        case Send(text):
            return f"< {text}"
        case FindMove(position, limit, threads, hash_mb, seed):
            wish = f"depth {limit.depth}" if limit.depth else f"time {limit.milliseconds} ms"
            return f"= search ply {position.ply} {wish} threads {threads} hash {hash_mb} seed {seed}"
        case CountLeaves(position, depth, threads):
            return f"= count ply {position.ply} depth {depth} threads {threads}"
        case StopWork():
            return "= stop"
        case Quit(status):
            return f"= quit {status}"
        case _:
            raise AssertionError(f"a transcript has no words for {effect}")
