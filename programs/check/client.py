"""Checks a bot client, which connects to a server by itself: how it attaches, answers, and comes back.

``plyhouse check v3`` starts the command with the address of its own server (``bot_server``), or waits for a client that
somebody else starts.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from importlib.metadata import version

from websockets.exceptions import ConnectionClosed

from engines import games
from programs.check.bot_server import BotServer, ClientChannel
from programs.check.connecting import CONNECT_SECONDS, ConnectingProcess
from programs.check.conversation import NoAnswer, ProgramChannel, ProgramEnded
from programs.check.findings import Finding, NotClaimed, Rule, SlowAnswer, WrongAnswer
from programs.check.session_steps import TRIAL, session_steps, usual_start
from programs.check.sessions import ANSWER_SECONDS, SessionProgram
from programs.check.steps import Effort, Step, run_steps
from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachError, AttachPolicy, read_attach
from protocols.bgs.boards import attachable, terms_of
from protocols.bgs.codec import UncheckedAttach, decode_from_bot, encode
from protocols.jsontext import JsonDict
from protocols.session import RemoteError
from protocols.uhp.lines import Line
from protocols.values import BUILT_IN_CLIENT

ATTACH = "docs/bots.md#attach"
CLOSING = "docs/bots.md#limits"
RESTART = "docs/bots.md#after-a-restart-of-the-server"

PONG_SECONDS = 20.0
"""How long the server waits for the answer to a ping."""

USUAL_PONG_SECONDS = 5.0

RETURN_SECONDS = 15.0
"""How long a client is waited for that has lost its connection."""

LISTEN_SECONDS = 300.0
"""How long a client is waited for that somebody else starts."""

STAY_AWAY_SECONDS = 3.0
"""How long a client that was replaced is watched."""

STOPPING, REPLACED = 1001, 1000

StartClient = Callable[[str, Callable[[str], None]], Awaitable[ConnectingProcess]]
"""Starts the client, given the address of the server and what takes its lines. Raises OSError."""


class ClientUnderCheck(SessionProgram):
    """The client, its process if we start it, and the server that it connects to."""

    def __init__(
        self, server: BotServer, start_client: StartClient | None, effort: Effort, answer_seconds: float
    ) -> None:
        """``start_client``: None for one that somebody else starts."""
        super().__init__(self._connect, effort, answer_seconds)
        self.attach: bgs.Attach | None = None
        self._server = server
        self._start_client = start_client
        self._secret = secrets.token_urlsafe(16)

    async def greet(self) -> None:
        """Reads the attach message, and accepts or rejects it as a server does."""
        frame = await self.conversation.hear(self.answer_seconds)
        try:
            message = decode_from_bot(str(frame))
        except RemoteError as error:
            raise WrongAnswer(f"The first message is not attach: {error}.") from None
        if not isinstance(message, UncheckedAttach):
            raise WrongAnswer("The first message is not attach.")
        try:
            self.attach = read_attach(message.fields, _policy(message.fields))
        except AttachError as error:
            await self.conversation.say(encode(bgs.AttachRejected(error.code, str(error))))
            raise WrongAnswer(f"{error.code}: {error}.") from None
        self.bots = self.attach.bots
        server = bgs.ClientInfo("plyhouse check", version("plyhouse"))
        attached = bgs.Attached(int(time.time() * 1000), server, resume_secret=self._secret)
        await self.conversation.say(encode(attached))

    @property
    def client(self) -> bgs.ClientInfo:
        """What it has said about itself."""
        return bgs.ClientInfo("", "") if self.attach is None else self.attach.client

    @property
    def channel(self) -> ClientChannel:
        """The current connection."""
        channel = self.conversation.channel
        if not isinstance(channel, ClientChannel):
            raise TypeError(f"a client is not behind a {type(channel).__name__}")
        return channel

    @property
    def knows_the_secret(self) -> bool:
        """Whether its last attach message has the secret of the connection before."""
        return self.attach is not None and self.attach.resume_secret == self._secret

    async def close_connection(self, code: int, reason: str) -> ConnectingProcess | None:
        """Closes the connection as a server does; the process stays."""
        channel = self.channel
        await channel.connection.close(code, reason)
        return channel.process

    async def reconnect(self, process: ConnectingProcess | None, seconds: float) -> None:
        """Waits until the process connects again, and attaches. Raises ProgramEnded or NoAnswer."""
        channel = await self._server.accept(seconds, process)
        await self.conversation.change(channel)
        await self.greet()

    async def _connect(self, log: Callable[[str], None]) -> ProgramChannel[str, Line]:
        process = None if self._start_client is None else await self._start_client(self._server.url, log)
        try:
            seconds = LISTEN_SECONDS if process is None else CONNECT_SECONDS
            return await self._server.accept(seconds, process)
        except BaseException:
            if process is not None:
                await process.close()
            raise


async def check_client(
    server: BotServer,
    start_client: StartClient | None,
    effort: Effort,
    answer_seconds: float = ANSWER_SECONDS,
) -> Sequence[Finding]:
    """Runs the script with a client that connects to ``server``. Raises CannotStart."""
    program = ClientUnderCheck(server, start_client, effort, answer_seconds)
    return await run_steps(program, [ATTACHES, TRIAL], _steps, effort)


async def attaches(program: ClientUnderCheck) -> str:
    """What the client offers."""
    client = program.client
    bots = ", ".join(f"{bot.bot_id} ({bot.game})" for bot in program.bots)
    return f"{client.name} {client.version}: {bots}"


ATTACHES: Step[ClientUnderCheck] = Step(
    "attaches", Rule("The client sends attach first, with all members of its table.", ATTACH), attaches
)


def _steps(program: ClientUnderCheck) -> Iterator[Step[ClientUnderCheck]]:
    yield Step(
        "answers pings",
        Rule(
            "A connection that does not answer a ping for 20 seconds is dropped, also during a search.",
            CLOSING,
        ),
        answers_pings,
    )
    yield from session_steps(program)
    yield from LAST


async def answers_pings(program: ClientUnderCheck) -> str:
    """A ping that arrives during a search."""
    session = program.session(usual_start(program.bot))
    await session.start()
    request = session.evaluation_request()
    await program.send(request)
    loop = asyncio.get_running_loop()
    begin = loop.time()
    pong = await program.channel.connection.ping()
    try:
        async with asyncio.timeout(PONG_SECONDS):
            await pong
    except (TimeoutError, ConnectionClosed):
        raise WrongAnswer(f"No answer to a ping within {PONG_SECONDS:g} s.") from None
    took = loop.time() - begin
    await session.evaluated(request)
    if took > USUAL_PONG_SECONDS:
        raise SlowAnswer(f"The answer to a ping took {took:.1f} s.")
    await session.end()
    return f"after {took:.2f} s"


async def reads_results(program: ClientUnderCheck) -> None:
    """The result of a game, which has no answer."""
    if program.attach is None or not program.attach.wants_results:
        raise NotClaimed("It has not attached with results.")
    before = len(program.unexpected)
    result = {"winners": [0], "reason": "resignation", "note": "the bot did not answer in time"}
    await program.conversation.say(encode(bgs.GameResult("check", program.bot.bot_id, 1, result)))
    await program.ask(bgs.EndGameSession("after the result"))
    if len(program.unexpected) > before:
        raise WrongAnswer(f"It answers a result: {program.unexpected[-1]}")


async def comes_back(program: ClientUnderCheck) -> str:
    """The server restarts: the client connects again, or exits so that its supervisor starts it again."""
    session = program.session(usual_start(program.bot))
    await session.start()
    known = program.attach
    process = await program.close_connection(STOPPING, "the server is stopping")
    try:
        await program.reconnect(process, RETURN_SECONDS)
    except ProgramEnded:
        await program.stop()
        return "it exits; run it under a supervisor"
    except NoAnswer:
        seen = "and it has not exited" if process is not None else "though it may have exited"
        raise SlowAnswer(f"It has not connected again within {RETURN_SECONDS:g} s, {seen}.") from None
    if known is None or program.attach is None or known.client_id != program.attach.client_id:
        raise WrongAnswer("It comes back with another clientId, and would lose its games.")
    await program.ask(bgs.EndGameSession(session.bgs_id))
    await session.start()
    await session.evaluate()
    await session.end()
    return "with its secret" if program.knows_the_secret else "without its resumeSecret"


async def stays_away(program: ClientUnderCheck) -> str:
    """Another client has taken over the client id."""
    if program.channel.process is None:
        raise NotClaimed("Only a client that the check has started can be watched.")
    process = await program.close_connection(REPLACED, "Replaced by new connection")
    try:
        await program.reconnect(process, STAY_AWAY_SECONDS)
    except ProgramEnded:
        await program.stop()
        return "it exits"
    except NoAnswer:
        return f"no attempt within {STAY_AWAY_SECONDS:g} s"
    raise WrongAnswer("It connects again, and would replace the other connection.")


LAST: tuple[Step[ClientUnderCheck], ...] = (
    Step("reads results", Rule("Do not answer game_result.", "docs/bots.md#results"), reads_results),
    Step(
        "comes back after a restart",
        Rule(
            "The games continue when the same clientId attaches again; until then they wait 90 seconds.",
            RESTART,
        ),
        comes_back,
    ),
    Step(
        "stops when it is replaced",
        Rule("1000: another connection has taken over the clientId; stop.", CLOSING),
        stays_away,
    ),
)


def _policy(fields: JsonDict) -> AttachPolicy:
    """What a server allows that has all games; it knows the client's official token."""
    listed = [game for game in games() if game.listed]
    bots = fields.get("bots")
    tokens = (
        [bot.get("officialToken") for bot in bots if isinstance(bot, dict)] if isinstance(bots, list) else []
    )
    token = next((token for token in tokens if isinstance(token, str)), None)
    every = {game.name: terms_of(game) for game in games()}
    return AttachPolicy(token, attachable(listed), BUILT_IN_CLIENT, every)
