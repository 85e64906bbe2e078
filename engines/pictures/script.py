"""Runs the drawing code of the page in an interpreter of its own, which can do nothing but compute."""

import json
from pathlib import Path

import quickjs

from engines.pictures.order import Order

SCRIPT = Path(__file__).parent / "script" / "drawing.js"
"""Made from ``web/src/picture`` by the build of the page."""

MEMORY = 256 << 20
"""Bytes that a script may use."""

SECONDS = 10
"""Of processor time for one picture; the largest boards take about one."""


class PictureError(Exception):
    """Why there is no picture."""


class DrawingScript:
    """The script, loaded. Used by the thread that made it only."""

    def __init__(self, script: Path = SCRIPT, seconds: int = SECONDS) -> None:
        """``seconds``: the most processor time for a picture. Raises PictureError if the page has not been built."""
        if not script.is_file():
            raise PictureError("The boards have not been built: run `make web`.")
        self._context = quickjs.Context()
        self._context.set_memory_limit(MEMORY)
        self._context.set_time_limit(seconds)
        self._context.eval(script.read_text(encoding="utf-8"))
        self._draw = self._context.get("draw")

    def svg_of(self, order: Order) -> str:
        """The picture as a whole SVG document. Raises PictureError, after which the script may not work any more."""
        try:
            svg: str = json.loads(self._draw(order.text))
        except (quickjs.JSException, quickjs.StackOverflow) as error:
            raise PictureError(_sentence(error)) from None
        return svg


def _sentence(error: Exception) -> str:
    """The message of a script's error, without its kind where that says nothing."""
    text = str(error).partition("\n")[0].removeprefix("Error: ")
    return "The script ran out of memory." if text == "null" else text
