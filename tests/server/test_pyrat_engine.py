"""Our engine as a PyRat bot of the text protocol: ``plyhouse engine --protocol pyrat`` as a child process."""

import subprocess

from programs.pyrat.thinking import searches
from protocols.pyrat.text.lines import DIRECTIONS
from tests.server.program import PLYHOUSE, ROOT

BOARD = [
    "maze height:3 width:3",
    "walls (0,0)-(1,0)",
    "mud (2,1)-(2,2):2",
    "cheese (0,2) (1,1) (2,0)",
    "player1 rat (0,0)",
    "player2 python (2,2)",
]


class Child:
    """``plyhouse engine --protocol pyrat`` as a child process, spoken to line by line."""

    def __init__(self, *options: str) -> None:
        command, pipe = [*PLYHOUSE, "engine", "--protocol", "pyrat", *options], subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:
            self.process.kill()

    def tell(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, keyword: str) -> list[str]:
        """The lines up to one that begins with the keyword."""
        assert self.process.stdout is not None
        lines: list[str] = []
        while not lines or lines[-1].split()[0] != keyword:
            lines.append(self.process.stdout.readline())
            assert lines[-1], "the engine has ended"
        return [line.rstrip("\n") for line in lines]


def test_it_answers_while_it_thinks_and_stops_when_told() -> None:
    with Child() as child:
        child.tell("pyrat")
        assert child.until("pyratready")[2].startswith(
            f"option name Search type combo default {searches()[0]} "
        )
        child.tell("newgame", *BOARD, "youare rat", "timecontrol move:3600000", "startpreprocessing")
        child.until("preprocessingdone")
        child.tell("moves rat:STAY python:STAY", "go", "isready")
        assert child.until("readyok")[-1] == "readyok"
        child.tell("nonsense", "x" * 3_000_000, "isready")
        assert "move" not in [line.split()[0] for line in child.until("readyok")]
        child.tell("stop")
        assert child.until("move")[-1] in {f"move {direction}" for direction in ("UP", "STAY")}
        child.tell("moves rat:UP python:LEFT", "go", "timeout move:STAY", "ready?")
        assert "move" not in [line.split()[0] for line in child.until("ready")]
        child.tell("moves rat:STAY python:DOWN", "go", "stop")
        *told, move = child.until("move")
        assert move.split()[1] in DIRECTIONS
        assert told[-1].startswith("info nodes ")
        child.tell("gameover winner:python score:0-2", "startpostprocessing")
        child.until("postprocessingdone")
        assert child.process.stdin is not None
        child.process.stdin.close()
        assert child.process.wait(timeout=60) == 0
        assert child.process.stderr is not None
        said = child.process.stderr.read()
        assert said.splitlines() == [
            "ignored 'nonsense': unknown command",
            "ignored a line of more than 1048576 bytes",
        ]


def test_equal_seeds_give_equal_moves() -> None:
    """Of searches limited by samples: the time does not run out."""

    def moves() -> list[str]:
        with Child("--samples", "300", "--seed", "5") as child:
            child.tell("pyrat", "newgame", *BOARD, "youare rat", "timecontrol move:3600000", "go")
            found = child.until("move")[-1:]
            for turn in ("rat:UP python:LEFT", "rat:UP python:DOWN"):
                child.tell(f"moves {turn}", "go")
                found += child.until("move")[-2:]
        return [line.split(" time ")[0] for line in found]

    found = moves()
    assert len(found) == 5
    assert found == moves()
