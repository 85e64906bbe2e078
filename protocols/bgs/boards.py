"""What bots may offer of each game: its variants, and the boards of those whose size is told.

Read from the catalogue, so nothing here names a game. Called by the judgement of attach messages, by our own bot
client, and by the server for its built-in bots.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engines import Game, games
from protocols.bgs.messages import DEFAULT_GAME, BoardSize, Range, VariantOffer

MOST_RECOMMENDED: Final = 3
"""The most board sizes that an offer recommends."""

_NOT_OFFERED: Final[Mapping[str, tuple[str, ...]]] = {DEFAULT_GAME: ("survival",)}
"""Variants that the protocol keeps from bots, by game."""


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of a variant: the sides that any offer keeps within, and the usual size, or the only one."""

    width: Range
    height: Range
    usual: BoardSize
    is_fixed: bool = False

    @property
    def recommended(self) -> Range:
        """How many sizes an offer recommends: where there is one size only, nothing is left to say."""
        return Range(0, 0) if self.is_fixed else Range(1, MOST_RECOMMENDED)

    @property
    def whole(self) -> VariantOffer:
        """The offer of every board."""
        usual = self.usual
        if self.is_fixed:
            width, height = usual.board_width, usual.board_height
            return VariantOffer(Range(width, width), Range(height, height))
        return VariantOffer(self.width, self.height, (usual,))


Terms = Mapping[str, Boards | None]
"""The variants of a game, and the boards of each: None where their size is not told."""


def terms_of(game: Game) -> Terms:
    """The terms of a game of the catalogue."""
    about = game.about
    if "boardWidth" not in about:
        return dict.fromkeys(game.variants)
    fixed = about.get("fixedBoards", {})
    return {variant: _boards(about, fixed.get(variant)) for variant in game.variants}


def attachable(offered: Iterable[Game]) -> dict[str, Terms]:
    """By game, what attached bots may offer."""
    return {
        game.name: {
            name: boards
            for name, boards in terms_of(game).items()
            if name not in _NOT_OFFERED.get(game.name, ())
        }
        for game in offered
    }


def whole_offer(boards: Boards | None) -> VariantOffer:
    """The offer of everything that a variant has."""
    return VariantOffer() if boards is None else boards.whole


def sides() -> Range:
    """The sides of the default game's boards, which its own calls check before its rules do."""
    default = next(game for game in games() if game.name == DEFAULT_GAME)
    return _range(default.about["boardWidth"])


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
