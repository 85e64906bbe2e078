"""Transcripts of a viewer that drives an engine: ``> `` is a line of the engine, ``< `` what it is asked."""

from protocols.uhp.answers import Chosen, EngineFailed, Outcome
from protocols.uhp.game_string import parse, replay
from protocols.uhp.lines import LineTooLong
from protocols.uhp.requests import BestMove, Depth, MoveTime, Play, Request, SetOption, StartGame, Undo
from protocols.uhp.viewer import Viewer


class AskedDriver:
    """One viewer after the other; the transcript says what each one asks for."""

    def __init__(self) -> None:
        self._viewer = Viewer()

    def receive(self, frame: str) -> list[str]:
        """A line of the engine."""
        return _words(self._viewer.receive(frame))

    def tell(self, words: str) -> list[str]:
        """``new``, ``who``, ``late``, ``lost``, ``long``, ``go GAME``, or a request."""
        order, _, rest = words.partition(" ")
        match order:
            case "new":
                self._viewer = Viewer()
                return []
            case "who":
                identity = self._viewer.identity
                return [f"= {identity.name}: {' '.join(sorted(identity.capabilities))}".strip()]
            case "late":
                return _words(self._viewer.time_is_up())
            case "lost":
                return _words(self._viewer.lose(rest))
            case "long":
                return _words(self._viewer.receive(LineTooLong(10)))
            case "go":
                request: Request | None = self._viewer.step_to(replay(parse(rest)))
                return ["= there"] if request is None else [f"< {self._viewer.ask(request)}"]
            case _:
                return [f"< {self._viewer.ask(_request(order, rest))}"]


def _request(order: str, rest: str) -> Request:
    match order, rest.split(" "):
        case "set", [name, value]:
            return SetOption(name, value)
        case "start", _:
            return StartGame(parse(rest))
        case "undo", [plies]:
            return Undo(int(plies))
        case "time", [seconds]:
            return BestMove(MoveTime(int(seconds)))
        case "depth", [plies]:
            return BestMove(Depth(int(plies)))
        case _:
            return Play(rest)


def _words(end: Outcome | None) -> list[str]:
    match end:
        case None:
            return []
        case EngineFailed():
            return [f"= failed {end.reason}: {end}"]
        case Chosen(move=move):
            return [f"= chosen {move}"]
        case _:
            return ["= done"]
