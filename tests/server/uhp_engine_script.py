"""A UHP engine of the tests: ``python -m tests.server.uhp_engine_script MANNER``.

It plays well enough to come to an end, and behaves like one of the engines that there are, or as none should:

``rederives``   writes every move of the history anew, by other references than the canonical ones, the mover's own
                place included, and answers with such a text
``keeps``       shows intermediate best moves with their figures, in the capitals in which they were meant
``base``        names no capabilities
``late``        thinks for ever, until it is interrupted
``deaf``        thinks for ever, and minds no interrupt
``dies`` ``floods`` ``longs`` ``errs`` ``empty`` ``illegal`` ``garbles``    what it answers to ``bestmove``
``forgets`` ``refuses``   what it answers to ``play``: the game without its last move, or an error
``mute``        prints no banner
``notes``       writes every command into the file named by its second argument
``once``        dies at its first ``bestmove`` if the file named by its second argument is not there; writes it
"""

import random
import sys
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

from engines import Position, RuleError, Search
from protocols.uhp.game_string import BadGameString, GameString, moves_of, parse, play, replay, write
from tests.server.scripted import Act, Exits, Said, run

BUGS = ("Q", "M", "L", "P", "S1", "S2", "B1", "B2", "G1", "G2", "G3", "A1", "A2", "A3")
PIECES = [f"{color}{bug}" for color in "wb" for bug in BUGS]
FORMS = ["-{}", "{}-", "/{}", "{}/", "\\{}", "{}\\"]
LINE = "x" * 64
ANSWERS = {
    "longs": "w" * 20_000,
    "errs": "err I am tired",
    "empty": "",
    "illegal": "bA3 wQ-",
    "garbles": "hello?",
}


def disguised(position: Position, move: str) -> str:
    """Another text of the same move, by the mover's old place if there is one such; else the move itself."""
    mover = move.split()[0]
    for reference in (mover, *reversed(PIECES)):
        for form in FORMS:
            text = f"{mover} {form.format(reference)}"
            try:
                if text != move and position.check(text) == move:
                    return text
            except RuleError:
                continue
    return move


def chosen(position: Position) -> str:
    """A move for each ply: mostly the best at first sight, so that games come to an end."""
    dice = random.Random(len(moves_of(position)))
    if dice.random() < 0.3:
        return dice.choice(position.legal_moves())
    search = Search(position, "native", {"search": "greedy"})
    search.run(1)
    return search.report().best_move or "pass"


class UhpEngine:
    """One engine."""

    def __init__(self, manner: str, *rest: str) -> None:
        self.manner = manner
        self.rest = rest
        self.position = Position("hive", "Base")
        self.disguises: list[str] = []

    def greet(self) -> Iterator[Said]:
        if self.manner != "mute":
            yield from self.banner()
            yield "ok"

    def banner(self) -> Iterator[str]:
        yield f"id Script {self.manner}"
        if self.manner != "base":
            yield "Mosquito;Ladybug;Pillbug;Telepathy"

    def answer(self, line: str) -> Iterator[Said]:
        command = line.strip()
        if self.manner == "notes":
            with Path(self.rest[0]).open("a") as notes:
                print(command, file=notes)
        if command == "exit":
            raise Exits(0)
        try:
            yield from self.obey(command)
        except (RuleError, BadGameString) as error:
            yield f"invalidmove {error}"
        yield "ok"

    def obey(self, command: str) -> Iterator[Said]:
        keyword, _, rest = command.partition(" ")
        match keyword:
            case "info":
                yield from self.banner()
            case "newgame":
                game = parse(rest)
                self.position, self.disguises = replay(GameString(game.type)), []
                for move in game.moves:
                    self.make(move)
                yield self.shown()
            case "play" | "pass":
                yield from self.play(rest or "pass")
            case "undo":
                for _ in range(int(rest or "1")):
                    self.position.undo()
                    self.disguises.pop()
                yield self.shown()
            case "bestmove":
                yield from self.think()
            case "options":
                yield from self.options(rest)
            case _:
                yield f"err unknown {keyword}"

    def shown(self) -> str:
        if self.manner != "rederives":
            return write(self.position)
        kind, state, turn, *_ = write(self.position).split(";")
        return ";".join((kind, state, turn, *self.disguises))

    def make(self, move: str) -> None:
        self.disguises.append(disguised(self.position, self.position.check(move)))
        play(self.position, move)

    def play(self, move: str) -> Iterator[str]:
        before = self.shown()
        self.make(move)
        if self.manner == "forgets":
            yield before
        elif self.manner == "refuses":
            yield "invalidmove I do not like it"
        else:
            yield self.shown()

    def options(self, rest: str) -> Iterator[str]:
        _, _, wanted = rest.partition(" ")
        name, _, value = wanted.partition(" ")
        if rest and name != "Strength":
            yield f"err no option {name}"
            return
        yield f"Strength;int;{value or 1};1;1;9"

    def think(self) -> Iterator[Said]:
        ply = len(moves_of(self.position))
        move = chosen(self.position)
        match self.manner:
            case "rederives":
                yield disguised(self.position, move)
            case "keeps":
                yield f"{self.position.legal_moves()[0]};1;0.25"
                yield f"{move.upper()};2;-0.50;{move}"
            case "late" | "deaf":
                yield Act.THINK if self.manner == "late" else Act.HANG
                yield move
            case _:
                yield from self.misbehave(ply, move)

    def misbehave(self, ply: int, move: str) -> Iterator[Said]:
        match self.manner:
            case "dies":
                raise Exits(3, "out of honey")
            case "once" if not Path(self.rest[0]).exists():
                Path(self.rest[0]).touch()
                raise Exits(1)
            case "floods":
                yield from repeat(LINE)
            case "illegal" if ply == 0:
                yield "wQ"
            case manner:
                yield ANSWERS.get(manner, move)


if __name__ == "__main__":
    run(UhpEngine(*sys.argv[1:]))
