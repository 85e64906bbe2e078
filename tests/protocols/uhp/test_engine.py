"""The engine's side of UHP: golden sessions, and properties of every session."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols.session import LocalError, Send
from protocols.uhp.engine_help import HELP
from protocols.uhp.engine_options import engine_options
from protocols.uhp.engine_work import Counted, FindMove, Found, WorkFailed
from protocols.uhp.game_string import TYPES, parse, replay, same, write
from protocols.uhp.lines import MAX_LINE_BYTES, LineTooLong
from tests.protocols.uhp.test_game_string import BARE, GAMES
from tests.protocols.uhp.viewer import CORES, Viewer, open_session

DOCS = (Path(__file__).parents[3] / "docs" / "uhp.md").read_text()
WORDS = st.sampled_from(
    [
        *[*HELP, "PLAY", "get", "set", "Seed", "DrawByRepetition", "True", "time", "depth", "00:00:01"],
        *["1", "2", "0", "-1", *TYPES, "Base+", "wA1", "wS1", "bA1", "-wS1", "wS1/", "bQ", "wQ", "wA1-"],
        *["\\wA1", ";", "Base;;;wS1", "!0", "ok"],
    ]
)
LINES = st.one_of(
    st.lists(WORDS, max_size=4).map(" ".join),
    st.text(max_size=30),
    st.tuples(WORDS, st.text(max_size=12)).map(" ".join),
).filter(lambda line: (line.split() or [""])[0].lower() != "exit")


@given(st.lists(LINES, max_size=25))
def test_every_answer_ends_with_ok(lines: list[str]) -> None:
    viewer = Viewer()
    for line in lines:
        if line.split():
            viewer.ask(line)
        else:
            assert viewer.session.receive(line) == []


@given(GAMES, LINES)
def test_a_refused_command_changes_nothing(position: Position, line: str) -> None:
    viewer = Viewer()
    viewer.tell(f"newgame {write(position)}")
    before = viewer.ask("options")
    if line.split() and any(answer.startswith(("err", "invalidmove")) for answer in viewer.ask(line)):
        assert viewer.ask("options") == before
        viewer.tell(f"undo {position.ply}" if position.ply else "info")
        again = viewer.ask(f"newgame {write(position)}")
        assert again == [write(position)]


@given(GAMES)
def test_a_game_played_move_by_move_is_the_game_given_at_once(position: Position) -> None:
    viewer = Viewer()
    kind, _, _, *moves = write(position).split(";")
    answer = viewer.ask(f"newgame {kind}")
    for move in moves:
        answer = viewer.ask("pass" if move == "pass" else f"play {move}")
    assert answer == [write(position)]
    assert viewer.ask(f"newgame {write(position)}") == answer
    if moves:
        (start,) = viewer.ask(f"undo {len(moves)}")
        assert same(replay(parse(start), BARE), Position("hive", kind, BARE))


@given(GAMES)
def test_every_legal_move_can_be_played_and_is_listed_once(position: Position) -> None:
    viewer = Viewer()
    viewer.tell(f"newgame {write(position)}")
    if position.outcome is None:
        moves = viewer.ask("validmoves")[0].split(";")
        assert len(set(moves)) == len(moves)
        for move in moves[::7]:
            assert viewer.ask(f"play {move}")[0].endswith(f";{move}")
            viewer.tell("undo")


@given(GAMES)
def test_the_best_move_is_one_legal_move_and_is_not_played(position: Position) -> None:
    viewer = Viewer()
    viewer.tell(f"newgame {write(position)}")
    if position.outcome is None:
        (move,) = viewer.ask("bestmove time 00:00:01")
        legal = viewer.ask("validmoves")[0].split(";")
        assert move in legal
        assert len(viewer.found) == (len(legal) > 1)
        assert write(replay(parse(viewer.ask(f"play {move}")[0]), BARE)).endswith(f";{move}")


def test_every_command_is_explained() -> None:
    viewer = Viewer()
    assert {line.split()[0] for line in viewer.ask("help")} == set(HELP)
    for keyword in HELP:
        assert len(viewer.ask(f"help {keyword}")) == 2


def test_the_docs_example_is_true() -> None:
    example = next(block for block in DOCS.split("```") if block.startswith("\n> newgame"))
    lines = example.split("\n")[1:-1]
    viewer, said = Viewer(), []
    for line in lines:
        if line.startswith("> "):
            said += [line, *(f"< {answer}" for answer in viewer.ask(line[2:])), "< ok"]
    assert said == lines


def test_the_docs_list_every_command_and_option() -> None:
    for keyword in HELP:
        assert re.search(rf"`{keyword}\b", DOCS), keyword
    for option in engine_options(CORES).listed:
        assert re.search(rf"\| `{option.name}` \| {option.kind.value} \|", DOCS)


def test_an_overlong_line_is_refused_and_the_next_is_read() -> None:
    session = open_session()
    refusal = Send(f"err a line has at most {MAX_LINE_BYTES} bytes\nok")
    assert session.receive(LineTooLong(MAX_LINE_BYTES)) == [refusal]
    assert session.receive("newgame") == [Send("Base;NotStarted;White[1]\nok")]


def test_a_search_gets_its_own_position() -> None:
    viewer = Viewer()
    viewer.tell("newgame Base", "bestmove depth 2", "play wS1")
    assert viewer.found[0].position.ply == 0


def test_a_session_accepts_no_lines_while_busy_or_after_its_end() -> None:
    session = open_session()
    session.receive("newgame Base")
    assert isinstance(session.receive("bestmove depth 1")[0], FindMove)
    assert session.is_busy
    with pytest.raises(LocalError):
        session.receive("info")
    session.notify(Found("wS1"))
    session.receive("exit")
    with pytest.raises(LocalError):
        session.receive("info")


@pytest.mark.parametrize("event", [Found("wS1"), Counted(1), WorkFailed("x")])
def test_unexpected_ends_of_work_are_errors(event: Found | Counted | WorkFailed) -> None:
    with pytest.raises(LocalError):
        open_session().notify(event)
