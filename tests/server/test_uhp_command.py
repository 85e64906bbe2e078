"""``plyhouse uhp`` as a child process: a golden session, time, signals, ends of pipes, habits of its clients."""

import re
import signal
import subprocess
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.server.program import PROGRAM, ROOT
from tests.server.uhp_child import COMMAND, running, talk

GOLDEN = ROOT / "tests" / "golden" / "uhp"
BANNER = [f"id Plyhouse v{version('plyhouse')}", "Mosquito;Ladybug;Pillbug", "ok"]
MIDDLE = (
    r"Base+MLP;InProgress;White[10];wG1;bL /wG1;wM wG1/;bM /bL;wA1 wM\;bQ bL\;wQ \wM;bP bM\;wP /wQ;bA1 /bM;wM bQ\;"
    r"bM wA1\;wB1 wQ\;bA2 bA1\;wB2 wM-;bA1 wB2\;wB1 wG1;bA2 wQ-"
)
PASSING = r"Base+MLP;InProgress;Black[4];wB1;bM wB1/;wQ -wB1;bQ \bM;wP \wQ;bQ -bM;wB1 bM"
FAR = "00:10:00"


def test_a_golden_session(tmp_path: Path) -> None:
    content = (GOLDEN / "command.txt").read_text()
    asked = "".join(f"{line}\n" for line in re.findall(r"^> (.*)$", content, re.MULTILINE))
    expected = re.findall(r"^< (.*)$", content, re.MULTILINE)
    status, lines, errors = talk(asked.encode())
    assert (status, errors) == (0, "")
    assert [written if said == "*" else said for said, written in zip(expected, lines, strict=True)] == lines


def test_the_banner_comes_unasked() -> None:
    with running():
        pass


def test_nothing_of_the_server_is_imported() -> None:
    program = (
        "import sys\nfrom commands.cli import app\ntry: app(['uhp'])\nexcept SystemExit: pass\n"
        "print(sorted({'fastapi', 'sqlmodel', 'numpy', 'rich'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([COMMAND[0], "-c", program], input=b"", capture_output=True, cwd=ROOT, timeout=60)
    assert (done.stdout.decode().splitlines(), done.stderr) == (BANNER, b"[]\n")


# ---- lines and ends -----------------------------------------------------------------------------------


def test_everything_that_is_buffered_is_answered_before_the_end() -> None:
    """As hive-hydra talks: two commands, and the pipe is closed at once."""
    status, lines, errors = talk(f"newgame {MIDDLE}\nbestmove time 00:00:01\n".encode(), "--threads", "1")
    banner, answers = lines[:3], lines[3:]
    assert (status, errors, banner) == (0, "", BANNER)
    game, ok, move, last = answers
    assert (game, ok, last) == (MIDDLE, "ok", "ok")
    assert re.fullmatch(r"[wb]\w+ .*", move)


def test_a_last_line_without_an_end_is_answered() -> None:
    assert talk(b"newgame\nplay wS1")[1][-2:] == ["Base;InProgress;Black[1];wS1", "ok"]


def test_what_follows_exit_is_not_answered() -> None:
    assert talk(b"exit\ninfo\n") == (0, BANNER, "")


def test_line_ends_blank_lines_runs_of_blanks_and_case() -> None:
    status, lines, _ = talk(b"\r\n\nNEWGAME\tBase+ML\r\n   \n  pLaY    WA1  \r\nValidMoves extra\n")
    assert status == 0
    assert lines[3:7] == ["Base+ML;NotStarted;White[1]", "ok", "Base+ML;InProgress;Black[1];wA1", "ok"]
    assert len(lines) == 9


def test_long_lines_and_other_bytes_than_text_are_refused() -> None:
    game = f"newgame {MIDDLE}".encode()
    status, lines, _ = talk(
        b"play " + b"x" * 1_100_000 + b"\n" + b"y" * 5_000_000 + b"\n\xff\xfe\x00\n" + game + b"\n"
    )
    too_long = "err a line has at most 1048576 bytes"
    unknown = "err Invalid command. Try 'help' to see a list of valid commands."
    assert (status, lines[3:]) == (0, [too_long, "ok", too_long, "ok", unknown, "ok", MIDDLE, "ok"])


def test_a_long_game_is_read_back() -> None:
    opening = ["wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"]
    shuttle = [r"wQ \wS1", r"bQ bS1/", "wQ -wS1", "bQ bS1-"]
    game = ";".join(["Base", "InProgress", "White[1003]", *opening, *shuttle * 500])
    assert talk(f"newgame {game}\n".encode())[1][3:] == [game, "ok"]


@pytest.mark.parametrize(
    "asked", ["validmoves", pytest.param(f"bestmove time {FAR}", marks=pytest.mark.slow), "perft 12"]
)
def test_a_reader_that_is_gone_ends_the_engine_quietly(asked: str) -> None:
    with running() as child:
        child.send(f"newgame {MIDDLE}\n")
        child.answer()
        assert child.process.stdout is not None
        child.send(f"{asked}\n")
        child.process.stdout.close()
        child.send("info\ninfo\n")
        assert child.process.wait(20) == 0
        assert child.process.stderr is not None
        assert child.process.stderr.read() == b""


# ---- time ----------------------------------------------------------------------------------------------


def test_the_best_move_comes_within_its_time_less_the_overhead() -> None:
    with running("--threads", "1") as child:
        child.ask(f"newgame {MIDDLE}")
        child.ask("options set MoveOverheadMs 600")
        for _ in range(2):
            begun = time.monotonic()
            (move,) = child.ask("bestmove time 00:00:01")
            assert time.monotonic() - begun > 0.3
            child.ask(f"play {move}")


def test_what_is_forced_comes_at_once() -> None:
    with running() as child:
        child.ask(f"newgame {PASSING}")
        assert child.ask(f"bestmove time {FAR}") == ["pass"]
        assert child.ask("bestmove depth 200") == ["pass"]


def test_a_depth_and_a_seed_find_the_same_again() -> None:
    text = f"newgame {MIDDLE}\nbestmove depth 2\nbestmove depth 2\n".encode()
    first, second = (talk(text, "--threads", "1")[1] for _ in range(2))
    assert first == second
    assert first[5] == first[7]


# ---- signals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [f"time {FAR}", "time 9999:59:59", "depth 200"])
def test_an_interrupt_has_the_search_answer_at_once(limit: str) -> None:
    with running() as child:
        child.ask(f"newgame {MIDDLE}")
        legal = child.ask("validmoves")[0].split(";")
        for _ in range(2):
            child.send(f"bestmove {limit}\n")
            time.sleep(0.1)
            child.process.send_signal(signal.SIGINT)
            (move,) = child.answer()
            assert move in legal
        assert child.ask(f"play {legal[0]}")[0].endswith(legal[0])


def test_an_interrupt_right_behind_the_command_is_for_its_search() -> None:
    with running(plyhouse=PROGRAM) as child:
        child.ask(f"newgame {MIDDLE}")
        legal = child.ask("validmoves")[0].split(";")
        child.send(f"bestmove time {FAR}\n")
        child.process.send_signal(signal.SIGINT)
        assert child.answer()[0] in legal


def test_an_interrupt_that_comes_late_does_no_harm() -> None:
    """A viewer's user cancels while the answer is on its way, and the next search is not cut short."""
    with running("--threads", "1") as child:
        child.ask(f"newgame {MIDDLE}")
        child.ask("bestmove depth 1")
        child.process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        begun = time.monotonic()
        child.ask("bestmove time 00:00:01")
        assert time.monotonic() - begun > 0.3


def test_an_interrupt_right_after_a_forced_move_does_no_harm() -> None:
    with running() as child:
        child.ask(f"newgame {PASSING}")
        assert child.ask(f"bestmove time {FAR}") == ["pass"]
        child.process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert child.ask("validmoves") == ["pass"]


def test_an_interrupt_stops_a_count() -> None:
    with running() as child:
        child.ask("newgame Base+MLP")
        child.send("perft 12\n")
        time.sleep(0.3)
        child.process.send_signal(signal.SIGINT)
        answer = child.answer()
        assert answer[0] == "1: 7"
        assert answer[-1] == "err The count was stopped."
        assert child.ask("perft 3") == ["1: 7", "2: 294", "3: 6678"]


def test_an_interrupt_ends_an_idle_engine() -> None:
    with running(plyhouse=PROGRAM) as child:
        child.ask("newgame")
        child.process.send_signal(signal.SIGINT)
        assert child.process.wait(10) == 130
        assert child.process.stderr is not None
        assert child.process.stderr.read() == b""


# ---- clients -------------------------------------------------------------------------------------------


def test_the_habits_of_a_viewer_on_the_desktop() -> None:
    """MzingaViewer: asks for all it shows, plays both sides by asking for best moves, cancels one, and says exit."""
    with running() as child:
        child.ask("info")
        child.ask("help")
        assert child.ask("options set Threads 1")[0].startswith("Threads;int;1;")
        assert all(line.count(";") >= 3 for line in child.ask("options"))
        child.ask("licenses")
        (game,) = child.ask("newgame Base+MLP")
        for turn in range(12):
            assert game.split(";")[1] in ("NotStarted", "InProgress")
            legal = child.ask("validmoves")[0].split(";")
            best = child.ask("bestmove depth 1" if turn % 2 else "bestmove time 00:00:00")[-1].split(";")[0]
            assert best in legal
            (game,) = child.ask("pass" if best == "pass" else f"play {best}")
        assert child.ask("undo 12") == ["Base+MLP;NotStarted;White[1]"]
        assert child.ask(f"newgame {game}") == [game]
        child.send("exit\n")
        assert child.process.wait(3) == 0


def test_options_of_the_command_line_are_the_first_values() -> None:
    lines = talk(b"options get HashMB\noptions get Threads\n", "--hash-mb", "9", "--threads", "1")[1]
    assert lines[3] == "HashMB;int;9;64;1;65536"
    assert lines[5].startswith("Threads;int;1;")
