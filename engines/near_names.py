"""Suggestions in messages about unknown names. Called by the command line and by the server."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST_NAME = 100
"""How many characters of an unknown name are compared."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest known one. Empty if there is none."""
    close = get_close_matches(name[:LONGEST_NAME], list(known), n=1, cutoff=0.0)
    return f": did you mean '{close[0]}'?" if close else ""
