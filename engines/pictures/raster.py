"""Turns SVG into PNG."""

from pathlib import Path

import resvg_py

FONTS = Path(__file__).parent / "fonts"
"""Inter in two weights, for Latin, Greek and Cyrillic letters; licensed under the SIL Open Font License."""

FAMILY = "Inter"


def png_of(svg: str) -> bytes:
    """The picture in the size that the SVG names, in pixels. Fonts of the system are not used."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=[str(path) for path in sorted(FONTS.glob("*.otf"))],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
