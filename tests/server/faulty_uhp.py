"""A UHP engine that plays its first legal move, with a fault: ``python -m tests.server.faulty_uhp FAULT``.

With ``none`` or one of ``MANNERS``, it does everything right. ``FAULTS`` says which rows of a check each fault has to
spoil.
"""

import sys
from collections.abc import Iterator

from engines import Position, RuleError
from protocols.uhp.game_string import BadGameString, parse, play, replay, write
from protocols.uhp.viewer import BARE
from tests.server.scripted import Act, Exits, Said, run

BANNER, INFO, RULES = "prints a banner", "repeats its info", "plays by the rules"
MOVES, BEST, PASS, UNDO, ENDS = (
    "lists all legal moves",
    "finds legal moves",
    "passes when it must",
    "takes plies back",
    "ends games",
)
ILLEGAL, UNKNOWN, NO_GAME = (
    "refuses illegal moves",
    "refuses unknown commands",
    "refuses moves without a game",
)
TIME, INTERRUPT, OPTIONS, LONG = (
    "keeps its time",
    "minds interrupts",
    "describes its options",
    "follows a long game",
)
ROUNDS, EXIT = "plays game after game", "exits"

FAULTS: dict[str, set[str]] = {
    "no id": {BANNER},
    "other info": {INFO},
    "never ends": {ENDS},
    "plays on after the end": {ENDS},
    "empty for a pass": {PASS},
    "plays what it finds": {BEST, PASS},
    "plays anything": {ILLEGAL},
    "loses the game at an error": {ILLEGAL},
    "takes back one": {UNDO},
    "takes back too many": {UNDO},
    "dies of unknown commands": {UNKNOWN},
    "dies without a game": {NO_GAME},
    "half an option": {OPTIONS},
    "keeps no option": {OPTIONS},
    "short memory": {LONG},
    "loses the game at a bad newgame": {ROUNDS},
    "takes its leave": {EXIT},
    "no Ladybug": {"plays Base+L"},
}
BROAD: dict[str, set[str]] = {
    "forgets the turn": {RULES, UNDO, ENDS},
    "thinks of no move": {BEST, TIME, PASS, INTERRUPT},
    "misses a move": {MOVES},
    "adds a move": {MOVES},
    "lists a move twice": {MOVES},
    "best moves that are none": {BEST},
    "shows the game before": {RULES},
}
"""Faults that spoil several other rows as well, such as those of all game types."""

SILENT: dict[str, set[str]] = {
    "no ok": {BANNER},
    "thinks too long": {TIME},
}
"""Faults that are noticed only as nothing comes."""

UNINTERRUPTED = {"dies of interrupts": "An interrupt ends it", "minds no interrupt": "It ignores interrupts"}
"""What a check says of engines that know no interrupts, as UHP has none. That is no fault."""

MANNERS = ("says ok to exit", "tells what it thinks")
"""Manners of published engines that are no faults."""

OPTION = "Threads;int;1;1;1;8"


class FaultyUhp:
    """One engine."""

    def __init__(self, fault: str = "none") -> None:
        self.fault = fault
        self.position: Position | None = None

    def has(self, fault: str) -> bool:
        return self.fault == fault

    def greet(self) -> Iterator[Said]:
        yield from self.info()
        if not self.has("no ok"):
            yield "ok"

    def info(self) -> Iterator[str]:
        yield "Faulty" if self.has("no id") else "id Faulty 1"
        yield "Mosquito;Ladybug;Pillbug"

    def answer(self, line: str) -> Iterator[Said]:
        keyword, _, rest = line.partition(" ")
        if keyword == "exit":
            yield from (
                ["bye"] if self.has("takes its leave") else ["ok"] if self.has("says ok to exit") else []
            )
            raise Exits(0)
        try:
            yield from self.obey(keyword, rest)
        except BadGameString as error:
            if self.has("loses the game at a bad newgame"):
                self.position = None
            yield f"err {error}"
        except RuleError as error:
            if self.has("loses the game at an error") and self.position is not None:
                self.position = replay(parse("Base"), BARE)
            yield f"invalidmove {error}"
        yield "ok"

    def obey(self, keyword: str, rest: str) -> Iterator[Said]:
        match keyword:
            case "info":
                yield from self.info()
                yield from ["(again)"] if self.has("other info") else []
            case "newgame":
                yield self.begin(rest)
            case "options":
                yield from self.options(rest.split())
            case "play" | "pass" | "validmoves" | "bestmove" | "undo":
                yield from self.in_game(keyword, rest or "pass")
            case _ if self.has("dies of unknown commands"):
                raise Exits(101, "panicked at unknown command")
            case _:
                yield "err unknown command"

    def begin(self, text: str) -> str:
        game = parse(text or "Base")
        if self.has("short memory") and len(game.moves) > 50:
            return "err too long"
        if self.has("no Ladybug") and game.type == "Base+L" and not game.moves:
            return "err I have no Ladybug"
        self.position = replay(game, BARE)
        return write(self.position)

    def in_game(self, keyword: str, rest: str) -> Iterator[Said]:
        position = self.position
        if position is None:
            if self.has("dies without a game"):
                raise Exits(101, "no game")
            yield "err no game"
        elif keyword == "undo":
            yield self.undo(position, 1 if rest == "pass" else int(rest))
        elif position.outcome is not None:
            yield write(position) if self.has("plays on after the end") else "err the game is over"
        elif keyword == "validmoves":
            yield ";".join(self.moves(position))
        elif keyword == "bestmove":
            yield from self.best(position, rest)
        else:
            yield self.play(position, rest)

    def play(self, position: Position, move: str) -> str:
        before = write(position)
        if self.has("plays anything"):
            try:
                play(position, move)
            except RuleError:
                return before
        else:
            play(position, move)
        kind, state, turn, *moves = write(position).split(";")
        if self.has("never ends"):
            state = "InProgress"
        if self.has("forgets the turn"):
            turn = "White[1]"
        return before if self.has("shows the game before") else ";".join((kind, state, turn, *moves))

    def undo(self, position: Position, plies: int) -> str:
        if plies > position.ply:
            return write(position) if self.has("takes back too many") else "err too many"
        for _ in range(1 if self.has("takes back one") else plies):
            position.undo()
        return write(position)

    def moves(self, position: Position) -> list[str]:
        moves = position.legal_moves()
        match self.fault:
            case "misses a move" if len(moves) > 1:
                return moves[1:]
            case "adds a move":
                return [*moves, "wQ wQ"]
            case "lists a move twice":
                return [*moves, moves[0]]
            case "empty for a pass" if moves == ["pass"]:
                return []
        return moves

    def best(self, position: Position, limit: str) -> Iterator[Said]:
        move = position.legal_moves()[0]
        if limit == "time 00:00:30" and not self.has("thinks too long"):
            yield Act.HANG if self.has("minds no interrupt") else Act.THINK
            if self.has("dies of interrupts"):
                raise Exits(-2)
        match self.fault:
            case "thinks too long" if limit.startswith("time 00:00:01"):
                yield Act.THINK
            case "plays what it finds":
                play(position, move)
            case "thinks of no move":
                return
            case "best moves that are none":
                move = "wQ wQ"
            case "tells what it thinks":
                yield f"Visited nodes: 2; Scores: [('{move}', -24)]"
        yield move

    def options(self, words: list[str]) -> Iterator[str]:
        if words[1:2] == ["NoSuchOption"]:
            yield "err no such option"
        elif self.has("half an option"):
            yield "Threads;1"
        elif words[:1] == ["set"] and self.has("keeps no option"):
            yield OPTION.replace(";1;1;", ";4;1;", 1)
        else:
            yield OPTION


if __name__ == "__main__":
    run(FaultyUhp(*sys.argv[1:]))
