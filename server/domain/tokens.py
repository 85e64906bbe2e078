"""Game ids, and seat tokens, of which only hashes are stored."""

import hashlib
import hmac
import secrets
import string
from collections.abc import Iterable

_ID_LETTERS = string.ascii_letters + string.digits
_ID_LENGTH = 8
_TOKEN_BYTES = 16


def new_game_id() -> str:
    """Returns eight random letters and digits. With a dash at its beginning, a command would take it for an option."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def new_token() -> str:
    """Returns 128 random bits, in characters that need no quoting in a URL."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Returns the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def seat_of_token(token: str, hashes: Iterable[tuple[str, int]]) -> int | None:
    """Returns the seat for which the token is valid, given pairs ``(hash, seat)``; None if there is none.

    Every entry is compared, in constant time.
    """
    wanted = hash_token(token)
    found: int | None = None
    for stored, seat in hashes:
        if hmac.compare_digest(stored, wanted):
            found = seat
    return found
