"""The tables of ``docs/`` agree with the code: error codes, settings, messages, the accuracy formula."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from commands.cli import app
from engines.loss_units import loss_units
from protocols.bgs.attach import RejectionCode
from protocols.bgs.codec import TYPE_NAMES
from protocols.dialects.wallwars import move_text
from protocols.play.actions import ACTION_NAMES, NackCode
from protocols.play.chat_messages import Channel, ChatErrorCode
from protocols.play.client_frames import PLAYER_FRAMES
from protocols.play.eval_frames import EvalRejectionCode
from server.domain.accuracy import PlayedMove
from server.domain.errors import Code
from server.services.cluster.changes import GamesChanged, LogGrown
from server.services.cluster.server_messages import ServerMessage
from server.settings import Settings
from tests.server.program import ROOT

DOCS = ROOT / "docs"


def rows(page: str) -> list[list[str]]:
    """Returns the rows of all tables of a page, including headings."""
    lines = (DOCS / page).read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def test_the_table_of_errors_is_complete_and_true() -> None:
    told = {row[0].strip("`"): row[1] for row in rows("api.md") if re.fullmatch(r"[45]\d\d", row[1])}
    assert told == {code.value: str(code.status.value) for code in Code}


def test_every_setting_is_documented_with_its_default() -> None:
    told = {row[1].strip("`"): row[2].strip("`") for row in rows("running.md") if len(row) == 4}
    for name, field in Settings.model_fields.items():
        variable = "OFFICIAL_BOT_TOKEN" if name == "official_bot_token" else f"PLYHOUSE_{name.upper()}"
        assert variable in told
        if isinstance(field.default, str | int | float):
            assert told[variable] == str(field.default).lower().removesuffix(".0")


@pytest.mark.parametrize(
    ("command", "page"),
    [
        ("serve", "running.md"),
        ("worker", "running.md"),
        ("prune", "running.md"),
        ("bot", "bots.md"),
        ("engine", "bots.md"),
        ("check", "check.md"),
        ("mcp", "agents.md"),
        ("analyze", "records.md"),
        ("puzzles", "analysis.md"),
    ],
)
def test_every_option_is_documented(command: str, page: str) -> None:
    text = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    options = set(re.findall(r"--[a-z-]+", text)) - {"--help"}
    assert options
    assert options <= set(re.findall(r"--[a-z-]+", (DOCS / page).read_text()))


def test_the_help_shows_defaults() -> None:
    text = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    assert "[default: 127.0.0.1]" in text


def test_every_bot_message_is_documented() -> None:
    told = (DOCS / "bots.md").read_text()
    codes = [code.value for code in RejectionCode if code is not RejectionCode.INTERNAL_ERROR]
    for name in (*TYPE_NAMES.values(), *codes):
        assert re.search(rf"[`\"]{name}[`\"]", told), name


def test_every_socket_message_is_documented() -> None:
    told = (DOCS / "api.md").read_text()
    codes = [code for enum in (EvalRejectionCode, NackCode, ChatErrorCode) for code in enum]
    told_codes = [code.value for code in codes if code is not EvalRejectionCode.RATED_PLAYER]
    for name in (*PLAYER_FRAMES, *ACTION_NAMES, *Channel, *told_codes, "chat-message", "action-request"):
        assert f"`{name}`" in told, name


def test_every_message_between_servers_is_documented() -> None:
    table = (DOCS / "architecture.md").read_text()
    names = {kind.__name__ for kind in (GamesChanged, LogGrown, *get_args(ServerMessage))}
    assert {name for name in names if f"| `{name}` | `" not in table} == set()


def test_the_bot_in_the_text_is_the_one_that_runs() -> None:
    shown = re.findall(r"```python\n(.*?)```", (DOCS / "bots.md").read_text(), re.DOTALL)
    program = (ROOT / "examples" / "random_bot.py").read_text()
    assert shown
    assert all(part in program for part in shown)


def test_actions_in_json() -> None:
    examples = [row for row in rows("wallwars.md") if len(row) == 2 and row[1].startswith('`{"type"')]
    assert len(examples) == 4
    for notation, action in examples:
        assert move_text({"actions": [json.loads(action.strip("`"))]}, {"boardHeight": 8}) == notation.strip(
            "`"
        )


def test_the_documented_judgements() -> None:
    told = [row for row in rows("api.md") if len(row) == 2 and re.fullmatch(r"[\d.]+ or more", row[0])]
    assert [row[1] for row in told] == ["inaccuracy", "mistake", "blunder"]
    for loss, kind in told:
        assert PlayedMove(0, 0.0, None, float(loss.split()[0])).judgement == kind


def test_the_documented_units_of_losses() -> None:
    told = [
        row
        for row in rows("calibration.md")
        if len(row) == 3 and re.search(r"^[\d.]+ (points|chance)$", row[1])
    ]
    units = {
        f"{name} {size:g} {'points' if unit.in_points else 'chance'} {unit.plies or 'any'}"
        for game, unit in loss_units().items()
        for name, size in ((game, unit.size), (f"{game}, by a network", unit.network))
        if size is not None
    }
    assert {" ".join(row).lower() for row in told} == units


def test_links_have_targets() -> None:
    for page in DOCS.glob("*.md"):
        for target, anchor in re.findall(r"\]\((?!http)([^)#\s]*)#?([^)\s]*)\)", page.read_text()):
            file = page.parent / target if target else page
            assert file.exists(), (page.name, target)
            assert not anchor or anchor in _anchors(file), (page.name, target, anchor)


def _anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_fence_has_a_line_of_its_own() -> None:
    """Wrapping a paragraph together with its code would destroy the code."""
    fence = re.compile(r"^[ >]*(```+|~~~+)\w*$")
    for page in (*DOCS.glob("*.md"), *DOCS.parent.glob("*.md")):
        lines = [line for line in page.read_text().splitlines() if "```" in line]
        assert [line for line in lines if not fence.fullmatch(line)] == [], page.name
        assert len(lines) % 2 == 0, page.name
