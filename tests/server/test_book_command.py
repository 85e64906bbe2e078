"""``plyhouse book``: the file, the match and the errors."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands.cli import app
from engines.book import read_book
from tests.server.program import run_command

SMALL = ["--board", "5x5", "--positions", "3", "--samples", "50", "--games", "2"]


def test_a_written_book_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    result = run_command("book", "wallwars", *SMALL, "--out", str(file))
    assert result.returncode == 0, result.stderr
    assert len(read_book(file)) >= 3
    assert result.stdout.splitlines()[0] == f"{file}: 3 positions"
    assert "with the book against without: " in result.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess"], "unknown game 'chess'"),
        (["wallwars", "--board", "8*8"], "the board '8*8' is not columns x rows, such as 8x8"),
        (["pyrat"], "books are for games of two seats in turn, and pyrat is not"),
    ],
)
def test_what_cannot_have_a_book_is_refused(arguments: list[str], reason: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["book", *arguments, "--out", str(tmp_path / "book.txt")])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"plyhouse book: {reason}")
    assert not (tmp_path / "book.txt").exists()


def test_an_existing_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text("# mine")
    result = CliRunner().invoke(app, ["book", "wallwars", *SMALL, "--out", str(file)])
    assert result.exit_code == 1
    assert file.read_text() == "# mine"
