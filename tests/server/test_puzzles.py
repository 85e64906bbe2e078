"""``/api/puzzles``: lists, draws, and what is refused."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from engines.puzzles.difficulty import Difficulty
from engines.puzzles.library import shipped_puzzles
from server.routes.puzzles.calls import MOST
from tests.server.services import opened, settings

Json = dict[str, Any]


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    async with opened(settings(tmp_path_factory.mktemp("puzzles"))) as client:
        yield client


async def get(client: httpx.AsyncClient, **query: Any) -> Json:
    answer = await client.get("/api/puzzles", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_all_pages_together_have_each_puzzle_once(client: httpx.AsyncClient) -> None:
    for game, collection in shipped_puzzles().items():
        found: list[str] = []
        query: Json = {"game": game, "pageSize": MOST}
        while True:
            page = await get(client, **query)
            assert page["count"] == len(collection.puzzles)
            found += [puzzle["id"] for puzzle in page["puzzles"]]
            if "cursor" not in page:
                break
            query["cursor"] = page["cursor"]
        assert found == [puzzle.id for puzzle in collection.puzzles]


async def test_the_games_say_how_many_puzzles_each_filter_leaves(client: httpx.AsyncClient) -> None:
    listed = (await client.get("/api/puzzles/games")).json()["games"]
    assert [row["game"] for row in listed] == list(shipped_puzzles())
    for row in listed:
        kinds = [("theme", theme["theme"], theme["count"]) for theme in row["themes"]]
        kinds += [("difficulty", *entry) for entry in row["difficulties"].items()]
        kinds += [("variant", *entry) for entry in row["variants"].items()]
        for kind, name, count in kinds:
            page = await get(client, game=row["game"], pageSize=1, **{kind: name})
            assert page["count"] == count > 0
            (puzzle,) = page["puzzles"]
            assert name in (*puzzle["themes"], puzzle["difficulty"], puzzle["variant"])
        assert sum(row["difficulties"].values()) == sum(row["variants"].values()) == row["count"]


async def test_random_puzzles_are_different_ones_and_fit(client: httpx.AsyncClient) -> None:
    page = await get(client, game="hive", order="random", pageSize=10, difficulty="medium")
    assert len({puzzle["id"] for puzzle in page["puzzles"]}) == 10
    assert {puzzle["difficulty"] for puzzle in page["puzzles"]} == {"medium"}
    assert "cursor" not in page


async def test_a_puzzle_is_found_by_its_id(client: httpx.AsyncClient) -> None:
    (listed,) = (await get(client, game="hive", pageSize=1))["puzzles"]
    assert (await client.get(f"/api/puzzles/{listed['id']}")).json() == listed
    answer = await client.get("/api/puzzles/0123456789")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    ("query", "code", "text"),
    [
        ({"game": "hvie"}, "unknown-game", "did you mean 'hive'"),
        ({"game": "hive", "theme": "beetel"}, "malformed", "did you mean 'beetle'"),
        ({"game": "hive", "variant": "Base+X"}, "malformed", "hive has no variant 'Base+X'"),
        ({"game": "hive", "difficulty": "harder"}, "malformed", "difficulty"),
        ({"game": "hive", "pageSize": MOST + 1}, "malformed", "pageSize"),
        ({"game": "hive", "cursor": "../../etc"}, "malformed", "cursor"),
        ({}, "malformed", "game"),
    ],
)
async def test_bad_queries_are_refused_with_a_reason(
    client: httpx.AsyncClient, query: Json, code: str, text: str
) -> None:
    answer = await client.get("/api/puzzles", params=query)
    assert (400 <= answer.status_code < 500, answer.json()["code"]) == (True, code)
    assert text in answer.json()["error"]


async def test_a_game_without_puzzles_has_an_empty_list(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.routes.puzzles.calls.shipped_puzzles", dict)
    assert await get(client, game="hive") == {"puzzles": [], "count": 0}


def test_difficulties_are_in_order() -> None:
    order = [level.value for level in Difficulty]
    for collection in shipped_puzzles().values():
        levels = list(collection.difficulties)
        assert levels == sorted(levels, key=order.index)
