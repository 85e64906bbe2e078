"""Bots as they are written: names, parameters of each type, and the bots of the UCT search."""

import pytest

from engines import BadConfig, Position
from engines.arena import Match, play_game
from engines.bot_parameters import write_parameter
from engines.bots import STRATEGIES, Bot, UnknownBot
from engines.pool import Limits

FEW = Limits(60)


def test_parameters_have_the_type_of_their_default() -> None:
    bot = Bot.parse("mcts:c=0.7:dets=0:use_rave=true:rave_fpu=0:eval=v1:order=rules:pw_alpha=0")
    assert bot.parameters == {
        "exploration_constant": 0.7,
        "num_determinizations": 0,
        "use_rave": True,
        "rave_fpu": False,
        "eval": "v1",
        "order": "rules",
        "pw_alpha": 0,
    }


def test_limits_of_a_bot_are_no_options_of_its_search() -> None:
    bot = Bot.parse("mcts:num_simulations=500:time_limit_ms=2000")
    assert (bot.samples, bot.time_ms, bot.parameters) == (500, 2000, {})
    bot = Bot.parse("mcts:num_simulations=0:time_limit_ms=0")
    assert (bot.samples, bot.time_ms) == (None, None)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("mtcs", "'mcts'"),
        ("mcts+rav", r"'mcts\+rave'"),
        ("mcts:pw_x=1", "'pw_c'"),
        ("mcts:det=1", "'dets'"),
        ("puct:dets=1", "unknown parameter 'dets'"),
        ("mcts:use_rave=maybe", "neither true nor false"),
        ("mcts:rave_k=many", "not a number"),
        ("mcts:eval=", "not a name"),
        ("mcts:num_simulations=0.5", "simulations from 1"),
        ("mcts:num_simulations=nan", "simulations from 1"),
        ("mcts:time_limit_ms=-1", "milliseconds from 1"),
        ("mcts:time=0", "milliseconds from 1"),
    ],
)
def test_wrong_bots_are_refused_with_a_hint(text: str, hint: str) -> None:
    with pytest.raises(UnknownBot, match=hint):
        Bot.parse(text)


def test_every_default_can_be_written_and_read() -> None:
    for name, strategy in STRATEGIES.items():
        written = "".join(f":{key}={write_parameter(value)}" for key, value in strategy.parameters.items())
        parameters = Bot.parse(name + written).parameters
        assert parameters == {
            key: value
            for key, value in strategy.parameters.items()
            if key not in ("num_simulations", "time_limit_ms")
        }


@pytest.mark.parametrize(
    "text", ["mcts", "mcts+rave", "mcts-seed:eval=native:order=eval", "mcts:dets=0:order=eval"]
)
def test_the_uct_bots_play_every_kind_of_game(text: str) -> None:
    for game, seats in (("carcassonne", 3), ("wallwars", 2)):
        bots = [Bot.parse(text), *(Bot.parse("random") for _ in range(seats - 1))]
        config = {"tileCount": 6} if game == "carcassonne" else {"boardWidth": 3, "boardHeight": 3}
        played = play_game(Match(game, bots, 1, FEW, seed=2, config=config), 0)
        assert played.moves
        assert played.position.outcome


@pytest.mark.parametrize(
    "text",
    [
        "mcgs:eval=zero",
        "mcgs:eval=zero:selector=rm:utility=win",
        "mcgs:eval=zero:selector=puct+rootsolve:table=false",
    ],
)
def test_the_graph_search_plays_where_seats_act_together(text: str) -> None:
    for bots in ([text, "random"], ["montecarlo", text]):
        match = Match("toy-goofspiel", [Bot.parse(bot) for bot in bots], 1, FEW, seed=2)
        played = play_game(match, 0)
        assert all(move.count("/") == 1 for move in played.moves)
        assert played.position.outcome


@pytest.mark.parametrize("name", ["mcts", "mcts+rave", "mcts-seed"])
def test_default_parameters_are_what_is_played(name: str) -> None:
    written = [f"{key}={write_parameter(value)}" for key, value in STRATEGIES[name].parameters.items()]

    def moves(text: str) -> tuple[str, ...]:
        config = {"tileCount": 12}
        pair = [Bot.parse(text), Bot.parse("random")]
        return play_game(Match("carcassonne", pair, 1, FEW, seed=3, config=config), 0).moves

    assert moves(name) == moves(":".join([name, *written]))


def test_more_simulations_are_better_than_chance() -> None:
    pair = [Bot.parse("mcts:num_simulations=40"), Bot.parse("random")]
    match = Match("carcassonne", pair, 6, FEW, seed=1, config={"tileCount": 10})
    assert sum(play_game(match, number).values[0] for number in range(6)) >= 2


def test_an_unknown_evaluator_is_never_ignored() -> None:
    position = Position("carcassonne", config={"seed": 1})
    with pytest.raises(BadConfig, match="no evaluator 'v99'"):
        Bot.parse("mcts:eval=v99").player(position, FEW, 1)


@pytest.mark.parametrize("bot", ["greedy", "montecarlo", "random"])
def test_a_bot_plays_its_part_of_a_turn_of_both_seats(bot: str) -> None:
    position = Position("pyrat", "tiny", {"seed": 4})
    players = [Bot.parse(bot).player(position, FEW, seed) for seed in range(2)]
    while position.to_act and position.ply < 10:
        moves = [player.choose(position, seat) for seat, player in enumerate(players)]
        assert [position.check(move, seat) for seat, move in enumerate(moves)] == moves
        position.play("/".join(moves))
        for player in players:
            player.played(position.history[-1])


def test_greedy_collects_more_cheese_than_random() -> None:
    bots = [Bot.parse("greedy"), Bot.parse("random")]
    for number in range(4):
        played = play_game(Match("pyrat", bots, 4, FEW, "asymmetric"), number)
        assert played.values == (1.0, -1.0)
        assert (played.reason, played.note) == ("majority", "")
        assert played.scores is not None
        assert played.scores[0] > 20
