"""The boards on which the network of a game is trained, and how often each of them."""

from dataclasses import dataclass, field
from typing import Any

from engines import Layout, Position, RuleError, known_members
from engines.board_starts import SIDES


def layout_of(position: Position) -> Layout:
    """The layout of networks for a position's board. Raises ValueError if the game has none."""
    layout = position.layout
    if layout is None or not layout.is_trained:
        raise ValueError(f"no networks are trained for {position.game}")
    return layout


@dataclass(frozen=True)
class TrainingBoard:
    """A variant on a board."""

    game: str
    variant: str
    config: dict[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    """The time that self-play spends on it, compared with other boards."""

    def start(self, seed: int) -> Position:
        """The start position; games without a random start ignore the seed."""
        return Position(
            self.game, self.variant, {**self.config, **known_members(self.game, {"seed": seed % 2**32})}
        )

    @property
    def layout(self) -> Layout:
        """The layout of networks for it. Raises ValueError if the game has none."""
        return layout_of(self.start(0))

    def __str__(self) -> str:
        """Such as ``standard 8x8``."""
        layout = self.layout
        return f"{self.variant} {layout.dim2}x{layout.dim3}"


SIZES: dict[str, dict[tuple[int, int], float]] = {
    "wallwars": {(8, 8): 6, (5, 5): 1, (6, 6): 1, (7, 7): 1, (9, 9): 1, (10, 10): 1, (12, 10): 2},
}
"""Board sizes by game, with their weights; the variants of games that are not listed have one size each."""

VARIANTS: dict[str, dict[str, float]] = {
    "wallwars": {"standard": 1, "classic": 1},
    "pyrat": {"medium": 3, "tiny": 3, "asymmetric": 2, "small": 2, "large": 2, "open": 1, "huge": 1},
}
"""The variants that a network of the game plays, with their weights; of other games the first one."""


def boards_of(
    game: str, variant: str | None = None, sizes: list[tuple[int, int]] | None = None
) -> list[TrainingBoard]:
    """The boards to train on: those of the variants and sizes asked for, otherwise all.

    Raises RuleError for a game, variant or size that does not exist, ValueError for a game without networks.
    """
    variants = {variant: 1.0} if variant else VARIANTS.get(game, {Position(game).variant: 1.0})
    weights = dict.fromkeys(sizes, 1.0) if sizes else SIZES.get(game, {})
    boards = [
        TrainingBoard(game, each, _config_of(game, each, size) if size else {}, share * weight)
        for each, share in variants.items()
        for size, weight in weights.items() or [(None, 1.0)]
    ]
    for board in boards:
        layout_of(board.start(0))
    return boards


def _config_of(game: str, variant: str, size: tuple[int, int]) -> dict[str, Any]:
    """The configuration of a board with so many columns and rows. Raises RuleError."""
    sized = [dict(zip(names, size, strict=True)) for names in SIDES]
    config = next((each for each in sized if known_members(game, each) == each), None)
    if config is None:
        raise RuleError(f"the boards of {game} have one size")
    try:
        Position(game, variant, config)
    except RuleError as error:
        raise RuleError(f"{game} {variant} on {size[0]}x{size[1]}: {error}") from None
    return config
