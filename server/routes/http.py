"""The small calls: the catalogue of games, and whether the process lives."""

from typing import Any

from fastapi import APIRouter

from engines import games
from server.routes import models as m

router = APIRouter(tags=["house"])


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
