"""The built-in bots over HTTP only: they need no socket, play with clocks, and play each other."""

import asyncio
from typing import Any

import httpx

from engines import games
from engines.variation import SLIGHT
from server.domain.bots import house_bots
from tests.server.bot_peers import BOARD, Json, challenge, reached, submit

SMALL = {"boardWidth": 3, "boardHeight": 3}


async def opened(client: httpx.AsyncClient, seats: list[Json], **more: object) -> Json:
    body = {"game": "wallwars", "config": SMALL, "seats": seats, **more}
    answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def test_a_bot_with_the_first_move_makes_it(client: httpx.AsyncClient) -> None:
    game = await challenge(client, "plyhouse:easy", is_first=False)
    found = await reached(client, game["gameId"], ply=1)
    assert found["toAct"] == [1]


async def test_the_strongest_one_is_the_default(client: httpx.AsyncClient) -> None:
    game = await opened(client, [{"kind": "human"}, {"kind": "bot"}])
    assert game["seats"][1]["bot"] == "plyhouse:strong"


async def test_bots_of_all_games_are_listed_together(client: httpx.AsyncClient) -> None:
    bots = (await client.get("/api/bots", params={"game": "all"})).json()["bots"]
    easy = {bot["game"] for bot in bots if bot["id"] == "plyhouse:easy"}
    assert {"wallwars", "hive"} <= easy
    usual = (await client.get("/api/bots")).json()["bots"]
    assert {bot["game"] for bot in usual} == {"wallwars"}


async def test_every_game_has_six_levels_by_strength(client: httpx.AsyncClient) -> None:
    bots = (await client.get("/api/bots", params={"game": "all"})).json()["bots"]
    levels = ["beginner", "novice", "easy", "medium", "hard", "strong"]
    for game in {bot["game"] for bot in bots}:
        ours = sorted((bot for bot in bots if bot["game"] == game), key=lambda bot: bot["level"])
        assert [bot["id"] for bot in ours] == [f"plyhouse:{level}" for level in levels], game
        assert all(bot["about"] for bot in ours)


def test_higher_levels_search_more_and_err_less() -> None:
    for game in games():
        bots = house_bots({game.name: {}})
        samples, noises = [bot.samples or 0 for bot in bots], [bot.noise or 0.0 for bot in bots]
        assert samples == sorted(set(samples)), game.name
        assert noises == sorted(noises, reverse=True), game.name
        assert noises[-1] <= 2 * SLIGHT
        with_network = [bot.network_noise for bot in bots if bot.network_noise is not None]
        assert with_network == sorted(with_network, reverse=True), game.name
        assert len(with_network) in (0, len(bots)), game.name


async def test_bots_of_the_same_name_are_told_apart(client: httpx.AsyncClient) -> None:
    easy, medium = ({"kind": "bot", "bot": f"plyhouse:{level}"} for level in ("easy", "medium"))
    body = {
        "game": "carcassonne",
        "seats": [easy, {"kind": "human", "name": "Plyhouse easy 2"}, easy, medium, easy],
    }
    game = (await client.post("/api/games", json=body)).json()
    assert [seat["name"] for seat in game["seats"]] == [
        "Plyhouse easy",
        "Plyhouse easy 2",
        "Plyhouse easy 3",
        "Plyhouse medium",
        "Plyhouse easy 4",
    ]


async def test_a_bot_does_not_repeat_its_games(client: httpx.AsyncClient) -> None:
    replies: set[str] = set()
    # Its favourite is played in half of the games, so that all of these agree in no run that anybody will see.
    for _ in range(60):
        game = await challenge(client, "plyhouse:strong", boardWidth=8, boardHeight=8)
        await submit(client, game, "---")
        replies.add((await reached(client, game["gameId"], ply=2))["history"][1])
        if len(replies) > 1:
            return
    raise AssertionError(f"the bot always plays {replies}")


async def test_every_variant_is_played(client: httpx.AsyncClient) -> None:
    for variant in ("classic", "survival"):
        game = await opened(
            client, [{"kind": "bot", "bot": "plyhouse:easy"}, {"kind": "human"}], variant=variant
        )
        await reached(client, game["gameId"], ply=1)


async def test_built_in_bots_play_with_a_clock(client: httpx.AsyncClient) -> None:
    control = {"initialSeconds": 60, "incrementSeconds": 1}
    seats: list[Json] = [{"kind": "human"}, {"kind": "bot", "bot": "plyhouse:easy"}]
    game = await opened(client, seats, timeControl=control)
    game["token"] = game["seats"][0]["token"]
    assert (await submit(client, game, "---")).status_code == 200
    await reached(client, game["gameId"], ply=2)


async def test_a_game_that_starts_when_its_last_seat_is_taken(client: httpx.AsyncClient) -> None:
    game = await opened(client, [{"kind": "bot", "bot": "plyhouse:easy"}, {"kind": "open"}])
    assert game["position"]["status"] == "open"
    await client.post(f"/api/games/{game['gameId']}/join", json={})
    await reached(client, game["gameId"], ply=1)


async def test_two_bots_play_a_game_of_their_own(client: httpx.AsyncClient) -> None:
    seats: list[Json] = [{"kind": "bot", "bot": "plyhouse:easy"}, {"kind": "bot", "bot": "plyhouse:medium"}]
    game = await opened(client, seats)
    over = await reached(client, game["gameId"], status="finished")
    assert over["result"]["reason"] in ("capture", "one-move-rule")


async def test_a_takeback_is_granted_and_answered_anew(client: httpx.AsyncClient) -> None:
    game = await challenge(client, "plyhouse:easy", boardWidth=5, boardHeight=5)
    headers = {"Authorization": f"Bearer {game['token']}"}
    for _ in range(5):
        await submit(client, game, "---")
        await reached(client, game["gameId"], ply=2)
        back = await client.post(f"/api/games/{game['gameId']}/takeback", json={"toPly": 0}, headers=headers)
        assert back.json()["ply"] == 0
        await asyncio.sleep(0.01)
    found = (await client.get(f"/api/games/{game['gameId']}")).json()["position"]
    assert (found["ply"], found["toAct"]) == (0, [0])


async def test_a_hundred_games_at_once(client: httpx.AsyncClient) -> None:
    games = await asyncio.gather(*(challenge(client, "plyhouse:easy") for _ in range(100)))
    answers = await asyncio.gather(*(submit(client, game, "Ma2", 0) for game in games))
    assert {answer.status_code for answer in answers} == {200}
    for game in games:
        await reached(client, game["gameId"], ply=2)


async def test_a_game_against_a_bot_is_unrated_and_has_no_clock(client: httpx.AsyncClient) -> None:
    async def played(config: dict[str, Any]) -> httpx.Response:
        return await client.post("/api/bots/play", json={"botId": "plyhouse:easy", "config": config})

    answer = await played({**BOARD, "rated": False, "timeControl": None})
    assert answer.status_code == 201
    assert set(answer.json()) == {"gameId", "token", "socketToken", "role", "playerId", "shareUrl"}
    for unused, code in (
        ({"rated": True}, "rated-unavailable"),
        ({"timeControl": {"initialSeconds": 60, "incrementSeconds": 0}}, "bad-time-control"),
        ({"walls": 0}, "bad-config"),
        ({"boardwidth": 3}, "bad-config"),
    ):
        answer = await played({**BOARD, **unused})
        assert (answer.status_code, answer.json()["code"]) == (422, code), answer.text
