"""Transcripts of the bridge: ``> `` is a line of the viewer, ``< `` one to it, ``= `` what its driver is to do."""

from collections.abc import Callable

from protocols.session import Effect, Event, Log, Send
from protocols.uhp.bridge import effects as ef
from protocols.uhp.bridge.session import Bridge
from protocols.uhp.engine import Product, UhpEngineSession
from protocols.uhp.engine_options import engine_options
from protocols.uhp.engine_work import FindMove, Found, Interrupted, Quit, StopWork
from protocols.uhp.lines import LineTooLong

EVENTS: dict[str, Callable[[], Event]] = {
    "interrupt": Interrupted,
    "pause": ef.PauseEnded,
    "gone": ef.ViewerGone,
    "late": ef.TimeoutElapsed,
    "closed": ef.OutputClosed,
}


PLAIN: dict[type[Effect], str] = {ef.HangUp: "hang up", ef.ForgetSeat: "forget", StopWork: "stop"}


class BridgeDriver:
    """One bridge after the other."""

    def __init__(self) -> None:
        self._bridge: Bridge
        self._now = 0

    def receive(self, frame: str) -> list[str]:
        """A line of the viewer."""
        return _written(self._bridge.receive(frame))

    def tell(self, words: str) -> list[str]:
        """``new [engine] [bot] [kept] [NAME=VALUE…]``, ``at NOW``, ``said LINE``, ``lost WHY``, and others."""
        order, _, rest = words.partition(" ")
        match order:
            case "new":
                return self._new(rest.split())
            case "at":
                self._now = int(rest)
                return []
            case "long":
                return _written(self._bridge.receive(LineTooLong(16_384)))
            case "said":
                return _written(self._bridge.notify(ef.ServerSaid(rest, self._now)))
            case "lost":
                return _written(self._bridge.notify(ef.LinkLost(rest, self._now)))
            case "found":
                return _written(self._bridge.notify(Found(rest)))
            case _:
                return _written(self._bridge.notify(EVENTS[order]()))

    def _new(self, words: list[str]) -> list[str]:
        place = dict(word.split("=") for word in words if "=" in word)
        self._bridge = Bridge(
            UhpEngineSession(Product("Plyhouse bridge 1 (me@here)", ()), engine_options(1)),
            "http://here",
            words={"vs": "bot:easy"} if "bot" in words else None,
            place=place or None,
            is_kept="kept" in words,
            is_engine="engine" in words,
        )
        return _written(self._bridge.start())


def _written(effects: list[Effect]) -> list[str]:
    return [line for effect in effects for line in _words(effect)]


def _words(effect: Effect) -> list[str]:
    match effect:
        case Send(text=text):
            return [f"< {line}" for line in text.split("\n")]
        case ef.ToServer(line=line):
            return [f"= say {line}"]
        case ef.Dial(server, words, pause_ms):
            return [f"= dial {server} after {pause_ms} {' '.join(map('='.join, words.items()))}"]
        case Log(text=text):
            return [f"= log {text}"]
        case FindMove(position=position, limit=limit):
            return [f"= search ply {position.ply} {limit.depth or limit.milliseconds}"]
        case ef.Await(ms=ms):
            return [f"= await {ms}"]
        case ef.KeepSeat(server, resume):
            return [f"= keep {resume} at {server}"]
        case Quit(status):
            return [f"= quit {status}"]
        case _:
            return [f"= {PLAIN[type(effect)]}"]
