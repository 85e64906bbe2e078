"""Who may import whom: the contracts of pyproject.toml for Python, the ``crate::`` paths for the Rust core.

In Rust: python -> games/mod -> {a game, search} -> the foundation. A search names no game, and a game names
neither a search nor another game.
"""

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

from engines import games

ROOT = Path(__file__).parent.parent
CRATE = ROOT / "engines" / "core" / "src"
RUST_FILES = sorted(path.relative_to(CRATE).as_posix() for path in CRATE.rglob("*.rs"))

FOUNDATION = {
    "evaluation",
    "evaluator",
    "hidden",
    "moves",
    "near_names",
    "planes",
    "points",
    "repetition",
    "rules",
    "splitmix",
    "symmetric",
    "walking",
}
ERASURE = FOUNDATION | {"position", "search", "cache", "batch", "flat", "environments"}
SEARCHES = {"Batch", "Cache", "Report", "Search"}


def allowed_modules(file: str) -> set[str]:
    """The modules of the crate that a file of it may name."""
    top, _, rest = file.removesuffix(".rs").partition("/")
    if top in ("lib", "python"):
        return ERASURE | {"games", "python"}
    if top == "games":
        return ERASURE | {"games"} if rest == "mod" else FOUNDATION
    if top in ("position", "batch", "environments"):
        return ERASURE
    return FOUNDATION | {"search"} if top == "search" else FOUNDATION


def rust_code(file: str) -> str:
    """The file without its comments."""
    return re.sub(r"//.*", "", (CRATE / file).read_text())


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def test_import_contracts() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_rust_files_name_only_layers_below() -> None:
    # A brace is in no layer: `use` lines name one module each, so that this test and a reader see it.
    named = {file: set(re.findall(r"\bcrate::(\w+|\{)", rust_code(file))) for file in RUST_FILES}
    assert any(named.values())
    above = {file: modules - allowed_modules(file) for file, modules in named.items()}
    assert {file: modules for file, modules in above.items() if modules} == {}


def test_only_one_rust_module_names_python() -> None:
    naming = [file for file in RUST_FILES if re.search(r"\b(pyo3|numpy)::", rust_code(file))]
    parts = ["environments", "evaluators", "json", "positions", "reports", "searches", "tree"]
    assert naming == ["python.rs", *(f"python/{part}.rs" for part in parts)]


def test_protocols_take_positions_but_no_searches() -> None:
    for path in (ROOT / "protocols").rglob("*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and node.module == "engines":
                assert not SEARCHES & {alias.name for alias in node.names}, path


def test_no_two_classes_have_the_same_name() -> None:
    """A reader who searches for a class finds one. The public API has names of its own, for the other side."""
    classes = Counter(
        node.name
        for package in PACKAGES
        if package != "plyhouse"
        for path in (ROOT / package).rglob("*.py")
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in classes.items() if count > 1] == []


# ---- games ---------------------------------------------------------------------------------------

GAMES = {game.name for game in games()}
NAME_OF_A_GAME = re.compile(rf"(?<![\w-])({'|'.join(GAMES)})(?![\w-])")

ABOUT_ONE_GAME = (
    "engines/puzzles/themes/[!_]*.py",
    "engines/text_boards/drawings/[!_]*.py",
    "protocols/dialects/wallwars.py",
    "protocols/pyrat/*",
    "protocols/records/hive*.py",
    "protocols/records/prf*.py",
    "protocols/records/puzzle.py",
    "protocols/records/hive_text.py",
    "protocols/records/wallwars.py",
    "protocols/uhp/*",
    "protocols/variations/hive*.py",
    "programs/check/pyrat*.py",
    "programs/check/uhp*.py",
    "programs/pyrat/*",
    "programs/uhp/*",
    "commands/uhp*",
    "drivers/asked_engine.py",
    "server/*/uhp*",
    "server/services/uhp/*",
    "server/routes/wallwars.py",
)
"""The files that may know which game is played: a site's dialect, formats of records, and the protocol of Hive."""

REGISTRIES = (
    "engines/puzzles/themes/__init__.py",
    "engines/text_boards/drawings/__init__.py",
    "protocols/dialects/__init__.py",
    "protocols/records/formats.py",
    "protocols/variations/tree_formats.py",
    "programs/check/kinds.py",
    "programs/kinds.py",
    "server/routes/dialects.py",
)
"""The files that find those by the name of a game, for everybody else."""

EXEMPT = {
    "engines/training/boards.py": "on which boards a network is trained is our choice, not the rules'",
    "commands/analyze.py": "a format may be called like its game",
    "commands/arena.py": "plays the first game of the catalogue by default",
    "commands/check.py": "a protocol may be called like its game",
    "commands/arena_bots.py": "a kind of programs may be called like its game",
    "commands/engine.py": "a protocol may be called like its game",
    "commands/match_options.py": "matches are of the first game of the catalogue by default",
    "commands/perft.py": "counts the first game of the catalogue by default",
    "commands/tournament.py": "plays the first game of the catalogue by default",
}
"""Other files that hold what names a game, and why."""

NEED_TORCH = {
    f"engines/training/{name}.py"
    for name in (
        "backend",
        "export",
        "feature_run",
        "fit",
        "fit_perceptron",
        "network",
        "plots",
        "quantise",
        "ray_trainer",
        "run",
    )
} | {"engines/torch_model.py", "commands/train.py"}
"""Files that cannot be imported here, as the extra ``train`` is not installed: only their texts are looked at."""


def is_about_one_game(file: str) -> bool:
    return any(fnmatch(file, pattern) for pattern in ABOUT_ONE_GAME)


def names_a_game(value: object) -> bool:
    """Whether it is the name of a game, has one in it, or is a module that may know one."""
    match value:
        case str():
            return value in GAMES
        case ModuleType():
            path = value.__name__.replace(".", "/")
            return is_about_one_game(f"{path}.py") or is_about_one_game(f"{path}/")
        case dict():
            return any(names_a_game(part) for part in (*value.keys(), *value.values()))
        case tuple() | list() | set() | frozenset():
            return any(names_a_game(part) for part in value)
        case _:
            return False


def values_of(thing: object) -> Iterator[object]:
    """What a module, class or function is made of."""
    if isinstance(thing, FunctionType):
        yield from (*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values())
    if isinstance(thing, type):
        yield from (field.default for field in getattr(thing, "__pydantic_fields__", {}).values())
    if isinstance(thing, ModuleType | type):
        for name, value in vars(thing).items():
            is_own = not name.startswith("__") or name == "__init__"
            if is_own and not isinstance(value, ModuleType):  # An imported one is seen in ``imported``.
                yield value
                if getattr(value, "__module__", None) == getattr(thing, "__module__", thing.__name__):
                    yield from values_of(value)


def imported(nodes: list[ast.AST]) -> Iterator[object]:
    """What a file imports, at its top or within a function."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (importlib.import_module(alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES):
            module = importlib.import_module(node.module or "")
            yield from (getattr(module, alias.name) for alias in node.names)


def texts_of(nodes: list[ast.AST]) -> Iterator[str]:
    """Strings of a file that are no docstrings."""
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.value


def reached(node: ast.expr, module: ModuleType) -> object:
    """What a dotted name in a module stands for; None where that is not known before it runs."""
    match node:
        case ast.Name():
            return vars(module).get(node.id)
        case ast.Attribute():
            return getattr(reached(node.value, module), node.attr, None)
        case _:
            return None


def knows_a_game(module: ModuleType, tree: ast.Module) -> bool:
    """Whether a module names a game, by a literal, an import, a dotted name or any value that it holds."""
    nodes = list(ast.walk(tree))
    dotted = (reached(node, module) for node in nodes if isinstance(node, ast.Attribute))
    held = (*imported(nodes), *dotted, *values_of(module))
    return any(NAME_OF_A_GAME.search(text) for text in texts_of(nodes)) or any(map(names_a_game, held))


PACKAGES = ("commands", "drivers", "engines", "plyhouse", "programs", "protocols", "server")
GENERAL_FILES = [
    file
    for package in PACKAGES
    for file in sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*.py"))
    if not is_about_one_game(file) and file not in {*REGISTRIES, *NEED_TORCH} and "/migrations/" not in file
]


def module_of(file: str) -> ModuleType:
    return importlib.import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def test_no_other_file_names_a_game() -> None:
    naming = [file for file in GENERAL_FILES if knows_a_game(module_of(file), parsed(ROOT / file))]
    assert sorted(naming) == sorted(EXEMPT)


def test_no_text_of_the_training_names_a_game() -> None:
    texts = {file: texts_of(list(ast.walk(parsed(ROOT / file)))) for file in NEED_TORCH}
    assert [file for file, said in texts.items() if any(map(NAME_OF_A_GAME.search, said))] == []


def test_every_file_about_one_game_exists() -> None:
    for pattern in (*ABOUT_ONE_GAME, *REGISTRIES):
        assert list(ROOT.glob(pattern)), pattern


WAYS = (
    "def f(game):\n    return game == 'wallwars'",
    "HELP = f'the default is wallwars, {1}'",
    "NAME = 'wall' + 'wars'",
    "CHOICES = {'wall' + 'wars': 1}",
    "def f(*, game='wall' + 'wars'): ...",
    "class Query:\n    def __init__(self, game='hi' + 've'): ...",
    "from protocols.dialects.wallwars import GAME",
    "from protocols.dialects import wallwars as w",
    "import protocols.dialects.wallwars",
    "from protocols import dialects\ndef f(game):\n    return game == dialects.wallwars.GAME",
    "def f():\n    from protocols.uhp.game_string import GAME",
    "def f():\n    from protocols.uhp import game_string",
)
"""Sources that name a game, each in another way."""


def names_one(source: str) -> bool:
    module = ModuleType("sample")
    exec(source, vars(module))  # noqa: S102 - one of the samples above
    return knows_a_game(module, ast.parse(source))


def test_every_way_to_name_a_game_is_seen() -> None:
    assert [source for source in WAYS if not names_one(source)] == []


def test_the_page_names_games_in_their_boards_alone() -> None:
    source = ROOT / "web" / "src"
    quoted = re.compile(rf"""["'`/.]({"|".join(GAMES)})\b|\b({"|".join(GAMES)}):""")
    naming = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.ts")
        if quoted.search(path.read_text())
    }
    assert naming
    assert {name for name in naming if not name.startswith(("boards/", "texts/"))} == set()
