"""What is drawn: a position as spectators see it, and either the width of its picture or the texts of a card."""

import json
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal

from engines._core import Position, games

Theme = Literal["light", "dark"]

MIN_WIDTH, MAX_WIDTH = 64, 1600
"""The width of a picture, in pixels."""


@dataclass(frozen=True, slots=True)
class PlayerText:
    """A player on a card. ``points`` is empty in games without points."""

    name: str
    points: str = ""


@dataclass(frozen=True, slots=True)
class CardTexts:
    """What a card says beside the board. ``subtitle`` is the variant, ``status`` whose turn it is, or the result."""

    title: str
    subtitle: str
    players: tuple[PlayerText, ...]
    status: str


@dataclass(frozen=True, slots=True)
class Order:
    """A picture to draw, as JSON for the script: what is the same is drawn the same."""

    text: str


def order_of(
    position: Position, what: int | CardTexts, *, theme: Theme = "light", is_flipped: bool = False
) -> Order:
    """The order for a picture of ``what`` pixels in width, or for a card of 1200x630 pixels with these texts.

    ValueError for a width that is not from ``MIN_WIDTH`` to ``MAX_WIDTH``.
    """
    if isinstance(what, int) and not MIN_WIDTH <= what <= MAX_WIDTH:
        raise ValueError(f"a picture is {MIN_WIDTH} to {MAX_WIDTH} pixels wide, not {what}")
    shown = {
        "game": position.game,
        "variant": position.variant,
        "about": about_of(position.game),
        "view": position.view(),
        "lastMove": position.last_move,
        "isFlipped": is_flipped,
        "theme": theme,
    }
    extent = {"width": what} if isinstance(what, int) else {"card": asdict(what)}
    return Order(json.dumps({**shown, **extent}))


@cache
def about_of(name: str) -> dict[str, Any]:
    """What the catalogue says about a game."""
    return next(game.about for game in games() if game.name == name)
