"""Notices that the file of a SQLite database was renamed, deleted or replaced while it is open.

SQLite would go on writing to the old file, which nobody finds after a restart. Called by ``sql_store`` before each
commit: to look at a file takes a few microseconds, and a commit far longer.
"""

from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError


class MovedError(SQLAlchemyError):
    """The file is another one than that which was opened; nothing was written to either."""


class DatabaseFile:
    """The file at ``path``, which must exist; None for databases of other kinds, which are never moved."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._identity = None if path is None else _identity(path)

    def check(self) -> None:
        """Raises MovedError if the path no longer leads to the file."""
        if self._path is not None and _identity(self._path) != self._identity:
            raise MovedError(
                f"the file {self._path} was moved or replaced while the server runs; put it back, or restart the server"
            )


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and number of a file; None if it cannot be found."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
