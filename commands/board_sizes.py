"""Board sizes as commands take them: ``8x8``."""

import re

from engines import BadConfig

SIZE = re.compile(r"(\d{1,2})x(\d{1,2})", re.ASCII)


def read_size(text: str) -> tuple[int, int]:
    """Columns and rows. Raises BadConfig."""
    found = SIZE.fullmatch(text)
    if found is None:
        raise BadConfig(f"the board '{text}' is not columns x rows, such as 8x8")
    return int(found[1]), int(found[2])


def board_config(text: str) -> dict[str, int]:
    """The configuration of a game on such a board. Raises BadConfig."""
    columns, rows = read_size(text)
    return {"boardWidth": columns, "boardHeight": rows}
