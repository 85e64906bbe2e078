"""Corner cases of a hosted session that transcripts and laws do not cover: ids, misuse, finished at the start."""

from collections.abc import Callable

import pytest

from engines import Evaluation
from protocols.bgs import effects as ef
from protocols.bgs import history
from protocols.session import Effect, LocalError
from protocols.values import Entry, FailureCode, GameLine

HALF = Evaluation((0.5, -0.5), "1")
LOST = Evaluation((-1.0, 1.0))


def resting() -> history.HostedBgs:
    session = history.HostedBgs()
    session.start()
    session.answered()
    session.answered(HALF)
    return session


def ended() -> history.HostedBgs:
    session = history.HostedBgs()
    session.end()
    return session


@pytest.mark.parametrize(
    ("bgs_id", "following"),
    [("g", "g~2"), ("g~2", "g~3"), ("g~9", "g~10"), ("g~s1", "g~s1~2"), ("g_guest_x", "g_guest_x~2")],
)
def test_ids_after_a_time_out(bgs_id: str, following: str) -> None:
    assert history.next_id(bgs_id) == following


IMPOSSIBLE: list[tuple[str, Callable[[], history.HostedBgs], Callable[[history.HostedBgs], list[Effect]]]] = [
    ("ANSWERED.*NEW", history.HostedBgs, lambda session: session.answered()),
    ("TIMED_OUT.*NEW", history.HostedBgs, lambda session: session.timed_out()),
    ("START.*RESTING", resting, lambda session: session.start()),
    ("REBUILD.*RESTING", resting, lambda session: session.rebuild()),
    ("ANSWERED.*RESTING", resting, lambda session: session.answered()),
    ("TIMED_OUT.*RESTING", resting, lambda session: session.timed_out()),
    ("SET_LINE.*ENDED", ended, lambda session: session.set_line(GameLine())),
    ("START.*ENDED", ended, lambda session: session.start()),
]


@pytest.mark.parametrize(("names", "make", "misuse"), IMPOSSIBLE)
def test_impossible_events_name_state_and_event(
    names: str, make: Callable[[], history.HostedBgs], misuse: Callable[[history.HostedBgs], list[Effect]]
) -> None:
    session = make()
    phase = session.phase
    with pytest.raises(LocalError, match=names):
        misuse(session)
    assert session.phase is phase


def test_a_game_finished_at_its_start_is_not_sent_to_the_analyst() -> None:
    session = history.HostedBgs()
    session.set_line(GameLine((), LOST))
    session.start()
    entry = Entry(0, LOST)
    assert session.answered() == [ef.EntryAdded(entry), ef.AtRest((entry,))]


def test_taking_back_the_finishing_move_needs_no_request() -> None:
    session = resting()
    first = session.history[0]
    session.set_line(GameLine(("1",), LOST))
    assert session.history == (first, Entry(1, LOST))
    effects = session.set_line(GameLine())
    assert effects == [ef.HistoryCleared(), ef.EntryAdded(first), ef.AtRest((first,))]


def test_the_same_moves_again_change_nothing() -> None:
    session = resting()
    assert session.set_line(GameLine()) == [ef.AtRest(session.history)]


def test_after_a_restart_the_old_session_is_closed_first() -> None:
    session = history.HostedBgs()
    session.set_line(GameLine(("1",)))
    assert session.rebuild() == [ef.CloseSession()]
    assert session.answered() == [ef.OpenSession()]


def test_a_rollback_fails_if_the_close_is_not_answered() -> None:
    session = resting()
    session.set_line(GameLine(("1",)))
    session.set_line(GameLine(("2",)))
    assert session.answered() == [ef.CloseSession()]
    failed, over = session.timed_out()
    assert isinstance(failed, ef.Failed)
    assert failed.code is FailureCode.TIMEOUT
    assert over == ef.Ended()


def test_a_request_invalidated_by_a_rollback_may_fail() -> None:
    session = resting()
    session.set_line(GameLine(("1",)))
    session.set_line(GameLine(("2",)))
    assert session.failed(ef.AnswerError("no")) == [ef.CloseSession()]


def test_a_session_that_was_not_refused_is_closed() -> None:
    refused, unclear = history.HostedBgs(), history.HostedBgs()
    for session in (refused, unclear):
        session.start()
    assert refused.failed(ef.RefusalError("no"))[1:] == [ef.Ended()]
    assert unclear.failed(ef.AnswerError("no"))[1:] == [ef.CloseSession()]


def test_an_end_during_a_rollback_does_not_restart_the_session() -> None:
    session = resting()
    session.set_line(GameLine(("1",)))
    session.set_line(GameLine())
    session.answered()
    assert session.end() == []
    assert session.answered() == [ef.Ended()]


def test_entries_contain_the_whole_evaluation() -> None:
    session = history.HostedBgs()
    session.start()
    session.answered()
    said = Evaluation((0.5, 0.2, -0.7), "1", samples=1000, inherited=10, source="native", is_cut=True)
    assert session.answered(said)[0] == ef.EntryAdded(Entry(0, said))


def asked(session: history.HostedBgs, line: GameLine) -> list[str]:
    """The requests of a session with this line, until it rests."""
    for effects in (session.set_line(line), session.start()):
        assert all(isinstance(effect, ef.Request) for effect in effects)
    return answered(session)


def answered(session: history.HostedBgs) -> list[str]:
    """The requests of a session until it rests."""
    texts = []
    while session.phase is not history.Phase.RESTING:
        match session.outstanding:
            case ef.AdvanceSession(move):
                texts.append(f"play {move}")
                session.answered()
            case ef.EvaluateSession():
                texts.append("evaluate")
                session.answered(HALF)
            case _:
                session.answered()
    return texts


@pytest.mark.parametrize(
    ("first", "final", "texts"),
    [
        (0, None, "evaluate, play 1, evaluate, play 2, evaluate"),
        (1, None, "play 1, evaluate, play 2, evaluate"),
        (2, None, "play 1, play 2, evaluate"),
        (1, LOST, "play 1, evaluate"),
        (2, LOST, "play 1"),
    ],
)
def test_positions_before_the_first_are_not_evaluated(
    first: int, final: Evaluation | None, texts: str
) -> None:
    session = history.HostedBgs(first)
    assert asked(session, GameLine(("1", "2"), final)) == texts.split(", ")
    assert [entry.ply for entry in session.history] == list(range(first, 3))


def test_from_the_last_move_on_nothing_earlier_is_evaluated() -> None:
    session = history.HostedBgs(from_last_move=True)
    assert asked(session, GameLine(("1", "2", "3"))) == ["play 1", "play 2", "evaluate", "play 3", "evaluate"]
    assert session.set_line(GameLine(("1", "2", "3", "4"))) == [ef.AdvanceSession("4")]
    answered(session)
    assert [entry.ply for entry in session.history] == [2, 3, 4]
    assert session.set_line(GameLine(("1", "2"))) == [ef.HistoryCleared(), ef.CloseSession()]
    assert answered(session) == ["play 1", "evaluate", "play 2", "evaluate"]
    assert [entry.ply for entry in session.history] == [1, 2]


def test_a_line_that_becomes_shorter_than_where_its_session_begins_is_opened_again() -> None:
    session = history.HostedBgs(from_last_move=True)
    session.set_line(GameLine(("1", "2", "3")))
    assert session.start() == [ef.OpenSession()]
    session.set_line(GameLine(("1",)))
    assert session.answered() == [ef.CloseSession()]
    assert answered(session) == ["evaluate", "play 1", "evaluate"]


def test_from_the_last_move_of_a_finished_game_on() -> None:
    session = history.HostedBgs(from_last_move=True)
    assert asked(session, GameLine(("1", "2"), LOST)) == ["play 1", "evaluate"]
    assert list(session.history) == [Entry(1, HALF), Entry(2, LOST)]
    session.set_line(GameLine(("1",)))
    assert list(session.history) == [Entry(1, HALF)]


def test_whoever_compares_is_told_the_next_moves_as_far_as_they_are_moves() -> None:
    line = GameLine(("1", "2", "3", "!0", *"45678abc"))
    told: dict[bool, list[tuple[str, ...]]] = {}
    for compares in (True, False):
        session = history.HostedBgs(compares=compares)
        session.set_line(line)
        session.start()
        told[compares] = []
        while session.phase is not history.Phase.RESTING:
            if isinstance(session.outstanding, ef.EvaluateSession):
                told[compares].append(session.outstanding.following)
                session.answered(HALF)
            else:
                session.answered()
    assert told[False] == [()] * 13
    after_that = ("45678a", "5678ab", "678abc", "78abc", "8abc", "abc", "bc", "c", "")
    assert told[True] == [tuple(texts) for texts in ("123", "23", "3", "", *after_that)]


def test_a_takeback_before_the_first_ply_restarts_the_session() -> None:
    session = history.HostedBgs(1)
    asked(session, GameLine(("1", "2")))
    assert session.set_line(GameLine(("3", "2"))) == [ef.HistoryCleared(), ef.CloseSession()]


def test_a_session_resting_before_its_first_ply_continues_to_it() -> None:
    session = history.HostedBgs(2)
    session.start()
    session.answered()
    assert session.phase is history.Phase.RESTING
    assert session.set_line(GameLine(("1", "2"))) == [ef.AdvanceSession("1")]


LEFT = GameLine(("1", "!2", "3"))
AGAIN = ["play !2", "evaluate", "play 3", "evaluate"]


def test_a_seat_that_leaves_adds_an_entry_for_the_same_ply() -> None:
    session = history.HostedBgs()
    asked(session, GameLine(("1",)))
    session.set_line(LEFT)
    assert answered(session) == AGAIN
    assert [entry.ply for entry in session.history] == [0, 1, 1, 2]
    assert asked(history.HostedBgs(), LEFT) == ["evaluate", "play 1", "evaluate", *AGAIN]


def test_the_result_after_a_seat_has_left_has_the_ply_of_the_last_move() -> None:
    session = history.HostedBgs()
    asked(session, GameLine(LEFT.moves, LOST))
    assert [entry.ply for entry in session.history] == [0, 1, 1, 2]
