"""The metadata of a network's file: the game and the boards that the network was made for.

ONNX files hold it as ``metadata_props``. Trainers write it when they export a network (``ModelMetadata.properties``);
``onnx_model.py`` reads it. docs/models.md lists the keys.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engines import games

GAME, BOARDS = "game", "boards"
"""The keys."""


class BadMetadata(ValueError):
    """The metadata cannot be read. The text is one line."""


@dataclass(frozen=True)
class BoardRange:
    """All boards from ``least`` to ``most`` (columns, rows), in both dimensions independently; both are included."""

    least: tuple[int, int]
    most: tuple[int, int]

    def __post_init__(self) -> None:
        if min(self.least) < 1 or any(
            least > most for least, most in zip(self.least, self.most, strict=True)
        ):
            raise BadMetadata(f"{self} is not a range of boards such as 5x5-12x10")

    def __contains__(self, size: tuple[int, int]) -> bool:
        sides = zip(self.least, size, self.most, strict=True)
        return all(least <= side <= most for least, side, most in sides)

    def __str__(self) -> str:
        return "-".join(f"{columns}x{rows}" for columns, rows in (self.least, self.most))

    @classmethod
    def parse(cls, text: str) -> "BoardRange":
        """Reads ``5x5-12x10``, or ``8x8`` for one size. Raises BadMetadata."""
        if not re.fullmatch(r"\d{1,3}x\d{1,3}(-\d{1,3}x\d{1,3})?", text, re.ASCII):
            raise BadMetadata(f"'{text}' is not a range of boards such as 5x5-12x10")
        sizes = []
        for size in text.split("-"):
            columns, rows = map(int, size.split("x"))
            sizes.append((columns, rows))
        return cls(sizes[0], sizes[-1])


@dataclass(frozen=True)
class ModelMetadata:
    """The game and the boards that a network was made for; None: the file does not say."""

    game: str | None = None
    boards: BoardRange | None = None

    def properties(self) -> dict[str, str]:
        """The entries to write to ``metadata_props``; ``read`` reads them."""
        entries = {GAME: self.game, BOARDS: self.boards}
        return {key: str(value) for key, value in entries.items() if value is not None}

    @classmethod
    def read(cls, properties: Mapping[str, str]) -> "ModelMetadata":
        """Reads ``metadata_props``; ignores other keys. Raises BadMetadata, naming the key."""
        game = properties.get(GAME)
        known = [one.name for one in games()]
        if game is not None and game not in known:
            raise BadMetadata(f"its metadata {GAME}: '{game}' is not one of {', '.join(known)}")
        try:
            boards = BoardRange.parse(properties[BOARDS]) if BOARDS in properties else None
        except BadMetadata as error:
            raise BadMetadata(f"its metadata {BOARDS}: {error}") from None
        return cls(game, boards)
