"""What distinguishes one installation of Plyhouse from another: two of the same version may be built differently."""

import platform
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from engines import _core

SHOWN = 8
"""Digits of a hash that errors show."""


@dataclass(frozen=True)
class Build:
    """An installation."""

    version: str
    sources: str
    """A hash of the Python modules of the engines."""
    machine: str
    """The kind of machine that the core was compiled for."""
    core: str
    """A hash of the compiled core; builds for different machines have different ones."""

    def difference(self, other: "Build") -> str | None:
        """How another installation differs, as the end of a sentence about it; None if tasks give the same results."""
        if self.version != other.version:
            return f"Plyhouse {other.version}, and this is {self.version}"
        what = f"another build of Plyhouse {self.version}"
        if self.sources != other.sources:
            return f"{what} ({other.sources[:SHOWN]}, and this is {self.sources[:SHOWN]})"
        if self.machine == other.machine and self.core != other.core:
            return f"{what}: its core is {other.core[:SHOWN]}, and this one's is {self.core[:SHOWN]}"
        return None


@cache
def this_build() -> Build:
    """The installation that runs."""
    folder = Path(__file__).parent.parent
    sources = sha256()
    for path in sorted(folder.rglob("*.py")):
        sources.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    core = sha256(Path(_core.__file__).read_bytes())
    machine = f"{platform.system()} {platform.machine()}"
    return Build(version("plyhouse"), sources.hexdigest(), machine, core.hexdigest())
