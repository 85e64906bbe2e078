"""The host's conversation with a bot, message by message."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols.pyrat.host import events as ev
from protocols.pyrat.host import messages as packets
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
        if isinstance(effect, ev.SendPacket)
        else effect.seconds
        if isinstance(effect, ev.SetTimer)
        else effect
        for effect in effects
    ]


class Conversation:
    """A session, and what comes out of it."""

    def __init__(self, seat: int = 0, start: Position | None = None, times: HostTimes = TIMES) -> None:
        self.session = HostSession("me", seat, start or game(), times)
        self.notify(ev.BotLaunched())

    def notify(self, event: Event) -> list[object]:
        return seen(self.session.notify(event))

    def say(self, message: packets.BotMessage) -> list[object]:
        return seen(self.session.receive(encode_bot(message)))

    def identified(self) -> "Conversation":
        self.notify(ev.BotConnected())
        self.say(packets.IdentifyMessage("Bot", agent_id="me"))
        return self

    def prepared(self) -> "Conversation":
        self.identified()
        self.say(packets.ReadyMessage(hash_of(game())))
        assert self.say(packets.PreprocessingDoneMessage()) == [None, ev.BotPrepared()]
        return self

    def asked(self, *moves: str) -> "Conversation":
        self.notify(ev.AskForMove(game(*moves)))
        return self


def failure(effects: list[object]) -> ev.BotFailed:
    """How the bot has failed; it is told the same."""
    error, timer, failed = effects
    assert isinstance(failed, ev.BotFailed)
    assert timer is None
    assert error == packets.ProtocolErrorMessage(f"The bot {failed.text}")
    return failed


# ---- the beginning -------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_is_introduced_to_its_game(seat: int) -> None:
    talk = Conversation(seat)
    assert talk.notify(ev.BotConnected()) == [TIMES.identify]
    identified, welcome, configure, seconds = talk.say(packets.IdentifyMessage("Bot", agent_id="me"))
    assert (identified, welcome) == (ev.BotIdentified("Bot"), packets.WelcomeMessage(Slot(seat)))
    assert seconds == TIMES.configure
    assert configure == packets.ConfigureMessage(
        (),
        packets.MatchConfig(
            width=4,
            height=3,
            max_turns=20,
            walls=(packets.WallTable((0, 0), (1, 0)),),
            mud=(packets.MudTable((0, 0), (0, 1), 2),),
            cheese=((3, 0), (1, 1), (0, 2)),
            player1_start=(0, 0),
            player2_start=(3, 2),
            timing=packets.TimingMode.CLOCK,
            move_timeout_ms=700,
            preprocessing_timeout_ms=900,
        ),
    )
    start = hash_of(game())
    assert talk.say(packets.ReadyMessage(start)) == [packets.GoPreprocessMessage(start), 0.9]
    assert talk.say(packets.PreprocessingDoneMessage()) == [None, ev.BotPrepared()]


def test_an_unknown_agent_is_refused() -> None:
    talk = Conversation()
    talk.notify(ev.BotConnected())
    failed = failure(talk.say(packets.IdentifyMessage("Bot", agent_id="you")))
    assert failed == ev.BotFailed(
        FailureReason.BROKEN, "has violated the protocol: its agent_id is 'you', not 'me'."
    )


def test_a_wrong_hash_of_the_start_is_refused() -> None:
    failed = failure(Conversation().identified().say(packets.ReadyMessage(5)))
    assert failed.reason is FailureReason.BROKEN
    assert f"hash incompatible, the start has the hash {hash_of(game()):#018x}" in failed.text
    assert "not 0x0000000000000005" in failed.text


def test_preprocessing_ends_at_its_time_limit() -> None:
    talk = Conversation().identified()
    talk.say(packets.ReadyMessage(hash_of(game())))
    assert talk.notify(ev.TimerExpired()) == [packets.StopMessage(), TIMES.grace]
    assert talk.notify(ev.TimerExpired()) == [None, ev.BotPrepared()]
    assert talk.say(packets.PreprocessingDoneMessage()) == []


@pytest.mark.parametrize(
    ("talk", "what"),
    [
        (lambda: Conversation(), None),
        (lambda: Conversation().identified(), "Ready"),
        (lambda: Conversation().prepared().asked("UP/LEFT"), "SyncOk"),
    ],
)
def test_bots_that_do_not_answer_fail(talk: "type[Conversation]", what: str | None) -> None:
    effects = talk().notify(ev.TimerExpired())
    if what is None:
        assert effects == [None, ev.BotFailed(FailureReason.LATE, "has not connected in time.")]
    else:
        assert failure(effects) == ev.BotFailed(FailureReason.LATE, f"has not sent {what} in time.")


# ---- turns ---------------------------------------------------------------------------------------


def test_a_move_in_the_first_turn() -> None:
    talk, start = Conversation().prepared(), hash_of(game())
    assert talk.notify(ev.AskForMove(game())) == [packets.GoMessage(start, packets.SearchLimits(700)), 0.7]
    assert talk.say(packets.ActionMessage(Direction.LEFT, Slot.RAT, 0, 3, start)) == [
        None,
        ev.BotMoved("LEFT"),
    ]


@pytest.mark.parametrize(("most_ms", "asked_ms"), [(300, 300), (900, 700)])
def test_a_move_may_have_less_time_than_usual(most_ms: int, asked_ms: int) -> None:
    talk, start = Conversation().prepared(), hash_of(game())
    asked = [packets.GoMessage(start, packets.SearchLimits(asked_ms)), asked_ms / 1000]
    assert talk.notify(ev.AskForMove(game(), most_ms)) == asked


def test_turns_are_confirmed_before_a_move() -> None:
    talk = Conversation().prepared()
    for ply, moves in enumerate([("UP/LEFT",), ("UP/LEFT", "STAY/DOWN")], 1):
        position = game(*moves)
        first, second = position.history[-1].split("/")
        told = packets.AdvanceMessage(Direction[first], Direction[second], ply, hash_of(position))
        if ply == 1:
            assert talk.notify(ev.AskForMove(game("UP/LEFT", "STAY/DOWN"))) == [told, TIMES.sync]
            continue
        assert talk.say(packets.SyncOkMessage(hash_of(game("UP/LEFT")))) == [told, TIMES.sync]
    last = hash_of(game("UP/LEFT", "STAY/DOWN"))
    assert talk.say(packets.SyncOkMessage(last)) == [packets.GoMessage(last, packets.SearchLimits(700)), 0.7]


def test_a_bot_can_resync_once_in_a_turn() -> None:
    talk, position = Conversation().prepared().asked("UP/LEFT"), game("UP/LEFT")
    full, seconds = talk.say(packets.ResyncMessage(5))
    assert isinstance(full, packets.FullStateMessage)
    assert seconds == TIMES.sync
    assert full.turn_state == packets.TurnState(
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
    failed = failure(talk.say(packets.ResyncMessage(hash_of(position))))
    assert failed.text == "has violated the protocol: a second Resync in turn 1."


def test_after_a_resync_the_turn_is_confirmed() -> None:
    talk, own = Conversation().prepared().asked("UP/LEFT"), hash_of(game("UP/LEFT"))
    talk.say(packets.ResyncMessage(5))
    assert talk.say(packets.SyncOkMessage(own)) == [packets.GoMessage(own, packets.SearchLimits(700)), 0.7]


def test_another_hash_of_a_turn_fails() -> None:
    failed = failure(Conversation().prepared().asked("UP/LEFT").say(packets.SyncOkMessage(7)))
    own = hash_of(game("UP/LEFT"))
    assert failed.text == f"has violated the protocol: turn 1 has the hash {own:#018x}, not {7:#018x}."


# ---- late bots -----------------------------------------------------------------------------------


def expired(talk: Conversation) -> Conversation:
    assert talk.notify(ev.TimerExpired()) == [packets.StopMessage(), TIMES.grace]
    return talk


def test_a_late_bot_stays() -> None:
    talk = expired(Conversation().prepared().asked())
    assert talk.notify(ev.TimerExpired()) == [None, ev.BotMoved("STAY")]
    assert talk.say(packets.ActionMessage(Direction.UP, state_hash=hash_of(game()))) == []


def test_a_move_within_the_grace_time_counts() -> None:
    talk = expired(Conversation().prepared().asked())
    assert talk.say(packets.ActionMessage(Direction.UP, state_hash=hash_of(game()))) == [
        None,
        ev.BotMoved("UP"),
    ]


def test_a_late_bot_plays_its_last_provisional_move() -> None:
    talk, own = Conversation().prepared().asked(), hash_of(game())
    for direction, turn, state in [
        (Direction.UP, 0, own),
        (Direction.LEFT, 0, own),
        (Direction.DOWN, 1, own),
        (Direction.DOWN, 0, 5),
    ]:
        assert talk.say(packets.ProvisionalMessage(direction, Slot.RAT, turn, state)) == []
    assert expired(talk).notify(ev.TimerExpired()) == [None, ev.BotMoved("LEFT")]


def test_a_provisional_move_counts_in_its_turn_only() -> None:
    talk = Conversation().prepared().asked()
    talk.say(packets.ProvisionalMessage(Direction.UP, state_hash=hash_of(game())))
    talk.say(packets.ActionMessage(Direction.UP, state_hash=hash_of(game())))
    talk.asked("UP/LEFT")
    talk.say(packets.SyncOkMessage(hash_of(game("UP/LEFT"))))
    assert expired(talk).notify(ev.TimerExpired()) == [None, ev.BotMoved("STAY")]


def test_moves_without_a_time_limit() -> None:
    talk = Conversation(times=HostTimes(move_ms=0)).prepared()
    assert talk.notify(ev.AskForMove(game())) == [
        packets.GoMessage(hash_of(game()), packets.SearchLimits(0)),
        None,
    ]
    talk.say(packets.ActionMessage(Direction.LEFT, Slot.RAT, 0, 3, hash_of(game())))
    asked = [packets.GoMessage(hash_of(game()), packets.SearchLimits(300)), 0.3]
    assert talk.notify(ev.AskForMove(game(), 300)) == asked


# ---- wrong answers -------------------------------------------------------------------------------


@pytest.mark.parametrize("when", [("UP/LEFT",), ("UP/LEFT", "STAY/DOWN")])
def test_a_move_for_another_turn_is_ignored_also_while_the_bot_syncs(when: tuple[str, ...]) -> None:
    talk = Conversation().prepared().asked(*when)
    assert talk.say(packets.ActionMessage(Direction.UP, turn=0, state_hash=5)) == []


def test_a_move_with_a_wrong_hash_fails() -> None:
    failed = failure(Conversation().prepared().asked().say(packets.ActionMessage(state_hash=5)))
    assert "turn 0 has the hash" in failed.text


@pytest.mark.parametrize("kind", [packets.ActionMessage, packets.ProvisionalMessage])
def test_a_move_for_the_other_seat_fails(
    kind: type[packets.ActionMessage] | type[packets.ProvisionalMessage],
) -> None:
    message = kind(player=Slot.PYTHON, state_hash=hash_of(game()))
    failed = failure(Conversation().prepared().asked().say(message))
    name = kind.__name__.removesuffix("Message")
    assert failed.text == f"has violated the protocol: {name} for PYTHON; the bot is RAT."


def test_messages_for_viewers_are_ignored_at_any_time() -> None:
    for message in (
        packets.InfoMessage(Slot.PYTHON, state_hash=5),
        packets.RenderCommandsMessage(Slot.PYTHON),
    ):
        assert Conversation().identified().say(message) == []
        assert Conversation().prepared().say(message) == []
        assert Conversation().prepared().asked().say(message) == []


@pytest.mark.parametrize(
    "message",
    [
        packets.IdentifyMessage("Bot", agent_id="me"),
        packets.ReadyMessage(),
        packets.SyncOkMessage(),
        packets.ResyncMessage(),
    ],
)
def test_messages_out_of_order_fail(message: packets.BotMessage) -> None:
    name = type(message).__name__.removesuffix("Message")
    failed = failure(Conversation().prepared().say(message))
    assert failed.text == f"has violated the protocol: {name} was not expected."


def test_what_is_not_a_packet_fails() -> None:
    talk = Conversation().prepared()
    assert failure(seen(talk.session.receive(b"???"))).text.startswith(
        "has violated the protocol: malformed packet: "
    )
    other = Conversation().prepared()
    assert failure(other.notify(ev.BadPacket("a packet of 0 bytes"))).reason is FailureReason.BROKEN


# ---- the end -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_the_result_is_told(seat: int) -> None:
    talk, position = Conversation().prepared(), game()
    position.forfeit(seat)
    assert talk.notify(ev.GameEnded(position)) == [
        packets.GameOverMessage(packets.MatchResult(1 - seat), 0, 0),
        None,
    ]
    assert talk.say(packets.ActionMessage()) == []


def test_the_points_are_told() -> None:
    position = Position("pyrat", None, CONFIG | {"maxTurns": 1, "starts": [[0, 1], [2, 1]]})
    talk = Conversation(1, position)
    position.play("RIGHT/LEFT")
    assert talk.notify(ev.GameEnded(position)) == [
        packets.GameOverMessage(packets.MatchResult.DRAW, 0.5, 0.5),
        None,
    ]


def test_a_bot_that_has_disconnected_fails_at_every_request() -> None:
    talk = Conversation().prepared()
    failed = ev.BotFailed(FailureReason.GONE, "has disconnected (exit status 3).")
    assert talk.notify(ev.BotDisconnected("exit status 3")) == [None, failed]
    assert talk.notify(ev.AskForMove(game())) == talk.notify(ev.AskForMove(game())) == [failed]
    assert talk.notify(ev.GameEnded(game())) == []


def test_a_program_that_exits_without_connecting_fails() -> None:
    failed = ev.BotFailed(FailureReason.GONE, "has exited without connecting (exit status 3).")
    assert Conversation().notify(ev.BotDisconnected("exit status 3")) == [None, failed]


def test_a_request_before_the_last_is_answered_is_a_fault_of_the_caller() -> None:
    talk = Conversation().prepared().asked()
    with pytest.raises(LocalError, match="is impossible in state MOVE"):
        talk.notify(ev.AskForMove(game()))


# ---- any conversation ----------------------------------------------------------------------------

OWN = [hash_of(game()), hash_of(game("UP/LEFT"))]
DIRECTIONS, SLOTS = st.sampled_from(Direction), st.sampled_from([Slot.RAT, Slot.RAT, Slot.PYTHON])
TURNS, HASHES = st.integers(0, 2), st.sampled_from([*OWN, 5])

BOT_MESSAGES = st.one_of(
    st.builds(packets.IdentifyMessage, agent_id=st.sampled_from(["me", "me", "you"])),
    st.builds(packets.ReadyMessage, HASHES),
    st.just(packets.PreprocessingDoneMessage()),
    st.builds(packets.ActionMessage, DIRECTIONS, SLOTS, TURNS, state_hash=HASHES),
    st.builds(packets.ProvisionalMessage, DIRECTIONS, SLOTS, TURNS, HASHES),
    st.builds(packets.InfoMessage, SLOTS),
    st.builds(packets.SyncOkMessage, HASHES),
    st.builds(packets.ResyncMessage, HASHES),
).map(encode_bot)

STEPS = st.one_of(
    BOT_MESSAGES,
    BOT_MESSAGES,
    st.binary(max_size=20),
    st.just(ev.TimerExpired()),
    st.just(ev.BadPacket("a packet of 0 bytes")),
    st.just(ev.BotDisconnected("exit status 0")),
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
            talk.notify(ev.AskForMove(positions.pop(0)))
            is_asked = has_timer = True
        if isinstance(step, ev.TimerExpired) and not has_timer:
            continue
        effects = talk.session.receive(step) if isinstance(step, bytes) else talk.session.notify(step)
        timers = [effect.seconds for effect in effects if isinstance(effect, ev.SetTimer)]
        has_timer = timers[-1] is not None if timers else has_timer
        answers = [effect for effect in effects if isinstance(effect, ev.BotMoved | ev.BotFailed)]
        assert not (has_failed and effects)
        assert len(answers) <= 1
        for answer in answers:
            assert is_asked or isinstance(answer, ev.BotFailed)
            is_asked = False
            has_failed = has_failed or isinstance(answer, ev.BotFailed)
        is_prepared = not has_failed and (is_prepared or ev.BotPrepared() in effects)
