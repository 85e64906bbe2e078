"""Clients of a Plyhouse server: ``Client`` for scripts, ``AsyncClient`` for programs with an event loop.

with Client("http://localhost:8000") as client:
    game = client.create("wallwars", ["human", "plyhouse:easy"])
    client.move(game.game_id, game.seats[0].token, "Cb8")

``wire`` defines the requests and reads the answers, for both clients; this module handles the connections.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

import httpx
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus
from websockets.protocol import Protocol
from websockets.sync.client import connect

from plyhouse import wire

P = ParamSpec("P")
T = TypeVar("T")


class Endpoint(Generic[P, T]):
    """A request as a method: for ``Client`` it returns the answer, for ``AsyncClient`` a coroutine."""

    def __init__(self, call: Callable[P, wire.Call[T]]) -> None:
        self._call = call

    @overload
    def __get__(self, client: None, owner: type) -> Callable[P, wire.Call[T]]: ...
    @overload
    def __get__(self, client: "Client", owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: "AsyncClient", owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: "Client | AsyncClient | None", owner: type) -> Callable[P, object]:
        if client is None:
            return self._call

        @wraps(self._call)
        def method(*args: P.args, **kwargs: P.kwargs) -> object:
            return client._send(self._call(*args, **kwargs))

        return method


class Endpoints:
    """The requests of both clients. Every method may raise ``ServerError`` and httpx's errors."""

    create = Endpoint(wire.create)
    bots = Endpoint(wire.bots)
    join = Endpoint(wire.join)
    state = Endpoint(wire.state)
    move = Endpoint(wire.move)
    resign = Endpoint(wire.resign)
    import_record = Endpoint(wire.import_record)
    analyse = Endpoint(wire.analyse)


class Client(Endpoints):
    """A client of one server. Close it, or use it as a context manager."""

    def __init__(self, url: str, timeout: float = 30.0) -> None:
        """``url`` is the server's address, ``timeout`` the seconds to wait for an answer; analyses have no time-out."""
        self.url = url.rstrip("/")
        self._http = httpx.Client(base_url=self.url, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def follow(self, game_id: str, token: str | None = None) -> Iterator[wire.GameState]:
        """Yields the current state and every later one, until the game is over. Reconnects if the connection breaks.

        Raises ConnectionError after several attempts, and ServerError if the server refuses the connection.
        """
        following = wire.Following(self.url, game_id, token)
        for pause in following.pauses():
            time.sleep(pause)
            try:
                with connect(following.address, max_size=None) as socket:
                    try:
                        for frame in socket:
                            answer = following.read(frame)
                            state = self._send(answer) if isinstance(answer, wire.Call) else answer
                            if following.is_new(state):
                                yield state
                            if following.is_over:
                                return
                    finally:
                        following.closed(*_close_codes(socket.protocol))
            except InvalidStatus as refused:
                refusal = wire.refusal_of(refused.response.status_code, refused.response.body)
                if not refusal.is_passing:
                    raise refusal from None
            except (ConnectionClosed, InvalidMessage, OSError):
                continue
        raise ConnectionError(f"the connection to {self.url} is lost")

    def _send(self, call: wire.Call[T]) -> T:
        for pause in call.pauses:
            try:
                return self._request(call)
            except httpx.TransportError:
                pass
            except wire.ServerError as refused:
                if not refused.is_passing:
                    raise
            time.sleep(pause)
        return self._request(call)

    def _request(self, call: wire.Call[T]) -> T:
        response = self._http.request(**call.for_httpx)
        return call.answer(response.status_code, response.content)


class AsyncClient(Endpoints):
    """``Client`` with coroutines."""

    def __init__(
        self, url: str, timeout: float = 30.0, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        """See ``Client``. ``transport`` sends the requests; None: over the network."""
        self.url = url.rstrip("/")
        self._http = httpx.AsyncClient(base_url=self.url, timeout=timeout, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def follow(self, game_id: str, token: str | None = None) -> AsyncGenerator[wire.GameState, None]:
        """Yields the current state and every later one, until the game is over. Reconnects if the connection breaks.

        Raises ConnectionError after several attempts, and ServerError if the server refuses the connection.
        """
        following = wire.Following(self.url, game_id, token)
        for pause in following.pauses():
            await asyncio.sleep(pause)
            try:
                async with connect_async(following.address, max_size=None) as socket:
                    try:
                        async for frame in socket:
                            answer = following.read(frame)
                            state = await self._send(answer) if isinstance(answer, wire.Call) else answer
                            if following.is_new(state):
                                yield state
                            if following.is_over:
                                return
                    finally:
                        following.closed(*_close_codes(socket.protocol))
            except InvalidStatus as refused:
                refusal = wire.refusal_of(refused.response.status_code, refused.response.body)
                if not refusal.is_passing:
                    raise refusal from None
            except (ConnectionClosed, InvalidMessage, OSError):
                continue
        raise ConnectionError(f"the connection to {self.url} is lost")

    async def _send(self, call: wire.Call[T]) -> T:
        for pause in call.pauses:
            try:
                return await self._request(call)
            except httpx.TransportError:
                pass
            except wire.ServerError as refused:
                if not refused.is_passing:
                    raise
            await asyncio.sleep(pause)
        return await self._request(call)

    async def _request(self, call: wire.Call[T]) -> T:
        response = await self._http.request(**call.for_httpx)
        return call.answer(response.status_code, response.content)


def _close_codes(protocol: Protocol) -> tuple[int | None, int | None]:
    """The close codes that were received and sent; None for those that were not."""
    received, sent = protocol.close_rcvd, protocol.close_sent
    return (received.code if received else None), (sent.code if sent else None)
