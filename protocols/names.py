"""Rules for names that clients choose and others see: names of bots and people, and values of their appearance.

Such a name must be short, and must neither control a terminal nor change the direction of the text around it. Used by
every protocol that reads names, and for HTTP bodies.
"""

import unicodedata
from typing import Final

MAX_NAME: Final = 64
"""The longest name, in characters."""

MOST_VERSION: Final = 32
"""The longest version of a bot, in characters."""

_DIRECTIONS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that change the direction of text."""

_BLANK: Final = frozenset({"Zs", "Zl", "Zp", "Cf"})
"""Categories of characters that show nothing."""

_FILLERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing: the fillers of Hangul, and Braille without dots."""


def name_fault(name: str, longest: int = MAX_NAME) -> str | None:
    """What is wrong with ``name``, as the end of the sentence "a name must …"; None if it is valid, or empty."""
    if len(name) > longest:
        return f"have at most {longest} characters"
    if any(sign in _DIRECTIONS or unicodedata.category(sign) == "Cc" for sign in name):
        return "have no control characters and no marks that change the direction of text"
    if name and all(unicodedata.category(sign) in _BLANK or sign in _FILLERS for sign in name):
        return "have a visible character"
    return None


def version_fault(version: str) -> str | None:
    """What is wrong with the version of a bot, as ``name_fault``. ``@`` ends the name of a bot where both are shown."""
    return "not contain '@'" if "@" in version else name_fault(version, MOST_VERSION)


def begins_like(name: str, prefix: str) -> bool:
    """Whether ``name`` appears to begin with ``prefix`` (lower-case ASCII), ignoring case.

    Compatibility forms of letters (NFKC) count as the letters; invisible characters and leading spaces are ignored.
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    visible = "".join(sign for sign in plain if unicodedata.category(sign) not in ("Cc", "Cf"))
    return visible.lstrip().startswith(prefix)
