"""What operators and their programs ask: whether the process lives, whether it can work, and its figures."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from server.domain.errors import ApiError, Code
from server.routes import models as m
from server.routes.house import House, TheHouse

router = APIRouter(tags=["house"])

RETRY_MS = 1000


@router.get("/readyz", response_model=m.ReadyBody, responses={503: {"model": m.NotReadyBody}})
async def ready(house: TheHouse) -> Any:  # noqa: ANN401 - checked by the model
    """Whether every part works, for whoever sends clients here."""
    look = await house.readiness.look()
    told = {"ready": look.is_ready, "parts": dict(look.parts)}
    if look.is_ready:
        return told
    why = "; ".join(f"{name}: {look.parts[name]}" for name in look.missing)
    refusal = ApiError(Code.UNAVAILABLE, f"Not ready. {why}.", retry_after_ms=RETRY_MS)
    return JSONResponse({**refusal.body(), **told}, refusal.status)


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(house: TheHouse) -> Response:
    """Figures in the text format of Prometheus."""
    await _count_games(house)
    return Response(generate_latest(house.meters.registry), media_type=CONTENT_TYPE_LATEST)


async def _count_games(house: House) -> None:
    """A store that does not answer has no such figures; all others are there. Who asks meanwhile sees the last ones."""
    counts: Mapping[str, int] = {}
    with suppress(ApiError):
        counts = await house.games.counts()
    house.meters.games.clear()
    for status, count in counts.items():
        house.meters.games.labels(status).set(count)
