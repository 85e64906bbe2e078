"""Strategies of other packages: ``examples/strategy`` as if it were installed, and errors of broken ones."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import plyhouse
from engines.arena import Match
from engines.bots import PLUGINS
from tests.server.program import ROOT, run_command

EXAMPLE = ROOT / "examples" / "strategy"
STRATEGY = plyhouse.Strategy("for tests", {"search": "montecarlo"}, {"speed": 1})


def install(folder: Path, entries: dict[str, str]) -> None:
    """Writes the metadata of an installed package with these entry points."""
    info = folder / "example-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example\nVersion: 1.0\n")
    lines = [f"[{PLUGINS}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def arena(folder: Path, bots: str) -> "subprocess.CompletedProcess[str]":
    paths = os.pathsep.join(map(str, (folder, EXAMPLE)))
    return run_command("arena", "--bots", bots, "--games", "2", "--json", environment={"PYTHONPATH": paths})


def test_the_example_plays(tmp_path: Path) -> None:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    install(tmp_path, project["entry-points"][PLUGINS])
    played = arena(tmp_path, "mobility:moves=3,random")
    assert played.returncode == 0, played.stderr
    assert '"name": "mobility:moves=3"' in played.stdout


@pytest.mark.parametrize(
    ("entry", "bot", "why"),
    [
        ("missing:STRATEGY", "other", "the bot 'other' cannot be loaded: ModuleNotFoundError"),
        ("mobility:Mobility", "other", "mobility:Mobility is not a Strategy"),
        ("mobility:STRATEGY", "othr", "unknown bot 'othr': did you mean 'other'?"),
        ("mobility:STRATEGY", "other:speed=1", "unknown parameter 'speed' of other: choose from "),
    ],
)
def test_errors_name_the_cause(tmp_path: Path, entry: str, bot: str, why: str) -> None:
    install(tmp_path, {"other": entry})
    played = arena(tmp_path, f"{bot},random")
    assert played.returncode == 2
    said = " ".join(played.stderr.replace("│", " ").split())
    assert why in said


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("random", "there is a bot 'random' already"),
        ("mine:a", "'mine:a' cannot be the name of a bot"),
        ("", "'' cannot be the name of a bot"),
        ("a,b", "'a,b' cannot be the name of a bot"),
        ("a@b", "'a@b' cannot be the name of a bot"),
    ],
)
def test_a_name_must_be_free_and_writable(name: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        plyhouse.register_strategy(name, STRATEGY)


def test_a_name_is_registered_once() -> None:
    plyhouse.register_strategy("registered-once", STRATEGY)
    with pytest.raises(ValueError, match="there is a bot 'registered-once' already"):
        plyhouse.register_strategy("registered-once", STRATEGY)
    assert plyhouse.get_strategy("registered-once") is STRATEGY
    assert plyhouse.Bot.parse("registered-once:speed=2:time=5").parameters == {"speed": 2}
    with pytest.raises(plyhouse.UnknownBot, match="did you mean 'registered-once'"):
        plyhouse.get_strategy("registered-onec")


def test_only_strategies_are_registered() -> None:
    with pytest.raises(TypeError, match="is not a Strategy"):
        plyhouse.register_strategy("class", Match)  # type: ignore[arg-type]  # the error under test


def test_an_installed_strategy_is_loaded_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, {"installed-one": "mobility:STRATEGY"})
    for folder in (EXAMPLE, tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    assert plyhouse.get_strategy("installed-one").parameters == {"moves": 20}
    with pytest.raises(ValueError, match="already"):
        plyhouse.register_strategy("installed-one", STRATEGY)
