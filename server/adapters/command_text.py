"""Commands of programs as users write them on our command line."""

import shlex


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
