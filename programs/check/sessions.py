"""A program that answers the requests of the V3 protocol, over lines or a socket, and one of its sessions.

Every answer is read strictly: its members, its ply, the legality of its moves, the range of its values.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence

from engines import Position
from programs.check.conversation import Conversation, Launch, NoAnswer
from programs.check.findings import Said, WrongAnswer
from programs.check.steps import Effort
from protocols.bgs import messages as bgs
from protocols.bgs.answers import check_best_move, check_moves, evaluation_of
from protocols.bgs.codec import TYPE_NAMES, BadFieldsError, UncheckedAttach, decode_from_bot, encode
from protocols.bgs.config import Setup, write_config
from protocols.bgs.effects import AnswerError
from protocols.jsontext import read_object
from protocols.session import RemoteError
from protocols.uhp.lines import Line, LineTooLong
from protocols.values import ClockReading, is_move

ANSWER_SECONDS = 10.0
"""How long the server waits for an answer."""

USUAL_SECONDS = 5.0
"""An answer that takes longer is slow: half of the limit."""


class BinaryFrame(str):
    """A frame that is not text; this says so."""


class Refused(WrongAnswer):
    """The program answers with ``success`` false."""


class SessionProgram(ABC):
    """The program: its conversation, the requests that it has not answered, and the bots that it plays."""

    def __init__(
        self,
        launch: Launch[str, Line],
        effort: Effort,
        answer_seconds: float,
        first_seconds: float | None = None,
    ) -> None:
        """``first_seconds``: the limit for the first answer of a process, which may have to load something."""
        self.said: list[Said] = []
        self.effort = effort
        self.bots: Sequence[bgs.BotEntry] = ()
        self.unexpected: list[str] = []
        """What it has said without being asked."""
        self.slowest = 0.0, ""
        """The longest time for an answer, in seconds, and the type of the request."""
        self.answer_seconds = answer_seconds
        self._first_seconds = answer_seconds if first_seconds is None else first_seconds
        self._is_loaded = False
        """Whether this process has answered anything."""
        self._launch = launch
        self._conversation: Conversation[str, Line] | None = None
        self._asked: dict[str, bgs.Request] = {}
        self._answers: dict[str, bgs.Response] = {}
        self._last: dict[str, str] = {}
        """The last answer of each session, as it was written."""
        self._sessions = 0

    @property
    def bot(self) -> bgs.BotEntry:
        """The bot that most steps ask."""
        return self.bots[0]

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""
        return self._conversation is not None

    @property
    def conversation(self) -> Conversation[str, Line]:
        """The current run."""
        if self._conversation is None:
            raise WrongAnswer("The program is not running.")
        return self._conversation

    async def start(self) -> None:
        """Starts it. Raises OSError or Objection."""
        self._is_loaded = self._first_seconds == self.answer_seconds
        self._conversation = Conversation(self.said, str, str)
        await self._conversation.open(self._launch)
        await self.greet()

    @abstractmethod
    async def greet(self) -> None:
        """Waits until it can be asked. Raises Objection."""

    async def stop(self) -> None:
        """Ends it, if it runs."""
        conversation, self._conversation = self._conversation, None
        self._asked.clear()
        self._answers.clear()
        self._last.clear()
        if conversation is not None:
            await conversation.close()

    def session(
        self, start: Position, bot: bgs.BotEntry | None = None, bgs_id: str | None = None
    ) -> "AskedSession":
        """A new session for a game from ``start`` on."""
        self._sessions += 1
        return AskedSession(self, bot or self.bot, start, bgs_id or f"check-{self._sessions}")

    # ---- requests and answers --------------------------------------------------------------------

    async def ask(self, request: bgs.Request) -> bgs.Response:
        """Sends a request and waits for its answer, of whatever type. Raises WrongAnswer."""
        await self.send(request)
        return await self.answer(request)

    async def send(self, request: bgs.Request, text: str | None = None) -> None:
        """Sends a request; ``text``: as this instead of its usual text."""
        self._asked[request.bgs_id] = request
        await self.conversation.say(encode(request) if text is None else text)

    async def answer(self, request: bgs.Request) -> bgs.Response:
        """Waits for the answer to a request that was sent. Raises WrongAnswer."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        limit = self.answer_seconds if self._is_loaded else self._first_seconds
        while request.bgs_id not in self._answers:
            try:
                self._take(await self.conversation.hear(max(begin + limit - loop.time(), 0.0)))
            except NoAnswer:
                raise NoAnswer(f"No answer to {TYPE_NAMES[type(request)]} within {limit:g} s.") from None
        if self._is_loaded:
            self.slowest = max(self.slowest, (loop.time() - begin, TYPE_NAMES[type(request)]))
        self._is_loaded = True
        return self._answers.pop(request.bgs_id)

    def _take(self, line: Line) -> None:
        if isinstance(line, LineTooLong):
            raise WrongAnswer(f"A line is too long: {line}.")
        if isinstance(line, BinaryFrame):
            raise WrongAnswer(f"It sends {line}.")
        if not line.strip():
            return
        try:
            response = decode_from_bot(line)
        except BadFieldsError as error:
            if self._is_meant(error):
                raise WrongAnswer(f"{error}.") from None
            self.unexpected.append(f"{error}: {line[:100]}")
            return
        except RemoteError as error:
            self.unexpected.append(f"{error}: {line[:100]}")
            return
        if isinstance(response, UncheckedAttach) or not self._is_awaited(response, line):
            self.unexpected.append(f"an answer to nothing asked: {line[:100]}")
            return
        del self._asked[response.bgs_id]
        self._last[response.bgs_id] = line
        if isinstance(response, bgs.EvaluateResponse) and not -1 <= read_object(line)["evaluation"] <= 1:
            raise WrongAnswer(f"evaluation is {read_object(line)['evaluation']}, not from -1 to 1.")
        self._answers[response.bgs_id] = response

    def _is_awaited(self, response: bgs.Response, line: str) -> bool:
        """Whether it answers something. Raises WrongAnswer if it seems to, but names another session.

        As for the server, a repeat of the last answer does not count where another type is awaited.
        """
        request = self._asked.get(response.bgs_id)
        if request is not None:
            is_expected = isinstance(response, bgs.RESPONSE_OF[type(request)])
            return is_expected or self._last.get(response.bgs_id) != line
        for other in self._asked.values() if len(self._asked) == 1 else ():
            if isinstance(response, bgs.RESPONSE_OF[type(other)]):
                raise WrongAnswer(f"It answers for bgsId {response.bgs_id!r} instead of {other.bgs_id!r}.")
        return False

    def _is_meant(self, error: BadFieldsError) -> bool:
        """Whether a message that cannot be read is the answer to something asked."""
        awaited = {bgs.RESPONSE_OF[type(request)] for request in self._asked.values()}
        return error.bgs_id in self._asked or (not error.bgs_id and error.message_type in awaited)


class AskedSession:
    """One session. ``position`` is where the program has to be; a step may tell it other moves."""

    def __init__(self, program: SessionProgram, bot: bgs.BotEntry, start: Position, bgs_id: str) -> None:
        self.program = program
        self.bgs_id = bgs_id
        self.position = start.copy()
        self._bot = bot
        self._start = start.copy()

    @property
    def start_request(self) -> bgs.StartGameSession:
        """The request that starts it."""
        first = self._start
        config = write_config(Setup(first.game, first.variant, first.config, bgs.EvaluationLimits()))
        return bgs.StartGameSession(self.bgs_id, self._bot.bot_id, config)

    async def start(self) -> None:
        """Starts it, or starts it again, at the start of its game."""
        self.position = self._start.copy()
        await self._grant(self.start_request)

    async def apply(self, move: str) -> None:
        """Plays a recorded move."""
        await self._grant(bgs.ApplyMove(self.bgs_id, self.position.ply, move))
        self.position.play(move)

    async def evaluate(self, clock: ClockReading | None = None) -> bgs.EvaluateResponse:
        """Asks about the current position; the answer is legal and in range."""
        request = self.evaluation_request(clock)
        await self.program.send(request)
        return await self.evaluated(request)

    def evaluation_request(self, clock: ClockReading | None = None) -> bgs.EvaluatePosition:
        """The request that asks about the current position."""
        return bgs.EvaluatePosition(self.bgs_id, self.position.ply, clock)

    async def evaluated(self, request: bgs.EvaluatePosition) -> bgs.EvaluateResponse:
        """The answer to a request for an evaluation that was sent."""
        response = await self.program.answer(request)
        self._check(request, response)
        if not isinstance(response, bgs.EvaluateResponse):
            raise TypeError(f"an evaluation ended with {type(response).__name__}")
        try:
            evaluation = evaluation_of(response, self.position.seats)
            check_best_move(evaluation, self.position)
            check_moves(evaluation, self.position)
        except AnswerError as error:
            raise WrongAnswer(f"At ply {self.position.ply}: {error}.") from None
        return response

    async def end(self) -> None:
        """Ends it."""
        await self._grant(bgs.EndGameSession(self.bgs_id))

    async def refuses(self, request: bgs.EvaluatePosition | bgs.ApplyMove, what: str) -> None:
        """Sends a request that must be refused, with the ply at which the session is."""
        response = await self.program.ask(request)
        if response.success:
            raise WrongAnswer(f"It accepts {what}.")
        if not response.error:
            raise WrongAnswer(f"It refuses {what}, but error is empty.")
        if isinstance(response, bgs.EvaluateResponse | bgs.MoveApplied) and response.ply != self.position.ply:
            raise WrongAnswer(
                f"It refuses {what} with ply {response.ply}, but its session is at {self.position.ply}."
            )

    async def _grant(self, request: bgs.Request) -> None:
        self._check(request, await self.program.ask(request))

    def _check(self, request: bgs.Request, response: bgs.Response) -> None:
        """Raises WrongAnswer unless the program has done what was requested."""
        asked, answered = TYPE_NAMES[type(request)], TYPE_NAMES[type(response)]
        if not isinstance(response, bgs.RESPONSE_OF[type(request)]):
            raise WrongAnswer(f"It answers {asked} with {answered}.")
        if not response.success:
            raise Refused(f"It refuses {asked}: {response.error or 'without an error'}.")
        if response.error:
            raise WrongAnswer(f"success is true, but error is {response.error!r}.")
        ply = _ply_after(request)
        if isinstance(response, bgs.EvaluateResponse | bgs.MoveApplied) and response.ply != ply:
            raise WrongAnswer(f"It answers {asked} with ply {response.ply} instead of {ply}.")


def _ply_after(request: bgs.Request) -> int | None:
    match request:
        case bgs.EvaluatePosition(expected_ply=ply):
            return ply
        case bgs.ApplyMove(expected_ply=ply, move=move):
            return ply + is_move(move)
    return None
