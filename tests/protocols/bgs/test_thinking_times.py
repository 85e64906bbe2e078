"""How long bots have thought: which sessions belong to a game, and that old ones are forgotten."""

import pytest

from protocols.bgs.thinking_times import MOST_SESSIONS, ThinkingTimes


def thought(*bgs_ids: str) -> ThinkingTimes:
    times = ThinkingTimes()
    for number, bgs_id in enumerate(bgs_ids):
        times.ask(bgs_id, number)
        times.answer(bgs_id, f"answer for {bgs_id}", number + 0.5)
    return times


@pytest.mark.parametrize(("bgs_id", "seat"), [("g", 0), ("g", 1), ("g~2", 1), ("g~s1", 1), ("g~s1~2", 1)])
def test_the_sessions_of_a_seat(bgs_id: str, seat: int) -> None:
    times = thought("h", bgs_id)
    found = times.of_game("g", seat)
    assert found is not None
    assert str(found) == "1 evaluation, 0.50 s on average, 0.50 s at most"
    assert times.of_game("g", seat) is None, "it is forgotten"


@pytest.mark.parametrize("bgs_id", ["g~s0", "gg", "g~s12", "h~2"])
def test_sessions_of_others(bgs_id: str) -> None:
    assert thought(bgs_id).of_game("g", 1) is None


def test_a_session_without_an_answer_says_nothing() -> None:
    times = ThinkingTimes()
    times.ask("g", 1)
    assert times.of_game("g", 0) is None


def test_the_oldest_are_forgotten() -> None:
    times = thought(*(f"g{number}" for number in range(MOST_SESSIONS + 1)))
    assert times.of_game("g0", 0) is None
    assert times.of_game("g1", 0) is not None
