"""The members with which a bot joins the ladder, and says how it plays in tournaments."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import games
from protocols.bgs.attach import AttachError, AttachPolicy, RejectionCode, read_attach
from protocols.bgs.boards import attachable
from protocols.bgs.ladder import ladder_json, ladder_terms
from protocols.bgs.tournaments import tournament_terms, tournaments_json
from protocols.values import LadderTerms, Range, TournamentTerms
from protocols.values.ladder import GAMES_AT_ONCE, GAMES_PER_DAY

VARIANTS = ("Base", "Base+MLP")
POLICY = AttachPolicy(None, attachable(games()), "plyhouse")


def attach(**members: Any) -> Any:
    bot = {"botId": "b", "name": "B", "username": None, "game": "hive", "variants": {"Base": {}}, **members}
    client = {"name": "t", "version": "1"}
    return read_attach({"protocolVersion": 3, "clientId": "c", "client": client, "bots": [bot]}, POLICY).bots[
        0
    ]


terms = st.builds(
    LadderTerms,
    st.integers(GAMES_AT_ONCE.min, GAMES_AT_ONCE.max),
    st.none() | st.integers(GAMES_PER_DAY.min, GAMES_PER_DAY.max),
    st.lists(st.text(max_size=9), max_size=3).map(tuple),
    st.none() | st.sampled_from([("Base",), ("Base+MLP", "Base")]),
    st.none() | st.tuples(st.integers(0, 23), st.integers(0, 23)).filter(lambda hours: hours[0] != hours[1]),
    st.sampled_from([(2,), (3,), (5, 2, 4)]),
)


@given(terms)
def test_terms_are_read_as_they_are_written(given_terms: LadderTerms) -> None:
    assert ladder_terms(VARIANTS)(ladder_json(given_terms)) == given_terms


seconds = st.none() | st.tuples(st.integers(0, 500), st.integers(500, 86_400)).map(lambda two: Range(*two))


@given(
    st.none() | terms,
    st.none()
    | st.builds(
        TournamentTerms,
        st.integers(GAMES_AT_ONCE.min, GAMES_AT_ONCE.max),
        st.lists(st.text(max_size=9), max_size=3).map(tuple),
        st.sampled_from([("Base",), ("Base+MLP", "Base")]),
        st.tuples(st.integers(0, 11), st.integers(12, 23)),
        seconds,
        seconds,
    ),
)
def test_terms_of_tournaments_are_read_as_they_are_written(
    ladder: LadderTerms | None, given_terms: TournamentTerms | None
) -> None:
    written = tournaments_json(given_terms, ladder)
    assert tournament_terms(VARIANTS, ladder)(written) == given_terms


@given(terms)
def test_a_bot_that_says_nothing_plays_in_tournaments_as_on_the_ladder(ladder: LadderTerms) -> None:
    usual = tournament_terms(VARIANTS, ladder)(True)
    assert usual == TournamentTerms(
        avoid=ladder.avoid, variants=ladder.variants, quiet_hours=ladder.quiet_hours
    )
    assert attach().tournaments == TournamentTerms()
    assert attach(tournaments=False).tournaments is None


def test_a_bot_joins_with_a_version() -> None:
    joined, outside = attach(ladder=True, version="2.1-beta"), attach(ladder=False)
    assert (joined.ladder, joined.version) == (LadderTerms(), "2.1-beta")
    assert (outside.ladder, outside.version) == (None, "")


def test_a_client_has_few_bots_on_the_ladder() -> None:
    bots: list[dict[str, Any]] = [
        {
            "botId": f"b{n}",
            "name": "B",
            "username": None,
            "game": "hive",
            "variants": {"Base": {}},
            "ladder": n < 17,
        }
        for n in range(20)
    ]
    fields = {"protocolVersion": 3, "clientId": "c", "client": {"name": "t", "version": "1"}, "bots": bots}
    with pytest.raises(AttachError, match="a client has at most 16 bots on the ladder"):
        read_attach(fields, POLICY)
    bots[0]["ladder"] = False
    assert len(read_attach(fields, POLICY).bots) == 20


def test_a_version_is_kept_when_a_bot_leaves_the_ladder() -> None:
    assert attach(version="2").version == "2"


def test_a_version_means_nothing_to_others() -> None:
    assert attach(version=7).version == ""


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"ladder": "yes"}, "bot 1: ladder must be true, false or an object"),
        ({"ladder": {"games": 3}}, "ladder must be true or an object with gamesAtOnce, gamesPerDay"),
        (
            {"ladder": {"gamesAtOnce": 0}},
            "ladder must be an object whose gamesAtOnce is a whole number from 1 to 64",
        ),
        ({"ladder": {"gamesPerDay": 1.5}}, "whose gamesPerDay is a whole number from 1 to 100000"),
        ({"ladder": {"avoid": "ann"}}, "whose avoid is an array of at most 100 ids of clients or bots"),
        ({"ladder": {"avoid": ["a"] * 101}}, "whose avoid is an array of at most 100 ids"),
        (
            {"ladder": {"variants": []}},
            "whose variants is an array of some of the variants that the bot offers (Base)",
        ),
        ({"ladder": {"variants": ["Base+MLP"]}}, "whose variants is an array of some of the variants"),
        (
            {"ladder": {"quietHours": [22]}},
            "whose quietHours is two different hours of the day in UTC, [22, 6]",
        ),
        ({"ladder": {"quietHours": [3, 24]}}, "whose quietHours is two different hours"),
        ({"ladder": {"quietHours": [True, 2]}}, "whose quietHours is two different hours"),
        (
            {"ladder": {"seats": [1]}},
            "whose seats is an array of different numbers of seats from 2 to 5, [2, 3]",
        ),
        ({"ladder": {"seats": [2, 2]}}, "whose seats is an array of different numbers"),
        ({"ladder": {"seats": 3}}, "whose seats is an array of different numbers"),
        ({"ladder": True, "version": 2}, "version must be a string"),
        ({"ladder": True, "version": "1@2"}, "version must be a string that must not contain '@'"),
        (
            {"ladder": True, "version": "x" * 33},
            "version must be a string that must have at most 32 characters",
        ),
        ({"tournaments": "no"}, "tournaments must be true, false or an object"),
        (
            {"tournaments": {"gamesPerDay": 3}},
            "tournaments must be true or an object with gamesAtOnce, avoid",
        ),
        (
            {"tournaments": {"initialSeconds": [30, 10]}},
            "whose initialSeconds is the least and the most, two whole numbers from 0 to 86400, [0, 10]",
        ),
        ({"tournaments": {"incrementSeconds": [True, 10]}}, "whose incrementSeconds is the least"),
        ({"ladder": True, "username": "Ann"}, "ladder must be false for a bot that only one user sees"),
    ],
)
def test_each_wrong_member_is_named(members: dict[str, Any], why: str) -> None:
    with pytest.raises(AttachError) as error:
        attach(**members)
    assert error.value.code is RejectionCode.INVALID_BOT_CONFIG
    assert why in str(error.value)
