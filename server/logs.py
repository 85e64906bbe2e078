"""Logging of a running server: addresses are logged without their query, which may hold a seat's token."""

import logging
import re

_QUERY = re.compile(r"(/[^\s?]*)\?\S*")


class WithoutQueries(logging.Filter):
    """Cuts the query off every address in a record's arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mends the record; it is logged in any case."""
        if isinstance(record.args, tuple):
            record.args = tuple(_cut(value) for value in record.args)
        return True


def _cut(value: object) -> object:
    return _QUERY.sub(r"\1", value) if isinstance(value, str) else value


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_queries": {"()": WithoutQueries}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["without_queries"]}
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {"uvicorn.error": {"level": "INFO"}, "uvicorn.access": {"level": "INFO"}},
}
"""One line on stderr for each record."""
