"""Encoding and decoding of every message, from one table; and invalid messages."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import games
from protocols.bgs import codec
from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachPolicy, read_attach
from protocols.bgs.boards import attachable
from protocols.jsontext import read_object, write
from protocols.session import RemoteError
from protocols.values import ClockReading
from tests.protocols.transcripts import lines_of

POLICY = AttachPolicy("secret", {**attachable(games()), "hive": {"Base+MLP": None}})
LINES = lines_of("codecs/bgs.txt")
MESSAGES = list(zip(LINES[::2], LINES[1::2], strict=True))
DECODERS: dict[str, list[Callable[[str], object]]] = {
    "request": [codec.decode_request, codec.decode_from_server],
    "response": [codec.decode_response, codec.decode_from_bot],
    "server": [codec.decode_from_server],
    "attach": [lambda text: read_attach(fields_of(text), POLICY)],
}
EVALUATION = (
    '{"type":"evaluate_response","bgsId":"g","ply":2,"bestMove":"---","evaluation":0.1,'
    '"success":true,"error":""}'
)
SECRET = "c2VjcmV0LW9mLWNsaWVudA"  # noqa: S105 - of the tests only


def fields_of(text: str) -> dict[str, Any]:
    unchecked = codec.decode_from_bot(text)
    assert isinstance(unchecked, codec.UncheckedAttach)
    return unchecked.fields


@pytest.mark.parametrize(("line", "words"), MESSAGES, ids=[line[:40] for line, _ in MESSAGES])
def test_messages_both_ways(line: str, words: str) -> None:
    kind, _, text = line.partition(" ")
    for decode in DECODERS[kind]:
        message: Any = decode(text)
        assert f"= {message!r}" == words
        assert codec.encode(message) == text


def test_other_members_of_an_attachment() -> None:
    attach = read_attach(fields_of(MESSAGES[-1][0].removeprefix("attach ")), POLICY)
    more = replace(attach, resume_secret=SECRET, wants_results=True, sessions=4)
    fields = read_object(codec.encode(more))
    assert (fields["resumeSecret"], fields["results"], fields["sessions"]) == (SECRET, True, 4)
    assert read_attach(fields, POLICY) == more


@pytest.mark.parametrize(
    ("said", "meant"), [("7", 1.0), ("-1.5", -1.0), ("0", 0.0), ("-0.0", 0.0), ("1e-3", 0.001), ("-1", -1.0)]
)
def test_evaluations_are_clamped(said: str, meant: float) -> None:
    text = EVALUATION.replace("0.1", said)
    message = codec.decode_response(text)
    assert isinstance(message, bgs.EvaluateResponse)
    assert message.evaluation == meant
    assert str(message.evaluation) == str(meant)


def test_a_whole_number_may_be_written_as_a_float() -> None:
    text = '{"type":"evaluate_position","bgsId":"g","expectedPly":2.0}'
    assert codec.decode_request(text) == bgs.EvaluatePosition("g", 2)


@pytest.mark.parametrize("line", lines_of("refused/bgs.txt"))
def test_bad_members_are_named(line: str) -> None:
    good, bad, reason = line.split(" -> ")
    with pytest.raises(codec.BadFieldsError) as caught:
        codec.decode_from_bot(EVALUATION.replace(good, bad))
    assert str(caught.value) == f"evaluate_response.{reason}"
    assert caught.value.message_type is bgs.EvaluateResponse
    assert caught.value.bgs_id == ("" if "bgsId" in bad else "g")


@pytest.mark.parametrize(
    "clock",
    [
        *("5", '"1:00"', "[]", "{}", "true", '{"remainingMs":5}'),
        '{"remainingMs":-1,"incrementMs":0}',
        '{"remainingMs":"5","incrementMs":0}',
        '{"remainingMs":5,"incrementMs":0.5}',
    ],
)
def test_a_bad_clock_is_named(clock: str) -> None:
    text = '{"type":"evaluate_position","bgsId":"g","expectedPly":3,"clock":' + clock + "}"
    with pytest.raises(codec.BadFieldsError) as caught:
        codec.decode_request(text)
    members = "remainingMs and incrementMs, whole numbers"
    assert str(caught.value) == f"evaluate_position.clock must be an object with {members}"


NO_MESSAGES = [
    ("", "not JSON"),
    ("{", "not JSON"),
    ("{} {}", "not JSON"),
    ("null", "not a JSON object"),
    ('"attach"', "not a JSON object"),
    ("[" * 100_000, "not JSON"),
    ('{"a":' * 60_000, "not JSON"),
    ('{"type":"move_applied","ply":NaN}', "NaN is not JSON"),
    ('{"type":"move_applied","ply":-Infinity}', "-Infinity is not JSON"),
    ('{"ply":' + "9" * 5000 + "}", "not JSON"),
    ('{"type":"end_game_session","bgsId":"\\udc00"}', "lone surrogate"),
    ('{"type":"end_game_session","bgsId":"\\u0000"}', "NUL"),
    ("{}", "unknown message type 'None'"),
    ('{"type":["attach"]}', "unknown message type"),
    ('{"type":"ATTACH"}', "unknown message type 'ATTACH'"),
]


@pytest.mark.parametrize(("text", "reason"), NO_MESSAGES, ids=lambda value: value[:30])
@pytest.mark.parametrize(
    "decode", [codec.decode_request, codec.decode_from_bot, codec.decode_from_server, codec.decode_response]
)
def test_invalid_messages(decode: Callable[[str], object], text: str, reason: str) -> None:
    with pytest.raises(RemoteError, match=reason):
        decode(text)


def test_a_backslash_before_u0000_is_no_nul() -> None:
    text = '{"type":"end_game_session","bgsId":"\\\\u0000"}'
    assert codec.decode_request(text) == bgs.EndGameSession("\\u0000")


def test_a_pair_of_surrogates_is_a_character() -> None:
    text = '{"type":"end_game_session","bgsId":"\\ud83d\\ude00"}'
    assert codec.decode_request(text) == bgs.EndGameSession("\U0001f600")


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
IDS = TEXTS.filter(lambda text: text.strip() != "")
PLIES = st.integers(0, 2**40)
VALUES = st.floats(-1, 1).map(lambda value: value + 0.0)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
ANY_REQUEST = st.one_of(
    st.builds(bgs.StartGameSession, IDS, TEXTS, st.dictionaries(TEXTS, JSON_VALUES, max_size=4)),
    st.builds(bgs.EvaluatePosition, IDS, PLIES, st.none() | st.builds(ClockReading, PLIES, PLIES)),
    st.builds(bgs.ApplyMove, IDS, PLIES, TEXTS),
    st.builds(bgs.EndGameSession, IDS),
)
ANY_RESPONSE = st.one_of(
    st.builds(bgs.GameSessionStarted, IDS, st.booleans(), TEXTS),
    st.builds(
        bgs.EvaluateResponse,
        IDS,
        PLIES,
        TEXTS,
        VALUES,
        st.booleans(),
        TEXTS,
        st.none() | st.lists(VALUES, min_size=1, max_size=5).map(tuple),
        st.none()
        | st.lists(st.dictionaries(TEXTS, st.floats(0.0, 1.0), max_size=3), min_size=1, max_size=2).map(
            tuple
        ),
    ),
    st.builds(bgs.MoveApplied, IDS, PLIES, st.booleans(), TEXTS),
    st.builds(bgs.GameSessionEnded, IDS, st.booleans(), TEXTS),
)


@given(ANY_REQUEST)
def test_requests_round_trip(message: bgs.Request) -> None:
    assert codec.decode_request(codec.encode(message)) == message


@given(ANY_RESPONSE)
def test_responses_round_trip(message: bgs.Response) -> None:
    assert codec.decode_from_bot(codec.encode(message)) == message


@given(st.text() | st.dictionaries(st.sampled_from(["type", "bgsId", "ply"]), JSON_VALUES).map(json.dumps))
def test_any_text_is_a_message_or_a_remote_error(text: str) -> None:
    for decode in (codec.decode_request, codec.decode_from_bot, codec.decode_from_server):
        try:
            message = decode(text)
        except RemoteError:
            continue
        assert message is not None


@given(st.dictionaries(TEXTS, JSON_VALUES, max_size=5))
def test_json_objects_round_trip(value: dict[str, object]) -> None:
    assert read_object(write(value)) == value
