"""How soon a connection to Postgres counts as lost, at either end, if the other end or the network is silent."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.engine import URL

CONNECT_SECONDS: Final = 5

_LIMITS: Final[Mapping[str, Any]] = {
    "connect_timeout": CONNECT_SECONDS,
    # A connection is lost 6 s after it has sent something that is not acknowledged. On a line that was silent for long,
    # TCP would send again as late, while a new connection is there at once. An idle connection is probed after 10 s,
    # and lost 5 s later if there is no answer.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "tcp_user_timeout": 6_000,
}

WRITING: Final[Mapping[str, str]] = {
    # A server that freezes in the middle of a transaction would keep the others from its rows for as long, and with
    # its own row from their heartbeats.
    "idle_in_transaction_session_timeout": "2s",
    # For a server that is cut off while it sends the statements of a transaction all at once.
    "tcp_keepalives_idle": "10s",
    "tcp_keepalives_interval": "5s",
    "tcp_user_timeout": "30s",
}
"""Settings of Postgres for sessions that write. Those of TCP have no effect on a Unix socket."""


def limits(url: URL) -> dict[str, Any]:
    """Parameters of libpq, without those in the URL. Connections through a Unix socket ignore all but the first."""
    return {name: value for name, value in _LIMITS.items() if name not in url.query}


def statements(settings: Mapping[str, str]) -> str:
    """The statements that give a session these settings. They are no parameters of libpq, which poolers refuse."""
    return "; ".join(f"SET {name} = '{value}'" for name, value in settings.items())


def set_up(engine: Engine, settings: Mapping[str, str]) -> None:
    """Gives each new session of an engine on Postgres these settings."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:  # noqa: ANN401 - a connection of the driver
        connection.execute(statements(settings))
        connection.commit()
