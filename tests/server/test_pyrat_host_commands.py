"""Bots of PyRat's host protocol on the command line: ``plyhouse arena``, ``bot`` and ``engine``."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands.cli import app
from engines import Position
from programs import kinds as program_kinds
from programs.engine.pool_searches import Finished
from programs.engine.program_searches import ProgramSearches
from programs.pyrat.host_bot import PyratHostBot
from protocols.bgs import engine as en
from protocols.bgs.messages import EvaluationLimits
from tests.server.bot_peers import http, reached
from tests.server.pyrat_host_bots import PATIENT, TIMES, write_bot
from tests.server.serving import Served
from tests.server.test_bot_command import attached, bot
from tests.server.test_pyrat_bots import opened, stay, stay_to_the_end


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("pyrat-host")) as served:
        yield served


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of commands in this process have much time."""
    kinds = {**program_kinds._KINDS, "pyrat-host": read_patiently}
    monkeypatch.setattr(program_kinds, "_KINDS", kinds)


def read_patiently(folder: str) -> PyratHostBot:
    return replace(PyratHostBot.read(folder), times=PATIENT)


def run(*arguments: str) -> tuple[int, str, str]:
    """Runs a command; returns the exit status, stdout and stderr."""
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "400", "NO_COLOR": "1"})
    return result.exit_code, result.stdout, result.stderr


# ---- the arena -----------------------------------------------------------------------------------

ENDS = {"majority", "cheese", "ply-limit"}

MATCH = ("arena", "--game", "pyrat", "--variant", "tiny", "--games", "2", "--json")


@pytest.mark.usefixtures("patient")
def test_a_bot_in_the_arena(tmp_path: Path) -> None:
    name = f"pyrat-host:{write_bot(tmp_path, 'honest').folder}"
    status, report, notes = run(*MATCH, "--time", "60000", "--bots", f"{name},random")
    assert (status, f"{name} is Script; its games cannot be repeated with a seed" in notes) == (0, True)
    endings = json.loads(report)["pairs"][0]["endings"]
    assert sum(endings.values()) == 2
    assert {re.sub(r".*\((.*)\)", r"\1", ending) for ending in endings} <= ENDS


@pytest.mark.usefixtures("patient")
def test_a_bot_that_cannot_continue_loses_with_the_reason(tmp_path: Path) -> None:
    name = f"pyrat-host:{write_bot(tmp_path, 'dying').folder}"
    status, report, _ = run(*MATCH, "--time", "60000", "--opening-plies", "0", "--bots", f"{name},random")
    assert (status, json.loads(report)["pairs"][0]["endings"]) == (0, {"random wins (crash)": 2})


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ("--bots", "pyrat-host:nowhere,random", "--time", "100"),
            "nowhere/bot.toml: No such file or directory",
        ),
        (("--bots", "pyrat-host:{folder},random"), "plays by time: give --seconds or --time"),
        (
            ("--bots", "pyrat-host:{folder},random", "--time", "100", "--game", "hive"),
            "plays pyrat, not hive",
        ),
    ],
)
def test_bad_matches_are_explained(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    folder = str(write_bot(tmp_path, "honest").folder)
    status, _, error = run("arena", "--game", "pyrat", *(text.format(folder=folder) for text in arguments))
    assert status == 2
    assert why in error


# ---- at a server ---------------------------------------------------------------------------------


async def test_a_session_of_a_server_has_a_bot_in_each_seat(tmp_path: Path) -> None:
    results: asyncio.Queue[Finished] = asyncio.Queue()
    searches = ProgramSearches(write_bot(tmp_path, "honest"), TIMES, print).posting(results.put_nowait)
    position = Position("pyrat", "tiny", {"seed": 1})
    searches.carry_out(en.SessionOpened("g", position.copy(), EvaluationLimits()))
    for _ in range(3):
        searches.carry_out(en.Evaluate("g", EvaluationLimits()))
        found = await results.get()
        assert isinstance(found, en.Evaluated)
        move = found.evaluation.best_move
        assert all(part in position.legal_moves(seat) for seat, part in enumerate(move.split("/")))
        position.play(move)
        searches.carry_out(en.Advance("g", move))
    searches.carry_out(en.SessionClosed("g"))
    await searches.stop()


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_bot_plays_a_person_from_either_seat(services: Served, tmp_path: Path, seat: int) -> None:
    folder, name = str(write_bot(tmp_path, "honest").folder), f"lab{seat}"
    with bot("--server", services.url, "--pyrat-host", folder, "--seconds", "8", "--client-id", name):
        async with http(services) as client:
            await attached(client, f"{name}:engine", game="pyrat")
            game = await opened(client, f"{name}:engine", seat)
            assert game["seats"][seat]["name"] == "Script"
            over = await stay_to_the_end(client, game)
            assert {turn.split("/")[1 - seat] for turn in over["history"]} == {"STAY"}
            assert len({turn.split("/")[seat] for turn in over["history"]}) > 1
            assert over["result"]["reason"] in ENDS


async def test_a_bot_that_disconnects_resigns_with_the_reason(services: Served, tmp_path: Path) -> None:
    folder = str(write_bot(tmp_path, "dying").folder)
    with bot("--server", services.url, "--pyrat-host", folder, "--client-id", "frail"):
        async with http(services) as client:
            await attached(client, "frail:engine", game="pyrat")
            game = await opened(client, "frail:engine", 1)
            for ply in range(2):
                await reached(client, game["gameId"], ply=ply)
                await stay(client, game, ply)
            over = await reached(client, game["gameId"], status="finished")
            assert (over["result"]["winners"], over["result"]["reason"]) == ([0], "resignation")
            assert "exit status 3: no more ideas" in over["result"]["note"]


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (
            ("bot", "--server", "x", "--pyrat-host", "nowhere"),
            1,
            "nowhere/bot.toml: No such file or directory",
        ),
        (
            ("bot", "--pyrat-host", "x", "--pyrat", "y"),
            2,
            "give either --config, --engine, --uhp, --pyrat or",
        ),
        (("bot", "--pyrat-host", "x"), 2, "--pyrat and --pyrat-host need --server"),
        (("engine", "--pyrat-host", "nowhere"), 1, "nowhere/bot.toml: No such file or directory"),
        (("engine", "--pyrat-host", "x", "--pyrat", "y"), 2, "not with --pyrat: --pyrat-host"),
        (("engine", "--pyrat-host", "x", "--protocol", "pyrat"), 2, "only with --protocol bgs: --pyrat-host"),
    ],
)
def test_bad_options_are_explained(arguments: tuple[str, ...], status: int, why: str) -> None:
    found, _, error = run(*arguments)
    assert found == status
    assert why in error
