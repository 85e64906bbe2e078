"""Runs the programs of ``docs/python.md`` and ``docs/environments.md``."""

import contextlib
import io
import re

import pytest

from tests.server.program import ROOT
from tests.server.serving import Served


def programs(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)


PROGRAMS = programs("python.md")
ENVIRONMENTS = programs("environments.md")
SERVER = "http://localhost:8000"


def run(program: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(program, "docs", "exec"), {})  # noqa: S102 - our own page
    return said.getvalue()


@pytest.mark.parametrize("program", [one for one in PROGRAMS if SERVER not in one])
def test_programs_without_a_server(program: str) -> None:
    assert run(program)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("program", ENVIRONMENTS)
def test_programs_with_environments(program: str) -> None:
    assert run(program)


def test_the_program_with_a_server(served: Served) -> None:
    (program,) = (one for one in PROGRAMS if SERVER in one)
    said = run(program.replace(SERVER, served.url))
    assert re.match(r"\(\d?,?\) [a-z-]+\n\(", said), said
