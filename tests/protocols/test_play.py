"""The browser's frames: submitted actions become notation, and the socket's session judges each frame."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols.jsontext import MistypedError
from protocols.play import events as ev
from protocols.play import site
from protocols.play import wishes as w
from protocols.play.game import GameSocket
from protocols.play.table import Attendance, Player, Proposal, Result, Table
from protocols.session import Close, Effect, Send

HUMANS = (Player("human", "Ada"), Player("human"))


def table(position: Position, seq: int = 1, **changes: Any) -> Table:
    base: dict[str, Any] = {
        "game_id": "g",
        "seq": seq,
        "position": position,
        "config": position.config,
        "status": "playing",
        "to_act": tuple(position.to_act),
        "players": HUMANS,
        "host": 0,
        "match_type": "friend",
        "created_at": 1,
        "updated_at": 2,
        "last_move_at": 2,
    }
    return Table(**{**base, **changes})


def small() -> Position:
    return Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3})


def frames(effects: list[Effect]) -> list[dict[str, Any]]:
    return [json.loads(effect.text) for effect in effects if isinstance(effect, Send)]


# ---- notation ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "height", "text"),
    [
        ([], 8, "---"),
        ([("cat", [0, 1], None), ("wall", [4, 3], "vertical")], 8, "Cb8.>d4"),
        ([("cat", [1, 1], None)], 8, "Cb7"),
        ([("cat", [1, 0], None), ("mouse", [6, 0], None)], 8, "Ca7.Ma2"),
        ([("wall", [3, 2], "horizontal"), ("wall", [3, 3], "horizontal")], 8, "^c5.^d5"),
        ([("cat", [0, 2], None)], 10, "Cc10"),
    ],
)
def test_submitted_actions_become_notation(actions: list[Any], height: int, text: str) -> None:
    assert site.move_text({"actions": [_action(*action) for action in actions]}, height) == text


def _action(kind: str, cell: list[int], orientation: str | None) -> dict[str, Any]:
    action: dict[str, Any] = {"type": kind, "target": cell}
    return action if orientation is None else {**action, "wallOrientation": orientation}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.sampled_from(["cat", "wall", "vertical", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["actions", "type", "target", "wallOrientation"]), inner, max_size=4
        )
    ),
)


@pytest.mark.parametrize("name", ["type", "target", "wallOrientation"])
@pytest.mark.parametrize("member", [[], {}, None, 1])
def test_a_member_of_another_type_is_refused(name: str, member: object) -> None:
    wall = _action("wall", [4, 3], "vertical")
    with pytest.raises(MistypedError):
        site.move_text({"actions": [{**wall, name: member}]}, 8)


@given(JSON)
def test_anything_submitted_becomes_a_text_or_is_refused(move: object) -> None:
    try:
        text = site.move_text(move, 8)
    except MistypedError:
        return
    assert text


@given(st.lists(st.integers(0, 10_000), max_size=30))
def test_every_legal_action_is_written_as_the_rules_write_it(choices: list[int]) -> None:
    """What the board of a client submits for a legal action is that action's notation."""
    position = small()
    for choice in choices:
        legal = position.legal()
        if not legal:
            return
        text = legal[choice % len(legal)]
        assert site.move_text({"actions": [_as_action(text, 3)]}, 3) == text
        position.play(text)


def _as_action(text: str, height: int) -> dict[str, Any]:
    cell = [height - int(text[2:]), ord(text[1]) - ord("a")]
    kinds = {"C": ("cat", None), "M": ("mouse", None), ">": ("wall", "vertical"), "^": ("wall", "horizontal")}
    kind, orientation = kinds[text[0]]
    return _action(kind, cell, orientation)


# ---- shapes --------------------------------------------------------------------------------------


def test_an_open_game_is_waiting_but_its_state_says_playing() -> None:
    waiting = table(small(), status="open", to_act=(), players=(Player("human"), Player("open")))
    assert site.state_json(waiting)["status"] == "playing"
    snapshot = site.snapshot_json(waiting, Attendance(frozenset({0})))
    assert snapshot["status"] == "waiting"
    assert [player["ready"] for player in snapshot["players"]] == [True, False]
    assert [player["connected"] for player in snapshot["players"]] == [True, False]


def test_an_untimed_game_shows_a_day() -> None:
    state = site.state_json(table(small()))
    assert state["timeLeft"] == {"1": 86_400, "2": 86_400}
    assert state["config"]["timeControl"] == {"initialSeconds": 86_400, "incrementSeconds": 0}
    timed = site.state_json(table(small(), clocks=(1_500, 20)))
    assert timed["timeLeft"] == {"1": 1.5, "2": 0.02}


@pytest.mark.parametrize(
    ("winners", "result"), [((1,), {"winner": 2, "reason": "capture"}), ((), {"reason": "capture"})]
)
def test_results_name_players_by_number(winners: tuple[int, ...], result: dict[str, Any]) -> None:
    over = table(small(), status="finished", to_act=(), result=Result(winners, "capture"), score=(1.5, 0.5))
    assert site.state_json(over)["result"] == result
    assert site.match_score(over) == {"1": 1.5, "2": 0.5}
    assert site.match_score(table(small())) == {"1": 0, "2": 0}


def test_survival_has_one_pawn_each() -> None:
    config = {
        "boardWidth": 4,
        "boardHeight": 4,
        "initialState": {
            "cat": [0, 0],
            "mouse": [3, 3],
            "turnsToSurvive": 3,
            "mouseCanMove": True,
            "walls": [],
        },
    }
    state = site.state_json(table(Position("wallwars", "survival", config)))
    assert state["pawns"] == {"1": {"cat": [0, 0]}, "2": {"mouse": [3, 3]}}


# ---- the session ---------------------------------------------------------------------------------


def opened(seat: int | None, *, ext: bool = False, connected: frozenset[int] = frozenset()) -> GameSocket:
    session = GameSocket(seat, with_extensions=ext)
    first = session.notify(ev.Opened("s", ev.Picture(table(small())), Attendance(connected)))
    assert [frame["type"] for frame in frames(first)] == ["welcome", "state", "match-status"]
    return session


def test_a_change_that_is_not_news_sends_nothing() -> None:
    session = opened(0)
    assert session.notify(ev.Changed(ev.Picture(table(small(), seq=1)))) == []
    changed = frames(session.notify(ev.Changed(ev.Picture(table(small(), seq=2)))))
    assert [(frame["type"], frame["seq"]) for frame in changed] == [("state", 2)]
    assert session.notify(ev.Changed(ev.Picture(table(small(), seq=2)))) == []


def test_presence_is_told_once() -> None:
    bot = Attendance(away=frozenset({1}))
    assert [bot.has(0, "bot"), bot.has(1, "bot"), bot.has(0, "human")] == [True, False, False]
    session = opened(0, connected=frozenset({0}))
    assert session.notify(ev.PresenceChanged(Attendance(frozenset({0})))) == []
    told = frames(session.notify(ev.PresenceChanged(Attendance(frozenset({0, 1})))))
    assert [player["connected"] for player in told[0]["snapshot"]["players"]] == [True, True]


def test_an_offer_is_a_frame_for_the_other_player_and_no_new_state() -> None:
    offer = table(small(), seq=2, proposal=Proposal("takeback", 0, 0))
    picture = ev.Picture(offer, (ev.Notice("takeback-offer", 0, 2),), is_new_state=False)
    assert frames(opened(1).notify(ev.Changed(picture))) == [
        {"type": "takeback-offer", "playerId": 1, "seq": 2}
    ]
    assert opened(0).notify(ev.Changed(picture)) == []
    assert opened(None).notify(ev.Changed(picture)) == []


def test_wishes_of_a_player_become_effects() -> None:
    session = opened(0)
    text = '{"type":"submit-move","move":"Cb3","expectedPly":0,"clientMsgId":"a"}'
    assert session.receive(text) == [w.SubmitMove("Cb3", 0, "a")]
    assert session.receive('{"type":"resign"}') == [w.Resign()]
    assert session.receive('{"type":"draw-offer"}') == [w.HandleOffer("draw", w.OfferStep.OFFER)]
    assert session.receive('{"type":"takeback-reject"}') == [w.HandleOffer("takeback", w.OfferStep.REJECT)]
    assert session.receive('{"type":"ping"}') == [w.AskTime()]
    assert frames(session.notify(ev.TimeTold(7))) == [{"type": "pong", "timestamp": 7}]


def test_a_taken_move_is_told_to_clients_with_extensions_only() -> None:
    taken = ev.MoveTaken(3, "a", (1,))
    assert opened(0).notify(taken) == []
    told = frames(opened(0, ext=True).notify(taken))
    assert told == [{"type": "move-taken", "ply": 3, "clientMsgId": "a", "pending": [1]}]


@given(st.text() | JSON.map(json.dumps))
def test_any_frame_is_answered(frame: str) -> None:
    session = opened(1)
    assert len(session.receive(frame)) == 1


def test_the_hundredth_bad_message_closes() -> None:
    session = opened(0)
    answers = [session.receive("no json") for _ in range(100)]
    assert all(isinstance(effects[0], Send) for effects in answers[:99])
    assert answers[99] == [Close(1008, "Too many unexpected messages")]


def test_all_who_follow_get_the_very_same_text() -> None:
    picture = ev.Picture(table(small(), seq=2))
    first, second = (opened(seat).notify(ev.Changed(picture))[0] for seat in (0, 1))
    assert isinstance(first, Send)
    assert isinstance(second, Send)
    assert first.text is second.text


# ---- long games ----------------------------------------------------------------------------------


def walled(size: int) -> Position:
    """A position with all walls that the rules allow, in some order."""
    position = Position("wallwars", "standard", {"boardWidth": size, "boardHeight": size})
    while move := ".".join(_walls(position)):
        position.play(move)
    return position


def _walls(position: Position) -> list[str]:
    first = next((action for action in position.legal() if action[0] in ">^"), None)
    if first is None:
        return []
    second = next((action for action in position.legal(staged=first) if action[0] in ">^"), None)
    return [first] if second is None else [first, second]


def shown(position: Position) -> tuple[dict[str, Any], dict[str, Any]]:
    """The frames of a picture: what every client gets, and what those with extensions get."""
    players = tuple(Player("human", "é" * 64) for _ in range(2))
    picture = ev.Picture(table(position, players=players))
    assert len(picture.extended) <= 65_536
    return json.loads(picture.plain), json.loads(picture.extended)


def test_a_frame_with_extensions_has_the_last_moves_of_a_long_history() -> None:
    position = small()
    position.play(*["---"] * 500)
    plain, extended = shown(position)
    assert extended["state"] == plain["state"]
    assert "historyFrom" not in extended["position"]
    position.play(*["Cb3.Ca3", "Cb3.Cc3"] * 5000)
    plain, extended = shown(position)
    assert [move["notation"] for move in plain["state"]["history"]] == position.history
    assert "state" not in extended
    assert extended["position"]["historyFrom"] == 10_000
    assert extended["position"]["history"] == position.history[10_000:]
    assert (extended["position"]["ply"], extended["seq"]) == (10_500, plain["seq"])


def test_a_frame_with_extensions_stays_short_on_the_largest_board_full_of_walls() -> None:
    position = walled(20)
    plain, extended = shown(position)
    assert len(plain["state"]["walls"]) > 600
    assert "state" not in extended
    assert (extended["position"]["historyFrom"], extended["position"]["history"]) == (0, position.history)
    position.play(*["---"] * 2000)
    shown(position)
