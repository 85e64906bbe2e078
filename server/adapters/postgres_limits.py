"""How soon a connection to Postgres counts as lost if the other end, or the network, is silent."""

from collections.abc import Mapping
from typing import Any, Final

CONNECT_SECONDS: Final = 5

LIMITS: Final[Mapping[str, Any]] = {
    "connect_timeout": CONNECT_SECONDS,
    # An idle connection: after 20 s, probed three times, every 5 s.
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    # What was sent, in milliseconds until its arrival must have been confirmed.
    "tcp_user_timeout": 15_000,
}
"""Parameters of libpq. Connections through a Unix socket ignore all but the first."""
