"""The boards on which the network of a game is trained, and how often each of them."""

from dataclasses import dataclass, field
from typing import Any

from engines import Layout, Position


def layout_of(position: Position) -> Layout:
    """The layout of networks for a position's board. Raises ValueError if the game has none."""
    layout = position.layout
    if layout is None:
        raise ValueError(f"{position.game} has no network planes, so no network can be trained for it")
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
        return Position(self.game, self.variant, {**self.config, "seed": seed % 2**32})

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
"""Board sizes by game, with their weights; games that are not listed have one size for each variant."""

VARIANTS: dict[str, tuple[str, ...]] = {"wallwars": ("standard", "classic")}
"""The variants that a network of the game plays."""


def boards_of(
    game: str, variant: str | None = None, sizes: list[tuple[int, int]] | None = None
) -> list[TrainingBoard]:
    """The boards to train on: those of the variants and sizes asked for, otherwise all.

    Raises RuleError for a game, variant or size that does not exist, ValueError for a game without network planes, or
    with seats that act together, for which there is no self-play.
    """
    variants = (variant,) if variant else VARIANTS.get(game, ())
    weights = dict.fromkeys(sizes, 1.0) if sizes else SIZES.get(game, {})
    boards = [
        TrainingBoard(game, each, {"boardWidth": columns, "boardHeight": rows}, weight)
        for each in variants or (Position(game).variant,)
        for (columns, rows), weight in weights.items()
    ] or [TrainingBoard(game, each) for each in variants or (Position(game).variant,)]
    for board in boards:
        if board.layout.policies > 1:
            raise ValueError(f"the seats of {game} act together: there is no self-play for such games")
    return boards
