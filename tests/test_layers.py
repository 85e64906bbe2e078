"""Who may import whom: the contracts of pyproject.toml for Python, the ``crate::`` paths for the Rust core.

In Rust: python -> games/mod -> {a game, search} -> the foundation. A search names no game, and a game names
neither a search nor another game.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engines import games

ROOT = Path(__file__).parent.parent
CRATE = ROOT / "engines" / "core" / "src"
RUST_FILES = sorted(path.relative_to(CRATE).as_posix() for path in CRATE.rglob("*.rs"))

FOUNDATION = {"evaluation", "evaluator", "hidden", "moves", "planes", "repetition", "rules"}
ERASURE = FOUNDATION | {"position", "search", "cache", "batch"}
SEARCHES = {"Batch", "Cache", "Report", "Search"}


def allowed_modules(file: str) -> set[str]:
    """The modules of the crate that a file of it may name."""
    top, _, rest = file.removesuffix(".rs").partition("/")
    if top in ("lib", "python"):
        return ERASURE | {"games", "python"}
    if top == "games":
        return ERASURE | {"games"} if rest == "mod" else FOUNDATION
    if top in ("position", "batch"):
        return ERASURE
    return FOUNDATION | {"search"} if top == "search" else FOUNDATION


def rust_code(file: str) -> str:
    """The file without its comments."""
    return re.sub(r"//.*", "", (CRATE / file).read_text())


def test_import_contracts() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("file", RUST_FILES)
def test_rust_file_names_only_layers_below(file: str) -> None:
    # A brace is in no layer: `use` lines name one module each, so that this test and a reader see it.
    named = set(re.findall(r"\bcrate::(\w+|\{)", rust_code(file)))
    assert named <= allowed_modules(file)


def test_only_one_rust_module_names_python() -> None:
    naming = [file for file in RUST_FILES if re.search(r"\b(pyo3|numpy)::", rust_code(file))]
    assert naming == ["python.rs", "python/searches.rs"]


def test_protocols_take_positions_but_no_searches() -> None:
    for path in (ROOT / "protocols").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "engines":
                assert not SEARCHES & {alias.name for alias in node.names}, path


NAMING_A_GAME = {
    "protocols/bgs/messages.py": "the V3 protocol was made for it",
    "protocols/play/site.py": "its site's own shapes",
    "protocols/records/wallwars.py": "its site's records",
    "protocols/uhp/game_string.py": "the protocol is of that game alone",
}
"""The only files that may know which game is played, and why."""


def test_no_other_file_names_a_game() -> None:
    names = {game.name for game in games()}
    naming = {
        path.relative_to(ROOT).as_posix()
        for package in ("protocols", "server")
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in names
    }
    assert naming - set(NAMING_A_GAME) <= {"protocols/records/formats.py"}, (
        "a format may be called like its game"
    )
    assert naming >= set(NAMING_A_GAME)
