"""The themes of Carcassonne: what a move scores, and where its meeple goes."""

from collections.abc import Iterator
from typing import Final

from engines import Position
from engines.puzzles.checks import PuzzleMove

TITLES: Final = {
    "points-now": "Points now",
    "others-score": "Points for the other player",
    "no-points": "No points yet",
    "city": "Meeple on a city",
    "road": "Meeple on a road",
    "field": "Meeple on a field",
    "monastery": "Meeple on a monastery",
    "no-meeple": "Keeping the meeple",
    "last-tiles": "Last tiles",
}

_FEATURES: Final = ("city", "road", "field", "monastery")

_LAST_TILES: Final = 10


def themes(position: Position, asked: PuzzleMove) -> Iterator[str]:
    """The themes of a position with its best move."""
    seat = asked.seat
    placed = position.after(asked.best, seat, deal=0).view()["lastMove"]
    others = sum(points for other, points in enumerate(placed["points"]) if other != seat)
    if placed["points"][seat]:
        yield "points-now"
    elif others:
        yield "others-score"
    else:
        yield "no-points"
    view = position.view()
    spot = placed.get("spot")
    if spot is not None:
        yield from (feature for feature in _FEATURES if spot.startswith(feature))
    elif view["supply"][seat]:
        yield "no-meeple"
    if view["tilesRemaining"] < _LAST_TILES:
        yield "last-tiles"
