"""A running bot of pyrat-rust's host protocol, which connects to a port that we listen on: drives a ``HostSession``."""

import asyncio
import os
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from engines import Position
from programs.child_process import ChildEndpoint
from programs.endpoints import CHUNK_BYTES
from programs.seat_programs import ProgramFailed, move_ms
from protocols.pyrat.host import events as ev
from protocols.pyrat.host.codec import encode_host
from protocols.pyrat.host.framing import PacketSplitter, framed
from protocols.pyrat.host.match_messages import HostTimes
from protocols.pyrat.host.messages import ProtocolErrorMessage
from protocols.pyrat.host.session import HostSession
from protocols.session import Effect, Event, RemoteError
from protocols.values import ClockReading

ADDRESS = "127.0.0.1"

T = TypeVar("T", bound=Effect)


class PyratHostProgram:
    """One bot in one seat of one game: its process, its connection, and the session."""

    def __init__(self, name: str, agent_id: str, seat: int, start: Position, times: HostTimes) -> None:
        """Nothing is started yet. Raises BadConfig if the protocol cannot express the game."""
        self._name = name
        self._agent_id = agent_id
        self._seat = seat
        self._session = HostSession(agent_id, seat, start, times)
        self._child: ChildEndpoint | None = None
        self._is_launched = asyncio.Event()
        """A quick bot connects before we know that its process has started."""
        self._server: asyncio.Server | None = None
        self._writer: StreamWriter | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._answers: asyncio.Queue[Effect] = asyncio.Queue()
        """What the session has said about the bot, in order."""

    async def launch(self, run_command: str, folder: Path, log: Callable[[str], None]) -> None:
        """Starts the process; ``close`` is to be called in any case. ``log`` takes the lines of its output.

        Raises OSError.
        """
        self._server = await asyncio.start_server(self._accept, ADDRESS, 0)
        port = self._server.sockets[0].getsockname()[1]
        own = {"PYRAT_HOST_PORT": str(port), "PYRAT_AGENT_ID": self._agent_id}
        self._child = await ChildEndpoint.start(
            ["sh", "-c", run_command],
            farewell=None,
            log=log,
            folder=folder,
            environment=os.environ | own,
        )
        self._notify(ev.BotLaunched())
        self._tasks = [
            asyncio.ensure_future(_log_output(self._child, log)),
            asyncio.ensure_future(self._watch(self._child)),
        ]
        self._is_launched.set()

    async def identity(self) -> str:
        """The name that the bot reports; may be empty. Raises ProgramFailed."""
        return (await self._answer(ev.BotIdentified)).name

    async def prepare(self) -> None:
        """Waits until the bot can be asked for moves. Raises ProgramFailed."""
        await self._answer(ev.BotPrepared)

    async def choose(self, position: Position, clock: ClockReading | None = None) -> str:
        """Returns the bot's move, or STAY if it is late. Raises ProgramFailed."""
        self._notify(ev.AskForMove(position, None if clock is None else move_ms(clock)))
        return position.check((await self._answer(ev.BotMoved)).move, self._seat)

    async def close(self, position: Position) -> None:
        """Tells the bot the result of a finished game, and terminates it with everything that it has started."""
        if position.outcome is not None:
            self._notify(ev.GameEnded(position))
        self._set_timer(None)
        if self._server is not None:
            self._server.close()
        if self._writer is not None:
            self._writer.close()
        if self._child is not None:
            await self._child.close()  # Its remaining output is still logged.
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, kind: type[T]) -> T:
        """Waits until the session has said this. Raises ProgramFailed if the bot fails before."""
        while not isinstance(answer := await self._answers.get(), kind):
            if isinstance(answer, ev.BotFailed):
                raise ProgramFailed(answer.reason, f"{self._name} {answer.text}")
        return answer

    # ---- the connection --------------------------------------------------------------------------

    async def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        await self._is_launched.wait()
        if self._writer is not None:
            error = ProtocolErrorMessage("The bot is connected already.")
            writer.write(framed(encode_host(error)))
            writer.close()
            return
        self._writer = writer
        self._notify(ev.BotConnected())
        self._tasks.append(asyncio.ensure_future(self._read(reader)))

    async def _read(self, reader: StreamReader) -> None:
        splitter = PacketSplitter()
        try:
            with suppress(OSError):  # The connection is lost.
                while data := await reader.read(CHUNK_BYTES):
                    for packet in splitter.feed(data):
                        self._perform(self._session.receive(packet))
        except RemoteError as error:
            self._notify(ev.BadPacket(str(error)))
        if self._child is not None:
            self._notify(ev.BotDisconnected(await self._child.ending()))

    async def _watch(self, child: ChildEndpoint) -> None:
        """Notices that the bot exits before it has connected."""
        await child.exited()
        if self._writer is None:
            self._notify(ev.BotDisconnected(await child.ending()))

    # ---- effects ---------------------------------------------------------------------------------

    def _notify(self, event: Event) -> None:
        self._perform(self._session.notify(event))

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case ev.SendPacket(packet=packet):
                    self._send(packet)
                case ev.SetTimer(seconds=seconds):
                    self._set_timer(seconds)
                case ev.BotIdentified() | ev.BotPrepared() | ev.BotMoved():
                    self._answers.put_nowait(effect)
                case ev.BotFailed():
                    self._answers.put_nowait(effect)
                    if self._writer is not None:
                        self._writer.close()
                case _:
                    raise TypeError(f"a host session asks for {type(effect).__name__}")

    def _send(self, packet: bytes) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(framed(packet))

    def _set_timer(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = None if seconds is None else loop.call_later(seconds, self._notify, ev.TimerExpired())


async def _log_output(child: ChildEndpoint, log: Callable[[str], None]) -> None:
    """Bots print what they like; a full pipe would stop them."""
    async for line in child.lines():
        if isinstance(line, str) and line.strip():
            log(line)
