"""``plyhouse uhp --server URL``: runs the bridge between a viewer on our stdio and a seat at a server.

Drives ``protocols.uhp.bridge``.
"""

import asyncio
import random
from dataclasses import dataclass

from programs.uhp.dial import BadServer, CannotConnect, ServerEndpoint, dial, now_ms
from programs.uhp.engine_search import Work
from programs.uhp.kept_seats import KeptSeats
from programs.uhp.stdio import CHECK_SECONDS, UhpStdio
from protocols.session import Effect, Event
from protocols.uhp.bridge import effects as ef
from protocols.uhp.bridge.session import Bridge
from protocols.uhp.engine_work import Interrupted
from protocols.uhp.lines import MAX_LINE_BYTES, Line

REST_SECONDS = 1.0
"""A viewer that is silent for this long after an answer is used by a person; a program would go on at once."""


@dataclass(frozen=True, slots=True)
class ConnectionEvent(Event):
    """An event of one connection; ignored if it comes from an earlier connection than the current one."""

    connection: int
    event: ef.ServerSaid | ef.LinkLost


class BridgeProgram(UhpStdio):
    """Runs the bridge between one viewer and one server at a time, until all of the viewer's commands are answered."""

    def __init__(self, bridge: Bridge, seats: KeptSeats) -> None:
        super().__init__(bridge, MAX_LINE_BYTES)
        self._seats = seats
        self._link: asyncio.Task[None] | None = None
        self._server: ServerEndpoint | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._connections = 0

    async def run(self) -> int:
        """Runs until the viewer has gone and all its commands are answered."""
        try:
            return await super().run()
        finally:
            await self._hang_up()

    def interrupt(self) -> None:
        """Handles an interrupt by the user, which may end any wait."""
        self._stdio.post(Interrupted())

    async def _begin(self, work: Work) -> None:
        """Starts the work; meanwhile, the server may go on."""
        self._search.start(work).add_done_callback(self._end)

    def _end(self, done: "asyncio.Future[Event]") -> None:
        if not done.cancelled():
            self._stdio.post(done.result())

    def _take(self, received: Line | Event | None) -> list[Effect]:
        if isinstance(received, ConnectionEvent):
            if received.connection != self._connections:
                return []
            received = received.event
        elif received is None:
            self._check_reader()
            received = ef.ViewerGone()
        elif not isinstance(received, Event):
            self._note_activity()
        return super()._take(received)

    def _check_reader(self) -> None:
        """Checks periodically whether our stdout has been closed by its reader."""
        if self._stdio.is_unread():
            self._stdio.post(ef.OutputClosed())
        else:
            asyncio.get_running_loop().call_later(CHECK_SECONDS, self._check_reader)

    def _note_activity(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
        self._rest = self._remind(REST_SECONDS, ef.PauseEnded())

    def _remind(self, seconds: float, event: Event) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self._stdio.post, event)

    # ---- the server ------------------------------------------------------------------------------

    async def _do(self, effect: Effect) -> None:
        match effect:
            case ef.Await(ms=ms):
                self._remind(ms / 1000, ef.TimeoutElapsed())
            case ef.ToServer(line=line):
                if self._server is not None:
                    await self._server.send(line)
            case ef.Dial():
                await self._hang_up()
                self._link = asyncio.ensure_future(self._stay_connected(effect, self._connections))
            case ef.HangUp():
                await self._hang_up()
            case ef.KeepSeat(server=server, resume=resume):
                self._seats.keep(server, resume)
            case ef.ForgetSeat():
                self._seats.forget()
            case _:
                await super()._do(effect)

    async def _stay_connected(self, wanted: ef.Dial, connection: int) -> None:
        """Makes a connection and reads from it until it ends."""
        await asyncio.sleep(wanted.pause_ms * random.uniform(0, 2) / 1000)  # noqa: S311 - spreads clients
        why = "the server closed the connection"
        try:
            self._server = await dial(wanted.server, wanted.words)
            async for line in self._server.lines():
                if isinstance(line, str):
                    self._stdio.post(ConnectionEvent(connection, ef.ServerSaid(line, now_ms())))
        except (CannotConnect, BadServer) as error:
            why = str(error)
        self._stdio.post(ConnectionEvent(connection, ef.LinkLost(why, now_ms())))

    async def _hang_up(self) -> None:
        self._connections += 1
        link, self._link = self._link, None
        if link is not None:
            link.cancel()
            await asyncio.gather(link, return_exceptions=True)
        server, self._server = self._server, None
        if server is not None:
            await server.close()
