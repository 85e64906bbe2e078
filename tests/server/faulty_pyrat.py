"""A PyRat bot of the text protocol that walks up, with a fault: ``python -m tests.server.faulty_pyrat FAULT``.

With ``none`` or one of ``MANNERS``, it does everything right. It thinks until ``stop`` if it has more than a second
for a move.
``FAULTS`` says which rows of a check each fault has to spoil.
"""

import sys
from collections.abc import Iterator
from itertools import repeat

from tests.server.scripted import Exits, Said, run

READY, RAT, PYTHON, STOPS = "answers isready", "plays the rat", "plays the python", "stops"
WHILE, LATE, RECOVERS = "answers while it thinks", "gives up a late move", "recovers"
IGNORES, LONG, ROUNDS, OPTIONS = (
    "ignores what it cannot do",
    "follows a long game",
    "plays game after game",
    "takes its options",
)
LEARNS, ELSE = "learns from a game", "says nothing else"

FAULTS: dict[str, set[str]] = {
    "no name": {"greets"},
    "an option without a type": {"greets"},
    "floods": {"greets"},
    "a default out of place": {"greets"},
    "dies of its options": {OPTIONS},
    "answers what has timed out": {LATE, ELSE},
    "knows no recover": {RECOVERS},
    "dies of unknown commands": {IGNORES},
    "dies in long games": {LONG},
    "dies of large boards": {"plays huge"},
    "chatters": {ELSE},
}
BROAD: dict[str, set[str]] = {
    "moves for both": {RAT, PYTHON},
    "walks north": {RAT, PYTHON},
}
"""Faults that spoil nearly every row, with some of these."""

SILENT: dict[str, set[str]] = {
    "deaf while it thinks": {WHILE},
    "thinks on after stop": {STOPS, WHILE, LATE},
    "never ready after a timeout": {LATE},
    "learns for ever": {LEARNS},
    "never ready": {READY},
    "plays the rat only": {PYTHON, ROUNDS},
}
"""Faults that are noticed only as nothing comes."""

ONE_GAME = "one game at a time"
"""After ``go``, ``newgame`` is out of place before ``gameover``."""

QUICK = "quick, and answers stop again"
"""It always moves at once; ``stop`` gets its latest move."""

MANNERS = (ONE_GAME, QUICK)
"""Manners of published bots that are no faults."""

UNKNOWN = "hello"
PATIENCE_MS = 1000


class FaultyPyrat:
    """One bot."""

    def __init__(self, fault: str = "none") -> None:
        self.fault = fault
        self.move_ms = 0
        self.thinking = 0
        """The questions that it has not answered."""
        self.turns = 0
        self.seat = ""
        self.is_playing = False

    def has(self, fault: str) -> bool:
        return self.fault == fault

    def greet(self) -> Iterator[Said]:
        yield from ()

    def answer(self, line: str) -> Iterator[Said]:
        keyword, *words = line.split()
        if keyword == UNKNOWN and self.has("dies of unknown commands"):
            raise Exits(1, f"unknown: {keyword}")
        if self.has(ONE_GAME) and self.is_playing and keyword in ("newgame", "startpreprocessing"):
            return
        match keyword:
            case "pyrat":
                yield from self.handshake()
            case "isready" if not self.has("never ready") and not (
                self.has("deaf while it thinks") and self.thinking
            ):
                yield "readyok"
            case "ready?" if not self.has("never ready after a timeout"):
                yield "ready"
            case "startpreprocessing":
                yield "preprocessingdone"
            case "startpostprocessing" if not self.has("learns for ever"):
                yield "postprocessingdone"
            case "newgame" | "recover" | "maze" | "youare" | "timecontrol" | "setoption":
                self.set_up(keyword, words)
            case _:
                yield from self.in_game(keyword, words)

    def handshake(self) -> Iterator[Said]:
        if not self.has("no name"):
            yield "id name Faulty"
        if self.has("an option without a type"):
            yield "option name Depth default 3"
        if self.has("floods"):
            yield from repeat("id author everybody")
        default = "wild" if self.has("a default out of place") else "calm"
        yield f"option name Mood type combo default {default} var calm\npyratready"

    def set_up(self, keyword: str, words: list[str]) -> None:
        match keyword:
            case "setoption" if self.has("dies of its options") and words[1] == "Mood":
                raise Exits(1, "no mood")
            case "newgame" | "recover":
                self.turns, self.thinking = 0, 0
                if keyword == "recover" and self.has("knows no recover"):
                    raise Exits(1, "recover?")
            case "maze" if self.has("dies of large boards") and words == ["height:31", "width:41"]:
                raise Exits(1, "out of memory")
            case "youare":
                self.seat = words[0]
            case "timecontrol":
                self.move_ms = int(words[0].removeprefix("move:"))

    def in_game(self, keyword: str, words: list[str]) -> Iterator[Said]:
        match keyword:
            case "moves":
                self.turns += 1
                if self.has("dies in long games") and self.turns > 50:
                    raise Exits(1, "so long")
            case "gameover":
                self.is_playing = False
                self.doubt(*words)
            case "timeout" if words[0].startswith("move"):
                if self.has("answers what has timed out"):
                    self.thinking += 1
                self.thinking = max(0, self.thinking - 1)
            case "go":
                yield from self.go()
            case "stop" if self.has(QUICK):
                yield "move UP"
            case "stop" if not self.has("thinks on after stop"):
                yield from ["move UP"] * self.thinking
                self.thinking = 0

    def doubt(self, winner: str, score: str) -> None:
        rat, python = map(float, score.removeprefix("score:").split("-"))
        expected = "draw" if rat == python else "rat" if rat > python else "python"
        if self.has(ONE_GAME) and winner != f"winner:{expected}":
            raise Exits(1, f"{winner} with {score}?")

    def go(self) -> Iterator[Said]:
        self.is_playing = True
        if self.has("chatters") and self.turns == 3:
            yield "Let me think."
        if self.move_ms > PATIENCE_MS and not self.has(QUICK):
            self.thinking += 1
        elif self.has("moves for both"):
            yield "move UP/DOWN"
        elif self.has("walks north"):
            yield "move NORTH"
        elif not (self.has("plays the rat only") and self.seat == "python"):
            yield "info nodes 1\nmove UP"


if __name__ == "__main__":
    run(FaultyPyrat(*sys.argv[1:]))
