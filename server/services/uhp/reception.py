"""Where every UHP connection arrives, from whatever transport: the handshake, then its role."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from protocols.session import POLICY_VIOLATION
from protocols.uhp.lines import ERROR, OK
from protocols.uhp.remote.handshake import BadHandshake, Handshake, read_line, read_query
from server.services.uhp.desk import Desk
from server.services.uhp.roles import ROLES
from server.services.uhp.seating import NoSeat
from server.services.uhp.wire import Wire

GOING_AWAY: Final = 1001

HANDSHAKE_SECONDS = 10.0
"""How long a connection may take to say what it is for."""


class Reception:
    """Serves connections."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._wires: set[Wire] = set()
        self._is_stopping = False
        self.slow = 0
        """Connections over TCP cut because their peers read too slowly."""

    async def start(self) -> None:
        """The server starts: who has played before is missed from now on."""
        await self.desk.absences.start()

    def stop(self) -> None:
        """The server stops: everybody leaves, and nobody loses a game by that."""
        self._is_stopping = True
        self.desk.absences.stop()
        for wire in tuple(self._wires):
            wire.close(GOING_AWAY, "reconnect")

    async def receive(self, wire: Wire) -> None:
        """A connection whose first line is the handshake."""
        with self._kept(wire):
            try:
                handshake = read_line(await self._first_line(wire))
            except (BadHandshake, TimeoutError) as refusal:
                _refuse(wire, str(refusal) or "no handshake came")
                return
            await self._serve(wire, handshake)

    async def receive_query(self, wire: Wire, pairs: Iterable[tuple[str, str]]) -> None:
        """A connection whose address holds the handshake."""
        with self._kept(wire):
            try:
                handshake = read_query(pairs)
            except BadHandshake as refusal:
                _refuse(wire, str(refusal))
                return
            await self._serve(wire, handshake)

    @contextmanager
    def _kept(self, wire: Wire) -> Iterator[None]:
        """The connection is closed if the server stops meanwhile, or has begun to."""
        self._wires.add(wire)
        if self._is_stopping:
            wire.close(GOING_AWAY, "reconnect")
        try:
            yield
        finally:
            self._wires.discard(wire)

    async def _first_line(self, wire: Wire) -> str:
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            line = await anext(wire.lines, "")
        if not isinstance(line, str):
            raise BadHandshake(line.text)
        return line

    async def _serve(self, wire: Wire, handshake: Handshake) -> None:
        prepare, count = ROLES[handshake.role], self.desk.connections
        try:
            run = await prepare(self.desk, wire, handshake)
        except NoSeat as refusal:
            _refuse(wire, str(refusal))
            return
        wire.send(OK)
        count[handshake.role] += 1
        try:
            await run()
        finally:
            count[handshake.role] -= 1


def _refuse(wire: Wire, why: str) -> None:
    wire.send(f"{ERROR} {why}")
    wire.close(POLICY_VIOLATION, "bad handshake")
