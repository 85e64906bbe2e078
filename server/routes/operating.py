"""What operators and their programs request: readiness and metrics."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from server.domain.errors import ApiError, Code
from server.routes import common_models as models
from server.routes.services import Services, TheServices
from server.services.error_body import error_body

router = APIRouter(tags=["services"])

RETRY_MS = 1000


@router.get("/readyz", response_model=models.ReadyBody, responses={503: {"model": models.NotReadyBody}})
async def ready(services: TheServices) -> Any:  # noqa: ANN401 - checked by the model
    """Whether every part works, so that load balancers can send clients here."""
    look = await services.readiness.look()
    body = {"ready": look.is_ready, "parts": dict(look.parts)}
    if look.is_ready:
        return body
    why = "; ".join(f"{name}: {look.parts[name]}" for name in look.missing)
    refusal = ApiError(Code.UNAVAILABLE, f"Not ready. {why}.", retry_after_ms=RETRY_MS)
    return JSONResponse({**error_body(refusal), **body}, refusal.status)


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(services: TheServices) -> Response:
    """Metrics in the text format of Prometheus."""
    await _read_database(services)
    return Response(generate_latest(services.metrics.registry), media_type=CONTENT_TYPE_LATEST)


async def _read_database(services: Services) -> None:
    """Updates the metrics of the database; if it does not answer, those of games are left out."""
    counts: Mapping[str, int] = {}
    with suppress(ApiError):
        counts = await services.games.counts()
        services.metrics.database_bytes.set(await services.games.stored_bytes())
    services.metrics.games.clear()
    for status, count in counts.items():
        services.metrics.games.labels(status).set(count)
