"""A client of a Plyhouse server for scripts. ``async_client`` has the same for programs with an event loop.

with Client("http://localhost:8000") as client:
    game = client.create("wallwars", ["human", "plyhouse:easy"])
    client.move(game.game_id, game.seats[0].token, "Cb8")
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from plyhouse import wire

ATTEMPTS = 4
"""How often a request that may be repeated is sent when connections break."""

RETRY_SECONDS = 0.5


class Client:
    """A connection to one server: close it, or use it as a context. Raises ``ServerError`` and httpx's errors."""

    def __init__(self, url: str, timeout: float = 30.0) -> None:
        """``url``: the address of the server. ``timeout``: seconds for one answer; an analysis may take any time."""
        self.url = url.rstrip("/")
        self._http = httpx.Client(base_url=self.url, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def create(
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
            self._send(wire.create(game, seats, variant, config, time_control, more or {}))
        )

    def join(self, game_id: str, name: str | None = None, seat: int | None = None) -> wire.Joined:
        """Takes an open seat, by default the first."""
        return wire.read_joined(self._send(wire.join(game_id, name, seat)))

    def state(self, game_id: str, token: str | None = None) -> wire.GameState:
        """The present state of a game."""
        return wire.read_state(self._send(wire.look(game_id, token))["position"])

    def move(self, game_id: str, token: str, move: str, expected_ply: int | None = None) -> wire.Moved:
        """Plays a move exactly once, also over connections that break. When it returns, the move is durable."""
        return wire.read_moved(self._send(wire.move(game_id, token, move, expected_ply)))

    def resign(self, game_id: str, token: str) -> None:
        """Resigns."""
        self._send(wire.resign(game_id, token))

    def follow(self, game_id: str, token: str | None = None) -> Iterator[wire.GameState]:
        """The present state and every later one, until the game is over; connects again when a connection breaks."""
        last = None
        failures = 0
        while failures < ATTEMPTS:
            try:
                with connect(wire.socket_address(self.url, game_id, token), max_size=None) as socket:
                    failures = 0
                    for frame in socket:
                        try:
                            state = wire.read_frame(frame)
                        except wire.FirstMovesMissing:
                            state = self.state(game_id, token)
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
            time.sleep(RETRY_SECONDS * failures)
        raise ConnectionError(f"the connection to {self.url} is lost")

    def import_record(self, text: str, record_format: str = "auto") -> str:
        """Takes in the record of a game that was played elsewhere; the id of the game."""
        return str((self._send(wire.import_record(text, record_format)))["gameId"])

    def analyse(self, game: str | Mapping[str, Any], samples: int | None = None) -> wire.Analysis:
        """Evaluates every position of a game: one of the server, by its id, or what docs/api.md allows besides."""
        return wire.read_analysis(self._send(wire.analyse(game, samples)))

    def _send(self, call: wire.Call) -> dict[str, Any]:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = self._http.request(**call.for_httpx)
            except httpx.TransportError:
                if not call.is_repeatable or attempt == ATTEMPTS:
                    raise
                time.sleep(RETRY_SECONDS * attempt)
                continue
            if answer.is_error:
                raise wire.refusal_of(answer.status_code, answer.content)
            return dict(answer.json())
        raise AssertionError("a request is answered or raises")
