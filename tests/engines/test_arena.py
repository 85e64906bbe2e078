"""Laws of matches: fair seats, reproducible results, honest intervals."""

import math
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from engines.arena import Forfeit, Match, most_plies, play_game, play_match, standings
from engines.bots import STRATEGIES, Bot, RandomPlayer, UnknownBot
from engines.inference import ModelError, Signature, UniformModel
from engines.pool import Limits
from engines.standings import Standing, elo_difference, wilson

NETWORKS = (
    UniformModel(Signature(planes=9, dim2=4, dim3=4, policy=40)),
    UniformModel(Signature(planes=9, dim2=12, dim3=10, policy=248)),
)
SMALL = {"boardWidth": 4, "boardHeight": 4}


def match(bots: str, games: int = 6, variant: str = "standard") -> Match:
    players = [Bot.parse(text) for text in bots.split(",")]
    config = None if variant == "freestyle" else SMALL
    return Match("wallwars", players, games, Limits(30), variant, config, models=NETWORKS)


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        (name, variant)
        for name, variant in product(STRATEGIES, ("standard", "classic", "freestyle", "survival"))
        # No network knows survival.
        if not (STRATEGIES[name].uses_network and variant == "survival")
    ],
)
def test_every_bot_plays_every_variant(name: str, variant: str) -> None:
    game = play_game(match(f"{name},random", variant=variant), 0)
    assert sum(game.values) == 0


def test_where_no_network_fits_the_reason_is_told() -> None:
    with pytest.raises(ModelError, match=r"no network fits this game .*models do not know survival"):
        play_game(match("network,random", variant="survival"), 0)
    without = replace(match("network,random"), models=())
    with pytest.raises(ModelError, match="there is none"):
        play_game(without, 0)


@pytest.mark.parametrize("bots", ["native,greedy", "network,greedy"])
def test_the_result_does_not_depend_on_the_number_of_jobs(bots: str) -> None:
    one, two = (play_match(match(bots), jobs) for jobs in (1, 3))
    assert [game.moves for game in one] == [game.moves for game in two]


def test_pairs_share_an_opening_and_swap_seats() -> None:
    games = play_match(match("native,native"), 2)
    assert games[0].moves == games[1].moves, "the same players play the same game"
    assert games[0].moves[:2] != games[2].moves[:2], "another seed opens otherwise"
    assert games[0].values == games[1].values[::-1]


def test_search_beats_chance() -> None:
    pair = match("native,random", games=10)
    result = standings(pair.bots, play_match(pair, 2))
    assert result[0].score > 0.8
    assert [bot.games for bot in result] == [10, 10]


def test_equal_names_are_numbered() -> None:
    pair = match("random,random")
    names = [bot.name for bot in standings(pair.bots, play_match(pair, 1))]
    assert names == ["random_1", "random_2"]


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_the_interval_holds_the_score_and_shrinks(games: int, share: float) -> None:
    low, high = wilson(share * games, games)
    assert 0 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1
    wider = wilson(share * games / 2, games / 2)
    assert high - low <= wider[1] - wider[0] + 1e-9


def test_known_intervals() -> None:
    # Newcombe 1998, table I: 81 of 263 and 15 of 148.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("natve", "'native'"),
        ("native:pct=1", "'puct'"),
        ("native:puct=x", "number"),
        ("random:puct=1", "none"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(text: str, hint: str) -> None:
    with pytest.raises(UnknownBot, match=hint):
        Bot.parse(text)


def test_moves_of_every_bot_are_canonical() -> None:
    game = play_game(match("native,greedy"), 0)
    position = Position("wallwars", "standard", SMALL)
    position.play(*game.moves)
    assert tuple(position.history) == game.moves


@pytest.mark.parametrize(
    ("score", "points"),
    [(0.5, 0.0), (0.64, 100.0), (0.76, 200.2), (1 / 11, -400.0), (1.0, math.inf), (0.0, -math.inf)],
)
def test_known_differences_in_elo(score: float, points: float) -> None:
    assert elo_difference(score) == pytest.approx(points, abs=0.1)


def test_the_interval_of_elo_is_that_of_the_score() -> None:
    standing = Standing("a", 7, 2, 1)
    low, high = standing.elo95
    assert low < standing.elo < high
    assert (elo_difference(standing.wilson95[0]), elo_difference(standing.wilson95[1])) == (low, high)
    assert Standing("a", 10, 0, 0).elo95[1] == math.inf


def test_results_against_several_add_up() -> None:
    assert Standing("a", 1, 2, 3).and_also(Standing("a", 4, 0, 1)) == Standing("a", 5, 2, 4)


class Quitter(RandomPlayer):
    """Plays two moves and gives up."""

    def choose(self, position: Position, seat: int) -> str:
        if position.ply >= 4:
            raise Forfeit(self, "bored", "It has seen enough.")
        return super().choose(position, seat)


@dataclass(frozen=True)
class Quitters:
    """A contender that is no bot of the registry."""

    text: str = "quitter"

    def player(self, position: Position, limits: Limits, seed: int, models: object) -> Quitter:
        return Quitter(seed)


def test_who_cannot_go_on_has_lost_whatever_its_seat() -> None:
    pair = replace(match("random,random"), bots=[Quitters(), Bot.parse("random")], games=2)
    games = play_match(pair, 1)
    assert [game.takes for game in games] == [(0, 1), (1, 0)]
    for game in games:
        assert list(game.values) == [-1, 1]
        assert (game.reason, game.note) == ("bored", "It has seen enough.")
        assert game.moves[-1] == f"!{game.takes.index(0)}"


def test_games_without_a_limit_of_their_own_are_ended() -> None:
    assert most_plies("wallwars") == 200
    assert most_plies("hive") is None
