"""Carcassonne through the public surface: whole games between bots, and positions as text."""

import json

import pytest

from engines import BadConfig, IllegalMove, Position, Search, read_position
from engines.arena import Match, play_game
from engines.bots import Bot
from engines.pool import Limits


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_montecarlo_plays_whole_games(seats: int) -> None:
    bots = [Bot.parse("montecarlo"), *(Bot.parse("random") for _ in range(seats - 1))]
    match = Match("carcassonne", bots, seats, Limits(20), seed=3)
    games = [play_game(match, number) for number in range(seats)]
    assert [game.reason for game in games] == ["points"] * seats
    ours = sum(game.scores[0] for game in games if game.scores)
    best_random = sum(max(game.scores[1:]) for game in games if game.scores)
    assert ours > best_random
    assert play_game(match, 0).moves == games[0].moves


def test_every_seat_count_is_checked() -> None:
    for seats in (1, 6):
        with pytest.raises(BadConfig, match=rf"seats is {seats}, not a whole number in 2\.\.5"):
            Position("carcassonne", config={"seats": seats})


def test_a_record_needs_no_seed() -> None:
    dealt = Position("carcassonne", config={"seats": 3, "seed": 8, "tileCount": 20})
    while dealt.to_act:
        dealt.play(dealt.legal_moves()[-1])
    record = json.dumps({"config": dealt.config, "moves": dealt.history})
    assert "seed" not in record
    public = read_position("carcassonne", record)
    assert public.view() == dealt.view()
    assert public.outcome is not None
    assert dealt.outcome is not None
    assert public.outcome.scores == dealt.outcome.scores
    cut = json.dumps({"config": dealt.config, "moves": [dealt.history[0].split(" +")[0]]})
    with pytest.raises(IllegalMove, match="does not tell which tile was drawn"):
        read_position("carcassonne", cut)


def test_a_search_knows_no_more_than_its_seat() -> None:
    """The same search of a dealt and of a public position finds the same: it deals the bag anew every time."""
    dealt = Position("carcassonne", config={"seed": 4, "tileCount": 12})
    public = Position("carcassonne", config=dealt.config)
    for _ in range(6):
        dealt.play(dealt.legal_moves()[0])
        public.play(dealt.history[-1])
    means = []
    for position in (dealt, public):
        search = Search(position, "native", {}, 1)
        search.run(20_000)
        means.append(search.report(1).lines[0].value)
    assert means[0] == pytest.approx(means[1], abs=0.1)


@pytest.mark.parametrize(
    ("recorded", "submitted"),
    [
        ("0,1,180 city_S -C +B", "0,1,180 city_S"),
        ("0,1,180 +B", "0,1,180"),
        ("0,1,180 city_S -C", "0,1,180 city_S"),
        ("-1,0,90", "-1,0,90"),
        ("!1", "!1"),
    ],
)
def test_a_player_submits_no_tail(recorded: str, submitted: str) -> None:
    assert Position("carcassonne").submitted(recorded) == submitted
    assert Position("hive").submitted("bS1 -wS1") == "bS1 -wS1"
