"""The routers of the HTTP API, which document the error body."""

from typing import Any

from fastapi import APIRouter

from server.routes.common_models import ErrorBody


def api_router(prefix: str, tag: str) -> APIRouter:
    """A router for paths below ``prefix``, listed under ``tag`` in the API's documentation."""
    errors: dict[int | str, dict[str, Any]] = {"4XX": {"model": ErrorBody}, "5XX": {"model": ErrorBody}}
    return APIRouter(prefix=prefix, tags=[tag], responses=errors)
