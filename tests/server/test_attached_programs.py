"""Programs that play one seat as bots: behind ``plyhouse engine``, and attached to a server by ``plyhouse bot``.

Every kind runs here as a user would start it; ``test_programs_in_seats`` has their failures.
"""

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engines import Position
from programs.bot.config import BotConfigError, ClientIdentity, of_program
from programs.kinds import program_of_option
from tests.server.bot_peers import Json, a_viewer, position, reached, submit
from tests.server.seat_kinds import BOARDS, OURS, script, write_bot
from tests.server.serving import Served
from tests.server.test_bot_command import attached_bot
from tests.server.test_engine_command import ask, text

MAZE = Position("pyrat", "open", {"width": 5, "height": 5, "cheeseCount": 5, "maxTurns": 8}).config
MIDDLE = "Base;InProgress;White[2];wA1;bA1 wA1-"
CONFIGS: dict[str, Json] = {
    "uhp": {"game": "hive", "variant": "Base", "gameString": MIDDLE},
    "pyrat": {"game": "pyrat", "variant": "open", **MAZE},
    "pyrat-host": {"game": "pyrat", "variant": "open", **MAZE},
}
GOOD = {"uhp": "rederives", "pyrat": "walks", "pyrat-host": "honest"}
ME = ClientIdentity("me", None, "Ada")


def program(kind: str, manner: str, folder: Path, *rest: object) -> tuple[str, str]:
    """The option of a scripted program."""
    text = str(write_bot(folder, manner).folder) if kind == "pyrat-host" else script(manner, *rest, kind=kind)
    return f"--{kind}", text


def start(config: Json) -> Json:
    return {"type": "start_game_session", "bgsId": "g", "botId": "b", "config": config}


def evaluate(ply: int) -> Json:
    return {"type": "evaluate_position", "bgsId": "g", "expectedPly": ply}


def answers(options: tuple[str, ...], *messages: Json) -> tuple[list[Json], str]:
    """The answers of ``plyhouse engine``, and what it says to its operator."""
    status, lines, said = ask(text(*messages), *options)
    assert status == 0, said
    return [json.loads(line) for line in lines], said


# ---- behind plyhouse engine ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", BOARDS)
def test_a_game_is_evaluated_move_by_move(tmp_path: Path, kind: str) -> None:
    config = CONFIGS[kind]
    given = {name: value for name, value in config.items() if name not in ("game", "variant")}
    here = Position(config["game"], config["variant"], given)
    first = here.ply
    move = "wQ -wA1" if kind == "uhp" else "UP/STAY"
    apply = {"type": "apply_move", "bgsId": "g", "expectedPly": first, "move": move}
    messages = [start(config), evaluate(first), apply, evaluate(first + 1)]
    other = start({"variant": "standard"} if kind == "uhp" else CONFIGS["uhp"])
    options = (*program(kind, GOOD[kind], tmp_path), "--seconds", "8")
    end = {"type": "end_game_session", "bgsId": "g"}
    found, said = answers(options, *messages, end, other, start(config))
    assert [one["success"] for one in found] == [True] * 5 + [False, True]
    games = ("hive", "wallwars") if kind == "uhp" else ("pyrat", "hive")
    assert found[5]["error"] == "this program plays {}, not {}".format(*games)
    for answer in (found[1], found[3]):
        assert answer["ply"] == here.ply
        assert len(answer["values"] if kind != "uhp" else [answer["evaluation"]] * 2) == 2
        parts = answer["bestMove"].split("/") if kind != "uhp" else [answer["bestMove"]]
        assert [here.check(part, seat) for seat, part in zip(here.to_act, parts, strict=True)] == parts
        assert kind == "uhp" or answer["policies"] == [{part: 1} for part in parts]
        if here.ply == first:
            here.play(move)
    assert f"g: {found[1]['bestMove']}" in said


def test_the_time_for_a_move_follows_from_the_clock(tmp_path: Path) -> None:
    """At most the seconds of the command line, and a shallow search if there is hardly any time."""
    notes = tmp_path / "notes"
    clocks = [(60_000, 0), (2000, 0), (1400, 0)]
    asked = [{**evaluate(0), "clock": {"remainingMs": ms, "incrementMs": more}} for ms, more in clocks]
    options = ("--uhp", script("notes", notes), "--seconds", "2")
    found, _ = answers(options, start(CONFIGS["uhp"]), evaluate(0), *asked)
    assert [answer["success"] for answer in found] == [True] * 5
    searches = [line for line in notes.read_text().splitlines() if line.startswith("bestmove")]
    times = [f"bestmove time 00:00:0{seconds}" for seconds in (2, 2, 1)]
    assert searches == [*times, "bestmove depth 2"]


def test_variants_and_seeds_that_a_program_lacks_are_refused() -> None:
    config = {"game": "hive", "variant": "Base+ML", "gameString": "Base+ML"}
    found, _ = answers(("--uhp", script("base")), start(config), start(CONFIGS["uhp"]))
    assert [one["success"] for one in found] == [False, True]
    assert "lacks mosquito, ladybug" in found[0]["error"]
    options = ("--pyrat", script("walks", kind="pyrat"))
    found, _ = answers(options, start({"game": "pyrat", "variant": "tiny"}))
    assert found[0]["error"] == "BgsConfig missing required fields"


@pytest.mark.parametrize(
    ("kind", "manner", "name", "variants"),
    [
        ("uhp", "base", "Script base", {"Base"}),
        (
            "pyrat",
            "walks",
            "Script walks",
            {"medium", "tiny", "small", "large", "huge", "open", "asymmetric"},
        ),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_is_offered_is_what_the_program_knows(
    tmp_path: Path, kind: str, manner: str, name: str, variants: set[str]
) -> None:
    options = (*program(kind, manner, tmp_path), "--seconds", "3")
    config = of_program(program_of_option(*options[:2]), options, "http://h", ME)
    (only,) = config.attach.bots
    assert (only.name, only.username, only.game) == (name, "Ada", CONFIGS[kind]["game"])
    assert (only.is_timed, set(only.variants)) == (True, variants)
    assert config.commands["engine"][-5:] == ("engine", *options)
    option = f"--{kind}"
    with pytest.raises(BotConfigError, match=f"{option}: .* has ended"):
        of_program(program_of_option(option, "true"), [option, "true"], "http://h", ME)


# ---- attached to a server --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("programs"), OFFICIAL_BOT_TOKEN="sesame") as served:  # noqa: S106 - of the tests
        yield served


@pytest.mark.slow
async def test_a_uhp_engine_plays_a_person_and_is_watched(services: Served) -> None:
    options = ("--uhp", script("rederives"), "--seconds", "1")
    async with attached_bot(services, "lab", *options, game="hive") as (child, client):
        offered = (await client.get("/api/bots?game=hive&variant=Base%2BMLP")).json()["bots"]
        assert "Script rederives" in [one["name"] for one in offered]
        body = {"botId": "lab:engine", "config": {"variant": "Base+M"}}
        answer = await client.post("/api/bots/play?game=hive", json=body)
        assert answer.status_code == 201, answer.text
        game = answer.json()
        for ply in range(0, 6, 2):
            found = await reached(client, game["gameId"], ply=ply)
            assert found["toAct"] == [0]
            here = Position("hive", "Base+M")
            here.play(*found["history"])
            assert (await submit(client, game, here.legal_moves()[-1], ply)).status_code == 200
        await reached(client, game["gameId"], ply=6)
        async with a_viewer(services, game["gameId"]) as viewer:
            await viewer.send({"type": "eval-handshake", "gameId": game["gameId"], "variant": "Base+M"})
            assert (await viewer.next())["type"] == "eval-handshake-accepted"
            assert len(await viewer.history()) == 7
        child.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(child.wait, 15) == 0


@pytest.mark.slow
async def test_a_bot_of_one_person(services: Served) -> None:
    options = ("--uhp", OURS, "--username", "Ada")
    async with attached_bot(services, "own", *options, game="hive", username="Ada") as (_, client):
        seen = [one["id"] for one in (await client.get("/api/bots?game=hive")).json()["bots"]]
        assert "own:engine" not in seen


async def opened(client: httpx.AsyncClient, bot_id: str, seat: int) -> Json:
    """A game of a person against the bot, which has this seat."""
    seats: list[Json] = [{"kind": "human"}, {"kind": "human"}]
    seats[seat] = {"kind": "bot", "bot": bot_id}
    body = {"game": "pyrat", "variant": "open", "config": MAZE, "seats": seats}
    answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return {**answer.json(), "token": answer.json()["seats"][1 - seat]["token"]}


@pytest.mark.parametrize(
    ("kind", "seat", "name"),
    [("pyrat", 0, "Script walks"), ("pyrat", 1, "Script walks"), ("pyrat-host", 1, "Script")],
)
@pytest.mark.slow
async def test_a_bot_plays_a_person_to_the_end(
    services: Served, tmp_path: Path, kind: str, seat: int, name: str
) -> None:
    client_id = f"{kind}{seat}"
    options = (*program(kind, GOOD[kind], tmp_path), "--seconds", "8")
    async with attached_bot(services, client_id, *options, game="pyrat") as (child, client):
        game = await opened(client, f"{client_id}:engine", seat)
        assert game["seats"][seat]["name"] == name
        ply = 0
        async with asyncio.timeout(120):
            while (found := await position(client, game["gameId"]))["status"] == "playing":
                if found["ply"] == ply:
                    assert (await submit(client, game, "STAY", ply)).status_code == 200
                    ply += 1
                await asyncio.sleep(0.02)
        assert {turn.split("/")[1 - seat] for turn in found["history"]} == {"STAY"}
        assert {turn.split("/")[seat] for turn in found["history"]} - {"STAY"}, "the bot has moved"
        assert found["result"]["reason"] in ("majority", "cheese", "ply-limit")
        child.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(child.wait, 60) == 0


@pytest.mark.parametrize(
    ("kind", "manner", "last_words"),
    [
        ("pyrat", "dies", "no cheese left to live for"),
        ("pyrat-host", "dying", "exit status 3: no more ideas"),
    ],
)
@pytest.mark.slow
async def test_a_bot_that_crashes_resigns_with_the_reason(
    services: Served, tmp_path: Path, kind: str, manner: str, last_words: str
) -> None:
    frail = f"frail-{kind}"
    async with attached_bot(services, frail, *program(kind, manner, tmp_path), game="pyrat") as (_, client):
        game = await opened(client, f"{frail}:engine", 1)
        for ply in range(2):
            await reached(client, game["gameId"], ply=ply)
            assert (await submit(client, game, "STAY", ply)).status_code == 200
        over = await reached(client, game["gameId"], status="finished")
        assert (over["result"]["winners"], over["result"]["reason"]) == ([0], "resignation")
        assert last_words in over["result"]["note"]
