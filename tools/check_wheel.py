"""Checks that a wheel has the files that the program reads at run time: networks with their cards, and the page.

``make wheel`` calls it with the folder of the wheel it has built. Prints what is missing and exits with status 1.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
PATTERNS = (
    "engines/explorer/trees/*",
    "engines/models/*",
    "engines/openings/*",
    "engines/pictures/fonts/*",
    "engines/pictures/script/*",
    "engines/puzzles/data/*",
    "engines/*.json",
    "plyhouse/page/**/*",
    "server/migrations/**/*.py",
)


def missing(wheel: Path, root: Path = ROOT) -> Iterator[str]:
    """The files below ``root`` that the wheel lacks, or has with another content."""
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for file in sorted(file for pattern in PATTERNS for file in root.glob(pattern) if file.is_file()):
            name = file.relative_to(root).as_posix()
            if name not in names or archive.read(name) != file.read_bytes():
                yield name


def main() -> None:
    """Checks the newest wheel of the folder."""
    wheel = max(Path(sys.argv[1]).glob("*.whl"), key=lambda file: file.stat().st_mtime)
    lacking = list(missing(wheel))
    if lacking:
        sys.exit(f"{wheel} lacks {', '.join(lacking)}")


if __name__ == "__main__":
    main()
