"""Attached bots in tournaments: those that are not there, and the limits of their authors."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

from server.domain.ladder.results import SERVER_ERROR
from tests.server.bot_peers import a_bot, a_player, evaluating, http
from tests.server.serving import Served
from tests.server.tournament_calls import (
    TABLE,
    TOY,
    TOY_BOT,
    Json,
    bearer,
    create,
    games_of,
    is_finished,
    is_playing,
    start,
    until,
)


async def test_a_bot_that_is_not_there_loses_by_forfeit(tmp_path: Path) -> None:
    with Served(tmp_path, PLYHOUSE_TOURNAMENT_WAIT_SECONDS="0.3") as served:
        async with http(served) as client, a_bot(served) as stays:
            await stays.attach("stays", TOY_BOT)
            playing = asyncio.ensure_future(evaluating(stays, "take"))
            async with a_bot(served) as comes, a_bot(served) as leaves:
                await comes.attach("comes", TOY_BOT)
                await leaves.attach("leaves", TOY_BOT)
                back = asyncio.ensure_future(evaluating(comes, "take"))
                bots = [{"bot": f"{name}:b1"} for name in ("stays", "comes", "leaves")]
                made = await create(client, *bots, config={}, system="gauntlet", **TOY)
                await leaves.connection.close()
                await start(client, made)
                found = await until(client, made, is_finished)
                back.cancel()
            playing.cancel()
    assert [one["name"] for one in found["entrants"]] == ["B", "B (comes:b1)", "B (leaves:b1)"]
    with closing(sqlite3.connect(tmp_path / "plyhouse.sqlite3")) as database:
        kept = database.execute("SELECT client_id FROM client_ids WHERE is_kept").fetchall()
    assert sorted(kept) == [("comes",), ("stays",)], "an entry alone keeps no id"
    absent = [game for game in games_of(found) if game["reason"] == "absent"]
    assert all(game["gameId"] is None and 3 in game["players"] for game in absent)
    assert len(absent) == 1
    assert [row["points"] for row in found["table"] if row["entry"] == 3] == [0]
    assert sum(row["points"] for row in found["table"]) == 2


async def test_a_bot_without_a_free_session_is_not_awaited_for_ever(tmp_path: Path) -> None:
    """Its only session belongs to a game in which it thinks."""
    with Served(
        tmp_path,
        PLYHOUSE_TOURNAMENT_WAIT_SECONDS="0.1",
        PLYHOUSE_SESSIONS_PER_BOT_CLIENT="1",
        PLYHOUSE_BOT_TIMEOUT_SECONDS="120",
    ) as served:
        bots = a_bot(served), a_bot(served), a_bot(served)
        async with http(served) as client, bots[0] as stays, bots[1] as busy, bots[2] as other:
            await stays.attach("stays", TOY_BOT)
            await busy.attach("busy", TOY_BOT)
            await other.attach("other", TOY_BOT)
            made = await create(client, {"bot": "stays:b1"}, {"bot": "busy:b1"}, config={}, **TOY)
            seats = [{"kind": "bot", "bot": f"{name}:b1"} for name in ("busy", "other")]
            opened = await client.post("/api/games", json={"game": "toy-draw", "seats": seats})
            assert opened.status_code == 201, opened.text
            await busy.started()
            await busy.expect("evaluate_position")
            await start(client, made)
            found = await until(client, made, is_finished)
    [game] = games_of(found)
    assert (game["reason"], game["gameId"]) == ("unavailable", None)
    assert game["note"] == "had no session free when the game was due"
    assert {row["entry"]: row["points"] for row in found["table"]} == {1: 1, 2: 0}


async def test_an_awaited_game_gets_the_next_free_session(tmp_path: Path) -> None:
    """A rival tries to open another game with the bot as soon as the last one is over."""
    seats = [{"kind": "bot", "bot": "busy:b1"}, {"kind": "human"}]
    names = ("busy", "one", "two", "three")
    with Served(tmp_path, PLYHOUSE_SESSIONS_PER_BOT_CLIENT="1", PLYHOUSE_BOT_TIMEOUT_SECONDS="120") as served:
        async with http(served) as client, AsyncExitStack() as stack:
            bots = [await stack.enter_async_context(a_bot(served)) for _ in names]
            for name, bot in zip(names, bots, strict=True):
                await bot.attach(name, TOY_BOT)
            opened = (await client.post("/api/games", json={"game": "toy-draw", "seats": seats})).json()
            token = opened["seats"][1]["token"]
            await stack.enter_async_context(a_player(served, {"gameId": opened["gameId"], "token": token}))
            await bots[0].started()
            asked = await bots[0].expect("evaluate_position")
            made = await create(client, *({"bot": f"{name}:b1"} for name in names), config={}, **TOY)
            await start(client, made)
            found = await until(client, made, is_playing)
            assert [game["status"] for game in games_of(found)] == ["due", "playing"]
            path = f"/api/games/{opened['gameId']}/resign"
            assert (await client.post(path, headers=bearer(token))).status_code == 200
            await bots[0].answer("evaluate_response", asked, ply=0, bestMove="take", evaluation=0.5)
            answering = asyncio.ensure_future(evaluating(bots[0], "take"))
            while any(game["status"] == "due" for game in games_of(await until(client, made, bool))):
                refused = await client.post("/api/games", json={"game": "toy-draw", "seats": seats})
                assert refused.status_code == 503, refused.text
            answering.cancel()


async def test_the_limits_of_authors_hold(tmp_path: Path) -> None:
    clock = {"initialSeconds": 60, "incrementSeconds": 1}
    offers: dict[str, Json] = {
        "never": {"tournaments": False},
        "quick": {"tournaments": {"initialSeconds": [1, 30]}},
        "slow": {"tournaments": {"incrementSeconds": [5, 60]}},
        "shy": {"ladder": {"avoid": ["stays"]}},
    }
    with Served(tmp_path, PLYHOUSE_TOURNAMENT_WAIT_SECONDS="0.3") as served:
        async with http(served) as client, a_bot(served) as stays, AsyncExitStack() as others:
            await stays.attach("stays", TOY_BOT)
            for name, members in offers.items():
                bot = await others.enter_async_context(a_bot(served))
                assert (await bot.attach(name, {**TOY_BOT, **members}))["type"] == "attached"
            made = await create(client, {"bot": "stays:b1"}, config={}, timeControl=clock, **TOY)
            path = f"/api/tournaments/{made['id']}/entries"
            refused = {name: (await client.post(path, json={"bot": f"{name}:b1"})).json() for name in offers}
            assert {(one["code"], one["field"]) for one in refused.values()} == {("unsupported", "bot")}
            assert [one["error"] for one in refused.values()] == [
                "B plays in no tournaments: its author has set tournaments: false.",
                "B does not play with the clock 60+1 in tournaments.",
                "B does not play with the clock 60+1 in tournaments.",
                "B does not play against stays:b1.",
            ]
            made = await create(client, {"bot": "shy:b1"}, config={}, **TOY)
            answer = await client.post(f"/api/tournaments/{made['id']}/entries", json={"bot": "stays:b1"})
            assert answer.json()["error"] == "B, which has entered, does not play against stays:b1."
            for _ in range(5):
                made = await create(client, config={}, **TOY)
                path = f"/api/tournaments/{made['id']}/entries"
                bots = [{"bot": f"{name}:b1"} for name in ("stays", "shy")]
                answers = await asyncio.gather(*(client.post(path, json=bot) for bot in bots))
                assert sorted(answer.status_code for answer in answers) == [201, 422], "they enter at once"
            listed = (await client.get("/api/bots?game=toy-draw")).json()["bots"]
            assert {one["id"] for one in listed if one.get("tournaments") is False} == {"never:b1"}


async def test_a_bot_plays_as_many_games_at_once_as_its_author_allows(tmp_path: Path) -> None:
    """In two tournaments; nobody moves."""
    twice = {**TOY_BOT, "tournaments": {"gamesAtOnce": 2}}
    with Served(tmp_path, PLYHOUSE_BOT_TIMEOUT_SECONDS="120") as served:
        async with http(served) as client, a_bot(served) as one, a_bot(served) as other:
            await one.attach("one", twice)
            await other.attach("other", twice)
            bots = [{"bot": "one:b1"}, {"bot": "other:b1"}]
            made = [await create(client, *bots, config={}, **TOY) for _ in range(2)]
            for tournament in made:
                await start(client, tournament)
            for tournament in made:
                await until(client, tournament, is_playing)
            assert is_playing(await until(client, made[0], bool)), "the first game has not ended meanwhile"


async def test_an_author_may_refuse_after_the_entry(tmp_path: Path) -> None:
    """A bot that comes back with ``tournaments: false`` is withdrawn, without anybody waiting for it."""
    with Served(tmp_path, PLYHOUSE_TOURNAMENT_WAIT_SECONDS="3600") as served:
        async with http(served) as client, a_bot(served) as stays, a_bot(served) as lab:
            await stays.attach("stays", TOY_BOT)
            secret = (await lab.attach("lab", TOY_BOT))["resumeSecret"]
            made = await create(client, {"bot": "stays:b1"}, {"bot": "lab:b1"}, config={}, **TOY)
            async with a_bot(served) as again:
                refusing = {**TOY_BOT, "tournaments": False}
                assert (await again.attach("lab", refusing, secret=secret))["type"] == "attached"
                await start(client, made)
                found = await until(client, made, is_finished)
    assert [game["reason"] for game in games_of(found)] == ["withdrawn"]
    assert [one["gone"] for one in found["entrants"]] == [False, True]


async def test_a_game_of_a_bot_in_its_quiet_hours_is_lost(tmp_path: Path) -> None:
    hour = datetime.now(UTC).hour
    quiet = {"tournaments": {"quietHours": [(hour - 1) % 24, (hour + 2) % 24]}}
    with Served(tmp_path, PLYHOUSE_TOURNAMENT_WAIT_SECONDS="0.3") as served:
        async with http(served) as client, a_bot(served) as stays, a_bot(served) as sleeps:
            await stays.attach("stays", TOY_BOT)
            await sleeps.attach("sleeps", {**TOY_BOT, **quiet})
            made = await create(client, {"bot": "stays:b1"}, {"bot": "sleeps:b1"}, config={}, **TOY)
            await start(client, made)
            found = await until(client, made, is_finished)
    [game] = games_of(found)
    assert (game["reason"], game["note"]) == ("unavailable", "had quiet hours when the game was due")


async def test_nobody_else_plays_as_a_bot_that_has_entered(tmp_path: Path) -> None:
    with Served(tmp_path, PLYHOUSE_TOURNAMENT_WAIT_SECONDS="0.3") as served:
        async with http(served) as client, a_bot(served) as stays:
            await stays.attach("stays", TOY_BOT)
            playing = asyncio.ensure_future(evaluating(stays, "take"))
            async with a_bot(served) as owner:
                assert (await owner.attach("lab", TOY_BOT))["type"] == "attached"
                made = await create(client, {"bot": "stays:b1"}, {"bot": "lab:b1"}, config={}, **TOY)
            async with a_bot(served) as guest:
                assert (await guest.attach("lab", TOY_BOT))["type"] == "attached"
                await start(client, made)
                found = await until(client, made, is_finished)
                assert [row["points"] for row in found["table"] if row["entry"] == 2] == [0]
                assert games_of(found)[0]["reason"] == "absent"
            playing.cancel()


async def test_what_a_bot_says_is_no_error_of_the_server(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        async with http(served) as client, a_bot(served) as stays, a_bot(served) as liar:
            await stays.attach("stays", TOY_BOT)
            playing = asyncio.ensure_future(evaluating(stays, "take"))
            await liar.attach("liar", TOY_BOT)
            made = await create(client, {"bot": "stays:b1"}, {"bot": "liar:b1"}, config={}, **TOY)
            await start(client, made)
            asked = await liar.expect("start_game_session")
            await liar.answer("game_session_started", asked, success=False, error=SERVER_ERROR)
            found = await until(client, made, is_finished)
            playing.cancel()
    [game] = games_of(found)
    assert sorted(game["points"]) == [0, 1]
    assert game["note"] == f"the bot answered: {SERVER_ERROR}"


async def test_a_bot_does_not_avoid_who_has_withdrawn(tmp_path: Path) -> None:
    """A table begins without that player."""
    with Served(tmp_path, PLYHOUSE_TOURNAMENT_WAIT_SECONDS="3600") as served:
        async with http(served) as client, a_bot(served) as stays, a_bot(served) as lab:
            await stays.attach("stays", TOY_BOT)
            secret = (await lab.attach("lab", TOY_BOT))["resumeSecret"]
            players = {"bot": "stays:b1"}, {"bot": "lab:b1"}, {"name": "Ada"}
            made = await create(client, *players, **TABLE)
            async with a_bot(served) as again:
                avoiding = {**TOY_BOT, "tournaments": {"avoid": ["stays"]}}
                assert (await again.attach("lab", avoiding, secret=secret))["type"] == "attached"
                await start(client, made)
                found = await until(client, made, lambda found: found["games"])
                assert not is_playing(found)
                path = f"/api/tournaments/{made['id']}/entries/1"
                await client.delete(path, headers=bearer(made["token"]))
                await until(client, made, is_playing)
