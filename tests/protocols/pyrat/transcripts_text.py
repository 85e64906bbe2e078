"""Drivers of the text protocol's golden transcripts, for both sides. See ``tests/golden/pyrat/README.md``."""

from collections.abc import Callable

from engines import Position
from protocols.pyrat.text import bot, host
from protocols.pyrat.text.board import BotTimes
from protocols.pyrat.text.bot_options import bot_options
from protocols.session import Effect
from tests.protocols.transcripts import common_words

START = {
    "width": 3,
    "height": 3,
    "maxTurns": 6,
    "mudModel": "rust",
    "walls": [[[0, 0], [1, 0]]],
    "mud": [[[2, 1], [2, 2], 2]],
    "cheese": [[0, 2], [1, 1], [2, 0]],
    "starts": [[0, 0], [2, 2]],
}
"""The board of the transcripts, which has a wall and mud."""

SIZES = {(3, 3): 6}


def small_start() -> Position:
    """The start of the transcripts."""
    return Position("pyrat", "medium", START)


def text_bot() -> bot.TextBot:
    """A bot with two searches."""
    return bot.TextBot("Plyhouse 1", "us", bot_options(("mcgs", "greedy"), {}), SIZES)


class BotTranscript:
    """Our bot; the transcript has what its searches find."""

    def __init__(self) -> None:
        self._bot = text_bot()
        self._number = 0

    def receive(self, frame: str) -> list[str]:
        return self._words(self._bot.receive(frame))

    def tell(self, words: str) -> list[str]:
        order, *rest = words.split()
        if order == "progress":
            samples, milliseconds, value, *line = rest
            found = bot.SearchProgress(
                self._number, int(samples), int(milliseconds), float(value), tuple(line)
            )
            return self._words(self._bot.notify(found))
        number = self._number - (order == "stale")
        return self._words(self._bot.notify(bot.Thought(number, rest[0])))

    def _words(self, effects: list[Effect]) -> list[str]:
        return [self._of(effect) for effect in effects]

    def _of(self, effect: Effect) -> str:
        match effect:
            case bot.Think(number, position, seat, limit, search):
                self._number = number
                players = [(*player["cell"], player["score"]) for player in position.view()["players"]]
                return (
                    f"= think turn {position.ply} seat {seat} for {limit.milliseconds} ms,"
                    f" {limit.samples} samples by {search}: {players}"
                )
            case bot.StopThinking():
                return "= stop"
            case _:
                return common_words(effect)


class HostTranscript:
    """The host of one bot; the transcript has what the driver asks."""

    def __init__(self) -> None:
        self._host = host.BotHost()
        self._position = small_start()
        self._times = BotTimes(1000, 3000)

    def receive(self, frame: str) -> list[str]:
        return [_of(effect) for effect in self._host.receive(frame)]

    def tell(self, words: str) -> list[str]:
        order, *rest = words.split()
        orders: dict[str, Callable[[list[str]], list[Effect]]] = {
            "greet": lambda _: self._host.greet(),
            "set": lambda rest: self._host.set_options([(rest[0], rest[1])]),
            "begin": lambda rest: self._host.begin(self._position, int(rest[0]), self._times),
            "first": lambda _: self._host.go([host.BEFORE_FIRST]),
            "go": lambda turns: self._host.go(self._played(turns)),
            "played": self._play_without_bot,
            "recover": lambda rest: self._host.recover(self._position, int(rest[0]), self._times),
            "end": lambda turns: self._host.end(self._played(turns), self._position, self._times),
            "learn": lambda turns: self._host.end(
                self._played(turns), self._position, BotTimes(postprocessing=500)
            ),
            "time": lambda _: self._host.notify(host.TimeUp()),
            "overlong": lambda _: self._host.notify(host.OverlongLine()),
            "exited": lambda how: self._host.notify(host.BotExited(" ".join(how))),
        }
        return [_of(effect) for effect in orders[order](rest)]

    def _play_without_bot(self, turns: list[str]) -> list[Effect]:
        self._played(turns)
        return []

    def _played(self, turns: list[str]) -> list[str]:
        self._position.play(*turns)
        return self._position.history[len(self._position.history) - len(turns) :]


def _of(effect: Effect) -> str:
    match effect:
        case host.Greeted(identity):
            return f"= greeted {identity.name} by {identity.author}: {', '.join(identity.options) or 'no options'}"
        case host.Prepared(is_late):
            return f"= prepared{', late' if is_late else ''}"
        case host.DirectionChosen(direction, is_late):
            return f"= move {direction}{', late' if is_late else ''}"
        case host.BotReady():
            return "= ready"
        case host.Information(words):
            return f"= info {' '.join(words)}"
        case host.GameClosed():
            return "= closed"
        case host.TextBotFailed(cause, text):
            return f"= failed {cause.name}: {text}"
        case _:
            return common_words(effect)
