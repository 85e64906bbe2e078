"""The small calls: the catalogue of games, whether the process lives, and the answer to sockets that are none."""

from typing import Any

from fastapi import APIRouter, WebSocket

from engines import games
from server.domain.errors import ApiError, Code
from server.routes import models as m
from server.routes.sockets import deny

router = APIRouter(tags=["house"])

nowhere = APIRouter()
"""Comes after every other router."""


@router.get("/api/rules", response_model=m.RulesBody)
async def rules() -> Any:  # noqa: ANN401 - checked by the model
    """The games that are offered."""
    offered = [game for game in games() if game.listed]
    return {
        "games": [
            {"game": game.name, "variants": game.variants, "seats": game.seats, "about": game.about}
            for game in offered
        ]
    }


@router.get("/healthz", response_model=m.HealthBody)
async def health() -> Any:  # noqa: ANN401 - checked by the model
    """The process answers."""
    return {"status": "ok"}


@nowhere.websocket("/{path:path}")
async def no_socket(websocket: WebSocket, path: str) -> None:
    """An address without a socket is told so, as any other unknown address."""
    await deny(websocket, ApiError(Code.NOT_FOUND, f"/{path}: there is no such socket."))
