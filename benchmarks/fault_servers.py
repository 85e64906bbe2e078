"""The servers of ``benchmarks.faults``: several on one Postgres and one Redis, which can all fail."""

import asyncio
import os
import random
import signal
import socket
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from benchmarks.served import Child, served
from benchmarks.tcp_faults import FaultyProxy, Streams
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer


class Member:
    """One server, which keeps its port when it is started again."""

    def __init__(self, log: Path, *options: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._options = (*options, "--port", str(free.getsockname()[1]))
        self._log = log
        self._run: AbstractContextManager[Child] | None = None
        self._child: Child | None = None

    async def start(self) -> None:
        """Starts it and waits until it listens."""
        self._run = served(*self._options, log=self._log)
        self._child = await asyncio.to_thread(self._run.__enter__)

    def send(self, what: signal.Signals) -> None:
        """Sends a signal to the process."""
        if self._child is not None:
            os.kill(self._child.pid, what)

    async def wait(self) -> None:
        """Waits until the process has ended."""
        run, self._run = self._run, None
        if run is not None:
            await asyncio.to_thread(run.__exit__, None, None, None)

    async def connect(self) -> Streams:
        """Opens a connection to it."""
        return await asyncio.open_connection("127.0.0.1", int(self._options[-1]))


class Cluster:
    """Servers with a faulty proxy in front of each, Postgres, and Redis behind a faulty proxy."""

    def __init__(self, folder: Path, count: int, rng: random.Random) -> None:
        self.postgres = PostgresServer()
        self.redis = RedisServer()
        self._folder, self._count = folder, count
        path = urlsplit(self.redis.url).path
        self.redis_proxy = FaultyProxy(lambda: asyncio.open_unix_connection(path), rng)
        self.members: list[Member] = []
        self.proxies: list[FaultyProxy] = []
        self.database = ""
        self._rng = rng

    async def __aenter__(self) -> Self:
        self.postgres.start()
        self.redis.start()
        self.database = self.postgres.new_database()
        await self.redis_proxy.start()
        redis = f"redis://127.0.0.1:{self.redis_proxy.port}"
        for number in range(self._count):
            log = self._folder / f"server-{number + 1}.log"
            member = Member(log, "--database", self.database, "--redis", redis)
            await member.start()
            self.members.append(member)
            proxy = FaultyProxy(member.connect, self._rng)
            await proxy.start()
            self.proxies.append(proxy)
        return self

    async def __aexit__(self, *_: object) -> None:
        for member in self.members:
            member.send(signal.SIGKILL)
            await member.wait()
        for proxy in (*self.proxies, self.redis_proxy):
            await proxy.stop()
        self.redis.__exit__()
        self.postgres.__exit__()

    @property
    def urls(self) -> list[str]:
        """Where clients reach the servers, each through its proxy."""
        return [f"http://127.0.0.1:{proxy.port}" for proxy in self.proxies]
