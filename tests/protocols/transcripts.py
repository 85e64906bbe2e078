"""Replays a transcript of a protocol: what comes in is read, what comes out is written beside it.

A transcript is right when what was written equals the file. The tiny drivers here are what ``server``
does with a socket or a pipe: they carry every effect out, and write it down.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from engines import Evaluation, games
from protocols.bgs import bot_connection as connection
from protocols.bgs import client, engine, history
from protocols.bgs import effects as ef
from protocols.bgs import messages as bgs
from protocols.bgs.answers import evaluation_of, granted
from protocols.bgs.attach import AttachPolicy, RejectionCode
from protocols.bgs.boards import attachable, terms_of
from protocols.session import Close, Effect, Event, Log, Send
from protocols.values import ClockReading, GameLine, VariantOffer

GOLDEN = Path(__file__).parents[1] / "golden"

POLICY = AttachPolicy(
    official_token="open sesame",  # noqa: S106  of the tests only
    games={**attachable(games()), "hive": {"Base": None, "Base+MLP": None}},
    worker_games={game.name: terms_of(game) for game in games()},
)


class Driver(Protocol):
    """Handles a line of a transcript and returns the resulting lines."""

    def receive(self, frame: str) -> list[str]:
        """A frame from the peer."""
        ...

    def tell(self, words: str) -> list[str]:
        """A command of the transcript to the driver."""
        ...


def names(pattern: str) -> list[str]:
    """The transcripts whose path within the golden files matches."""
    return sorted(str(path.relative_to(GOLDEN)) for path in GOLDEN.glob(pattern))


def lines_of(name: str) -> list[str]:
    """The lines of a transcript, without comments and blank ones."""
    text = (GOLDEN / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def parts_of(path: Path) -> list[tuple[str, list[str]]]:
    """The title and the lines of each conversation of a file; first, without a title, what precedes them all."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            parts.append((line.removeprefix("== "), []))
        elif line.startswith(" "):
            parts[-1][1][-1] += " " + line.strip()
        elif line and not line.startswith("#"):
            parts[-1][1].append(line)
    return parts


def replay(driver: Driver, lines: list[str]) -> list[str]:
    """The conversation that results from the input in ``lines``."""
    out: list[str] = []
    for line in lines:
        if line.startswith("> "):
            out += [line, *driver.receive(line[2:])]
        elif line.startswith("! "):
            out += [line, *driver.tell(line[2:])]
    return out


class Game:
    """A hosted session whose requests are written as messages."""

    def __init__(self, bgs_id: str, bot_id: str, config: bgs.JsonObject) -> None:
        self.hosted = history.HostedBgs()
        self.clock: ClockReading | None = None
        """The bot's clock while it is to move."""
        self._bgs_id = bgs_id
        self._bot_id = bot_id
        self._config = config
        self._ply = 0
        self.request: bgs.Request = bgs.EndGameSession(bgs_id)
        """The last one."""

    def write(self, request: ef.Request) -> bgs.Request:
        """The message for a request."""
        match request:
            case ef.OpenSession():
                self._ply = 0
                self.request = bgs.StartGameSession(self._bgs_id, self._bot_id, self._config)
            case ef.AdvanceSession(move):
                self.request = bgs.ApplyMove(self._bgs_id, self._ply, move)
                self._ply += 1
            case ef.EvaluateSession():
                clock = self.clock if self.hosted.is_at_end else None
                self.request = bgs.EvaluatePosition(self._bgs_id, self._ply, clock)
            case ef.CloseSession():
                self.request = bgs.EndGameSession(self._bgs_id)
        return self.request

    def answered(self, message: bgs.Response) -> list[Effect]:
        """The effects of a response."""
        try:
            response = granted(self.request, message, bgs.RESPONSE_OF[type(self.request)])
            evaluation = evaluation_of(response, 2) if isinstance(response, bgs.EvaluateResponse) else None
        except ef.AnswerError as error:
            return self.hosted.failed(error)
        return self.hosted.answered(evaluation)


class ServerDriver:
    """A bot client's connection with hosted sessions behind it."""

    def __init__(self) -> None:
        self._connection = connection.BotConnection(POLICY)
        self._games: dict[str, Game] = {}
        self._current = ""

    def receive(self, frame: str) -> list[str]:
        return self._carry_out(self._connection.receive(frame))

    def tell(self, words: str) -> list[str]:
        order, _, rest = words.partition(" ")
        orders: dict[str, Callable[[str], list[str]]] = {
            "accept": self._accept,
            "refuse": self._refuse,
            "dismiss": self._dismiss,
            "disconnected": lambda _: self._notify(connection.Disconnected()),
            "start": self._start,
            "clock": self._set_clock,
            "moves": lambda moves: self._set_line(GameLine(tuple(moves.split()))),
            "finished": self._finished,
            "timeout": self._timeout,
            "cancel": lambda bgs_id: self._carry_out(self._cancel(bgs_id)),
            "end": lambda _: self._follow(self._current, self._games[self._current].hosted.end()),
        }
        return orders[order](rest)

    def _notify(self, event: Event) -> list[str]:
        return self._carry_out(self._connection.notify(event))

    def _accept(self, rest: str) -> list[str]:
        name, version, now, *secret = rest.split()
        return self._notify(connection.AttachAccepted(bgs.ClientInfo(name, version), int(now), *secret))

    def _refuse(self, rest: str) -> list[str]:
        code, _, text = rest.partition(" ")
        return self._notify(connection.AttachRefused(RejectionCode(code), text))

    def _dismiss(self, rest: str) -> list[str]:
        code, _, reason = rest.partition(" ")
        return self._notify(connection.Dismissed(int(code), reason))

    def _start(self, rest: str) -> list[str]:
        bgs_id, bot_id, config = rest.split(" ", 2)
        self._current = bgs_id
        game = self._games[bgs_id] = Game(bgs_id, bot_id, json.loads(config))
        return self._follow(bgs_id, game.hosted.start())

    def _set_clock(self, rest: str) -> list[str]:
        """The milliseconds left and the increment, or nothing while the bot is not to move."""
        clock = ClockReading(*map(int, rest.split())) if rest else None
        self._games[self._current].clock = clock
        return []

    def _finished(self, rest: str) -> list[str]:
        value, *moves = rest.split()
        return self._set_line(GameLine(tuple(moves), Evaluation((float(value), -float(value)))))

    def _set_line(self, line: GameLine) -> list[str]:
        return self._follow(self._current, self._games[self._current].hosted.set_line(line))

    def _timeout(self, bgs_id: str) -> list[str]:
        noted = self._notify(connection.RequestTimedOut(bgs_id))
        return noted + self._follow(bgs_id, self._games[bgs_id].hosted.timed_out())

    def _cancel(self, bgs_id: str) -> list[Effect]:
        return self._connection.cancel(self._games[bgs_id].request) or []

    def _follow(self, bgs_id: str, effects: list[Effect]) -> list[str]:
        """Carry out the effects of a hosted session."""
        out: list[str] = []
        for effect in effects:
            if isinstance(effect, ef.Request):
                out += self._carry_out(self._connection.request(self._games[bgs_id].write(effect)))
            else:
                out.append(_hosted_words(effect))
        return out

    def _carry_out(self, effects: list[Effect]) -> list[str]:
        """Carry out the effects of the connection."""
        out: list[str] = []
        for effect in effects:
            match effect:
                case connection.Answered(response):
                    out += self._follow(response.bgs_id, self._games[response.bgs_id].answered(response))
                case connection.AttachRequested(attach):
                    bots = " ".join(bot.bot_id for bot in attach.bots)
                    out.append(f"= attach-requested {attach.client_id} {bots}")
                case connection.Detached(attach, bgs_ids):
                    out.append(" ".join(["= detached", attach.client_id, *bgs_ids]))
                    for bgs_id in bgs_ids:
                        out += self._follow(bgs_id, self._games[bgs_id].hosted.gone())
                case _:
                    out.append(common_words(effect))
        return out


def _hosted_words(effect: Effect) -> str:
    match effect:
        case ef.EntryAdded(entry):
            evaluation = entry.evaluation
            policies = "" if evaluation.policies is None else f" {json.dumps(evaluation.policies)}"
            return f"= entry {entry.ply} {evaluation.values[0]} {evaluation.best_move or '-'}{policies}"
        case ef.HistoryCleared():
            return "= cleared"
        case ef.AtRest(entries):
            return f"= at-rest {len(entries)}"
        case ef.Failed(reason, code):
            return f"= failed {code} {reason}"
        case ef.Ended():
            return "= ended"
        case _:
            return common_words(effect)


class EngineDriver:
    """An engine that speaks JSON lines; the transcript contains the results of its searches."""

    def __init__(self, sessions: engine.EngineSessions) -> None:
        self._session = sessions

    def receive(self, frame: str) -> list[str]:
        return [_engine_words(effect) for effect in self._session.receive(frame)]

    def tell(self, words: str) -> list[str]:
        order, bgs_id, rest = words.split(" ", 2)
        events: dict[str, Callable[[], Event]] = {
            "evaluated": lambda: engine.Evaluated(bgs_id, _evaluation(rest)),
            "failed": lambda: engine.EvaluationFailed(bgs_id, rest),
        }
        return [_engine_words(effect) for effect in self._session.notify(events[order]())]


def _evaluation(words: str) -> Evaluation:
    """An evaluation such as ``0.5 UP/LEFT [{"UP":1.0},{"LEFT":1.0}]``; the policies are optional."""
    value, _, rest = words.partition(" ")
    move, bracket, policies = rest.partition(" [")
    given = json.loads(bracket + policies) if bracket else None
    return Evaluation((float(value), -float(value)), move, given and tuple(given))


def _engine_words(effect: Effect) -> str:
    match effect:
        case engine.SessionOpened(bgs_id, position, limits):
            return f"= opened {bgs_id} ply {position.ply} samples {limits.samples} time {limits.time_ms}"
        case engine.Advance(bgs_id, move):
            return f"= advance {bgs_id} {move}"
        case engine.Evaluate(bgs_id, limits, clock):
            left = "" if clock is None else f" clock {clock.remaining_ms} {clock.increment_ms}"
            asked = "" if effect.lines is None else f" lines {effect.lines} priority {effect.priority}"
            return f"= evaluate {bgs_id} samples {limits.samples}{left}{asked}"
        case engine.CancelSearch(bgs_id):
            return f"= cancel {bgs_id}"
        case engine.SessionClosed(bgs_id):
            return f"= closed {bgs_id}"
        case _:
            return common_words(effect)


class ClientDriver:
    """A bot client with the bots ``bot_ids``; the transcript contains the output of its engines."""

    def __init__(self, bot_ids: Sequence[str], *, is_worker: bool = False) -> None:
        offer = {"Base": VariantOffer()}
        bots = tuple(bgs.BotEntry(bot_id, "B", None, offer, "hive") for bot_id in bot_ids)
        sessions = 2 if is_worker else None
        attach = bgs.Attach("c1", bgs.ClientInfo("t", "1"), bots, is_worker=is_worker, sessions=sessions)
        self._client = client.BotClient(attach)
        self._now = 0.0

    def receive(self, frame: str) -> list[str]:
        return [_client_words(effect) for effect in self._client.receive(frame, self._now)]

    def tell(self, words: str) -> list[str]:
        order, _, rest = words.partition(" ")
        bot_id, _, line = rest.partition(" ")
        if order == "wanted":
            return ["= attach again" if self._client.must_attach_again else "= stay"]
        if order == "clock":
            self._now = float(rest)
            return []
        events: dict[str, Event] = {
            "connected": client.Connected(),
            "lost": client.ConnectionLost(),
            "line": client.EngineLine(bot_id, line, self._now),
            "exited": client.EngineExited(bot_id),
            "ready": client.EngineReady(bot_id),
            "overdue": client.EngineOverdue(bot_id),
        }
        return [_client_words(effect) for effect in self._client.notify(events[order])]


def _client_words(effect: Effect) -> str:
    match effect:
        case client.ToEngine(bot_id, line):
            return f"= engine {bot_id} {line}"
        case client.ClientAttached(attached):
            return f"= attached {attached.server.name} {attached.server.version}"
        case client.ClientRejected(rejected):
            return f"= rejected {rejected.code} {rejected.message}"
        case _:
            return common_words(effect)


def common_words(effect: Effect) -> str:
    """The text in a transcript of an effect that all sessions share."""
    match effect:
        case Send(text):
            return f"< {text}"
        case Close(code, reason):
            return f"= close {code} {reason}"
        case Log(text):
            return f"= log {text}"
        case _:
            raise AssertionError(f"a transcript has no words for {effect}")
