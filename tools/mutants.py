"""Makes small faults in the code, one at a time, and checks that the tests notice each.

    python tools/mutants.py draw 30 --seed 30 >tests/mutants.jsonl     choose the faults
    python tools/mutants.py run tests/mutants.jsonl                    run the tests with each of them

A fault is stored as the line with and without it, so that the list survives when files move. Runs in a copy of the
tree; the tests nearest to the faulty module, by imports, run first.
"""

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("engines", "protocols", "server", "programs", "drivers", "commands")
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
SECONDS, NEAREST = 900, 30


def sources() -> list[Path]:
    """The modules that may get a fault. Migrations run once, and training has tests that need torch."""
    paths = [path for package in PACKAGES for path in sorted(Path(package).rglob("*.py"))]
    return [path for path in paths if not {"migrations", "training", "core"} & set(path.parts)]


def faulty(node: ast.AST) -> ast.AST | None:
    """The same node with a small fault, or None if this kind of node gets none."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in OPERATORS:
            return ast.Compare(node.left, [OPERATORS[type(operator)]()], node.comparators)  # type: ignore[list-item]
        case ast.BoolOp(op=operator):
            return ast.BoolOp(OPERATORS[type(operator)](), node.values)  # type: ignore[arg-type]
        case ast.BinOp(op=ast.Add() | ast.Sub() as operator):
            return ast.BinOp(node.left, OPERATORS[type(operator)](), node.right)  # type: ignore[arg-type]
        case ast.UnaryOp(op=ast.Not()):
            return node.operand
        case ast.Constant(value=bool() as value):
            return ast.Constant(not value)
        case ast.Constant(value=int() as value):
            return ast.Constant(value + 1)
    return None


def faults(path: Path) -> Iterator[tuple[str, str]]:
    """Every line that can get a fault, without and with it."""
    text = path.read_text()
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.expr) or node.lineno != node.end_lineno:
            continue
        if (new := faulty(node)) is None:
            continue
        raw = lines[node.lineno - 1].encode()
        line = raw.decode()
        # A line that stands twice in the file could not be found again. Decorators choose how a class is stored.
        if lines.count(line) == 1 and not line.lstrip().startswith("@"):
            changed = raw[: node.col_offset] + ast.unparse(new).encode() + raw[node.end_col_offset :]
            yield line, changed.decode()


def draw(count: int, seed: int) -> None:
    """Prints faults in different modules, chosen with the seed."""
    generator = random.Random(seed)  # noqa: S311  the same seed chooses the same faults
    paths = sources()
    generator.shuffle(paths)
    for path in paths:
        if count and (found := sorted(faults(path))):
            count -= 1
            line, changed = generator.choice(found)
            print(json.dumps({"path": str(path), "line": line, "fault": changed}))


def imports(path: Path) -> Iterator[Path]:
    """The files of this project that a file imports; the command line imports its commands by name."""
    if path.name == "cli.py":
        yield from path.parent.rglob("*.py")
    for name in re.findall(
        r"^\s*(?:from|import) ([\w.]+)(?: import ([^\n]+))?", path.read_text(), re.MULTILINE
    ):
        module = Path(*name[0].split("."))
        names = [module / word for word in re.findall(r"\w+", name[1])] if name[1] else []
        for stem in (module, *names):
            yield from (file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.exists())


def nearest_tests(path: Path) -> list[str]:
    """The test files, those with the shortest chain of imports to a module first."""
    users: dict[Path, set[Path]] = {}
    for file in [*sources(), *Path("plyhouse").glob("*.py"), *Path("tests").rglob("*.py")]:
        for imported in imports(file):
            users.setdefault(imported, set()).add(file)
    found, queue = {path: None}, deque([path])
    while queue:
        new = sorted(users.get(queue.popleft(), set()) - found.keys())
        found.update(dict.fromkeys(new))
        queue.extend(new)
    tests = [str(file) for file in found if file.name.startswith("test_") and "training" not in file.parts]
    return tests[:NEAREST]


def where(line: str, path: str) -> Path | None:
    """The file that has the line now: the same, or the only one."""
    homes = [file for file in sources() if line in file.read_text().splitlines()]
    return next((file for file in homes if str(file) == path), homes[0] if len(homes) == 1 else None)


def check(fault: dict[str, str], pytest: list[str]) -> str:
    """Runs the tests with the fault; returns what they say about it."""
    path = where(fault["line"], fault["path"])
    if path is None:
        return "line is gone"
    original = path.read_text()
    tests = nearest_tests(path)
    path.write_text(original.replace(fault["line"] + "\n", fault["fault"] + "\n", 1))
    try:
        run = subprocess.run([*pytest, *tests], capture_output=True, text=True, timeout=SECONDS)
        names = re.findall(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)
        return f"killed by {names[0] if names else run.stdout[-200:]!r}" if run.returncode else "SURVIVED"
    except subprocess.TimeoutExpired:
        return f"killed: it never ended ({SECONDS} s)"
    finally:
        path.write_text(original)


def main() -> None:
    """Draws faults, or checks them in a copy of the tree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("action", choices=("draw", "run"))
    parser.add_argument("what", help="how many, or the file with the list")
    parser.add_argument("--seed", type=int, default=30)
    chosen = parser.parse_args()
    if chosen.action == "draw":
        return draw(int(chosen.what), chosen.seed)
    listed = [json.loads(line) for line in Path(chosen.what).read_text().splitlines()]
    python = str(Path(sys.prefix, "bin", "python"))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "tree")
        shutil.copytree(
            ".", copy, ignore=shutil.ignore_patterns(".venv", "target", "node_modules", ".git", ".build")
        )
        (copy / ".venv").symlink_to(Path(".venv").resolve())
        os.chdir(copy)
        os.environ["PYTHONPATH"] = str(copy)
        for number, fault in enumerate(listed, 1):
            started = time.monotonic()
            words = check(fault, [python, "-m", "pytest", "-x", "-q", "-n2", "--dist=loadfile"])
            seconds = time.monotonic() - started
            print(
                f"{number:2} {seconds:4.0f} s  {fault['path']}: {fault['fault'].strip()[:70]}: {words}",
                flush=True,
            )
    return None


if __name__ == "__main__":
    main()
