"""``plyhouse uhp`` as a child process, for tests that are its viewer."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.server.program import PLYHOUSE, ROOT

COMMAND = [*PLYHOUSE, "uhp"]
OK = "ok"


class Child:
    """An engine with open pipes."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def send(self, text: str) -> None:
        """Writes text as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def answer(self) -> list[str]:
        """The lines before the next ``ok``."""
        assert self.process.stdout is not None
        lines: list[str] = []
        while (line := self.process.stdout.readline().decode().removesuffix("\n")) != OK:
            assert line or self.process.poll() is None, f"the engine ended after {lines}"
            lines.append(line)
        return lines

    def ask(self, line: str) -> list[str]:
        """The answer to one command, without its ``ok``."""
        self.send(f"{line}\n")
        return self.answer()


@contextmanager
def running(*options: str, plyhouse: Sequence[str] = PLYHOUSE) -> Iterator[Child]:
    """An engine whose banner has been read."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*plyhouse, "uhp", *options], stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT
    ) as process:
        child = Child(process)
        try:
            assert child.answer()[1] == "Mosquito;Ladybug;Pillbug"
            yield child
        finally:
            process.kill()


def talk(text: bytes, *options: str) -> tuple[int, list[str], str]:
    """The exit status, all lines and the text of stderr of an engine that is given ``text`` at once."""
    done = subprocess.run([*COMMAND, *options], input=text, capture_output=True, cwd=ROOT, timeout=60)
    return done.returncode, done.stdout.decode().removesuffix("\n").split("\n"), done.stderr.decode()
