"""The bot client's side of its socket: attaches bots, passes requests to their engines and responses back.

A ``BotClient`` outlives its connections, since engines and their sessions do. Valid messages are passed on as the text
they arrived in. A request that no engine can answer (unknown bot, unreadable answer) is refused here at once, so the
server need not wait for its time limit.

While an engine restarts, requests for its bot wait. If it takes too long, they are refused, and the bot is not attached
until the engine is ready. An engine that was started again knows no sessions; a new connection makes the server begin
them again. The driver, ``plyhouse bot``, owns the socket, the engine processes and the pauses between attempts to
connect; it connects again when ``must_attach_again``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

from protocols.bgs import messages as bgs
from protocols.bgs.answers import too_long
from protocols.bgs.codec import TYPE_NAMES, BadFieldsError, decode_from_server, decode_response, encode
from protocols.bgs.thinking_times import ThinkingTimes
from protocols.dialects import game_named
from protocols.session import Effect, Event, LocalError, Log, RemoteError, Send, is_oversize

# ---- events and effects -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Connected(Event):
    """A new connection to the server is open."""


@dataclass(frozen=True, slots=True)
class ConnectionLost(Event):
    """The connection has been closed."""


@dataclass(frozen=True, slots=True)
class EngineLine(Event):
    """The engine of ``bot_id`` has written ``line`` (without its newline)."""

    bot_id: str
    line: str
    now: float = 0.0
    """In seconds, of any clock."""


@dataclass(frozen=True, slots=True)
class EngineExited(Event):
    """The engine of ``bot_id`` has exited, or is being started for the first time: it has no sessions."""

    bot_id: str


@dataclass(frozen=True, slots=True)
class EngineReady(Event):
    """The engine of ``bot_id`` can answer requests."""

    bot_id: str


@dataclass(frozen=True, slots=True)
class EngineOverdue(Event):
    """The engine of ``bot_id`` is not ready for so long that requests can wait no longer."""

    bot_id: str


@dataclass(frozen=True, slots=True)
class ToEngine(Effect):
    """Write ``line`` to the engine of ``bot_id``."""

    bot_id: str
    line: str


@dataclass(frozen=True, slots=True)
class ClientAttached(Effect):
    """The server accepted the attachment."""

    message: bgs.Attached


@dataclass(frozen=True, slots=True)
class ClientRejected(Effect):
    """The server rejected the attachment and will close the connection."""

    message: bgs.AttachRejected


class ClientState(Enum):
    """The stages of the connection between a bot client and its server."""

    OFFLINE = auto()
    ATTACHING = auto()
    ATTACHED = auto()


class EngineAvailability(Enum):
    """Whether the engine of a bot can be asked."""

    READY = auto()
    RESTARTING = auto()
    """Requests wait for it."""
    AWAY = auto()
    """Requests are refused, and the bot is not attached."""


MOST_QUOTED = 300
"""Letters of a line that the log shows."""

NOT_RUNNING = "the engine has exited"
"""The error of a request that no engine can answer."""


class BotClient:
    """The client's side. It attaches again with the resume secret that the server sent last.

    All engines are ready unless the driver says otherwise.
    """

    def __init__(self, attach: bgs.Attach) -> None:
        self._attach = attach
        self._bots = [bot.bot_id for bot in attach.bots]
        self._engines = dict.fromkeys(self._bots, EngineAvailability.READY)
        self._attached: list[str] = []
        """The bots in the attach message of this connection."""
        self._state = ClientState.OFFLINE
        self._bot_of: dict[str, str] = {}
        """The bot for which each session was started; kept across connections, as engines keep their sessions."""
        self._asked: dict[str, bgs.Request] = {}
        """The request of each session that its engine has not answered yet on this connection."""
        self._waiting: dict[str, str] = {}
        """The frames of the starts among them that wait for an engine."""
        self._lost: dict[str, str] = {}
        """The sessions, with their bots, that an engine has lost, and the server does not know that."""
        self._times = ThinkingTimes()
        self._now = 0.0
        self._ends: dict[str, tuple[bgs.EndGameSession, str]] = {}
        """Ends that wait for the answer to an earlier request: the server sends an end after a request times out."""

    @property
    def state(self) -> ClientState:
        """The stage of the connection."""
        return self._state

    @property
    def engines(self) -> Mapping[str, EngineAvailability]:
        """The state of the engine of each bot."""
        return self._engines

    @property
    def is_useful(self) -> bool:
        """Whether an engine is ready or about to be."""
        return bool(self._usable)

    @property
    def can_attach(self) -> bool:
        """Whether an engine is ready and none is about to be."""
        states = self._engines.values()
        return EngineAvailability.READY in states and EngineAvailability.RESTARTING not in states

    @property
    def must_attach_again(self) -> bool:
        """Whether the server has to hear which engines are ready, or that one of them has lost its sessions."""
        if self._state is not ClientState.ATTACHED:
            return False
        is_behind = any(self._engines[bot_id] is EngineAvailability.READY for bot_id in self._lost.values())
        return is_behind or self._attached != self._usable

    @property
    def can_replace(self) -> bool:
        """Whether a second connection replaces the first without a loss: we own the id, or workers may share it."""
        return self._attach.resume_secret is not None or self._attach.is_worker

    @property
    def _usable(self) -> list[str]:
        return [bot_id for bot_id in self._bots if self._engines[bot_id] is not EngineAvailability.AWAY]

    # ---- frames of the server -------------------------------------------------------------------

    def receive(self, frame: str, now: float = 0.0) -> list[Effect]:
        """Handle one text frame that arrives ``now``, in seconds of any clock."""
        self._now = now
        try:
            message = decode_from_server(frame)
        except BadFieldsError as error:
            return self._refuse_unreadable(error)
        except RemoteError as error:
            return [Log(f"ignored a message of the server: {error}")]
        match message:
            case bgs.Attached():
                self._state = ClientState.ATTACHED
                self._attach = replace(self._attach, resume_secret=message.resume_secret)
                return [ClientAttached(message)]
            case bgs.AttachRejected():
                return [ClientRejected(message)]
            case bgs.GameResult():
                return self._take_result(message)
            case bgs.CancelEvaluation():
                return self._cancel(message)
            case _:
                return self._pass_on(message, frame)

    def _pass_on(self, request: bgs.Request, frame: str) -> list[Effect]:
        bot_id = self._bot_for(request)
        if bot_id is None:
            return [Send(encode(bgs.refusal(request, f"Session {request.bgs_id} not found")))]
        if isinstance(request, bgs.EndGameSession) and request.bgs_id in self._lost:
            return self._end_lost(request)
        if request.bgs_id in self._asked:
            return self._postpone(request, frame)
        line = " ".join(frame.splitlines())
        match self._engines[bot_id]:
            case EngineAvailability.READY:
                self._asked[request.bgs_id] = request
                return self._ask(bot_id, request, line)
            case EngineAvailability.RESTARTING if not self._attach.is_worker:
                self._asked[request.bgs_id] = request
                if isinstance(request, bgs.StartGameSession):
                    self._waiting[request.bgs_id] = line
                return []
        return [Send(_refuse(request, NOT_RUNNING))]

    def _ask(self, bot_id: str, request: bgs.Request, line: str) -> list[Effect]:
        if isinstance(request, bgs.EvaluatePosition):
            self._times.ask(request.bgs_id, self._now)
        if not isinstance(request, bgs.StartGameSession):
            return [ToEngine(bot_id, line)]
        self._bot_of[request.bgs_id] = bot_id
        begins = Log(f"{bot_id}: session {request.bgs_id} begins: {_game_text(request.config)}")
        return [begins, ToEngine(bot_id, line)]

    def _end_lost(self, request: bgs.EndGameSession) -> list[Effect]:
        """Forgets a session that its engine does not know any more."""
        self._forget([request.bgs_id])
        asked = self._asked.pop(request.bgs_id, None)
        refused = [] if asked is None else [Send(_refuse(asked, NOT_RUNNING))]
        return [*refused, Send(_refuse(request, NOT_RUNNING))]

    def _cancel(self, message: bgs.CancelEvaluation) -> list[Effect]:
        request = self._asked.get(message.bgs_id)
        bot_id = None if request is None else self._bot_for(request)
        return [] if bot_id is None else [ToEngine(bot_id, encode(message))]

    def _postpone(self, request: bgs.Request, frame: str) -> list[Effect]:
        if isinstance(request, bgs.EndGameSession):
            self._ends[request.bgs_id] = (request, frame)
            return []
        return [Send(_refuse(request, f"Already have pending request for bgsId: {request.bgs_id}"))]

    def _bot_for(self, request: bgs.Request) -> str | None:
        """The bot to ask: the one that a start names; else the client's only bot, or the bot of the session."""
        if isinstance(request, bgs.StartGameSession):
            return request.bot_id if request.bot_id in self._bots else None
        return self._bots[0] if len(self._bots) == 1 else self._bot_of.get(request.bgs_id)

    def _refuse_unreadable(self, error: BadFieldsError) -> list[Effect]:
        logged = Log(f"ignored a message of the server: {error}")
        if error.message_type not in bgs.RESPONSE_OF:
            return [logged]
        return [logged, Send(encode(bgs.refusal_of(error.message_type, error.bgs_id, str(error))))]

    # ---- events of the driver -------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Handle one event from the driver."""
        match self._state, event:
            case ClientState.OFFLINE, Connected():
                return self._attach_bots()
            case ((ClientState.ATTACHING | ClientState.ATTACHED), ConnectionLost()):
                self._state = ClientState.OFFLINE
                for waiting in (self._asked, self._ends, self._waiting):
                    waiting.clear()
                return self._end_all() if self._attach.is_worker else []
            case ClientState.ATTACHED, EngineLine():
                return self._take_line(event)
            case _, EngineLine(bot_id=bot_id):
                return [Log(f"ignored a line of {bot_id}: no server is connected")]
            case _, EngineExited():
                return self._lose_engine(event.bot_id)
            case _, EngineReady():
                return self._use_engine(event.bot_id)
            case _, EngineOverdue():
                return self._give_up_engine(event.bot_id)
        raise LocalError(self._state, event)

    def _attach_bots(self) -> list[Effect]:
        self._state = ClientState.ATTACHING
        self._forget(self._lost)
        self._attached = self._usable
        bots = tuple(bot for bot in self._attach.bots if bot.bot_id in self._attached)
        return [Send(encode(replace(self._attach, bots=bots)))]

    def _end_all(self) -> list[Effect]:
        """End the sessions of a worker at its engines: a server does not go on with them on another connection."""
        sessions, self._bot_of = self._bot_of, {}
        return [
            ToEngine(bot_id, encode(message))
            for bgs_id, bot_id in sessions.items()
            for message in (bgs.CancelEvaluation(bgs_id), bgs.EndGameSession(bgs_id))
        ]

    def _take_result(self, over: bgs.GameResult) -> list[Effect]:
        """Tells the result of a game, how long the bot has thought, and what it said if it has failed."""
        effects: list[Effect] = [Log(_result_text(over))]
        thinking = self._times.of_game(over.game_id, over.seat)
        if thinking is None:
            return effects
        game = f"{over.bot_id}: game {over.game_id}"
        effects.append(Log(f"{game}: {thinking}"))
        has_failed = over.result is not None and over.result.get("note") is not None
        return (
            [*effects, Log(f"{game}: the last answer was {thinking.last_answer}")] if has_failed else effects
        )

    def _take_line(self, event: EngineLine) -> list[Effect]:
        self._now = event.now
        try:
            response = decode_response(event.line)
        except BadFieldsError as error:
            return self._settle_unreadable(event, error)
        except RemoteError as error:
            return [_ignored(event, str(error))]
        request = self._asked.get(response.bgs_id)
        if request is None:
            return [_ignored(event, "an answer to nothing asked")]
        if bgs.RESPONSE_OF[type(request)] is not type(response):
            asked, answer = TYPE_NAMES[type(request)], TYPE_NAMES[type(response)]
            return [_ignored(event, f"it answers {asked} with {answer}")]
        if is_oversize(event.line):
            return self._settle(request, event.line, _refuse(request, too_long(event.line)))
        return self._settle(request, event.line, event.line)

    def _settle_unreadable(self, event: EngineLine, error: BadFieldsError) -> list[Effect]:
        logged = Log(f"cannot read an answer of {event.bot_id}: {error}: {_quoted(event.line)}")
        request = self._asked.get(error.bgs_id)
        if request is None or bgs.RESPONSE_OF[type(request)] is not error.message_type:
            return [logged]
        return [logged, *self._settle(request, event.line, _refuse(request, str(error)))]

    def _settle(self, request: bgs.Request, line: str, text: str) -> list[Effect]:
        """Sends ``text`` as the answer to a request, which its engine has answered with ``line``."""
        del self._asked[request.bgs_id]
        if isinstance(request, bgs.EvaluatePosition):
            self._times.answer(request.bgs_id, _quoted(line), self._now)
        if isinstance(request, bgs.EndGameSession):
            self._bot_of.pop(request.bgs_id, None)
        end = self._ends.pop(request.bgs_id, None)
        return [Send(text), *(self._pass_on(*end) if end else [])]

    # ---- engines that come and go -----------------------------------------------------------------

    def _lose_engine(self, bot_id: str) -> list[Effect]:
        if self._engines[bot_id] is not EngineAvailability.AWAY:
            self._engines[bot_id] = EngineAvailability.RESTARTING
        self._lost |= {bgs_id: bot for bgs_id, bot in self._bot_of.items() if bot == bot_id}
        asked = self._asked.keys() - self._waiting
        self._lost |= {bgs_id: bot_id for bgs_id in asked if self._bot_for(self._asked[bgs_id]) == bot_id}
        return self._refuse_unanswerable(bot_id) if self._attach.is_worker else []

    def _use_engine(self, bot_id: str) -> list[Effect]:
        self._engines[bot_id] = EngineAvailability.READY
        effects: list[Effect] = []
        for bgs_id, line in list(self._waiting.items()):
            request = self._asked[bgs_id]
            if self._bot_for(request) == bot_id:
                del self._waiting[bgs_id]
                effects += self._ask(bot_id, request, line)
        return effects

    def _give_up_engine(self, bot_id: str) -> list[Effect]:
        if self._engines[bot_id] is EngineAvailability.RESTARTING:
            self._engines[bot_id] = EngineAvailability.AWAY
        return self._refuse_unanswerable(bot_id)

    def _refuse_unanswerable(self, bot_id: str) -> list[Effect]:
        """Refuses the requests that the engine of a bot will not answer, and forgets the sessions that it has lost."""
        effects: list[Effect] = []
        for bgs_id, request in list(self._asked.items()):
            if self._bot_for(request) == bot_id and (bgs_id in self._lost or bgs_id in self._waiting):
                del self._asked[bgs_id]
                self._waiting.pop(bgs_id, None)
                effects.append(Send(_refuse(request, NOT_RUNNING)))
                effects += [Send(_refuse(end, NOT_RUNNING)) for end in self._take_end(bgs_id)]
        self._forget([bgs_id for bgs_id, bot in self._lost.items() if bot == bot_id])
        return effects

    def _forget(self, bgs_ids: Iterable[str]) -> None:
        """Forgets sessions that engines have lost."""
        for bgs_id in list(bgs_ids):
            self._lost.pop(bgs_id, None)
            self._bot_of.pop(bgs_id, None)

    def _take_end(self, bgs_id: str) -> list[bgs.EndGameSession]:
        waiting = self._ends.pop(bgs_id, None)
        return [] if waiting is None else [waiting[0]]


def _ignored(event: EngineLine, why: str) -> Log:
    return Log(f"ignored a line of {event.bot_id}: {why}: {_quoted(event.line)}")


def _quoted(line: str) -> str:
    """A line of an engine for the log, shortened."""
    text = "".join(letter if letter.isprintable() else "?" for letter in line[: MOST_QUOTED + 1])
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"


def _refuse(request: bgs.Request, error: str) -> str:
    """The text that refuses a request of an existing session, with the ply that the server expects."""
    ply = request.expected_ply if isinstance(request, bgs.EvaluatePosition | bgs.ApplyMove) else 0
    return encode(bgs.refusal(request, error, ply))


def _game_text(config: bgs.JsonObject) -> str:
    """The game, variant and board size, such as ``wallwars standard 8x8``."""
    words = [config.get("game", game_named(None)), config.get("variant", "")]
    if "boardWidth" in config and "boardHeight" in config:
        words.append(f"{config['boardWidth']}x{config['boardHeight']}")
    return " ".join(str(word) for word in words if word)


def _result_text(over: bgs.GameResult) -> str:
    """The result for the bot, such as ``b1: game g is lost by resignation: the bot disconnected``."""
    begin = f"{over.bot_id}: game {over.game_id} is"
    if over.result is None:
        return f"{begin} aborted"
    winners, reason, note = (over.result.get(name) for name in ("winners", "reason", "note"))
    ending = (
        "drawn" if not winners else "won" if isinstance(winners, list) and over.seat in winners else "lost"
    )
    text = f"{begin} {ending} by {reason}"
    return text if note is None else f"{text}: {note}"
