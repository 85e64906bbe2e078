"""The entry point of UHP connections from all transports: performs the handshake, then runs the role."""

import asyncio
from collections.abc import Iterable
from typing import Final

from protocols.session import POLICY_VIOLATION
from protocols.uhp.lines import ERROR, OK
from protocols.uhp.remote.handshake import BadHandshake, Role, read_line, read_query
from server.domain.errors import ApiError
from server.services.uhp.context import Run, UhpContext
from server.services.uhp.roles import ROLES
from server.services.uhp.wire import Wire

GOING_AWAY: Final = 1001

HANDSHAKE_SECONDS = 10.0
"""Time limit for the handshake."""


class Acceptor:
    """Serves connections."""

    def __init__(self, context: UhpContext) -> None:
        self.context = context
        self._wires: set[Wire] = set()
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
        for wire in tuple(self._wires):
            wire.close(GOING_AWAY, "reconnect")

    async def receive(self, wire: Wire, query: Iterable[tuple[str, str]] | None = None) -> None:
        """Serves a connection. Its handshake is the ``query`` of its address, or its first line if there is none."""
        self._wires.add(wire)
        if self._is_stopping:
            wire.close(GOING_AWAY, "reconnect")
        try:
            handshake = read_line(await _first_line(wire)) if query is None else read_query(query)
            run = await ROLES[handshake.role](self.context, wire, handshake)
        except (BadHandshake, ApiError) as refusal:
            wire.send(f"{ERROR} {str(refusal).rstrip('.')}")
            wire.close(POLICY_VIOLATION, "bad handshake")
        else:
            wire.send(OK)
            await self._serve(handshake.role, run)
        finally:
            self._wires.discard(wire)

    async def _serve(self, role: Role, run: Run) -> None:
        count = self.context.connections
        count[role] += 1
        try:
            await run()
        finally:
            count[role] -= 1


async def _first_line(wire: Wire) -> str:
    try:
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            line = await anext(wire.lines, "")
    except TimeoutError:
        raise BadHandshake("no handshake came") from None
    if not isinstance(line, str):
        raise BadHandshake(line.text)
    return line
