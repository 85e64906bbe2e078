"""Servers and workers in the process of the test, connected by real sockets, and workers in processes of their own."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn

from engines import Position
from engines.pool import EnginePool
from programs.bot.config import socket_url
from programs.worker.program import attachment, work
from protocols.bgs.config import Setup
from protocols.bgs.messages import EvaluationLimits
from server.ports.analysts import AnalystSession, WorkerStatistics
from server.routes.services import Services
from server.web.connection_limit import ConnectionLimit
from server.web.http_connection import HttpConnection
from server.web.web_socket import WebSocketConnection
from tests.server.bot_peers import Bot, Json, a_bot
from tests.server.program import ForkedCommand
from tests.server.services import app_with, settings
from tests.server.serving import Address

SECRET = "open sesame"  # noqa: S105 - of the tests only


def setup(game: str = "hive", variant: str | None = None, samples: int = 300) -> Setup:
    start = Position(game, variant)
    return Setup(game, start.variant, start.config, EvaluationLimits(samples=samples))


ENDLESS = setup(samples=1_000_000_000)


class Server:
    """A server in this process."""

    def __init__(self, services: Services, url: str) -> None:
        self.services = services
        self.url = url
        self.socket_url = url.replace("http", "ws", 1)

    @property
    def workers(self) -> WorkerStatistics:
        found = self.services.worker_statistics()
        assert found is not None
        return found

    async def opened(self, name: str = "g", of: Setup = ENDLESS) -> AnalystSession:
        """An open session of the built-in bots."""
        house = self.services.registry.analyst_of("plyhouse:strong")
        assert house is not None
        session = house.session(name, "", of)
        await session.open()
        return session

    async def has(self, workers: int) -> None:
        """Returns once it has so many workers."""
        await until(lambda: self.workers.workers == workers)


@asynccontextmanager
async def serving(folder: Path, **changes: object) -> AsyncIterator[Server]:
    app = app_with(settings(folder, official_bot_token=SECRET, **changes))
    http: Any = partial(HttpConnection, limit=ConnectionLimit(0))
    config = uvicorn.Config(app, http=http, ws=WebSocketConnection, port=0, log_config=None, lifespan="on")
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Server(app.state.services, f"http://127.0.0.1:{port}")
    finally:
        await server.shutdown()


@asynccontextmanager
async def working(*urls: str, sessions: int = 256) -> AsyncIterator[EnginePool]:
    """A worker in this process; yields its pool."""
    pool = EnginePool(threads=1, sessions=sessions)
    sockets = [socket_url(url) for url in urls]
    task = asyncio.ensure_future(work(pool, sockets, attachment(pool, "worker", SECRET)))
    try:
        yield pool
    finally:
        task.cancel()
        await asyncio.wait([task])
        pool.stop()


@asynccontextmanager
async def scripted(server: Address, game: str = "hive", **members: Any) -> AsyncIterator[Bot]:
    """A worker whose answers the test writes."""
    variants: Json = {Position(game).variant: {}}
    bot = {"game": game, "variants": variants, "officialToken": SECRET}
    async with a_bot(server) as worker:
        assert (await worker.attach("scripted", bot, worker=True, **members))["type"] == "attached"
        yield worker


class WorkerChild:
    """A ``plyhouse worker`` that tests can start, freeze and kill."""

    def __init__(self, log: Path, *options: str) -> None:
        self._log = log
        environment = {"OFFICIAL_BOT_TOKEN": SECRET}
        self._child = ForkedCommand(["worker", "--threads", "1", *options], log, environment)

    @property
    def output(self) -> str:
        return self._log.read_text()

    def send(self, how: signal.Signals) -> None:
        self._child.send_signal(how)

    def stop(self, how: signal.Signals) -> int:
        """Sends a signal and waits until the process has ended. Returns its exit status."""
        return self._child.stop(how)

    def first_line(self) -> str:
        return self._child.stdout.readline()


@contextmanager
def a_worker(log: Path, *urls: str, options: tuple[str, ...] = ()) -> Iterator[WorkerChild]:
    child = WorkerChild(log, *(word for url in urls for word in ("--server", url)), *options)
    try:
        yield child
    finally:
        child.stop(signal.SIGKILL)


class Relay:
    """A line between a worker and a server, which can be cut without a word to either side."""

    def __init__(self, to: str) -> None:
        self._port = int(to.rpartition(":")[2])
        self._is_cut = False
        self._writers: list[asyncio.StreamWriter] = []
        self.url = ""

    def cut(self) -> None:
        """Passes nothing on from now on."""
        self._is_cut = True

    def end(self) -> None:
        """Lets both sides know."""
        for writer in self._writers:
            writer.close()

    async def __aenter__(self) -> "Relay":
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers += [writer, back]
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            if not self._is_cut:
                writer.write(data)
        writer.close()


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.02)


async def cancelled(*tasks: "asyncio.Task[Any]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert all(task.cancelled() for task in tasks)
