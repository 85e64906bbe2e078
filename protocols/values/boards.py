"""The variants and board sizes that a bot plays."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """An inclusive range of board sizes."""

    min: int
    max: int

    def __contains__(self, size: int) -> bool:
        return self.min <= size <= self.max


@dataclass(frozen=True, slots=True)
class BoardSize:
    """A board size that a bot recommends."""

    board_width: int
    board_height: int


@dataclass(frozen=True, slots=True)
class VariantOffer:
    """A variant that a bot plays. Board ranges are set only for games with a choice of board size."""

    board_width: Range | None = None
    board_height: Range | None = None
    recommended: tuple[BoardSize, ...] = ()
