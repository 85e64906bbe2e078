"""Runs ``plyhouse bot`` and ``plyhouse worker``: a connection to a server and an engine for each bot, all kept alive.

Drives a ``BotClient``, which decides what is sent where.
"""

import asyncio
import logging
import random
from collections import deque
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
from protocols.bgs.messages import BotEntry
from protocols.reconnecting import Pauses, first_pause
from protocols.session import Effect, Event, Log, Send

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds before the next attempt to connect, doubled after each failure."""

MAX_FRAME_BYTES = 1 << 20

PATIENCE_SECONDS = 6.0
"""How long requests wait for an engine that restarts. The server's limit is 10 seconds by default."""

MOST_REPLACEMENTS, REPLACEMENT_SECONDS = 3, 61.0
"""How often we replace our connection in how many seconds: the server allows three times a minute."""

LOST_GAMES = "; running games are lost unless the server has stopped"

REPLACED = 1000
"""The code with which the server closes a connection whose client id another client has taken over."""

PASSING = (RejectionCode.TOO_MANY_CLIENTS, RejectionCode.INTERNAL_ERROR)
"""Rejections after which another attempt may succeed."""


class GivenUpError(Exception):
    """Further attempts are pointless; the text says why."""


class BotEngine(Protocol):
    """An engine that takes the lines of the protocol."""

    def write(self, line: str) -> None:
        """Gives it a line. One that has exited gets none."""
        ...


OnLine = Callable[[str, str], None]
"""Is called with a bot's id and each line that its engine writes."""

MakeEngine = Callable[[str, OnLine], BotEngine]
"""Returns the engine of the bot with this id, which is ready at once."""


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
        self._processes: list[EngineProcess] = []
        self._engines = {
            bot.bot_id: self._process(bot) if make_engine is None else make_engine(bot.bot_id, self.take_line)
            for bot in config.attach.bots
        }
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._rejected: client.ClientRejected | None = None
        self._close_codes: tuple[int | None, int | None] = None, None
        """Received and sent at the end of the last connection."""
        self._overdue: dict[str, asyncio.TimerHandle] = {}
        self._engines_changed = asyncio.Event()
        self._replaced_at: deque[float] = deque(maxlen=MOST_REPLACEMENTS)
        """When we have replaced our connection lately."""

    async def run(self) -> None:
        """Runs until cancelled. Raises GivenUpError, or OSError if an engine cannot be started."""
        keepers: list[asyncio.Task[None]] = []
        try:
            for process in self._processes:
                await process.start()
            for bot in self._config.attach.bots if self._processes else ():
                self.lose_engine(bot.bot_id)
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
        pauses = Pauses(FIRST_PAUSE, LONGEST_PAUSE)
        while True:
            await self._until(lambda: self._client.can_attach)
            was_attached = await self._connect_once()
            if was_attached:
                pauses.restart()
            pause = pauses.next() * random.uniform(0.8, 1.2)  # noqa: S311 - spreads clients, no secret
            if was_attached:
                pause = first_pause(*self._close_codes, pause, random.random())  # noqa: S311
            log.info("reconnecting in %.1f s", pause)
            await asyncio.sleep(pause)

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Waits for a state of the engines."""
        while not condition():
            self._engines_changed.clear()
            await self._engines_changed.wait()

    async def _connect_once(self) -> bool:
        """Runs a connection, and those that replace it; returns whether the server accepted the attachment."""
        was_attached, older = False, None
        try:
            while True:
                connection = await connect(
                    self._config.url, compression=None, max_size=MAX_FRAME_BYTES, open_timeout=10
                )
                if not self._client.is_useful:
                    await connection.close()
                    return was_attached
                is_attached, is_replaced = await self._serve(connection, older)
                if older is not None:
                    await older.close()
                was_attached, older = was_attached or is_attached, connection
                if not is_replaced:
                    return was_attached
        except (OSError, InvalidHandshake, TimeoutError, WebSocketException) as error:
            log.warning("%s: %s", self._config.url, error)
            return was_attached
        finally:
            if older is not None:
                await older.close()

    async def _serve(self, connection: ClientConnection, older: ClientConnection | None) -> tuple[bool, bool]:
        """Serves a connection; returns whether it was attached, and whether it is still open, to be replaced."""
        self._outbox = asyncio.Queue()
        self._rejected = None
        was_attached = is_replaced = False
        tasks = [asyncio.ensure_future(self._send_all(connection))]
        try:
            self._perform(self._client.notify(client.Connected()))
            reading = asyncio.ensure_future(self._receive_all(connection, older))
            replacing = asyncio.ensure_future(self._await_replacement())
            tasks += [reading, replacing]
            done, _ = await asyncio.wait([reading, replacing], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            was_attached = self._client.state is client.ClientState.ATTACHED
            is_replaced = not reading.done() and self._client.can_attach
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._perform(self._client.notify(client.ConnectionLost()))
            close_code = connection.close_code
            received, sent = connection.protocol.close_rcvd, connection.protocol.close_sent
            self._close_codes = (received.code if received else None), (sent.code if sent else None)
            if not is_replaced:
                await connection.close()
        self._check_use(connection, close_code)
        return was_attached, is_replaced

    async def _receive_all(self, connection: ClientConnection, older: ClientConnection | None) -> None:
        """Handles the server's messages until the connection is lost. Closes the one that it replaces."""
        try:
            async for frame in connection:
                if isinstance(frame, str):
                    self._perform(self._client.receive(frame, _now()))
                if older is not None and self._client.state is client.ClientState.ATTACHED:
                    await older.close()
                    older = None
        except ConnectionClosed as closed:
            consequence = "" if self._config.attach.is_worker else LOST_GAMES
            log.warning("connection lost: %s%s", closed, consequence)

    async def _await_replacement(self) -> None:
        """Waits until the server has to hear about the engines, and may: by another connection, or by none."""
        while True:
            await self._until(self._is_outdated)
            now, times = asyncio.get_running_loop().time(), self._replaced_at
            if not self._client.is_useful:
                log.warning("no engine is ready: leaving the server")
                return
            if len(times) < MOST_REPLACEMENTS or now - times[0] > REPLACEMENT_SECONDS:
                log.info("attaching again, as an engine has changed")
                times.append(now)
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(REPLACEMENT_SECONDS - (now - times[0])):
                    await self._until(lambda: not self._client.is_useful or not self._is_outdated())

    def _is_outdated(self) -> bool:
        """Whether the connection is to be replaced, or ended because no engine is ready any more."""
        may_replace = self._client.can_attach and self._client.can_replace
        return self._client.must_attach_again and (may_replace or not self._client.is_useful)

    def _check_use(self, connection: ClientConnection, close_code: int | None) -> None:
        """Raises GivenUpError if the server has ended the connection for good. ``close_code``: None if we end it."""
        if self._rejected is not None and self._rejected.message.code not in PASSING:
            raise GivenUpError(f"the server refuses the bots: {self._rejected.message.message}")
        if close_code == REPLACED:
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

    def _process(self, bot: BotEntry) -> EngineProcess:
        command, ready_seconds = self._config.commands[bot.bot_id], self._config.ready_seconds
        self._processes.append(EngineProcess(bot, command, ready_seconds, self))
        return self._processes[-1]

    def take_line(self, bot_id: str, line: str) -> None:
        """Takes a line that an engine has written."""
        if line.strip():
            self._perform(self._client.notify(client.EngineLine(bot_id, line, _now())))

    def use_engine(self, bot_id: str) -> None:
        """Notes that an engine is ready."""
        self._note(client.EngineReady(bot_id))

    def lose_engine(self, bot_id: str) -> None:
        """Notes that an engine has exited, or is being started."""
        if self._client.engines[bot_id] is client.EngineAvailability.READY:
            timer = self._overdue.get(bot_id)
            if timer is not None:
                timer.cancel()
            overdue = client.EngineOverdue(bot_id)
            self._overdue[bot_id] = asyncio.get_running_loop().call_later(
                PATIENCE_SECONDS, self._note, overdue
            )
        self._note(client.EngineExited(bot_id))

    def _note(self, event: Event) -> None:
        self._perform(self._client.notify(event))
        self._engines_changed.set()

    # ---- effects ---------------------------------------------------------------------------------

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    self._outbox.put_nowait(text)
                case client.ToEngine(bot_id=bot_id, line=line):
                    self._engines[bot_id].write(line)
                case client.ClientAttached(message=message):
                    log.info("attached to %s %s", message.server.name, message.server.version)
                    self._engines_changed.set()
                    self._keep(message.resume_secret)
                case client.ClientRejected(message=message):
                    log.warning("attach rejected: %s: %s", message.code, message.message)
                    self._rejected = effect
                case Log(text=text):
                    log.info("%s", text)
                case _:
                    raise TypeError(f"a bot client asks for {type(effect).__name__}")


def _now() -> float:
    return asyncio.get_running_loop().time()
