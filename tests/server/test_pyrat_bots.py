"""PyRat bots in the bot protocol: behind ``plyhouse engine --pyrat``, and attached to a server by ``plyhouse bot``."""

import asyncio
import json
import signal
from collections.abc import Iterator

import httpx
import pytest

from engines import Position
from programs.bot.config import BotConfigError, ClientIdentity, of_program
from programs.pyrat.command import PyratCommand
from protocols.pyrat.text.lines import DIRECTIONS
from tests.server.bot_peers import Json, http, position, reached
from tests.server.serving import Served
from tests.server.test_bot_command import attached, bot
from tests.server.test_engine_command import ask, text
from tests.server.test_pyrat_text import script

CONFIG = Position("pyrat", "open", {"width": 5, "height": 5, "cheeseCount": 5, "maxTurns": 8}).config


def start(**config: object) -> Json:
    given = {"game": "pyrat", "variant": "open", **CONFIG, **config}
    return {"type": "start_game_session", "bgsId": "g", "botId": "b", "config": given}


def evaluate(ply: int) -> Json:
    return {"type": "evaluate_position", "bgsId": "g", "expectedPly": ply}


def apply(ply: int, move: str) -> Json:
    return {"type": "apply_move", "bgsId": "g", "expectedPly": ply, "move": move}


END = {"type": "end_game_session", "bgsId": "g"}


def answers(command: str, *messages: Json) -> tuple[list[Json], str]:
    """The answers of ``plyhouse engine --pyrat``, and what it says to its operator."""
    status, lines, said = ask(text(*messages), "--pyrat", command, "--seconds", "8")
    assert status == 0, said
    return [json.loads(line) for line in lines], said


def test_a_game_is_evaluated_turn_by_turn_for_both_seats() -> None:
    messages = [
        start(),
        apply(0, "UP/STAY"),
        evaluate(1),
        apply(1, "STAY/LEFT"),
        evaluate(2),
        END,
        start(),
        evaluate(0),
    ]
    found, _ = answers(script("walks"), *messages)
    assert [one["success"] for one in found] == [True] * len(messages)
    for answer in (found[2], found[4], found[7]):
        halves = answer["bestMove"].split("/")
        assert len(halves) == 2
        assert set(halves) <= set(DIRECTIONS)
        assert answer["policies"] == [{half: 1} for half in halves]
        assert len(answer["values"]) == 2


def test_a_bot_that_exits_has_no_answer_until_it_is_started_again() -> None:
    messages = [start(), evaluate(0), evaluate(0), evaluate(0), evaluate(0)]
    found, said = answers(script("dies"), *messages)
    assert [one["success"] for one in found] == [True, True, True, False, True]
    assert "has ended (exit status 3: no cheese left to live for)" in found[3]["error"]
    assert "no cheese left to live for" in said


def test_other_games_and_seeds_are_refused() -> None:
    found, _ = answers(
        script("walks"),
        start(game="hive", gameString="Base;NotStarted;White[1]"),
        {
            "type": "start_game_session",
            "bgsId": "g",
            "botId": "b",
            "config": {"game": "pyrat", "variant": "tiny"},
        },
    )
    assert [one["error"] for one in found] == [
        "this program plays pyrat, not hive",
        "BgsConfig missing required fields",
    ]


def test_a_bot_that_does_not_start() -> None:
    for command in ("true", "/no/such"):
        found, _ = answers(command, start(), evaluate(0))
        assert not found[1]["success"]
        assert command in found[1]["error"]
    with pytest.raises(BotConfigError, match="true has ended"):
        of_program(PyratCommand.parse("true"), ("--pyrat", "true"), "http://h", ClientIdentity("me", None))


def test_what_is_offered() -> None:
    command = PyratCommand.parse(script("walks"))
    config = of_program(
        command, ("--pyrat", "x", "--seconds", "3"), "http://h", ClientIdentity("me", None, "Ada")
    )
    (only,) = config.attach.bots
    assert (only.name, only.username, only.game) == ("Script walks", "Ada", "pyrat")
    assert only.is_timed
    assert set(only.variants) == {"medium", "tiny", "small", "large", "huge", "open", "asymmetric"}
    assert config.commands["engine"][-5:] == ("engine", "--pyrat", "x", "--seconds", "3")


# ---- attached to a server --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("pyrat-bots")) as served:
        yield served


async def opened(client: httpx.AsyncClient, bot_id: str, seat: int) -> Json:
    """A game of a person against the bot, which has this seat."""
    seats: list[Json] = [{"kind": "human"}, {"kind": "human"}]
    seats[seat] = {"kind": "bot", "bot": bot_id}
    body = {"game": "pyrat", "variant": "open", "config": CONFIG, "seats": seats}
    answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return {**answer.json(), "token": answer.json()["seats"][1 - seat]["token"]}


async def stay(client: httpx.AsyncClient, game: Json, ply: int) -> None:
    answer = await client.post(
        f"/api/games/{game['gameId']}/moves",
        json={"move": "STAY", "expectedPly": ply, "clientMsgId": f"m{ply}"},
        headers={"Authorization": f"Bearer {game['token']}"},
    )
    assert answer.status_code == 200, answer.text


async def stay_to_the_end(client: httpx.AsyncClient, game: Json) -> Json:
    """Plays STAY in every turn, and returns the final position."""
    ply = 0
    async with asyncio.timeout(120):
        while (found := await position(client, game["gameId"]))["status"] == "playing":
            if found["ply"] == ply:
                await stay(client, game, ply)
                ply += 1
            await asyncio.sleep(0.02)
    return found


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_bot_plays_a_person_from_either_seat(services: Served, seat: int) -> None:
    name = f"lab{seat}"
    with bot(
        "--server", services.url, "--pyrat", script("walks"), "--seconds", "8", "--client-id", name
    ) as child:
        async with http(services) as client:
            await attached(client, f"{name}:engine", game="pyrat")
            game = await opened(client, f"{name}:engine", seat)
            over = await stay_to_the_end(client, game)
            assert {turn.split("/")[1 - seat] for turn in over["history"]} == {"STAY"}
            assert {turn.split("/")[seat] for turn in over["history"]} - {"STAY"}, "the bot has moved"
            assert over["result"]["reason"] in ("majority", "cheese", "ply-limit")
        child.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(child.wait, 60) == 0


async def test_a_bot_that_crashes_resigns_with_the_reason(services: Served) -> None:
    with bot("--server", services.url, "--pyrat", script("dies"), "--client-id", "frail"):
        async with http(services) as client:
            await attached(client, "frail:engine", game="pyrat")
            game = await opened(client, "frail:engine", 1)
            for ply in range(2):
                await reached(client, game["gameId"], ply=ply)
                await stay(client, game, ply)
            over = await reached(client, game["gameId"], status="finished")
            assert (over["result"]["winners"], over["result"]["reason"]) == ([0], "resignation")
            assert "no cheese left to live for" in over["result"]["note"]
