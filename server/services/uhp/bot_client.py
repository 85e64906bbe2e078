"""A UHP engine that plays on the ladder: its connection, as the client of an attached bot (``ConnectedClient``).

The engine is asked one thing after another, so it plays one game at a time. One that cannot be asked any more is
disconnected, a little later, so that the game to which it owes an answer ends first.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from drivers.asked_engine import REPLY_SECONDS, AskedEngine
from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachError
from protocols.bgs.config import Setup
from protocols.bgs.effects import AnswerError
from protocols.uhp.answers import EngineFailed
from protocols.uhp.lines import ERROR
from protocols.uhp.remote.effects import NORMAL
from protocols.uhp.remote.handshake import BadHandshake
from protocols.uhp.remote.ladder_entry import LadderEntry
from server.domain.bots import BotProtocol
from server.domain.errors import ApiError
from server.ports.analysts import AnalystGoneError
from server.ports.connection import Connection
from server.services.bots.attached_analyst import PONG_SECONDS
from server.services.driver import Driver, no_effects
from server.services.uhp.bot_session import UhpBotSession
from server.services.uhp.context import UhpContext
from server.services.uhp.engine_attachment import PREFIX, attachment, check_entry
from server.services.uhp.engine_lines import EngineLines, refused

T = TypeVar("T")

LAST_SECONDS: Final = 5.0
"""How long an engine that cannot be asked any more stays attached: until its bot has resigned its game."""


class UhpBotClient:
    """One connection."""

    protocol = BotProtocol.UHP
    most_sessions = 1

    def __init__(self, context: UhpContext, connection: Connection, entry: LadderEntry) -> None:
        """Raises BadHandshake."""
        self.id = entry.client_id
        self.address = connection.address
        self._terms = context.bot_terms
        self._clients = context.bot_clients
        self._connection = connection
        self._entry = entry
        lines = EngineLines(connection, lambda failure: refused(str(failure)))
        self._engine = lines.engine
        self._driver = Driver(connection, lines, no_effects)
        self._turn = asyncio.Lock()
        self._left = asyncio.Event()
        """Set when the client is detached for good."""
        try:
            check_entry(entry, self._terms.policy)
        except AttachError as refusal:
            raise BadHandshake(_text_of(refusal)) from None

    async def run(self) -> None:
        """Runs until the connection ends."""
        self._driver.spawn(self._join)
        try:
            await self._driver.run()
        finally:
            self._leave()

    async def _join(self) -> None:
        """Reads the banner, and attaches the engine."""
        try:
            engine = await self._engine.read_banner(REPLY_SECONDS)
            attach = attachment(self._entry, engine, self._terms.policy)
            await self._clients.attach(attach, self, self._entry.secret)
        except (EngineFailed, AttachError, ApiError) as refusal:
            await self._driver.carry_out(refused(_text_of(refusal)))

    # ---- its sessions ----------------------------------------------------------------------------

    @property
    def time_limit(self) -> float:
        """Seconds for one answer."""
        return self._terms.time_limit

    def session(self, session_id: str, bot_id: str, setup: Setup) -> UhpBotSession:
        """A game of the engine."""
        return UhpBotSession(self, setup)

    def lag_ms(self) -> int:
        """The latency to the engine, in milliseconds."""
        return self._connection.lag_ms()

    async def ask(self, work: Callable[[AskedEngine], Awaitable[T]]) -> T:
        """Asks the engine what ``work`` asks, after everything before. Raises AnalystGoneError or AnswerError.

        If this is cancelled, what is asked next still waits for the answer.
        """
        asking = asyncio.ensure_future(self._ask(work))
        asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())
        return await asyncio.shield(asking)

    async def _ask(self, work: Callable[[AskedEngine], Awaitable[T]]) -> T:
        async with self._turn:
            if self._engine.is_over:
                await self._left.wait()
            if self._left.is_set():
                raise AnalystGoneError
            try:
                return await work(self._engine)
            except EngineFailed as failure:
                if self._left.is_set():
                    raise AnalystGoneError from None
                if self._engine.is_over:
                    loop = asyncio.get_running_loop()
                    loop.call_later(LAST_SECONDS, self.dismiss, NORMAL, str(failure))
                raise AnswerError(str(failure)) from None

    # ---- the connection --------------------------------------------------------------------------

    def tell_result(self, result: bgs.GameResult) -> None:
        """Does nothing: UHP has no way to tell an engine the result of a game."""

    async def is_alive(self) -> bool:
        """Whether the peer answers a ping, or the system still has the connection."""
        return await self._connection.is_alive(PONG_SECONDS)

    def dismiss(self, code: int, reason: str) -> None:
        """Closes the connection; ``bot_clients`` is notified before this returns."""
        if not self._left.is_set():
            self._connection.send(f"{ERROR} {reason}")
            self._connection.close(code, reason)
            self._leave()

    def _leave(self) -> None:
        self._left.set()
        self._engine.lose("")
        self._clients.detach(self)


def _text_of(refusal: Exception) -> str:
    """A refusal as one line without a full stop, like all others of a handshake."""
    return str(refusal).removeprefix(PREFIX).rstrip(".")
