"""Finds poolers between a server and Postgres that lend a session for one transaction only.

Behind them, a connection loses its LISTEN and its prepared statements, so that servers would not hear of each other.
"""

from typing import Final

from sqlalchemy import Connection, Engine

TRIES: Final = 3

PID: Final = "SELECT pg_backend_pid()"


def shares_sessions(engine: Engine) -> bool:
    """Whether connections to Postgres share its sessions.

    A session is given back after each transaction. Then the next transaction of another connection gets it, and holds
    it while the first one gets a different one.
    """
    with engine.connect() as connection, engine.connect() as other:
        single = connection.execution_options(isolation_level="AUTOCOMMIT")
        for _ in range(TRIES):
            first = _session(single)
            with other.begin():
                # In this order: if there is one session only, the first connection would wait for it.
                if _session(other) == first or _session(single) != first:
                    return True
    return False


def _session(connection: Connection) -> int:
    return int(connection.exec_driver_sql(PID).scalar_one())
