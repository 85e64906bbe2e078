"""Tournaments of a server: levels, bots and people play them; forfeits, bad input, and a kill in the middle."""

import asyncio
import csv
import io
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from engines import Position
from protocols.values import LeaveReason, Seat, SeatKind
from server.domain import events as e
from server.domain.fold import fold
from server.domain.ladder.results import SERVER_ERROR
from server.routes.tournaments.bodies import TournamentBody
from server.services.tournaments.tournament_games import first_moves_due, seat_of_first_move
from tests.server.bot_peers import a_bot, a_player, evaluating, http
from tests.server.services import opened, settings
from tests.server.serving import Served

Json = dict[str, Any]

SMALL: Json = {"game": "wallwars", "config": {"boardWidth": 3, "boardHeight": 3}}
TOY: Json = {"game": "toy-draw", "gamesPerPair": 1}
PYRAT: Json = {"game": "pyrat", "variant": "tiny", "config": {}}
TABLE: Json = {**TOY, "seats": 3, "config": {}}
TOY_BOT: Json = {"game": "toy-draw", "variants": {"standard": {}}}


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """The client of a server whose levels play many games at once."""
    folder = tmp_path_factory.mktemp("tournaments")
    async with opened(settings(folder, tournament_level_games=8, tournaments_per_address=0)) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def create(client: httpx.AsyncClient, *entries: Json, **members: Any) -> Json:
    """A tournament with these entries, whose tokens are in ``tokens``."""
    body = {"name": "Test", **SMALL, **members}
    answer = await client.post("/api/tournaments", json=body)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    made["tokens"] = [(await enter(client, made, entry))["token"] for entry in entries]
    return made


async def enter(client: httpx.AsyncClient, made: Json, entry: Json, token: str | None = None) -> Json:
    headers = {} if token is None else bearer(token)
    answer = await client.post(f"/api/tournaments/{made['id']}/entries", json=entry, headers=headers)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def start(client: httpx.AsyncClient, made: Json) -> None:
    answer = await client.post(f"/api/tournaments/{made['id']}/start", headers=bearer(made["token"]))
    assert (answer.status_code, answer.json()["status"]) == (200, "running"), answer.text


async def until(
    client: httpx.AsyncClient, made: Json, is_there: Callable[[Json], object], token: str | None = None
) -> Json:
    """Reads a tournament until it is as expected."""
    async with asyncio.timeout(60):
        while True:
            headers = {} if token is None else bearer(token)
            answer = await client.get(f"/api/tournaments/{made['id']}", headers=headers)
            if answer.status_code == 200 and is_there(answer.json()):
                return dict(answer.json())
            await asyncio.sleep(0.05)


def is_finished(found: Json) -> bool:
    return bool(found["status"] == "finished")


def is_playing(found: Json) -> bool:
    return any(game["status"] == "playing" for game in games_of(found))


def is_playing_game(number: int) -> Callable[[Json], bool]:
    """Whether the game with this number, of all rounds, is being played."""
    return lambda found: bool(games_of(found)[number]["status"] == "playing")


def games_of(found: Json) -> list[Json]:
    return [game for one in found["games"] for game in one["games"]]


def levels(*names: str) -> list[Json]:
    return [{"bot": f"plyhouse:{name}"} for name in names]


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


def has_over(least: int) -> Callable[[Json], bool]:
    """Whether so many games are over."""
    return lambda found: sum(game["status"] == "over" for game in games_of(found)) >= least


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
