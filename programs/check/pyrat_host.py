"""Checks a bot of PyRat's host protocol: how it connects, its hashes, its moves and its time.

The bot plays each game in a process of its own, as it does for ``plyhouse arena``.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from engines import Position, games
from engines.bots import random_move
from programs.check.connecting import (
    CONNECT_SECONDS,
    ConnectingChild,
    ConnectingProcess,
    ending_of,
    first_connection,
)
from programs.check.conversation import Conversation, NoAnswer, ProgramEnded
from programs.check.findings import Finding, Rule, Said, SlowAnswer, WrongAnswer
from programs.check.positions import random_moves
from programs.check.steps import Effort, Step, run_steps
from programs.endpoints import CHUNK_BYTES
from programs.pyrat.host_bot import PyratHostBot
from programs.pyrat.host_program import ADDRESS
from protocols.pyrat.host import messages as packets
from protocols.pyrat.host.board import GAME
from protocols.pyrat.host.codec import decode_bot, encode_host
from protocols.pyrat.host.framing import PacketSplitter, framed
from protocols.pyrat.host.match_messages import HostTimes, MatchMessages
from protocols.session import RemoteError

HOST = "docs/pyrat.md#bots-of-the-host-protocol"

SEED = 1
SMALL = "tiny"
"""The variant of most steps."""

TIMES = HostTimes(move_ms=100, preprocessing_ms=200)
LONG = replace(TIMES, move_ms=5000)
"""For a move that is not waited for."""

STOP_SECONDS = 0.2
"""How long a bot thinks until it is told to stop."""

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


def starting(bot: PyratHostBot) -> StartBot:
    """How a bot with a ``bot.toml`` is started."""

    async def start(port: int, log: Callable[[str], None]) -> ConnectingProcess:
        own = {"PYRAT_HOST_PORT": str(port), "PYRAT_AGENT_ID": bot.agent_id}
        return await ConnectingChild.start(["sh", "-c", bot.run_command], log, bot.folder, own)

    return start


async def check_pyrat_host(
    start_bot: StartBot,
    agent_id: str,
    effort: Effort,
    times: HostTimes = TIMES,
    connect_seconds: float = CONNECT_SECONDS,
) -> Sequence[Finding]:
    """Runs the script. Raises CannotStart."""
    bot = HostBotUnderCheck(start_bot, agent_id, effort, times, connect_seconds)
    return await run_steps(bot, [IDENTIFIES], _steps, effort)


def _steps(bot: HostBotUnderCheck) -> Iterator[Step[HostBotUnderCheck]]:
    yield from FIRST
    for variant in next(game.variants for game in games() if game.name == GAME):
        yield Step(f"plays {variant}", HASHES, partial(plays_variant, variant=variant))
    yield from LAST


def _name(kind: type[object]) -> str:
    """The name of a message in the protocol."""
    return kind.__name__.removesuffix("Message")


def shown(message: object) -> str:
    """A message as text: its name and its members."""
    return str(message) if isinstance(message, RemoteError) else repr(message).replace("Message(", "(", 1)


# ---- the steps -----------------------------------------------------------------------------------


async def identifies(bot: HostBotUnderCheck) -> str:
    """Identify has the id that the program was given."""
    if bot.identity.agent_id != bot.agent_id:
        raise WrongAnswer(f"Its agent_id is {bot.identity.agent_id!r} instead of {bot.agent_id!r}.")
    return bot.identity.name or "without a name"


async def plays_as(bot: HostBotUnderCheck, slot: packets.Slot) -> str:
    """A game in one of the seats."""
    game = await bot.begin(seat=slot)
    while game.position.to_act and game.position.ply < 2 * bot.effort.plies:
        await game.turn()
    await game.end()
    return f"{game.position.ply} turns"


async def plays_variant(bot: HostBotUnderCheck, variant: str) -> None:
    """The first turns on a board of each variant."""
    game = await bot.begin(variant)
    for _ in range(3):
        await game.turn()


async def follows_a_long_game(bot: HostBotUnderCheck) -> str:
    """Many turns before the first move, as after random opening turns."""
    game = await bot.begin("medium", 1)
    turns = random_moves(game.position, bot.effort.long, random.Random(SEED))
    for turn in turns:
        await game.advance(turn)
    await game.turn()
    return f"{len(turns)} turns"


async def stops(bot: HostBotUnderCheck) -> str:
    """Stop ends the search for a move."""
    game = await bot.begin(times=LONG)
    await game.ask()
    with suppress(NoAnswer):
        game.check(await bot.hear(packets.ActionMessage, STOP_SECONDS))
        return "it had moved before"
    loop = asyncio.get_running_loop()
    begin = loop.time()
    await bot.conversation.say(packets.StopMessage())
    game.check(await bot.hear(packets.ActionMessage, PATIENCE_SECONDS))
    took = loop.time() - begin
    if took > bot.times.grace:
        raise SlowAnswer(
            f"Its move came {took * 1000:.0f} ms after Stop; it has {bot.times.grace * 1000:.0f} ms."
        )
    return f"{took * 1000:.0f} ms"


async def sees_the_end(bot: HostBotUnderCheck) -> str:
    """GameOver ends the program."""
    game = await bot.begin()
    game.position.play(*random_moves(game.position, 4, random.Random(SEED)))
    await game.end()
    with suppress(ProgramEnded):
        try:
            await bot.hear(packets.SyncOkMessage, PATIENCE_SECONDS)
        except NoAnswer:
            raise SlowAnswer(f"It still runs {PATIENCE_SECONDS:g} s after GameOver.") from None
    await bot.stop()
    return "it exits"


async def plays_game_after_game(bot: HostBotUnderCheck) -> str:
    """A process for each of several games."""
    rounds = max(2, bot.effort.rounds // 5)
    for number in range(rounds):
        game = await bot.begin(seat=number % 2)
        await game.turn()
        await game.end()
    return f"{rounds} games"


async def moves_in_time(bot: HostBotUnderCheck) -> str:
    """All moves so far."""
    if bot.late > bot.times.grace:
        raise SlowAnswer(f"Its latest move came {bot.late * 1000:.0f} ms after its time.")
    return "none was late"


# ---- the script ----------------------------------------------------------------------------------

HASHES = Rule(
    "The bot has the host's hash of the start, in Ready, and of each turn, in SyncOk and Action.", HOST
)
MOVES = Rule("The bot answers Go with an Action for its own seat and this turn.", HOST)

IDENTIFIES: Step[HostBotUnderCheck] = Step(
    "identifies itself",
    Rule("The bot connects to PYRAT_HOST_PORT, and sends Identify with the id in PYRAT_AGENT_ID.", HOST),
    identifies,
)

FIRST: tuple[Step[HostBotUnderCheck], ...] = (
    Step("plays the rat", MOVES, partial(plays_as, slot=packets.Slot.RAT)),
    Step("plays the python", MOVES, partial(plays_as, slot=packets.Slot.PYTHON)),
    Step("stops", Rule("After Stop, the bot has another 50 ms to answer.", HOST), stops),
    Step("sees the end", Rule("GameOver ends the game, and with it the program.", HOST), sees_the_end),
)

LAST: tuple[Step[HostBotUnderCheck], ...] = (
    Step("follows a long game", HASHES, follows_a_long_game),
    Step(
        "plays game after game",
        Rule("For each game, the command is run again.", HOST),
        plays_game_after_game,
    ),
    Step(
        "moves in time",
        Rule("If a move is late, the last Provisional move of the turn is played, or else STAY.", HOST),
        moves_in_time,
    ),
)
