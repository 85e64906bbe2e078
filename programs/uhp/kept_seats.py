"""The seats of running games, kept in files, so that a bridge that was killed is continued by the next one.

Each bridge locks the file of its seat, and the lock ends with the process: the next bridge to the same server continues
a game that no running bridge plays. Only the owner can read the files, which have the secrets of the seats.
"""

import fcntl
import hashlib
import json
import logging
import os
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)


def state_folder() -> Path:
    """The folder of these files, below ``XDG_STATE_HOME`` or ``~/.local/state``."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "plyhouse" / "uhp"


class KeptSeats:
    """The seat of this process at one server, and those that earlier processes have left."""

    def __init__(self, server: str, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self._path: Path | None = None
        self._lock: int | None = None

    def find(self) -> str | None:
        """Takes over the newest seat that nobody plays; returns the value for ``resume``, or None."""
        for path in sorted(self._folder.glob("*.json"), key=_written_at, reverse=True):
            lock = _locked(path, os.O_RDWR)
            if lock is None:
                continue
            resume = self._read(path)
            if resume is not None:
                self._path, self._lock = path, lock
                return resume
            os.close(lock)
        return None

    def keep(self, server: str, resume: str) -> None:
        """Stores our seat, in place of an earlier one."""
        path = self._folder / f"{hashlib.sha256(f'{server} {resume}'.encode()).hexdigest()[:16]}.json"
        if path == self._path:
            return
        self.forget()
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = _locked(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            if lock is not None:
                os.write(lock, json.dumps({"server": server, "resume": resume}).encode())
                self._path, self._lock = path, lock
        except OSError as error:
            log.warning("the secret of the seat cannot be saved: %s", error)

    def forget(self) -> None:
        """Removes the file: the game is over."""
        path, self._path = self._path, None
        lock, self._lock = self._lock, None
        if path is not None and lock is not None:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            os.close(lock)

    def _read(self, path: Path) -> str | None:
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        is_ours = isinstance(content, dict) and content.get("server") == self._server
        resume = content.get("resume") if is_ours else None
        return resume if isinstance(resume, str) else None


def _written_at(path: Path) -> int:
    """When the file was written, in nanoseconds; 0 if it has just been removed."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _locked(path: Path, flags: int) -> int | None:
    """The open file with a lock on it; None if another process has that."""
    try:
        file = os.open(path, flags, 0o600)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file
