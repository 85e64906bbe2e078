"""A viewer's requests, its reading of different engines' answers, and failures."""

import pytest

from engines import IllegalMove, Position
from protocols.session import Effect, LocalError, Send
from protocols.uhp.answers import (
    Chosen,
    Done,
    Fault,
    Identity,
    RequestFailed,
)
from protocols.uhp.game_string import BadGameString, GameString, parse, replay, write
from protocols.uhp.lines import LineTooLong
from protocols.uhp.requests import (
    Banner,
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
    EngineGone,
    RequestStarted,
    TimeIsUp,
    Viewer,
    ViewerState,
)

MOVES = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
"""Next, White's queen may move to three cells, two of them next to its own piece."""

PASSING = "Base+MLP;InProgress;Black[4];wB1;bM wB1/;wQ -wB1;bQ \\bM;wP \\wQ;bQ -bM;wB1 bM"
"""Black has to pass."""


def begun() -> Viewer:
    viewer = Viewer()
    viewer.start()
    viewer.receive("id Tester 1\nMosquito;Ladybug;Pillbug\nok")
    return viewer


def at(moves: tuple[str, ...] = MOVES, game_type: str = "Base") -> Viewer:
    viewer = begun()
    game = GameString(game_type, moves)
    viewer.ask(StartGame(game))
    assert viewer.receive(f"{write(replay(game))}\nok") == [Done(StartGame(game))]
    return viewer


def position(*moves: str, game_type: str = "Base") -> Position:
    return replay(GameString(game_type, moves))


def answered(viewer: Viewer, request: Request, answer: str) -> Effect:
    """The effect that ends a request."""
    viewer.ask(request)
    (end,) = viewer.receive(answer)
    return end


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
    assert viewer.start() == [RequestStarted(Banner())]
    (end,) = viewer.receive(banner)
    assert end == Done(Banner())
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
    assert at().ask(request_) == [RequestStarted(request_), Send(line)]


def test_a_pass_is_a_command_of_its_own() -> None:
    viewer = begun()
    viewer.ask(StartGame(parse(PASSING)))
    viewer.receive(f"{PASSING}\nok")
    assert viewer.ask(Play("pass")) == [RequestStarted(Play("pass")), Send("pass")]


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
    assert answered(viewer, wanted, "NumThreads;int;1;2;1;8\nok") == Done(wanted)
    refused = answered(viewer, SetOption("Honey", "1"), 'err InvalidOption("Honey")\nok')
    assert isinstance(refused, RequestFailed)
    assert refused.fault is Fault.ERROR
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
    assert answered(viewer, Play("wQ wQ/"), f"{shown}\nok") == Done(Play("wQ wQ/"))
    assert viewer.position is not None
    assert viewer.position.history[-1] == "wQ \\wS1"
    assert answered(viewer, Undo(), "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-\nok") == Done(
        Undo()
    )


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
    ("request_", "answer", "fault", "reason"),
    [
        (BestMove(Depth(1)), "", Fault.EMPTY, "protocol"),
        (BestMove(Depth(1)), "err I am tired\n", Fault.ERROR, "protocol"),
        (BestMove(Depth(1)), "wQ \\wS1\nerr out of memory\n", Fault.ERROR, "protocol"),
        (BestMove(Depth(1)), "invalidmove hm\n", Fault.INVALID_MOVE, "protocol"),
        (BestMove(Depth(1)), "wA3 -wQ\n", Fault.ILLEGAL, "illegal-move"),
        (BestMove(Depth(1)), "pass\n", Fault.ILLEGAL, "illegal-move"),
        (BestMove(Depth(1)), "hello?\n", Fault.ILLEGAL, "illegal-move"),
        (BestMove(Depth(1)), "!0\n", Fault.ILLEGAL, "illegal-move"),
        (Play("wQ \\wS1"), "", Fault.EMPTY, "desync"),
        (Play("wQ \\wS1"), "invalidmove no\n", Fault.INVALID_MOVE, "desync"),
        (Play("wQ \\wS1"), "err GameNotStarted\n", Fault.ERROR, "desync"),
        (Play("wQ \\wS1"), "Base;InProgress;Black[3];wS1;bS1 wS1-\n", Fault.DIFFERS, "desync"),
        (Play("wQ \\wS1"), "Base+M;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ \\wS1\n", Fault.DIFFERS, "desync"),
        (Play("wQ \\wS1"), "Base;InProgress;White[2];wQ\n", Fault.UNREADABLE, "desync"),
        (Play("wQ \\wS1"), "hello?\n", Fault.UNREADABLE, "desync"),
        (StartGame(parse("Base+P")), "err no\n", Fault.ERROR, "desync"),
        (StartGame(parse("Base+P")), "Base;NotStarted;White[1]\n", Fault.DIFFERS, "desync"),
    ],
)
def test_failures_leave_the_engine_usable(request_: Request, answer: str, fault: Fault, reason: str) -> None:
    viewer = at()
    end = answered(viewer, request_, f"{answer}ok")
    assert isinstance(end, RequestFailed)
    assert (end.fault, end.reason) == (fault, reason)
    assert end.text.startswith("The engine")
    assert viewer.state is ViewerState.IDLE
    game = StartGame(parse("Base"))
    assert answered(viewer, game, "Base;NotStarted;White[1]\nok") == Done(game)


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
    assert end == Done(StartGame(game))
    assert isinstance(answered(viewer, BestMove(Depth(1)), "wQ \\wS1\nok"), Chosen)


# ---- unusable engines ------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", [BestMove(MoveTime(1)), Play("wQ \\wS1"), StartGame(parse("Base"))])
def test_silence(request_: Request) -> None:
    viewer = at()
    viewer.ask(request_)
    viewer.receive("wQ \\wS1")
    (end,) = viewer.notify(TimeIsUp())
    assert isinstance(end, RequestFailed)
    assert end.fault is Fault.SILENT
    assert end.reason == ("timeout" if isinstance(request_, BestMove) else "desync")
    assert viewer.state is ViewerState.OVER
    assert viewer.receive("ok") == []
    assert viewer.notify(EngineGone()) == []


def test_an_engine_that_never_introduces_itself() -> None:
    viewer = Viewer()
    viewer.start()
    (end,) = viewer.notify(TimeIsUp())
    assert end == RequestFailed(Banner(), Fault.SILENT, "The engine did not answer in time.")
    assert viewer.state is ViewerState.OVER


def test_an_engine_that_ends() -> None:
    viewer = at()
    viewer.ask(BestMove(MoveTime(1)))
    (end,) = viewer.notify(EngineGone("exit status 3"))
    assert isinstance(end, RequestFailed)
    assert (end.fault, end.reason) == (Fault.GONE, "disconnect")
    assert end.text == "The engine has ended (exit status 3)."
    idle = at()
    (end,) = idle.notify(EngineGone())
    assert isinstance(end, RequestFailed)
    assert idle.state is ViewerState.OVER


@pytest.mark.parametrize("line", ["", "x", "x" * 15_000])
def test_floods_are_detected_while_asked_and_while_idle(line: str) -> None:
    asked, idle = at(), at()
    asked.ask(BestMove(MoveTime(1)))
    for viewer in (asked, idle):
        most = min(MAX_ANSWER_LINES, MAX_ANSWER_CHARACTERS // (len(line) + 1))
        for _ in range(most):
            assert viewer.receive(line) == []
        (end,) = viewer.receive(line)
        assert isinstance(end, RequestFailed)
        assert (end.fault, end.reason) == (Fault.FLOOD, "protocol")
        assert viewer.state is ViewerState.OVER
        assert viewer.receive(line) == []


def test_an_overlong_line() -> None:
    for last in ("x" * 20_000, None):
        viewer = at()
        viewer.ask(BestMove(MoveTime(1)))
        (end,) = viewer.receive(LineTooLong(10) if last is None else last)
        assert isinstance(end, RequestFailed)
        assert end.fault is Fault.FLOOD


def test_unrequested_output_is_ignored() -> None:
    viewer = at()
    assert viewer.receive("thinking about honey\nerr\nok") == []
    assert isinstance(answered(viewer, BestMove(Depth(1)), "wQ wQ/\nok"), Chosen)


# ---- misuse ----------------------------------------------------------------------------------------


def test_misuse_raises_local_errors() -> None:
    viewer = Viewer()
    with pytest.raises(LocalError):
        viewer.ask(SetOption("Threads", "1"))
    viewer.start()
    for misuse in (viewer.start, lambda: viewer.ask(SetOption("Threads", "1"))):
        with pytest.raises(LocalError):
            misuse()
    viewer.receive("ok")
    for request in (Play("wA1"), Undo(), BestMove(Depth(1)), Banner()):
        with pytest.raises(LocalError):
            viewer.ask(request)
    with pytest.raises(LocalError):
        viewer.notify(TimeIsUp())
    viewer.ask(SetOption("Threads", "1"))
    with pytest.raises(LocalError):
        viewer.ask(SetOption("Threads", "1"))
