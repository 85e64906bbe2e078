"""The file in which ``plyhouse bot`` stores its resume secret between runs."""

import json
import os
from pathlib import Path

from programs.bot.config import BotConfigError


class SecretFile:
    """The resume secret of one client at one server. Only the file's owner can read it."""

    def __init__(self, path: Path, url: str, client_id: str) -> None:
        self._path = path
        self._whose = {"server": url, "clientId": client_id}

    def read(self) -> str | None:
        """The secret; None if there is no file yet. BotConfigError if the file is invalid or another client's."""
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BotConfigError(f"{self._path}: {error.strerror}") from None
        except ValueError:
            content = None
        secret = content.get("resumeSecret") if isinstance(content, dict) else None
        if not isinstance(secret, str):
            raise BotConfigError(f"{self._path}: not a file written by plyhouse bot")
        if content != {**self._whose, "resumeSecret": secret}:
            text = f"it belongs to client {content.get('clientId')} at {content.get('server')}"
            raise BotConfigError(f"{self._path}: {text}")
        return secret

    def write(self, secret: str) -> None:
        """Replaces the secret. On OSError the previous one is still there."""
        draft = self._path.with_name(f"{self._path.name}.new")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({**self._whose, "resumeSecret": secret}, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._path)
