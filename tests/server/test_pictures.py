"""Pictures of games over HTTP, and the process that draws them."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest

from engines import Position
from engines.pictures import Order, order_of
from server.domain.client_address import SITE_FACTOR
from server.domain.errors import ApiError, Code
from server.services.heavy_work import HeavyWork
from server.services.payer import payer
from server.services.pictures.picture_cache import PictureCache
from server.services.pictures.picture_process import Drawn, PictureProcess
from server.services.pictures.pictures import MOST_OF_ONE, Pictures
from tests.server.services import Json, opening, play, post

ORDER = order_of(Position("hive"), 100)


@pytest.fixture(scope="module")
async def game(client: httpx.AsyncClient) -> Json:
    """A finished game of two moves."""
    seats = [{"kind": "human", "name": "<b>&\"'"}, {"kind": "human", "name": "Bo"}]
    game = await opening(client, "hive", seats=seats)
    await play(client, game, 0, "wS1")
    await play(client, game, 1, "bS1 wS1-")
    assert (await post(client, game, "resign", 0))[0] == 200
    return game


def path(game: Json, what: str) -> str:
    return f"/api/games/{game['gameId']}/{what}"


@pytest.mark.parametrize(
    ("what", "media_type", "start"),
    [
        ("picture.png", "image/png", b"\x89PNG"),
        ("picture.svg", "image/svg+xml", b"<svg "),
        ("card.png", "image/png", b"\x89PNG"),
    ],
)
async def test_a_game_has_pictures(
    client: httpx.AsyncClient, game: Json, what: str, media_type: str, start: bytes
) -> None:
    answer = await client.get(path(game, what))
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert answer.content.startswith(start)
    assert answer.headers["cache-control"] == "public, max-age=86400"
    tag = answer.headers["etag"]
    again = await client.get(path(game, what), headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    others = [await client.get(path(game, what), params=query) for query in ({"ply": 1}, {"theme": "dark"})]
    assert len({tag, *(other.headers["etag"] for other in others)}) == 3
    assert len({answer.content, *(other.content for other in others)}) == 3


async def test_a_running_game_is_asked_for_again(client: httpx.AsyncClient) -> None:
    running = await opening(client, "wallwars")
    before = await client.get(path(running, "card.png"))
    assert before.headers["cache-control"] == "no-cache"
    await play(client, running, 0, "---")
    now = await client.get(path(running, "card.png"), headers={"If-None-Match": before.headers["etag"]})
    assert now.status_code == 200
    past = await client.get(path(running, "picture.svg"), params={"ply": 0, "width": 64, "flipped": True})
    assert ElementTree.fromstring(past.text).get("width") == "64"  # noqa: S314 - our own


@pytest.mark.parametrize(
    ("query", "status", "field"),
    [
        ("ply=3", 404, "ply"), ("ply=-1", 400, "ply"), ("ply=x", 400, "ply"), ("ply=1e3", 400, "ply"),
        ("ply=9999999999999999999999", 400, "ply"), ("theme=red", 400, "theme"), ("theme=", 400, "theme"),
        ("flipped=maybe", 400, "flipped"), ("width=63", 400, "width"), ("width=1601", 400, "width"),
        ("width=NaN", 400, "width"), ("flip=1", 400, "flip"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("what", ["picture.png", "picture.svg", "card.png"])
async def test_bad_members_of_the_query_are_named(
    client: httpx.AsyncClient, game: Json, what: str, query: str, status: int, field: str
) -> None:
    answer = await client.get(f"{path(game, what)}?{query}")
    assert (answer.status_code, answer.json()["field"]) == (status, field)


async def test_there_is_no_picture_of_nothing(client: httpx.AsyncClient) -> None:
    for what in ("picture.png", "picture.svg", "card.png"):
        assert (await client.get(f"/api/games/nobody/{what}")).json()["code"] == "not-found"
    toy = await opening(client, "toy-goofspiel")
    for _ in range(2):
        answer = await client.get(path(toy, "picture.png"))
        assert (answer.status_code, answer.json()["code"]) == (422, "unsupported")


# ---- the process -----------------------------------------------------------------------------------


class Counting(PictureProcess):
    """Counts the pictures that it is asked for."""

    count = 0

    async def draw(self, order: Order, *, png: bool) -> Drawn:
        self.count += 1
        return await super().draw(order, png=png)


@pytest.fixture
async def process() -> AsyncIterator[Counting]:
    process = Counting()
    yield process
    await process.stop()


@pytest.fixture
async def work() -> AsyncIterator[HeavyWork]:
    """A minute's allowance of 60 ms, and a clock that stands."""
    work = HeavyWork(0.06, lambda: 0.0)
    yield work
    work.stop()


async def as_client(pictures: Pictures, address: str, order: Order = ORDER) -> bytes:
    payer.set(address)
    return await pictures.draw(pictures.key_of(order, png=True))


async def test_a_picture_is_drawn_once_and_paid_for_once(process: Counting, work: HeavyWork) -> None:
    pictures = Pictures(work, process)
    drawn = await asyncio.gather(*(as_client(pictures, f"192.0.2.{number}") for number in range(8)))
    assert (process.count, len(set(drawn))) == (1, 1)
    other = order_of(Position("hive"), 101)
    with pytest.raises(ApiError) as refusal:
        await asyncio.create_task(as_client(pictures, "192.0.2.0", other))
    assert refusal.value.code is Code.TOO_MANY_REQUESTS
    assert await asyncio.create_task(as_client(pictures, "192.0.2.0")) == drawn[0]
    assert await asyncio.create_task(as_client(pictures, "192.0.2.1", other)) != drawn[0]


async def test_one_address_waits_for_few_pictures(work: HeavyWork) -> None:
    silent = PictureProcess((sys.executable, "-c", "import sys; sys.stdin.read()"))
    pictures = Pictures(work, silent)
    orders = [order_of(Position("hive"), 100 + number) for number in range(MOST_OF_ONE + 1)]
    waiting = [asyncio.create_task(as_client(pictures, "192.0.2.1", order)) for order in orders[:-1]]
    await asyncio.sleep(0)
    with pytest.raises(ApiError) as refusal:
        await asyncio.create_task(as_client(pictures, "192.0.2.1", orders[-1]))
    assert (refusal.value.code, refusal.value.limit) == (Code.TOO_MANY_REQUESTS, MOST_OF_ONE)
    for task in waiting:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await pictures.stop()


async def test_one_site_cannot_take_all_places(work: HeavyWork) -> None:
    silent = PictureProcess((sys.executable, "-c", "import sys; sys.stdin.read()"))
    pictures = Pictures(work, silent)
    networks = [f"2001:db8:1:{number:x}::/64" for number in range(2 * SITE_FACTOR)]
    orders = [order_of(Position("hive"), 100 + number) for number in range(MOST_OF_ONE)]
    waiting = [
        asyncio.create_task(as_client(pictures, network, order)) for network in networks for order in orders
    ]
    done, rest = await asyncio.wait(waiting, timeout=0.1)
    assert len(rest) == SITE_FACTOR * MOST_OF_ONE
    refusals = [task.exception() for task in done]
    assert all(isinstance(one, ApiError) and one.code is Code.TOO_MANY_REQUESTS for one in refusals)
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    await pictures.stop()


async def test_a_process_that_fails_is_started_again(process: Counting) -> None:
    for code in ("", "print('nonsense')", "print('null')"):
        broken = PictureProcess((sys.executable, "-c", code))
        for _ in range(2):
            with pytest.raises(ApiError) as refusal:
                await broken.draw(ORDER, png=False)
            assert refusal.value.code is Code.UNAVAILABLE
        await broken.stop()
    missing = PictureProcess(("/nowhere/python",))
    with pytest.raises(ApiError, match="cannot be drawn"):
        await missing.draw(ORDER, png=False)
    first = await process.draw(ORDER, png=False)
    await process.stop()
    assert (await process.draw(ORDER, png=False)).content == first.content


async def test_a_server_without_a_build_says_so(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from engines.pictures import __main__ as drawing, script
script.DrawingScript.__init__.__defaults__ = (Path({str(tmp_path / "none.js")!r}), 1)
drawing.serve(sys.stdin.buffer, sys.stdout.buffer)
"""
    process = PictureProcess((sys.executable, "-c", code))
    for _ in range(2):
        drawn = await process.draw(ORDER, png=True)
        assert drawn.error == "The boards have not been built: run `make web`."
    await process.stop()


def test_the_picture_found_longest_ago_makes_room() -> None:
    cache = PictureCache(10)
    cache.add("a", b"12345")
    cache.add("b", b"12345")
    assert cache.find("a") == b"12345"
    cache.add("c", b"1234")
    assert [cache.find(key) is not None for key in "abc"] == [True, False, True]
    cache.add("d", b"x" * 11)
    assert [cache.find(key) is not None for key in "acd"] == [True, True, False]
