"""A move as it is written in a record, with the moves that follow it: the main line first, then its variations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

GLYPHS: Final[Mapping[int, str]] = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
"""The marks of moves, by their numbers in PGN ("numeric annotation glyphs")."""


LONGEST_COMMENT: Final = 2000
"""How many characters of a comment are kept."""


@dataclass(slots=True)
class WrittenMove:
    """One move, unchecked, and its line in the text. The move of a root is empty."""

    text: str
    line: int
    comment: str = ""
    glyph: str = ""
    next: list["WrittenMove"] = field(default_factory=list)

    def add_comment(self, text: str) -> None:
        """Adds a comment behind those before, as far as there is room: one character more says that it was cut."""
        if text and len(self.comment) <= LONGEST_COMMENT:
            self.comment = f"{self.comment} {text}".strip()[: LONGEST_COMMENT + 1]

    def main_line(self) -> list["WrittenMove"]:
        """The moves behind this one without variations."""
        moves: list[WrittenMove] = []
        following = self.next
        while following:
            moves.append(following[0])
            following = following[0].next
        return moves
