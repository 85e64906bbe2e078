"""Runs ``plyhouse bot`` and ``plyhouse worker``: a connection to a server and an engine for each bot, all kept alive.

Drives a ``BotClient``, which decides what is sent where.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException

from programs.bot.config import BotConfig
from programs.bot.engine_process import EngineProcess
from programs.bot.secret import SecretFile
from protocols.bgs import client
from protocols.bgs.attach import RejectionCode
from protocols.reconnecting import first_pause
from protocols.session import Effect, Log, Send

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds before the next attempt to connect, doubled after each failure."""

MAX_FRAME_BYTES = 1 << 20

LOST_GAMES = "; running games are lost unless the server restarts"

REPLACED = 1000
"""The code with which the server closes a connection whose client id another client has taken over."""

PASSING = (RejectionCode.TOO_MANY_CLIENTS, RejectionCode.INTERNAL_ERROR)
"""Rejections after which another attempt may succeed."""


class GivenUpError(Exception):
    """Further attempts are pointless; the text says why."""


class BotEngine(Protocol):
    """An engine that takes the lines of the protocol."""

    def write(self, line: str) -> bool:
        """Gives it a line; returns False if it is not running."""
        ...


OnLine = Callable[[str, str], None]
"""Is called with a bot's id and each line that its engine writes."""

OnExit = Callable[[str], None]
"""Is called with a bot's id when its engine has exited."""

MakeEngine = Callable[[str, OnLine, OnExit], BotEngine]
"""Returns the engine of the bot with this id."""


class BotProgram:
    """One client with its engines. ``secrets`` is where its resume secret is stored, if anywhere.

    ``make_engine`` is used instead of the configuration's commands.
    """

    def __init__(
        self, config: BotConfig, secrets: SecretFile | None = None, make_engine: MakeEngine | None = None
    ) -> None:
        self._config = config
        self._secrets = secrets
        secret = None if secrets is None else secrets.read()
        self._client = client.BotClient(replace(config.attach, resume_secret=secret))
        make = make_engine or self._process
        self._processes: list[EngineProcess] = []
        self._engines = {
            bot.bot_id: make(bot.bot_id, self._take_line, self._lose_engine) for bot in config.attach.bots
        }
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._rejected: client.ClientRejected | None = None
        self._close_codes: tuple[int | None, int | None] = None, None
        """Received and sent at the end of the last connection."""

    async def run(self) -> None:
        """Runs until cancelled. Raises GivenUpError, or OSError if an engine cannot be started."""
        keepers: list[asyncio.Task[None]] = []
        try:
            for process in self._processes:
                await process.start()
            keepers = [asyncio.ensure_future(process.keep()) for process in self._processes]
            await self._stay_connected()
        finally:
            for keeper in keepers:
                keeper.cancel()
            await asyncio.gather(*keepers, return_exceptions=True)
            for process in self._processes:
                await process.stop()

    # ---- the connection --------------------------------------------------------------------------

    async def _stay_connected(self) -> None:
        longest = FIRST_PAUSE
        while True:
            was_attached = await self._connect_once()
            longest = FIRST_PAUSE if was_attached else longest
            pause = longest * random.uniform(0.8, 1.2)  # noqa: S311 - spreads clients, no secret
            if was_attached:
                pause = first_pause(*self._close_codes, pause, random.random())  # noqa: S311
            log.info("reconnecting in %.1f s", pause)
            await asyncio.sleep(pause)
            longest = min(LONGEST_PAUSE, 2 * longest)

    async def _connect_once(self) -> bool:
        """Runs one connection; returns whether the server accepted the attachment."""
        try:
            async with connect(
                self._config.url, compression=None, max_size=MAX_FRAME_BYTES, open_timeout=10
            ) as connection:
                return await self._serve(connection)
        except (OSError, InvalidHandshake, TimeoutError, WebSocketException) as error:
            log.warning("%s: %s", self._config.url, error)
            return False

    async def _serve(self, connection: ClientConnection) -> bool:
        self._outbox = asyncio.Queue()
        self._rejected = None
        sender = asyncio.ensure_future(self._send_all(connection))
        was_attached = False
        try:
            self._perform(self._client.notify(client.Connected()))
            async for frame in connection:
                if isinstance(frame, str):
                    self._perform(self._client.receive(frame))
                was_attached = was_attached or self._client.state is client.ClientState.ATTACHED
        except ConnectionClosed as closed:
            consequence = "" if self._config.attach.is_worker else LOST_GAMES
            log.warning("connection lost: %s%s", closed, consequence)
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
            self._perform(self._client.notify(client.ConnectionLost()))
        received, sent = connection.protocol.close_rcvd, connection.protocol.close_sent
        self._close_codes = (received.code if received else None), (sent.code if sent else None)
        self._check_use(connection)
        return was_attached

    def _check_use(self, connection: ClientConnection) -> None:
        if self._rejected is not None and self._rejected.message.code not in PASSING:
            raise GivenUpError(f"the server refuses the bots: {self._rejected.message.message}")
        if connection.close_code == REPLACED:
            raise GivenUpError(f"the server closed the connection: {connection.close_reason}")

    async def _send_all(self, connection: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await connection.send(await self._outbox.get())

    def _keep(self, secret: str | None) -> None:
        if self._secrets is None or secret is None:
            return
        try:
            self._secrets.write(secret)
        except OSError as error:
            log.warning("the resume secret cannot be saved: %s", error)

    # ---- engines ---------------------------------------------------------------------------------

    def _process(self, bot_id: str, on_line: OnLine, on_exit: OnExit) -> EngineProcess:
        self._processes.append(EngineProcess(bot_id, self._config.commands[bot_id], on_line, on_exit))
        return self._processes[-1]

    def _take_line(self, bot_id: str, line: str) -> None:
        if line.strip():
            self._perform(self._client.notify(client.EngineLine(bot_id, line)))

    def _lose_engine(self, bot_id: str) -> None:
        self._perform(self._client.notify(client.EngineExited(bot_id)))

    # ---- effects ---------------------------------------------------------------------------------

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._outbox.put_nowait(text)
                case client.ToEngine(bot_id=bot_id, line=line):
                    if not self._engines[bot_id].write(line):
                        self._lose_engine(bot_id)
                case client.ClientAttached(message=message):
                    log.info("attached to %s %s", message.server.name, message.server.version)
                    self._keep(message.resume_secret)
                case client.ClientRejected(message=message):
                    log.warning("attach rejected: %s: %s", message.code, message.message)
                    self._rejected = effect
                case Log(text=text):
                    log.info("%s", text)
                case _:
                    raise TypeError(f"a bot client asks for {type(effect).__name__}")
