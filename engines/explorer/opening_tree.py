"""Files of openings with results: the moves of many games from one start as a tree.

A file is text. Its first line is a JSON object with ``format``, the ``game``, its ``variant`` and ``config``; ``made``
says how the games were played. Every further line is a move of the tree, in depth-first order::

    ply games draws wins-of-each-seat [scored points-of-each-seat] move

``ply`` is the number of moves before it; the line of ply 0 without a move is the start with all games. ``self_play``
makes these files; those in ``trees/`` come with Plyhouse.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engines import Position, RuleError
from engines.explorer.places import Place, Places, name_of
from engines.explorer.tally import Crossroads, OpeningTally

FORMAT: Final = "plyhouse opening tree 1"

FOLDER: Final = Path(__file__).parent / "trees"
"""The trees that come with Plyhouse."""


class BadTree(ValueError):
    """An unusable file. The text is a sentence that names the file, and the line if there is one."""


@dataclass(slots=True)
class Node:
    """The games that reached a place of the tree, and the moves that were recorded there."""

    tally: OpeningTally
    next: dict[str, "Node"] = field(default_factory=dict)

    def add(self, moves: Sequence[str], one: OpeningTally) -> None:
        """Adds a game that began with these moves; ``one`` is its tally."""
        node = self
        node.tally += one
        for move in moves:
            known = node.next.get(move)
            if known is None:
                node.next[move] = node = Node(one)
            else:
                known.tally += one
                node = known

    def lines(self, least: int, ply: int = 0) -> Iterator[str]:
        """The lines below this node of the moves that at least ``least`` games played, most played first."""
        for move, node in sorted(self.next.items(), key=lambda item: (-item[1].tally.games, item[0])):
            if node.tally.games >= least:
                yield f"{ply} {_numbers(node.tally)} {move}"
                yield from node.lines(least, ply + 1)


def write_tree(path: Path, head: Mapping[str, Any], root: Node, least: int) -> None:
    """Writes a new file, without moves that fewer than ``least`` games played. Raises OSError."""
    with path.open("x", encoding="utf-8") as file:
        print(json.dumps({"format": FORMAT, **head}, ensure_ascii=False), file=file)
        print(f"0 {_numbers(root.tally)}", file=file)
        file.writelines(f"{line}\n" for line in root.lines(least))


@dataclass(frozen=True)
class OpeningTree:
    """A file that has been read: what was played in each place. ``made``: how."""

    game: str
    variant: str
    made: Mapping[str, Any]
    crossroads: Mapping[Place, Crossroads]


def read_tree(path: Path) -> OpeningTree:
    """Reads a file, playing all its moves. Raises BadTree."""
    try:
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        head = json.loads(first)
        start = _public(Position(head["game"], head["variant"], head.get("config")))
        if head["format"] != FORMAT:
            raise BadTree(f"{path} is not a file of opening trees: its format is not '{FORMAT}'")
        made = head.get("made", {})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadTree(f"the openings {path} cannot be read: {error}") from None
    reading = _Reading(start)
    for number, line in enumerate(lines, start=2):
        try:
            reading.take(line)
        except (RuleError, ValueError, IndexError) as error:
            raise BadTree(f"{path}, line {number}: {error}") from None
    return OpeningTree(start.game, start.variant, made, reading.crossroads())


class _Reading:
    """Adds up the lines of a file. Places that are reached in several ways have the games of all of them."""

    def __init__(self, start: Position) -> None:
        self._position = start.copy()
        self._none = OpeningTally.none(start)
        self._places = Places(start)
        self._totals: dict[Place, OpeningTally] = {}
        self._moves: dict[Place, dict[str, OpeningTally]] = {}

    def take(self, line: str) -> None:
        seats, scored = len(self._none.won), len(self._none.points)
        count = 3 + seats + (1 + scored if scored else 0)
        words = line.split(" ", count)
        tally = _tally(words[1:count], seats)
        if len(words) > count:
            while self._position.ply > int(words[0]):
                self._position.undo()
            moves = self._moves.setdefault(self._places.of(self._position), {})
            move = name_of(self._position, words[count])
            moves[move] = moves.get(move, self._none) + tally
            self._position.play(words[count])
        place = self._places.of(self._position)
        self._totals[place] = self._totals.get(place, self._none) + tally

    def crossroads(self) -> dict[Place, Crossroads]:
        return {place: Crossroads(total, self._moves.get(place, {})) for place, total in self._totals.items()}


def _public(start: Position) -> Position:
    """The same start without what is hidden, of which each game has its own."""
    return Position(start.game, start.variant, start.config)


def _numbers(tally: OpeningTally) -> str:
    points = [tally.scored, *(f"{points:g}" for points in tally.points)] if tally.points else []
    return " ".join(map(str, (tally.games, tally.draws, *tally.won, *points)))


def _tally(words: Sequence[str], seats: int) -> OpeningTally:
    games, draws, *won = map(int, words[: 2 + seats])
    scored, *points = words[2 + seats :] or ["0"]
    return OpeningTally(games, draws, tuple(won), int(scored), tuple(map(float, points)))
