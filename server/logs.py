"""Logging of every command: one line for each record, whatever texts of clients are in it.

Addresses are logged without their query, which may hold a seat's token, also where its question mark is percent-encoded
and so belongs to the path. Whatever still looks like a token is left out of messages and tracebacks.
"""

import logging
import re
from collections.abc import Mapping
from typing import Any

_WORD = re.compile(r"\S+")
_QUESTION_MARK = re.compile(r"\?|%(?:25)*3f", re.IGNORECASE)
_TOKEN = re.compile(r"(token(?:=|%(?:25)*3d))[^\s&\"']+", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What would begin another line, or move the cursor of a terminal."""


class WithoutQueries(logging.Filter):
    """Cuts the query off every address in a record's arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mends the record; it is logged in any case."""
        if isinstance(record.args, Mapping):
            record.args = {name: _cut(value) for name, value in record.args.items()}
        elif record.args:
            record.args = tuple(_cut(value) for value in record.args)
        return True


def _cut(value: object) -> object:
    return _WORD.sub(_address, value) if isinstance(value, str) else value


def _address(word: re.Match[str]) -> str:
    """The word up to the first question mark behind a slash. Each sign is looked at once, however long it is."""
    text = word.group()
    slash = text.find("/")
    query = None if slash < 0 else _QUESTION_MARK.search(text, slash)
    return text if query is None else text[: query.start()]


class OneLine(logging.Formatter):
    """Writes the control characters of a message as escapes; a traceback keeps its lines. Neither shows a token."""

    def format(self, record: logging.LogRecord) -> str:
        """The lines of a record."""
        return _TOKEN.sub(r"\1…", super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        """The line of a record."""
        record.message = _CONTROL.sub(_escaped, record.message)
        return super().formatMessage(record)


def _escaped(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode()


SERVER_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"

CLIENT_LINE = "%(asctime)s %(message)s"
"""For commands that tell one person how their own game or bot is doing."""


def configuration(line: str = SERVER_LINE) -> dict[str, Any]:
    """The logging of every command, for ``logging.config.dictConfig``: one ``line`` on stderr for each record."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"without_queries": {"()": WithoutQueries}},
        "formatters": {"line": {"()": OneLine, "fmt": line}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["without_queries"]}
        },
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {"uvicorn.error": {"level": "INFO"}, "uvicorn.access": {"level": "INFO"}},
    }
