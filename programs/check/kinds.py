"""The kinds of programs that can be checked, by the name that they have on the command line.

To add a kind, write its script in a module beside this one, and add its row here.
"""

import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from programs.bot.config import ClientIdentity, of_engine
from programs.check.bot_server import BotServer
from programs.check.client import check_client
from programs.check.connecting import ConnectingChild, ConnectingProcess
from programs.check.conversation import Launch
from programs.check.engine import check_engine
from programs.check.findings import Finding
from programs.check.pyrat import check_pyrat
from programs.check.pyrat_host import check_pyrat_host, starting
from programs.check.steps import Effort
from programs.check.uhp import check_uhp
from programs.child_process import FAREWELL, ChildEndpoint
from programs.pyrat.host_bot import PyratHostBot
from programs.seat_programs import UnsuitableProgram
from protocols.session import MAX_MESSAGE_UNITS
from protocols.uhp.lines import MAX_LINE_BYTES, Line

ENGINE, CLIENT = "engine", "v3"

URL = "{url}"
"""In a client's command, the address of the server to connect to."""

URL_VARIABLE = "CHECK_URL"
"""The environment variable with the same address."""

NOWHERE = "http://localhost"
"""Engines are checked without a server."""


@dataclass(frozen=True, slots=True)
class CheckOrder:
    """What to check: a command, which a client that somebody else starts has not.

    ``game``: of an engine, None for the protocol's default. ``port``: where to listen for clients; 0 is any.
    ``announce`` is called with the address.
    """

    words: Sequence[str]
    effort: Effort = field(default_factory=Effort)
    game: str | None = None
    port: int = 0
    announce: Callable[[str], None] = lambda _: None


def _launch(words: Sequence[str], farewell: str | None, most: int = MAX_LINE_BYTES) -> Launch[str, Line]:
    async def launch(log: Callable[[str], None]) -> ChildEndpoint:
        return await ChildEndpoint.start(words, farewell, log, most=most)

    return launch


async def _check_engine(order: CheckOrder) -> Sequence[Finding]:
    identity = ClientIdentity("check", None)
    config = of_engine(shlex.join(order.words), NOWHERE, identity, order.game, is_timed=True)
    launch = _launch(order.words, None, MAX_MESSAGE_UNITS)
    return await check_engine(launch, config.attach.bots[0], order.effort)


async def _check_client(order: CheckOrder) -> Sequence[Finding]:
    async def start(url: str, log: Callable[[str], None]) -> ConnectingProcess:
        words = [word.replace(URL, url) for word in order.words]
        return await ConnectingChild.start(words, log, own_environment={URL_VARIABLE: url})

    server = BotServer()
    await server.open(order.port)
    try:
        order.announce(server.url)
        return await check_client(server, start if order.words else None, order.effort)
    finally:
        await server.close()


async def _check_uhp(order: CheckOrder) -> Sequence[Finding]:
    return await check_uhp(_launch(order.words, FAREWELL), order.effort)


async def _check_pyrat(order: CheckOrder) -> Sequence[Finding]:
    return await check_pyrat(_launch(order.words, None), order.effort)


async def _check_pyrat_host(order: CheckOrder) -> Sequence[Finding]:
    if len(order.words) != 1:
        raise UnsuitableProgram("give one folder, with the bot.toml of the bot")
    bot = PyratHostBot.read(order.words[0])
    return await check_pyrat_host(starting(bot), bot.agent_id, order.effort)


_KINDS: Mapping[str, Callable[[CheckOrder], Awaitable[Sequence[Finding]]]] = {
    CLIENT: _check_client,
    ENGINE: _check_engine,
    "uhp": _check_uhp,
    "pyrat": _check_pyrat,
    "pyrat-host": _check_pyrat_host,
}


def kind_names() -> Sequence[str]:
    """The names of all kinds."""
    return list(_KINDS)


async def check_program(kind: str, order: CheckOrder) -> Sequence[Finding]:
    """Checks a program of this kind. Raises CannotStart, UnsuitableProgram, BotConfigError or OSError."""
    return await _KINDS[kind](order)
