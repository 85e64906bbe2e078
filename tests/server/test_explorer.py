"""The opening explorer over HTTP: which games count, for whom, and what a client may ask."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from engines import Position
from server.services.explorer import opening_counter
from tests.server.services import Json, opened, opening, play, post, settings

TINY = {"boardWidth": 4, "boardHeight": 4}
LINE = ("Cb4", "Cc4", "Cb3", "Cc3")
"""The beginning of a game on a tiny board."""


@pytest.fixture
async def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    monkeypatch.setattr(opening_counter, "LOOK_SECONDS", 0.05)
    async with opened(settings(tmp_path)) as client:
        yield client


async def explored(client: httpx.AsyncClient, *moves: str, **asked: Any) -> Json:
    body = {"game": "wallwars", "variant": "classic", "config": TINY, "moves": moves, **asked}
    answer = await client.post("/api/explorer", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def counted(client: httpx.AsyncClient, games: int, *moves: str, **asked: Any) -> Json:
    """What is known of a position once so many games are counted."""
    async with asyncio.timeout(60):
        while (answer := await explored(client, *moves, **asked))["games"] < games:  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.05)
    return answer


async def ended(client: httpx.AsyncClient, *moves: str, loser: int = 0, **more: Any) -> str:
    """Plays a public game, in which a seat resigns; returns its id."""
    given = {"variant": "classic", "config": TINY, "listed": True, **more}
    game = await opening(client, **given)
    for ply, move in enumerate(moves):
        status, answer = await play(client, game, ply % 2, move)
        assert status == 200, answer
    assert (await post(client, game, "resign", loser))[0] == 200
    return str(game["gameId"])


async def test_moves_are_listed_with_their_results(client: httpx.AsyncClient) -> None:
    first = await ended(client, *LINE, loser=0)
    second = await ended(client, *LINE[:2], loser=1)
    third = await ended(client, "Ca3", loser=1)
    answer = await counted(client, 3)
    assert (answer["ply"], answer["draws"], answer["wins"]) == (0, 0, [2, 1])
    assert [(one["move"], one["games"], one["wins"]) for one in answer["moves"]] == [
        ("Cb4", 2, [1, 1]),
        ("Ca3", 1, [1, 0]),
    ]
    assert [one["gameId"] for one in answer["moves"]] == [second, third]
    assert [one["gameId"] for one in answer["latest"]] == [third, second]
    after = await explored(client, *LINE[:2])
    assert (after["games"], after["wins"]) == (2, [1, 1])
    assert [(one["move"], one["gameId"]) for one in after["moves"]] == [("Cb3", first)]
    query = {"game": "wallwars", "variant": "classic", "config": json.dumps(TINY), "moves": list(LINE[:2])}
    assert (await client.get("/api/explorer", params=query)).json() == after


async def test_the_order_of_moves_does_not_matter(client: httpx.AsyncClient) -> None:
    await ended(client, "Cb4", "Cc4", ">a1.>c1", "Cd3")
    await ended(client, ">a1.>c1", "Cc4", "Cb4", "Cc3")
    await counted(client, 2)
    for moves in (("Cb4", "Cc4", ">a1.>c1"), (">a1.>c1", "Cc4", "Cb4")):
        assert [one["games"] for one in (await explored(client, *moves))["moves"]] == [1, 1]


async def test_only_public_games_that_have_ended_count(client: httpx.AsyncClient) -> None:
    invited = await opening(
        client, variant="classic", config=TINY, seats=[{"kind": "human"}, {"kind": "open"}]
    )
    joined = await client.post(f"/api/games/{invited['gameId']}/join", json={})
    assert joined.status_code == 200, joined.text
    assert (await play(client, invited, 0, "Ca3"))[0] == 200
    assert (await post(client, invited, "resign", 0))[0] == 200
    running = await opening(client, variant="classic", config=TINY, listed=True)
    assert (await play(client, running, 0, "Ca2"))[0] == 200
    await ended(client)  # Aborted: nobody has moved.
    other = await ended(client, "Cb4")
    await counted(client, 1)
    record = (await client.get(f"/api/games/{other}/record")).text
    imported = await client.post("/api/games/import", json={"format": "auto", "text": record, "listed": True})
    assert imported.status_code == 201, imported.text
    await ended(client, "Cb4")
    answer = await counted(client, 2)
    assert answer["games"] == 2
    assert [one["move"] for one in answer["moves"]] == ["Cb4"]


async def test_games_are_found_by_who_played_them(client: httpx.AsyncClient) -> None:
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "plyhouse:beginner"}]
    game = await opening(client, "wallwars", variant="classic", config=TINY, seats=seats, listed=True)
    assert (await play(client, game, 0, "Ca3"))[0] == 200
    assert (await post(client, game, "resign", 0))[0] == 200
    await ended(client, "Cb4")
    assert (await counted(client, 2))["games"] == 2
    for by, moves in (
        ("people", ["Cb4"]),
        ("bots", []),
        ("beginner", ["Ca3"]),
        ("plyhouse:beginner", ["Ca3"]),
        ("plyhouse:hard", []),
        ("nobody", []),
    ):
        assert [one["move"] for one in (await explored(client, by=by))["moves"]] == moves, by


async def test_openings_of_self_play_come_with_plyhouse(client: httpx.AsyncClient) -> None:
    start = {"game": "wallwars", "source": "engine"}
    answer = (await client.post("/api/explorer", json=start)).json()
    assert (answer["depth"], answer["games"]) == (12, answer["made"]["games"])
    assert answer["moves"] == sorted(answer["moves"], key=lambda one: (-one["games"], one["move"]))
    assert all(one["gameId"] is None for one in answer["moves"])
    assert answer["latest"] == []
    best = answer["moves"][0]
    after = (await client.post("/api/explorer", json={**start, "moves": [best["move"]]})).json()
    assert (after["games"], after["wins"], after["draws"]) == (best["games"], best["wins"], best["draws"])
    assert (await explored(client, source="engine"))["games"] == 0  # Another board.


async def test_a_hidden_order_is_no_part_of_a_position(client: httpx.AsyncClient) -> None:
    moves: list[list[str]] = []
    for seed in (3, 3):
        position = Position("carcassonne", "standard", {"seed": seed})
        game = await opening(client, "carcassonne", config={"seed": seed})
        assert (await play(client, game, 0, position.legal_moves()[0]))[0] == 200
        assert (await post(client, game, "resign", 1))[0] == 200
        moves.append((await client.get(f"/api/games/{game['gameId']}")).json()["position"]["history"])
    public = Position("carcassonne", "standard", {"seed": 3}).config
    asked = {"game": "carcassonne", "variant": "standard", "config": public, "moves": []}
    answer = await counted(client, 2, **asked)
    assert [(one["move"], one["games"]) for one in answer["moves"]] == [(position.legal_moves()[0], 2)]
    assert (await explored(client, **{**asked, "moves": moves[0]}))["games"] == 2


async def test_games_seen_from_different_sides_count_together(client: httpx.AsyncClient) -> None:
    for reply, answer in (("bS1 wS1-", "wA1 -wS1"), ("bS1 \\wS1", "wA1 wS1\\")):
        game = await opening(client, "hive", variant="Base", listed=True)
        for seat, move in ((0, "wS1"), (1, reply), (0, answer)):
            assert (await play(client, game, seat, move))[0] == 200
        assert (await post(client, game, "resign", 0))[0] == 200
    asked = {"game": "hive", "variant": "Base", "config": {}}
    await counted(client, 2, **asked)
    assert [one["games"] for one in (await explored(client, "wS1", **asked))["moves"]] == [2]
    for reply, answer in (("bS1 wS1-", "wA1 -wS1"), ("bS1 /wS1", "wA1 wS1/")):
        found = await explored(client, "wS1", reply, **asked)
        assert [(one["move"], one["games"]) for one in found["moves"]] == [(answer, 2)]


async def test_deep_positions_are_not_counted(client: httpx.AsyncClient) -> None:
    answer = await explored(client, *(("Cb4", "Cc4", "Ca4", "Cd4") * 7)[:26])
    assert (answer["games"], answer["ply"], answer["depth"], answer["moves"]) == (0, 26, 24, [])
    line = (
        "Cb4",
        "Cc4",
        "Ca4",
        "Cd4",
        "Ca3",
        "Cd3",
        "Ca2",
        "Cd2",
        "Cb2",
        "Cc2",
        "Cb3",
        "Cc3",
        ">a1.>c1",
        "Cc4",
    )
    await ended(client, *line)
    await counted(client, 1)
    for plies, by, games in ((13, None, 1), (11, "people", 1), (12, "people", 0)):
        found = await explored(client, *line[:plies], by=by)
        assert (found["games"], len(found["moves"])) == (games, games), (plies, by)
        assert found["depth"] == (24 if by is None else 12)


@pytest.mark.parametrize(
    ("changes", "status", "field"),
    [
        ({"game": "chess"}, 422, "game"),
        ({"moves": ["Cb4", "Zz9"]}, 422, "moves"),
        ({"config": {"boardWidth": -1}}, 422, "config"),
        ({"moves": ["Cb4"] * 1001}, 422, "moves"),
        ({"by": ""}, 400, "by"),
        ({"by": "x" * 201}, 400, "by"),
        ({"source": "everywhere"}, 400, "source"),
        ({"source": "engine", "by": "people"}, 400, None),
        ({"depth": 3}, 400, "depth"),
        ({"moves": "Cb4"}, 400, "moves"),
    ],
)
async def test_bad_requests_are_refused(
    client: httpx.AsyncClient, changes: Json, status: int, field: str | None
) -> None:
    body = {"game": "wallwars", "config": TINY, **changes}
    answer = await client.post("/api/explorer", json=body)
    assert answer.status_code == status, answer.text
    assert answer.json().get("field") == field or field is None, answer.json()


@pytest.mark.parametrize("query", ["", "game=wallwars&config=[]", "game=wallwars&config={", "game=wallwars&by=",
                                   "game=wallwars&source=engine&by=people"])  # fmt: skip
async def test_bad_queries_are_refused(client: httpx.AsyncClient, query: str) -> None:
    answer = await client.get(f"/api/explorer?{query}")
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "malformed"
