"""``plyhouse check`` as its users run it: our own programs and the example are right, and a faulty one is shown."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.program import PLYHOUSE, ROOT, ForkedCommand, run_command
from tests.server.run_here import run_here
from tests.server.seat_kinds import wait_until, write_bot

EXAMPLE = [sys.executable, str(ROOT / "examples" / "random_bot.py")]
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "COLUMNS": "200"}


@pytest.mark.parametrize(
    ("options", "command"),
    [
        (["engine", "--game", "hive"], [*PLYHOUSE, "engine", "--samples", "200"]),
        (["uhp"], [*PLYHOUSE, "uhp", "--threads", "1"]),
        (["pyrat"], [*PLYHOUSE, "engine", "--protocol", "pyrat", "--samples", "20"]),
        (
            ["v3"],
            [
                *PLYHOUSE,
                "bot",
                "--server",
                "{url}",
                "--engine",
                f"{shlex.join(PLYHOUSE)} engine --samples 20",
            ],
        ),
        (["v3"], [*EXAMPLE, "{url}"]),
        (["v3"], ["sh", "-c", f"exec {shlex.join(EXAMPLE)} $CHECK_URL hive"]),
    ],
)
@pytest.mark.slow
def test_our_own_programs_are_right(options: list[str], command: list[str]) -> None:
    done = run_command("check", *options, "--json", "--", *command, environment=ENVIRONMENT)
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert [row for row in found["checks"] if row["verdict"] == "wrong"] == []
    assert done.returncode == (0 if found["sound"] else 1)
    assert len(found["checks"]) > 20


def test_a_bot_of_a_folder(tmp_path: Path) -> None:
    write_bot(tmp_path, "wrong-agent")
    done = run_command("check", "pyrat-host", "--json", str(tmp_path), environment=ENVIRONMENT)
    rows = json.loads(done.stdout)["checks"]
    assert [(row["name"], row["verdict"]) for row in rows] == [("identifies itself", "wrong")]
    assert rows[0]["detail"].startswith("Its agent_id is 'somebody else' instead of 'tests/scripted'.")
    assert done.returncode == 1


def test_a_client_that_somebody_else_starts(tmp_path: Path) -> None:
    said = tmp_path / "said"
    checking = ForkedCommand(["check", "v3", "--listen", "--json"], said, ENVIRONMENT)
    wait_until(lambda: "The server is at ws://" in said.read_text())
    url = said.read_text().split()[-1]
    client = [*EXAMPLE, url, "wallwars", "ada"]
    while checking.poll() is None:  # A client that exits is started again, as by a supervisor.
        subprocess.run(client, env={**os.environ, **ENVIRONMENT}, capture_output=True, check=False)
    checks = {row["name"]: row["verdict"] for row in json.loads(checking.stdout.read())["checks"]}
    checking.wait()
    assert "wrong" not in checks.values()


FAULTY = [sys.executable, "-m", "tests.server.faulty_v3", "dies of illegal moves"]


def test_what_is_wrong_is_shown_with_its_lines() -> None:
    done = run_command("check", "engine", "--", *FAULTY, environment=ENVIRONMENT)
    text = done.stdout
    assert done.returncode == 1
    assert (
        "│ refuses an illegal move             │ wrong       │ The program has ended: exit status 1: Illegal"
        in text
    )
    below = text[text.index("\nwrong: refuses an illegal move\n") :]
    assert '    > {"type":"apply_move","bgsId":"check-' in below
    assert "    ! IllegalMove: I have never seen this\n" in below
    assert "  The protocol: If a request fails, answer with success false" in below
    assert re.fullmatch(r"\d+ right, \d wrong, .*", text.splitlines()[-1])


def test_a_long_line_is_whole_in_json_only() -> None:
    faulty = [sys.executable, "-m", "tests.server.faulty_uhp", "short memory"]
    printed, written = (
        run_command("check", "uhp", *option, "--", *faulty, environment=ENVIRONMENT).stdout
        for option in ([], ["--json"])
    )
    rows = json.loads(written)["checks"]
    [long] = [one["text"] for row in rows for one in row["said"] if len(one["text"]) > 1000]
    assert long.startswith("newgame Base+MLP;InProgress;")
    assert f"    > {long[:200]} … {long[-200:]}\n" in printed


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["engine", "--", "nosuch"], "plyhouse check: nosuch: No such file or directory\n"),
        (["uhp", "--", "sh", "-c", "echo sorry >&2; exit 3"], "exit status 3: sorry.\nsorry\n"),
        (["v3", "--", "false"], "It has not connected, and has ended: exit status 1.\n"),
        (["pyrat-host", "nosuch"], "plyhouse check: nosuch/bot.toml: No such file or directory\n"),
        (["chess", "--", "x"], "there is no protocol 'chess', only v3, engine, uhp"),
        (["engine"], "give the program's command after --"),
        (["uhp", "--game", "hive", "--", "x"], "--game goes with engine"),
        (["engine", "--game", "chess", "--", "x"], "there is no game 'chess'"),
        (["v3", "--listen", "--", "x"], "not both"),
    ],
)
def test_what_cannot_be_checked(arguments: list[str], why: str) -> None:
    done = run_here("check", *arguments, environment=ENVIRONMENT)
    assert done.returncode == 2
    assert why in done.stderr
