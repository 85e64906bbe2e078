"""The browser's frames: submitted actions become notation, and the socket's session handles each frame."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols import dialects
from protocols.dialects import wallwars
from protocols.jsontext import MistypedError
from protocols.play import client_frames
from protocols.play import events as ev
from protocols.play.game_session import GameSocket
from protocols.session import Close, Effect, Send
from protocols.table_json import match_score, snapshot_json
from protocols.values import Attendance, Offer, OfferKind, Result, Seat, SeatKind, Status, Table

HUMANS = (Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.HUMAN))


def table(position: Position, seq: int = 1, **changes: Any) -> Table:
    base: dict[str, Any] = {
        "game_id": "g",
        "seq": seq,
        "position": position,
        "config": position.config,
        "status": Status.PLAYING,
        "to_act": tuple(position.to_act),
        "seats": HUMANS,
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
    assert (
        wallwars.move_text({"actions": [_action(*action) for action in actions]}, {"boardHeight": height})
        == text
    )


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
        wallwars.move_text({"actions": [{**wall, name: member}]}, {"boardHeight": 8})


@given(JSON)
def test_any_submitted_value_becomes_text_or_is_refused(move: object) -> None:
    try:
        text = wallwars.move_text(move, {"boardHeight": 8})
    except MistypedError:
        return
    assert text


@given(st.lists(st.integers(0, 10_000), max_size=30))
def test_legal_actions_have_the_notation_of_the_rules(choices: list[int]) -> None:
    """The actions that a client's board submits for a legal move become its notation."""
    position = small()
    for choice in choices:
        legal = position.legal()
        if not legal:
            return
        text = legal[choice % len(legal)]
        assert wallwars.move_text({"actions": [_as_action(text, 3)]}, position.config) == text
        position.play(text)


def _as_action(text: str, height: int) -> dict[str, Any]:
    cell = [height - int(text[2:]), ord(text[1]) - ord("a")]
    kinds = {"C": ("cat", None), "M": ("mouse", None), ">": ("wall", "vertical"), "^": ("wall", "horizontal")}
    kind, orientation = kinds[text[0]]
    return _action(kind, cell, orientation)


# ---- shapes --------------------------------------------------------------------------------------


def test_an_open_game_is_waiting_but_its_state_says_playing() -> None:
    waiting = table(small(), status=Status.OPEN, to_act=(), seats=(Seat(SeatKind.HUMAN), Seat(SeatKind.OPEN)))
    assert wallwars.state_json(waiting)["status"] == "playing"
    snapshot = snapshot_json(waiting, Attendance(frozenset({0})))
    assert snapshot["status"] == "waiting"
    assert [player["ready"] for player in snapshot["players"]] == [True, False]
    assert [player["connected"] for player in snapshot["players"]] == [True, False]


def test_an_untimed_game_shows_86400_seconds() -> None:
    state = wallwars.state_json(table(small()))
    assert state["timeLeft"] == {"1": 86_400, "2": 86_400}
    assert state["config"]["timeControl"] == {"initialSeconds": 86_400, "incrementSeconds": 0}
    timed = wallwars.state_json(table(small(), clocks=(1_500, 20)))
    assert timed["timeLeft"] == {"1": 1.5, "2": 0.02}


@pytest.mark.parametrize(
    ("winners", "result"), [((1,), {"winner": 2, "reason": "capture"}), ((), {"reason": "capture"})]
)
def test_results_name_players_by_number(winners: tuple[int, ...], result: dict[str, Any]) -> None:
    over = table(
        small(), status=Status.FINISHED, to_act=(), result=Result(winners, "capture"), score=(1.5, 0.5)
    )
    assert wallwars.state_json(over)["result"] == result
    assert match_score(over) == {"1": 1.5, "2": 0.5}
    assert match_score(table(small())) == {"1": 0, "2": 0}


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
    state = wallwars.state_json(table(Position("wallwars", "survival", config)))
    assert state["pawns"] == {"1": {"cat": [0, 0]}, "2": {"mouse": [3, 3]}}


# ---- dialects ------------------------------------------------------------------------------------


def test_games_with_a_dialect_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dialect only needs to be registered: nothing else knows which games have one."""
    toy = table(Position("toy-draw", None, {"seats": 2, "seed": 1}))
    move = '{"type":"submit-move","move":[1,2]}'

    def meet() -> tuple[list[dict[str, Any]], list[Effect]]:
        session = GameSocket(0)
        shown = frames(session.notify(ev.Opened("s", ev.GameUpdate(toy), Attendance())))
        return shown, session.receive(move)

    shown, effects = meet()
    assert [frame["type"] for frame in shown] == ["welcome", "state"]
    assert shown[1]["state"]["game"] == "toy-draw"
    assert frames(effects) == [{"type": "error", "message": "move must be a move as text"}]
    dialect = SimpleNamespace(
        state_json=lambda table: {"moves": table.ply}, move_text=lambda move, config: str(move)
    )
    monkeypatch.setitem(dialects._DIALECTS, "toy-draw", dialect)
    shown, effects = meet()
    assert [frame["type"] for frame in shown] == ["welcome", "state", "match-status"]
    assert shown[1]["state"] == {"moves": 0}
    assert effects == [client_frames.SubmitMove("[1, 2]")]


def test_messages_name_all_games_but_the_default() -> None:
    assert dialects.game_named(dialects.game_member("toy-draw").get("game")) == "toy-draw"
    assert dialects.game_member(dialects.game_named(None)) == {}


# ---- the session ---------------------------------------------------------------------------------


def opened(seat: int | None, *, ext: bool = False, connected: frozenset[int] = frozenset()) -> GameSocket:
    session = GameSocket(seat, with_extensions=ext)
    first = session.notify(ev.Opened("s", ev.GameUpdate(table(small())), Attendance(connected)))
    assert [frame["type"] for frame in frames(first)] == ["welcome", "state", "match-status"]
    return session


def test_an_old_change_sends_nothing() -> None:
    session = opened(0)
    assert session.notify(ev.Changed(ev.GameUpdate(table(small(), seq=1)))) == []
    changed = frames(session.notify(ev.Changed(ev.GameUpdate(table(small(), seq=2)))))
    assert [(frame["type"], frame["seq"]) for frame in changed] == [("state", 2)]
    assert session.notify(ev.Changed(ev.GameUpdate(table(small(), seq=2)))) == []


def test_unchanged_presence_sends_nothing() -> None:
    bot = Attendance(away=frozenset({1}))
    assert [bot.has(0, SeatKind.BOT), bot.has(1, SeatKind.BOT), bot.has(0, SeatKind.HUMAN)] == [
        True,
        False,
        False,
    ]
    session = opened(0, connected=frozenset({0}))
    assert session.notify(ev.PresenceChanged(Attendance(frozenset({0})))) == []
    sent = frames(session.notify(ev.PresenceChanged(Attendance(frozenset({0, 1})))))
    assert [player["connected"] for player in sent[0]["snapshot"]["players"]] == [True, True]


def test_an_offer_sends_one_frame_to_the_other_player() -> None:
    offer = table(small(), seq=2, offer=Offer(OfferKind.TAKEBACK, 0, 0))
    update = ev.GameUpdate(offer, (ev.Notice("takeback-offer", 0, 2),), is_new_state=False)
    assert frames(opened(1).notify(ev.Changed(update))) == [
        {"type": "takeback-offer", "playerId": 1, "seq": 2}
    ]
    assert opened(0).notify(ev.Changed(update)) == []
    assert opened(None).notify(ev.Changed(update)) == []


def test_player_frames_become_effects() -> None:
    session = opened(0)
    text = '{"type":"submit-move","move":"Cb3","expectedPly":0,"clientMsgId":"a"}'
    assert session.receive(text) == [client_frames.SubmitMove("Cb3", 0, "a")]
    assert session.receive('{"type":"resign"}') == [client_frames.Resign()]
    offer = client_frames.HandleOffer(OfferKind.DRAW, client_frames.OfferStep.OFFER)
    assert session.receive('{"type":"draw-offer"}') == [offer]
    assert session.receive('{"type":"takeback-reject"}') == [
        client_frames.HandleOffer(OfferKind.TAKEBACK, client_frames.OfferStep.REJECT)
    ]
    assert session.receive('{"type":"ping"}') == [client_frames.AskTime()]
    assert frames(session.notify(ev.ServerTime(7))) == [{"type": "pong", "timestamp": 7}]


def test_move_taken_is_sent_to_clients_with_extensions_only() -> None:
    taken = ev.MoveTaken(3, "a", (1,))
    assert opened(0).notify(taken) == []
    sent = frames(opened(0, ext=True).notify(taken))
    assert sent == [{"type": "move-taken", "ply": 3, "clientMsgId": "a", "pending": [1]}]


@given(st.text() | JSON.map(json.dumps))
def test_any_frame_is_answered(frame: str) -> None:
    session = opened(1)
    assert len(session.receive(frame)) == 1


def test_the_hundredth_bad_message_closes_the_socket() -> None:
    session = opened(0)
    answers = [session.receive("no json") for _ in range(100)]
    assert all(isinstance(effects[0], Send) for effects in answers[:99])
    assert answers[99] == [Close(1008, "Too many unexpected messages")]


def test_all_followers_get_the_same_string() -> None:
    update = ev.GameUpdate(table(small(), seq=2))
    first, second = (opened(seat).notify(ev.Changed(update))[0] for seat in (0, 1))
    assert isinstance(first, Send)
    assert isinstance(second, Send)
    assert first.text is second.text


# ---- long games ----------------------------------------------------------------------------------


def walled(size: int) -> Position:
    """A position with all walls that the rules allow, built in an arbitrary order."""
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
    """The frames of an update: for all clients, and for those with extensions."""
    players = tuple(Seat(SeatKind.HUMAN, "é" * 64) for _ in range(2))
    update = ev.GameUpdate(table(position, seats=players))
    assert len(update.extended) <= 65_536
    return json.loads(update.plain), json.loads(update.extended)


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


def test_a_frame_of_the_largest_board_full_of_walls_is_within_the_limit() -> None:
    position = walled(20)
    plain, extended = shown(position)
    assert len(plain["state"]["walls"]) > 600
    assert "state" not in extended
    assert (extended["position"]["historyFrom"], extended["position"]["history"]) == (0, position.history)
    position.play(*["---"] * 2000)
    shown(position)
