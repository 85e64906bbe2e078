"""The entry point of UHP connections from all transports: performs the handshake, then runs the role."""

import asyncio
from collections.abc import Iterable
from typing import Final

from protocols.session import POLICY_VIOLATION
from protocols.uhp.lines import ERROR, OK
from protocols.uhp.remote.handshake import BadHandshake, Role, read_line, read_query
from server.domain.errors import ApiError
from server.ports.connection import Connection
from server.services.cluster.out_of_service import OutOfService
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.roles import ROLES

GOING_AWAY: Final = 1001

HANDSHAKE_SECONDS = 10.0
"""Time limit for the handshake."""


class Acceptor:
    """Serves connections."""

    def __init__(self, out_of_service: OutOfService, context: UhpContext) -> None:
        self.context = context
        self._out_of_service = out_of_service
        self._open: set[Connection] = set()
        self._is_stopping = False
        self.slow = 0
        """Number of TCP connections closed because their peers read too slowly."""

    async def start(self) -> None:
        """Called when the server starts: starts to watch for missing players."""
        await self.context.absences.start()

    def stop(self) -> None:
        """Called when the server stops: closes all connections, for which no player loses a game."""
        self._is_stopping = True
        self.context.absences.stop()
        self.close_all()

    def close_all(self) -> None:
        """Closes all connections, whose peers connect again."""
        for connection in tuple(self._open):
            connection.close(GOING_AWAY, "reconnect")

    async def receive(self, connection: Connection, query: Iterable[tuple[str, str]] | None = None) -> None:
        """Serves a connection. Its handshake is the ``query`` of its address, or its first line if there is none."""
        self._open.add(connection)
        if self._is_stopping or self._out_of_service.is_out:
            connection.close(GOING_AWAY, "reconnect")
        try:
            handshake = read_line(await _first_line(connection)) if query is None else read_query(query)
            run = await ROLES[handshake.role](self.context, connection, handshake)
        except (BadHandshake, ApiError) as refusal:
            connection.send(f"{ERROR} {str(refusal).rstrip('.')}")
            connection.close(POLICY_VIOLATION, "bad handshake")
        else:
            connection.send(OK)
            await self._serve(handshake.role, run)
        finally:
            self._open.discard(connection)

    async def _serve(self, role: Role, run: Run) -> None:
        count = self.context.connections
        count[role] += 1
        try:
            await run()
        finally:
            count[role] -= 1


async def _first_line(connection: Connection) -> str:
    try:
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            line = await anext(connection.frames, "")
    except TimeoutError:
        raise BadHandshake("no handshake came") from None
    if not isinstance(line, str):
        raise BadHandshake(line.text)
    return line
