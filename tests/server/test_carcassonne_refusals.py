"""Bad input about Carcassonne over HTTP, the socket and the command line: a clear refusal, and nothing has changed."""

import json
from typing import Any

import httpx
import pytest

from engines import Position
from tests.server.bot_peers import http
from tests.server.game_peers import joined, new_game
from tests.server.program import run_command
from tests.server.serving import Served

Json = dict[str, Any]
GAME, PERSON = "carcassonne", {"kind": "human"}


def played() -> Position:
    """A finished game of three seats, dealt from seed 8."""
    position = Position(GAME, config={"seats": 3, "seed": 8, "tileCount": 12})
    while position.to_act:
        position.play(position.legal_moves()[-1])
    return position


PLAYED = played()
MOVES = PLAYED.history
SUBMITTED = [PLAYED.submitted(move) for move in MOVES]


def instead(index: int, *moves: str) -> list[str]:
    """The moves of the record with others in one place."""
    return [*MOVES[:index], *moves, *MOVES[index + 1 :]]


# ---- creating games ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "code", "text"),
    [
        ({"seats": [PERSON]}, "bad-seats", "This game has 2 to 5 seats, not 1."),
        ({"seats": [PERSON] * 6}, "bad-seats", "This game has 2 to 5 seats, not 6."),
        ({"config": {"seats": 3}}, "bad-seats", "This game has 3 seats, not 2."),
        ({"config": {"seats": 6}}, "bad-config", "seats is 6, not a whole number in 2..5"),
        ({"config": {"tileCount": 72}}, "bad-config", "tileCount is 72, not a whole number in 1..71"),
        ({"config": {"seed": -1}}, "bad-config", "seed is -1, not a whole number"),
        (
            {"config": {"tile": "J"}},
            "bad-config",
            "draws its hidden order itself: leave out what comes first",
        ),
        ({"config": {"tile": "J", "seed": 8}}, "bad-config", "with this seed the first tile is N"),
        (
            {"variant": "meeple"},
            "bad-config",
            "unknown variant 'meeple' of carcassonne: one of standard, meeple_compat",
        ),
        ({"game": "carcasonne"}, "unknown-game", "called 'carcasonne': did you mean 'carcassonne'?"),
        (
            {"seats": [PERSON, {"kind": "bot", "bot": "plyhouse:stong"}]},
            "unknown-bot",
            "There is no bot 'plyhouse:stong' for carcassonne: did you mean 'plyhouse:strong'?",
        ),
    ],
)
async def test_games_that_cannot_be(client: httpx.AsyncClient, wish: Json, code: str, text: str) -> None:
    answer = await client.post("/api/games", json={"game": GAME, "seats": [PERSON] * 2, **wish})
    assert (answer.json()["code"], answer.status_code // 100) == (code, 4), answer.text
    assert text in answer.json()["error"]
    assert (await client.get("/api/games")).json()["games"] == []


async def test_the_first_tile_cannot_be_chosen_even_if_it_would_come_first(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.services.games.game_factory.secrets.randbits", lambda bits: 8)
    wish = {"game": GAME, "seats": [PERSON] * 2, "config": {"tile": "N"}}
    answer = await client.post("/api/games", json=wish)
    assert answer.status_code == 422
    assert "leave out what comes first" in answer.json()["error"]


# ---- moves ---------------------------------------------------------------------------------------

FIRST = "0,-1,90 field_NS"
"""The first move of the game with seed 4, by which the field north of the next tile is taken."""

BAD_MOVES = [
    ("", "is not x,y,rotation or x,y,rotation spot"),
    ("1,0", "is not x,y,rotation or x,y,rotation spot"),
    ("0,1,45", "the rotation is 45, not 0, 90, 180 or 270"),
    ("+0,1,0", "is not x,y,rotation or x,y,rotation spot"),
    ("0,0,0", "there is a tile on 0,0 already"),
    ("9,9,0", "no tile is beside 9,9"),
    ("LEGAL city_W city_W", "is not x,y,rotation or x,y,rotation spot"),
    ("LEGAL castle_N", "'castle_N' is no spot for a meeple"),
    ("LEGAL +A", "'+A' is no spot for a meeple"),
    ("LEGAL -A +B", "is not x,y,rotation or x,y,rotation spot"),
    ("skip", "the tile must be placed before 'skip'"),
    ("field_N", "the tile must be placed before 'field_N'"),
    ("!1", "is not x,y,rotation or x,y,rotation spot"),
    ("LEGAL/LEGAL", "is not x,y,rotation or x,y,rotation spot"),
    ("x" * 2000, "at most 1000 characters"),
]


def occupied(position: Position) -> str:
    """A move that puts a meeple on a feature that has one."""
    for place in position.legal_moves():
        if " " in place:
            continue
        for spot in (
            "field_N",
            "field_S",
            "field_W",
            "field_E",
            "field_NESW",
            "field_NS",
            "road_EW",
            "city_N",
        ):
            try:
                position.check(f"{place} {spot}")
            except ValueError as refusal:
                if "already" in str(refusal) or "taken" in str(refusal):
                    return f"{place} {spot}"
    raise AssertionError("every feature is free")


async def test_bad_moves_over_http_and_on_the_socket(served: Served) -> None:
    game_id, tokens = await new_game(served, GAME, config={"seed": 4})
    async with http(served) as client, joined(served, game_id, f"?token={tokens[1]}") as peer:
        await peer.until("state")
        url, headers = f"/api/games/{game_id}", {"Authorization": f"Bearer {tokens[0]}"}
        first = await client.post(f"{url}/moves", json={"move": FIRST}, headers=headers)
        before = first.json()["position"]
        await peer.until("state")
        headers = {"Authorization": f"Bearer {tokens[1]}"}
        position = Position(GAME, config={"seed": 4})
        position.play(FIRST)
        bad = [*BAD_MOVES, (occupied(position), "a meeple")]
        for template, text in bad:
            move = template.replace("LEGAL", before["legal"][0].split(" ")[0])
            refused = await client.post(f"{url}/moves", json={"move": move}, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (422, "illegal-move"), move
            assert text in refused.json()["error"], refused.text
            await peer.send(type="submit-move", move=move)
            frame = await peer.next()
            assert (frame["type"], frame["code"], frame["error"]) == (
                "error",
                "illegal-move",
                refused.json()["error"],
            )
        for staged, text in (("9,9,0", "no tile is beside 9,9"), ("skip", "must be placed before")):
            refused = await client.get(url, params={"staged": staged})
            assert (refused.status_code, refused.json()["field"]) == (422, "staged")
            assert text in refused.json()["error"]
        assert (await client.get(url)).json()["position"] == before


# ---- records -------------------------------------------------------------------------------------

BAD_RECORDS = [
    ({"moves": instead(3, SUBMITTED[3])}, "move 4 (", "the record does not tell which tile was drawn"),
    ({"moves": instead(3, f"{SUBMITTED[3]} +")}, "move 4 (", "'+' does not name the tiles drawn"),
    ({"moves": instead(3, f"{SUBMITTED[3]} +Z")}, "move 4 (", "'+Z' does not name the tiles drawn"),
    ({"moves": instead(3, f"{SUBMITTED[3]} +N")}, "move 5 (", ""),
    (
        {"moves": instead(3, f"{SUBMITTED[3]} -A +U")},
        "move 4 (",
        "the record says '-A +U' where '+A' follows",
    ),
    (
        {"moves": instead(3, f"{SUBMITTED[3]} -C -C +U")},
        "move 4 (",
        "there is no C left in the bag",
    ),
    (
        {"moves": instead(11, f"{SUBMITTED[11]} +A")},
        "move 12 (",
        "more tiles are drawn (1) than are left in the bag (0)",
    ),
    ({"moves": [*MOVES, MOVES[-1]]}, "move 13 (", "the game is over"),
    ({"moves": ["!7", *MOVES]}, "move 1 (!7)", "names no seat"),
    (
        {"config": {**PLAYED.config, "seed": 9}},
        "",
        "tile and seed disagree: with this seed the first tile is R",
    ),
    (
        {"config": {**PLAYED.config, "seed": 8}, "moves": instead(3, f"{SUBMITTED[3]} +A")},
        "move 4 (",
        "the record says '+A' where '+U' follows",
    ),
    (
        {"config": {**PLAYED.config, "seed": 8}, "moves": instead(11, f"{SUBMITTED[11]} +A")},
        "move 12 (",
        "the record says '+A' where nothing follows",
    ),
    ({"config": {"seats": 6}}, "", "seats is 6, not a whole number in 2..5"),
    ({"seats": [PERSON] * 2}, "", "this game has 3 seats, the record 2"),
    ({"result": {"winners": [1], "reason": "points"}}, "", "the record says seat 1 won by points"),
]


def record(**changes: object) -> str:
    return json.dumps({"game": GAME, "config": PLAYED.config, "moves": MOVES, **changes})


@pytest.mark.parametrize(("changes", "where", "text"), BAD_RECORDS)
async def test_corrupt_records(client: httpx.AsyncClient, changes: Json, where: str, text: str) -> None:
    refused = await client.post("/api/games/import", json={"text": record(**changes)})
    assert refused.status_code == 422, refused.text
    assert refused.json()["error"].startswith(where), refused.text
    assert text in refused.json()["error"], refused.text
    assert (await client.get("/api/games")).json()["games"] == []


async def test_the_record_itself_is_sound(client: httpx.AsyncClient) -> None:
    assert (await client.post("/api/games/import", json={"text": record()})).status_code == 201


# ---- commands ------------------------------------------------------------------------------------

ARENA = ["arena", "--game", GAME, "--games", "2", "--samples", "5", "--bots"]
PERFT = ["perft", "--depth", "1", "--game"]


@pytest.mark.parametrize(
    ("arguments", "given", "status", "text"),
    [
        ([*ARENA, "random,greedy", "--seats", "6"], "", 2, "6 given, carcassonne has 2 to 5"),
        (
            [*ARENA, "random,greedy", "--seats", "1"],
            "",
            2,
            "'--seats': Input should be greater than or equal to 2",
        ),
        ([*ARENA, "random,mtcs"], "", 2, "unknown bot 'mtcs': did you mean 'mcts'?"),
        ([*ARENA, "random,mcts:detz=3"], "", 2, "unknown parameter 'detz' of mcts: did you mean 'dets'?"),
        ([*ARENA, "random,mcts:dets=300"], "", 1, "num_determinizations must be a whole number in 0..256"),
        ([*PERFT, "carcasonne"], "", 1, "unknown game 'carcasonne'"),
        ([*PERFT, GAME, "--position", '{"seats": 6}'], "", 1, "seats is 6, not a whole number in 2..5"),
        ([*PERFT, GAME, "--position", "-"], '{"moves": ["9,9,0"]}', 1, "no tile is beside 9,9"),
        (["analyze", "-"], record(moves=instead(3, SUBMITTED[3])), 1, "the record does not tell which tile"),
        (["analyze", "-"], record()[:-40], 1, "not JSON"),
    ],
)
def test_commands(arguments: list[str], given: str, status: int, text: str) -> None:
    done = run_command(*arguments, given=given.encode())
    told = " ".join(done.stderr.replace("│", " ").split())
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert text in told
    assert "Traceback" not in told
