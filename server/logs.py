"""Logging of a running server: one line for each record, whatever texts of clients are in it.

Addresses are logged without their query, which may hold a seat's token.
"""

import logging
import re

_WORD = re.compile(r"\S+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What would begin another line, or move the cursor of a terminal."""


class WithoutQueries(logging.Filter):
    """Cuts the query off every address in a record's arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mends the record; it is logged in any case."""
        if isinstance(record.args, tuple):
            record.args = tuple(_cut(value) for value in record.args)
        return True


def _cut(value: object) -> object:
    return _WORD.sub(_address, value) if isinstance(value, str) else value


def _address(word: re.Match[str]) -> str:
    """The word up to the first question mark behind a slash. Each sign is looked at once, however long it is."""
    text = word.group()
    slash = text.find("/")
    query = text.find("?", slash)
    return text[:query] if 0 <= slash < query else text


class OneLine(logging.Formatter):
    """Writes the control characters of a message as escapes; a traceback keeps its lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        """The line of a record."""
        record.message = _CONTROL.sub(_escaped, record.message)
        return super().formatMessage(record)


def _escaped(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode()


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_queries": {"()": WithoutQueries}},
    "formatters": {"line": {"()": OneLine, "fmt": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["without_queries"]}
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {"uvicorn.error": {"level": "INFO"}, "uvicorn.access": {"level": "INFO"}},
}
"""One line on stderr for each record."""
