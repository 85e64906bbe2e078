"""Pictures of positions, drawn by the boards of the page without a browser.

* ``order.py``: what is drawn, and how it is seen
* ``script.py``: runs the page's own drawing code, which the build of the page bundles into one script
* ``raster.py``: turns its SVG into PNG, with a font of ours, as servers often have none
* ``picture.py``: the picture of a position, for programs
* ``__main__.py``: draws for another process: a drawing may keep Python's interpreter lock for a second

Needs neither a server nor a network.
"""

from engines.pictures.order import CardTexts, Order, PlayerText, Theme, order_of
from engines.pictures.picture import Picture, picture
from engines.pictures.raster import png_of
from engines.pictures.script import DrawingScript, PictureError

__all__ = [
    "CardTexts",
    "DrawingScript",
    "Order",
    "Picture",
    "PictureError",
    "PlayerText",
    "Theme",
    "order_of",
    "picture",
    "png_of",
]
