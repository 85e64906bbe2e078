"""Replays a transcript of a protocol: what comes in is read, what comes out is written beside it.

A transcript is right when what was written equals the file. The tiny drivers here are what ``server``
does with a socket or a pipe: they carry every effect out, and write it down.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from engines import games
from protocols.bgs import bot_connection as bc
from protocols.bgs import client as cl
from protocols.bgs import engine as en
from protocols.bgs import history as hi
from protocols.bgs import messages as m
from protocols.bgs.attach import AttachPolicy, RejectionCode
from protocols.bgs.boards import attachable
from protocols.session import Close, Effect, Event, Log, Send

GOLDEN = Path(__file__).parents[1] / "golden"

POLICY = AttachPolicy(
    official_token="open sesame",  # noqa: S106  of the tests only
    games={**attachable(games()), "hive": {"Base": None, "Base+MLP": None}},
)


class Driver(Protocol):
    """Takes a line of a transcript and returns the lines that follow from it."""

    def receive(self, frame: str) -> list[str]:
        """A frame from the peer."""
        ...

    def tell(self, words: str) -> list[str]:
        """An order of the transcript to the driver."""
        ...


def names(pattern: str) -> list[str]:
    """The transcripts whose path below the golden files matches."""
    return sorted(str(path.relative_to(GOLDEN)) for path in GOLDEN.glob(pattern))


def lines_of(name: str) -> list[str]:
    """The lines of a transcript, without remarks and blank ones."""
    text = (GOLDEN / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def replay(driver: Driver, lines: list[str]) -> list[str]:
    """What the conversation comes out as, when ``lines`` say what goes in."""
    out: list[str] = []
    for line in lines:
        if line.startswith("> "):
            out += [line, *driver.receive(line[2:])]
        elif line.startswith("! "):
            out += [line, *driver.tell(line[2:])]
    return out


class ServerDriver:
    """A bot client's connection with hosted sessions behind it."""

    def __init__(self) -> None:
        self._connection = bc.BotConnection(POLICY)
        self._hosted: dict[str, hi.HostedBgs] = {}
        self._current = ""

    def receive(self, frame: str) -> list[str]:
        return self._carry_out(self._connection.receive(frame))

    def tell(self, words: str) -> list[str]:
        order, _, rest = words.partition(" ")
        orders: dict[str, Callable[[str], list[Effect]]] = {
            "accept": self._accept,
            "refuse": self._refuse,
            "dismiss": self._dismiss,
            "disconnected": lambda _: self._connection.notify(bc.Disconnected()),
            "start": self._start,
            "moves": lambda moves: self._hosted[self._current].set_moves(moves.split(), None),
            "finished": self._finished,
            "timeout": self._timeout,
            "end": lambda _: self._hosted[self._current].end(),
        }
        return self._carry_out(orders[order](rest))

    def _accept(self, rest: str) -> list[Effect]:
        name, version, now, *secret = rest.split()
        accepted = bc.AttachAccepted(m.ClientInfo(name, version), int(now), *secret)
        return self._connection.notify(accepted)

    def _refuse(self, rest: str) -> list[Effect]:
        code, _, text = rest.partition(" ")
        return self._connection.notify(bc.AttachRefused(RejectionCode(code), text))

    def _dismiss(self, rest: str) -> list[Effect]:
        code, _, reason = rest.partition(" ")
        return self._connection.notify(bc.Dismissed(int(code), reason))

    def _start(self, rest: str) -> list[Effect]:
        bgs_id, bot_id, config = rest.split(" ", 2)
        self._current = bgs_id
        self._hosted[bgs_id] = hi.HostedBgs(bgs_id, bot_id, json.loads(config))
        return self._hosted[bgs_id].start()

    def _finished(self, rest: str) -> list[Effect]:
        value, *moves = rest.split()
        return self._hosted[self._current].set_moves(moves, float(value))

    def _timeout(self, bgs_id: str) -> list[Effect]:
        effects = self._connection.notify(bc.RequestTimedOut(bgs_id))
        return effects + self._hosted[bgs_id].timed_out()

    def _carry_out(self, effects: list[Effect]) -> list[str]:
        out: list[str] = []
        for effect in effects:
            out += self._carry_out_one(effect)
        return out

    def _carry_out_one(self, effect: Effect) -> list[str]:
        match effect:
            case hi.Request(message):
                return self._carry_out(self._connection.request(message))
            case bc.Answered(response):
                return self._carry_out(self._hosted[response.bgs_id].answered(response))
            case bc.AttachRequested(attach):
                bots = " ".join(bot.bot_id for bot in attach.bots)
                return [f"= attach-requested {attach.client_id} {bots}"]
            case bc.Detached(attach, bgs_ids):
                gone = [self._hosted[bgs_id].gone() for bgs_id in bgs_ids]
                heard = " ".join(["= detached", attach.client_id, *bgs_ids])
                return [heard, *(line for effects in gone for line in self._carry_out(effects))]
            case _:
                return [_hosted_words(effect)]


def _hosted_words(effect: Effect) -> str:
    match effect:
        case hi.EntryAdded(entry):
            return f"= entry {entry.ply} {entry.evaluation} {entry.best_move or '-'}"
        case hi.HistoryCleared():
            return "= cleared"
        case hi.AtRest(entries):
            return f"= at-rest {len(entries)}"
        case hi.Failed(reason, code):
            return f"= failed {code} {reason}"
        case hi.Ended():
            return "= ended"
        case _:
            return common_words(effect)


class EngineDriver:
    """An engine on JSON lines whose searches are the transcript's."""

    def __init__(self, sessions: en.EngineSessions) -> None:
        self._session = en.EngineSession(sessions)

    def receive(self, frame: str) -> list[str]:
        return [_engine_words(effect) for effect in self._session.receive(frame)]

    def tell(self, words: str) -> list[str]:
        order, bgs_id, rest = words.split(" ", 2)
        event: en.Evaluated | en.EvaluationFailed
        if order == "evaluated":
            value, _, move = rest.partition(" ")
            event = en.Evaluated(bgs_id, float(value), move)
        else:
            event = en.EvaluationFailed(bgs_id, rest)
        return [_engine_words(effect) for effect in self._session.notify(event)]


def _engine_words(effect: Effect) -> str:
    match effect:
        case en.SessionOpened(bgs_id, position, limits):
            return f"= opened {bgs_id} ply {position.ply} samples {limits.samples} time {limits.time_ms}"
        case en.Advance(bgs_id, move):
            return f"= advance {bgs_id} {move}"
        case en.Evaluate(bgs_id, limits):
            return f"= evaluate {bgs_id} samples {limits.samples}"
        case en.SessionClosed(bgs_id):
            return f"= closed {bgs_id}"
        case _:
            return common_words(effect)


class ClientDriver:
    """A bot client whose bots are ``bot_ids``; its engines are the transcript's."""

    def __init__(self, bot_ids: Sequence[str]) -> None:
        offer = {"Base": m.VariantOffer()}
        bots = tuple(m.BotEntry(bot_id, "B", None, offer, "hive") for bot_id in bot_ids)
        self._client = cl.BotClient(m.Attach("c1", m.ClientInfo("t", "1"), bots))

    def receive(self, frame: str) -> list[str]:
        return [_client_words(effect) for effect in self._client.receive(frame)]

    def tell(self, words: str) -> list[str]:
        order, _, rest = words.partition(" ")
        bot_id, _, line = rest.partition(" ")
        events: dict[str, Event] = {
            "connected": cl.Connected(),
            "lost": cl.ConnectionLost(),
            "line": cl.EngineLine(bot_id, line),
            "exited": cl.EngineExited(bot_id),
        }
        return [_client_words(effect) for effect in self._client.notify(events[order])]


def _client_words(effect: Effect) -> str:
    match effect:
        case cl.ToEngine(bot_id, line):
            return f"= engine {bot_id} {line}"
        case cl.Attached(attached):
            return f"= attached {attached.server.name} {attached.server.version}"
        case cl.Rejected(rejected):
            return f"= rejected {rejected.code} {rejected.message}"
        case _:
            return common_words(effect)


def common_words(effect: Effect) -> str:
    """How a transcript writes an effect common to all sessions."""
    match effect:
        case Send(text):
            return f"< {text}"
        case Close(code, reason):
            return f"= close {code} {reason}"
        case Log(text):
            return f"= log {text}"
        case _:
            raise AssertionError(f"a transcript has no words for {effect}")
