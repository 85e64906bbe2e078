"""Strategies of other packages: ``examples/strategy`` as if it were installed, and what is wrong with broken ones."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engines.bots import PLUGINS
from tests.server.serving import ROOT

EXAMPLE = ROOT / "examples" / "strategy"


def install(folder: Path, entries: dict[str, str]) -> None:
    """What an installer leaves beside a package that has these entry points."""
    info = folder / "example-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example\nVersion: 1.0\n")
    lines = [f"[{PLUGINS}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def arena(folder: Path, bots: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from server.cli import app; app()", "arena", "--bots", bots]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, EXAMPLE, ROOT)))}
    return subprocess.run(
        [*command, "--games", "2", "--json"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


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
        ("mobility:Mobility", "other", "mobility:Mobility is no Strategy"),
        ("mobility:STRATEGY", "othr", "unknown bot 'othr': did you mean 'other'?"),
        ("mobility:STRATEGY", "other:speed=1", "unknown parameter 'speed' of other: did you mean 'moves'?"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, entry: str, bot: str, why: str) -> None:
    install(tmp_path, {"other": entry})
    played = arena(tmp_path, f"{bot},random")
    assert played.returncode == 2
    said = " ".join(played.stderr.replace("│", " ").split())
    assert why in said
