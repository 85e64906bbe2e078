"""The id of the request or socket that the current task works for, with which log lines name it."""

import re
from contextvars import ContextVar
from secrets import token_hex
from typing import Final

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

_VALID: Final = re.compile(rb"[A-Za-z0-9_.-]{8,64}")


def new_request_id(given: bytes | None) -> str:
    """The id that a proxy or client has ``given``, if it is 8 to 64 plain characters; otherwise one of our own."""
    return given.decode() if given is not None and _VALID.fullmatch(given) else token_hex(8)
