"""The host's side of a conversation with one bot, in one seat of one game, without I/O.

The bot identifies itself, gets the board, answers with its hash of the start, and prepares. For each move it is told
the turns played since its last one, confirms the hash after each of them, and is asked. A bot that is late stays. A bot
that disconnects, computes other hashes or moves for the other seat cannot continue.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any

from engines import Position
from protocols.pyrat.host import events as ev
from protocols.pyrat.host import messages as packets
from protocols.pyrat.host.codec import decode_bot, encode_host
from protocols.pyrat.host.events import FailureReason
from protocols.pyrat.host.match_messages import HostTimes, MatchMessages
from protocols.session import Effect, Event, LocalError, RemoteError


class HostState(Enum):
    """What the session is waiting for."""

    CONNECTION = auto()
    IDENTITY = auto()
    HASH_OF_START = auto()
    PREPROCESSING = auto()
    END_OF_PREPROCESSING = auto()
    """The bot was told to stop."""
    REQUEST = auto()
    SYNC = auto()
    MOVE = auto()
    LAST_MOVE = auto()
    """The bot was told to stop; what it sends now still counts."""
    NOTHING = auto()
    """The game is over, or the bot has failed."""


S = HostState
MOVING = (S.MOVE, S.LAST_MOVE)


class HostSession:
    """The conversation. ``agent_id`` is the one passed to the program."""

    def __init__(self, agent_id: str, seat: int, start: Position, times: HostTimes) -> None:
        """``start`` is the position before the first turn. Raises BadConfig if the protocol cannot express it."""
        self._agent_id = agent_id
        self._slot = packets.Slot(seat)
        self._times = times
        self._messages = MatchMessages(start, times)
        self._position = start.copy()
        """The position that the bot knows, or is told."""
        self._target = self._position
        """The position in which the bot is asked for a move."""
        self._move_ms = times.move_ms
        """The time for that move; 0: no limit."""
        self._has_resynced = False
        self._provisional: packets.Direction | None = None
        self._failed: ev.BotFailed | None = None
        self._state = HostState.CONNECTION

    def receive(self, packet: bytes) -> list[Effect]:
        """Handles a packet of the bot."""
        if self._state is S.NOTHING:
            return []
        try:
            message = decode_bot(packet)
            return RECEIVERS[type(message)](self, message)
        except RemoteError as error:
            return self._fail(FailureReason.BROKEN, f"has violated the protocol: {error}.")

    def notify(self, event: Event) -> list[Effect]:
        """Handles anything but a packet."""
        match event:
            case ev.AskForMove() if self._failed is not None:
                return [self._failed]
            case ev.AskForMove(position=position, most_ms=most) if self._state is S.REQUEST:
                self._target = position
                usual = self._times.move_ms
                self._move_ms = usual if most is None else min(most, usual or most)
                return self._advance_or_ask()
            case ev.GameEnded(position=position) if self._state is not S.NOTHING:
                self._state = S.NOTHING
                return [_send(self._messages.game_over(position)), ev.SetTimer(None)]
            case ev.BotLaunched() if self._state is S.CONNECTION:
                return [ev.SetTimer(self._times.connect)]
            case ev.BotConnected() if self._state is S.CONNECTION:
                return self._wait_for(S.IDENTITY, self._times.identify)
            case ev.BadPacket(why=why) if self._state is not S.NOTHING:
                return self._fail(FailureReason.BROKEN, f"has violated the protocol: {why}.")
            case ev.BotDisconnected(how=how) if self._state is not S.NOTHING:
                ended = "exited without connecting" if self._state is S.CONNECTION else "disconnected"
                return self._end(FailureReason.GONE, f"has {ended} ({how}).")
            case ev.TimerExpired() if self._state is not S.NOTHING:
                return self._expire()
            case ev.BotDisconnected() | ev.BadPacket() | ev.TimerExpired() | ev.GameEnded():
                return []
        raise LocalError(self._state, event)

    # ---- the beginning ----------------------------------------------------------------------------

    def _identified(self, message: packets.IdentifyMessage) -> list[Effect]:
        self._expect(message, S.IDENTITY)
        if message.agent_id != self._agent_id:
            raise RemoteError(f"its agent_id is {message.agent_id!r}, not {self._agent_id!r}")
        return [
            ev.BotIdentified(message.name),
            _send(packets.WelcomeMessage(self._slot)),
            _send(self._messages.configure()),
            *self._wait_for(S.HASH_OF_START, self._times.configure),
        ]

    def _ready(self, message: packets.ReadyMessage) -> list[Effect]:
        self._expect(message, S.HASH_OF_START)
        own = self._messages.state_hash(self._position)
        if message.state_hash != own:
            why = f"the start has the hash {own:#018x}, not {message.state_hash:#018x}"
            raise RemoteError(f"hash incompatible, {why}; bots of another version of pyrat-rust cannot play")
        seconds = self._times.preprocessing_ms / 1000
        return [_send(packets.GoPreprocessMessage(own)), *self._wait_for(S.PREPROCESSING, seconds)]

    def _prepared(self, message: packets.PreprocessingDoneMessage) -> list[Effect]:
        if self._state in (S.PREPROCESSING, S.END_OF_PREPROCESSING):
            return self._rest(ev.BotPrepared())
        if self._state in (S.IDENTITY, S.HASH_OF_START):
            self._expect(message, S.PREPROCESSING)
        return []  # It was late.

    # ---- turns ------------------------------------------------------------------------------------

    def _advance_or_ask(self) -> list[Effect]:
        """Tells the bot the next turn that it does not know; if it knows all, asks for its move."""
        if self._position.ply < self._target.ply:
            self._position.play(self._target.history[self._position.ply])
            self._has_resynced = False
            return [
                _send(self._messages.advance(self._position)),
                *self._wait_for(S.SYNC, self._times.sync),
            ]
        self._provisional = None
        seconds = self._move_ms / 1000 or None
        return [_send(self._messages.go(self._position, self._move_ms)), *self._wait_for(S.MOVE, seconds)]

    def _synced(self, message: packets.SyncOkMessage) -> list[Effect]:
        self._expect(message, S.SYNC)
        self._check_hash(message.hash)
        return self._advance_or_ask()

    def _resync(self, message: packets.ResyncMessage) -> list[Effect]:
        self._expect(message, S.SYNC)
        if self._has_resynced:
            self._check_hash(message.my_hash)
            raise RemoteError(f"a second Resync in turn {self._position.ply}")
        self._has_resynced = True
        full = self._messages.full_state(self._position)
        return [_send(full), *self._wait_for(S.SYNC, self._times.sync)]

    def _action(self, message: packets.ActionMessage) -> list[Effect]:
        self._check_slot(message)
        if message.turn != self._position.ply:
            return []  # It belongs to a turn for which it was late.
        self._check_hash(message.state_hash)
        return self._moved(message.direction) if self._state in MOVING else []

    def _provisionally(self, message: packets.ProvisionalMessage) -> list[Effect]:
        self._check_slot(message)
        own = (self._position.ply, self._messages.state_hash(self._position))
        if self._state in MOVING and (message.turn, message.state_hash) == own:
            self._provisional = message.direction
        return []

    def _ignore(self, message: packets.BotMessage) -> list[Effect]:
        """What is meant for viewers."""
        del message
        return []

    def _moved(self, direction: packets.Direction) -> list[Effect]:
        return self._rest(ev.BotMoved(direction.name))

    # ---- time ------------------------------------------------------------------------------------

    def _expire(self) -> list[Effect]:
        match self._state:
            case S.PREPROCESSING:
                return [
                    _send(packets.StopMessage()),
                    *self._wait_for(S.END_OF_PREPROCESSING, self._times.grace),
                ]
            case S.END_OF_PREPROCESSING:
                return self._rest(ev.BotPrepared())
            case S.MOVE:
                return [_send(packets.StopMessage()), *self._wait_for(S.LAST_MOVE, self._times.grace)]
            case S.LAST_MOVE:
                return self._moved(packets.Direction.STAY if self._provisional is None else self._provisional)
            case S.CONNECTION:
                return self._end(FailureReason.LATE, "has not connected in time.")
            case S.IDENTITY | S.HASH_OF_START | S.SYNC:
                return self._fail(FailureReason.LATE, f"has not sent {AWAITED[self._state]} in time.")
        raise LocalError(self._state, ev.TimerExpired())

    def _wait_for(self, state: HostState, seconds: float | None) -> list[Effect]:
        self._state = state
        return [ev.SetTimer(seconds)]

    def _rest(self, answer: Effect) -> list[Effect]:
        return [*self._wait_for(S.REQUEST, None), answer]

    # ---- errors ----------------------------------------------------------------------------------

    def _expect(self, message: packets.BotMessage, state: HostState) -> None:
        if self._state is not state:
            raise RemoteError(f"{_name(message)} was not expected")

    def _check_slot(self, message: packets.ActionMessage | packets.ProvisionalMessage) -> None:
        if message.player is not self._slot:
            raise RemoteError(f"{_name(message)} for {message.player.name}; the bot is {self._slot.name}")

    def _check_hash(self, given: int) -> None:
        own = self._messages.state_hash(self._position)
        if given != own:
            raise RemoteError(f"turn {self._position.ply} has the hash {own:#018x}, not {given:#018x}")

    def _fail(self, reason: FailureReason, text: str) -> list[Effect]:
        return [_send(packets.ProtocolErrorMessage(f"The bot {text}")), *self._end(reason, text)]

    def _end(self, reason: FailureReason, text: str) -> list[Effect]:
        self._failed = ev.BotFailed(reason, text)
        return [*self._wait_for(S.NOTHING, None), self._failed]


AWAITED = {S.IDENTITY: "Identify", S.HASH_OF_START: "Ready", S.SYNC: "SyncOk"}
"""The messages for which a bot cannot be late."""

RECEIVERS: Mapping[type[Any], Callable[[HostSession, Any], list[Effect]]] = {
    packets.IdentifyMessage: HostSession._identified,
    packets.ReadyMessage: HostSession._ready,
    packets.PreprocessingDoneMessage: HostSession._prepared,
    packets.ActionMessage: HostSession._action,
    packets.InfoMessage: HostSession._ignore,
    packets.RenderCommandsMessage: HostSession._ignore,
    packets.ProvisionalMessage: HostSession._provisionally,
    packets.SyncOkMessage: HostSession._synced,
    packets.ResyncMessage: HostSession._resync,
}


def _send(message: packets.HostMessage) -> Effect:
    return ev.SendPacket(encode_host(message))


def _name(message: packets.BotMessage) -> str:
    """The name of a message in the protocol."""
    return type(message).__name__.removesuffix("Message")
