"""Networks in all commands: answers name them, and unusable ones are refused in one line."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from engines.card_facts import sha256
from tests.server.program import run_command
from tests.server.run_here import run_here
from tests.server.services import opened, settings
from tests.server.serving import Served
from tests.server.test_engine_command import ask, evaluate, start, text
from tools.networks import Shape, residual, size_agnostic

Json = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network for boards up to 6x6, and a smaller one that supports only the classic variant."""
    place = tmp_path_factory.mktemp("networks")
    residual(place / "six.onnx", Shape(6, 6, planes=9, steps=8))
    residual(place / "five-classic.onnx", Shape(5, 5, planes=8, steps=4, batch=8))
    return place


def run(*options: str) -> tuple[int, str, str]:
    """Runs a command; returns the exit status, stdout and stderr. A server is a process, as it opens a port."""
    done = (run_command if options[0] == "serve" else run_here)(*options)
    return done.returncode, done.stdout, done.stderr


def test_the_engine_command_plays_with_a_network(folder: Path) -> None:
    asked: list[Json] = [start("g"), evaluate("g")]
    options = ("--model", str(folder), "--samples", "40", "--cache-size", "500", "--parallel", "2")
    status, answers, said = ask(text(*asked), *options)
    assert status == 0
    best = json.loads(answers[1])["bestMove"]
    asked += [{"type": "apply_move", "bgsId": "g", "expectedPly": 0, "move": best}, evaluate("g", 1)]
    status, answers, said = ask(text(*asked), *options)
    assert status == 0
    assert [json.loads(answer)["success"] for answer in answers] == [True] * 4
    assert "network six on cpu: wallwars standard, wallwars classic" in said
    assert ask(text(*asked), *options)[1] == answers, "equal requests have equal answers"
    assert ask(text(*asked), "--samples", "40")[1] != answers, "the native evaluator differs"


async def test_the_server_names_the_network_it_used(folder: Path, tmp_path: Path) -> None:
    async with opened(settings(tmp_path, models=folder, samples=30)) as client:
        sources = {
            (variant, size): await analysed(client, variant, size)
            for variant, size in (("standard", 6), ("standard", 7), ("classic", 5), ("classic", 6))
        }
    assert sources == {
        ("standard", 6): "six",
        ("standard", 7): "native",
        ("classic", 5): "five-classic",
        ("classic", 6): "six",
    }


async def analysed(client: httpx.AsyncClient, variant: str, size: int) -> str:
    """Returns the source of an analysis."""
    config = {"boardWidth": size, "boardHeight": size}
    body = {"game": "wallwars", "variant": variant, "config": config, "moves": ["---"]}
    answer = (await client.post("/api/analysis?wait=1", json=body)).json()
    (source,) = {entry["source"] for entry in answer["positions"]}
    return str(source)


@pytest.mark.slow
def test_a_served_bot_plays_a_whole_game_with_a_network(folder: Path, tmp_path: Path) -> None:
    size = {"boardWidth": 3, "boardHeight": 3}
    seats = [{"kind": "human"}, {"kind": "bot"}]
    options = ("--models", str(folder), "--cache-size", "1000", "--provider", "cpu")
    with Served(tmp_path, *options, PLYHOUSE_SAMPLES="30") as served, httpx.Client(timeout=60) as client:
        table = client.post(
            f"{served.url}/api/games",
            json={"game": "wallwars", "variant": "classic", "config": size, "seats": seats},
        ).json()
        address = f"{served.url}/api/games/{table['gameId']}"
        token = {"Authorization": f"Bearer {table['seats'][0]['token']}"}
        position = table["position"]
        while position["status"] == "playing" and position["ply"] < 40:
            if position["toAct"] == [0]:
                move = {"move": "---", "expectedPly": position["ply"], "clientMsgId": str(position["ply"])}
                client.post(f"{address}/moves", json=move, headers=token).raise_for_status()
            position = client.get(address).json()["position"]
        assert position["result"]["winners"] == [1]
        assert "five-classic on cpu" in served.log
        figures = client.get(f"{served.url}/metrics").text
        assert 'evaluator="five-classic"' in figures


@pytest.mark.slow
def test_models_are_described(folder: Path) -> None:
    status, said, _ = run("models", str(folder), "--json")
    assert status == 0
    five, six = json.loads(said)
    assert (five["name"], five["batch"], five["games"]) == ("five-classic", 8, ["wallwars classic"])
    assert (six["columns"], six["rows"], six["planes"], six["policy"], six["batch"]) == (6, 6, 9, 80, None)
    assert six["provider"] == "cpu"
    assert six["evaluationsPerSecond"] > 100
    status, said, _ = run("models", str(folder / "six.onnx"))
    assert status == 0
    assert "six: wallwars standard, wallwars classic, on boards up to 6x6" in said


@pytest.mark.slow
def test_a_network_too_slow_for_bots_is_reported(folder: Path, tmp_path: Path) -> None:
    """With a large fixed batch, a single session fills few of the rows that every call computes."""
    slow = tmp_path / "slow.onnx"
    residual(slow, Shape(20, 20, planes=9, steps=8, batch=512))
    (measured,) = json.loads(run("models", str(slow), "--json")[1])
    assert measured["secondsPerMove"] > 10
    assert "too slow for bots" in run("models", str(slow))[1]
    assert "too slow for bots" not in run("models", str(folder / "six.onnx"))[1]


@pytest.fixture
def carded(tmp_path: Path) -> Path:
    """A network for boards of several sizes, with a card."""
    file = size_agnostic(tmp_path / "every.onnx")
    card: Json = {
        "made": "2 blocks of 16 channels with random weights",
        "games": 1200,
        "hours": 0.5,
        "hardware": "two cores",
        "strength": [{"opponent": "random", "conditions": "5x5", "wins": 60, "draws": 0, "losses": 40}],
        "calibration": {"classic": [[0.0, 0.5], [1.0, 1.0]]},
        "license": "MIT",
        "sha256": sha256(file),
    }
    file.with_suffix(".json").write_text(json.dumps(card))
    return file


@pytest.mark.slow
def test_a_network_for_all_boards_is_described_with_its_card(carded: Path) -> None:
    status, said, _ = run("models", str(carded))
    assert status == 0
    head, shapes, _, made, training, strength, calibration = said.splitlines()
    assert head == (
        "every: wallwars standard, wallwars classic, wallwars freestyle, on boards 5x5-12x10, each at its own size"
    )
    assert shapes == f"  {carded}: 9 planes, policy of 248 on 12x10, any batch"
    assert made == "  2 blocks of 16 channels with random weights"
    assert training == "  trained with 1,200 games, in 0.5 hours on two cores; license MIT"
    assert strength == "  60.0% of 100 games against random, +70 Elo (+1 to +139): 5x5"
    assert calibration == "  classic: a value of 0.5 means an expected score of 0.75 in the middle of a game"
    (described,) = json.loads(run("models", str(carded), "--json")[1])
    assert described["boards"] == "5x5-12x10"
    assert described["card"]["games"] == 1200


async def test_evaluations_say_what_the_card_says_they_are_worth(carded: Path, tmp_path: Path) -> None:
    points = [[0.0, 0.5], [0.0001, 0.75], [1.0, 1.0]]
    card = {**json.loads(carded.with_suffix(".json").read_text()), "calibration": {"classic": points}}
    carded.with_suffix(".json").write_text(json.dumps(card))
    async with opened(settings(tmp_path, models=carded, samples=30)) as client:
        for variant, is_known in (("classic", True), ("standard", False)):
            body = {"game": "wallwars", "variant": variant, "moves": ["---"], "multipv": 2}
            answer = (await client.post("/api/analysis?wait=1", json=body)).json()
            assert {entry["source"] for entry in answer["positions"]} == {"every"}
            for entry in answer["positions"]:
                assert ("chances" in entry) == is_known
                assert all((line["chance"] is not None) == is_known for line in entry["lines"])
                if is_known and entry["evaluation"]:
                    chance = entry["chances"][0]
                    assert abs(chance - 0.5) >= 0.25 * min(1.0, abs(entry["evaluation"]) / 0.0001) - 1e-4
                    assert (chance > 0.5) == (entry["evaluation"] > 0)
                    assert sum(entry["chances"]) == pytest.approx(1.0, abs=2e-4)
            first, second = answer["positions"]
            scores = [one.get("chances", [(1 + one["evaluation"]) / 2])[0] for one in (first, second)]
            is_best = first["bestMove"] == "---"
            lost = 0.0 if is_best else max(0.0, scores[0] - scores[1])
            assert second["played"][0]["loss"] == pytest.approx(lost, abs=1e-3)


def test_a_network_that_is_not_its_card_s_is_refused(carded: Path) -> None:
    size_agnostic(carded, seed=1)
    status, said, complaint = run("models", str(carded))
    assert (status, said) == (1, "")
    assert complaint.startswith(
        f"plyhouse models: {carded}: it is not the network of its card every.json: its sha256 is "
    )
    assert complaint.count("\n") == 1


def test_the_arena_plays_a_bot_with_a_network(folder: Path) -> None:
    match = ("arena", "--bots", "network,random", "--games", "2", "--samples", "5", "--variant", "classic")
    assert run(*match, "--model", str(folder))[2].endswith(
        "five-classic: a 8x8 board is larger than the model's 5x5; "
        "six: a 8x8 board is larger than the model's 6x6)\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ("serve", "--port", "0", "--models"),
        ("engine", "--model"),
        ("models",),
        ("arena", "--bots", "network,random", "--model"),
    ],
    ids=lambda command: str(command[0]),
)
@pytest.mark.parametrize("content", [b"not a network", None], ids=["unreadable", "absent"])
def test_an_unusable_network_ends_the_command(
    command: tuple[str, ...], content: bytes | None, tmp_path: Path
) -> None:
    file = tmp_path / "bad.onnx"
    if content is not None:
        file.write_bytes(content)
    database = ("--database", f"sqlite:///{tmp_path}/p.db") if command[0] == "serve" else ()
    status, said, complaint = run(*command, str(file), *database)
    assert (status, said) == (1, "")
    assert complaint.startswith(f"plyhouse {command[0]}: {file}: ")
    assert complaint.count("\n") == 1


@pytest.mark.parametrize("command", [("models",), ("engine", "--model")], ids=["models", "engine"])
def test_missing_cuda_is_reported(command: tuple[str, ...], folder: Path) -> None:
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this ONNX Runtime knows CUDA")
    status, _, complaint = run(*command, str(folder), "--provider", "cuda")
    assert status == 1
    assert complaint == (
        f"plyhouse {command[0]}: CUDA was asked for, but this ONNX Runtime has none: "
        "install onnxruntime-gpu in its place\n"
    )
