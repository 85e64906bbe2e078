"""How soon a connection to Postgres counts as lost if the other end, or the network, is silent."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy.engine import URL

CONNECT_SECONDS: Final = 5

_LIMITS: Final[Mapping[str, Any]] = {
    "connect_timeout": CONNECT_SECONDS,
    # An idle connection is probed after 10 s, then every 5 s. It is lost after 30 s without an answer, as is one that
    # has sent something; the number of probes has no effect then.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "tcp_user_timeout": 30_000,
}


def limits(url: URL) -> dict[str, Any]:
    """Parameters of libpq, without those in the URL. Connections through a Unix socket ignore all but the first."""
    return {name: value for name, value in _LIMITS.items() if name not in url.query}
