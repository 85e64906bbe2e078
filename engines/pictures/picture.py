"""The picture of a position, for programs and notebooks."""

from dataclasses import dataclass
from threading import local

from engines._core import Position
from engines.pictures.order import Theme, order_of
from engines.pictures.raster import png_of
from engines.pictures.script import DrawingScript


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as SVG. Notebooks show it."""

    svg: str

    def png(self) -> bytes:
        """The picture as PNG."""
        return png_of(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg


class _Scripts(local):
    """The script of each thread, loaded when it is needed first."""

    script: DrawingScript | None = None


_scripts = _Scripts()


def picture(
    position: Position, *, width: int = 600, theme: Theme = "light", flipped: bool = False
) -> Picture:
    """The board with a position as spectators see it, as the page draws it, ``width`` pixels wide.

    Raises PictureError if the page has no board for the game, and ValueError for a width below 64 or above 1600.
    """
    order = order_of(position, width, theme=theme, is_flipped=flipped)
    script, _scripts.script = _scripts.script or DrawingScript(), None
    drawn = Picture(script.svg_of(order))
    _scripts.script = script
    return drawn
