"""Writes the answers in the engine's golden sessions anew, after a change of the search that is meant."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
COMMAND = [sys.executable, "-c", "from server.cli import app; app()", "engine"]


def rewrite(path: Path) -> None:
    """Asks the engine once more, one question after the other as the file has them."""
    lines = path.read_text().splitlines()
    remarks = [line for line in lines if line.startswith("#")]
    asked = [line[2:] for line in lines if line.startswith("> ")]
    options = next(line for line in remarks if line.startswith("# options:")).split()[2:]
    done = subprocess.run(
        [*COMMAND, *options],
        input="\n".join(asked) + "\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    answers = done.stdout.splitlines()
    pairs = [line for pair in zip(asked, answers, strict=True) for line in (f"> {pair[0]}", f"< {pair[1]}")]
    path.write_text("\n".join([*remarks, *pairs]) + "\n")


if __name__ == "__main__":
    for file in sorted(FOLDER.glob("*.txt")):
        rewrite(file)
