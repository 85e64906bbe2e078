"""Suggestions in messages about unknown names. Called by the command line and by the server."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST_NAME = 100
"""How many characters of an unknown name are compared."""

NEAR = 0.6
"""The least similarity (``difflib``) of a name that was probably meant."""


def near_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant; None if none is near. Upper and lower case do not matter."""
    by_folded = {other.casefold(): other for other in known}
    close = get_close_matches(name[:LONGEST_NAME].casefold(), list(by_folded), n=1, cutoff=NEAR)
    return by_folded[close[0]] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known one that was probably meant. Empty if none is near."""
    near = near_name(name, known)
    return "" if near is None else f": did you mean '{near}'?"


def known_names(name: str, known: Iterable[str]) -> str:
    """The same, but if none is near, all of them. Empty if there are none."""
    listed = list(known)
    return did_you_mean(name, listed) or (f": choose from {', '.join(listed)}" if listed else "")
