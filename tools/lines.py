"""Counts lines of Python code for each package: without blank lines, comments and docstrings.

python tools/lines.py [REVISION …]    of the tree, or of these commits
"""

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PRODUCT = ("engines", "protocols", "plyhouse", "server", "programs", "drivers", "commands")
PACKAGES = (*PRODUCT, "tests", "benchmarks", "tools")
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def code_lines(source: str) -> int:
    """The number of lines that have code."""
    docstrings = {line for node in ast.walk(ast.parse(source)) for line in _string_statement(node)}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def _string_statement(node: ast.AST) -> Iterator[int]:
    """The lines of a statement that is only a string: a docstring, also one of a constant or a member."""
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ):
        yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def files_of(revision: str | None) -> Iterator[tuple[str, str]]:
    """Every Python file of a commit, or of the tree: its path and text."""
    paths = (
        _git("ls-tree", "-r", "--name-only", revision)
        if revision
        else _git("ls-files", "-co", "--exclude-standard")
    )
    for path in paths.split():
        if not path.endswith(".py") or path.split("/")[0] not in PACKAGES:
            continue
        if revision:
            yield path, _git("show", f"{revision}:{path}")
        elif Path(path).exists():
            yield path, Path(path).read_text()


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout  # noqa: S607 from the path


def main() -> None:
    """Prints one row for each package, and their totals."""
    columns = {}
    revisions: list[str | None] = [*sys.argv[1:]]
    for revision in revisions or [None]:
        counted: Counter[str] = Counter()
        for path, text in files_of(revision):
            counted[path.split("/")[0]] += code_lines(text)
        counted["product"] = sum(counted[package] for package in PRODUCT)
        columns[revision or "tree"] = counted
    print(f"{'':12}", *(f"{name[:10]:>10}" for name in columns))
    for package in (*PACKAGES, "product"):
        print(f"{package:12}", *(f"{counted[package]:10,}" for counted in columns.values()))


if __name__ == "__main__":
    main()
