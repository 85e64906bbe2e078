"""The text of a view: the drawing of its game, and the members that the drawing does not show."""

import json
from collections.abc import Mapping
from typing import Any

from engines._core import Position
from engines.text_boards.drawing import Drawing
from engines.text_boards.drawings import drawing_of

NO_DRAWING = Drawing((), lambda _: "", frozenset())


def position_text(position: Position, seat: int | None = None) -> str:
    """The position as ``seat`` may see it; None is a spectator."""
    return board_text(position.game, position.view(seat))


def board_text(game: str, view: Mapping[str, Any]) -> str:
    """A view of ``Position.view`` as lines of text. A game without a drawing is written as members only."""
    drawing = drawing_of(game) or NO_DRAWING
    rest = [f"{name}: {_value(value)}" for name, value in view.items() if name not in drawing.shows]
    return "\n".join(filter(None, (*drawing.legend, drawing.draw(view), *rest)))


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
