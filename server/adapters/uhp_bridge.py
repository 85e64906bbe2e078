"""``plyhouse uhp --server URL``: the bridge at work, between a viewer on our stdio and a seat at a server.

Drives ``protocols.uhp.bridge``; its own engine thinks in a thread beside the loop.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

from protocols.session import Effect, Event, Log, Send
from protocols.uhp.bridge.session import Bridge
from protocols.uhp.bridge.words import (
    Await,
    Dial,
    Exit,
    HangUp,
    LinkLost,
    PatienceOver,
    Rested,
    ServerSaid,
    ToServer,
    Unread,
    ViewerGone,
)
from protocols.uhp.engine_work import CountLeaves, FindMove, Interrupted, StopWork
from protocols.uhp.lines import Line, LineTooLong
from server.adapters.uhp_dial import BadServer, CannotConnect, ServerEnd, dial
from server.adapters.uhp_ends import StdioEnd
from server.adapters.uhp_search import StopSwitch, UhpSearch, Work

log = logging.getLogger(__name__)

REST_SECONDS = 1.0
"""Nobody who is silent for so long after an answer is a program."""

LOOK_SECONDS = 1.0
"""How often it is looked whether a viewer that sends nothing more still reads."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An event of one connection; what comes from an earlier one than the present is of no use."""

    connection: int
    event: ServerSaid | LinkLost


Happening = Event | Heard | Line
"""An event for the bridge; a string is a line from the viewer."""


class BridgeProgram:
    """One viewer, one server at a time."""

    def __init__(self, bridge: Bridge, viewer: StdioEnd) -> None:
        self._bridge = bridge
        self._viewer = viewer
        self._search = UhpSearch()
        self._switch = StopSwitch()
        self._link: asyncio.Task[None] | None = None
        self._server: ServerEnd | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._rest: asyncio.TimerHandle | None = None
        self._connections = 0
        self._happenings: asyncio.Queue[Happening] = asyncio.Queue()

    def interrupt(self) -> None:
        """The user's interrupt, from a signal handler of the loop."""
        self._happenings.put_nowait(Interrupted())

    async def run(self) -> None:
        """Until the viewer is gone, and what it has sent is answered."""
        reader = asyncio.ensure_future(self._read())
        try:
            await self._carry_out(self._bridge.start())
            while not await self._take(await self._happenings.get()):
                pass
        finally:
            reader.cancel()
            self._switch.pull()
            await asyncio.gather(reader, *self._work, return_exceptions=True)
            await self._hang_up()

    async def _take(self, happening: Happening) -> bool:
        """Whether that was the end."""
        match happening:
            case str() | LineTooLong():
                self._note_activity()
                return await self._carry_out(self._bridge.receive(happening))
            case Heard(connection=connection, event=event):
                is_present = connection == self._connections
                return is_present and await self._carry_out(self._bridge.notify(event))
            case _:
                return await self._carry_out(self._bridge.notify(happening))

    async def _read(self) -> None:
        async for line in self._viewer.lines():
            self._happenings.put_nowait(line)
        self._happenings.put_nowait(ViewerGone())
        self._look_for_reader()

    def _look_for_reader(self) -> None:
        """Runs periodically until the reader closes its end."""
        if self._viewer.is_unread():
            self._happenings.put_nowait(Unread())
        else:
            asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look_for_reader)

    def _note_activity(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
        self._rest = self._remind(REST_SECONDS, Rested())

    def _remind(self, seconds: float, event: Event) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self._happenings.put_nowait, event)

    async def _carry_out(self, effects: Sequence[Effect]) -> bool:
        """Whether the bridge has come to its end."""
        for effect in effects:
            match effect:
                case Send(text=text):
                    await self._viewer.send(text)
                case FindMove() | CountLeaves():
                    self._begin(effect)
                case StopWork():
                    self._switch.pull()
                case Await(ms=ms):
                    self._remind(ms / 1000, PatienceOver())
                case Log(text=text):
                    log.info("%s", text)
                case Exit():
                    return True
                case _:
                    await self._serve(effect)
        return False

    # ---- the server ------------------------------------------------------------------------------

    async def _serve(self, effect: Effect) -> None:
        match effect:
            case ToServer(line=line):
                if self._server is not None:
                    await self._server.send(line)
            case Dial():
                await self._hang_up()
                self._link = asyncio.ensure_future(self._stay_connected(effect, self._connections))
            case HangUp():
                await self._hang_up()
            case _:
                raise TypeError(f"a bridge asks for {type(effect).__name__}")

    async def _stay_connected(self, wanted: Dial, connection: int) -> None:
        """One connection from beginning to end."""
        await asyncio.sleep(wanted.pause_ms / 1000)
        why = "the server has closed the connection"
        try:
            self._server = await dial(wanted.server, wanted.words)
            async for line in self._server.lines():
                self._happenings.put_nowait(Heard(connection, ServerSaid(line, _now())))
        except (CannotConnect, BadServer) as error:
            why = str(error)
        self._happenings.put_nowait(Heard(connection, LinkLost(why, _now())))

    async def _hang_up(self) -> None:
        self._connections += 1
        link, self._link = self._link, None
        if link is not None:
            link.cancel()
            await asyncio.gather(link, return_exceptions=True)
        server, self._server = self._server, None
        if server is not None:
            await server.close()

    # ---- our own engine --------------------------------------------------------------------------

    def _begin(self, work: Work) -> None:
        self._switch = StopSwitch()
        task = asyncio.ensure_future(self._do(work, self._switch))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _do(self, work: Work, switch: StopSwitch) -> None:
        event = await asyncio.to_thread(self._search.do, work, time.monotonic(), switch)
        self._happenings.put_nowait(event)


def _now() -> int:
    return round(asyncio.get_running_loop().time() * 1000)
