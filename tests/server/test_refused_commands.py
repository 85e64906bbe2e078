"""Command lines that ``plyhouse arena``, ``bot``, ``engine`` and others refuse, with what they say."""

import shlex
from pathlib import Path

import pytest
import typer

from commands.failure import fail
from tests.protocols.transcripts import lines_of
from tests.server.run_here import run_here
from tests.server.seat_kinds import script, write_bot


@pytest.mark.parametrize("line", lines_of("refused/commands.txt"))
def test_refused_commands(line: str, tmp_path: Path) -> None:
    command, _, text = line.partition(" -> ")
    status, command = command.split(" ", 1)
    command, _, given = command.partition(" < ")
    if "{bot}" in command:
        command = command.replace("{bot}", str(write_bot(tmp_path, "honest").folder))
    for manner in ("base", "keeps"):
        command = command.replace(f"{{{manner}}}", script(manner))
    environment = {"COLUMNS": "200", "NO_COLOR": "1"}
    done = run_here(*shlex.split(command), given=given.encode(), environment=environment)
    assert (done.returncode, done.stdout) == (int(status), "")
    assert text in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.gz", "a.gz: gone"), (b"a.gz", "a.gz: gone"), (7, "7: gone"), (None, "[Errno 2] gone")],
)
def test_a_failure_names_the_file_however_it_was_opened(
    name: str | bytes | int | None, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit):
        fail("prune", OSError(2, "gone", name))
    assert capsys.readouterr().err == f"plyhouse prune: {text}\n"
