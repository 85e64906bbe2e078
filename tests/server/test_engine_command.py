"""``plyhouse engine`` as a child process: golden sessions, many sessions, invalid input, signals."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.server.program import PROGRAM, ROOT, run_command

GOLDEN = ROOT / "tests" / "golden" / "engine"
SESSIONS = sorted(GOLDEN.glob("*.txt"))
COMMAND = [*PROGRAM, "engine"]

Json = dict[str, Any]

PAWNS = {"p1": {"cat": [0, 0], "mouse": [3, 0]}, "p2": {"cat": [0, 3], "mouse": [3, 3]}}
CONFIG = {
    "variant": "standard",
    "boardWidth": 4,
    "boardHeight": 4,
    "initialState": {"pawns": PAWNS, "walls": []},
}


def ask(lines: bytes, *options: str) -> tuple[int, list[str], str]:
    """Runs the engine on ``lines``; returns the exit status, the lines of stdout and the text of stderr."""
    done = run_command("engine", *options, given=lines)
    return done.returncode, done.stdout.splitlines(), done.stderr


def start(bgs_id: str) -> Json:
    return {"type": "start_game_session", "bgsId": bgs_id, "botId": "b", "config": CONFIG}


def evaluate(bgs_id: str, ply: int = 0) -> Json:
    return {"type": "evaluate_position", "bgsId": bgs_id, "expectedPly": ply}


def text(*messages: Json) -> bytes:
    return "".join(json.dumps(message) + "\n" for message in messages).encode()


def test_a_search_takes_its_share_of_the_clock() -> None:
    timed = {**evaluate("a"), "clock": {"remainingMs": 3000, "incrementMs": 0}}
    status, lines, _ = ask(text(start("a"), timed), "--samples", "1000000000", "--threads", "1")
    assert (status, json.loads(lines[1])["success"]) == (0, True)


@contextmanager
def running(*options: str, given: bytes) -> Iterator[tuple["subprocess.Popen[bytes]", IO[bytes], IO[bytes]]]:
    """An engine that has been given these lines, with its stdout and its stderr."""
    pipe = subprocess.PIPE
    child = subprocess.Popen([*COMMAND, *options], stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT)
    with child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        try:
            child.stdin.write(given)
            child.stdin.flush()
            yield child, child.stdout, child.stderr
        finally:
            child.kill()


def golden(path: Path) -> tuple[list[str], bytes, list[str]]:
    """Returns the options, the input and the output lines of a golden session."""
    content = path.read_text()
    options = re.findall(r"^# options: (.*)$", content, re.MULTILINE)[0].split()
    asked = "".join(f"{line}\n" for line in re.findall(r"^> (.*)$", content, re.MULTILINE))
    return options, asked.encode(), re.findall(r"^< (.*)$", content, re.MULTILINE)


def masked(answer: str) -> str:
    """Returns an answer without the results of the search."""
    found = re.sub(r'"bestMove":"[^"]+","evaluation":[-0-9.e]+', '"bestMove":"*","evaluation":*', answer)
    return re.sub(r'"values":\[[^]]+\],"policies":\[[^]]+\]', '"values":*,"policies":*', found)


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_golden_sessions(path: Path) -> None:
    options, asked, expected = golden(path)
    status, answers, _ = ask(asked, *options)
    assert [masked(answer) for answer in answers] == expected
    assert status == 0


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_equal_seeds_give_equal_results(path: Path) -> None:
    options, asked, _ = golden(path)
    _, once, _ = ask(asked, *options, "--threads", "1")
    _, again, _ = ask(asked, *options, "--threads", "4")
    assert once == again


def test_unusable_input_is_reported_and_not_answered() -> None:
    junk = [b"[]", b"{", b'{"type":"hello"}', b"\xff\xfe", b"", b"x" * 70_000, b'{"type":1}']
    status, answers, log = ask(b"\n".join([*junk, text(start("a"))]))
    assert (status, len(answers)) == (0, 1)
    assert log.count("ignored a line") == len(junk) - 1


def test_a_last_line_without_a_line_break_is_answered() -> None:
    status, answers, _ = ask(text(start("a"), evaluate("a")).rstrip(b"\n"), "--samples", "20")
    assert (status, len(answers)) == (0, 2)


def test_256_concurrent_sessions() -> None:
    names = [f"s{index}" for index in range(257)]
    messages = [*map(start, names), *map(evaluate, names), *map(evaluate, names[:256])]
    status, answers, _ = ask(text(*messages), "--samples", "50")
    assert status == 0
    found = [json.loads(answer) for answer in answers]
    refused = [one["error"] for one in found if not one["success"]]
    assert refused == ["Maximum session limit reached (256)", "Session s256 not found"]
    assert len(found) == 257 + 257 + 256
    moves = {one["bestMove"] for one in found if one["type"] == "evaluate_response" and one["success"]}
    assert len(moves) <= 2, "equal sessions are searched equally"


def test_a_long_search_does_not_delay_others() -> None:
    given = text(start("slow"), evaluate("slow"), start("quick"))
    with running("--samples", "100000000", given=given) as (_, stdout, _):
        answers = [json.loads(stdout.readline()) for _ in range(2)]
        assert [answer["bgsId"] for answer in answers] == ["slow", "quick"]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_cleanly(how: signal.Signals) -> None:
    with running("--samples", "100000000", given=text(start("a"), evaluate("a"))) as (child, stdout, stderr):
        stdout.readline()
        child.send_signal(how)
        assert child.wait(timeout=60) == 0
        assert b"Traceback" not in stderr.read()


def test_a_closed_stdout_ends_it_with_one_line() -> None:
    with running("--samples", "10", given=text(start("a"))) as (child, stdout, stderr):
        stdout.readline()
        stdout.close()
        assert child.stdin is not None
        child.stdin.write(text(start("b")))
        child.stdin.flush()
        assert child.wait(timeout=60) == 1
        assert stderr.read() == b"plyhouse engine: stdout was closed by its reader\n"


def test_inherited_simulations_are_reported_to_the_operator() -> None:
    move = {"type": "apply_move", "bgsId": "a", "expectedPly": 0, "move": "Cb4"}
    _, _, log = ask(
        text(start("a"), evaluate("a"), evaluate("a"), move, evaluate("a", 1)), "--samples", "200"
    )
    inherited = [int(count) for count in re.findall(r"inherited (\d+)", log)]
    assert inherited[1] > 200
    assert len(inherited) == 3


def test_a_session_can_have_its_own_limits() -> None:
    own = {**start("a"), "config": {**CONFIG, "limits": {"samples": 5}}}
    _, _, log = ask(text(own, evaluate("a")), "--samples", "5000")
    assert int(re.findall(r"samples (\d+)", log)[0]) < 50


def test_a_book_answers_without_a_search(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("wallwars standard 4x4 | Cb3 Cc3 | 1 0.25\n")
    status, answers, told = ask(text(start("a"), evaluate("a")), "--book", str(book))
    assert status == 0
    found = json.loads(answers[1])
    assert (found["bestMove"], found["evaluation"]) == ("Cb3", 0.25)
    assert "samples 0" in told
    assert "source book" in told


def test_a_bad_book_stops_the_start(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("wallwars standard 4x4 | Cd1 | 1\n")
    status, answers, told = ask(b"", "--book", str(book))
    assert (status, answers) == (1, [])
    assert len(told.splitlines()) == 1
    assert "book.txt, line 1: " in told


def test_the_last_words_of_a_program_are_its_text_and_not_a_frame(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nprint('╭──╮\\n│ No such option. │\\n╰──╯', file=sys.stderr)\nsys.exit(2)\n"
    )
    done = run_command("engine", "--uhp", f"{sys.executable} {script}")
    assert "The engine has ended (exit status 2: No such option.)." in done.stderr
