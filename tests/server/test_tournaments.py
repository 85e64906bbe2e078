"""Tournaments of a server: levels and people play them; bad input, and a kill in the middle."""

import asyncio
import csv
import io
import signal
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from engines import Position
from protocols.values import Seat, SeatKind
from server.domain import events as e
from server.domain.fold import fold
from server.routes.tournaments.bodies import TournamentBody
from server.services.tournaments.tournament_games import seat_of_first_move
from tests.server.bot_peers import http
from tests.server.services import opened, settings
from tests.server.serving import Served
from tests.server.tournament_calls import (
    PYRAT,
    SMALL,
    TABLE,
    Json,
    bearer,
    create,
    enter,
    games_of,
    has_over,
    is_finished,
    levels,
    start,
    until,
)


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """The client of a server whose levels play many games at once."""
    folder = tmp_path_factory.mktemp("tournaments")
    async with opened(settings(folder, tournament_level_games=8, tournaments_per_address=0)) as client:
        yield client


async def test_a_round_robin_of_levels(client: httpx.AsyncClient) -> None:
    made = await create(client, *levels("beginner", "novice", "easy"))
    await start(client, made)
    found = await until(client, made, is_finished)
    TournamentBody.model_validate(found)
    games = games_of(found)
    assert (len(found["games"]), len(games)) == (3, 6)
    assert sum(row["points"] for row in found["table"]) == 6
    assert len({game["gameId"] for game in games}) == 6
    for game in games:
        played = (await client.get(f"/api/games/{game['gameId']}")).json()
        assert played["matchStatus"]["matchType"] == "tournament"
        winners = played["position"]["result"]["winners"]
        assert game["points"] == ([0.5, 0.5] if not winners else [float(seat in winners) for seat in (0, 1)])
        assert played["assistance"] == "none"
    first, second = [(await client.get(f"/api/games/{one['gameId']}")).json() for one in games[:2]]
    assert [seat["bot"] for seat in first["seats"]] == [seat["bot"] for seat in second["seats"]][::-1]
    assert first["position"]["history"][:2] == second["position"]["history"][:2], "they have one opening"
    path = f"/api/tournaments/{made['id']}/table"
    table = list(csv.DictReader(io.StringIO((await client.get(f"{path}.csv")).text)))
    assert [float(line["points"]) for line in table] == [row["points"] for row in found["table"]]
    assert "Plyhouse novice" in (await client.get(f"{path}.txt")).text
    listed = (await client.get("/api/tournaments")).json()["tournaments"]
    assert [one["status"] for one in listed if one["id"] == made["id"]] == ["finished"]


async def test_a_swiss_tournament_of_levels(client: httpx.AsyncClient) -> None:
    entries = levels("beginner", "novice", "easy", "medium", "hard")
    made = await create(client, *entries, system="swiss", rounds=2, gamesPerPair=1)
    await start(client, made)
    found = await until(client, made, is_finished)
    assert [len(one["games"]) for one in found["games"]] == [2, 2]
    assert len({one["bye"] for one in found["games"]}) == 2
    assert sum(row["points"] for row in found["table"]) == 4 + 2
    assert list(found["table"][0]["tieBreaks"]) == ["buchholz", "sonneborn-berger", "direct"]


async def test_people_play_with_the_tokens_of_their_entries(client: httpx.AsyncClient) -> None:
    entries = [{"name": "Ada"}, {"name": "Bo"}]
    made = await create(client, *entries, gamesPerPair=1, timeControl={"initialSeconds": 600})
    ada, bo = made["tokens"]
    await start(client, made)
    found = await until(client, made, lambda found: found["you"].get("gameId"), ada)
    game, seat = found["you"]["gameId"], found["you"]["seat"]
    assert found["you"]["entry"] == 1
    path = f"/api/games/{game}"
    assert (await client.get(path, headers=bearer(ada))).json()["seatIndex"] == seat
    assert (await client.get(path, headers=bearer(bo))).json()["seatIndex"] == 1 - seat
    assert "you" not in (await client.get(f"/api/tournaments/{made['id']}")).json()
    for what, body, code in (
        ("abort", None, "not-abortable"),
        ("takeback", {}, "bad-takeback"),
        ("rematch", {}, "no-rematch"),
    ):
        answer = await client.post(f"{path}/{what}", json=body, headers=bearer(ada))
        assert (answer.status_code >= 400, answer.json()["code"]) == (True, code)
    await client.post(f"{path}/resign", headers=bearer(ada))
    found = await until(client, made, is_finished)
    assert [(row["entry"], row["points"]) for row in found["table"]] == [(2, 1.0), (1, 0.0)]


async def test_who_does_not_make_the_first_move_loses(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, tournament_wait_seconds=0.1)) as client:
        made = await create(client, {"name": "Late"}, {"name": "Later"}, gamesPerPair=2)
        table: Json = {**TABLE, "game": "carcassonne", "seats": 4, "rounds": 1}
        table["timeControl"] = {"initialSeconds": 600, "startsAtOnce": True}
        four = await create(client, *({"name": name} for name in "ABCD"), **table)
        for one in (made, four):
            await start(client, one)
        found, last = [await until(client, one, is_finished) for one in (made, four)]
    assert [game["points"] for game in games_of(found)] == [[0, 1], [0, 1]]
    [game] = games_of(last)
    assert sorted(game["points"]) == [pytest.approx(1 / 3)] * 3 + [1], "who leaves shares the last places"
    assert sum(row["points"] for row in last["table"]) == pytest.approx(2)
    assert {one["reason"] for one in (*games_of(found), game)} == {"timeout"}


async def test_who_withdraws_loses_the_rest(client: httpx.AsyncClient) -> None:
    clock = {"initialSeconds": 600, "startsAtOnce": True}
    made = await create(client, *({"name": name} for name in "ABC"), gamesPerPair=1, timeControl=clock)
    for name, token in zip("abc", made["tokens"], strict=True):
        made[name] = token
    await start(client, made)
    path = f"/api/tournaments/{made['id']}/entries"
    assert (await client.delete(f"{path}/1", headers=bearer(made["b"]))).json()["code"] == "not-your-seat"
    assert (await client.delete(f"{path}/1", headers=bearer(made["a"]))).status_code == 200
    assert (await client.delete(f"{path}/2", headers=bearer(made["token"]))).status_code == 200
    found = await until(client, made, is_finished)
    assert [one["gone"] for one in found["entrants"]] == [True, True, False]
    by_players = {frozenset(game["players"]): game for game in games_of(found)}
    assert by_players[frozenset({1, 2})]["points"] == [0, 0]
    third = next(row for row in found["table"] if row["entry"] == 3)
    assert third["points"] == 2


@pytest.mark.parametrize("variant", ["pyrat", "wallwars"])
def test_who_is_to_make_a_first_move(variant: str) -> None:
    position = Position(variant)
    seats = (Seat(SeatKind.BOT, "B", "a:b"), Seat(SeatKind.HUMAN, "P"))
    created = e.Created(variant, position.variant, position.config, {}, seats, 0)
    game = fold("g", [e.Recorded(1, 1000, created)])
    assert game is not None
    first = seat_of_first_move(game, 0)
    assert first == (1 if variant == "pyrat" else 0), "the person, where both act together"
    assert seat_of_first_move(game, 1) == (None if variant == "pyrat" else 0)
    assert seat_of_first_move(game, 2) is None


@pytest.mark.slow
async def test_a_killed_server_goes_on_with_its_tournament(tmp_path: Path) -> None:
    """No game is lost, and none is played twice."""
    entries = levels("beginner", "novice", "easy", "medium")
    with Served(tmp_path) as served:
        async with http(served) as client:
            made = await create(client, *entries)
            await start(client, made)
            await until(client, made, has_over(3))
        served.stop(signal.SIGKILL)
        served.start()
        async with http(served) as client:
            found = await until(client, made, is_finished)
        served.stop(signal.SIGTERM)
    games = games_of(found)
    assert (len(games), sum(row["points"] for row in found["table"])) == (12, 12)
    with closing(sqlite3.connect(tmp_path / "plyhouse.sqlite3")) as database:
        stored = {game_id for (game_id,) in database.execute("SELECT game_id FROM games")}
    assert stored == {game["gameId"] for game in games}, "each game was created once"


async def test_a_game_that_was_created_but_not_noted_is_not_created_again(tmp_path: Path) -> None:
    """As if the server had been killed between the two."""
    async with opened(settings(tmp_path)) as client:
        made = await create(client, {"name": "Ada"}, {"name": "Bo"}, gamesPerPair=1)
        await start(client, made)
        found = await until(client, made, lambda found: any(game["gameId"] for game in games_of(found)))
        [game] = games_of(found)
    with closing(sqlite3.connect(tmp_path / "plyhouse.sqlite3")) as database:
        [(kind, seq)] = database.execute("SELECT kind, max(seq) FROM tournament_events").fetchall()
        assert kind == "GameBegun"
        database.execute("DELETE FROM tournament_events WHERE seq = ?", (seq,))
        database.execute("UPDATE tournaments SET version = ?", (seq - 1,))
        database.commit()
    async with opened(settings(tmp_path)) as client:
        found = await until(client, made, lambda found: any(game["gameId"] for game in games_of(found)))
        assert games_of(found) == [game]
        token = made["tokens"][0]
        await client.post(f"/api/games/{game['gameId']}/resign", headers=bearer(token))
        await until(client, made, is_finished)
    with closing(sqlite3.connect(tmp_path / "plyhouse.sqlite3")) as database:
        assert database.execute("SELECT game_id FROM games").fetchall() == [(game["gameId"],)]


async def test_a_tournament_that_too_few_have_entered_is_cancelled_at_its_time(
    client: httpx.AsyncClient,
) -> None:
    while True:  # The time may be over before the request arrives.
        soon = round(time.time() * 1000) + 500
        body = {"name": "Soon", **SMALL, "startsAt": soon}
        answer = await client.post("/api/tournaments", json=body)
        if answer.status_code == 201:
            break
    found = await until(client, answer.json(), lambda found: found["status"] == "cancelled")
    assert found["note"] == "fewer than two players had entered"
    assert found["updatedAt"] >= soon


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"name": ""}, "malformed", "name"),
        ({"name": "a\u202eb"}, "malformed", "name"),
        ({"name": "x" * 65}, "malformed", "name"),
        ({"game": "chess"}, "unknown-game", "game"),
        ({"variant": "none"}, "bad-config", "config"),
        ({"config": {"boardWidth": 99}}, "bad-config", "config"),
        ({"config": {"boardWidth": 3, "x": "y" * 1000}}, "over-limit", "config"),
        ({"game": "carcassonne", "config": {"seed": 1}}, "bad-config", "config"),
        ({"game": "carcassonne", "config": {"seats": 3}}, "bad-seats", "config"),
        ({"game": "carcassonne", "seats": 3, "config": {"seats": 4}}, "bad-seats", "config"),
        ({"game": "carcassonne", "seats": 6, "config": {}}, "malformed", "seats"),
        ({"seats": 3}, "bad-seats", "seats"),
        ({**TABLE, "tieBreaks": ["wins"]}, "malformed", "tieBreaks"),
        ({**TABLE, "system": "gauntlet", "rounds": 2}, "malformed", "rounds"),
        ({"system": "knockout"}, "malformed", "system"),
        ({"gamesPerPair": 17}, "malformed", "gamesPerPair"),
        ({"rounds": 2}, "malformed", "rounds"),
        ({"tieBreaks": ["wins", "win"]}, "malformed", "tieBreaks"),
        ({"tieBreaks": ["wins", "wins"]}, "malformed", "tieBreaks"),
        ({"timeControl": {"initialSeconds": 0}}, "bad-time-control", "timeControl"),
        ({"timeControl": {"initialSeconds": 86_400}}, "bad-time-control", "timeControl"),
        ({**PYRAT, "timeControl": {"moveMs": 3_600_000}}, "bad-time-control", "timeControl"),
        (
            {**PYRAT, "timeControl": {"moveMs": 1000, "preprocessingMs": 3_600_000}},
            "bad-time-control",
            "timeControl",
        ),
        ({"startsAt": 1}, "malformed", "startsAt"),
        ({"startsAt": 10**15}, "malformed", "startsAt"),
        ({"rated": True}, "malformed", "rated"),
    ],
)
async def test_bad_settings(client: httpx.AsyncClient, body: Json, code: str, field: str) -> None:
    answer = await client.post("/api/tournaments", json={"name": "Bad", **SMALL, **body})
    assert (answer.status_code >= 400, answer.json().get("code"), answer.json().get("field")) == (
        True,
        code,
        field,
    ), answer.text


async def test_bad_entries_and_tokens(client: httpx.AsyncClient) -> None:
    made = await create(client, {"name": "Ada"}, open=True)
    path = f"/api/tournaments/{made['id']}"
    for entry, code, field in (
        ({}, "malformed", "name"),
        ({"name": "Plyhouse hard"}, "malformed", "name"),
        ({"name": "ada"}, "seat-taken", "name"),
        ({"bot": "plyhouse:hardd"}, "unknown-bot", "bot"),
        ({"bot": "x" * 300}, "malformed", "bot"),
    ):
        answer = await client.post(f"{path}/entries", json=entry)
        assert (answer.json().get("code"), answer.json().get("field")) == (code, field), answer.text
    other = (await create(client))["token"]
    for method, what, token, code in (
        ("POST", "start", None, "no-token"),
        ("POST", "start", other, "not-your-seat"),
        ("POST", "cancel", made["tokens"][0], "not-your-seat"),
        ("POST", "start", made["token"], "not-started"),
        ("DELETE", "entries/7", made["token"], "not-found"),
        ("GET", "", other, "no-token"),
    ):
        headers = {} if token is None else bearer(token)
        answer = await client.request(method, f"{path}/{what}".rstrip("/"), headers=headers)
        assert answer.json().get("code") == code, answer.text
    assert (await client.get("/api/tournaments/nothere")).status_code == 404
    assert (await client.post(f"{path}/cancel", headers=bearer(made["token"]))).json()[
        "status"
    ] == "cancelled"
    assert (await client.post(f"{path}/entries", json={"name": "Bo"})).json()["code"] == "finished"


async def test_only_its_owner_enters_players_in_a_closed_tournament(client: httpx.AsyncClient) -> None:
    made = await create(client, open=False)
    answer = await client.post(f"/api/tournaments/{made['id']}/entries", json={"name": "Ada"})
    assert answer.json()["code"] == "no-token"
    assert (await enter(client, made, {"name": "Ada"}, made["token"]))["entry"] == 1


async def test_an_unchanged_tournament_is_not_sent_again(client: httpx.AsyncClient) -> None:
    made = await create(client)
    path = f"/api/tournaments/{made['id']}"
    tag = (await client.get(path)).headers["ETag"]
    assert (await client.get(path, headers={"If-None-Match": tag})).status_code == 304
    await enter(client, made, {"name": "Ada"})
    assert (await client.get(path, headers={"If-None-Match": tag})).status_code == 200


async def test_the_list_has_pages(client: httpx.AsyncClient) -> None:
    made = [(await create(client))["id"] for _ in range(51)]
    first = (await client.get("/api/tournaments")).json()
    second = (await client.get("/api/tournaments", params={"cursor": first["cursor"]})).json()
    ids = [one["id"] for page in (first, second) for one in page["tournaments"]]
    assert set(made) <= set(ids)
    assert len(ids) == len(set(ids))


async def test_one_address_has_few_tournaments_and_entries(tmp_path: Path) -> None:
    with Served(
        tmp_path, PLYHOUSE_TOURNAMENTS_PER_ADDRESS="1", PLYHOUSE_TRUST_PROXY='["127.0.0.1/32"]'
    ) as served:
        async with http(served) as client:
            client.headers["X-Forwarded-For"] = "192.0.2.1"
            made = await create(client)
            refused = await client.post("/api/tournaments", json={"name": "More", **SMALL})
            assert refused.json()["code"] == "too-many-requests"
            path = f"/api/tournaments/{made['id']}"
            entries = [{"name": f"P{number}"} for number in range(20)]
            answers = await asyncio.gather(*(client.post(f"{path}/entries", json=one) for one in entries))
            assert sorted(answer.status_code for answer in answers) == [201] * 8 + [429] * 12
            refused = await client.post(f"{path}/entries", json={"name": "Ninth"})
            assert refused.json()["code"] == "too-many-requests"
            await enter(client, made, {"name": "Ninth"}, made["token"])
            await client.post(f"{path}/cancel", headers=bearer(made["token"]))
            await create(client)


async def test_names_are_no_formulas_in_tables(client: httpx.AsyncClient) -> None:
    made = await create(client, {"name": "=1+1"}, {"name": "Bo"})
    text = (await client.get(f"/api/tournaments/{made['id']}/table.csv")).text
    assert "'=1+1" in text
    assert ",=1+1" not in text
