"""Corners of a hosted session that transcripts and laws do not name: ids, misuse, finished at the start."""

from collections.abc import Callable

import pytest

from protocols.bgs import history as hi
from protocols.bgs import messages as m
from protocols.session import Effect, LocalError

STARTED = m.GameSessionStarted("g")
ENDED = m.GameSessionEnded("g")


def hosted() -> hi.HostedBgs:
    return hi.HostedBgs("g", "b", {})


def resting() -> hi.HostedBgs:
    session = hosted()
    session.start()
    session.answered(STARTED)
    session.answered(m.EvaluateResponse("g", 0, "1", 0.5))
    return session


def ended() -> hi.HostedBgs:
    session = hosted()
    session.end()
    return session


@pytest.mark.parametrize(
    ("bgs_id", "following"),
    [("g", "g~2"), ("g~2", "g~3"), ("g~9", "g~10"), ("g~s1", "g~s1~2"), ("g_guest_x", "g_guest_x~2")],
)
def test_ids_after_a_time_out(bgs_id: str, following: str) -> None:
    assert hi.next_id(bgs_id) == following


IMPOSSIBLE: list[tuple[str, Callable[[], hi.HostedBgs], Callable[[hi.HostedBgs], list[Effect]]]] = [
    ("ANSWERED.*NEW", hosted, lambda session: session.answered(STARTED)),
    ("TIMED_OUT.*NEW", hosted, lambda session: session.timed_out()),
    ("START.*RESTING", resting, lambda session: session.start()),
    ("REBUILD.*RESTING", resting, lambda session: session.rebuild()),
    ("ANSWERED.*RESTING", resting, lambda session: session.answered(STARTED)),
    ("TIMED_OUT.*RESTING", resting, lambda session: session.timed_out()),
    ("SET_MOVES.*ENDED", ended, lambda session: session.set_moves([], None)),
    ("START.*ENDED", ended, lambda session: session.start()),
]


@pytest.mark.parametrize(("names", "make", "misuse"), IMPOSSIBLE)
def test_impossible_events_name_state_and_event(
    names: str, make: Callable[[], hi.HostedBgs], misuse: Callable[[hi.HostedBgs], list[Effect]]
) -> None:
    session = make()
    phase = session.phase
    with pytest.raises(LocalError, match=names):
        misuse(session)
    assert session.phase is phase


def test_a_game_finished_at_its_start_is_evaluated_by_nobody() -> None:
    session = hosted()
    session.set_moves([], -1.0)
    session.start()
    entry = hi.Entry(0, -1.0, "")
    assert session.answered(STARTED) == [hi.EntryAdded(entry), hi.AtRest((entry,))]


def test_taking_back_the_finishing_move_asks_nothing() -> None:
    session = resting()
    first = session.history[0]
    session.set_moves(["1"], 1.0)
    assert session.history == (first, hi.Entry(1, 1.0, ""))
    effects = session.set_moves([], None)
    assert effects == [hi.HistoryCleared(), hi.EntryAdded(first), hi.AtRest((first,))]


def test_the_same_moves_again_change_nothing() -> None:
    session = resting()
    assert session.set_moves([], None) == [hi.AtRest(session.history)]


def test_after_a_restart_the_old_session_is_ended_first() -> None:
    session = hosted()
    session.set_moves(["1"], None)
    assert session.rebuild() == [hi.Request(m.EndGameSession("g"))]
    assert session.answered(m.EvaluateResponse("g", 5, "late", 0.0)) == []
    not_found = m.GameSessionEnded("g", success=False, error="Session g not found")
    assert session.answered(not_found) == [hi.Request(m.StartGameSession("g", "b", {}))]


def test_a_rollback_whose_end_is_not_answered_fails() -> None:
    session = resting()
    session.set_moves(["1"], None)
    session.set_moves(["2"], None)
    assert session.answered(m.MoveApplied("g", 1)) == [hi.Request(m.EndGameSession("g"))]
    failed, over = session.timed_out()
    assert isinstance(failed, hi.Failed)
    assert failed.code is hi.FailureCode.TIMEOUT
    assert over == hi.Ended()


def test_an_end_while_rolling_back_does_not_start_again() -> None:
    session = resting()
    session.set_moves(["1"], None)
    session.set_moves([], None)
    session.answered(m.MoveApplied("g", 1))
    assert session.end() == []
    assert session.answered(ENDED) == [hi.Ended()]


def test_entries_keep_what_our_pool_says_besides() -> None:
    session = hosted()
    session.start()
    session.answered(STARTED)
    said = m.EvaluateResponse("g", 0, "1", 0.5, values=(0.5, 0.2, -0.7), source="native", samples=1000)
    added = session.answered(said)[0]
    assert added == hi.EntryAdded(hi.Entry(0, 0.5, "1", (0.5, 0.2, -0.7), None, "native", 1000))


def asked(session: hi.HostedBgs, moves: list[str], finished_value: float | None) -> list[str]:
    """What a session of these moves asks its analyst until it rests."""
    texts = []
    for effects in (session.start(), session.set_moves(moves, finished_value)):
        assert all(isinstance(effect, hi.Request) for effect in effects)
    while session.phase is not hi.Phase.RESTING:
        match session.outstanding:
            case m.StartGameSession():
                session.answered(STARTED)
            case m.ApplyMove(expected_ply=ply):
                texts.append(f"apply {ply}")
                session.answered(m.MoveApplied("g", ply + 1))
            case m.EvaluatePosition(expected_ply=ply):
                texts.append(f"evaluate {ply}")
                session.answered(m.EvaluateResponse("g", ply, "1", 0.5))
    return texts


@pytest.mark.parametrize(
    ("first", "finished_value", "texts"),
    [
        (0, None, "evaluate 0, apply 0, evaluate 1, apply 1, evaluate 2"),
        (1, None, "apply 0, evaluate 1, apply 1, evaluate 2"),
        (2, None, "apply 0, apply 1, evaluate 2"),
        (1, 1.0, "apply 0, evaluate 1"),
        (2, 1.0, "apply 0"),
    ],
)
def test_positions_before_the_first_are_not_evaluated(
    first: int, finished_value: float | None, texts: str
) -> None:
    session = hi.HostedBgs("g", "b", {}, first_ply=first)
    assert asked(session, ["1", "2"], finished_value) == texts.split(", ")
    assert [entry.ply for entry in session.history] == list(range(first, 3))


def test_a_takeback_behind_the_first_ply_starts_again() -> None:
    session = hi.HostedBgs("g", "b", {}, first_ply=1)
    asked(session, ["1", "2"], None)
    assert session.set_moves(["3", "2"], None) == [hi.HistoryCleared(), hi.Request(m.EndGameSession("g"))]


def test_a_session_that_rests_before_its_first_ply_goes_on_to_it() -> None:
    session = hi.HostedBgs("g", "b", {}, first_ply=2)
    session.start()
    session.answered(STARTED)
    assert session.phase is hi.Phase.RESTING
    assert session.set_moves(["1", "2"], None) == [hi.Request(m.ApplyMove("g", 0, "1"))]
