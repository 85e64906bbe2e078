"""A viewer's requests, its reading of different engines' answers, and failures."""

import pytest

from engines import IllegalMove, Position
from protocols.session import LocalError
from protocols.uhp.answers import (
    Chosen,
    Done,
    EngineFailed,
    Identity,
    Outcome,
)
from protocols.uhp.game_string import BadGameString, GameString, parse, replay, write
from protocols.uhp.lines import LineTooLong, iterate_lines
from protocols.uhp.requests import (
    BestMove,
    Depth,
    MoveTime,
    Play,
    Request,
    SetOption,
    StartGame,
    Undo,
)
from protocols.uhp.viewer import (
    MAX_ANSWER_CHARACTERS,
    MAX_ANSWER_LINES,
    Viewer,
    ViewerState,
)

MOVES = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
"""Next, White's queen may move to three cells, two of them next to its own piece."""

PASSING = "Base+MLP;InProgress;Black[4];wB1;bM wB1/;wQ -wB1;bQ \\bM;wP \\wQ;bQ -bM;wB1 bM"
"""Black has to pass."""


def told(viewer: Viewer, message: str) -> Outcome | None:
    """What the lines of a message end; at most one of them ends something."""
    ends = [end for line in iterate_lines(message) if (end := viewer.receive(line)) is not None]
    assert len(ends) <= 1
    return ends[0] if ends else None


def failed(end: Outcome | None) -> EngineFailed:
    assert isinstance(end, EngineFailed)
    return end


def begun() -> Viewer:
    viewer = Viewer()
    told(viewer, "id Tester 1\nMosquito;Ladybug;Pillbug\nok")
    return viewer


def at(moves: tuple[str, ...] = MOVES, game_type: str = "Base") -> Viewer:
    viewer = begun()
    game = GameString(game_type, moves)
    viewer.ask(StartGame(game))
    assert told(viewer, f"{write(replay(game))}\nok") == Done()
    return viewer


def position(*moves: str, game_type: str = "Base") -> Position:
    return replay(GameString(game_type, moves))


def answered(viewer: Viewer, request: Request, answer: str) -> Outcome | None:
    """The outcome of a request."""
    viewer.ask(request)
    return told(viewer, answer)


# ---- the banner ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("banner", "name", "flags"),
    [
        (
            "id nokamute 1.0.3\nMosquito;Ladybug;Pillbug\nok",
            "nokamute 1.0.3",
            {"mosquito", "ladybug", "pillbug"},
        ),
        ("id MzingaEngine v0.16.0\r\nMosquito;Ladybug;Pillbug\r\nok\r", "MzingaEngine v0.16.0", None),
        ("id X\nok", "X", set()),
        ("id X\n\nok", "X", set()),
        ("id X\nA viewer's guide\n MOSQUITO ; Remote;;\nok", "X", {"mosquito", "remote"}),
        ("Pillbug\nok", "Unknown", {"pillbug"}),
        ("id \nok", "Unknown", set()),
        ("ok", "Unknown", set()),
    ],
)
def test_banners_are_read(banner: str, name: str, flags: set[str] | None) -> None:
    viewer = Viewer()
    assert told(viewer, banner) == Done()
    assert viewer.state is ViewerState.IDLE
    assert viewer.identity.name == name
    assert viewer.identity.capabilities == (
        flags if flags is not None else {"mosquito", "ladybug", "pillbug"}
    )


def test_missing_capabilities() -> None:
    identity = Identity("X", frozenset({"mosquito"}))
    assert identity.lacks("Base") == []
    assert identity.lacks("Base+M") == []
    assert identity.lacks("Base+MLP") == ["ladybug", "pillbug"]


# ---- requests --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "line"),
    [
        (SetOption("NumThreads", "2"), "options set NumThreads 2"),
        (StartGame(parse("Base+LP")), "newgame Base+LP;NotStarted;White[1]"),
        (StartGame(parse("Base;wA1;bA1 wA1-")), "newgame Base;InProgress;White[2];wA1;bA1 wA1-"),
        (Play("wQ \\wS1"), "play wQ \\wS1"),
        (Undo(), "undo 1"),
        (Undo(4), "undo 4"),
        (BestMove(MoveTime(5)), "bestmove time 00:00:05"),
        (BestMove(MoveTime(3 * 3600 + 4 * 60 + 5)), "bestmove time 03:04:05"),
        (BestMove(Depth(3)), "bestmove depth 3"),
    ],
)
def test_lines_of_requests(request_: Request, line: str) -> None:
    assert at().ask(request_) == line


def test_a_pass_is_a_command_of_its_own() -> None:
    viewer = begun()
    viewer.ask(StartGame(parse(PASSING)))
    told(viewer, f"{PASSING}\nok")
    assert viewer.ask(Play("pass")) == "pass"


def test_illegal_moves_are_refused_locally() -> None:
    viewer = at()
    with pytest.raises(IllegalMove):
        viewer.ask(Play("wA1 bQ-"))
    with pytest.raises(BadGameString):
        viewer.ask(StartGame(GameString("Base", ("wQ",))))
    assert viewer.state is ViewerState.IDLE
    assert viewer.position is not None


def test_options() -> None:
    viewer = begun()
    wanted = SetOption("NumThreads", "1")
    assert answered(viewer, wanted, "NumThreads;int;1;2;1;8\nok") == Done()
    refused = answered(viewer, SetOption("Honey", "1"), 'err InvalidOption("Honey")\nok')
    assert failed(refused).reason == "protocol"
    assert viewer.state is ViewerState.IDLE


def test_requests_that_lead_to_a_position() -> None:
    viewer = begun()
    assert viewer.step_to(position()) == StartGame(GameString("Base"))
    viewer = at()
    assert viewer.step_to(position(*MOVES)) is None
    assert viewer.step_to(position(*MOVES, "wQ \\wS1")) == Play("wQ \\wS1")
    assert viewer.step_to(position(*MOVES[:3])) == Undo(1)
    assert viewer.step_to(position()) == Undo(4)
    further = (*MOVES, "wQ \\wS1", "bQ bS1/")
    assert viewer.step_to(position(*further)) == StartGame(GameString("Base", further))
    other = ("wS1", "bS1 wS1-", "wQ /wS1")
    assert viewer.step_to(position(*other)) == StartGame(GameString("Base", other))
    assert viewer.step_to(position(*MOVES, game_type="Base+M")) == StartGame(GameString("Base+M", MOVES))
    given_up = position(*MOVES)
    given_up.forfeit(0)
    assert viewer.step_to(given_up) is None


# ---- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shown",
    [
        "Base;InProgress;Black[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ \\wS1",
        # Self-references, other references, wrong state and turn, blanks: the same game.
        "Base;InProgress;Black[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ wQ/",
        "Base;Draw;White[9]; wS1; BS1 ws1-; wQ  -wS1; bQ bS1-; wQ \\wS1",
        "Base;Black[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ \\wS1\nand a second line",
    ],
)
def test_answers_are_compared_by_replaying(shown: str) -> None:
    viewer = at()
    assert answered(viewer, Play("wQ wQ/"), f"{shown}\nok") == Done()
    assert viewer.position is not None
    assert viewer.position.history[-1] == "wQ \\wS1"
    assert answered(viewer, Undo(), "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-\nok") == Done()


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("wQ \\wS1", "wQ \\wS1"),
        ("wQ wQ/", "wQ \\wS1"),
        ("wa1 -WQ", "wA1 -wQ"),
        ("wA1 -wQ;1;0.0\n\nwQ wQ\\;7;-1.25;wQ wQ\\;bQ bQ-\n", "wQ /wS1"),
        ("  wQ wQ/ ;3", "wQ \\wS1"),
    ],
)
def test_the_best_move_is_the_last_line(answer: str, move: str) -> None:
    end = answered(at(), BestMove(Depth(1)), f"{answer}\nok")
    assert isinstance(end, Chosen)
    assert end.move == move


@pytest.mark.parametrize(
    ("request_", "answer", "text", "reason"),
    [
        (BestMove(Depth(1)), "", "named no move", "protocol"),
        (BestMove(Depth(1)), "err I am tired\n", "answers “err", "protocol"),
        (BestMove(Depth(1)), "wQ \\wS1\nerr out of memory\n", "answers “err", "protocol"),
        (BestMove(Depth(1)), "invalidmove hm\n", "answers “invalidmove", "protocol"),
        (BestMove(Depth(1)), "wA3 -wQ\n", "The engine's move", "illegal-move"),
        (BestMove(Depth(1)), "pass\n", "The engine's move", "illegal-move"),
        (BestMove(Depth(1)), "hello?\n", "The engine's move", "illegal-move"),
        (BestMove(Depth(1)), "!0\n", "The engine's move", "illegal-move"),
        (Play("wQ \\wS1"), "", "did not show the game", "desync"),
        (Play("wQ \\wS1"), "invalidmove no\n", "answers “invalidmove", "desync"),
        (Play("wQ \\wS1"), "err GameNotStarted\n", "answers “err", "desync"),
        (Play("wQ \\wS1"), "Base;InProgress;Black[3];wS1;bS1 wS1-\n", "shows another game", "desync"),
        (
            Play("wQ \\wS1"),
            "Base+M;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ \\wS1\n",
            "shows another game",
            "desync",
        ),
        (Play("wQ \\wS1"), "Base;InProgress;White[2];wQ\n", "The engine shows “", "desync"),
        (Play("wQ \\wS1"), "hello?\n", "The engine shows “", "desync"),
        (StartGame(parse("Base+P")), "err no\n", "answers “err", "desync"),
        (StartGame(parse("Base+P")), "Base;NotStarted;White[1]\n", "shows another game", "desync"),
    ],
)
def test_failures_leave_the_engine_usable(request_: Request, answer: str, text: str, reason: str) -> None:
    viewer = at()
    end = failed(answered(viewer, request_, f"{answer}ok"))
    assert end.reason == reason
    assert str(end).startswith("The engine")
    assert text in str(end)
    assert viewer.state is ViewerState.IDLE
    game = StartGame(parse("Base"))
    assert answered(viewer, game, "Base;NotStarted;White[1]\nok") == Done()


def test_after_another_game_was_shown_the_position_is_unknown() -> None:
    viewer = at()
    answered(viewer, Play("wQ \\wS1"), "Base;InProgress;White[2];wS1\nok")
    assert viewer.position is None
    assert viewer.step_to(position(*MOVES)) == StartGame(GameString("Base", MOVES))
    with pytest.raises(LocalError):
        viewer.ask(BestMove(Depth(1)))


def test_games_continue_after_repetitions() -> None:
    there, back = ("wQ \\wS1", "bQ bS1\\"), ("wQ -wS1", "bQ bS1-")
    moves = (*MOVES, *there, *back, *there, *back)
    assert replay(GameString("Base", moves)).outcome is not None
    viewer = at()
    game = GameString("Base", moves)
    end = answered(viewer, StartGame(game), f"{';'.join(('Base', 'InProgress', 'White[7]', *moves))}\nok")
    assert end == Done()
    assert isinstance(answered(viewer, BestMove(Depth(1)), "wQ \\wS1\nok"), Chosen)


# ---- unusable engines ------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", [BestMove(MoveTime(1)), Play("wQ \\wS1"), StartGame(parse("Base"))])
def test_silence(request_: Request) -> None:
    viewer = at()
    viewer.ask(request_)
    viewer.receive("wQ \\wS1")
    assert viewer.time_is_up().reason == ("timeout" if isinstance(request_, BestMove) else "desync")
    assert viewer.state is ViewerState.OVER
    assert viewer.receive("ok") is None
    assert viewer.lose() is None


def test_an_engine_that_never_introduces_itself() -> None:
    viewer = Viewer()
    end = viewer.time_is_up()
    assert (end.reason, str(end)) == ("timeout", "The engine did not answer in time.")
    assert viewer.state is ViewerState.OVER


def test_an_engine_that_ends() -> None:
    viewer = at()
    viewer.ask(BestMove(MoveTime(1)))
    end = failed(viewer.lose("exit status 3"))
    assert (end.reason, str(end)) == ("disconnect", "The engine has ended (exit status 3).")
    idle = at()
    assert str(failed(idle.lose())) == "The engine has ended."
    assert idle.state is ViewerState.OVER


@pytest.mark.parametrize("line", ["", "x", "x" * 15_000])
def test_floods_are_detected_while_asked_and_while_idle(line: str) -> None:
    asked, idle = at(), at()
    asked.ask(BestMove(MoveTime(1)))
    for viewer in (asked, idle):
        most = min(MAX_ANSWER_LINES, MAX_ANSWER_CHARACTERS // (len(line) + 1))
        for _ in range(most):
            assert viewer.receive(line) is None
        assert failed(viewer.receive(line)).reason == "protocol"
        assert viewer.state is ViewerState.OVER
        assert viewer.receive(line) is None


def test_an_overlong_line() -> None:
    viewer = at()
    viewer.ask(BestMove(MoveTime(1)))
    assert "too long" in str(viewer.receive(LineTooLong(10)))
    assert viewer.state is ViewerState.OVER


def test_unrequested_output_is_ignored() -> None:
    viewer = at()
    assert told(viewer, "thinking about honey\nerr\nok") is None
    assert isinstance(answered(viewer, BestMove(Depth(1)), "wQ wQ/\nok"), Chosen)


# ---- misuse ----------------------------------------------------------------------------------------


def test_misuse_raises_local_errors() -> None:
    viewer = Viewer()
    with pytest.raises(LocalError):
        viewer.ask(SetOption("Threads", "1"))
    viewer.receive("ok")
    for request in (Play("wA1"), Undo(), BestMove(Depth(1))):
        with pytest.raises(LocalError):
            viewer.ask(request)
    with pytest.raises(LocalError):
        viewer.time_is_up()
    viewer.ask(SetOption("Threads", "1"))
    with pytest.raises(LocalError):
        viewer.ask(SetOption("Threads", "1"))
