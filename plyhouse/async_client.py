"""``client`` for programs with an event loop.

async with AsyncClient("http://localhost:8000") as client:
    game = await client.create("wallwars", ["human", "plyhouse:easy"])
    await client.move(game.game_id, game.seats[0].token, "Cb8")
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plyhouse import wire
from plyhouse.client import ATTEMPTS, RETRY_SECONDS


class AsyncClient:
    """A connection to one server: close it, or use it as a context. Raises ``ServerError`` and httpx's errors."""

    def __init__(self, url: str, timeout: float = 30.0) -> None:
        """``url``: the address of the server. ``timeout``: seconds for one answer; an analysis may take any time."""
        self.url = url.rstrip("/")
        self._http = httpx.AsyncClient(base_url=self.url, timeout=timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def create(
        self,
        game: str,
        seats: Sequence[str | Mapping[str, Any]] = ("human", "bot"),
        *,
        variant: str | None = None,
        config: Mapping[str, Any] | None = None,
        time_control: tuple[float, float] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> wire.NewGame:
        """Opens a game.

        A seat is ``human``, ``open``, ``bot``, the id of a bot, or an object as in docs/api.md. ``time_control`` is
        (initial seconds, increment seconds); ``more`` are further members of the body, such as ``{"listed": True}``.
        """
        return wire.read_new_game(
            await self._send(wire.create(game, seats, variant, config, time_control, more or {}))
        )

    async def join(self, game_id: str, name: str | None = None, seat: int | None = None) -> wire.Joined:
        """Takes an open seat, by default the first."""
        return wire.read_joined(await self._send(wire.join(game_id, name, seat)))

    async def state(self, game_id: str, token: str | None = None) -> wire.GameState:
        """The present state of a game."""
        return wire.read_state((await self._send(wire.look(game_id, token)))["position"])

    async def move(self, game_id: str, token: str, move: str, expected_ply: int | None = None) -> wire.Moved:
        """Plays a move exactly once, also over connections that break. When it returns, the move is durable."""
        return wire.read_moved(await self._send(wire.move(game_id, token, move, expected_ply)))

    async def resign(self, game_id: str, token: str) -> None:
        """Resigns."""
        await self._send(wire.resign(game_id, token))

    async def follow(self, game_id: str, token: str | None = None) -> AsyncIterator[wire.GameState]:
        """The present state and every later one, until the game is over; connects again when a connection breaks."""
        last = None
        failures = 0
        while failures < ATTEMPTS:
            try:
                async with connect(wire.socket_address(self.url, game_id, token), max_size=None) as socket:
                    failures = 0
                    async for frame in socket:
                        try:
                            state = wire.read_frame(frame)
                        except wire.FirstMovesMissing:
                            state = await self.state(game_id, token)
                        if state is None or state == last:
                            continue
                        yield state
                        last = state
                        if state.is_over:
                            return
            except InvalidStatus as refused:
                raise wire.refusal_of(refused.response.status_code, refused.response.body) from None
            except (ConnectionClosed, OSError):
                pass
            failures += 1
            await asyncio.sleep(RETRY_SECONDS * failures)
        raise ConnectionError(f"the connection to {self.url} is lost")

    async def import_record(self, text: str, record_format: str = "auto") -> str:
        """Takes in the record of a game that was played elsewhere; the id of the game."""
        return str((await self._send(wire.import_record(text, record_format)))["gameId"])

    async def analyse(self, game: str | Mapping[str, Any], samples: int | None = None) -> wire.Analysis:
        """Evaluates every position of a game: one of the server, by its id, or what docs/api.md allows besides."""
        return wire.read_analysis(await self._send(wire.analyse(game, samples)))

    async def _send(self, call: wire.Call) -> dict[str, Any]:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = await self._http.request(**call.for_httpx)
            except httpx.TransportError:
                if not call.is_repeatable or attempt == ATTEMPTS:
                    raise
                await asyncio.sleep(RETRY_SECONDS * attempt)
                continue
            if answer.is_error:
                raise wire.refusal_of(answer.status_code, answer.content)
            return dict(answer.json())
        raise AssertionError("a request is answered or raises")
