"""Records over HTTP: an exported and imported game is the same game, with the same analysis."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from engines import Position
from protocols.records import formats
from protocols.values import LeaveReason, Record, Result, Seat, SeatKind, TimeControl
from server.domain.records import record_of
from tests.protocols.records.games import VARIANTS, played_on, random_start
from tests.server.bot_peers import Player, a_viewer, http, submit
from tests.server.services import opened, settings
from tests.server.serving import Served
from tests.server.test_decide import draw

Json = dict[str, Any]
HUMANS = [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Bo"}]
WON = '[Board "3x3"]\n[Player1 "Ada"]\n[Player2 "Bo"]\n[Result "0-1"]\n\n1. Ma2 Cb2\n2. --- Ca2\n0-1\n'
UNFINISHED = '[Board "3x3"]\n[Result "*"]\n\n1. Ma2 Cb2\n*\n'
HEAD = '[Board "3x3"]\n[Result "*"]\n'


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    async with opened(settings(tmp_path_factory.mktemp("records"), samples=30)) as client:
        yield client


async def exported(client: httpx.AsyncClient, game_id: str, name: str = "json") -> httpx.Response:
    return await client.get(f"/api/games/{game_id}/record", params={"format": name})


async def imported(client: httpx.AsyncClient, text: str, name: str = "auto") -> Json:
    answer = await client.post("/api/games/import", json={"format": name, "text": text})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def refused(client: httpx.AsyncClient, text: str, name: str = "auto") -> Json:
    before = (await client.get("/api/games")).json()
    answer = await client.post("/api/games/import", json={"format": name, "text": text})
    assert answer.status_code == 422, answer.text
    assert (await client.get("/api/games")).json() == before
    return dict(answer.json())


async def analysed(client: httpx.AsyncClient, **wish: object) -> Json:
    answer = await client.post("/api/analysis?wait=1", json=wish)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def played(client: httpx.AsyncClient, body: Json, moves: list[str]) -> tuple[str, list[Json]]:
    """Plays a game with these moves; returns it and its seats for ``submit``."""
    game = (await client.post("/api/games", json={"game": "wallwars", "seats": HUMANS, **body})).json()
    seats = [{"gameId": game["gameId"], "token": seat["token"]} for seat in game["seats"]]
    for ply, move in enumerate(moves):
        answer = await submit(client, seats[ply % 2], move)
        assert answer.status_code == 200, answer.text
    return game["gameId"], seats


async def resign(client: httpx.AsyncClient, seat: Json) -> None:
    headers = {"Authorization": f"Bearer {seat['token']}"}
    assert (await client.post(f"/api/games/{seat['gameId']}/resign", headers=headers)).status_code == 200


# ---- export and import -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("variant", VARIANTS)
async def test_exporting_and_importing_gives_the_same_game(
    client: httpx.AsyncClient, variant: str, seed: int
) -> None:
    position = played_on(random_start(variant, seed), 7, seed)
    body = {"variant": variant, "config": position.config}
    game_id, seats = await played(client, body, position.history)
    if position.outcome is None:
        await resign(client, seats[0])
    first = (await client.get(f"/api/games/{game_id}")).json()
    analysis = await analysed(client, gameId=game_id)
    for name in ("json", "wallwars"):
        record = await exported(client, game_id, name)
        again = await imported(client, record.text, name)
        for member in ("game", "variant", "config", "seats"):
            assert again[member] == first[member]
        assert again["position"] == first["position"]
        assert await analysed(client, gameId=again["gameId"]) == analysis
        assert await analysed(client, format=name, text=record.text) == analysis
        assert await analysed(client, text=record.text) == analysis
        if name == "json":
            assert (await exported(client, again["gameId"])).text == record.text


async def test_the_contents_of_an_exported_record(client: httpx.AsyncClient) -> None:
    control = {"initialSeconds": 180, "incrementSeconds": 2, "preset": "blitz"}
    body = {"config": {"boardWidth": 3, "boardHeight": 3}, "timeControl": control}
    game_id, _ = await played(client, body, ["Ma2", "Cb2", "---", "Ca2"])
    answer = await exported(client, game_id)
    assert answer.headers["content-type"] == "application/json"
    assert "x-lossy" not in answer.headers
    record = answer.json()
    assert record["moves"] == ["Ma2", "Cb2", "---", "Ca2"]
    assert record["result"] == {"winners": [1], "reason": "capture"}
    assert record["timeControl"] == control
    assert record["times"] == sorted(record["times"])
    assert record["createdAt"] <= record["times"][0]
    assert len(record["clocks"]) == 4
    assert record["clocks"][0] == [180_000, 180_000]
    lossy = await exported(client, game_id, "wallwars")
    assert lossy.headers["content-type"] == "text/plain; charset=utf-8"
    assert lossy.headers["x-lossy"] == "timeControl, createdAt, times, clocks"


def test_a_record_contains_only_what_formats_can_express() -> None:
    """Appearances, connections and when a clock starts are not part of a record, so no format loses them."""
    control = TimeControl(60, 1, starts_at_once=True)
    game = draw(
        Seat(SeatKind.HUMAN, appearance={"pawn": "cat"}),
        Seat(SeatKind.HUMAN, missed_by="server"),
        control=control,
    )
    record = record_of(game.state, game.log)
    assert record.time_control == TimeControl(60, 1)
    assert formats.lost(record, "json") == ()


async def test_reasons_and_notes_are_kept(client: httpx.AsyncClient) -> None:
    for reason in LeaveReason:
        ended = Result((0,), reason.value, note="The engine answers “err x”.")
        record = Record(
            "hive", "Base", {}, (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)), ("wA1", "bA1 wA1-"), ended
        )
        game = await imported(client, formats.write(record, "json"))
        out = {"winners": [0], "reason": reason.value, "note": "The engine answers “err x”."}
        assert game["position"]["result"] == out
        answer = await exported(client, game["gameId"])
        assert "x-lossy" not in answer.headers
        assert answer.json()["result"] == out


async def test_takebacks_leave_no_trace(client: httpx.AsyncClient) -> None:
    game_id, seats = await played(client, {}, ["Cb8", "Cg8", "Cb7", "Cg7"])
    for seat in seats:
        headers = {"Authorization": f"Bearer {seat['token']}"}
        await client.post(f"/api/games/{game_id}/takeback", json={"toPly": 1}, headers=headers)
    await submit(client, seats[1], "---")
    record = (await exported(client, game_id)).json()
    assert record["moves"] == ["Cb8", "---"]
    assert len(record["times"]) == 2
    assert record["result"] is None


async def test_the_record_of_a_live_game_has_no_secret(client: httpx.AsyncClient) -> None:
    body = {"game": "toy-draw", "config": {"seats": 3, "seed": 424_242}, "seats": [{"kind": "human"}] * 3}
    game_id, seats = await played(client, body, ["take"])
    running = await exported(client, game_id)
    assert "seed" not in running.json()["config"]
    assert "424242" not in running.text
    aborted = await imported(client, running.text)
    assert aborted["position"]["history"] == running.json()["moves"]
    await resign(client, seats[1])
    await submit(client, seats[2], "take")
    await resign(client, seats[0])
    over = await exported(client, game_id)
    assert over.json()["config"]["seed"] == 424_242
    assert over.json()["moves"][1] == "!1"
    assert len(over.json()["times"]) == len(over.json()["moves"])
    again = await imported(client, over.text)
    assert again["position"]["result"] == {"winners": [2], "reason": "resignation"}
    assert (await exported(client, again["gameId"])).text == over.text


async def test_simultaneous_moves(client: httpx.AsyncClient) -> None:
    position = played_on(Position("toy-goofspiel"), 9, 1)
    assert position.outcome is not None
    text = formats.write(
        Record(
            "toy-goofspiel", "", {}, (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)), tuple(position.history)
        ),
        "json",
    )
    again = await imported(client, text)
    assert again["position"]["result"]["scores"] == position.outcome.scores
    assert (await exported(client, again["gameId"])).json()["moves"] == position.history


# ---- import ----------------------------------------------------------------------------------------


async def test_an_imported_game_works_like_any_other(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, samples=30)) as client:
        game = await imported(client, WON)
    assert game["notes"] == []
    async with opened(settings(tmp_path, samples=30)) as client:
        found = (await client.get(f"/api/games/{game['gameId']}")).json()
        assert found["position"] == game["position"]
        assert found["position"]["result"] == {"winners": [1], "reason": "capture"}
        assert (found["kind"], found["state"]["result"]) == ("replay", {"winner": 2, "reason": "capture"})
        listed = (await client.get("/api/games?status=finished")).json()["games"]
        assert [(one["gameId"], one["seats"][0]["name"]) for one in listed] == [(game["gameId"], "Ada")]
        assert len((await analysed(client, gameId=game["gameId"]))["positions"]) == 5


@pytest.mark.parametrize(
    ("result", "termination", "status", "ended"),
    [
        ("*", "Unknown", "aborted", None),
        ("1-0", "Resignation", "finished", {"winners": [0], "reason": "resignation"}),
        ("0-1", "Timeout", "finished", {"winners": [1], "reason": "timeout"}),
        ("1/2-1/2", "DrawAgreement", "finished", {"winners": [], "reason": "draw-agreement"}),
        ("1-0", "Unknown", "finished", {"winners": [0], "reason": "unknown"}),
        ("1/2-1/2", "Unknown", "finished", {"winners": [], "reason": "unknown"}),
    ],
)
async def test_a_result_that_the_board_does_not_show(
    client: httpx.AsyncClient, result: str, termination: str, status: str, ended: Json | None
) -> None:
    head = f'[Variant "standard"]\n[Board "3x3"]\n[TimeControl "60+0"]\n[Result "{result}"]\n'
    ending = "" if status == "aborted" else f'[Termination "{termination}"]\n'
    text = f"{head}{ending}\n1. Cb3 ---\n{result}\n"
    game = await imported(client, text)
    position = game["position"]
    assert (position["status"], position.get("result")) == (status, ended)
    assert (position["toAct"], position["clocks"]) == ([], [None, None])
    assert (await exported(client, game["gameId"], "wallwars")).text == text
    assert (await exported(client, game["gameId"], "wallwars")).headers.get("x-lossy") is None


async def test_the_record_of_an_open_seat(client: httpx.AsyncClient) -> None:
    body = {"game": "wallwars", "seats": [{"kind": "human"}, {"kind": "open"}]}
    game = (await client.post("/api/games", json=body)).json()
    again = await imported(client, (await exported(client, game["gameId"])).text)
    assert [seat["kind"] for seat in again["seats"]] == ["human", "human"]
    assert again["position"]["status"] == "aborted"


async def test_notes_say_what_was_assumed(client: httpx.AsyncClient) -> None:
    game = await imported(client, "b2; k1 d1v; c2 a4>, b4")
    assert game["notes"] == [
        "There is no [Board …]: 12x10 is assumed.",
        "Turn 3 has 2 alternatives: the first is taken.",
    ]
    assert (game["variant"], game["config"]["boardWidth"]) == ("classic", 12)


@pytest.mark.parametrize(("text", "status", "moves"), [(WON, "finished", 4), (UNFINISHED, "aborted", 2)])
async def test_its_sockets(served: Served, text: str, status: str, moves: int) -> None:
    async with http(served) as client:
        game_id = (await imported(client, text))["gameId"]
        async with a_viewer(served, game_id) as viewer:
            assert await viewer.shake(game_id) == {"type": "eval-handshake-accepted"}
            shown = await viewer.history()
        result = await analysed(client, gameId=game_id)
    assert [one["evaluation"] for one in shown] == [one["evaluation"] for one in result["positions"]]
    assert len(shown) == moves + 1
    async with connect(f"{served.socket_url}/ws/games/{game_id}") as connection:
        state = (await Player(connection).opened())["state"]
    assert (state["status"], state["moveCount"]) == (status, moves)


# ---- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "code", "members"),
    [
        (HEAD + "\n1. Cb3 Cb9", "auto", "illegal-move", {"ply": 1, "field": "text"}),
        (WON.replace("0-1", "1-0"), "auto", "bad-record", {"field": "text"}),
        ("?", "auto", "bad-record", {"field": "text"}),
        (WON, "json", "bad-record", {"field": "text"}),
        (WON, "pgn", "unsupported", {"field": "format"}),
        ('{"game": "draughts"}', "auto", "unknown-game", {"field": "text"}),
        ('{"game": "wallwars", "config": {"boardWidth": 1}}', "json", "bad-config", {"field": "text"}),
        (HEAD + f'[Player1 "{"A" * 65}"]', "auto", "bad-record", {"field": "text"}),
        ('{"game": "wallwars", "seats": [{}, {"bot": "a\\nb"}]}', "json", "bad-record", {"field": "text"}),
        (HEAD + '[TimeControl "0+0"]', "auto", "bad-time-control", {"field": "timeControl"}),
        (HEAD + "\n" + "--- " * 10_001, "auto", "over-limit", {"limit": 10_000}),
    ],
)
async def test_a_refused_record_is_not_stored(
    client: httpx.AsyncClient, text: str, name: str, code: str, members: Json
) -> None:
    body = await refused(client, text, name)
    assert body["code"] == code
    assert {member: body[member] for member in members} == members


async def test_a_text_over_the_limit(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/games/import", json={"text": "x" * 786_432})
    assert (answer.status_code, answer.json()["limit"]) == (413, 786_432)
    answer = await client.post("/api/games/import", json={"text": "x" * 524_289})
    assert (answer.status_code, answer.json()["field"]) == (400, "text")


async def test_the_record_of_a_very_long_game_can_be_imported(client: httpx.AsyncClient) -> None:
    plies = 10_000
    record = {
        "game": "wallwars",
        "seats": [{"kind": "human"}, {"kind": "human"}],
        "moves": ["Cb8.Ca8", "Ch7.Ch8"] * (plies // 2),
        "timeControl": {"initialSeconds": 600, "incrementSeconds": 5},
        "times": [1_795_000_000_000 + 1000 * ply for ply in range(plies)],
        "clocks": [[599_999, 600_000]] * plies,
    }
    first = await imported(client, json.dumps(record))
    text = (await exported(client, first["gameId"])).text
    again = await imported(client, text)
    assert (await exported(client, again["gameId"])).text == text
    assert again["position"]["ply"] == plies


async def test_unlisted_games_are_refused(tmp_path: Path) -> None:
    async with opened(settings(tmp_path, unlisted_games=False)) as client:
        body = await refused(client, '{"game": "toy-goofspiel"}')
    assert body["code"] == "unknown-game"


async def test_unknown_records_are_not_found(client: httpx.AsyncClient) -> None:
    game_id, _ = await played(client, {}, [])
    answers = [await exported(client, game_id, name) for name in ("pgn", "puzzle")]
    answers.append(await exported(client, "nothere0"))
    assert [(one.status_code, one.json()["code"]) for one in answers] == [
        (422, "unsupported"),
        (422, "unsupported"),
        (404, "not-found"),
    ]
    body = {"game": "toy-goofspiel", "seats": [{"kind": "human"}] * 2}
    other = (await client.post("/api/games", json=body)).json()["gameId"]
    assert (await exported(client, other, "wallwars")).json()["code"] == "unsupported"


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        ({"text": "?"}, 422, "bad-record"),
        ({"text": HEAD + "\n1. Cb9"}, 422, "illegal-move"),
        ({"text": WON, "format": "pgn"}, 422, "unsupported"),
        ({"text": WON, "game": "wallwars"}, 400, "malformed"),
        ({"text": '{"game": "toy-goofspiel"}'}, 422, "unsupported"),
        ({"text": HEAD + "\n" + "--- " * 1001}, 422, "over-limit"),
        ({"format": "json"}, 400, "malformed"),
    ],
)
async def test_analyses_refuse_with_the_same_errors(
    client: httpx.AsyncClient, wish: Json, status: int, code: str
) -> None:
    answer = await client.post("/api/analysis", json=wish)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
