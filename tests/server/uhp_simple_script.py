"""An AI of the tests that reads GameStrings and writes moves, one a line: always the first legal move.

What it reads is also kept in the file that its argument names.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from protocols.uhp.game_string import parse, replay
from tests.server.scripted import Said, run


class SimpleAi:
    """One AI."""

    def __init__(self, file: str) -> None:
        self.file = Path(file)

    def greet(self) -> Iterator[Said]:
        yield from ()

    def answer(self, line: str) -> Iterator[Said]:
        with self.file.open("a") as read:
            print(line, file=read)
        yield replay(parse(line)).legal_moves()[0]


if __name__ == "__main__":
    file = sys.argv[1]
    run(SimpleAi(file))
    with Path(file).open("a") as read:
        read.write("the end\n")
