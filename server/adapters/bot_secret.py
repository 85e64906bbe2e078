"""The file in which ``plyhouse bot`` keeps the secret that it resumes with, so that it outlives the program."""

import json
import os
from pathlib import Path

from server.adapters.bot_config import ConfigError


class SecretFile:
    """One client's secret at one server. Nobody but the file's owner can read it."""

    def __init__(self, path: Path, url: str, client_id: str) -> None:
        self._path = path
        self._whose = {"server": url, "clientId": client_id}

    def read(self) -> str | None:
        """The secret; None where there is no file yet. ConfigError."""
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ConfigError(f"{self._path}: {error.strerror}") from None
        except ValueError:
            content = None
        secret = content.get("resumeSecret") if isinstance(content, dict) else None
        if not isinstance(secret, str):
            raise ConfigError(f"{self._path}: not a file that plyhouse bot has written")
        if content != {**self._whose, "resumeSecret": secret}:
            text = f"it belongs to client {content.get('clientId')} at {content.get('server')}"
            raise ConfigError(f"{self._path}: {text}")
        return secret

    def write(self, secret: str) -> None:
        """Keeps the secret in the place of the one before. OSError: the one before is still there."""
        draft = self._path.with_name(f"{self._path.name}.new")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({**self._whose, "resumeSecret": secret}, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._path)
