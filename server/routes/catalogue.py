"""Small operations: the catalogue of games, the health check, and the answer for unknown socket addresses."""

from typing import Any

from fastapi import APIRouter, WebSocket

from engines import games
from protocols.variations.tree_formats import names_for
from server.domain.errors import ApiError, Code
from server.routes import common_models as models
from server.routes.services import TheServices
from server.routes.sockets.socket_connection import deny

router = APIRouter(tags=["services"])

nowhere = APIRouter()
"""Must be added after all other routers."""


@router.get("/api/rules", response_model=models.RulesBody)
async def rules() -> Any:  # noqa: ANN401 - checked by the model
    """The games that are offered."""
    offered = [game for game in games() if game.listed]
    return {
        "games": [
            {
                "game": game.name,
                "variants": game.variants,
                "seats": game.seats,
                "variationFormats": names_for(game.name),
                "about": game.about,
            }
            for game in offered
        ]
    }


@router.get("/api/here", response_model=models.HereBody)
async def here(services: TheServices) -> Any:  # noqa: ANN401 - checked by the model
    """How many are here now, at all servers."""
    return {
        "people": services.presence.people,
        "bots": services.registry.attached_anywhere,
        "games": len(services.lobby.contents.games),
    }


@router.get("/healthz", response_model=models.HealthBody)
async def health() -> Any:  # noqa: ANN401 - checked by the model
    """Answers as long as the process is alive, unless clients have to go to another server."""
    return {"status": "ok"}


@nowhere.websocket("/{path:path}")
async def no_socket(websocket: WebSocket, path: str) -> None:
    """Refuses a socket at an unknown address with 404."""
    await deny(websocket, ApiError(Code.NOT_FOUND, f"/{path}: there is no such socket."))
