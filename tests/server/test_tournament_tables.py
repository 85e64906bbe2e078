"""Tournaments of tables with three seats or more: who does not come, and who leaves."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import httpx

from engines import Position
from protocols.values import LeaveReason, Seat, SeatKind
from server.domain import events as e
from server.domain.fold import fold
from server.routes.tournaments.bodies import TournamentBody
from server.services.tournaments.tournament_games import first_moves_due, seat_of_first_move
from tests.server.bot_peers import a_bot, evaluating, http
from tests.server.serving import Served
from tests.server.tournament_calls import (
    TABLE,
    TOY_BOT,
    bearer,
    create,
    games_of,
    is_finished,
    is_playing,
    is_playing_game,
    start,
    until,
)


async def test_the_others_play_on_at_a_table_without_who_does_not_come(tmp_path: Path) -> None:
    """If one comes alone, there is no game."""
    with Served(tmp_path, PLYHOUSE_TOURNAMENT_WAIT_SECONDS="0.3") as served:
        async with http(served) as client, AsyncExitStack() as stack:
            playing, bots = [], [{"bot": f"{name}:b1"} for name in ("stays", "comes", "leaves")]
            for entry in bots:
                bot = await stack.enter_async_context(a_bot(served))
                await bot.attach(entry["bot"].partition(":")[0], TOY_BOT)
                playing.append(bot)
            tasks = [asyncio.ensure_future(evaluating(bot, "take")) for bot in playing[:2]]
            made = await create(client, *bots, rounds=1, **TABLE)
            alone = await create(client, *bots, rounds=1, **TABLE)
            await playing[2].connection.close()
            await start(client, made)
            found = await until(client, made, is_finished)
            tasks[1].cancel()
            await playing[1].connection.close()
            await start(client, alone)
            unplayed = await until(client, alone, is_finished)
            [game] = games_of(found)
            played = (await client.get(f"/api/games/{game['gameId']}")).json()
            text = (await client.get(f"/api/tournaments/{made['id']}/table.txt")).text
            tasks[0].cancel()
    TournamentBody.model_validate(found)
    assert (found["seats"], found["tieBreaks"]) == (3, ["direct", "sonneborn-berger"])
    assert game["points"][game["players"].index(3)] == 0
    assert sum(game["points"]) == sum(row["points"] for row in found["table"]) == 1.5
    lost = game["players"].index(3)
    assert played["position"]["history"][0] == f"!{lost}"
    assert played["position"]["result"]["reason"] == game["reason"] == "points"
    assert [row["against"] for row in found["table"] if row["entry"] == 3] == [{"1": 0, "2": 0}]
    assert len(text.splitlines()) == 4
    [game] = games_of(unplayed)
    assert (game["gameId"], game["reason"]) == (None, "absent")
    assert [game["points"][game["players"].index(entry)] for entry in (1, 2, 3)] == [1, 0, 0]


async def test_the_next_game_of_a_table_begins_without_who_has_withdrawn(client: httpx.AsyncClient) -> None:
    clock = {"initialSeconds": 600, "startsAtOnce": True}
    people = [{"name": name} for name in "ABC"]
    table = {**TABLE, "gamesPerPair": 2}
    made = await create(client, *people, **table, rounds=1, timeControl=clock)
    await start(client, made)
    a, b, _ = made["tokens"]
    await until(client, made, is_playing)
    await client.delete(f"/api/tournaments/{made['id']}/entries/1", headers=bearer(a))
    for number in range(2):
        found = await until(client, made, is_playing_game(number))
        path = f"/api/games/{games_of(found)[number]['gameId']}"
        async with asyncio.timeout(60):
            while not (played := (await client.get(path)).json())["position"]["history"]:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.05)
        assert played["position"]["history"] == [f"!{games_of(found)[number]['players'].index(1)}"]
        assert (await client.post(f"{path}/resign", headers=bearer(b))).status_code == 200
    found = await until(client, made, is_finished)
    assert [(row["entry"], row["points"]) for row in found["table"]] == [(3, 2), (1, 0.5), (2, 0.5)]
    assert [row["place"] for row in found["table"]] == [1, 2, 2]


def test_at_a_table_everybody_has_time_for_a_first_move() -> None:
    position = Position("toy-draw", "standard", {"seats": 3, "seed": 1})
    seats = tuple(Seat(SeatKind.HUMAN, name) for name in "ABC")
    created = e.Created("toy-draw", position.variant, position.config, position.secret, seats, 0)
    log: list[e.Event] = [created]
    due = []
    for _ in range(2):
        game = fold("g", [e.Recorded(seq, 1000, event) for seq, event in enumerate(log, 1)])
        assert game is not None
        late = seat_of_first_move(game, 0)
        assert late is not None
        due.append((late, first_moves_due(game, 0)))
        log.append(e.Left(late, LeaveReason.TIMEOUT))
    first = due[0][0]
    assert due == [(first, 0), ((first + 1) % 3, 1)]
