"""An empty database with today's tables, as tests start from it: copied, not migrated anew for each of them."""

import shutil
import tempfile
from functools import cache
from pathlib import Path

from server.adapters.sql_migrate import migrate


def provide(database: Path) -> None:
    """Puts an empty database at this path, unless there is one."""
    if not database.exists():
        database.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_empty(), database)


@cache
def _empty() -> Path:
    path = Path(tempfile.mkdtemp(prefix="plyhouse")) / "empty.sqlite3"
    migrate(f"sqlite:///{path}")
    return path
