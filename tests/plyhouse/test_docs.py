"""Runs the programs of ``docs/python.md``."""

import contextlib
import io
import re

import pytest

from tests.server.program import ROOT
from tests.server.serving import Served

PROGRAMS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)
SERVER = "http://localhost:8000"


def run(program: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(program, "docs/python.md", "exec"), {})  # noqa: S102 - our own page
    return said.getvalue()


@pytest.mark.parametrize("program", [one for one in PROGRAMS if SERVER not in one])
def test_programs_without_a_server(program: str) -> None:
    assert run(program)


def test_the_program_with_a_server(served: Served) -> None:
    (program,) = (one for one in PROGRAMS if SERVER in one)
    said = run(program.replace(SERVER, served.url))
    assert re.match(r"\(\d?,?\) [a-z-]+\n\(", said), said
