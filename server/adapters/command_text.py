"""Commands of programs as users write them on our command line."""

import re
import shlex


def split_settings(text: str, setting: re.Pattern[str]) -> tuple[dict[str, str], str]:
    """The settings at the start of a command, each a match of ``setting`` (name and value), and the rest of it."""
    settings: dict[str, str] = {}
    while found := setting.match(text):
        settings[found[1]] = found[2]
        text = text[found.end() :]
    return settings, text


def command_words(text: str) -> tuple[str, ...]:
    """Splits a command as a shell does; quotes around the whole of it are dropped first. Raises ValueError."""
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]
    try:
        words = shlex.split(text[1:-1] if is_quoted else text)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None
    if not words:
        raise ValueError("there is no command")
    return tuple(words)
