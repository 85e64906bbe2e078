"""The game socket: golden conversations of a site's client and of a spectator, and laws of requests and chat."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols.play import actions
from protocols.play import chat_messages as chat
from protocols.play import events as ev
from protocols.play.client_frames import HandleOffer, OfferStep
from protocols.play.game_session import GameSocket
from protocols.session import Effect, Event, Send
from protocols.values import Attendance, Offer, OfferKind, Result, Seat, SeatKind, Status, Table
from tests.protocols.transcripts import common_words, lines_of, names, replay

START = Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3})
TABLE = Table(
    game_id="Ab3dEf9h",
    seq=1,
    position=START,
    config=START.config,
    status=Status.PLAYING,
    to_act=(0,),
    seats=(Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.HUMAN, "Bo")),
    host=0,
    match_type="friend",
    created_at=1000,
    updated_at=1000,
    last_move_at=1000,
    clocks=(60_000, 60_000),
)


class GameDriver:
    """One socket; the transcript contains the events of its game, whose clock always says 5000."""

    def __init__(self) -> None:
        self._table = TABLE
        self._session = GameSocket(None)

    def receive(self, frame: str) -> list[str]:
        return [_words(effect) for effect in self._session.receive(frame)]

    def tell(self, words: str) -> list[str]:
        order, _, rest = words.partition(" ")
        if order == "game":
            self._table = _table_of(rest)
            return []
        event = self._event(order, rest)
        return [_words(effect) for effect in self._session.notify(event)]

    def _event(self, order: str, rest: str) -> Event:
        match order:
            case "open":
                return self._opened(rest.split())
            case "moves" | "sealed" | "clocks" | "over" | "called-off":
                return self._changed(order, rest.split())
            case "offer" | "rejected" | "rematch":
                return self._negotiated(order, rest.split())
            case "heard":
                channel, seat, text = rest.split(" ", 2)
                who = None if seat == "-" else int(seat)
                return chat.ChatHeard(chat.Channel(channel), who, "s9", "Bo", text, 5000)
            case "too-fast":
                return chat.ChatRefused(chat.ChatErrorCode.RATE_LIMITED, rest)
            case "there":
                return ev.PresenceChanged(Attendance(frozenset(int(seat) for seat in rest.split())))
            case _:
                return _answer(order, rest)

    def _opened(self, words: list[str]) -> Event:
        seat = None if words[0] == "spectator" else int(words[0])
        self._session = GameSocket(seat, None if seat is None else f"token{seat}", "ext" in words)
        return ev.Opened("s1", ev.GameUpdate(self._table, _missed(words)), Attendance(frozenset({0})))

    def _changed(self, order: str, words: list[str]) -> Event:
        position, seq = self._table.position.copy(), self._table.seq + 1
        changes: dict[str, Any] = {}
        if order == "moves":
            position.play(*words)
            changes = {"position": position, "to_act": tuple(position.to_act)}
        elif order == "sealed":
            changes = {"to_act": tuple(seat for seat in self._table.to_act if seat != int(words[0]))}
        elif order == "clocks":
            changes = {"clocks": tuple(int(left) for left in words)}
        elif order == "called-off":
            changes = {"status": Status.ABORTED, "to_act": ()}
        else:
            result = Result((int(words[0]),), words[1])
            changes = {"status": Status.FINISHED, "to_act": (), "result": result, "score": (1, 0)}
        self._table = replace(self._table, seq=seq, offer=None, **changes)
        return ev.Changed(ev.GameUpdate(self._table))

    def _negotiated(self, order: str, words: list[str]) -> Event:
        seq, seat = self._table.seq + 1, int(words[1])
        offer = Offer(OfferKind(words[0]), seat) if order == "offer" else None
        started = words[2] if order == "rematch" else None
        name = {"offer": "offer", "rejected": "rejected", "rematch": "started"}[order]
        self._table = replace(self._table, seq=seq, offer=offer, rematch=started)
        notice = ev.Notice(f"{words[0]}-{name}", seat, seq, started)
        return ev.Changed(ev.GameUpdate(self._table, (notice,), is_new_state=False))


def _table_of(words: str) -> Table:
    """The start of another game, from its name and its configuration."""
    game, _, config = words.partition(" ")
    start = Position(game, None, json.loads(config))
    return replace(TABLE, position=start, config=start.config, to_act=tuple(start.to_act))


def _missed(words: list[str]) -> tuple[ev.Notice, ...]:
    """Missed notices, from words like ``draw-offer:1:7``: name, seat and number."""
    parts = [word.split(":") for word in words if ":" in word]
    return tuple(ev.Notice(name, int(seat), int(seq)) for name, seat, seq in parts)


def _answer(order: str, rest: str) -> Event:
    match order:
        case "time":
            return ev.ServerTime(int(rest))
        case "taken":
            ply, *more = rest.split()
            return ev.MoveTaken(int(ply), more[0] if more else None, tuple(map(int, more[1:])))
        case "refused":
            return ev.RequestRefused(json.loads(rest))
        case "done":
            return actions.ActionDone(actions.Asked(*rest.split()), 5000)
        case "not-done":
            request_id, action, body = rest.split(" ", 2)
            return actions.refusal(actions.Asked(request_id, action), 5000, json.loads(body))
        case _:
            raise AssertionError(order)


def _words(effect: Effect) -> str:
    try:
        return common_words(effect)
    except AssertionError:
        return f"= {effect}"


@pytest.mark.parametrize("name", names("play/*.txt"))
def test_transcripts(name: str) -> None:
    lines = lines_of(name)
    assert replay(GameDriver(), lines) == lines


# ---- requests ------------------------------------------------------------------------------------


def opened(seat: int | None) -> GameSocket:
    session = GameSocket(seat, "token")
    session.notify(ev.Opened("s1", ev.GameUpdate(TABLE), Attendance()))
    return session


def frame_of(effects: list[Effect]) -> dict[str, Any]:
    (effect,) = effects
    assert isinstance(effect, Send)
    return dict(json.loads(effect.text))


PAYLOADS = st.one_of(
    st.none(),
    st.text(),
    st.dictionaries(
        st.sampled_from(["seconds", "decision"]), st.integers() | st.floats() | st.text() | st.none()
    ),
)


@given(st.sampled_from([*actions.ACTION_NAMES, "dance", "Resign"]), PAYLOADS)
def test_every_answer_repeats_the_request(action: str, payload: object) -> None:
    request = {"type": "action-request", "requestId": "r1", "action": action, "payload": payload}
    effects = opened(0).receive(json.dumps(request, allow_nan=True))
    if isinstance(effects[0], actions.Act | actions.RefuseAction):
        assert effects[0].asked == actions.Asked("r1", action)
    else:
        assert frame_of(effects)["type"] == "error", "not JSON"


@pytest.mark.parametrize("missing", ["requestId", "action"])
def test_a_request_without_id_or_action_is_an_error(missing: str) -> None:
    request = {"type": "action-request", "requestId": "r1", "action": "resign"}
    del request[missing]
    assert frame_of(opened(0).receive(json.dumps(request)))["type"] == "error"
    long = {"type": "action-request", "requestId": "r1", "action": "resign", missing: "x" * 200}
    assert frame_of(opened(0).receive(json.dumps(long)))["type"] == "error"


def test_repeating_an_offer_is_refused_as_pending() -> None:
    session = opened(0)
    waiting = replace(TABLE, seq=2, offer=Offer(OfferKind.DRAW, 0))
    session.notify(ev.Changed(ev.GameUpdate(waiting, is_new_state=False)))
    request = json.dumps({"type": "action-request", "requestId": "r1", "action": "offerDraw"})
    (effect,) = session.receive(request)
    assert isinstance(effect, actions.RefuseAction)
    assert effect.code is actions.NackCode.ALREADY_PENDING


@pytest.mark.parametrize("kind", OfferKind)
@pytest.mark.parametrize("step", list(OfferStep))
def test_every_step_of_every_offer_is_a_frame(kind: OfferKind, step: OfferStep) -> None:
    assert opened(0).receive(json.dumps({"type": f"{kind}-{step}"})) == [HandleOffer(kind, step)]


# ---- chat ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "channel", "readers"),
    [(0, "game", {0, 1, None}), (0, "team", {0}), (1, "team", {1}), (None, "audience", {None})],
)
def test_the_readers_of_each_channel(seat: int | None, channel: str, readers: set[int | None]) -> None:
    message = json.dumps({"type": "chat-message", "channel": channel, "text": " hi "})
    assert opened(seat).receive(message) == [chat.Say(chat.Channel(channel), "hi")]
    heard = chat.ChatHeard(chat.Channel(channel), seat, "s1", "Ada", "hi", 7)
    assert {reader for reader in (0, 1, None) if opened(reader).notify(heard)} == readers


@pytest.mark.parametrize(
    ("seat", "channel", "text", "code"),
    [
        (None, "game", "hi", "INVALID_CHANNEL"),
        (None, "team", "hi", "INVALID_CHANNEL"),
        (0, "audience", "hi", "INVALID_CHANNEL"),
        (0, "dance", "hi", "INVALID_CHANNEL"),
        (0, "game", "x" * 281, "TOO_LONG"),
        (0, "game", "  ", "TOO_LONG"),
    ],
)
def test_refused_chat_messages(seat: int | None, channel: str, text: str, code: str) -> None:
    message = json.dumps({"type": "chat-message", "channel": channel, "text": text})
    answer = frame_of(opened(seat).receive(message))
    assert (answer["type"], answer["code"]) == ("chat-error", code)


def test_a_table_keeps_no_board_once_its_frames_are_encoded() -> None:
    """The sessions of both players keep the table until the game changes."""
    for kind in ("plain", "extended"):
        update = ev.GameUpdate(replace(TABLE, seq=2))
        assert len(getattr(update, kind)) > 0
        assert "view" not in vars(update.table), kind
