"""How long the server waits for the lines of an engine: in this process, with shorter limits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers import asked_engine
from protocols.values import Seat, SeatKind, Status
from server.domain.game import GameState
from server.routes.services import Services
from server.services.games.game_factory import NewGame
from server.services.uhp import engine_role, engine_seat
from tests.server.memory_connection import MemoryConnection
from tests.server.services import app_with, settings

BANNER = ("id Scripted 1", "Mosquito;Ladybug;Pillbug", "ok")
EMPTY = "Base+MLP;NotStarted;White[1]"
GAME = NewGame(game="hive", seats=(Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)))


@asynccontextmanager
async def engine_in(folder: Path) -> AsyncIterator[tuple[Services, MemoryConnection, str]]:
    """A server with an engine that has a seat in a game, and the game's id."""
    app = app_with(settings(folder))
    async with app.router.lifespan_context(app):
        services: Services = app.state.services
        table = await services.games.create(GAME)
        wire = MemoryConnection()
        serving = asyncio.ensure_future(
            services.uhp.receive(wire, [("role", "engine"), ("token", table.tokens[0])])
        )
        assert await wire.line() == "ok"
        yield services, wire, table.state.id
        async with asyncio.timeout(60):
            await serving


async def ended(services: Services, game_id: str) -> GameState:
    async with asyncio.timeout(60):
        while (state := await services.games.get(game_id)).status is Status.PLAYING:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.02)
    return state


async def test_no_banner_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_role, "REPLY_SECONDS", 0.2)
    async with engine_in(tmp_path) as (services, wire, game_id):
        assert (await wire.line()).startswith("err The engine did not answer in time")
        assert (await services.games.get(game_id)).status is Status.PLAYING
    assert wire.closed == "refused"


async def test_an_engine_that_does_not_confirm_a_position_loses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked_engine, "REPLY_SECONDS", 0.2)
    async with engine_in(tmp_path) as (services, wire, game_id):
        wire.write(*BANNER)
        assert await wire.line() == f"newgame {EMPTY}"
        state = await ended(services, game_id)
        assert state.result is not None
        assert (state.result.winners, state.result.reason) == ((1,), "desync")
    assert wire.closed == "desync"


async def test_an_engine_without_a_clock_has_the_requested_time_plus_tolerance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_seat, "GRACE_SECONDS", -4.8)
    async with engine_in(tmp_path) as (services, wire, game_id):
        wire.write(*BANNER)
        await wire.line()
        wire.write(EMPTY, "ok")
        assert await wire.line() == "bestmove time 00:00:05"
        state = await ended(services, game_id)
        assert state.result is not None
        assert (state.result.winners, state.result.reason) == ((1,), "timeout")


async def test_an_engine_that_floods_its_output_is_refused_or_loses(tmp_path: Path) -> None:
    """Before the banner, and while nothing is asked."""
    async with engine_in(tmp_path) as (services, wire, game_id):
        wire.write(*["info depth 1"] * 10_001)
        assert (await wire.line()).startswith("err The engine's output is too long")
        assert (await services.games.get(game_id)).status is Status.PLAYING
    async with engine_in(tmp_path) as (services, wire, game_id):
        wire.write(*BANNER)
        await wire.line()
        wire.write(EMPTY, "ok")
        await wire.line()
        wire.write("wA1", "ok")
        assert await wire.line() == "play wA1"
        wire.write("Base+MLP;InProgress;Black[1];wA1", "ok", *["info depth 1"] * 10_001)
        state = await ended(services, game_id)
        assert state.result is not None
        assert (state.result.winners, state.result.reason) == ((1,), "protocol")
    assert wire.closed == "protocol"
