"""What is unsuitable for transcripts: limits, counts, and misuse by the driver."""

import pytest

from protocols.bgs import bot_connection
from protocols.bgs import messages as bgs
from protocols.bgs.attach import RejectionCode
from protocols.bgs.codec import encode
from protocols.session import Close, Effect, Event, LocalError, Log, Send
from protocols.values import VariantOffer
from tests.protocols.transcripts import POLICY

ATTACH = encode(
    bgs.Attach(
        "c1", bgs.ClientInfo("t", "1"), (bgs.BotEntry("b", "B", None, {"Base": VariantOffer()}, "hive"),)
    )
)
ACCEPTED = bot_connection.AttachAccepted(bgs.ClientInfo("plyhouse", "0.1"), 0)
TOO_MANY = Close(1008, "Too many unexpected messages")


def attached() -> bot_connection.BotConnection:
    connection = bot_connection.BotConnection(POLICY)
    connection.receive(ATTACH)
    connection.notify(ACCEPTED)
    return connection


def started(connection: bot_connection.BotConnection, bgs_id: str) -> None:
    connection.request(bgs.StartGameSession(bgs_id, "b", {}))
    connection.receive(encode(bgs.GameSessionStarted(bgs_id)))


def closes(effects: list[Effect]) -> list[Close]:
    return [effect for effect in effects if isinstance(effect, Close)]


@pytest.mark.parametrize("bad", ["{", "[]", '{"type":"ping"}', "x" * 65_537, "\U0001f600" * 32_769])
def test_the_hundredth_bad_message_closes_the_connection(bad: str) -> None:
    connection = attached()
    for _ in range(99):
        assert closes(connection.receive(bad)) == []
    assert closes(connection.receive(bad)) == [TOO_MANY]
    assert connection.receive(bad) == []
    assert connection.receive_binary() == []
    assert connection.state is bot_connection.ConnectionState.CLOSED


def test_all_kinds_of_bad_messages_count_together() -> None:
    connection = attached()
    started(connection, "g")
    for _ in range(33):
        connection.receive_binary()
        connection.receive("x" * 65_537)
        connection.receive(encode(bgs.MoveApplied("somebody else's", 1)))
    assert closes(connection.receive("nonsense")) == [TOO_MANY]


def test_unexpected_answers_and_second_attachments_are_not_counted() -> None:
    connection = attached()
    started(connection, "g")
    for _ in range(200):
        assert connection.receive(encode(bgs.MoveApplied("g", 1))) == []
        assert connection.receive(ATTACH) == [
            Send(encode(bgs.AttachRejected(RejectionCode.INVALID_MESSAGE, "Already attached.")))
        ]


def test_a_message_of_65536_units_is_read() -> None:
    connection = attached()
    connection.request(bgs.EndGameSession("g"))
    text = encode(bgs.GameSessionEnded("g", error="\U0001f600"))
    padded = text + " " * (65_536 - len(text) - 1)
    assert isinstance(connection.receive(padded)[0], bot_connection.Answered)
    assert isinstance(connection.receive(padded + " ")[0], Log)


def test_an_oversized_request_is_refused_locally() -> None:
    connection = attached()
    request = bgs.ApplyMove("g", 0, "x" * 65_536)
    (answered,) = connection.request(request)
    assert isinstance(answered, bot_connection.Answered)
    assert isinstance(answered.message, bgs.MoveApplied)
    assert not answered.message.success
    assert isinstance(connection.request(bgs.EvaluatePosition("g", 0))[0], Send)


def test_one_request_at_a_time_per_session() -> None:
    connection = attached()
    connection.request(bgs.EvaluatePosition("g", 0))
    connection.request(bgs.EvaluatePosition("h", 0))
    with pytest.raises(LocalError, match="ATTACHED"):
        connection.request(bgs.EvaluatePosition("g", 0))


def test_sessions_are_answered_in_any_order() -> None:
    connection = attached()
    for bgs_id in ("g", "h"):
        connection.request(bgs.EvaluatePosition(bgs_id, 0))
    for bgs_id in ("h", "g"):
        response = bgs.EvaluateResponse(bgs_id, 0, "x")
        assert connection.receive(encode(response)) == [bot_connection.Answered(response)]


def test_a_repeated_answer_is_ignored() -> None:
    connection = attached()
    conversation: list[tuple[bgs.Request, bgs.Response]] = [
        (bgs.StartGameSession("g", "b", {}), bgs.GameSessionStarted("g")),
        (bgs.EvaluatePosition("g", 0), bgs.EvaluateResponse("g", 0, "x")),
        (bgs.ApplyMove("g", 0, "x"), bgs.MoveApplied("g", 1)),
        (bgs.EvaluatePosition("g", 1), bgs.EvaluateResponse("g", 1, "y")),
        (bgs.EndGameSession("g"), bgs.GameSessionEnded("g")),
    ]
    before: list[bgs.Response] = []
    for request, response in [*conversation, *conversation]:
        connection.request(request)
        assert [connection.receive(encode(late)) for late in before] == [[]] * len(before)
        assert connection.receive(encode(response)) == [bot_connection.Answered(response)]
        before = [response]


def test_an_answer_of_the_wrong_type_is_passed_on() -> None:
    connection = attached()
    started(connection, "g")
    connection.request(bgs.EvaluatePosition("g", 0))
    connection.receive(encode(bgs.EvaluateResponse("g", 0, "x")))
    connection.request(bgs.ApplyMove("g", 0, "x"))
    wrong = bgs.EvaluateResponse("g", 1, "y")
    assert connection.receive(encode(wrong)) == [bot_connection.Answered(wrong)]


def test_losing_an_attached_client_names_its_sessions() -> None:
    connection = attached()
    for bgs_id in ("g", "h", "refused"):
        connection.request(bgs.StartGameSession(bgs_id, "b", {}))
    connection.receive(encode(bgs.GameSessionStarted("refused", success=False, error="full")))
    (detached,) = connection.notify(bot_connection.Disconnected())
    assert isinstance(detached, bot_connection.Detached)
    assert detached.bgs_ids == ("g", "h")
    assert connection.notify(bot_connection.Disconnected()) == []


def test_losing_a_client_before_the_decision() -> None:
    connection = bot_connection.BotConnection(POLICY)
    connection.receive(ATTACH)
    assert connection.notify(bot_connection.Disconnected()) == []
    (detached,) = connection.notify(ACCEPTED)
    assert isinstance(detached, bot_connection.Detached)


def test_memory_of_timed_out_sessions_is_bounded() -> None:
    connection = attached()
    for number in range(bot_connection.MAX_OVERDUE + 1):
        connection.request(bgs.EndGameSession(f"g{number}"))
        connection.notify(bot_connection.RequestTimedOut(f"g{number}"))
    assert connection.receive(encode(bgs.GameSessionEnded("g1"))) == []
    assert isinstance(connection.receive(encode(bgs.GameSessionEnded("g0")))[0], Log)


@pytest.mark.parametrize(
    ("connection", "event"),
    [
        (bot_connection.BotConnection(POLICY), ACCEPTED),
        (bot_connection.BotConnection(POLICY), bot_connection.RequestTimedOut("g")),
        (attached(), ACCEPTED),
        (attached(), bot_connection.RequestTimedOut("g")),
    ],
)
def test_impossible_events_name_state_and_event(
    connection: bot_connection.BotConnection, event: Event
) -> None:
    with pytest.raises(LocalError, match=f"{type(event).__name__}.*{connection.state.name}"):
        connection.notify(event)


def test_no_request_before_the_client_is_attached() -> None:
    with pytest.raises(LocalError, match="NEW"):
        bot_connection.BotConnection(POLICY).request(bgs.EndGameSession("g"))
