"""Direct answers to plain requests for moves and games, by the functions of ``games``; see ``direct``."""

from collections.abc import Awaitable
from typing import Any

from fastapi.security import HTTPAuthorizationCredentials
from pydantic import ValidationError
from pydantic_core import to_json
from starlette.requests import Request

from server.routes import common_models as models
from server.routes import games
from server.routes.direct import Plain

_MAX_DIGITS = 9
"""The most digits of a ply in a plain request."""


def move(plain: Plain) -> Awaitable[Any] | None:
    """Answers like ``games.move``."""
    try:
        body = models.MoveBody.model_validate_json(plain.body)
    except ValidationError:
        return None
    game_id = _game_id(plain)
    return None if plain.token is None or game_id is None else _move(plain, game_id, plain.token, body)


async def _move(plain: Plain, game_id: str, token: str, body: models.MoveBody) -> bytes:
    """Not validated against the model; tests compare it with the framework's answer instead."""
    seat = await games.seat_of(plain.services, game_id, token)
    return to_json(await games.move(plain.services, game_id, seat, body))


def read(plain: Plain) -> Awaitable[Any] | None:
    """Answers like ``games.read``."""
    game_id, asked = _game_id(plain), dict(plain.query)
    ply, token, staged = asked.pop("ply", None), asked.pop("token", None), asked.pop("staged", "")
    if game_id is None or asked or len(staged) > games.MAX_STAGED or not _is_plain_ply(ply):
        return None
    bearer = (
        None
        if plain.token is None
        else HTTPAuthorizationCredentials(scheme="Bearer", credentials=plain.token)
    )
    links = games.links_of(plain.services, Request(plain.scope))
    return games.read(
        plain.services, links, game_id, bearer, token, staged, None if ply is None else int(ply)
    )


def _game_id(plain: Plain) -> str | None:
    game_id = plain.path["game_id"]
    return game_id if len(game_id) <= games.MAX_GAME_ID else None


def _is_plain_ply(ply: str | None) -> bool:
    return ply is None or (ply.isdecimal() and ply.isascii() and len(ply) <= _MAX_DIGITS)
