"""The Python interface of Position and Search; refusals change nothing."""

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import (
    BadConfig,
    BadNotation,
    IllegalMove,
    Position,
    RuleError,
    Search,
    games,
    known_members,
    read_position,
)
from engines.bots import random_move

SMALL = {"boardWidth": 3, "boardHeight": 3}


def test_the_catalogue_lists_games_but_not_toys() -> None:
    rows = {game.name: game for game in games()}
    assert rows["wallwars"].listed
    assert [name for name, game in rows.items() if not game.listed] == ["toy-goofspiel", "toy-draw"]
    assert rows["wallwars"].variants[0] == "standard"
    assert rows["wallwars"].seats == (2, 2)
    assert rows["wallwars"].about["boardWidth"]["max"] == 20


@pytest.mark.parametrize("game", [game for game in games() if game.listed], ids=lambda game: game.name)
def test_games_say_whether_their_seats_act_together(game: Any) -> None:
    is_together = len(Position(game.name).to_act) > 1
    assert game.about.get("simultaneous", False) == is_together


def test_a_short_game() -> None:
    position = Position("wallwars", "standard", SMALL)
    assert (position.ply, position.to_act, position.outcome) == (0, [0], None)
    position.play("Cb3.Cb2", "---")
    assert position.history == ["Cb2", "---"], "history is canonical"
    position.play("Cc1")
    outcome = position.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.values, outcome.scores) == (
        [0],
        "capture",
        [1, -1],
        None,
    )
    assert (position.to_act, position.legal()) == ([], [])
    with pytest.raises(IllegalMove, match="over"):
        position.play("---")


def test_legal_lists_moves_or_actions() -> None:
    position = Position("wallwars", "standard", SMALL)
    assert "Cb3" in position.legal()
    assert position.legal(1) == [], "it is not seat 1's turn"
    assert "Cb2" in position.legal(0, "Cb3")
    assert position.legal(0, "Cb2") == [], "a double step is a whole move"
    with pytest.raises(RuleError, match="actions"):
        position.legal_moves()
    with pytest.raises(IllegalMove):
        position.legal(0, "Cc1")
    with pytest.raises(IllegalMove, match="no seat 2"):
        position.legal(2)


def test_which_beginnings_are_whole_moves() -> None:
    position = Position("wallwars", "standard", SMALL)
    assert position.can_finish(), "passing is a move"
    assert position.can_finish(0, "Cb3")
    assert position.can_finish(0, "Cb2")
    assert not position.can_finish(0, "Cc1")
    assert not position.can_finish(1), "it is not seat 1's turn"
    toy = Position("toy-draw", config={"seed": 1})
    assert not toy.can_finish()
    assert toy.can_finish(0, "take")
    both = Position("toy-goofspiel")
    assert both.can_finish(1, "2")
    assert both.legal_actions(1, "2") == [], "a joint move has one action per seat"


def test_play_is_all_or_nothing_and_undo_is_its_inverse() -> None:
    position = Position("wallwars", "standard", SMALL)
    key = position.key
    with pytest.raises(IllegalMove):
        position.play("Cb2", "Ca1")
    assert (position.key, position.ply) == (key, 0)
    copy = position.copy()
    copy.play("Cb2", "---")
    assert position.key == key
    copy.undo()
    copy.undo()
    assert copy.key == key
    with pytest.raises(IllegalMove):
        copy.undo()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("chess",), "unknown game 'chess': one of wallwars"),
        (("wallwars", "blitz"), "unknown variant 'blitz'"),
        (("wallwars", "standard", {"boardWidth": 2}), "3"),
        (("wallwars", "standard", {"boardWidth": 21}), "20"),
        (("wallwars", "standard", {"boardWidth": "8"}), "boardWidth"),
        (("wallwars", "standard", [1]), "object"),
        (("wallwars", "standard", {"initialState": 5}), "initialState"),
    ],
)
def test_errors_name_bad_starts(arguments: tuple[Any, ...], error: str) -> None:
    with pytest.raises(BadConfig, match=error):
        Position(*arguments)


def test_writing_and_reading_a_position_is_the_identity() -> None:
    position = Position("wallwars", "freestyle", {"seed": 7})
    position.play("---", "---")
    again = read_position("wallwars", position.write())
    assert (again.variant, again.key, again.history) == ("freestyle", position.key, position.history)
    bare = read_position("wallwars", json.dumps(position.config), "freestyle")
    assert bare.config == position.config
    wrapped = read_position("wallwars", json.dumps({"config": position.config}), "freestyle")
    assert wrapped.config == position.config
    for text, error in (
        ("{", BadNotation),
        ('{"moves": [1]}', BadNotation),
        ('{"moves": ["Cz9"]}', RuleError),
        ('{"config": {}, "move": ["Cb2"]}', BadConfig),
        ('{"config": {"variant": 5}}', BadConfig),
        ('{"variant": "classic", "boardwidth": 5}', BadConfig),
    ):
        with pytest.raises(error):
            read_position("wallwars", text)


VARIANTS = [(game.name, variant) for game in games() for variant in game.variants]


def _together(position: Position, moves: list[str]) -> Position:
    after = position.copy()
    after.play("/".join(moves))
    return after


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_position_written_with_its_secret_keeps_what_is_hidden(game: str, variant: str) -> None:
    position, rng = Position(game, variant, known_members(game, {"seed": 7})), random.Random(1)
    for _ in range(3):
        moves = [random_move(position, seat, rng) for seat in position.to_act]
        position = position.after(moves[0]) if len(moves) == 1 else _together(position, moves)
    again = read_position(game, position.write(secret=True))
    assert (again.variant, again.key, again.history) == (variant, position.key, position.history)
    assert (again.is_dealt, again.secret) == (True, position.secret)
    public = read_position(game, position.write())
    assert public.history == position.history
    assert public.is_dealt == (not position.secret), "a position says that it lacks the order"
    assert public.write(secret=True) == public.write() == position.write()
    if position.secret:
        with pytest.raises(IllegalMove, match="cannot tell"):
            public.after(public.legal_moves()[0])
        position.redeal(0, 1)
        with pytest.raises(RuleError, match="dealt anew"):
            position.write(secret=True)


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_configuration_has_known_members(game: str, variant: str) -> None:
    known = next(each.members for each in games() if each.name == game)
    assert known_members(game, {"nonsense": 1, **dict.fromkeys(known)}) == dict.fromkeys(known)
    seed = known_members(game, {"seed": 7})
    start = Position(game, variant, {**dict.fromkeys(known), **seed})
    assert start.key == Position(game, variant, seed).key, "None stands for the default"
    with pytest.raises(BadConfig, match=f"no member '{known[0]}x': did you mean '{known[0]}'?"):
        Position(game, variant, {f"{known[0]}x": 1})


@given(st.text(max_size=12))
def test_no_text_breaks_a_position(text: str) -> None:
    position = Position("wallwars", "standard", SMALL)
    key = position.key
    try:
        canonical = position.check(text)
    except (IllegalMove, BadNotation):
        with pytest.raises(RuleError):
            position.play(text)
        assert position.key == key
    else:
        position.play(text)
        assert position.history == [canonical]


@given(st.text(max_size=12), st.sampled_from([None, 0, 1, 2]))
def test_a_submitted_move_and_its_record_lead_to_the_same_position(text: str, seat: int | None) -> None:
    position = Position("wallwars", "standard", SMALL)
    try:
        canonical = position.check(text, seat)
    except RuleError as refusal:
        with pytest.raises(type(refusal), match=re.escape(str(refusal))):
            position.after(text, seat)
    else:
        after = position.after(text, seat)
        position.play(canonical)
        assert (after.key, after.history) == (position.key, [canonical])


def test_a_submitted_move_has_no_tail_and_is_a_whole_move() -> None:
    dealt = Position("toy-draw", config={"seats": 3, "seed": 9})
    after = dealt.after("take", 0)
    assert (dealt.ply, dealt.last_move) == (0, None), "the position itself is unchanged"
    assert after.last_move == f"take +{after.view()['open']}"
    for text in (after.last_move, "!0"):
        with pytest.raises(RuleError):
            dealt.after(text)
    public = Position("toy-draw", config=dealt.config)
    with pytest.raises(BadNotation):
        public.after("nonsense")
    with pytest.raises(IllegalMove, match="cannot tell"):
        public.after("take")
    with pytest.raises(IllegalMove, match="together"):
        Position("toy-goofspiel").after("2", 0)


def test_the_history_follows_every_change() -> None:
    """It is cached between calls, and positions share the cache."""
    start = Position("toy-goofspiel", config={"cards": 4})
    assert start.history == []
    first = start.copy()
    first.play("1/2")
    first.history.append("of the caller")
    second, other = first.copy(), first.copy()
    second.play("2/1", "3/3")
    other.play("4/4")
    other.forfeit(1)
    assert (first.history, start.history) == (["1/2"], [])
    assert second.history == ["1/2", "2/1", "3/3"]
    assert (other.history, other.last_move, other.ply) == (["1/2", "4/4", "!1"], "!1", 2)
    second.undo()
    second.play("3/4")
    assert (second.history, second.last_move, second.ply) == (["1/2", "2/1", "3/4"], "3/4", 3)
    second.undo()
    second.undo()
    assert (second.history, second.last_move, second.ply) == (["1/2"], "1/2", 1)
    assert other.copy().history == other.history


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_an_earlier_ply_is_the_position_that_was_there(game: str, variant: str) -> None:
    rng = random.Random(f"{game}/{variant}")
    position = Position(game, variant, known_members(game, {"seed": 7, "seats": 2}))
    were = [position.copy()]
    while position.outcome is None and position.ply < 60:
        moves = [random_move(position, seat, rng) for seat in position.to_act]
        position = position.after(moves[0]) if len(moves) == 1 else _together(position, moves)
        were.append(position.copy())
    for ply, was in enumerate(were):
        at = position.at_ply(ply)
        assert (at.key, at.history, at.view(), at.config) == (was.key, was.history, was.view(), was.config)
    with pytest.raises(ValueError, match=f"only {position.ply} moves"):
        position.at_ply(position.ply + 1)


def test_an_earlier_ply_includes_who_left_at_it() -> None:
    position = Position("carcassonne", "standard", {"seats": 3, "seed": 1})
    position.play(position.legal_moves()[0])
    position.forfeit(2)
    after = position.copy()
    position.play(position.legal_moves()[0])
    assert (position.at_ply(1).history, position.at_ply(1).key) == (after.history, after.key)
    assert position.at_ply(0).history == []


def test_what_positions_share_is_not_changed_by_their_readers() -> None:
    position = Position("pyrat", "tiny", {"seed": 1})
    view, config = position.view(), position.config
    view["width"], config["width"] = 0, 0
    after = _together(position, ["STAY", "STAY"])
    assert after.view()["width"] == after.config["width"] == 11
    assert list(after.view()) == list(position.view())


@pytest.mark.parametrize("name", [game.name for game in games()])
def test_values_have_the_types_of_their_json(name: str) -> None:
    position = Position(name, config={"seed": 9} if name == "toy-draw" else None)
    config = json.loads(position.write())["config"]
    assert repr({"variant": position.variant, **position.config}) == repr(config)
    row = next(game for game in games() if game.name == name)
    for value in (row.about, position.view(), position.secret):
        assert repr(json.loads(json.dumps(value))) == repr(value)


def test_the_board_of_a_view_has_plain_values() -> None:
    position = Position("wallwars", "standard", {**SMALL, "boardHeight": 12})
    position.play(">a12.^b9")
    assert position.history == [">a12.^b9"]
    assert position.view()["walls"] == [
        {"cell": [0, 0], "orientation": "vertical", "playerId": 1},
        {"cell": [3, 1], "orientation": "horizontal", "playerId": 1},
    ]


def test_only_the_record_reveals_a_hidden_order() -> None:
    dealt = Position("toy-draw", config={"seats": 3, "seed": 9})
    assert "seed" not in dealt.config
    assert dealt.secret == {"seed": 9}
    events = dealt.play("take double")
    assert events == [{"type": "turned-up", "card": dealt.view()["open"]}]
    assert dealt.history == [f"take double +{dealt.view()['open']}"]
    public = Position("toy-draw", config=dealt.config)
    public.play(*dealt.history)
    assert public.view(1) == dealt.view(1)
    public.redeal(0, 5)
    assert public.view(0) == dealt.view(0)
    with pytest.raises(RuleError):
        dealt.check(dealt.history[0])


def test_joint_moves_and_forfeits() -> None:
    both = Position("toy-goofspiel")
    assert both.to_act == [0, 1]
    both.play("2/1")
    assert both.history == ["2/1"]
    both.forfeit(0)
    assert both.history == ["2/1", "!0"]
    assert both.ply == 1, "a forfeit is not a ply"
    outcome = both.outcome
    assert outcome is not None
    assert outcome.winners == [1]


def test_the_features_of_a_position_are_those_of_its_evaluator() -> None:
    position = Position("hive", "Base")
    features = position.features()
    assert features.shape == (2, 119)
    assert features.sum(axis=1).tolist() == [12, 11], "eleven pieces each, and the turn"
    position.play("wS1")
    assert (position.features() != features).any(axis=1).all()


@pytest.mark.parametrize(
    ("game", "evaluator", "error"),
    [("hive", "other", "'other'"), ("wallwars", "native", "'native' has no features")],
)
def test_errors_name_evaluators_without_features(game: str, evaluator: str, error: str) -> None:
    with pytest.raises(BadConfig, match=error):
        Position(game).features(evaluator)


def test_a_search_follows_the_game() -> None:
    position = Position("wallwars", "standard", {"boardWidth": 5, "boardHeight": 5})
    search = Search(position, seed=3)
    assert search.report().best_move is None
    assert search.run(200) == 200
    report = search.report(lines=4)
    assert report.visits == 201
    assert report.best_move == report.lines[0].move == report.lines[0].pv[0]
    assert sum(report.values) == 0
    assert position.check(report.best_move) == report.best_move
    search.advance(report.best_move)
    assert search.report().inherited == search.visits
    with pytest.raises(IllegalMove):
        search.advance("Ca1.Ca1")


@pytest.mark.parametrize(
    ("evaluator", "options"), [("oracle", {}), ("native", {"puct": "x"}), ("native", {"depth": 3})]
)
def test_errors_name_unknown_search_settings(evaluator: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadConfig, match=r"oracle|puct|depth"):
        Search(Position("wallwars"), evaluator, options)


@pytest.mark.parametrize(
    ("search", "game"),
    [
        ("puct", "wallwars"),
        ("alphabeta", "hive"),
        ("greedy", "carcassonne"),
        ("uct", "carcassonne"),
        ("mcgs", "pyrat"),
        ("montecarlo", "toy-goofspiel"),
    ],
)
def test_every_search_refuses_unknown_options(search: str, game: str) -> None:
    with pytest.raises(BadConfig, match="no search option 'serach': did you mean 'search'"):
        Search(Position(game), options={"search": search, "serach": 1})


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (float("nan"), "a number is NaN or infinite"),
        (float("-inf"), "a number is NaN or infinite"),
        (10**400, "a number is too large"),
        ("\ud800", "unexpected end of hex escape"),
        (json.loads("[" * 200 + "]" * 200), "lists and objects are nested too deeply"),
    ],
)
def test_a_value_that_is_no_json_is_refused_with_the_reason(value: object, why: str) -> None:
    with pytest.raises(BadConfig, match=f"not JSON: {why}"):
        Position("wallwars", None, {"boardWidth": value})
