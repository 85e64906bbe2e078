"""Who is missed, and since when: players who drop at any moment, who look in on the page, and after a restart."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from protocols.uhp.remote.seek_criteria import SeekCriteria
from protocols.values import Seat, SeatKind, Status
from server.domain.absence import GracePeriods
from server.domain.events import Aborted, Created, WentRemote
from server.routes.services import Services
from server.services.games.game_factory import NewGame
from server.services.uhp.absences import Absences
from tests.server.game_peers import joined
from tests.server.services import app_with, settings
from tests.server.serving import Served
from tests.server.uhp_clients import move_both, new_game, opened, shown, tcp

SHORT = GracePeriods(early=100, untimed=100, open=100)
UNHURRIED = NewGame(game="hive", seats=(Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)))


@asynccontextmanager
async def server_in(folder: Path) -> AsyncIterator[Services]:
    """A server in this event loop, whose own patience outlasts any test."""
    app = app_with(settings(folder))
    async with app.router.lifespan_context(app):
        yield app.state.services


@asynccontextmanager
async def missing(services: Services) -> AsyncIterator[None]:
    """Players of the server are waited for shortly."""
    absences = Absences(services.games, services.bus, services.presence, SHORT)
    await absences.start()
    try:
        yield
    finally:
        absences.stop()


async def until(services: Services, game: str, status: Status) -> None:
    async with asyncio.timeout(60):
        while (await services.games.get(game)).status is not status:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.02)


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[Served]:
    """A running server that is killed and started again, and waits a second for players of untimed games."""
    with Served(tmp_path, "--uhp-port", "0", PLYHOUSE_UHP_GRACE_SECONDS="1") as child:
        yield child


async def after_two_plies(services: Served) -> tuple[str, list[str]]:
    """An untimed game in which both have moved over UHP and have left."""
    game, tokens = await new_game(services, "Base")
    async with (
        opened(tcp, services, f"role=seat token={tokens[0]}") as white,
        opened(tcp, services, f"role=seat token={tokens[1]}") as black,
    ):
        await move_both(white, black)
        services.stop(signal.SIGKILL)
    return game, tokens


# ---- restarts --------------------------------------------------------------------------------------


async def test_after_a_restart_who_does_not_come_back_has_lost(patient: Served) -> None:
    game, tokens = await after_two_plies(patient)
    patient.start()
    async with opened(tcp, patient, f"role=seat resume={game}:{tokens[0]}") as white:
        assert (await white.end())[-1] == "end WhiteWins disconnect"


async def test_after_a_restart_who_comes_back_in_time_plays_on(patient: Served) -> None:
    game, tokens = await after_two_plies(patient)
    patient.start()
    async with (
        opened(tcp, patient, f"role=seat resume={game}:{tokens[0]}"),
        opened(tcp, patient, f"role=seat resume={game}:{tokens[1]}"),
    ):
        await asyncio.sleep(1.5)
        assert (await shown(patient, game))["status"] == "playing"


async def test_after_a_restart_a_game_that_has_not_begun_is_called_off(patient: Served) -> None:
    """Its clock shortens the ten seconds."""
    control = {"initialSeconds": 2, "incrementSeconds": 0, "startsAtOnce": True}
    game, tokens = await new_game(patient, "Base", timeControl=control)
    async with (
        opened(tcp, patient, f"role=seat token={tokens[0]}") as white,
        opened(tcp, patient, f"role=seat token={tokens[1]}") as black,
    ):
        await white.lines(2)
        await black.lines(2)
        await asyncio.sleep(0.2)
        patient.stop(signal.SIGKILL)
    patient.start()
    async with opened(tcp, patient, f"role=seat resume={game}:{tokens[1]}") as black:
        assert (await black.end())[-1] == "end NotStarted abort"


async def test_after_a_kill_nobody_meets_who_waited_before_it(patient: Served) -> None:
    async with httpx.AsyncClient(base_url=patient.url, timeout=60) as page:
        body = {
            "game": "hive",
            "listed": True,
            "seats": [{"kind": "human", "name": "Ada"}, {"kind": "open"}],
        }
        of_the_page = (await page.post("/api/games", json=body)).json()["gameId"]
    async with (
        opened(tcp, patient, "role=seat type=Base color=white"),
        opened(tcp, patient, "role=seat tc=61+1"),
    ):
        opened_here = await open_games(patient, 3)
        patient.stop(signal.SIGKILL)
    patient.start()
    assert await open_games(patient, 1) == [of_the_page]
    for game in opened_here:
        if game != of_the_page:
            assert (await shown(patient, game))["status"] == "aborted"


async def open_games(services: Served, count: int) -> list[str]:
    async with httpx.AsyncClient(base_url=services.url, timeout=60) as client:
        for _ in range(200):
            games: list[dict[str, Any]] = (await client.get("/api/games?status=open")).json()["games"]
            if len(games) == count:
                return [game["gameId"] for game in games]
            await asyncio.sleep(0.02)
    raise AssertionError(games)


async def test_who_plays_on_the_page_alone_is_never_missed(tmp_path: Path) -> None:
    async with server_in(tmp_path) as services:
        game = (await services.games.create(UNHURRIED)).state.id
    async with server_in(tmp_path) as services, missing(services):
        async with services.presence.present(game, 0):
            pass
        await asyncio.sleep(0.3)
        assert (await services.games.get(game)).status is Status.PLAYING


# ---- drops and visits ------------------------------------------------------------------------------


async def test_who_drops_between_being_matched_and_sitting_down_is_missed(tmp_path: Path) -> None:
    async with server_in(tmp_path) as services, missing(services):
        find = services.uhp.context.matchmaking.find
        white, black = await asyncio.gather(
            find(SeekCriteria(seat=0), None), find(SeekCriteria(seat=1), None)
        )
        assert white.game_id == black.game_id
        async with services.presence.present(black.game_id, black.seat):
            await until(services, black.game_id, Status.ABORTED)


async def test_who_is_gone_is_missed_from_when_its_last_connection_ended(tmp_path: Path) -> None:
    async with server_in(tmp_path) as services, missing(services):
        game = (await services.games.create(UNHURRIED)).state.id
        async with services.presence.present(game, 0), services.presence.present(game, 1):
            async with services.presence.present(game, 0):
                await services.games.go_remote(game, 0)
            await asyncio.sleep(0.3)
            assert (await services.games.get(game)).status is Status.PLAYING
        await until(services, game, Status.ABORTED)


async def test_who_gives_up_looking_at_any_moment_leaves_no_game(tmp_path: Path) -> None:
    async with server_in(tmp_path) as services, missing(services):
        for turns in range(60):
            search = asyncio.ensure_future(services.uhp.context.matchmaking.find(SeekCriteria(), None))
            await asyncio.sleep(turns / 10_000)
            search.cancel()
        await asyncio.gather(search, return_exceptions=True)
        async with asyncio.timeout(60):
            while await services.games.live_with_remote():  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.02)


async def test_who_left_while_the_game_was_open_is_missed_from_its_beginning(tmp_path: Path) -> None:
    async with server_in(tmp_path) as services:
        absences = Absences(
            services.games, services.bus, services.presence, GracePeriods(untimed=120_000, early=1_000)
        )
        await absences.start()
        seats = (Seat(SeatKind.HUMAN), Seat(SeatKind.OPEN))
        game = (await services.games.create(NewGame(game="hive", seats=seats))).state.id
        await services.games.go_remote(game, 0)
        await asyncio.sleep(1.1)
        async with services.presence.present(game, 1):
            await services.games.join(game)
            await asyncio.sleep(0.2)
            assert (await services.games.get(game)).status is Status.PLAYING
            await until(services, game, Status.ABORTED)
        absences.stop()


async def test_nobody_is_missed_who_is_at_another_server(tmp_path: Path) -> None:
    """No bus tells the servers of each other: they share the database alone."""
    async with server_in(tmp_path) as one, server_in(tmp_path) as other:
        game = (await one.games.create(UNHURRIED)).state.id
        async with other.presence.present(game, 0):
            async with one.presence.present(game, 0):
                await one.games.go_remote(game, 0)
                other.uhp.context.absences.welcome(game, 0)
                async with asyncio.timeout(60):
                    while (game, 0) not in await one.games.leases.players_elsewhere():  # noqa: ASYNC110 - polls
                        await asyncio.sleep(0.05)  # Servers share their players with their heartbeats.
            async with missing(one):
                await asyncio.sleep(0.5)
                assert (await one.games.get(game)).status is Status.PLAYING
        async with missing(one):
            await until(one, game, Status.ABORTED)


async def test_a_log_is_told_once_who_plays_over_uhp(tmp_path: Path) -> None:
    async with server_in(tmp_path) as services:
        game = (await services.games.create(UNHURRIED)).state.id
        for _ in range(2):
            async with services.presence.present(game, 0):
                await services.games.go_remote(game, 0)
        assert (await services.games.get(game)).version == 2
    async with server_in(tmp_path) as services, missing(services):
        await until(services, game, Status.ABORTED)
        log = await services.games.events_after(await services.games.get(game), 0)
        assert [type(one.event) for one in log] == [Created, WentRemote, Aborted]


async def test_a_visit_on_the_page_counts_only_while_it_lasts(impatient_uhp_server: Served) -> None:
    game, tokens = await new_game(impatient_uhp_server, "Base")
    async with opened(tcp, impatient_uhp_server, f"role=seat token={tokens[1]}") as black:
        async with opened(tcp, impatient_uhp_server, f"role=seat token={tokens[0]}") as white:
            await move_both(white, black)
        async with joined(impatient_uhp_server, game, f"?token={tokens[0]}&ext=1"):
            await asyncio.sleep(1.5)
            assert (await shown(impatient_uhp_server, game))["status"] == "playing"
        assert (await black.end())[-1] == "end BlackWins disconnect"
