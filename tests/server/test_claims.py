"""Claims against absent players of games without a clock, and games that are left to bots."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from protocols.values import ClaimKind, LeaveReason, Seat, SeatKind, Status, TimeControl
from server.domain import commands as c
from server.domain.absence import left_to_bots
from server.domain.claims import claimable_at
from server.domain.errors import Code
from server.domain.fold import fold
from server.domain.game import GameState
from server.routes.services import Services
from server.services.cluster.departures import Departures
from server.services.games.game_factory import NewGame
from tests.server.game_peers import SMALL, joined, new_game
from tests.server.services import app_with, settings
from tests.server.serving import Served
from tests.server.test_decide import BOT, HUMAN, Table, comparable, draw, goofspiel, stored
from tests.server.uhp_clients import move_both, opened, tcp
from tests.server.uhp_clients import new_game as new_hive

AFTER = 60_000
AWAY = {1: 0}
"""Seat 1 was last connected at 0."""


def after_moves(table: Table, *seats: int, now: int = 0) -> Table:
    for seat in seats:
        table.do(c.Move(seat, "take"), now)
    return table


def claimed(seat: int = 0, kind: ClaimKind = ClaimKind.WIN, seen: Mapping[int, int] = AWAY) -> c.ClaimGame:
    return c.ClaimGame(seat, kind, seen, AFTER)


def folded(table: Table) -> GameState:
    state = fold("g", stored(table.log))
    assert state is not None
    return state


# ---- the decision ----------------------------------------------------------------------------------


def test_whoever_waits_for_an_absent_player_wins_after_a_minute() -> None:
    table = after_moves(draw(HUMAN, HUMAN), 0, now=1000)
    assert claimable_at(table.state, 0, AWAY, AFTER) == 61_000
    refusal = table.refused(claimed(), 60_999)
    assert (refusal.code, refusal.retry_after_ms) == (Code.NO_CLAIM, 1)
    state = table.do(claimed(), 61_000)
    assert state.result is not None
    assert (state.result.winners, state.result.reason) == ((0,), "disconnect")
    assert comparable(folded(table)) == comparable(state)


def test_it_counts_from_when_the_player_was_last_seen() -> None:
    table = after_moves(draw(HUMAN, HUMAN), 0, now=1000)
    assert claimable_at(table.state, 0, {1: 5000}, AFTER) == 65_000
    assert table.refused(claimed(seen={1: 5000}), 61_000).retry_after_ms == 4000


def test_the_game_can_be_called_a_draw() -> None:
    table = after_moves(draw(HUMAN, HUMAN), 0)
    state = table.do(claimed(kind=ClaimKind.DRAW), AFTER)
    assert state.status is Status.FINISHED
    assert state.result is not None
    assert (state.result.winners, state.result.reason) == ((), "disconnect")
    assert comparable(folded(table)) == comparable(state)


def finished() -> Table:
    table = after_moves(draw(HUMAN, HUMAN), 0)
    table.do(c.Leave(0))
    return table


@pytest.mark.parametrize(
    ("table", "command", "code", "text"),
    [
        (lambda: after_moves(draw(HUMAN, HUMAN), 0), claimed(seen={}), Code.NO_CLAIM, "absent"),
        (lambda: after_moves(draw(HUMAN, HUMAN), 0, 1), claimed(), Code.NO_CLAIM, "your turn"),
        (lambda: draw(HUMAN, HUMAN), claimed(), Code.NO_CLAIM, "abort"),
        (lambda: after_moves(draw(HUMAN, BOT), 0), claimed(), Code.NO_CLAIM, "absent"),
        (
            lambda: after_moves(draw(HUMAN, HUMAN, control=TimeControl(600, 0)), 0),
            claimed(),
            Code.NO_CLAIM,
            "clock",
        ),
        (
            lambda: after_moves(draw(HUMAN, HUMAN, HUMAN), 0),
            claimed(kind=ClaimKind.DRAW),
            Code.NO_CLAIM,
            "Other players",
        ),
        (finished, claimed(1, seen={0: 0}), Code.FINISHED, "over"),
    ],
)
def test_what_cannot_be_claimed(
    table: Callable[[], Table], command: c.ClaimGame, code: Code, text: str
) -> None:
    refusal = table().refused(command, 2 * AFTER)
    assert refusal.code is code
    assert text in refusal.text


def test_nobody_who_has_left_claims_anything() -> None:
    table = after_moves(draw(HUMAN, HUMAN, HUMAN), 0)
    table.do(c.Leave(2))
    assert table.refused(claimed(2), AFTER).code is Code.NO_CLAIM


def test_the_others_play_on_without_an_absent_player() -> None:
    table = after_moves(draw(HUMAN, HUMAN, HUMAN), 0)
    state = table.do(claimed(), AFTER)
    assert (state.status, state.gone) == (Status.PLAYING, (1,))


def test_a_sealed_move_can_wait_for_an_absent_player() -> None:
    table = goofspiel()
    assert claimable_at(table.state, 0, AWAY, AFTER) is None
    table.do(c.Move(0, "1"), 5)
    assert claimable_at(table.state, 0, AWAY, AFTER) == AFTER
    result = table.do(claimed(), AFTER).result
    assert result is not None
    assert result.winners == (0,)


@pytest.mark.parametrize(
    ("seats", "absent", "since", "expected"),
    [
        ((HUMAN, BOT), {0}, 5, (0,)),
        ((HUMAN, BOT), {0}, 4, ()),
        ((HUMAN, BOT), set[int](), 5, ()),
        ((HUMAN, HUMAN), {0, 1}, 5, ()),
        ((HUMAN, BOT, HUMAN), {0, 2}, 5, (0, 2)),
        ((HUMAN, BOT, HUMAN), {0}, 5, ()),
    ],
)
def test_what_is_left_to_bots(seats: Any, absent: set[int], since: int, expected: tuple[int, ...]) -> None:
    assert left_to_bots(after_moves(draw(*seats), 0, now=5).state, absent, since) == expected


def test_a_clock_needs_no_end() -> None:
    state = draw(HUMAN, BOT, control=TimeControl(600, 0)).state
    assert left_to_bots(state, {0}, 1000) == ()


# ---- departures ------------------------------------------------------------------------------------


def test_departures_are_remembered_for_as_long_as_they_matter() -> None:
    now = 100
    departures = Departures(60, lambda: now)
    assert departures.last_seen(("a", 0)) == 100
    now = 120
    departures.note(("a", 0))
    now = 150
    departures.note(("a", 1))
    assert (departures.last_seen(("a", 0)), departures.last_seen(("a", 1))) == (120, 150)
    now = 181
    departures.note(("b", 0))
    assert len(departures) == 2
    assert departures.last_seen(("a", 0)) <= 120


# ---- a running server ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("claims")
    with Served(folder, "--uhp-port", "0", PLYHOUSE_CLAIM_AFTER_SECONDS="0.2") as child:
        yield child


async def test_a_player_on_the_page_claims_the_win_for_good(server: Served) -> None:
    game, tokens = await new_game(server, config=SMALL)
    async with joined(server, game, f"?token={tokens[0]}&ext=1") as one:
        async with joined(server, game, f"?token={tokens[1]}") as two:
            await two.opening()
            await one.send(type="submit-move", move="---")
            await one.until("move-taken")
            await one.send(type="claim-win")
            assert (await one.until("error"))["code"] == "no-claim"
        claim = await one.until("claim")
        async with asyncio.timeout(60):
            while True:
                await one.send(type="ping")
                if (await one.until("pong"))["timestamp"] >= claim["claimableAt"]:
                    break
        await one.send(type="claim-win")
        state = await one.until("state")
        assert state["state"]["result"] == {"winner": 1, "reason": "disconnect"}
        assert (await one.until("claim"))["claimableAt"] is None
    server.stop(signal.SIGKILL)
    server.start()
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        position = (await client.get(f"/api/games/{game}")).json()["position"]
        record = (await client.get(f"/api/games/{game}/record?format=json")).text
        imported = await client.post("/api/games/import", json={"text": record})
    assert position["result"] == {"winners": [0], "reason": "disconnect"}
    assert imported.status_code == 201, imported.text


async def test_a_player_over_uhp_claims_a_draw(server: Served) -> None:
    game, tokens = await new_hive(server, "Base")
    async with opened(tcp, server, f"role=seat token={tokens[0]}") as white:
        async with opened(tcp, server, f"role=seat token={tokens[1]}") as black:
            await move_both(white, black)
            await white.lines(4)
            await white.send("claim draw")
            assert (await white.line()).startswith("err It is your turn")
        await white.send("wA2 wA1-")
        lines: list[str] = []
        async with asyncio.timeout(60):
            while not (lines and lines[-1].startswith("end ")):
                await white.send("claim draw")
                lines.append(await white.line())
    assert lines[-1] == "end Draw disconnect"
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        record = (await client.get(f"/api/games/{game}/record?format=json")).text
        assert (await client.post("/api/games/import", json={"text": record})).status_code == 201


# ---- over HTTP, in this process --------------------------------------------------------------------


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    app = app_with(settings(tmp_path))
    async with app.router.lifespan_context(app):
        yield app.state.services


async def test_a_player_who_asks_for_the_game_over_http_is_not_absent(services: Services) -> None:
    now = 0
    services.presence.departures = Departures(60_000, lambda: now)
    opened = await services.games.create(NewGame(game="wallwars", seats=(HUMAN, HUMAN)))
    state = (await services.games.move(opened.state.id, 0, "---")).state
    assert services.claims.claimable_at(state, 0) == state.last_move_at + 60_000
    now = state.last_move_at + 1
    services.claims.seen(state.id, 1)
    assert services.claims.claimable_at(state, 0) == now + 60_000


async def test_the_api_says_when_to_claim_and_ends_the_game(tmp_path: Path) -> None:
    app = app_with(settings(tmp_path, claim_after_seconds=0.05))
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.router.lifespan_context(app))
        transport = httpx.ASGITransport(app)
        client = await stack.enter_async_context(
            httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60)
        )
        seats = [{"kind": "human"}, {"kind": "human"}]
        game = (await client.post("/api/games", json={"game": "wallwars", "seats": seats})).json()
        path = f"/api/games/{game['gameId']}"
        mine = {"Authorization": f"Bearer {game['seats'][0]['token']}"}
        await client.post(f"{path}/moves", json={"move": "---"}, headers=mine)
        assert "claimableAt" not in (await client.get(path)).json()
        assert (await client.get(path, headers=mine)).json()["claimableAt"] > 0
        async with asyncio.timeout(60):
            while (answer := await client.post(f"{path}/claim", json={"kind": "win"}, headers=mine)).is_error:
                assert answer.json()["code"] == "no-claim"
                assert int(answer.headers["Retry-After"]) >= 1
                await asyncio.sleep(answer.json()["retryAfterMs"] / 1000)
        assert answer.json()["position"]["result"] == {"winners": [0], "reason": "disconnect"}
        assert "claimableAt" not in (await client.get(path, headers=mine)).json()
        again = await client.post(f"{path}/claim", json={"kind": "win"}, headers=mine)
        assert again.json()["code"] == "finished"


async def test_a_game_left_to_a_bot_ends_once_its_player_is_gone(tmp_path: Path) -> None:
    app = app_with(settings(tmp_path, claim_after_seconds=0.05, bots_wait_seconds=0.2))
    async with app.router.lifespan_context(app):
        services: Services = app.state.services
        bot = Seat(SeatKind.BOT, bot_id="plyhouse:beginner")
        opened = await services.games.create(NewGame(game="wallwars", config=SMALL, seats=(HUMAN, bot)))
        game = opened.state.id
        async with services.presence.present(game, 0):
            await services.games.move(game, 0, "---")
            async with asyncio.timeout(60):
                while (await services.games.get(game)).ply < 2:  # noqa: ASYNC110 - polls
                    await asyncio.sleep(0.02)
            await asyncio.sleep(0.5)
            await services.claims.end_abandoned()
            assert (await services.games.get(game)).status is Status.PLAYING
        async with asyncio.timeout(60):
            while (state := await services.games.get(game)).status is Status.PLAYING:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.05)
    assert state.result is not None
    assert (state.result.winners, state.result.reason) == ((1,), LeaveReason.DISCONNECT)
