"""Commands of programs as users write them on our command line."""

import re
import shlex

from programs.seat_programs import UnsuitableProgram

MOST_DIGITS = 9


def split_settings(text: str, setting: re.Pattern[str]) -> tuple[dict[str, str], str]:
    """The settings at the start of a command, each a match of ``setting`` (name and value), and the rest of it."""
    settings: dict[str, str] = {}
    while found := setting.match(text):
        settings[found[1]] = found[2]
        text = text[found.end() :]
    return settings, text


def command_words(text: str) -> tuple[str, ...]:
    """Splits a command as a shell does; quotes around the whole of it are dropped first.

    Raises UnsuitableProgram.
    """
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]
    try:
        words = shlex.split(text[1:-1] if is_quoted else text)
    except ValueError as error:
        raise UnsuitableProgram(f"{text!r}: {error}") from None
    if not words:
        raise UnsuitableProgram("there is no command")
    return tuple(words)


def read_number(text: str, why: str) -> int:
    """Parses a number above zero with at most nine digits. Raises UnsuitableProgram, which says ``why``."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0):
        raise UnsuitableProgram(why)
    return int(text)
