"""A move as it is written in a record, with the moves that follow it: the main line first, then its variations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

GLYPHS: Final[Mapping[int, str]] = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
"""The marks of moves, by their numbers in PGN ("numeric annotation glyphs")."""


@dataclass(slots=True)
class WrittenMove:
    """One move, unchecked, and its line in the text. The move of a root is empty."""

    text: str
    line: int
    comment: str = ""
    glyph: str = ""
    next: list["WrittenMove"] = field(default_factory=list)

    def main_line(self) -> list["WrittenMove"]:
        """The moves behind this one without variations."""
        moves: list[WrittenMove] = []
        following = self.next
        while following:
            moves.append(following[0])
            following = following[0].next
        return moves
