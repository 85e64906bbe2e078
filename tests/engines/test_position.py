"""The Python face of the core: what a Position and a Search tell, and that a refusal leaves no trace."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import BadConfig, BadNotation, IllegalMove, Position, RuleError, Search, games, read_position

SMALL = {"boardWidth": 3, "boardHeight": 3}


def test_the_catalogue_offers_wallwars_and_keeps_its_toys_back() -> None:
    rows = {game.name: game for game in games()}
    assert rows["wallwars"].listed
    assert [name for name, game in rows.items() if not game.listed] == ["toy-goofspiel", "toy-draw"]
    assert rows["wallwars"].variants[0] == "standard"
    assert rows["wallwars"].seats == (2, 2)
    assert rows["wallwars"].about["boardWidth"]["max"] == 20


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


def test_what_a_player_chooses_from() -> None:
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


def test_which_beginnings_may_stand_as_a_move() -> None:
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
    assert both.legal_actions(1, "2") == [], "a joint move is one action of each seat"


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
def test_bad_starts_are_named(arguments: tuple[Any, ...], error: str) -> None:
    with pytest.raises(BadConfig, match=error):
        Position(*arguments)


def test_a_position_survives_its_text() -> None:
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
    ):
        with pytest.raises(error):
            read_position("wallwars", text)


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


def test_hidden_order_comes_to_light_in_the_record_only() -> None:
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
    assert both.ply == 1, "a forfeit is no ply"
    outcome = both.outcome
    assert outcome is not None
    assert outcome.winners == [1]


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
def test_unknown_settings_of_a_search_are_named(evaluator: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadConfig, match=r"oracle|puct|depth"):
        Search(Position("wallwars"), evaluator, options)
