"""The networks that come with Plyhouse: who uses them, for which boards, and what happens without a runtime."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from benchmarks.growth import fill
from commands.cli import app
from engines import Position, networks
from engines.inference import ModelError
from engines.loss_units import loss_unit
from engines.model_card import read_card
from engines.onnx_model import OnnxModel
from tests.server.bot_peers import a_viewer, http, submit
from tests.server.program import run_command
from tests.server.serving import Served
from tests.server.test_engine_command import CONFIG, evaluate, start, text

Json = dict[str, Any]

NAME = "wallwars-small"
BOARD = {"variant": "standard", "boardWidth": 7, "boardHeight": 7}
ASKED = text({**start("g"), "config": {**CONFIG, **BOARD}}, evaluate("g"))
USED = f"network {NAME} on cpu: wallwars standard, wallwars classic\n"

HIDDEN = "raise ModuleNotFoundError(\"No module named 'onnxruntime'\", name='onnxruntime')"
BROKEN = "raise ImportError('libgomp.so.1: cannot open shared object file')"
"""A module ``onnxruntime`` as it is not installed, and as its libraries are missing."""

MISSING_SAYS = (
    "playing without the networks that come with Plyhouse: "
    "networks need ONNX Runtime: install onnxruntime, or onnxruntime-gpu for CUDA"
)
BROKEN_SAYS = (
    "playing without the networks that come with Plyhouse: "
    "ONNX Runtime cannot be imported: libgomp.so.1: cannot open shared object file"
)


@pytest.fixture(scope="module", autouse=True)
def by_default() -> Iterator[None]:
    """Nobody tells the commands of these tests which networks to use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PLYHOUSE_MODELS")
        yield


@pytest.fixture(scope="module")
def served(by_default: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served"), PLYHOUSE_SAMPLES="20") as served:
        yield served


def plyhouse(*arguments: str, given: bytes = b"", runtime: Path | None = None) -> tuple[int, str, str]:
    """Runs the command, with the modules in ``runtime`` in place of others; its status and outputs."""
    environment = {} if runtime is None else {"PYTHONPATH": str(runtime)}
    done = run_command(*arguments, given=given, environment=environment)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(params=[(HIDDEN, MISSING_SAYS), (BROKEN, BROKEN_SAYS)], ids=["missing", "broken"])
def unusable(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A folder with an ONNX Runtime that cannot be imported, and what is said about it."""
    source, says = request.param
    (tmp_path / "onnxruntime.py").write_text(source)
    return tmp_path, says


def test_they_are_loaded_with_valid_cards() -> None:
    files = networks.find(())
    assert NAME in [file.stem for file in files]
    for file in files:
        card = read_card(file)
        assert card is not None, f"{file.name} has no card"
        assert card.license == "MIT"
        assert card.strength, "its strength is known"
    assert {model.name for model in networks.load(files, "cpu")} == {file.stem for file in files}


def test_none_is_no_network() -> None:
    assert networks.find([networks.NONE]) == []
    with pytest.raises(ModelError, match="'none' means no network: give no other ones with it"):
        networks.find([networks.NONE, Path("net.onnx")])


@pytest.mark.slow
def test_models_lists_them_with_their_cards() -> None:
    listed = CliRunner().invoke(app, ["models", "--json"])
    assert listed.exit_code == 0
    shipped = {each["name"]: each for each in json.loads(listed.stdout)}
    assert shipped[NAME]["boards"] == "6x6-10x10"
    assert {"wallwars standard", "wallwars classic"} <= set(shipped[NAME]["games"])
    assert shipped[NAME]["card"]["sha256"]
    none = CliRunner().invoke(app, ["models", "none"])
    assert none.stdout == "no networks: searches use the native evaluators (docs/models.md)\n"


SOURCES = {
    ("wallwars", "standard", 8): NAME,
    ("wallwars", "classic", 8): NAME,
    ("wallwars", "standard", 6): NAME,
    ("wallwars", "standard", 10): NAME,
    ("wallwars", "standard", 5): "native",
    ("wallwars", "standard", 11): "native",
    ("wallwars", "survival", 8): "native",
}
"""Who evaluates the boards of a size."""


@pytest.mark.parametrize("board", SOURCES, ids=str)
def test_a_server_uses_them_where_they_fit(served: Served, board: tuple[str, str, int]) -> None:
    game, variant, size = board
    body = {"game": game, "variant": variant, "config": {"boardWidth": size, "boardHeight": size}}
    with httpx.Client(base_url=served.url, timeout=60) as client:
        answer = client.post("/api/analysis?wait=1", json={**body, "moves": ["---"], "samples": 5})
        assert answer.status_code == 200, answer.text
        assert {one["source"] for one in answer.json()["positions"]} == {SOURCES[board]}


@pytest.mark.parametrize("size", [5, 8])
def test_moves_are_judged_in_the_unit_of_who_evaluates(served: Served, size: int) -> None:
    config = {"boardWidth": size, "boardHeight": size}
    body = {"game": "wallwars", "config": config, "moves": ["---", "---"], "samples": 50}
    with httpx.Client(base_url=served.url, timeout=60) as client:
        seat = client.post("/api/analysis?wait=1", json=body).json()["summary"][0]
    unit = loss_unit(Position("wallwars", None, config), SOURCES["wallwars", "standard", size])
    assert unit.size == {5: 0.125, 8: 0.06}[size]
    assert seat["meanLoss"] > 0
    assert seat["accuracy"] == pytest.approx(
        100 / (1 + (seat["meanLoss"] / unit.size / 0.47) ** 2.5), abs=0.5
    )


async def test_bars_and_bots_use_them(served: Served) -> None:
    seats = [{"kind": "human"}, {"kind": "bot"}]
    body = {"game": "wallwars", "config": {"boardWidth": 7, "boardHeight": 7}, "seats": seats}
    async with http(served) as client:
        before = await evaluations(client)
        opened = (await client.post("/api/games", json=body)).json()
        async with a_viewer(served, opened["gameId"]) as viewer:
            await viewer.shake(opened["gameId"], **BOARD)
            frames = await viewer.history()
            await submit(client, {**opened, "token": opened["seats"][0]["token"]}, "---")
            while frames[-1]["ply"] < 2:
                frames.append(await viewer.until("eval-update"))
        after = await evaluations(client)
    assert [frame["source"] for frame in frames] == [NAME] * 3
    assert all(frame["samples"] >= 20 for frame in frames)
    assert after[NAME] - before[NAME] >= 4, "those of the bar, and the bot's"
    assert after["native"] == before["native"]
    assert USED in served.log


def test_every_line_of_a_json_log_is_an_object(tmp_path: Path) -> None:
    fill(f"sqlite:///{tmp_path}/plyhouse.sqlite3", games=3)
    with Served(tmp_path, "--log-format", "json") as served:
        httpx.get(f"{served.url}/healthz", timeout=60).raise_for_status()
        served.stop(signal.SIGTERM)
        messages = [json.loads(line)["message"] for line in served.log.splitlines()]
    assert USED.strip() in messages
    assert "migrating the database: indexing past games" in messages


async def evaluations(client: httpx.AsyncClient) -> dict[str, float]:
    """The finished evaluations by evaluator."""
    figures = (await client.get("/metrics")).text
    found = re.findall(
        r'^plyhouse_pool_evaluations_total{evaluator="([^"]+)".*} (\S+)$', figures, re.MULTILINE
    )
    return {name: float(count) for name, count in found}


def test_the_engine_command_uses_them_unless_told_otherwise() -> None:
    status, answers, said = plyhouse("engine", "--samples", "20", given=ASKED)
    assert (status, said.startswith(USED)) == (0, True)
    assert f"source {NAME}" in said
    status, others, said = plyhouse("engine", "--samples", "20", "--model", "none", given=ASKED)
    assert (status, NAME in said, "source native" in said) == (0, False, True)
    assert others != answers


def test_an_engine_without_onnx_runtime_plays_and_says_what_is_missing(unusable: tuple[Path, str]) -> None:
    runtime, says = unusable
    native = plyhouse("engine", "--samples", "20", "--model", "none", given=ASKED)
    status, answers, said = plyhouse("engine", "--samples", "20", given=ASKED, runtime=runtime)
    assert (status, answers, said) == (0, native[1], f"{says}\n{native[2]}")
    assert "source native" in said


def test_a_server_without_onnx_runtime_starts(unusable: tuple[Path, str], tmp_path: Path) -> None:
    runtime, says = unusable
    with Served(tmp_path, PYTHONPATH=str(runtime)) as server:
        assert "native (core)" in httpx.get(f"{server.url}/readyz", timeout=60).text
        assert server.log.count(says) == 1


@pytest.mark.parametrize(
    "command", [("engine", "--model"), ("models",), ("serve", "--port", "0", "--models")]
)
def test_networks_that_were_asked_for_need_a_runtime(
    command: tuple[str, ...], unusable: tuple[Path, str]
) -> None:
    runtime, says = unusable
    file = str(networks.find(())[0])
    database = ("--database", f"sqlite:///{runtime}/p.db") if command[0] == "serve" else ()
    status, said, complaint = plyhouse(*command, file, *database, runtime=runtime)
    why = says.split("Plyhouse: ")[1]
    assert (status, said, complaint) == (1, "", f"plyhouse {command[0]}: {why}\n")


@pytest.mark.parametrize("broken", ["network", "card"])
def test_a_broken_one_ends_the_start(broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = networks.find(())[0].read_bytes()
    file = tmp_path / f"{NAME}.onnx"
    file.write_bytes(whole[:-500] if broken == "network" else whole)
    if broken == "card":
        file.with_suffix(".json").write_text('{"sha256": "0"}')
    monkeypatch.setattr(networks, "SHIPPED", tmp_path)
    for command in (["engine"], ["models"], ["arena", "--bots", "network,native"]):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 1, command
        assert done.stdout == ""
        assert f"{file}: it " in done.stderr
        assert done.stderr.count("\n") == 1


def test_loading_takes_little_time() -> None:
    """Processor time, and the best of three: other programs use this machine, too."""

    def load() -> float:
        began = process_time()
        OnnxModel(networks.find(())[0], "cpu", 2)
        return process_time() - began

    assert min(load() for _ in range(3)) < 0.3
