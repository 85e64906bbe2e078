"""A PyRat bot of the tests, in the text protocol: ``python -m tests.server.pyrat_bot_script MANNER [FILE]``.

It walks at random, and behaves as one of the bots that there are, or as none should:

``walks``     only that
``notes``     writes every line of the host into the file
``late``      answers no ``go``, but everything else
``deaf``      answers nothing after its first ``go``, unless it was started with ``recover``
``hangs``     answers nothing after a ``go``
``dies``      exits at its third ``go``, with a last word on stderr
``quits``     closes its output at its third ``go``, and stays
``mute``      answers nothing at all
``blind``     reads nothing after its first ``go``
``babbles``   writes what is no command, lines that are too long, and bytes that are no text
``cheats``    answers for both seats
``floods``    writes information without an end
``noisy``     fills its stderr
"""

import random
import sys
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

from tests.server.scripted import Act, Exits, Said, run

DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT")
LONG = "x" * 100_000


class PyratBot:
    """One bot."""

    def __init__(self, manner: str, file: str = "") -> None:
        self.manner = manner
        self.file = file
        self.turn = 0
        self.rng = random.Random(7)
        self.is_recovered = False

    def greet(self) -> Iterator[Said]:
        if self.manner == "mute":
            yield Act.HANG

    def answer(self, line: str) -> Iterator[Said]:
        if self.manner == "notes":
            with Path(self.file).open("a") as notes:
                print(line, file=notes)
        match keyword := line.partition(" ")[0]:
            case "pyrat":
                yield f"id name Script {self.manner}\nid author the tests"
                yield "option name Mood type combo default calm var calm var wild\npyratready"
            case "isready" | "ready?":
                yield {"isready": "readyok", "ready?": "ready"}[keyword]
            case "startpreprocessing" | "startpostprocessing":
                yield f"{keyword.removeprefix('start')}done"
            case "recover":
                self.is_recovered = True
            case "go":
                self.turn += 1
                yield from self.think()
                if self.manner == "blind":
                    yield Act.HANG

    def think(self) -> Iterator[Said]:
        match self.manner:
            case "hangs":
                yield Act.HANG
            case "deaf" if not self.is_recovered:
                yield Act.HANG
            case "dies" if self.turn == 3:
                raise Exits(3, "no cheese left to live for")
            case "quits" if self.turn == 3:
                yield Act.CLOSE
            case "babbles":
                yield LONG
                yield "Traceback (most recent call last):"
                yield b"\xff\xfe move \x00 UP\n"
                yield "preprocessingdone ready readyok pyratready\nmove NORTH"
            case "floods":
                yield from repeat("info nodes 1 string still here")
            case "cheats":
                yield "move UP/DOWN"
            case "late":
                pass
            case _:
                if self.manner == "noisy":
                    print("\n".join(["x" * 100] * 200), file=sys.stderr, flush=True)
                yield f"info depth 1 pv UP target (0,0)\nmove {self.rng.choice(DIRECTIONS)}"


if __name__ == "__main__":
    run(PyratBot(*sys.argv[1:]))
