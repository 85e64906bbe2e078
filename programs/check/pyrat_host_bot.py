"""A bot of PyRat's host protocol that is checked, and a game that it plays."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from engines import Position
from engines.bots import random_move
from programs.check.connecting import ConnectingProcess, ending_of, first_connection
from programs.check.conversation import Conversation, NoAnswer
from programs.check.findings import Said, WrongAnswer
from programs.check.steps import Effort
from programs.endpoints import CHUNK_BYTES
from programs.pyrat.host_program import ADDRESS
from protocols.pyrat.host import messages as packets
from protocols.pyrat.host.board import GAME
from protocols.pyrat.host.codec import decode_bot, encode_host
from protocols.pyrat.host.framing import PacketSplitter, framed
from protocols.pyrat.host.match_messages import HostTimes, MatchMessages
from protocols.session import RemoteError

SEED = 1
SMALL = "tiny"
"""The variant of most steps."""

TIMES = HostTimes(move_ms=100, preprocessing_ms=200)
PATIENCE_SECONDS = 2.0
"""How long after its time a late bot is waited for."""

StartBot = Callable[[int, Callable[[str], None]], Awaitable[ConnectingProcess]]
"""Starts the bot, given the port to connect to and what takes its lines. Raises OSError."""

Heard = packets.BotMessage | RemoteError
"""A message, or what is wrong with a packet that is none."""

M = TypeVar("M")


class PacketChannel:
    """The connection of a bot. Closing it also ends the process."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: ConnectingProcess
    ) -> None:
        self._reader, self._writer = reader, writer
        self.process = process

    async def lines(self) -> AsyncIterator[Heard]:
        """Its messages; the last one may be an error."""
        splitter = PacketSplitter()
        with suppress(OSError):
            while data := await self._reader.read(CHUNK_BYTES):
                try:
                    for packet in splitter.feed(data):
                        yield decode_bot(packet)
                except RemoteError as error:
                    yield error
                    return

    async def send(self, message: packets.HostMessage) -> None:
        """Sends a message."""
        with suppress(OSError):
            self._writer.write(framed(encode_host(message)))
            await self._writer.drain()

    async def ending(self) -> str:
        """How the process has ended, if it has."""
        return await ending_of(self.process) or "it has closed its connection"

    async def close(self) -> None:
        """Ends the connection and the process."""
        self._writer.close()
        await self.process.close()


class HostBotUnderCheck:
    """The bot: one process at a time, each for one game."""

    def __init__(
        self, start_bot: StartBot, agent_id: str, effort: Effort, times: HostTimes, connect_seconds: float
    ) -> None:
        self.said: list[Said] = []
        self.effort = effort
        self.times = times
        self.agent_id = agent_id
        self.identity = packets.IdentifyMessage()
        self.late = 0.0
        """The most seconds after its time that a move came, or was not waited for any more."""
        self.provisional: list[packets.ProvisionalMessage] = []
        """What it has sent since it was asked."""
        self._start_bot = start_bot
        self._connect_seconds = connect_seconds
        self._conversation: Conversation[packets.HostMessage, Heard] | None = None
        self._has_played = False

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""
        return self._conversation is not None

    @property
    def conversation(self) -> Conversation[packets.HostMessage, Heard]:
        """The current run."""
        if self._conversation is None:
            raise WrongAnswer("The bot is not running.")
        return self._conversation

    async def start(self) -> None:
        """Starts a process, up to its Identify. Raises OSError or Objection."""
        self._has_played = False
        self._conversation = Conversation(self.said, shown, shown)
        await self._conversation.open(self._connect)
        self.identity = await self.hear(packets.IdentifyMessage, self.times.identify)

    async def stop(self) -> None:
        """Ends the process, if it runs."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            await conversation.close()

    async def hear(self, kind: type[M], seconds: float) -> M:
        """The next message, which must be of this kind. Raises WrongAnswer."""
        message = await self.hear_any(_name(kind), seconds)
        if not isinstance(message, kind):
            raise WrongAnswer(f"It sends {_name(type(message))} instead of {_name(kind)}.")
        return message

    async def hear_any(self, wanted: str, seconds: float) -> packets.BotMessage:
        """The next message that is not for viewers only. Raises WrongAnswer, which names what was ``wanted``."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while True:
            try:
                message = await self.conversation.hear(max(0.0, deadline - loop.time()))
            except NoAnswer:
                raise NoAnswer(f"No {wanted} within {seconds:g} s.") from None
            if isinstance(message, RemoteError):
                raise WrongAnswer(f"A packet cannot be read: {message}.")
            if isinstance(message, packets.ProvisionalMessage):
                self.provisional.append(message)
            elif not isinstance(message, FOR_VIEWERS):
                return message

    async def begin(self, variant: str = SMALL, seat: int = 0, times: HostTimes | None = None) -> "HostGame":
        """Begins a game, with a new process if this one has played."""
        if self._has_played:
            await self.stop()
            await self.start()
        self._has_played = True
        game = HostGame(
            self, Position(GAME, variant, {"seed": SEED}), packets.Slot(seat), times or self.times
        )
        await game.begin()
        return game

    async def _connect(self, log: Callable[[str], None]) -> PacketChannel:
        accepted: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted.put_nowait((reader, writer))

        server = await asyncio.start_server(accept, ADDRESS, 0)
        try:
            process = await self._start_bot(server.sockets[0].getsockname()[1], log)
            try:
                reader, writer = await first_connection(accepted, self._connect_seconds, process)
            except BaseException:
                await process.close()
                raise
        finally:
            server.close()
        return PacketChannel(reader, writer, process)


FOR_VIEWERS = (packets.InfoMessage, packets.RenderCommandsMessage)


@dataclass
class HostGame:
    """A game in which the bot has one seat, and the other moves at random."""

    bot: HostBotUnderCheck
    position: Position
    slot: packets.Slot
    times: HostTimes

    def __post_init__(self) -> None:
        self._messages = MatchMessages(self.position, self.times)
        self._rng = random.Random(SEED)

    @property
    def hash(self) -> int:
        """The hash of the position."""
        return self._messages.state_hash(self.position)

    async def begin(self) -> None:
        """Tells the seat and the board, and lets the bot prepare."""
        await self.bot.conversation.say(packets.WelcomeMessage(self.slot))
        await self.bot.conversation.say(self._messages.configure())
        ready = await self.bot.hear(packets.ReadyMessage, self.times.configure)
        self._compare("Ready", ready.state_hash)
        await self.bot.conversation.say(packets.GoPreprocessMessage(self.hash))
        seconds = self.times.preprocessing_ms / 1000 + PATIENCE_SECONDS
        await self.bot.hear(packets.PreprocessingDoneMessage, seconds)

    async def turn(self) -> None:
        """Asks the bot for its move, and plays the turn."""
        await self.ask()
        await self.play(await self.answer())

    async def ask(self) -> None:
        """Sends Go."""
        await self.bot.conversation.say(self._messages.go(self.position, self.times.move_ms))

    async def answer(self) -> packets.Direction:
        """The bot's move, which may be late."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        limit = self.times.move_ms / 1000
        self.bot.provisional.clear()
        try:
            return self.check(await self.bot.hear(packets.ActionMessage, limit))
        except NoAnswer:
            await self.bot.conversation.say(packets.StopMessage())
        try:
            direction = self.check(await self.bot.hear(packets.ActionMessage, PATIENCE_SECONDS))
        except NoAnswer:
            if not self.bot.provisional:
                raise WrongAnswer(f"No Action within {limit:g} s, and none after Stop.") from None
            direction = self.bot.provisional[-1].direction
        self.bot.late = max(self.bot.late, loop.time() - begin - limit)
        return direction

    def check(self, action: packets.ActionMessage) -> packets.Direction:
        """The direction of a move that belongs to this turn and seat. Raises WrongAnswer."""
        if action.player is not self.slot:
            raise WrongAnswer(f"It moves for {action.player.name}; it is {self.slot.name}.")
        if action.turn != self.position.ply:
            raise WrongAnswer(f"It moves in turn {action.turn} instead of {self.position.ply}.")
        self._compare("Action", action.state_hash)
        return action.direction

    async def play(self, direction: packets.Direction) -> None:
        """Plays the bot's move and one of the other seat, and tells the bot."""
        other = random_move(self.position, 1 - self.slot, self._rng)
        parts = {int(self.slot): self.position.check(direction.name, int(self.slot)), 1 - self.slot: other}
        await self.advance(f"{parts[0]}/{parts[1]}")

    async def advance(self, turn: str) -> None:
        """Plays a turn, and waits until the bot has done so."""
        self.position.play(turn)
        if not self.position.to_act:
            return
        await self.bot.conversation.say(self._messages.advance(self.position))
        synced = await self._synced()
        self._compare("SyncOk", synced.hash)

    async def end(self) -> None:
        """Tells the result."""
        await self.bot.conversation.say(self._messages.game_over(self.position))

    async def _synced(self) -> packets.SyncOkMessage:
        """The confirmation of a turn, before which the bot may ask for the full state once."""
        message = await self.bot.hear_any("SyncOk", self.times.sync)
        if isinstance(message, packets.ResyncMessage):
            await self.bot.conversation.say(self._messages.full_state(self.position))
            message = await self.bot.hear_any("SyncOk", self.times.sync)
        if not isinstance(message, packets.SyncOkMessage):
            raise WrongAnswer(f"It sends {_name(type(message))} instead of SyncOk.")
        return message

    def _compare(self, name: str, given: int) -> None:
        if given != self.hash:
            raise WrongAnswer(
                f"{name} in turn {self.position.ply} has the hash {given:#018x}, not {self.hash:#018x}."
            )


def _name(kind: type[object]) -> str:
    """The name of a message in the protocol."""
    return kind.__name__.removesuffix("Message")


def shown(message: object) -> str:
    """A message as text: its name and its members."""
    return str(message) if isinstance(message, RemoteError) else repr(message).replace("Message(", "(", 1)
