"""A PyRat bot of the tests, in the text protocol: ``python pyrat_bot_script.py MANNER [FILE]``.

It walks at random, and behaves as one of the bots that there are, or as none should:

``walks``     only that
``notes``     writes every line of the host into the file
``late``      answers no ``go``, but everything else
``deaf``      answers nothing after its first ``go``, unless it was started with ``recover``
``hangs``     answers nothing after a ``go``
``dies``      exits at its third ``go``, with a last word on stderr
``quits``     closes its output at its third ``go``, and stays
``mute``      answers nothing at all
``blind``     reads nothing after the handshake
``babbles``   writes what is no command, lines that are too long, and bytes that are no text
``cheats``    answers for both seats
``floods``    writes information without an end
``noisy``     fills its stderr
``parent``    starts a process that would stay for ever, and writes its id into the file
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT")
LONG = "x" * 100_000


def say(text: str) -> None:
    print(text, flush=True)


def think(manner: str, turn: int) -> None:
    """What the bot does before its move."""
    if manner == "hangs":
        time.sleep(3600)
    if manner == "dies" and turn == 3:
        print("no cheese left to live for", file=sys.stderr, flush=True)
        sys.exit(3)
    if manner == "quits" and turn == 3:
        os.close(sys.stdout.fileno())
        time.sleep(3600)
    if manner == "babbles":
        say(LONG)
        say("Traceback (most recent call last):")
        sys.stdout.buffer.write(b"\xff\xfe move \x00 UP\n")
        say("preprocessingdone ready readyok pyratready")
    if manner == "floods":
        while True:
            say("info nodes 1 string still here")
    if manner == "noisy":
        print(LONG, file=sys.stderr, flush=True)


def answer(manner: str, turn: int, rng: random.Random) -> None:
    think(manner, turn)
    if manner == "cheats":
        say("move UP/DOWN")
    elif manner == "babbles":
        say("move NORTH")
    elif manner != "late":
        say(f"info depth 1 pv UP target (0,0)\nmove {rng.choice(DIRECTIONS)}")


def play(manner: str, file: str) -> None:
    turn, rng, is_recovered = 0, random.Random(7), False
    for line in sys.stdin:
        keyword = line.split()[0] if line.split() else ""
        if manner == "notes":
            with Path(file).open("a") as notes:
                notes.write(line)
        is_recovered = is_recovered or keyword == "recover"
        if keyword == "pyrat":
            say(
                f"id name Script {manner}\nid author the tests\n"
                "option name Mood type combo default calm var calm var wild\npyratready"
            )
            if manner == "blind":
                time.sleep(3600)
        elif keyword == "isready":
            say("readyok")
        elif keyword == "ready?":
            say("ready")
        elif keyword in ("startpreprocessing", "startpostprocessing"):
            say(f"{keyword.removeprefix('start')}done")
        elif keyword == "go":
            turn += 1
            if manner == "deaf" and not is_recovered:
                time.sleep(3600)
            answer(manner, turn, rng)


def main() -> None:
    manner, file = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else "")
    if manner == "mute":
        time.sleep(3600)
    if manner == "parent":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        Path(file).write_text(str(child.pid))
    play(manner, file)


if __name__ == "__main__":
    main()
