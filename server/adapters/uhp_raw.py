"""``plyhouse uhp --raw``: somebody who speaks a role's lines, and a server that does, connected.

The lines pass as they are; only the server's ``ok`` to the handshake, its refusals and, for engines, the ``seat``
line are for us. A program of ours whose connection is lost is started again and sits down at its game again; who
comes by our own stdio sees the end instead.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from protocols.uhp.bridge.link import Outage
from protocols.uhp.lines import ERROR, MAX_LINE_BYTES, Line, LineTooLong
from protocols.uhp.remote.handshake import Role
from protocols.uhp.remote.news import Ended, Seated, read
from server.adapters.uhp_dial import CannotConnect, ServerEnd, dial, is_greeting
from server.adapters.uhp_ends import End

log = logging.getLogger(__name__)


PATIENCE_MS = 3_600_000
"""How long a server is called again. Whether the game still waits for us is the server's to say."""

LAST_SECONDS = 1.0
"""When our stdin has ended, answers to what it held may still come for so long."""

OVERLONG = "x" * (MAX_LINE_BYTES + 1)
"""What stands for a line of the peer that was too long to be kept: the server answers it in its own words and order."""

MAX_DEATHS = 5
"""So often a program may end in the middle of a game and be started again."""


class Refused(Exception):
    """The server does not want us; the text is its own."""


class PeerDied(Exception):
    """The program does not stay alive."""


@dataclass
class RawProgram:
    """One peer at one server. ``open_peer`` starts it; ``words`` are the handshake.

    ``may_return``: the peer can be started again after a lost connection.
    """

    server: str
    words: Mapping[str, str]
    open_peer: Callable[[], Awaitable[End]]
    may_return: bool
    _resume: str | None = field(default=None, init=False)
    _outage: Outage | None = field(default=None, init=False)
    _deaths: int = field(default=0, init=False)
    _last_word: str | None = field(default=None, init=False)
    """What the server has sent an engine away with: a refusal, or how the game has ended. Nothing follows it."""

    async def run(self) -> None:
        """Until the game is over, or the peer is gone. BadServer, CannotConnect, Refused, PeerDied, OSError."""
        while True:
            try:
                if await self._connect():
                    return
                self._note_loss()
            except CannotConnect:
                if self._outage is None:
                    raise
            except Refused as refusal:
                if self._outage is None:
                    raise
                log.info("the server says: %s", refusal)
                return
            await self._pause()

    async def _connect(self) -> bool:
        """One connection from beginning to end; whether that was all."""
        server = await dial(self.server, self._handshake())
        try:
            peer = await self.open_peer()
            try:
                is_peer_gone = await self._pipe(peer, server)
                is_done = server.is_done
            finally:
                await peer.close()
        finally:
            await server.close()
        if is_done or self._last_word or self._resume is None or not self.may_return:
            return True
        self._deaths += is_peer_gone
        if self._deaths > MAX_DEATHS:
            raise PeerDied(f"the program has ended {self._deaths} times")
        return False

    def _handshake(self) -> Mapping[str, str]:
        if self._resume is None:
            return self.words
        kept = {name: value for name, value in self.words.items() if name in ("role", "clock", "secret")}
        return {**kept, "resume": self._resume}

    async def _pipe(self, peer: End, server: ServerEnd) -> bool:
        """Passes lines until one side is gone; whether that was the peer."""
        up = asyncio.ensure_future(_pass_on(peer.lines(), server))
        down = asyncio.ensure_future(self._pass_down(server, peer))
        try:
            await asyncio.wait([up, down], return_when=asyncio.FIRST_COMPLETED)
            is_peer_gone = up.done() and not down.done()
            if is_peer_gone and not self.may_return:
                await asyncio.wait([down], timeout=LAST_SECONDS)
        finally:
            up.cancel()
            down.cancel()
            results = await asyncio.gather(up, down, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result
        return is_peer_gone

    async def _pass_down(self, server: ServerEnd, peer: End) -> None:
        is_first, role = True, self.words["role"]
        async for line in server.lines():
            if is_first and line.startswith(ERROR):
                raise Refused(line.removeprefix(ERROR).strip())
            if not (is_first and is_greeting(line)) and not self._is_for_us(role, line):
                await peer.send(line)
            is_first = False

    def _is_for_us(self, role: str, line: str) -> bool:
        """Whether the line is no line of the role: a UHP engine would answer it."""
        if role != Role.ENGINE:
            return False
        if line.startswith(ERROR):
            self._take_last_word(line.removeprefix(ERROR).strip())
            return True
        match read(line):
            case Seated(words=words):
                self._resume, self._outage = words.get("resume"), None
                log.info("playing %s", line.removeprefix("seat "))
            case Ended(state=state, reason=reason):
                self._last_word = line
                log.info("game over: %s (%s)", state, reason)
            case _:
                return False
        return True

    def _take_last_word(self, text: str) -> None:
        if self._resume is None:
            raise Refused(text)
        log.info("the server says: %s", text)
        self._last_word = text

    def _note_loss(self) -> None:
        if self._outage is None:
            self._outage = Outage(_now() + PATIENCE_MS)

    async def _pause(self) -> None:
        """Waits before the next attempt. CannotConnect when the game is over by now."""
        pause = self._outage.next_pause(_now()) if self._outage else None
        if pause is None:
            raise CannotConnect("the server is lost")
        log.info("the connection is lost; sitting down again in %.0f s", pause / 1000)
        await asyncio.sleep(pause / 1000)


async def _pass_on(lines: AsyncIterator[Line], server: ServerEnd) -> None:
    async for line in lines:
        await server.send(OVERLONG if isinstance(line, LineTooLong) else line)


def _now() -> int:
    return round(asyncio.get_running_loop().time() * 1000)
