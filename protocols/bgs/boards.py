"""What bots may offer for each game: variants, and board sizes if the game has a choice of them.

Read from the catalogue, so nothing here names a game. Used to validate attach messages, by our own bot client, and by
the server for its built-in bots.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engines import Game, games
from protocols.dialects import dialect_of
from protocols.values import BoardSize, Range, VariantOffer

MOST_RECOMMENDED: Final = 3
"""The most board sizes that an offer may recommend."""


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of a variant: the limits of their sides, and the usual size, or the only one if ``is_fixed``."""

    width: Range
    height: Range
    usual: BoardSize
    is_fixed: bool = False

    @property
    def recommended(self) -> Range:
        """How many sizes an offer recommends: none if there is only one size."""
        return Range(0, 0) if self.is_fixed else Range(1, MOST_RECOMMENDED)

    @property
    def whole(self) -> VariantOffer:
        """The offer of all boards."""
        usual = self.usual
        if self.is_fixed:
            width, height = usual.board_width, usual.board_height
            return VariantOffer(Range(width, width), Range(height, height))
        return VariantOffer(self.width, self.height, (usual,))


Terms = Mapping[str, Boards | None]
"""The boards of each variant of a game; None for variants without a board size."""


def terms_of(game: Game) -> Terms:
    """The variants and boards of a game of the catalogue."""
    about = game.about
    if "boardWidth" not in about:
        return dict.fromkeys(game.variants)
    fixed = about.get("fixedBoards", {})
    return {variant: _boards(about, fixed.get(variant)) for variant in game.variants}


def attachable(offered: Iterable[Game]) -> dict[str, Terms]:
    """What attached bots may offer, by game."""
    return {game.name: _attachable(game) for game in offered}


def _attachable(game: Game) -> Terms:
    dialect, terms = dialect_of(game.name), terms_of(game)
    return {name: terms[name] for name in terms if dialect is None or dialect.is_for_bots(name)}


def whole_offer(boards: Boards | None) -> VariantOffer:
    """The offer of all boards of a variant."""
    return VariantOffer() if boards is None else boards.whole


def sides() -> Range:
    """The smallest and the greatest side length of the boards of all games."""
    limits = [
        game.about[side] for game in games() for side in ("boardWidth", "boardHeight") if side in game.about
    ]
    return Range(min(limit["min"] for limit in limits), max(limit["max"] for limit in limits))


def _boards(about: Mapping[str, Any], fixed: Mapping[str, int] | None) -> Boards:
    usual = fixed or {side: about[side]["default"] for side in ("boardWidth", "boardHeight")}
    return Boards(
        _range(about["boardWidth"]),
        _range(about["boardHeight"]),
        BoardSize(usual["boardWidth"], usual["boardHeight"]),
        is_fixed=fixed is not None,
    )


def _range(limits: Mapping[str, int]) -> Range:
    return Range(limits["min"], limits["max"])
