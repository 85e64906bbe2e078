"""``plyhouse uhp --raw``: connects a program that speaks the lines of a role to a server.

Lines pass through unchanged, except for the server's ``ok`` to the handshake, its refusals and, for engines, the
``seat`` and ``end`` lines, which are meant for us. After a lost connection, a program that we started is restarted and
resumes its game; on our own stdio, the connection just ends.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from programs.endpoints import Endpoint
from programs.uhp.dial import CannotConnect, ServerEndpoint, dial, now_ms
from protocols.uhp.bridge.link import Outage
from protocols.uhp.lines import ERROR, MAX_LINE_BYTES, OK, Line, LineTooLong
from protocols.uhp.remote.handshake import Role
from protocols.uhp.remote.server_lines import EndLine, SeatLine, read

log = logging.getLogger(__name__)


RETRY_MS = 3_600_000
"""How long to try to reconnect. The server decides whether the game is still waiting for us."""

LAST_SECONDS = 1.0
"""How long answers to commands may still arrive after the end of our stdin."""

OVERLONG = "x" * (MAX_LINE_BYTES + 1)
"""Sent in place of an overlong line of the peer, so that the server refuses it in its own words and in order."""

MAX_DEATHS = 5
"""How often a program may die during a game and be restarted."""


class RefusedByServer(Exception):
    """The server refused the connection; the text is the server's."""


class PeerDied(Exception):
    """The program has exited before it had a game, or too many times in its game."""


@dataclass
class RawProgram:
    """One peer at one server. ``open_peer`` starts the peer; ``words`` are the handshake parameters.

    ``may_return``: the peer can be restarted after a lost connection.
    """

    server: str
    words: Mapping[str, str]
    open_peer: Callable[[], Awaitable[Endpoint]]
    may_return: bool
    _resume: str | None = field(default=None, init=False)
    _outage: Outage | None = field(default=None, init=False)
    _deaths: int = field(default=0, init=False)
    _ending: str | None = field(default=None, init=False)
    """How the program has ended last, if it was the program that ended, and not the connection."""
    _final_line: str | None = field(default=None, init=False)
    """The server's final line to an engine: a refusal, or how the game ended."""

    async def run(self) -> None:
        """Runs until the game is over or the peer has gone.

        Raises BadServer, CannotConnect, RefusedByServer, PeerDied or OSError.
        """
        while True:
            try:
                if await self._connect():
                    return
                self._outage = self._outage or Outage(now_ms() + RETRY_MS)
            except CannotConnect:
                if self._outage is None:
                    raise
            except RefusedByServer as refusal:
                if self._outage is None:
                    raise
                if self._ending is not None:
                    raise PeerDied(f"the program has ended ({self._ending}): {refusal}") from None
                log.info("the server says: %s", refusal)
                return
            await self._pause()

    async def _connect(self) -> bool:
        """Makes a connection and serves it until it ends; returns whether to stop."""
        server = await dial(self.server, self._handshake())
        try:
            peer = await self.open_peer()
            try:
                is_peer_gone = await self._pipe(peer, server)
                is_done = server.is_done
                self._ending = await peer.ending() if is_peer_gone and not is_done else None
            finally:
                await peer.close()
        finally:
            await server.close()
        if is_done or self._final_line or not self.may_return:
            return True
        if self._resume is None:
            if self._ending is not None:
                raise PeerDied(f"the program has ended before its game ({self._ending})")
            return True
        self._deaths += is_peer_gone
        if self._deaths > MAX_DEATHS:
            raise PeerDied(f"the program has ended {self._deaths} times ({self._ending})")
        return False

    def _handshake(self) -> Mapping[str, str]:
        if self._resume is None:
            return self.words
        kept = {name: value for name, value in self.words.items() if name in ("role", "clock", "secret")}
        return {**kept, "resume": self._resume}

    async def _pipe(self, peer: Endpoint, server: ServerEndpoint) -> bool:
        """Passes lines until one side has gone; returns whether that was the peer."""
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

    async def _pass_down(self, server: ServerEndpoint, peer: Endpoint) -> None:
        is_first, role = True, self.words["role"]
        async for line in server.lines():
            if isinstance(line, LineTooLong):
                continue
            if is_first and line.startswith(ERROR):
                raise RefusedByServer(line.removeprefix(ERROR).strip())
            if not (is_first and line == OK) and not self._is_for_us(role, line):
                await peer.send(line)
            is_first = False

    def _is_for_us(self, role: str, line: str) -> bool:
        """Whether the line is meant for us: a UHP engine would answer it."""
        if role != Role.ENGINE:
            return False
        if line.startswith(ERROR):
            self._take_final_line(line.removeprefix(ERROR).strip())
            return True
        match read(line):
            case SeatLine(words=words):
                self._resume, self._outage = words.get("resume"), None
                log.info("playing %s", line.removeprefix("seat "))
            case EndLine(state=state, reason=reason):
                self._final_line = line
                log.info("game over: %s (%s)", state, reason)
            case _:
                return False
        return True

    def _take_final_line(self, text: str) -> None:
        if self._resume is None:
            raise RefusedByServer(text)
        log.info("the server says: %s", text)
        self._final_line = text

    async def _pause(self) -> None:
        """Waits before the next attempt. Raises CannotConnect if the game is over by now."""
        pause = self._outage.next_pause(now_ms()) if self._outage else None
        if pause is None:
            raise CannotConnect("the connection to the server is lost")
        if self._ending is None:
            seconds = pause * random.uniform(0, 2) / 1000  # noqa: S311 - spreads clients
            log.info("the connection is lost; reconnecting in %.0f s", seconds)
        else:
            seconds = pause / 1000
            log.warning("the program has ended (%s); starting it again in %.0f s", self._ending, seconds)
        await asyncio.sleep(seconds)


async def _pass_on(lines: AsyncIterator[Line], server: ServerEndpoint) -> None:
    async for line in lines:
        await server.send(OVERLONG if isinstance(line, LineTooLong) else line)
