"""A tournament of two servers: one plays it, and the other one goes on when that dies."""

import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, text

from tests.server.bot_peers import Json, a_bot, a_player, evaluating, http
from tests.server.databases import template
from tests.server.serving import Served
from tests.server.test_bots_across import listed
from tests.server.tournament_calls import (
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


async def refused_while_due(
    client: httpx.AsyncClient, made: Json, seats: list[Json]
) -> httpx.Response | None:
    """The refusal of a game between people and the bot that a tournament awaits; None if its own game begins."""
    while True:
        found = (await client.get(f"/api/tournaments/{made['id']}")).json()
        if found["games"] and (game_id := games_of(found)[0]["gameId"]):
            await client.post(f"/api/games/{game_id}/resign", headers=bearer(made["tokens"][1]))
            return None
        answer = await client.post("/api/games", json={"game": "toy-draw", "seats": seats})
        if not answer.is_success:
            return answer
        game = answer.json()
        await client.post(f"/api/games/{game['gameId']}/abort", headers=bearer(game["seats"][1]["token"]))


async def test_no_server_gives_away_the_room_of_an_awaited_game(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """One server plays the tournament; only the other one, which the bot is attached to, knows its sessions."""
    options = ("--database", postgres.new_database(template(postgres)))
    limits = {"PLYHOUSE_SESSIONS_PER_BOT_CLIENT": "1", "PLYHOUSE_BOT_TIMEOUT_SECONDS": "120"}
    seats = [{"kind": "bot", "bot": "busy:b1"}, {"kind": "human"}]
    (tmp_path / "other").mkdir()
    async with AsyncExitStack() as stack:
        one = stack.enter_context(Served(tmp_path, *options, **limits))
        here = await stack.enter_async_context(http(one))
        earlier = await create(here, {"name": "Di"}, {"name": "Ed"}, config={}, **TOY)
        await start(here, earlier)
        await until(here, earlier, is_playing)
        other = stack.enter_context(Served(tmp_path / "other", *options, **limits))
        there = await stack.enter_async_context(http(other))
        busy = await stack.enter_async_context(a_bot(other))
        await busy.attach("busy", TOY_BOT)
        opened = (await there.post("/api/games", json={"game": "toy-draw", "seats": seats})).json()
        token = opened["seats"][1]["token"]
        player = {"gameId": opened["gameId"], "token": token}
        await stack.enter_async_context(a_player(other, player))
        await busy.started()
        asked = await busy.expect("evaluate_position")
        await listed(here, "busy:b1", game="toy-draw")
        refused = None
        async with asyncio.timeout(60):
            while refused is None:  # Until this server has heard that the bot has no session free.
                made = await create(here, {"bot": "busy:b1"}, {"name": "Ada"}, config={}, **TOY)
                await start(here, made)
                refused = await refused_while_due(here, made, seats)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable"), refused.text
        assert refused.json()["error"] == "The next free session of B is kept for a game of a tournament."
        await there.post(f"/api/games/{opened['gameId']}/resign", headers=bearer(token))
        await busy.answer("evaluate_response", asked, ply=0, bestMove="take", evaluation=0.5)
        answering = asyncio.ensure_future(evaluating(busy, "take"))
        await until(here, made, lambda found: games_of(found)[0]["gameId"])
        answering.cancel()


@pytest.mark.slow
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
