"""Encoding and decoding of every message, from one table; and invalid messages."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Candidate, games
from protocols.bgs import codec
from protocols.bgs import messages as bgs
from protocols.bgs.attach import AttachPolicy, read_attach
from protocols.bgs.boards import attachable
from protocols.jsontext import read_object, write
from protocols.session import RemoteError
from protocols.values import BoardSize, ClockReading, Range, VariantOffer

REQUESTS: list[tuple[bgs.Request, str]] = [
    (
        bgs.StartGameSession("g", "b", {"variant": "classic", "boardWidth": 8}),
        '{"type":"start_game_session","bgsId":"g","botId":"b","config":{"variant":"classic","boardWidth":8}}',
    ),
    (bgs.EvaluatePosition("g", 3), '{"type":"evaluate_position","bgsId":"g","expectedPly":3}'),
    (
        bgs.EvaluatePosition("g", 3, ClockReading(59_870, 2000)),
        '{"type":"evaluate_position","bgsId":"g","expectedPly":3,'
        '"clock":{"remainingMs":59870,"incrementMs":2000}}',
    ),
    (
        bgs.StartGameSession("g", "b", {}, ("wG1", "bG1 wG1-")),
        '{"type":"start_game_session","bgsId":"g","botId":"b","config":{},"moves":["wG1","bG1 wG1-"]}',
    ),
    (
        bgs.EvaluatePosition("g", 3, limits=bgs.EvaluationLimits(50, 200), lines=2, priority=1),
        '{"type":"evaluate_position","bgsId":"g","expectedPly":3,"limits":{"samples":50,"timeMs":200},'
        '"lines":2,"priority":1}',
    ),
    (bgs.ApplyMove("g", 0, ">a1"), '{"type":"apply_move","bgsId":"g","expectedPly":0,"move":">a1"}'),
    (bgs.EndGameSession("Zoë~2"), '{"type":"end_game_session","bgsId":"Zoë~2"}'),
]
RESPONSES: list[tuple[bgs.Response, str]] = [
    (bgs.GameSessionStarted("g"), '{"type":"game_session_started","bgsId":"g","success":true,"error":""}'),
    (
        bgs.EvaluateResponse("g", 2, "---", 0.1),
        '{"type":"evaluate_response","bgsId":"g","ply":2,"bestMove":"---","evaluation":0.1,'
        '"success":true,"error":""}',
    ),
    (
        bgs.EvaluateResponse(
            "g", 2, "UP/LEFT", 0.5, values=(0.5, -0.5), policies=({"UP": 1.0}, {"LEFT": 1.0})
        ),
        '{"type":"evaluate_response","bgsId":"g","ply":2,"bestMove":"UP/LEFT","evaluation":0.5,'
        '"success":true,"error":"","values":[0.5,-0.5],"policies":[{"UP":1.0},{"LEFT":1.0}]}',
    ),
    (
        bgs.GameSessionStarted("g", ply=2),
        '{"type":"game_session_started","bgsId":"g","success":true,"error":"","ply":2}',
    ),
    (
        bgs.EvaluateResponse(
            "g",
            2,
            "x",
            0.5,
            lines=(Candidate("x", 7, 0.5, ("x", "y"), 0.75), Candidate("z", 1, -1.0, ("z",))),
            samples=8,
            inherited=2,
            source="native",
            chances=(0.75, 0.25),
            is_cut=True,
        ),
        '{"type":"evaluate_response","bgsId":"g","ply":2,"bestMove":"x","evaluation":0.5,"success":true,"error":"",'
        '"lines":[{"move":"x","visits":7,"value":0.5,"pv":["x","y"],"chance":0.75},'
        '{"move":"z","visits":1,"value":-1.0,"pv":["z"]}],'
        '"samples":8,"inherited":2,"source":"native","chances":[0.75,0.25],"cut":true}',
    ),
    (
        bgs.MoveApplied("g", 4, success=False, error="no"),
        '{"type":"move_applied","bgsId":"g","ply":4,"success":false,"error":"no"}',
    ),
    (bgs.GameSessionEnded("g"), '{"type":"game_session_ended","bgsId":"g","success":true,"error":""}'),
]
SECRET = "c2VjcmV0LW9mLWNsaWVudA"  # noqa: S105 - of the tests only
FROM_SERVER: list[tuple[bgs.Attached | bgs.AttachRejected | bgs.GameResult, str]] = [
    (
        bgs.Attached(1700000000000, bgs.ClientInfo("plyhouse", "0.1")),
        '{"type":"attached","protocolVersion":3,"serverTime":1700000000000,"server":{"name":"plyhouse",'
        '"version":"0.1"},"limits":{"maxMessageBytes":65536,"minClientMessageIntervalMs":200}}',
    ),
    (
        bgs.Attached(0, bgs.ClientInfo("p", "1"), resume_secret=SECRET),
        '{"type":"attached","protocolVersion":3,"serverTime":0,"server":{"name":"p","version":"1"},'
        '"limits":{"maxMessageBytes":65536,"minClientMessageIntervalMs":200},'
        f'"resumeSecret":"{SECRET}"}}',
    ),
    (
        bgs.GameResult("g", "b", 1, {"winners": [0], "reason": "timeout"}),
        '{"type":"game_result","gameId":"g","botId":"b","seat":1,"result":{"winners":[0],"reason":"timeout"}}',
    ),
    (
        bgs.GameResult("g", "b", 0, None),
        '{"type":"game_result","gameId":"g","botId":"b","seat":0,"result":null}',
    ),
    (
        bgs.AttachRejected("NO_BOTS", "bots must be a non-empty array"),
        '{"type":"attach-rejected","code":"NO_BOTS","message":"bots must be a non-empty array"}',
    ),
]
ATTACH = bgs.Attach(
    "lab-1",
    bgs.ClientInfo("plyhouse", "0.1"),
    (
        bgs.BotEntry(
            "walker",
            "Walker",
            None,
            {"standard": VariantOffer(Range(4, 8), Range(4, 9), (BoardSize(8, 8),))},
            "wallwars",
            official_token="secret",  # noqa: S106  of the tests only
            appearance={"color": "gray"},
        ),
        bgs.BotEntry("bee", "Bee", "ann", {"Base+MLP": VariantOffer()}, game="hive"),
    ),
)
ATTACH_TEXT = (
    '{"type":"attach","protocolVersion":3,"clientId":"lab-1","client":{"name":"plyhouse","version":"0.1"},'
    '"bots":[{"botId":"walker","name":"Walker","username":null,"officialToken":"secret",'
    '"appearance":{"color":"gray"},"variants":{"standard":{"boardWidth":{"min":4,"max":8},'
    '"boardHeight":{"min":4,"max":9},"recommended":[{"boardWidth":8,"boardHeight":8}]}}},'
    '{"botId":"bee","name":"Bee","username":"ann","game":"hive","variants":{"Base+MLP":{}}}]}'
)


@pytest.mark.parametrize(("message", "text"), REQUESTS)
def test_requests_both_ways(message: bgs.Request, text: str) -> None:
    assert codec.encode(message) == text
    assert codec.decode_request(text) == message
    assert codec.decode_from_server(text) == message


@pytest.mark.parametrize(("message", "text"), RESPONSES)
def test_responses_both_ways(message: bgs.Response, text: str) -> None:
    assert codec.encode(message) == text
    assert codec.decode_from_bot(text) == message
    assert codec.decode_response(text) == message


@pytest.mark.parametrize(("message", "text"), FROM_SERVER)
def test_other_server_messages_both_ways(
    message: bgs.Attached | bgs.AttachRejected | bgs.GameResult, text: str
) -> None:
    assert codec.encode(message) == text
    assert codec.decode_from_server(text) == message


def test_attach_both_ways() -> None:
    policy = AttachPolicy("secret", {**attachable(games()), "hive": {"Base+MLP": None}})
    assert codec.encode(ATTACH) == ATTACH_TEXT
    unchecked = codec.decode_from_bot(ATTACH_TEXT)
    assert isinstance(unchecked, codec.UncheckedAttach)
    assert read_attach(unchecked.fields, policy) == ATTACH
    more = replace(ATTACH, resume_secret=SECRET, wants_results=True, sessions=4)
    fields = read_object(codec.encode(more))
    assert (fields["resumeSecret"], fields["results"], fields["sessions"]) == (SECRET, True, 4)
    assert read_attach(fields, policy) == more


@pytest.mark.parametrize(
    ("said", "meant"), [("7", 1.0), ("-1.5", -1.0), ("0", 0.0), ("-0.0", 0.0), ("1e-3", 0.001), ("-1", -1.0)]
)
def test_evaluations_are_clamped(said: str, meant: float) -> None:
    text = RESPONSES[1][1].replace("0.1", said)
    message = codec.decode_response(text)
    assert isinstance(message, bgs.EvaluateResponse)
    assert message.evaluation == meant
    assert str(message.evaluation) == str(meant)


def test_a_whole_number_may_be_written_as_a_float() -> None:
    text = '{"type":"evaluate_position","bgsId":"g","expectedPly":2.0}'
    assert codec.decode_request(text) == bgs.EvaluatePosition("g", 2)


NUMBER = "must be a finite number"
WHOLE = "must be a whole number, 0 or more"
BAD_MEMBERS = [
    ('"evaluation":0.1', '"evaluation":"0.1"', f"evaluation {NUMBER}"),
    ('"evaluation":0.1', '"evaluation":true', f"evaluation {NUMBER}"),
    ('"evaluation":0.1', '"evaluation":1e999', f"evaluation {NUMBER}"),
    ('"evaluation":0.1', '"evaluation":null', f"evaluation {NUMBER}"),
    ('"ply":2', '"ply":-2', f"ply {WHOLE}"),
    ('"ply":2', '"ply":2.5', f"ply {WHOLE}"),
    ('"ply":2', '"ply":false', f"ply {WHOLE}"),
    ('"ply":2,', "", f"ply {WHOLE}"),
    ('"bestMove":"---"', '"bestMove":null', "bestMove must be a string"),
    ('"success":true', '"success":1', "success must be true or false"),
    ('"error":""', '"error":null', "error must be a string"),
    ('"error":""', '"error":"","values":0', "values must be an array with one number per seat"),
    ('"error":""', '"error":"","values":["x"]', f"values {NUMBER}"),
    ('"error":""', '"error":"","policies":[1]', "policies must be an object"),
    ('"error":""', '"error":"","lines":{}', "lines must be an array of objects"),
    (
        '"error":""',
        '"error":"","lines":[{"move":"x"}]',
        "lines must be an array of objects with move, visits, value, pv and maybe chance",
    ),
    ('"error":""', '"error":"","samples":-1', f"samples {WHOLE}"),
    ('"error":""', '"error":"","chances":[]', "chances must be an array with one number per seat"),
    ('"bgsId":"g"', '"bgsId":""', "bgsId must be a non-empty string"),
]


@pytest.mark.parametrize(("good", "bad", "reason"), BAD_MEMBERS)
def test_bad_members_are_named(good: str, bad: str, reason: str) -> None:
    with pytest.raises(codec.BadFieldsError) as caught:
        codec.decode_from_bot(RESPONSES[1][1].replace(good, bad))
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
    text = REQUESTS[1][1].replace("}", f',"clock":{clock}}}')
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
