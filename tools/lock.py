"""Writes requirements.lock: all Python packages at the versions that pip selects today.

Reads pyproject.toml (runtime, the extras ``cpu``, ``mcp``, ``postgres``, ``rl`` and ``dev``, the build backend),
installs into a temporary environment and freezes it. Called by ``make lock``; ``make build`` installs from the lock
file.
"""

import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEADER = "# Made by `make lock` from pyproject.toml; not edited by hand.\n"


def wanted() -> list[str]:
    """The requirements in pyproject.toml for development."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = pyproject["project"]
    extras = project["optional-dependencies"]
    chosen = (requirement for name in ("cpu", "mcp", "postgres", "rl", "dev") for requirement in extras[name])
    return [*project["dependencies"], *chosen, *pyproject["build-system"]["requires"]]


def freeze(requirements: list[str]) -> list[str]:
    """The ``name==version`` lines of a fresh environment with these requirements."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [str(Path(folder, "bin", "python")), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", *requirements], check=True)
        frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout
    return [line for line in frozen.splitlines() if "==" in line and not line.startswith(("-", "#"))]


if __name__ == "__main__":
    lines = freeze(wanted())
    (ROOT / "requirements.lock").write_text(HEADER + "".join(f"{line}\n" for line in lines))
    sys.stdout.write(f"requirements.lock: {len(lines)} packages\n")
