"""The host's conversation with a bot, message by message."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols.pyrat.host import events as e
from protocols.pyrat.host import messages as m
from protocols.pyrat.host.board import board_of, state_of
from protocols.pyrat.host.codec import decode_host, encode_bot
from protocols.pyrat.host.events import FailureReason
from protocols.pyrat.host.match_messages import HostTimes
from protocols.pyrat.host.messages import Direction, Slot
from protocols.pyrat.host.session import HostSession
from protocols.pyrat.host.state_hash import changing_hash, maze_hash
from protocols.session import Effect, Event, LocalError

CONFIG = {
    "width": 4,
    "height": 3,
    "maxTurns": 20,
    "walls": [[[0, 0], [1, 0]]],
    "mud": [[[0, 0], [0, 1], 2]],
    "cheese": [[0, 2], [1, 1], [3, 0]],
    "starts": [[0, 0], [3, 2]],
}
TIMES = HostTimes(move_ms=700, preprocessing_ms=900)


def game(*moves: str) -> Position:
    position = Position("pyrat", None, CONFIG)
    position.play(*moves)
    return position


def hash_of(position: Position) -> int:
    return maze_hash(board_of(position)) ^ changing_hash(state_of(position))


def seen(effects: list[Effect]) -> list[object]:
    """The messages sent, the times set, and the other effects."""
    return [
        decode_host(effect.packet)
        if isinstance(effect, e.SendPacket)
        else effect.seconds
        if isinstance(effect, e.SetTimer)
        else effect
        for effect in effects
    ]


class Conversation:
    """A session, and what comes out of it."""

    def __init__(self, seat: int = 0, start: Position | None = None, times: HostTimes = TIMES) -> None:
        self.session = HostSession("me", seat, start or game(), times)
        self.notify(e.BotLaunched())

    def notify(self, event: Event) -> list[object]:
        return seen(self.session.notify(event))

    def say(self, message: m.BotMessage) -> list[object]:
        return seen(self.session.receive(encode_bot(message)))

    def identified(self) -> "Conversation":
        self.notify(e.BotConnected())
        self.say(m.IdentifyMessage("Bot", agent_id="me"))
        return self

    def prepared(self) -> "Conversation":
        self.identified()
        self.say(m.ReadyMessage(hash_of(game())))
        assert self.say(m.PreprocessingDoneMessage()) == [None, e.BotPrepared()]
        return self

    def asked(self, *moves: str) -> "Conversation":
        self.notify(e.AskForMove(game(*moves)))
        return self


def failure(effects: list[object]) -> e.BotFailed:
    """How the bot has failed; it is told the same."""
    error, timer, failed = effects
    assert isinstance(failed, e.BotFailed)
    assert timer is None
    assert error == m.ProtocolErrorMessage(f"The bot {failed.text}")
    return failed


# ---- the beginning -------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_is_introduced_to_its_game(seat: int) -> None:
    talk = Conversation(seat)
    assert talk.notify(e.BotConnected()) == [TIMES.identify]
    identified, welcome, configure, seconds = talk.say(m.IdentifyMessage("Bot", agent_id="me"))
    assert (identified, welcome) == (e.BotIdentified("Bot"), m.WelcomeMessage(Slot(seat)))
    assert seconds == TIMES.configure
    assert configure == m.ConfigureMessage(
        (),
        m.MatchConfig(
            width=4,
            height=3,
            max_turns=20,
            walls=(m.WallTable((0, 0), (1, 0)),),
            mud=(m.MudTable((0, 0), (0, 1), 2),),
            cheese=((3, 0), (1, 1), (0, 2)),
            player1_start=(0, 0),
            player2_start=(3, 2),
            timing=m.TimingMode.CLOCK,
            move_timeout_ms=700,
            preprocessing_timeout_ms=900,
        ),
    )
    start = hash_of(game())
    assert talk.say(m.ReadyMessage(start)) == [m.GoPreprocessMessage(start), 0.9]
    assert talk.say(m.PreprocessingDoneMessage()) == [None, e.BotPrepared()]


def test_an_unknown_agent_is_refused() -> None:
    talk = Conversation()
    talk.notify(e.BotConnected())
    failed = failure(talk.say(m.IdentifyMessage("Bot", agent_id="you")))
    assert failed == e.BotFailed(
        FailureReason.BROKEN, "has violated the protocol: its agent_id is 'you', not 'me'."
    )


def test_a_wrong_hash_of_the_start_is_refused() -> None:
    failed = failure(Conversation().identified().say(m.ReadyMessage(5)))
    assert failed.reason is FailureReason.BROKEN
    assert f"hash incompatible, the start has the hash {hash_of(game()):#018x}" in failed.text
    assert "not 0x0000000000000005" in failed.text


def test_preprocessing_ends_at_its_time_limit() -> None:
    talk = Conversation().identified()
    talk.say(m.ReadyMessage(hash_of(game())))
    assert talk.notify(e.TimerExpired()) == [m.StopMessage(), TIMES.grace]
    assert talk.notify(e.TimerExpired()) == [None, e.BotPrepared()]
    assert talk.say(m.PreprocessingDoneMessage()) == []


@pytest.mark.parametrize(
    ("talk", "what"),
    [
        (lambda: Conversation(), None),
        (lambda: Conversation().identified(), "Ready"),
        (lambda: Conversation().prepared().asked("UP/LEFT"), "SyncOk"),
    ],
)
def test_bots_that_do_not_answer_fail(talk: "type[Conversation]", what: str | None) -> None:
    effects = talk().notify(e.TimerExpired())
    if what is None:
        assert effects == [None, e.BotFailed(FailureReason.LATE, "has not connected in time.")]
    else:
        assert failure(effects) == e.BotFailed(FailureReason.LATE, f"has not sent {what} in time.")


# ---- turns ---------------------------------------------------------------------------------------


def test_a_move_in_the_first_turn() -> None:
    talk, start = Conversation().prepared(), hash_of(game())
    assert talk.notify(e.AskForMove(game())) == [m.GoMessage(start, m.SearchLimits(700)), 0.7]
    assert talk.say(m.ActionMessage(Direction.LEFT, Slot.RAT, 0, 3, start)) == [None, e.BotMoved("LEFT")]


@pytest.mark.parametrize(("most_ms", "asked_ms"), [(300, 300), (900, 700)])
def test_a_move_may_have_less_time_than_usual(most_ms: int, asked_ms: int) -> None:
    talk, start = Conversation().prepared(), hash_of(game())
    asked = [m.GoMessage(start, m.SearchLimits(asked_ms)), asked_ms / 1000]
    assert talk.notify(e.AskForMove(game(), most_ms)) == asked


def test_turns_are_confirmed_before_a_move() -> None:
    talk = Conversation().prepared()
    for ply, moves in enumerate([("UP/LEFT",), ("UP/LEFT", "STAY/DOWN")], 1):
        position = game(*moves)
        first, second = position.history[-1].split("/")
        told = m.AdvanceMessage(Direction[first], Direction[second], ply, hash_of(position))
        if ply == 1:
            assert talk.notify(e.AskForMove(game("UP/LEFT", "STAY/DOWN"))) == [told, TIMES.sync]
            continue
        assert talk.say(m.SyncOkMessage(hash_of(game("UP/LEFT")))) == [told, TIMES.sync]
    last = hash_of(game("UP/LEFT", "STAY/DOWN"))
    assert talk.say(m.SyncOkMessage(last)) == [m.GoMessage(last, m.SearchLimits(700)), 0.7]


def test_a_bot_can_resync_once_in_a_turn() -> None:
    talk, position = Conversation().prepared().asked("UP/LEFT"), game("UP/LEFT")
    full, seconds = talk.say(m.ResyncMessage(5))
    assert isinstance(full, m.FullStateMessage)
    assert seconds == TIMES.sync
    assert full.turn_state == m.TurnState(
        turn=1,
        player1_position=(0, 1),
        player2_position=(2, 2),
        player1_score=0,
        player2_score=0,
        player1_mud_turns=2,
        player2_mud_turns=0,
        cheese=((3, 0), (1, 1), (0, 2)),
        player1_last_move=Direction.UP,
        player2_last_move=Direction.LEFT,
    )
    failed = failure(talk.say(m.ResyncMessage(hash_of(position))))
    assert failed.text == "has violated the protocol: a second Resync in turn 1."


def test_after_a_resync_the_turn_is_confirmed() -> None:
    talk, own = Conversation().prepared().asked("UP/LEFT"), hash_of(game("UP/LEFT"))
    talk.say(m.ResyncMessage(5))
    assert talk.say(m.SyncOkMessage(own)) == [m.GoMessage(own, m.SearchLimits(700)), 0.7]


def test_another_hash_of_a_turn_fails() -> None:
    failed = failure(Conversation().prepared().asked("UP/LEFT").say(m.SyncOkMessage(7)))
    own = hash_of(game("UP/LEFT"))
    assert failed.text == f"has violated the protocol: turn 1 has the hash {own:#018x}, not {7:#018x}."


# ---- late bots -----------------------------------------------------------------------------------


def expired(talk: Conversation) -> Conversation:
    assert talk.notify(e.TimerExpired()) == [m.StopMessage(), TIMES.grace]
    return talk


def test_a_late_bot_stays() -> None:
    talk = expired(Conversation().prepared().asked())
    assert talk.notify(e.TimerExpired()) == [None, e.BotMoved("STAY")]
    assert talk.say(m.ActionMessage(Direction.UP, state_hash=hash_of(game()))) == []


def test_a_move_within_the_grace_time_counts() -> None:
    talk = expired(Conversation().prepared().asked())
    assert talk.say(m.ActionMessage(Direction.UP, state_hash=hash_of(game()))) == [None, e.BotMoved("UP")]


def test_a_late_bot_plays_its_last_provisional_move() -> None:
    talk, own = Conversation().prepared().asked(), hash_of(game())
    for direction, turn, state in [
        (Direction.UP, 0, own),
        (Direction.LEFT, 0, own),
        (Direction.DOWN, 1, own),
        (Direction.DOWN, 0, 5),
    ]:
        assert talk.say(m.ProvisionalMessage(direction, Slot.RAT, turn, state)) == []
    assert expired(talk).notify(e.TimerExpired()) == [None, e.BotMoved("LEFT")]


def test_a_provisional_move_counts_in_its_turn_only() -> None:
    talk = Conversation().prepared().asked()
    talk.say(m.ProvisionalMessage(Direction.UP, state_hash=hash_of(game())))
    talk.say(m.ActionMessage(Direction.UP, state_hash=hash_of(game())))
    talk.asked("UP/LEFT")
    talk.say(m.SyncOkMessage(hash_of(game("UP/LEFT"))))
    assert expired(talk).notify(e.TimerExpired()) == [None, e.BotMoved("STAY")]


def test_moves_without_a_time_limit() -> None:
    talk = Conversation(times=HostTimes(move_ms=0)).prepared()
    assert talk.notify(e.AskForMove(game())) == [m.GoMessage(hash_of(game()), m.SearchLimits(0)), None]
    talk.say(m.ActionMessage(Direction.LEFT, Slot.RAT, 0, 3, hash_of(game())))
    asked = [m.GoMessage(hash_of(game()), m.SearchLimits(300)), 0.3]
    assert talk.notify(e.AskForMove(game(), 300)) == asked


# ---- wrong answers -------------------------------------------------------------------------------


@pytest.mark.parametrize("when", [("UP/LEFT",), ("UP/LEFT", "STAY/DOWN")])
def test_a_move_for_another_turn_is_ignored_also_while_the_bot_syncs(when: tuple[str, ...]) -> None:
    talk = Conversation().prepared().asked(*when)
    assert talk.say(m.ActionMessage(Direction.UP, turn=0, state_hash=5)) == []


def test_a_move_with_a_wrong_hash_fails() -> None:
    failed = failure(Conversation().prepared().asked().say(m.ActionMessage(state_hash=5)))
    assert "turn 0 has the hash" in failed.text


@pytest.mark.parametrize("kind", [m.ActionMessage, m.ProvisionalMessage])
def test_a_move_for_the_other_seat_fails(kind: type[m.ActionMessage] | type[m.ProvisionalMessage]) -> None:
    message = kind(player=Slot.PYTHON, state_hash=hash_of(game()))
    failed = failure(Conversation().prepared().asked().say(message))
    name = kind.__name__.removesuffix("Message")
    assert failed.text == f"has violated the protocol: {name} for PYTHON; the bot is RAT."


def test_messages_for_viewers_are_ignored_at_any_time() -> None:
    for message in (m.InfoMessage(Slot.PYTHON, state_hash=5), m.RenderCommandsMessage(Slot.PYTHON)):
        assert Conversation().identified().say(message) == []
        assert Conversation().prepared().say(message) == []
        assert Conversation().prepared().asked().say(message) == []


@pytest.mark.parametrize(
    "message",
    [m.IdentifyMessage("Bot", agent_id="me"), m.ReadyMessage(), m.SyncOkMessage(), m.ResyncMessage()],
)
def test_messages_out_of_order_fail(message: m.BotMessage) -> None:
    name = type(message).__name__.removesuffix("Message")
    failed = failure(Conversation().prepared().say(message))
    assert failed.text == f"has violated the protocol: {name} was not expected."


def test_what_is_not_a_packet_fails() -> None:
    talk = Conversation().prepared()
    assert failure(seen(talk.session.receive(b"???"))).text.startswith(
        "has violated the protocol: malformed packet: "
    )
    other = Conversation().prepared()
    assert failure(other.notify(e.BadPacket("a packet of 0 bytes"))).reason is FailureReason.BROKEN


# ---- the end -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_the_result_is_told(seat: int) -> None:
    talk, position = Conversation().prepared(), game()
    position.forfeit(seat)
    assert talk.notify(e.GameEnded(position)) == [m.GameOverMessage(m.MatchResult(1 - seat), 0, 0), None]
    assert talk.say(m.ActionMessage()) == []


def test_the_points_are_told() -> None:
    position = Position("pyrat", None, CONFIG | {"maxTurns": 1, "starts": [[0, 1], [2, 1]]})
    talk = Conversation(1, position)
    position.play("RIGHT/LEFT")
    assert talk.notify(e.GameEnded(position)) == [m.GameOverMessage(m.MatchResult.DRAW, 0.5, 0.5), None]


def test_a_bot_that_has_disconnected_fails_at_every_request() -> None:
    talk = Conversation().prepared()
    failed = e.BotFailed(FailureReason.GONE, "has disconnected (exit status 3).")
    assert talk.notify(e.BotDisconnected("exit status 3")) == [None, failed]
    assert talk.notify(e.AskForMove(game())) == talk.notify(e.AskForMove(game())) == [failed]
    assert talk.notify(e.GameEnded(game())) == []


def test_a_program_that_exits_without_connecting_fails() -> None:
    failed = e.BotFailed(FailureReason.GONE, "has exited without connecting (exit status 3).")
    assert Conversation().notify(e.BotDisconnected("exit status 3")) == [None, failed]


def test_a_request_before_the_last_is_answered_is_a_fault_of_the_caller() -> None:
    talk = Conversation().prepared().asked()
    with pytest.raises(LocalError, match="is impossible in state MOVE"):
        talk.notify(e.AskForMove(game()))


# ---- any conversation ----------------------------------------------------------------------------

OWN = [hash_of(game()), hash_of(game("UP/LEFT"))]
DIRECTIONS, SLOTS = st.sampled_from(Direction), st.sampled_from([Slot.RAT, Slot.RAT, Slot.PYTHON])
TURNS, HASHES = st.integers(0, 2), st.sampled_from([*OWN, 5])

BOT_MESSAGES = st.one_of(
    st.builds(m.IdentifyMessage, agent_id=st.sampled_from(["me", "me", "you"])),
    st.builds(m.ReadyMessage, HASHES),
    st.just(m.PreprocessingDoneMessage()),
    st.builds(m.ActionMessage, DIRECTIONS, SLOTS, TURNS, state_hash=HASHES),
    st.builds(m.ProvisionalMessage, DIRECTIONS, SLOTS, TURNS, HASHES),
    st.builds(m.InfoMessage, SLOTS),
    st.builds(m.SyncOkMessage, HASHES),
    st.builds(m.ResyncMessage, HASHES),
).map(encode_bot)

STEPS = st.one_of(
    BOT_MESSAGES,
    BOT_MESSAGES,
    st.binary(max_size=20),
    st.just(e.TimerExpired()),
    st.just(e.BadPacket("a packet of 0 bytes")),
    st.just(e.BotDisconnected("exit status 0")),
)


@given(st.sampled_from([Conversation.identified, Conversation.prepared]), st.lists(STEPS, max_size=12))
def test_whatever_a_bot_sends_each_request_has_one_answer(
    begin: Callable[[Conversation], Conversation], steps: list[bytes | Event]
) -> None:
    """A bot may send anything at any time. Requests are answered by a move or a failure, and failed bots are left."""
    talk = begin(Conversation())
    is_asked = has_failed = False
    positions = [game(), game("UP/LEFT")]
    is_prepared = begin is Conversation.prepared
    has_timer = True
    for step in steps:
        if is_prepared and not is_asked and positions:
            talk.notify(e.AskForMove(positions.pop(0)))
            is_asked = has_timer = True
        if isinstance(step, e.TimerExpired) and not has_timer:
            continue
        effects = talk.session.receive(step) if isinstance(step, bytes) else talk.session.notify(step)
        timers = [effect.seconds for effect in effects if isinstance(effect, e.SetTimer)]
        has_timer = timers[-1] is not None if timers else has_timer
        answers = [effect for effect in effects if isinstance(effect, e.BotMoved | e.BotFailed)]
        assert not (has_failed and effects)
        assert len(answers) <= 1
        for answer in answers:
            assert is_asked or isinstance(answer, e.BotFailed)
            is_asked = False
            has_failed = has_failed or isinstance(answer, e.BotFailed)
        is_prepared = not has_failed and (is_prepared or e.BotPrepared() in effects)
