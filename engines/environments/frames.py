"""Positions as text and as pixels, for ``render``."""

import io

import numpy as np
import numpy.typing as npt

from engines import Position
from engines.pictures import picture
from engines.text_boards import position_text

WIDTH = 480
"""Of a frame, in pixels."""

LATEST_MOVES = 6


def pixels(position: Position) -> npt.NDArray[np.uint8]:
    """The board as the page draws it, ``(height, width, 3)``."""
    from PIL import Image  # Pillow belongs to the extra; batches do without it.

    image = Image.open(io.BytesIO(picture(position, width=WIDTH).png()))
    return np.asarray(image.convert("RGB"))


def text(position: Position) -> str:
    """The state of the game, and the board drawn in characters."""
    acting = ", ".join(str(seat) for seat in position.to_act)
    outcome = position.outcome
    lines = [f"{position.game} {position.variant}, ply {position.ply}"]
    if outcome is None:
        lines.append(f"to move: {acting}")
    else:
        winners = ", ".join(str(seat) for seat in outcome.winners) or "nobody"
        lines.append(f"over ({outcome.reason}), won by {winners}")
    scores = outcome.scores if outcome and outcome.scores else position.scores
    if scores is not None:
        lines.append("points: " + " ".join(f"{score:g}" for score in scores))
    lines.append("moves: " + (" ".join(position.history[-LATEST_MOVES:]) or "none"))
    return "\n".join([*lines, position_text(position)])
