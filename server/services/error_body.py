"""The JSON body of an error, for HTTP responses, refused handshakes and error frames."""

from typing import Any

from protocols.play.position import position_json
from server.domain.errors import ApiError


def error_body(error: ApiError) -> dict[str, Any]:
    """Returns the members of the body, without those that are None."""
    optional = {
        "field": error.field,
        "limit": error.limit,
        "retryAfterMs": error.retry_after_ms,
        "ply": error.ply,
        "position": None if error.table is None else position_json(error.table),
    }
    present = {name: value for name, value in optional.items() if value is not None}
    return {"error": error.text, "code": error.code.value, **present}
