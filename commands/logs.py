"""The logging of all commands: one line per record, whatever a client's text contains.

Addresses are logged without their query, which may contain a seat's token, even if its question mark is
percent-encoded. Anything else that looks like a token is removed from messages and tracebacks.
"""

import json
import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from time import strftime
from typing import Any, Literal

from server.services.request_id import request_id

_WORD = re.compile(r"\S+")
_QUESTION_MARK = re.compile(r"\?|%(?:25)*3f", re.IGNORECASE)
_TOKEN = re.compile(r"(token(?:=|%(?:25)*3d))[^\s&\"']+", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that would start a new line or move a terminal's cursor."""


class WithoutQueries(logging.Filter):
    """Removes the query from every address in a record's arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Changes the record in place; always returns True."""
        if isinstance(record.args, Mapping):
            record.args = {name: _cut(value) for name, value in record.args.items()}
        elif record.args:
            record.args = tuple(_cut(value) for value in record.args)
        return True


def _cut(value: object) -> object:
    if not isinstance(value, str) or ("?" not in value and "%" not in value):
        return value
    return _WORD.sub(_address, value)


def _address(word: re.Match[str]) -> str:
    """The word up to the first question mark after a slash. Takes linear time."""
    text = word.group()
    slash = text.find("/")
    query = None if slash < 0 else _QUESTION_MARK.search(text, slash)
    return text if query is None else text[: query.start()]


class OneLine(logging.Formatter):
    """Escapes the control characters of a message, but not the line breaks of a traceback, and removes tokens.

    Every request is logged, so the common case must be fast: a message is searched only if it may contain something to
    replace, and the time is formatted once a second.
    """

    _second = -1
    _time = ""

    def format(self, record: logging.LogRecord) -> str:
        """Formats a record, including its traceback."""
        lines = super().format(record)
        return _TOKEN.sub(r"\1…", lines) if "token" in lines.lower() else lines

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        """Formats the message line of a record."""
        if not record.message.isprintable():
            record.message = _CONTROL.sub(_escaped, record.message)
        line, name = super().formatMessage(record), getattr(record, "request_id", None)
        return line if name is None else f"{line} [{name}]"

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - as above
        """Formats the local time of a record, with milliseconds unless ``datefmt`` is given."""
        if datefmt is not None:
            return super().formatTime(record, datefmt)
        second = int(record.created)
        if second != self._second:
            self._time = strftime(self.default_time_format, self.converter(second))
            self._second = second
        return f"{self._time},{int(record.msecs):03}"


class WithRequest(logging.Filter):
    """Adds the id of the request that the record belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Changes the record in place; always returns True."""
        record.request_id = request_id.get()
        return True


def _escaped(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode()


ACCESS_LOGGERS = ("uvicorn.access", "server.routes.middleware.observation", "server.web.uhp_tcp.access")
"""The loggers of requests, of sockets, and of UHP over TCP."""

SERVER_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"

CLIENT_LINE = "%(asctime)s %(message)s"
"""For commands that report to one person on their own game or bot."""


class JsonLine(OneLine):
    """Each record as one JSON object: time (UTC), level, logger, message, and request and traceback if it has them."""

    def format(self, record: logging.LogRecord) -> str:
        """Formats a record, without tokens."""
        members = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": getattr(record, "request_id", None),
            "traceback": self.formatException(record.exc_info) if record.exc_info else None,
        }
        line = json.dumps({name: value for name, value in members.items() if value is not None})
        return _TOKEN.sub(r"\1…", line) if "token" in line.lower() else line


def configuration(
    line: str = SERVER_LINE,
    *,
    level: str = "info",
    layout: Literal["text", "json"] = "text",
    with_access: bool = True,
) -> dict[str, Any]:
    """Returns the configuration for ``logging.config.dictConfig``: each record as one ``line`` on stderr.

    ``level``: the least severe records. ``with_access``: whether requests and sockets are logged.
    """
    formatter = {"()": OneLine, "fmt": line} if layout == "text" else {"()": JsonLine}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"without_queries": {"()": WithoutQueries}, "request": {"()": WithRequest}},
        "formatters": {"line": formatter},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["without_queries", "request"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level.upper()},
        "loggers": {
            "uvicorn.error": {"level": level.upper()},
            "alembic": {"level": "WARNING"},  # It lists its plugins.
            # They report each call over MCP again, and the requests of its tools.
            **{name: {"level": "WARNING"} for name in ("httpx", "mcp")},
            # Their records have the level INFO.
            **{name: {"level": level.upper() if with_access else "WARNING"} for name in ACCESS_LOGGERS},
        },
    }
