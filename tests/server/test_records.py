"""Records over HTTP: an exported and imported game is the same game, with the same analysis."""

import json
from collections.abc import AsyncIterator
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


# ---- a legal beginning ---------------------------------------------------------------------------

HIVE = "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ wQ-;wA1 wQ/"
WALLWARS = '[Board "3x3"]\n[Result "1-0"]\n[Termination "Resignation"]\n\n1. Cb2 Cb2\n2. Cb9 ---\n1-0'


@pytest.mark.parametrize(("text", "legal"), [(HIVE, 3), (WALLWARS, 2)])
async def test_the_legal_beginning_of_a_record_can_be_imported(
    client: httpx.AsyncClient, text: str, legal: int
) -> None:
    refused = (await client.post("/api/games/import", json={"text": text})).json()
    assert (refused["code"], refused["ply"]) == ("illegal-move", legal)
    for plies in (0, 1, legal):
        answer = await client.post("/api/games/import", json={"text": text, "plies": plies})
        assert answer.status_code == 201, answer.text
        position = answer.json()["position"]
        assert (position["ply"], position["status"]) == (plies, "aborted")
        assert answer.json()["notes"][-1] == f"Only the first {plies} plies were read."
    again = await client.post("/api/games/import", json={"text": text, "plies": legal + 1})
    assert again.json()["ply"] == legal


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
