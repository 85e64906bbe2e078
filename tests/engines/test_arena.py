"""Matches: alternating seats, reproducible results, correct intervals."""

import math
from dataclasses import dataclass, field, replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import BadConfig, Position
from engines.arena import (
    Contender,
    Match,
    Played,
    most_plies,
    play_game,
    play_match,
    replay_game,
    standings,
)
from engines.arena_game import Forfeit
from engines.bots import STRATEGIES, Bot, RandomPlayer, UnknownBot
from engines.inference import ModelError, Signature
from engines.pool import Limits
from engines.standings import Standing, elo_difference, wilson
from tests.engines.uniform_model import UniformModel

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
        # No network supports survival, and the graph search is for seats that act together.
        if not (STRATEGIES[name].uses_network and variant == "survival") and name != "mcgs"
    ],
)
def test_every_bot_plays_every_variant(name: str, variant: str) -> None:
    bot = f"{name}:eval=native:order=eval" if name == "mcts-seed" else name
    game = play_game(match(f"{bot},random", variant=variant), 0)
    assert sum(game.values) == 0


def test_the_error_says_why_no_network_fits() -> None:
    with pytest.raises(ModelError, match=r"no network fits this game .*models do not support survival"):
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
    assert games[0].moves[:2] != games[2].moves[:2], "another seed gives another opening"
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
def test_the_interval_contains_the_score_and_shrinks(games: int, share: float) -> None:
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
def test_unknown_names_suggest_the_nearest(text: str, hint: str) -> None:
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
def test_known_elo_differences(score: float, points: float) -> None:
    assert elo_difference(score) == pytest.approx(points, abs=0.1)


def test_the_elo_interval_is_converted_from_the_score() -> None:
    standing = Standing("a", 7, 2, 1)
    low, high = standing.elo95
    assert low < standing.elo < high
    assert (elo_difference(standing.wilson95[0]), elo_difference(standing.wilson95[1])) == (low, high)
    assert Standing("a", 10, 0, 0).elo95[1] == math.inf


def test_results_against_several_opponents_add_up() -> None:
    assert Standing("a", 1, 2, 3).and_also(Standing("a", 4, 0, 1)) == Standing("a", 5, 2, 4)


class Quitter(RandomPlayer):
    """Plays two moves, then forfeits."""

    def choose(self, position: Position, seat: int) -> str:
        if position.ply >= 4:
            raise Forfeit(self, "bored", "It has seen enough.")
        return super().choose(position, seat)


@dataclass(frozen=True)
class Quitters:
    """A contender that is not a registered bot."""

    text: str = "quitter"

    def player(self, position: Position, limits: Limits, seed: int, models: object) -> Quitter:
        return Quitter(seed)


class Listener(RandomPlayer):
    """Notes what it is told."""

    def __init__(self, start: int) -> None:
        super().__init__(seed=0)
        self.start = start
        self.told: list[str] = []

    def played(self, move: str) -> None:
        self.told.append(move)


@dataclass(frozen=True)
class Listeners:
    """Contenders of which every player is kept."""

    text: str = "listener"
    made: list[Listener] = field(default_factory=list)

    def player(self, position: Position, limits: Limits, seed: int, models: object) -> Listener:
        self.made.append(Listener(position.ply))
        return self.made[-1]


def test_a_forfeit_loses_in_any_seat() -> None:
    pair = replace(match("random,random"), bots=[Quitters(), Bot.parse("random")], games=2)
    games = play_match(pair, 1)
    assert [game.takes for game in games] == [(0, 1), (1, 0)]
    for game in games:
        assert list(game.values) == [-1, 1]
        assert (game.reason, game.note) == ("bored", "It has seen enough.")
        assert game.moves[-1] == f"!{game.takes.index(0)}"


def test_games_without_a_ply_limit_are_ended() -> None:
    assert most_plies("wallwars") == 200
    assert most_plies("hive") is None


# ---- more than two seats, and games with points ---------------------------------------------------


def draw(bots: str, games: int = 6, seed: int = 0) -> Match:
    return Match("toy-draw", [Bot.parse(text) for text in bots.split(",")], games, Limits(20), seed=seed)


def test_each_seed_is_played_in_all_rotations() -> None:
    games = play_match(draw("random,montecarlo,random", games=7), 2)
    assert [game.takes for game in games[:4]] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    assert [game.position.secret["seed"] for game in games] == [0, 0, 0, 1, 1, 1, 2]


def test_a_start_that_varies_with_the_seed_needs_no_opening() -> None:
    plies: list[int] = []
    for pair in (
        draw("random,random"),
        match("random,random"),
        replace(draw("random,random"), opening_plies=1),
    ):
        listeners = Listeners()
        play_game(replace(pair, bots=[listeners, Bot.parse("random")]), 0)
        plies += [listener.start for listener in listeners.made]
    assert plies == [0, 2, 1]


def test_scores_and_places_are_those_of_the_bots() -> None:
    for game in play_match(draw("random,random,random", games=6), 1):
        outcome = game.position.outcome
        assert outcome is not None
        assert outcome.scores is not None
        assert game.scores is not None
        for seat, bot in enumerate(game.takes):
            assert game.scores[bot] == outcome.scores[seat]
            assert game.places[bot] == outcome.places[seat]
        ahead = sorted(range(3), key=lambda bot: game.places[bot])
        assert [game.scores[bot] for bot in ahead] == sorted(game.scores, reverse=True)


def test_the_shortest_time_is_enough_for_a_whole_move() -> None:
    """Even if all of it is used for the first action of the move."""
    hasty = replace(draw("montecarlo,montecarlo,montecarlo", games=3), limits=Limits(None, 0.001))
    assert all(game.scores for game in play_match(hasty, 2))


def test_a_game_without_points_has_no_scores() -> None:
    assert play_game(match("random,random"), 0).scores is None
    assert standings(match("random,random").bots, [])[0].mean_points is None


def test_the_search_wins_with_three_seats_and_scores_more() -> None:
    three = draw("montecarlo,random,random", games=30)
    first, *others = standings(three.bots, play_match(three, 2))
    assert first.score > 0.6
    assert all((first.mean_points or 0) > (other.mean_points or 0) for other in others)
    assert len(first.points) == 30


@given(st.lists(st.integers(-50, 120).map(float), min_size=2))
def test_mean_and_deviation_of_points(points: list[float]) -> None:
    standing = Standing("a", len(points), 0, 0, tuple(points[:1])).and_also(
        Standing("a", 0, 0, 0, tuple(points[1:]))
    )
    mean = sum(points) / len(points)
    assert standing.mean_points == pytest.approx(mean)
    squares = sum((point - mean) ** 2 for point in points)
    assert standing.sd_points == pytest.approx(math.sqrt(squares / (len(points) - 1)))


def test_the_deviation_needs_two_games() -> None:
    assert Standing("a", 1, 0, 0, (7.0,)).mean_points == 7.0
    assert Standing("a", 1, 0, 0, (7.0,)).sd_points is None


def test_a_game_has_as_many_seats_as_bots() -> None:
    with pytest.raises(BadConfig, match="wallwars has 2 seats, not 3"):
        play_game(match("random,random,random"), 0)


def test_the_others_go_on_when_one_of_three_forfeits() -> None:
    bots: list[Contender] = [Quitters(), Bot.parse("montecarlo"), Bot.parse("random")]
    games = play_match(replace(draw("random"), bots=bots, games=3), 1)
    for game in games:
        assert f"!{game.takes.index(0)}" in game.moves
        assert game.moves[-1][0] != "!", "the others play to the end"
        assert game.places[0] == 3
        assert game.values[0] == -1
        assert (game.reason, game.note) == ("points", "It has seen enough.")


def test_the_last_of_three_wins_at_once() -> None:
    bots: list[Contender] = [Quitters(), Bot.parse("random"), Quitters()]
    for game in play_match(replace(draw("random"), bots=bots, games=3), 1):
        assert list(game.values) == [-1, 1, -1]
        assert (game.reason, game.note) == ("bored", "It has seen enough.; It has seen enough.")


def test_every_player_is_told_every_move_once() -> None:
    listeners = Listeners()
    game = play_game(replace(draw("random"), bots=[listeners, listeners, Quitters()]), 0)
    assert any(move.startswith("!") for move in game.moves)
    for listener in listeners.made:
        assert listener.told == list(game.moves[:-1]), "all but the move that ends the game"


@pytest.mark.parametrize(
    "pair", [match("greedy,random"), draw("random,montecarlo,random")], ids=["two seats", "three seats"]
)
def test_a_game_is_restored_from_its_moves(pair: Match) -> None:
    for number, game in enumerate(play_match(pair, 2)):
        again = replay_game(pair, number, game.moves, game.reason, game.note, game.seconds)
        assert facts(again) == facts(game)


@pytest.mark.parametrize("cut", range(7))
def test_known_games_are_not_played_again(cut: int) -> None:
    whole = play_match(draw("montecarlo,random"), 2)
    marked = {number: replace(game, note="known") for number, game in enumerate(whole[:cut])}
    reported: list[Played] = []
    resumed = play_match(draw("montecarlo,random"), 2, reported.append, marked)
    assert [game.note for game in resumed] == ["known"] * cut + [""] * (6 - cut)
    assert [game.moves for game in resumed] == [game.moves for game in whole]
    assert reported == resumed


def facts(game: Played) -> tuple[object, ...]:
    position = (game.position.key, game.moves)
    return game.values, game.takes, game.places, game.scores, position, game.reason, game.note, game.seconds
