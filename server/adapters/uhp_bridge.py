"""``plyhouse uhp --server URL``: runs the bridge between a viewer on our stdio and a seat at a server.

Drives ``protocols.uhp.bridge``; the local engine searches in a separate thread.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from protocols.session import Effect, Event, Log, Send
from protocols.uhp.bridge import effects as ef
from protocols.uhp.bridge.session import Bridge
from protocols.uhp.engine_work import CountLeaves, FindMove, Interrupted, StopWork
from protocols.uhp.lines import Line, LineTooLong
from server.adapters.line_endpoints import StdioEndpoint
from server.adapters.uhp_dial import BadServer, CannotConnect, ServerEndpoint, dial
from server.adapters.uhp_engine_search import UhpSearch, Work

log = logging.getLogger(__name__)

REST_SECONDS = 1.0
"""A viewer that is silent for this long after an answer is used by a person; a program would go on at once."""

CHECK_SECONDS = 1.0
"""Interval of checks whether a viewer that has closed its output still reads."""


@dataclass(frozen=True, slots=True)
class ConnectionEvent:
    """An event of one connection; ignored if it comes from an earlier connection than the current one."""

    connection: int
    event: ef.ServerSaid | ef.LinkLost


Input = Event | ConnectionEvent
"""What is posted beside the viewer's lines."""


class BridgeProgram:
    """Runs the bridge between one viewer and one server at a time."""

    def __init__(self, bridge: Bridge, viewer: StdioEndpoint[Input]) -> None:
        self._bridge = bridge
        self._viewer = viewer
        self._search = UhpSearch()
        self._link: asyncio.Task[None] | None = None
        self._server: ServerEndpoint | None = None
        self._work: set[asyncio.Future[Event]] = set()
        self._rest: asyncio.TimerHandle | None = None
        self._connections = 0

    def interrupt(self) -> None:
        """Handles an interrupt by the user; called from a signal handler of the event loop."""
        self._viewer.post(Interrupted())

    async def run(self) -> None:
        """Runs until the viewer has gone and all its commands are answered."""
        try:
            await self._carry_out(self._bridge.start())
            while not await self._take(await self._viewer.events.get()):
                pass
        finally:
            self._search.stop()
            await asyncio.gather(*self._work, return_exceptions=True)
            await self._hang_up()

    async def _take(self, received: Line | Input | None) -> bool:
        """Handles one event; returns whether the program should exit."""
        match received:
            case str() | LineTooLong():
                self._note_activity()
                return await self._carry_out(self._bridge.receive(received))
            case ConnectionEvent(connection=connection, event=event):
                is_present = connection == self._connections
                return is_present and await self._carry_out(self._bridge.notify(event))
            case None:
                self._check_reader()
                return await self._carry_out(self._bridge.notify(ef.ViewerGone()))
            case _:
                return await self._carry_out(self._bridge.notify(received))

    def _check_reader(self) -> None:
        """Checks periodically whether our stdout has been closed by its reader."""
        if self._viewer.is_unread():
            self._viewer.post(ef.OutputClosed())
        else:
            asyncio.get_running_loop().call_later(CHECK_SECONDS, self._check_reader)

    def _note_activity(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
        self._rest = self._remind(REST_SECONDS, ef.PauseEnded())

    def _remind(self, seconds: float, event: Event) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self._viewer.post, event)

    async def _carry_out(self, effects: Sequence[Effect]) -> bool:
        """Carries out effects; returns whether the program should exit."""
        for effect in effects:
            match effect:
                case Send(text=text):
                    await self._viewer.send(text)
                case FindMove() | CountLeaves():
                    self._begin(effect)
                case StopWork():
                    self._search.stop()
                case ef.Await(ms=ms):
                    self._remind(ms / 1000, ef.TimeoutElapsed())
                case Log(text=text):
                    log.info("%s", text)
                case ef.Exit():
                    return True
                case _:
                    await self._serve(effect)
        return False

    # ---- the server ------------------------------------------------------------------------------

    async def _serve(self, effect: Effect) -> None:
        match effect:
            case ef.ToServer(line=line):
                if self._server is not None:
                    await self._server.send(line)
            case ef.Dial():
                await self._hang_up()
                self._link = asyncio.ensure_future(self._stay_connected(effect, self._connections))
            case ef.HangUp():
                await self._hang_up()
            case _:
                raise TypeError(f"a bridge asks for {type(effect).__name__}")

    async def _stay_connected(self, wanted: ef.Dial, connection: int) -> None:
        """Makes a connection and reads from it until it ends."""
        await asyncio.sleep(wanted.pause_ms / 1000)
        why = "the server closed the connection"
        try:
            self._server = await dial(wanted.server, wanted.words)
            async for line in self._server.lines():
                if isinstance(line, str):
                    self._viewer.post(ConnectionEvent(connection, ef.ServerSaid(line, _now())))
        except (CannotConnect, BadServer) as error:
            why = str(error)
        self._viewer.post(ConnectionEvent(connection, ef.LinkLost(why, _now())))

    async def _hang_up(self) -> None:
        self._connections += 1
        link, self._link = self._link, None
        if link is not None:
            link.cancel()
            await asyncio.gather(link, return_exceptions=True)
        server, self._server = self._server, None
        if server is not None:
            await server.close()

    # ---- the local engine ------------------------------------------------------------------------

    def _begin(self, work: Work) -> None:
        doing = self._search.start(work)
        self._work.add(doing)
        doing.add_done_callback(self._end)

    def _end(self, done: "asyncio.Future[Event]") -> None:
        self._work.discard(done)
        self._viewer.post(done.result())


def _now() -> int:
    return round(asyncio.get_running_loop().time() * 1000)
