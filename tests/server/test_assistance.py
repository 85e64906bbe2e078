"""Fair play: no way of asking gives an evaluation of a game without assistance before it is over."""

from typing import Any

import pytest

from protocols.values import Assistance
from server.domain import events as e
from server.domain.assistance import allows_evaluation
from server.domain.event_codec import read_event, write_event
from server.domain.fold import fold
from tests.server.bot_peers import a_viewer, http
from tests.server.services import Json, bearer, opening, post
from tests.server.serving import Served
from tests.server.uhp_clients import opened, tcp

SMALL: Json = {"config": {"boardWidth": 3, "boardHeight": 3}}
OLD_LOG: list[tuple[str, dict[str, Any]]] = [
    ("Created", {"game": "hive", "variant": "Base", "config": {}, "secret": {}, "host": 0,
                 "seats": [{"kind": "human"}, {"kind": "open"}], "match_type": "matchmaking"}),
    ("SeatTaken", {"seat": 1}),
]  # fmt: skip
"""A game of the lobby as it was stored before games had ``assistance``."""


def recorded(log: list[tuple[str, dict[str, Any]]]) -> list[e.Recorded]:
    return [e.Recorded(seq, 0, read_event(kind, data)) for seq, (kind, data) in enumerate(log, start=1)]


# ---- the member ----------------------------------------------------------------------------------


def test_a_log_without_the_member_is_of_an_open_game() -> None:
    state = fold("old", recorded(OLD_LOG))
    assert state is not None
    assert (state.assistance, allows_evaluation(state)) == (Assistance.OPEN, True)


def test_the_log_keeps_the_assistance() -> None:
    kind, data = OLD_LOG[0]
    events = recorded([(kind, {**data, "assistance": "none"}), *OLD_LOG[1:]])
    state = fold("new", events)
    assert state is not None
    assert (state.assistance, allows_evaluation(state)) == (Assistance.NONE, False)
    assert write_event(events[0].event)[1]["assistance"] == "none"


@pytest.mark.parametrize("wish", ["", "vs=ada"])
async def test_uhp_matchmaking_plays_without_assistance(uhp_server: Served, wish: str) -> None:
    async with (
        opened(tcp, uhp_server, f"role=seat tc=901+0 color=white {wish}") as white,
        opened(tcp, uhp_server, "role=seat tc=901+0 color=black name=ada"),
        http(uhp_server) as client,
    ):
        seat = (await white.line()).split()
        game_id = seat[2].removeprefix("game=")
        assert (await client.get(f"/api/games/{game_id}")).json()["assistance"] == "none"


# ---- its effect ----------------------------------------------------------------------------------


async def test_no_evaluation_bar_before_the_game_is_over(served: Served) -> None:
    async with http(served) as client:
        game = await opening(client, assistance="none", **SMALL)
        game_id, token = game["gameId"], game["seats"][0]["token"]
        for query, code in (("", "NO_BOT"), ("?token=wrong", "NO_BOT"), (f"?token={token}", "RATED_PLAYER")):
            async with a_viewer(served, game_id + query) as viewer:
                answer = await viewer.shake(game_id)
                assert (answer["type"], answer["code"]) == ("eval-handshake-rejected", code)
        async with a_viewer(served, f"{game_id}?token={token}") as viewer:
            await viewer.shake(game_id)
            await post(client, game, "resign", 0)
            assert await viewer.shake(game_id) == {"type": "eval-handshake-accepted"}
            assert [entry["ply"] for entry in await viewer.history()] == [0]


async def test_a_bot_may_search_for_its_own_moves(served: Served) -> None:
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "plyhouse:easy"}]
    async with http(served) as client:
        game = await opening(client, assistance="none", seats=seats, **SMALL)
        await client.post(f"/api/games/{game['gameId']}/moves", json={"move": "---"}, headers=bearer(game, 0))
        while (await client.get(f"/api/games/{game['gameId']}")).json()["position"]["ply"] < 2:
            pass
