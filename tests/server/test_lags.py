"""The lag of players, and that their clocks are not charged for it."""

import asyncio
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest

from protocols.values import Seat, SeatKind, TimeControl
from server.domain.clocks.lag import HIGHEST, MOST_MS, first_quota, gain_ms, quota_after
from server.domain.events import Moved
from server.routes.services import Services
from server.services.games.game_factory import NewGame
from server.services.games.lags import Lags
from tests.server.services import app_with, settings

HUMANS = (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN))


@pytest.mark.parametrize(
    ("control", "gain"),
    [
        (TimeControl(15, 0), 100),
        (TimeControl(60, 0), 120),
        (TimeControl(60, 1), 200),
        (TimeControl(300, 0), 500),
        (TimeControl(3600, 0), 500),
        (TimeControl(0, 0, move_ms=500), 100),
    ],
)
def test_the_quota_grows_with_the_time_of_the_game(control: TimeControl, gain: int) -> None:
    assert gain_ms(control) == gain <= MOST_MS
    quota = first_quota(control)
    for _ in range(20):
        quota = quota_after(quota, 0, control)
    assert quota == HIGHEST * gain


def test_the_best_connection_of_a_player_counts() -> None:
    lags = Lags()
    assert lags.round_trip_ms(("g", 0)) == 0
    with lags.known(("g", 0), lambda: 40), lags.known(("g", 1), lambda: 5):
        with lags.known(("g", 0), lambda: 30):
            assert lags.round_trip_ms(("g", 0)) == 60
        assert lags.round_trip_ms(("g", 0)) == 80
    assert lags.round_trip_ms(("g", 0)) == 0


async def test_a_move_over_http_is_not_charged_for_the_lag_of_the_players_socket(tmp_path: Path) -> None:
    app = app_with(settings(tmp_path))
    async with app.router.lifespan_context(app):
        services: Services = app.state.services
        wanted = NewGame(game="wallwars", seats=HUMANS, time_control=TimeControl(300, 0))
        game = await services.games.create(wanted)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60) as client:
            for seat in (0, 1):
                await asyncio.sleep(0.05)
                with services.lags.known((game.state.id, seat), lambda: 15):
                    answer = await client.post(
                        f"/api/games/{game.state.id}/moves",
                        json={"move": "---"},
                        headers={"Authorization": f"Bearer {game.tokens[seat]}"},
                    )
                assert answer.status_code == 200
        events = await services.games.events_after(await services.games.get(game.state.id), 0)
    moves = [one.event for one in events if isinstance(one.event, Moved)]
    assert [move.uncharged for move in moves] == [0, 30], "the first one is not timed"
    used = events[-1].at_ms - events[-2].at_ms
    assert moves[1].clocks == (300_000, 300_000 - used + 30)


@pytest.mark.parametrize("control", [None, TimeControl(300, 0)])
async def test_lag_is_measured_only_for_games_with_a_clock(
    tmp_path: Path, control: TimeControl | None
) -> None:
    app = app_with(settings(tmp_path))
    async with app.router.lifespan_context(app):
        services: Services = app.state.services
        game = await services.games.create(NewGame(game="wallwars", seats=HUMANS, time_control=control))
        measure = Mock(return_value=0)
        await services.games.move(game.state.id, 0, "---", lag_ms=measure)
    assert measure.called is (control is not None)
