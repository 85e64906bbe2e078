"""What is unsuitable for transcripts: limits, counts, and misuse by the driver."""

import pytest

from protocols.bgs import bot_connection as bc
from protocols.bgs import messages as m
from protocols.bgs.attach import RejectionCode
from protocols.bgs.codec import encode
from protocols.session import Close, Effect, Event, LocalError, Log, Send
from protocols.values import VariantOffer
from tests.protocols.transcripts import POLICY

ATTACH = encode(
    m.Attach("c1", m.ClientInfo("t", "1"), (m.BotEntry("b", "B", None, {"Base": VariantOffer()}, "hive"),))
)
ACCEPTED = bc.AttachAccepted(m.ClientInfo("plyhouse", "0.1"), 0)
TOO_MANY = Close(1008, "Too many unexpected messages")


def attached() -> bc.BotConnection:
    connection = bc.BotConnection(POLICY)
    connection.receive(ATTACH)
    connection.notify(ACCEPTED)
    return connection


def started(connection: bc.BotConnection, bgs_id: str) -> None:
    connection.request(m.StartGameSession(bgs_id, "b", {}))
    connection.receive(encode(m.GameSessionStarted(bgs_id)))


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
    assert connection.state is bc.ConnectionState.CLOSED


def test_all_kinds_of_bad_messages_count_together() -> None:
    connection = attached()
    started(connection, "g")
    for _ in range(33):
        connection.receive_binary()
        connection.receive("x" * 65_537)
        connection.receive(encode(m.MoveApplied("somebody else's", 1)))
    assert closes(connection.receive("nonsense")) == [TOO_MANY]


def test_unexpected_answers_and_second_attachments_are_not_counted() -> None:
    connection = attached()
    started(connection, "g")
    for _ in range(200):
        assert connection.receive(encode(m.MoveApplied("g", 1))) == []
        assert connection.receive(ATTACH) == [
            Send(encode(m.AttachRejected(RejectionCode.INVALID_MESSAGE, "Already attached.")))
        ]


def test_a_message_of_65536_units_is_read() -> None:
    connection = attached()
    connection.request(m.EndGameSession("g"))
    text = encode(m.GameSessionEnded("g", error="\U0001f600"))
    padded = text + " " * (65_536 - len(text) - 1)
    assert isinstance(connection.receive(padded)[0], bc.Answered)
    assert isinstance(connection.receive(padded + " ")[0], Log)


def test_an_oversized_request_is_refused_locally() -> None:
    connection = attached()
    request = m.ApplyMove("g", 0, "x" * 65_536)
    (answered,) = connection.request(request)
    assert isinstance(answered, bc.Answered)
    assert isinstance(answered.message, m.MoveApplied)
    assert not answered.message.success
    assert isinstance(connection.request(m.EvaluatePosition("g", 0))[0], Send)


def test_one_request_at_a_time_per_session() -> None:
    connection = attached()
    connection.request(m.EvaluatePosition("g", 0))
    connection.request(m.EvaluatePosition("h", 0))
    with pytest.raises(LocalError, match="ATTACHED"):
        connection.request(m.EvaluatePosition("g", 0))


def test_sessions_are_answered_in_any_order() -> None:
    connection = attached()
    for bgs_id in ("g", "h"):
        connection.request(m.EvaluatePosition(bgs_id, 0))
    for bgs_id in ("h", "g"):
        response = m.EvaluateResponse(bgs_id, 0, "x")
        assert connection.receive(encode(response)) == [bc.Answered(response)]


def test_a_repeated_answer_is_ignored() -> None:
    connection = attached()
    conversation: list[tuple[m.Request, m.Response]] = [
        (m.StartGameSession("g", "b", {}), m.GameSessionStarted("g")),
        (m.EvaluatePosition("g", 0), m.EvaluateResponse("g", 0, "x")),
        (m.ApplyMove("g", 0, "x"), m.MoveApplied("g", 1)),
        (m.EvaluatePosition("g", 1), m.EvaluateResponse("g", 1, "y")),
        (m.EndGameSession("g"), m.GameSessionEnded("g")),
    ]
    before: list[m.Response] = []
    for request, response in [*conversation, *conversation]:
        connection.request(request)
        assert [connection.receive(encode(late)) for late in before] == [[]] * len(before)
        assert connection.receive(encode(response)) == [bc.Answered(response)]
        before = [response]


def test_an_answer_of_the_wrong_type_is_passed_on() -> None:
    connection = attached()
    started(connection, "g")
    connection.request(m.EvaluatePosition("g", 0))
    connection.receive(encode(m.EvaluateResponse("g", 0, "x")))
    connection.request(m.ApplyMove("g", 0, "x"))
    wrong = m.EvaluateResponse("g", 1, "y")
    assert connection.receive(encode(wrong)) == [bc.Answered(wrong)]


def test_losing_an_attached_client_names_its_sessions() -> None:
    connection = attached()
    for bgs_id in ("g", "h", "refused"):
        connection.request(m.StartGameSession(bgs_id, "b", {}))
    connection.receive(encode(m.GameSessionStarted("refused", success=False, error="full")))
    (detached,) = connection.notify(bc.Disconnected())
    assert isinstance(detached, bc.Detached)
    assert detached.bgs_ids == ("g", "h")
    assert connection.notify(bc.Disconnected()) == []


def test_losing_a_client_before_the_decision() -> None:
    connection = bc.BotConnection(POLICY)
    connection.receive(ATTACH)
    assert connection.notify(bc.Disconnected()) == []
    (detached,) = connection.notify(ACCEPTED)
    assert isinstance(detached, bc.Detached)


def test_memory_of_timed_out_sessions_is_bounded() -> None:
    connection = attached()
    for number in range(bc.MAX_OVERDUE + 1):
        connection.request(m.EndGameSession(f"g{number}"))
        connection.notify(bc.RequestTimedOut(f"g{number}"))
    assert connection.receive(encode(m.GameSessionEnded("g1"))) == []
    assert isinstance(connection.receive(encode(m.GameSessionEnded("g0")))[0], Log)


@pytest.mark.parametrize(
    ("connection", "event"),
    [
        (bc.BotConnection(POLICY), ACCEPTED),
        (bc.BotConnection(POLICY), bc.RequestTimedOut("g")),
        (attached(), ACCEPTED),
        (attached(), bc.RequestTimedOut("g")),
    ],
)
def test_impossible_events_name_state_and_event(connection: bc.BotConnection, event: Event) -> None:
    with pytest.raises(LocalError, match=f"{type(event).__name__}.*{connection.state.name}"):
        connection.notify(event)


def test_no_request_before_the_client_is_attached() -> None:
    with pytest.raises(LocalError, match="NEW"):
        bc.BotConnection(POLICY).request(m.EndGameSession("g"))
