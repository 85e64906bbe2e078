"""A tournament of two servers: one plays it, and the other one goes on when that dies."""

import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path

from sqlalchemy import create_engine, text

from tests.server.bot_peers import a_bot, a_player, evaluating, http
from tests.server.databases import template
from tests.server.serving import Served
from tests.server.test_bots_across import listed
from tests.server.test_tournaments import (
    TOY,
    TOY_BOT,
    bearer,
    create,
    games_of,
    has_over,
    is_finished,
    is_playing,
    levels,
    start,
    until,
)
from tools.services.postgres import PostgresServer


async def test_the_other_server_gives_the_room_of_an_awaited_game_to_nobody(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """Only the bot's own server knows its sessions; it also plays the tournament, as it was alone at first."""
    options = ("--database", postgres.new_database(template(postgres)))
    limits = {"PLYHOUSE_SESSIONS_PER_BOT_CLIENT": "1", "PLYHOUSE_BOT_TIMEOUT_SECONDS": "120"}
    seats = [{"kind": "bot", "bot": "busy:b1"}, {"kind": "human"}]
    (tmp_path / "other").mkdir()
    async with AsyncExitStack() as stack:
        one = stack.enter_context(Served(tmp_path, *options, **limits))
        here, busy = await stack.enter_async_context(http(one)), await stack.enter_async_context(a_bot(one))
        await busy.attach("busy", TOY_BOT)
        opened = (await here.post("/api/games", json={"game": "toy-draw", "seats": seats})).json()
        token = opened["seats"][1]["token"]
        player = {"gameId": opened["gameId"], "token": token}
        await stack.enter_async_context(a_player(one, player))
        await busy.started()
        asked = await busy.expect("evaluate_position")
        entries = [{"bot": "busy:b1"}, *({"name": name} for name in ("Ada", "Bo", "Cy"))]
        made = await create(here, *entries, config={}, **TOY)
        await start(here, made)
        found = await until(here, made, is_playing)
        assert [game["status"] for game in games_of(found)] == ["due", "playing"]
        other = stack.enter_context(Served(tmp_path / "other", *options, **limits))
        there = await stack.enter_async_context(http(other))
        await listed(there, "busy:b1", game="toy-draw")
        refused = await there.post("/api/games", json={"game": "toy-draw", "seats": seats})
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable"), refused.text
        assert refused.json()["error"] == "The next free session of B is kept for a game of a tournament."
        await here.post(f"/api/games/{opened['gameId']}/resign", headers=bearer(token))
        await busy.answer("evaluate_response", asked, ply=0, bestMove="take", evaluation=0.5)
        answering = asyncio.ensure_future(evaluating(busy, "take"))
        await until(there, made, lambda found: games_of(found)[0]["gameId"])
        answering.cancel()


async def test_the_other_server_goes_on_with_a_tournament(tmp_path: Path, postgres: PostgresServer) -> None:
    database = postgres.new_database(template(postgres))
    (tmp_path / "other").mkdir()
    folders = (tmp_path, tmp_path / "other")
    one, other = (Served(folder, "--database", database) for folder in folders)
    with one, other:
        async with http(one) as here, http(other) as there:
            made = await create(here, *levels("beginner", "novice", "easy", "medium"), gamesPerPair=1)
            await start(there, made)
            await until(there, made, has_over(1))
        is_played_by_one = f"of tournament {made['id']}" in one.log
        dead, alive = (one, other) if is_played_by_one else (other, one)
        dead.stop(signal.SIGKILL)
        async with http(alive) as client:
            found = await until(client, made, is_finished)
    assert f"of tournament {made['id']}" in alive.log
    assert (len(games_of(found)), sum(row["points"] for row in found["table"])) == (6, 6)
    engine = create_engine(database)
    with engine.connect() as connection:
        stored = set(connection.scalars(text("SELECT game_id FROM games")))
    engine.dispose()
    assert stored == {game["gameId"] for game in games_of(found)}
