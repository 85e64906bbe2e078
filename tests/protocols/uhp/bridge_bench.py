"""A test bench for the bridge: a viewer on one side, a server on the other."""

from collections.abc import Iterable, Mapping

from protocols.session import Effect, Event, Log, Send
from protocols.uhp.bridge.effects import Dial, HangUp, ServerSaid, ToServer
from protocols.uhp.bridge.session import Bridge
from protocols.uhp.engine import Product, UhpEngineSession
from protocols.uhp.engine_options import engine_options
from protocols.uhp.lines import Line

BANNER = ["id Plyhouse bridge 1 (me@here)", "Mosquito;Ladybug;Pillbug", "ok"]
EMPTY = "Base;NotStarted;White[1]"
ONE = "Base;InProgress;Black[1];wA1"
TWO = "Base;InProgress;White[2];wA1;bB1 -wA1"
THREE = "Base;InProgress;Black[2];wA1;bB1 -wA1;wB1 wA1-"


class BridgeBench:
    """A viewer and a server, with everything that the bridge sends to each."""

    def __init__(
        self, place: Mapping[str, str] | None = None, *, with_bot: bool = False, is_engine: bool = False
    ) -> None:
        local = UhpEngineSession(Product("Plyhouse bridge 1 (me@here)", ()), engine_options(1))
        self.bridge = Bridge(
            local,
            "http://here",
            words={"vs": "bot:easy"} if with_bot else None,
            place=place,
            is_engine=is_engine,
        )
        self.to_server: list[str] = []
        self.dialled: list[Dial] = []
        self.others: list[Effect] = []
        self.logged: list[str] = []
        assert self._answers(self.bridge.start()) == BANNER

    def say(self, line: Line) -> list[str]:
        """Sends a line from the viewer; returns the immediate answer."""
        return self._answers(self.bridge.receive(line))

    def hear(self, *lines: str, now: int = 0) -> list[str]:
        """Sends lines from the server; returns what the viewer is answered."""
        return [answer for line in lines for answer in self.tell(ServerSaid(line, now))]

    def tell(self, event: Event) -> list[str]:
        return self._answers(self.bridge.notify(event))

    def seated(self, color: str, *games: str) -> "BridgeBench":
        """Starts a game for the viewer."""
        assert self.say("newgame Base") == []
        assert self.hear("ok", f"seat {color} game=g7Kd tc=- resume=g7Kd:s", EMPTY) == [EMPTY, "ok"]
        assert self.hear(*games) == []
        return self

    def _answers(self, effects: Iterable[Effect]) -> list[str]:
        answers: list[str] = []
        for effect in effects:
            match effect:
                case Send(text=text):
                    answers += text.split("\n")
                case ToServer(line=line):
                    self.to_server.append(line)
                case Dial():
                    self.dialled.append(effect)
                case Log(text=text):
                    self.logged.append(text)
                case HangUp():
                    pass
                case _:
                    self.others.append(effect)
        return answers
