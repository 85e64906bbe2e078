"""Model A: engines in seats, the main viewer that leads them, and what loses an engine's game."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engines import Position
from protocols.session import Send
from protocols.uhp.game_string import GAME, parse, replay, write
from protocols.uhp.remote.effects import LineLost, Seated
from protocols.uhp.remote.engine_seat import EngineSeat, GameNow, SeatState
from protocols.uhp.remote.seek_criteria import SeekCriteria
from protocols.uhp.remote.think_time import think_time
from protocols.uhp.requests import Depth, MoveTime
from protocols.uhp.viewer import TimeIsUp
from protocols.values import ClockReading
from tests.protocols.uhp.three_engines import NAMES, ThreeEngines

TRANSCRIPT = Path(__file__).parents[2] / "golden" / "uhp" / "three-engines.txt"
BANNER = ("id Scripted 1", "Mosquito;Ladybug;Pillbug", "ok")
EMPTY = "Base+MLP;NotStarted;White[1]"
ONE = "Base+MLP;InProgress;Black[1];wA1"
TWO = "Base+MLP;InProgress;White[2];wA1;bA1 -wA1"
STUCK_SOON = r"Base+MLP;InProgress;White[4];wB1;bM wB1/;wQ -wB1;bQ \bM;wP \wQ;bQ -bM"
"""White's wB1 bM leaves Black without a move."""


def begun(**criteria: object) -> ThreeEngines:
    """A table at which both engines have sent their banners and have the start position."""
    table = ThreeEngines(**criteria)  # type: ignore[arg-type]  # Keyword arguments of the test's own table
    shown = write(table.start)
    for name in NAMES:
        assert table.hear(name, *BANNER) == [f"newgame {shown}"]
    for name in NAMES:
        table.hear(name, shown, "ok")
    return table


def test_the_transcript() -> None:
    table = ThreeEngines(with_main=True)
    expected: dict[str, list[str]] = {"W": [], "B": [], "V": table.said["V"][:]}
    for line in TRANSCRIPT.read_text().splitlines():
        if line.startswith("#"):
            continue
        way, _, text = line.partition(" ")
        sender, _, receivers = way.partition("->")
        if sender == "S":
            for name in receivers.split(","):
                expected[name].append(text.strip())
        else:
            for name in sender.split(","):
                table.hear(name, text.strip())
        if sender != "S":
            continue
        for name, lines in expected.items():
            assert table.said[name][: len(lines)] == lines
    assert table.said == expected


@pytest.mark.parametrize("told", [["end WhiteWins timeout"], []])
def test_only_connecting_programs_are_told_how_the_game_ends(told: list[str]) -> None:
    seat = EngineSeat(SeekCriteria(type="Base+MLP"), with_secret=bool(told))
    seat.start()
    for line in BANNER:
        seat.receive(line)
    seat.notify(Seated(0, "g", "s"))
    seat.notify(GameNow(Position(GAME)))
    seat.notify(GameNow(Position(GAME), ending="WhiteWins timeout"))
    sent = [
        effect.text for line in (EMPTY, "ok") for effect in seat.receive(line) if isinstance(effect, Send)
    ]
    assert sent == told
    assert seat.state is SeatState.CLOSED


def test_without_a_main_viewer_the_server_leads() -> None:
    table = begun()
    assert table.said["W"][-1] == "bestmove time 00:00:03"
    assert table.hear("W", "wA1", "ok") == ["play wA1"]
    assert table.said["B"][-1] == "play wA1"
    assert table.hear("W", ONE, "ok") == []
    assert table.hear("B", ONE, "ok") == ["bestmove time 00:00:03"]


@pytest.mark.parametrize(
    ("clock", "criteria", "expected"),
    [
        (None, None, MoveTime(5)),
        (None, MoveTime(9), MoveTime(9)),
        (None, Depth(4), Depth(4)),
        (ClockReading(60_000, 1000), None, MoveTime(3)),
        (ClockReading(60_000, 1000), MoveTime(5), MoveTime(3)),
        (ClockReading(60_000, 1000), MoveTime(2), MoveTime(2)),
        (ClockReading(60_000, 1000, 10_000), None, MoveTime(2)),
        (ClockReading(300_000, 5000), None, MoveTime(18)),
        (ClockReading(6_000, 10_000), None, MoveTime(2)),
        (ClockReading(10_000, 0), None, MoveTime(1)),
        (ClockReading(1_500, 0), None, MoveTime(1)),
        (ClockReading(1_499, 0), None, Depth(2)),
        (ClockReading(1_000, 0), Depth(1), Depth(1)),
        (ClockReading(1_000, 0), Depth(7), Depth(2)),
        (ClockReading(100_000, 0), Depth(7), Depth(7)),
    ],
)
def test_budget(
    clock: ClockReading | None, criteria: MoveTime | Depth | None, expected: MoveTime | Depth
) -> None:
    assert think_time(clock, criteria) == expected


def test_different_texts_of_the_same_game_are_no_desync() -> None:
    """T3: one engine repeats what it was sent, the other writes its own references."""
    table = begun()
    table.hear("W", "wS1", "ok")
    for name in NAMES:
        table.hear(name, "Base+MLP;InProgress;Black[1];wS1", "ok")
    table.hear("B", "bS1 wS1-", "ok")
    table.hear("W", "base+mlp;InProgress;White[2];wS1;bS1 wS1-".replace("base+mlp", "Base+LPM"), "ok")
    table.hear("B", "Base+MLP;Draw;White[77]; wS1;  BS1   ws1- ", "ok")
    assert table.lost == []
    assert table.moves == ["wS1", "bS1 wS1-"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (("wQ", "ok"), "illegal-move"),
        (("hello", "ok"), "illegal-move"),
        (("err no", "ok"), "protocol"),
        (("invalidmove no", "ok"), "protocol"),
        (("ok",), "protocol"),
    ],
)
def test_a_bad_best_move_loses(answer: tuple[str, ...], reason: str) -> None:
    table = begun()
    table.hear("W", *answer)
    assert table.lost == [("W", reason)]
    assert table.closed == {"W": reason, "B": "game over"}
    assert table.moves == []


@pytest.mark.parametrize(
    "answer",
    [
        ("Base+MLP;InProgress;Black[1];wB1", "ok"),
        (EMPTY, "ok"),
        ("err no", "ok"),
        ("invalidmove no", "ok"),
        ("ok",),
        ("nonsense", "ok"),
    ],
)
def test_a_different_game_after_a_move_is_a_desync(answer: tuple[str, ...]) -> None:
    table = begun()
    table.hear("W", "wA1", "ok")
    table.hear("B", *answer)
    assert table.lost == [("B", "desync")]
    assert table.moves == ["wA1"]


def test_an_engine_has_ten_seconds_to_accept_a_move() -> None:
    table = begun()
    table.hear("W", "wA1", "ok")
    assert table.deadlines["B"].seconds == 10.0
    table.tell("B", TimeIsUp())
    assert table.lost == [("B", "desync")]


def test_an_engine_has_its_clock_to_think() -> None:
    table = begun(clock=ClockReading(60_000, 1000, 40))
    assert table.deadlines["W"].seconds == 60.04
    assert table.deadlines["W"].is_move
    table.tell("W", TimeIsUp())
    assert table.lost == [("W", "timeout")]


def test_an_engine_without_a_clock_has_the_requested_time_plus_tolerance() -> None:
    table = begun(clock=None)
    assert table.said["W"][-1] == "bestmove time 00:00:05"
    assert table.deadlines["W"].seconds == 15.0


def test_an_engine_that_floods_its_output_loses() -> None:
    table = begun()
    table.hear("W", *["info depth 1"] * 10_001)
    assert table.lost == [("W", "protocol")]


def test_lines_before_the_last_are_thoughts() -> None:
    table = begun()
    table.hear("W", "wS1;1;0.1;wS1", "wA1;2;0.2;wA1", "", "ok")
    assert table.moves == ["wA1"]


@pytest.mark.parametrize(
    ("capabilities", "lacking"),
    [
        (("Mosquito;Ladybug",), "pillbug"),
        ((), "mosquito, ladybug, pillbug"),
    ],
)
def test_an_engine_that_cannot_play_the_game_is_refused(capabilities: tuple[str, ...], lacking: str) -> None:
    """T10."""
    table = ThreeEngines()
    assert table.hear("W", "id Small", *capabilities, "ok") == [
        f"err Small does not play Base+MLP: it lacks {lacking}"
    ]
    assert table.closed == {"W": "refused"}
    assert table.seats[0].state is SeatState.CLOSED


def test_no_banner_in_time() -> None:
    table = ThreeEngines()
    assert table.deadlines["W"].seconds == 10.0
    table.tell("W", TimeIsUp())
    assert table.closed == {"W": "refused"}
    assert table.lost == []


def test_a_returning_engine_is_set_up_again() -> None:
    """T4: killed during a search."""
    table = begun()
    table.hear("W", "wA1", "ok")
    for name in NAMES:
        table.hear(name, ONE, "ok")
    assert table.said["B"][-1].startswith("bestmove")
    table.reconnect("B")
    assert table.hear("B", *BANNER) == [f"newgame {ONE}"]
    assert table.hear("B", ONE, "ok") == ["bestmove time 00:00:03"]
    table.hear("B", "bB1 -wA1", "ok")
    assert table.moves == ["wA1", "bB1 -wA1"]


def test_after_a_takeback_an_engine_is_asked_again() -> None:
    table = begun()
    for _ in range(2):
        assert table.said["W"][-1] == "bestmove time 00:00:03"
        table.hear("W", "wA1", "ok")
        for name in NAMES:
            table.hear(name, ONE, "ok")
        table.take_back(0)
        table.hear("B", "bA1 -wA1", "ok")
        assert table.moves == []
        for name in NAMES:
            assert table.said[name][-1] == "undo 1"
            table.hear(name, EMPTY, "ok")


def test_a_move_overtaken_by_a_takeback_is_requested_again() -> None:
    """The game returns to the position that the engine was searching when it was taken back."""
    table = begun()
    table.hear("W", "wA1", "ok")
    for name in NAMES:
        table.hear(name, ONE, "ok")
    table.take_back(0)
    table.hear("W", EMPTY, "ok")
    table.hear("B", "bB1 -wA1", "ok")
    table.hear("B", EMPTY, "ok")
    table.hear("W", "wA1", "ok")
    for name in NAMES:
        assert table.said[name][-1] == "play wA1"
        table.hear(name, ONE, "ok")
    assert table.said["B"][-1] == "bestmove time 00:00:03"


def test_a_forced_pass_is_requested_like_any_move() -> None:
    """T8, with the vector V8."""
    table = begun(start=replay(parse(STUCK_SOON)))
    table.hear("W", "wB1 bM", "ok")
    stuck = write(table.table.position)
    for name in NAMES:
        table.hear(name, stuck, "ok")
    assert table.said["B"][-1] == "bestmove time 00:00:03"
    assert table.hear("B", "pass", "ok") == ["pass"]
    assert table.said["W"][-1] == "pass"
    assert table.moves[-1] == "pass"


def test_a_draw_by_repetition_that_the_engines_do_not_know() -> None:
    """T9."""
    cycle = [
        ("wQ \\wS1", "bQ bB1\\"),
        ("wQ -wS1", "bQ bB1-"),
        ("wQ \\wS1", "bQ bB1\\"),
        ("wQ -wS1", "bQ bB1-"),
        ("wQ \\wS1", "bQ bB1\\"),
    ]
    table = begun(start=Position(GAME, "Base"))
    moves = ["wS1", "bB1 wS1-", *(move for pair in cycle for move in pair)]
    for ply, move in enumerate(moves):
        table.hear(NAMES[ply % 2], move, "ok")
        for name in NAMES:
            unaware = write(table.table.position, "InProgress")
            table.hear(name, unaware, "ok")
    assert table.table.result is not None
    assert table.table.result.reason == "repetition"
    assert table.lost == []
    assert table.closed == {"W": "game over", "B": "game over"}


# ---- the main viewer -----------------------------------------------------------------------------


def led(**criteria: object) -> ThreeEngines:
    """A table with a main viewer that has started the game."""
    table = ThreeEngines(with_main=True, **criteria)  # type: ignore[arg-type]  # Keyword arguments of the test's own table
    for name in NAMES:
        assert table.hear(name, *BANNER) == []
    assert table.hear("V", "newgame Base+MLP") == []
    table.hear("W", EMPTY, "ok")
    table.hear("B", EMPTY, "ok")
    assert table.said["V"][-2:] == [EMPTY, "ok"]
    return table


def test_nothing_happens_until_the_main_viewer_begins() -> None:
    table = ThreeEngines(with_main=True)
    for name in NAMES:
        table.hear(name, *BANNER)
    assert table.said["W"] == []
    assert table.hear("V", "bestmove depth 1")[0].startswith("err No game")
    assert table.hear("V", "newgame Base")[0].startswith("err this is the game")
    assert table.hear("V", "newgame nonsense")[0].startswith("err ")


def test_only_the_seated_players_move_may_be_played() -> None:
    table = led()
    only = ["err only the seated player's move may be played", "ok"]
    assert table.hear("V", "play wA1") == only
    table.hear("V", "bestmove time 00:00:01")
    assert table.said["W"][-1] == "bestmove time 00:00:01"
    assert table.hear("V", "validmoves") == []
    assert table.hear("W", "wA1", "ok") == []
    assert table.said["V"][-4:-2] == ["wA1", "ok"]
    assert table.hear("V", "play wS1") == only
    assert table.hear("V", "play wQ")[0].startswith("invalidmove ")
    assert table.hear("V", "play  WA1") == []
    assert table.moves == ["wA1"]


def test_an_analyst_may_play_any_move() -> None:
    table = led(is_analysis=True)
    assert table.hear("V", "play wS1") == []
    for name in NAMES:
        assert table.said[name][-1] == "play wS1"
        table.hear(name, "Base+MLP;InProgress;Black[1];wS1", "ok")
    assert table.said["V"][-2:] == ["Base+MLP;InProgress;Black[1];wS1", "ok"]


def test_the_main_viewer_asks_again() -> None:
    table = led()
    for move in ("wA1", "wS1"):
        table.hear("V", "bestmove depth 3")
        assert table.said["W"][-1] == "bestmove depth 3"
        table.hear("W", move, "ok")
        assert table.said["V"][-2:] == [move, "ok"]
    table.hear("V", "play wS1")
    assert table.moves == ["wS1"]


@pytest.mark.parametrize("command", ["bestmove time 00:00:05", "play wA1"])
def test_the_main_viewer_learns_how_the_game_ended(command: str) -> None:
    table = led()
    if command.startswith("play"):
        table.hear("V", "bestmove time 00:00:05")
        table.hear("W", "wA1", "ok")
    assert table.hear("V", command) == []
    if command.startswith("play"):
        table.hear("W", ONE, "ok")
        table.hear("B", EMPTY, "ok")
        verdict = ["err game over: WhiteWins (desync)", "ok"]
    else:
        table.hear("W", "wQ", "ok")
        verdict = ["err game over: BlackWins (illegal-move)", "ok"]
    assert table.said["V"][-2:] == verdict
    assert table.hear("V", "bestmove depth 1") == verdict
    assert table.hear("V", "validmoves") == verdict


def test_commands_refused_to_a_main_viewer() -> None:
    table = led()
    assert table.hear("V", "undo")[0].startswith("err undo is not possible")
    assert table.hear("V", "bestmove")[0].startswith("err ")
    assert table.hear("V", "sing")[0].startswith("err Invalid command")
    assert table.hear("V", "options") == ["ok"]
    assert table.hear("V", "") == []
    assert table.hear("V", "info")[0] == "id Plyhouse"
    assert table.hear("V", "exit") == []
    assert table.closed == {"V": "exit"}


def test_commands_during_a_search_are_answered_in_order() -> None:
    table = led()
    table.hear("V", "bestmove time 00:00:01")
    assert table.hear("V", "validmoves", *["info"] * 20) == []
    table.tell("V", LineLost("line too long"))
    before = len(table.said["V"])
    table.hear("W", "wA1", "ok")
    answers = table.said["V"][before:]
    assert answers[:2] == ["wA1", "ok"]
    assert answers[2].split(";") == ["wS1", "wB1", "wG1", "wA1", "wM", "wL", "wP"]
    assert answers[4:-2] == ["id Plyhouse", "Mosquito;Ladybug;Pillbug", "ok"] * 20
    assert answers[-2:] == ["err line too long", "ok"]


def test_a_takeback_ends_the_main_viewers_wait() -> None:
    table = led(is_analysis=True)
    for move, shown in (("wA1", ONE), ("bA1 -wA1", TWO)):
        table.hear("V", f"play {move}")
        for name in NAMES:
            table.hear(name, shown, "ok")
    table.hear("V", "bestmove time 00:00:01")
    table.take_back(1)
    assert table.said["V"][-2:] == [f"err the game has gone on: {ONE}", "ok"]
    table.hear("W", "wG1 wA1-", "ok")
    for name in NAMES:
        assert table.said[name][-1] == "undo 1"
        table.hear(name, ONE, "ok")
    table.hear("V", "play bA1 -wA1")
    table.take_back(1)
    for name in NAMES:
        table.hear(name, TWO, "ok")
        table.hear(name, ONE, "ok")
    assert table.said["V"][-2:] == [ONE, "ok"]


def test_soliciting_out_of_turn_does_nothing() -> None:
    table = led()
    table.tell("B", GameNow(table.table.position, table.clock, is_led=True, limit=Depth(1)))
    assert table.said["B"][-1].startswith("newgame")


def test_resync_by_the_main_viewer() -> None:
    table = led()
    table.hear("V", "bestmove depth 1")
    table.hear("W", "wA1", "ok")
    table.hear("V", "play wA1")
    for name in NAMES:
        table.hear(name, ONE, "ok")
    assert table.hear("V", f"newgame {ONE}") == [ONE, "ok"]
    assert table.hear("V", "newgame Base+MLP")[0].startswith("err this is the game")
    talk: Callable[..., list[str]] = table.hear
    assert talk("V", f"newgame {EMPTY}")[0].startswith("err this is the game")
