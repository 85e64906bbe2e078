"""Turns every error into the error body of the API, including errors that the framework raises."""

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Mount

from server.domain.errors import ApiError, Code
from server.routes.dialects import TAGS
from server.services.error_body import error_body

log = logging.getLogger(__name__)

MAX_BODY_BYTES = 65_536

_LONGER = dict.fromkeys(("/api/games/import", "/api/variations", "/api/variations/text"), 786_432)
"""Addresses with a higher limit. A record's quotation marks are escaped in JSON."""

METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")

_OF_STATUS = {
    404: Code.NOT_FOUND,
    405: Code.METHOD_NOT_ALLOWED,
    413: Code.TOO_LARGE,
}


def install(app: FastAPI) -> None:
    """Registers the handlers of exceptions."""
    app.add_exception_handler(ApiError, _api_error)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, answer_defect)


def answer(refusal: ApiError) -> JSONResponse:
    """The HTTP answer for an error."""
    headers = {}
    if refusal.retry_after_ms is not None:
        headers["Retry-After"] = str(-(-refusal.retry_after_ms // 1000))
    if refusal.code is Code.NO_TOKEN:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(error_body(refusal), refusal.status, headers)


def body_limit(path: str) -> int:
    """The longest request body that an address accepts, in bytes."""
    return _LONGER.get(path, MAX_BODY_BYTES)


async def _api_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ApiError)  # noqa: S101 - registered for it
    return answer(error)


async def _malformed(_: Request, error: Exception) -> JSONResponse:
    """The answer to an invalid request: its first error, with the member's name as the client wrote it."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    first = error.errors()[0]
    names = [part for part in first["loc"][1:] if isinstance(part, str) and part not in TAGS]
    field = ".".join(names) if first["type"] != "json_invalid" else ""
    return answer(ApiError(Code.MALFORMED, _fault(field, first), field=field or None))


def _fault(field: str, fault: Mapping[str, Any]) -> str:
    """A readable description of what is wrong with the request."""
    if fault["type"] == "json_invalid":
        return f"The body is not JSON: {fault['ctx']['error']}."
    if fault["type"] == "extra_forbidden":
        return f"{field} is not known here."
    if fault["type"] == "value_error":
        return str(fault["ctx"]["error"])
    if field:
        return f"{field}: {fault['msg']}"
    return "The body must be a JSON object, sent with Content-Type: application/json."


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    code = _OF_STATUS.get(error.status_code, Code.MALFORMED)
    allowed = _allowed(request) if code in (Code.NOT_FOUND, Code.METHOD_NOT_ALLOWED) else []
    if allowed and request.method not in allowed:  # The page's files answer for all addresses.
        code, error = Code.METHOD_NOT_ALLOWED, HTTPException(405, headers={"Allow": ", ".join(allowed)})
    limit = body_limit(request.url.path) if code is Code.TOO_LARGE else None
    text = f"{request.url.path}: {error.detail}" if limit is None else f"A body has at most {limit} bytes."
    response = answer(ApiError(code, text, limit=limit))
    response.headers.update(error.headers or {})
    return response


def _allowed(request: Request) -> list[str]:
    """The methods that the address accepts: those of the routes whose path describes it best.

    ``/api/games/import`` is no game, for example.
    """
    routes = [route for route in request.app.router.routes if not isinstance(route, Mount)]
    found = [
        (len(child.get("path_params", {})), method)
        for method in METHODS
        for match, child in (
            route.matches({**request.scope, "path_params": {}, "method": method}) for route in routes
        )
        if match is Match.FULL
    ]
    fewest = min(found, default=(0, ""))[0]
    allowed = sorted({method for names, method in found if names == fewest})
    return [*allowed, "HEAD"] if "GET" in allowed else allowed


async def answer_defect(request: Request, error: Exception) -> JSONResponse:
    """The answer to an unexpected exception. The traceback is logged and not sent to the client."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer(ApiError(Code.INTERNAL, "The server failed. It may not have carried out the request."))
