"""The servers of ``benchmarks.faults``: several on one Postgres and one Redis, which can all fail."""

import asyncio
import os
import random
import signal
import socket
from contextlib import AbstractContextManager, AsyncExitStack
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import httpx
import psycopg
from sqlalchemy.engine import make_url

from benchmarks.served import Child, served
from benchmarks.tcp_faults import FaultyProxy, Streams
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

START_SECONDS = 120.0
"""How long a server may take to start."""
REPLY_SECONDS = 5.0
"""How long a server may take to answer while another one, or its way to Postgres, has failed."""
SETTINGS = {"PLYHOUSE_UHP_GRACE_SECONDS": "20"}
"""A program whose connection is cut before it has received its seat cannot resume it; its opponent waits so long."""


INTERRUPTED = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction' AND backend_xid IS NOT NULL
AND clock_timestamp() - state_change > %s * interval '1 second'
"""
"""The query for transactions that have written something and wait for their servers for longer than some seconds."""


class Member:
    """One server, which keeps its port when it is started again."""

    def __init__(self, log: Path, *options: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._options = (*options, "--port", str(free.getsockname()[1]))
        self._log = log
        self._run: AbstractContextManager[Child] | None = None
        self._child: Child | None = None
        self._is_ready = False

    async def start(self) -> None:
        """Starts it and waits until it answers."""
        self._run = served(*self._options, log=self._log, settings=SETTINGS)
        self._child = await asyncio.to_thread(self._run.__enter__)
        async with httpx.AsyncClient(timeout=START_SECONDS) as client:
            (await client.get(f"http://127.0.0.1:{self._options[-1]}/healthz")).raise_for_status()
        self._is_ready = True

    def send(self, what: signal.Signals) -> None:
        """Sends a signal to the process."""
        if self._child is not None:
            os.kill(self._child.pid, what)

    async def wait(self) -> None:
        """Waits until the process has ended."""
        run, self._run, self._is_ready = self._run, None, False
        if run is not None:
            await asyncio.to_thread(run.__exit__, None, None, None)

    async def kill(self) -> None:
        """Kills the process and waits until it has ended."""
        self.send(signal.SIGKILL)
        await self.wait()

    async def begin_game(self) -> None:
        """Begins a game there; HTTPError if that fails, or takes long."""
        seats = [{"kind": "human"}, {"kind": "human"}]
        async with httpx.AsyncClient(timeout=REPLY_SECONDS) as client:
            url = f"http://127.0.0.1:{self._options[-1]}/api/games"
            (await client.post(url, json={"game": "wallwars", "seats": seats})).raise_for_status()

    async def is_out_of_service(self) -> bool:
        """Whether it tells proxies to choose another server."""
        async with httpx.AsyncClient(timeout=REPLY_SECONDS) as client:
            answer = await client.get(f"http://127.0.0.1:{self._options[-1]}/healthz")
        return answer.status_code == httpx.codes.SERVICE_UNAVAILABLE

    async def connect(self) -> Streams:
        """Opens a connection to it; ConnectionRefusedError while it starts, when a proxy would choose another one."""
        if not self._is_ready:
            raise ConnectionRefusedError
        return await asyncio.open_connection("127.0.0.1", int(self._options[-1]))


class Cluster:
    """Servers with a faulty proxy in front of each, Postgres, and Redis behind a faulty proxy.

    The first server reaches Postgres through a faulty proxy as well.
    """

    def __init__(self, folder: Path, count: int, rng: random.Random) -> None:
        self.postgres = PostgresServer()
        self.redis = RedisServer()
        self._folder, self._count = folder, count
        path = urlsplit(self.redis.url).path
        self.redis_proxy = FaultyProxy(lambda: asyncio.open_unix_connection(path), rng)
        self.postgres_proxy = FaultyProxy(self._connect_postgres, rng)
        self.members: list[Member] = []
        self.proxies: list[FaultyProxy] = []
        self.database = ""
        self._rng = rng
        self._running = AsyncExitStack()
        """Ends everything that was started."""

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            self.postgres.start()
            stack.callback(self.postgres.__exit__)
            self.redis.start()
            stack.callback(self.redis.__exit__)
            self.database = self.postgres.new_database()
            await self._start_proxy(self.redis_proxy, stack)
            await self._start_proxy(self.postgres_proxy, stack)
            there = make_url(self.database).set(host="127.0.0.1", port=self.postgres_proxy.port, query={})
            redis = f"redis://127.0.0.1:{self.redis_proxy.port}"
            for number in range(self._count):
                log = self._folder / f"server-{number + 1}.log"
                database = self.database if number else there.render_as_string()
                member = Member(log, "--database", database, "--redis", redis)
                await member.start()
                stack.push_async_callback(member.kill)
                self.members.append(member)
                proxy = FaultyProxy(member.connect, self._rng)
                await self._start_proxy(proxy, stack)
                self.proxies.append(proxy)
            self._running = stack.pop_all()
        return self

    async def _connect_postgres(self) -> Streams:
        folder = make_url(self.database).query["host"]
        return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.5432")

    async def _start_proxy(self, proxy: FaultyProxy, stack: AsyncExitStack) -> None:
        await proxy.start()
        stack.push_async_callback(proxy.stop)

    async def __aexit__(self, *_: object) -> None:
        await self._running.aclose()

    async def is_interrupted(self, seconds: float) -> bool:
        """Whether a transaction has been waiting for its server for longer than this."""
        async with await psycopg.AsyncConnection.connect(self.database) as connection:
            row = await (await connection.execute(INTERRUPTED, (seconds,))).fetchone()
        return row is not None and row[0] > 0

    @property
    def last_lines(self) -> str:
        """The last lines of each server's log, without requests."""
        logs = {log.name: log.read_text().splitlines() for log in sorted(self._folder.glob("*.log"))}
        told = {
            name: [line for line in lines if "uvicorn.access" not in line] for name, lines in logs.items()
        }
        return "\n".join(line for name, lines in told.items() for line in (name, *lines[-20:]))

    @property
    def urls(self) -> list[str]:
        """Where clients reach the servers, each through its proxy."""
        return [f"http://127.0.0.1:{proxy.port}" for proxy in self.proxies]
