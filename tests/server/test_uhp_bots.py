"""UHP engines as bots: behind ``plyhouse engine --uhp``, and attached to a server by ``plyhouse bot --uhp``."""

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines import Position
from programs.bot.config import BotConfigError, ClientIdentity, of_program
from programs.own_values import value_after
from programs.uhp.program import UhpProgramCommand
from protocols.uhp.game_string import parse, replay
from tests.server.bot_peers import a_viewer, http, reached, submit
from tests.server.program import run_command
from tests.server.serving import Served
from tests.server.test_bot_command import attached, bot
from tests.server.test_engine_command import ask, text
from tests.server.uhp_peers import OURS, script

Json = dict[str, Any]

START = "Base;NotStarted;White[1]"


def start(bgs_id: str = "g", **config: object) -> Json:
    given = {"game": "hive", "variant": "Base", "gameString": START, **config}
    return {"type": "start_game_session", "bgsId": bgs_id, "botId": "b", "config": given}


def evaluate(ply: int, bgs_id: str = "g") -> Json:
    return {"type": "evaluate_position", "bgsId": bgs_id, "expectedPly": ply}


def apply(ply: int, move: str, bgs_id: str = "g") -> Json:
    return {"type": "apply_move", "bgsId": bgs_id, "expectedPly": ply, "move": move}


def answers(command: str, *messages: Json, options: tuple[str, ...] = ()) -> tuple[list[Json], str]:
    """The answers of ``plyhouse engine --uhp``, and what it says to its operator."""
    status, lines, said = ask(text(*messages), "--uhp", command, "--seconds", "1", *options)
    assert status == 0, said
    return [json.loads(line) for line in lines], said


# ---- behind plyhouse engine ------------------------------------------------------------------------


@pytest.mark.parametrize("manner", ["rederives", "keeps"])
def test_a_game_is_evaluated_move_by_move(manner: str) -> None:
    messages = [start(), evaluate(0), apply(0, "wA1"), evaluate(1), apply(1, "bA1 wA1-"), evaluate(2)]
    found, said = answers(script(manner), *messages, {"type": "end_game_session", "bgsId": "g"})
    assert [one["success"] for one in found] == [True] * 7
    here = Position("hive", "Base")
    for ply, answer in enumerate((found[1], found[3], found[5])):
        assert answer["ply"] == ply
        assert -1 <= answer["evaluation"] <= 1
        assert here.check(answer["bestMove"]) == answer["bestMove"]
        here.play(("wA1", "bA1 wA1-", "wQ -wA1")[ply])
    assert f"g: {found[1]['bestMove']}" in said


def test_the_time_for_a_move_follows_from_the_clock(tmp_path: Path) -> None:
    """At most the seconds of the command line, and a shallow search if there is hardly any time."""
    notes = tmp_path / "notes"
    clocks = [(60_000, 0), (2000, 0), (1400, 0)]
    asked = [{**evaluate(0), "clock": {"remainingMs": ms, "incrementMs": more}} for ms, more in clocks]
    found, _ = answers(script("notes", notes), start(), evaluate(0), *asked, options=("--seconds", "2"))
    assert [answer["success"] for answer in found] == [True] * 5
    searches = [line for line in notes.read_text().splitlines() if line.startswith("bestmove")]
    times = [f"bestmove time 00:00:0{seconds}" for seconds in (2, 2, 1)]
    assert searches == [*times, "bestmove depth 2"]


def test_sessions_take_turns_with_one_engine() -> None:
    openings = {"a": "wA1", "b": "wS1", "c": "wG1"}
    messages = [start(name) for name in openings]
    messages += [apply(0, move, name) for name, move in openings.items()]
    messages += [evaluate(1, name) for name in openings] * 2
    for options in ((), ("--processes", "3")):
        found, _ = answers(script("rederives"), *messages, options=options)
        best = {answer["bgsId"]: answer["bestMove"] for answer in found[-6:]}
        for name, move in openings.items():
            here = Position("hive", "Base")
            here.play(move)
            assert here.check(best[name])


def test_a_start_in_the_middle_of_a_game() -> None:
    middle = "Base;InProgress;White[2];wA1;bA1 wA1-"
    found, _ = answers(script("rederives"), start(gameString=middle), evaluate(0))
    after = Position("hive", "Base", {"gameString": middle})
    assert after.check(found[1]["bestMove"])


def test_what_it_does_not_play_is_refused() -> None:
    other = {"type": "start_game_session", "bgsId": "w", "botId": "b", "config": {"variant": "standard"}}
    found, _ = answers(script("base"), start(variant="Base+ML", gameString="Base+ML"), other, start())
    assert [one["success"] for one in found] == [False, False, True]
    assert "lacks mosquito, ladybug" in found[0]["error"]
    assert "plays hive, not wallwars" in found[1]["error"]


def test_an_engine_that_dies_is_started_again(tmp_path: Path) -> None:
    found, said = answers(script("once", tmp_path / "died"), start(), evaluate(0))
    assert found[1]["success"]
    assert "exit status 1" in said
    assert "Restarting the engine" in said


@pytest.mark.parametrize(
    ("manner", "why"),
    [("dies", "exit status 3"), ("illegal", "wQ"), ("errs", "I am tired"), ("deaf", "in time")],
)
def test_an_engine_that_fails_twice_has_no_answer(manner: str, why: str) -> None:
    found, _ = answers(script(manner), start(), evaluate(0), apply(0, "wA1"))
    assert (found[1]["success"], found[2]["success"]) == (False, True)
    assert why in found[1]["error"]


def test_a_search_to_a_depth_or_a_late_one_is_interrupted_in_time() -> None:
    found, _ = answers(script("late"), start(), evaluate(0))
    assert found[1]["success"]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("true", "has ended"),
        ("/no/such", "/no/such"),
        ("depth=0:x", "depth is '0'"),
        (f"time=9000:{script('keeps')}", "at most 8 seconds"),
    ],
)
def test_engines_that_do_not_start(command: str, why: str) -> None:
    status, lines, said = ask(b"", "--uhp", command)
    assert (status, lines) == (1, [])
    assert said.startswith("plyhouse engine: ")
    assert why in said


def test_the_value_of_a_move_that_ends_the_game_is_exact() -> None:
    game = "Base;wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;wA1 wQ\\;bA1 bG2/;wA1 bG2\\"
    position = replay(parse(game))
    assert value_after(position, "bA1 /bG1") == (1.0, -1.0)
    assert all(-1 <= value <= 1 for value in value_after(Position("hive", "Base"), "wA1"))


# ---- attached to a server --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("uhp-bots"), OFFICIAL_BOT_TOKEN="sesame") as served:  # noqa: S106 - of the tests
        yield served


async def test_a_uhp_engine_plays_a_person_and_is_watched(services: Served) -> None:
    options = ("--server", services.url, "--uhp", script("rederives"), "--seconds", "1", "--client-id", "lab")
    with bot(*options) as child:
        async with http(services) as client:
            await attached(client, "lab:engine", game="hive")
            offered = (await client.get("/api/bots?game=hive&variant=Base%2BMLP")).json()["bots"]
            assert "Script rederives" in [one["name"] for one in offered]
            body = {"botId": "lab:engine", "config": {"variant": "Base+M"}}
            answer = await client.post("/api/bots/play?game=hive", json=body)
            assert answer.status_code == 201, answer.text
            game = answer.json()
            for ply in range(0, 6, 2):
                here = await reached(client, game["gameId"], ply=ply)
                assert here["toAct"] == [0]
                position = Position("hive", "Base+M")
                position.play(*here["history"])
                move = position.legal_moves()[-1]
                assert (await submit(client, game, move, ply)).status_code == 200
            found = await reached(client, game["gameId"], ply=6)
            position.play(*found["history"][4:])
            async with a_viewer(services, game["gameId"]) as viewer:
                await viewer.send({"type": "eval-handshake", "gameId": game["gameId"], "variant": "Base+M"})
                assert (await viewer.next())["type"] == "eval-handshake-accepted"
                assert len(await viewer.history()) == 7
        child.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(child.wait, 15) == 0


async def test_a_bot_of_one_person(services: Served) -> None:
    options = ("--server", services.url, "--uhp", OURS, "--client-id", "own", "--username", "Ada")
    with bot(*options):
        async with http(services) as client:
            await attached(client, "own:engine", game="hive", username="Ada")
            seen = [one["id"] for one in (await client.get("/api/bots?game=hive")).json()["bots"]]
            assert "own:engine" not in seen


def test_what_is_offered_is_what_the_engine_knows() -> None:
    engine = script("base", settings="Strength=2:")
    options = ["--uhp", engine, "--seconds", "3"]
    identity = ClientIdentity("me", None, "Ada")
    config = of_program(UhpProgramCommand.parse(engine), options, "http://h", identity)
    (only,) = config.attach.bots
    assert (only.name, only.username, only.game, list(only.variants)) == (
        "Script base",
        "Ada",
        "hive",
        ["Base"],
    )
    assert only.is_timed
    assert config.commands["engine"][-5:-2] == ("engine", "--uhp", engine)
    with pytest.raises(BotConfigError, match="--uhp: The engine has ended"):
        of_program(UhpProgramCommand.parse("true"), ["--uhp", "true"], "http://h", identity)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--uhp", "x"], "--engine, --uhp, --pyrat and --pyrat-host need --server"),
        (["--uhp", "x", "--engine", "y"], "give either --config, --engine, --uhp, --pyrat or --pyrat-host"),
        (["--uhp", "x", "--game", "hive"], "--game goes with --engine"),
        (["--engine", "x", "--seconds", "3"], "--seconds goes with --uhp"),
        (["--config", "x", "--username", "Ada"], "a file says who sees each bot"),
    ],
)
def test_options_that_do_not_go_together(options: list[str], text: str) -> None:
    done = run_command("bot", *options)
    assert done.returncode == 2
    assert text in " ".join(done.stderr.replace("│", " ").split())
