"""The host's side of one bot game session: keeps an analyst's session and our history at the moves of a game.

A ``HostedBgs`` is told what the game is (``set_moves``) and what the analyst said (``answered``,
``timed_out``, ``gone``), and returns what to do next. It replays to catch up, rolls back by ending the
session and starting it again under the same id, and never has more than one request outstanding. A
finished position is never sent to the analyst: the host knows its value. Who calls it: the analysis
service, for attached bots and our own pool alike.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from protocols.bgs import messages as m
from protocols.bgs.effects import (
    AtRest,
    Ended,
    Entry,
    EntryAdded,
    Failed,
    FailureCode,
    HistoryCleared,
    Request,
)
from protocols.session import Effect, LocalError

__all__ = [
    "AtRest",
    "Ended",
    "Entry",
    "EntryAdded",
    "Failed",
    "FailureCode",
    "Happening",
    "HistoryCleared",
    "HostedBgs",
    "Phase",
    "Request",
    "next_id",
]

# ---- states and events --------------------------------------------------------------------------


class Phase(Enum):
    """Where a hosted session stands. Except in NEW, RESTING and ENDED one request is outstanding."""

    NEW = auto()
    STARTING = auto()
    EVALUATING = auto()
    APPLYING = auto()
    RESTING = auto()
    CLEARING = auto()
    """An end is outstanding; the session starts again after it."""
    LEAVING = auto()
    """The host wants the end, an older request is outstanding."""
    ENDING = auto()
    """The last end is outstanding."""
    ENDED = auto()


class Happening(Enum):
    """What a hosted session can be told."""

    START = auto()
    REBUILD = auto()
    SET_MOVES = auto()
    ANSWERED = auto()
    TIMED_OUT = auto()
    GONE = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class _Goal:
    """The game as it stands: its moves, and seat 0's value of the last position if the game ended there."""

    moves: tuple[str, ...] = ()
    finished_value: float | None = None

    @property
    def asked(self) -> int:
        """How many positions the analyst has to evaluate: all, but for a finished one."""
        return len(self.moves) + (self.finished_value is None)


def next_id(bgs_id: str) -> str:
    """The id after ``bgs_id``, which timed out and is never used again: ``g``, ``g~2``, ``g~3``."""
    numbered = re.fullmatch(r"(.+)~(\d+)", bgs_id, re.DOTALL)
    if numbered is None:
        return f"{bgs_id}~2"
    return f"{numbered[1]}~{int(numbered[2]) + 1}"


class HostedBgs:
    """One bot game session, seen from the host. Every method returns the effects to carry out, in order."""

    def __init__(self, bgs_id: str, bot_id: str, config: m.JsonObject, first_ply: int = 0) -> None:
        """Positions before ``first_ply`` are not evaluated: the analyst only applies the moves up to there."""
        self.bgs_id = bgs_id
        self.bot_id = bot_id
        self.config = config
        self.first_ply = first_ply
        self._phase = Phase.NEW
        self._goal = _Goal()
        self._sent: list[str] = []
        """Moves sent to the session now running, the one outstanding included."""
        self._history: list[Entry] = []
        self._outstanding: m.Request | None = None

    @property
    def phase(self) -> Phase:
        """Where the session stands."""
        return self._phase

    @property
    def history(self) -> tuple[Entry, ...]:
        """The entries so far, from ``first_ply``."""
        return tuple(self._history)

    @property
    def _next_ply(self) -> int:
        """The first ply that the history has no entry for yet."""
        return self.first_ply + len(self._history)

    @property
    def outstanding(self) -> m.Request | None:
        """The request that the analyst has not answered yet."""
        return self._outstanding

    # ---- what the host is told ------------------------------------------------------------------

    def start(self) -> list[Effect]:
        """Start the session with an analyst who does not know its id."""
        return self._take(Happening.START)

    def rebuild(self) -> list[Effect]:
        """Start the session with an analyst who may still hold it from before a restart of ours."""
        return self._take(Happening.REBUILD)

    def set_moves(self, moves: Sequence[str], finished_value: float | None) -> list[Effect]:
        """The game's moves are now ``moves``, whether more, fewer or others than before.

        ``finished_value`` is seat 0's value (+1, 0 or -1) if the last move finished the game by its rules.
        """
        return self._take(Happening.SET_MOVES, _Goal(tuple(moves), finished_value))

    def answered(self, message: m.Response) -> list[Effect]:
        """The analyst answered with ``message``."""
        return self._take(Happening.ANSWERED, message)

    def timed_out(self) -> list[Effect]:
        """The outstanding request was not answered in time.

        A caller whose timers can fire late compares the request they were set for with ``outstanding`` first.
        """
        return self._take(Happening.TIMED_OUT)

    def gone(self) -> list[Effect]:
        """The analyst has disconnected, and its sessions with it."""
        return self._take(Happening.GONE)

    def end(self) -> list[Effect]:
        """The session is not needed any more."""
        return self._take(Happening.END)

    def _take(self, happening: Happening, payload: object = None) -> list[Effect]:
        step = _TABLE.get((self._phase, happening))
        if step is None:
            raise LocalError(self._phase, happening)
        return step(self, payload)

    # ---- starting and ending --------------------------------------------------------------------

    def _ask(self, phase: Phase, request: m.Request) -> list[Effect]:
        self._phase = phase
        self._outstanding = request
        return [Request(request)]

    def _ask_start(self, _: object) -> list[Effect]:
        self._sent = []
        return self._ask(Phase.STARTING, m.StartGameSession(self.bgs_id, self.bot_id, self.config))

    def _ask_end_first(self, _: object) -> list[Effect]:
        return self._ask(Phase.CLEARING, m.EndGameSession(self.bgs_id))

    def _ask_end(self, _: object) -> list[Effect]:
        return self._ask(Phase.ENDING, m.EndGameSession(self.bgs_id))

    def _leave(self, _: object) -> list[Effect]:
        self._phase = Phase.LEAVING
        return []

    def _end_without_restart(self, _: object) -> list[Effect]:
        self._phase = Phase.ENDING
        return []

    def _close(self, _: object) -> list[Effect]:
        self._phase = Phase.ENDED
        self._outstanding = None
        return [Ended()]

    def _ignore(self, _: object) -> list[Effect]:
        return []

    # ---- failures -------------------------------------------------------------------------------

    def _fail(self, reason: str, code: FailureCode = FailureCode.INTERNAL_ERROR) -> list[Effect]:
        """Give up a session that the analyst may still hold."""
        return [Failed(reason, code), *self._ask_end(None)]

    def _fail_closed(self, reason: str, code: FailureCode) -> list[Effect]:
        """Give up a session that the analyst does not hold, or that cannot be ended."""
        return [Failed(reason, code), *self._close(None)]

    def _fail_silent(self, _: object) -> list[Effect]:
        return self._fail("the analyst did not answer in time", FailureCode.TIMEOUT)

    def _fail_end_silent(self, _: object) -> list[Effect]:
        return self._fail_closed("the analyst did not answer in time", FailureCode.TIMEOUT)

    def _fail_gone(self, _: object) -> list[Effect]:
        return self._fail_closed("the analyst disconnected", FailureCode.BOT_DISCONNECTED)

    # ---- answers --------------------------------------------------------------------------------

    def _started(self, message: m.Response) -> list[Effect]:
        if not isinstance(message, m.GameSessionStarted):
            return self._fail(self._mistyped(message))
        if not message.success:
            return self._fail_closed(_refusal_text(message), FailureCode.INTERNAL_ERROR)
        return self._next()

    def _evaluated(self, message: m.Response) -> list[Effect]:
        if self._must_roll_back():
            return self._next()
        if not isinstance(message, m.EvaluateResponse):
            return self._fail(self._mistyped(message))
        trouble = self._trouble(message)
        if trouble is not None:
            return self._fail(trouble)
        return [self._add(_entry(message)), *self._next()]

    def _applied(self, message: m.Response) -> list[Effect]:
        if self._must_roll_back():
            return self._next()
        if not isinstance(message, m.MoveApplied):
            return self._fail(self._mistyped(message))
        trouble = self._trouble(message)
        if trouble is not None:
            return self._fail(trouble)
        return self._next()

    def _cleared(self, message: m.Response) -> list[Effect]:
        """Restart after an end, refused or not: an analyst who refuses it does not hold the session."""
        return self._ask_start(None) if isinstance(message, m.GameSessionEnded) else []

    def _ended(self, message: m.Response) -> list[Effect]:
        """Close on the answer to the end; anything else is a late answer to something older.

        A late answer may even come from before a restart of ours, so ``_cleared`` takes it the same way.
        """
        return self._close(None) if isinstance(message, m.GameSessionEnded) else []

    def _mistyped(self, message: m.Response) -> str:
        return f"{type(message).__name__} does not answer {type(self._outstanding).__name__}"

    def _trouble(self, message: m.EvaluateResponse | m.MoveApplied) -> str | None:
        """Why an answer about the session's position cannot be used; never reads the ply of a refusal."""
        if not message.success:
            return _refusal_text(message)
        if message.ply != len(self._sent):
            return f"the analyst is at ply {message.ply} instead of {len(self._sent)}"
        return None

    # ---- moves ----------------------------------------------------------------------------------

    def _note_moves(self, goal: _Goal) -> list[Effect]:
        """Take the new moves while something is outstanding; what they void is void at once."""
        self._goal = goal
        if self._history and self._must_roll_back():
            self._history.clear()
            return [HistoryCleared()]
        return []

    def _follow_moves(self, goal: _Goal) -> list[Effect]:
        """Take the new moves while nothing is outstanding."""
        if goal == self._goal:
            return self._next()
        self._goal = goal
        cleared: list[Effect] = []
        if self._must_roll_back():
            self._history.clear()
            cleared = [HistoryCleared()]
        elif self._history and self._next_ply > len(self._sent) + 1:
            cleared = self._drop_finished_entry()
        return [*cleared, *self._next()]

    def _drop_finished_entry(self) -> list[Effect]:
        del self._history[-1]
        return [HistoryCleared(), *(EntryAdded(entry) for entry in self._history)]

    def _must_roll_back(self) -> bool:
        """Whether the session cannot be brought to the game's moves by applying more of them.

        It has left them, or entries before its position are missing because it had left them for a while.
        """
        sent = len(self._sent)
        left = tuple(self._sent) != self._goal.moves[:sent]
        return left or self._next_ply < sent

    def _next(self) -> list[Effect]:
        """Ask for whatever is missing; nothing is outstanding and the session is running."""
        self._outstanding = None
        ply = len(self._sent)
        if self._must_roll_back():
            return self._ask_end_first(None)
        if self._next_ply == ply and ply < self._goal.asked:
            return self._ask(Phase.EVALUATING, m.EvaluatePosition(self.bgs_id, ply))
        if ply + 1 < self._goal.asked:
            move = self._goal.moves[ply]
            self._sent.append(move)
            return self._ask(Phase.APPLYING, m.ApplyMove(self.bgs_id, ply, move))
        return self._rest()

    def _rest(self) -> list[Effect]:
        self._phase = Phase.RESTING
        added: list[Effect] = []
        if self._goal.finished_value is not None and self._next_ply == self._goal.asked:
            added = [self._add(Entry(len(self._goal.moves), self._goal.finished_value, ""))]
        return [*added, AtRest(self.history)]

    def _add(self, entry: Entry) -> EntryAdded:
        self._history.append(entry)
        return EntryAdded(entry)


def _entry(message: m.EvaluateResponse) -> Entry:
    return Entry(
        message.ply,
        message.evaluation,
        message.best_move,
        message.values,
        message.policies,
        message.source,
        message.samples,
    )


def _refusal_text(message: m.Response) -> str:
    return message.error or "the analyst refused without a reason"


# ---- the table ---------------------------------------------------------------------------------

_Step = Callable[[HostedBgs, Any], list[Effect]]
_H = HostedBgs
_P = Phase
_E = Happening

# What is missing here is impossible: the caller is told so by a LocalError.
_TABLE: dict[tuple[Phase, Happening], _Step] = {
    (_P.NEW, _E.START): _H._ask_start,
    (_P.NEW, _E.REBUILD): _H._ask_end_first,
    (_P.NEW, _E.SET_MOVES): _H._note_moves,
    (_P.NEW, _E.GONE): _H._fail_gone,
    (_P.NEW, _E.END): _H._close,
    (_P.STARTING, _E.SET_MOVES): _H._note_moves,
    (_P.STARTING, _E.ANSWERED): _H._started,
    (_P.STARTING, _E.TIMED_OUT): _H._fail_silent,
    (_P.STARTING, _E.GONE): _H._fail_gone,
    (_P.STARTING, _E.END): _H._leave,
    (_P.EVALUATING, _E.SET_MOVES): _H._note_moves,
    (_P.EVALUATING, _E.ANSWERED): _H._evaluated,
    (_P.EVALUATING, _E.TIMED_OUT): _H._fail_silent,
    (_P.EVALUATING, _E.GONE): _H._fail_gone,
    (_P.EVALUATING, _E.END): _H._leave,
    (_P.APPLYING, _E.SET_MOVES): _H._note_moves,
    (_P.APPLYING, _E.ANSWERED): _H._applied,
    (_P.APPLYING, _E.TIMED_OUT): _H._fail_silent,
    (_P.APPLYING, _E.GONE): _H._fail_gone,
    (_P.APPLYING, _E.END): _H._leave,
    (_P.RESTING, _E.SET_MOVES): _H._follow_moves,
    (_P.RESTING, _E.GONE): _H._fail_gone,
    (_P.RESTING, _E.END): _H._ask_end,
    (_P.CLEARING, _E.SET_MOVES): _H._note_moves,
    (_P.CLEARING, _E.ANSWERED): _H._cleared,
    (_P.CLEARING, _E.TIMED_OUT): _H._fail_end_silent,
    (_P.CLEARING, _E.GONE): _H._fail_gone,
    (_P.CLEARING, _E.END): _H._end_without_restart,
    (_P.LEAVING, _E.ANSWERED): _H._ask_end,
    (_P.LEAVING, _E.TIMED_OUT): _H._ask_end,
    (_P.LEAVING, _E.GONE): _H._close,
    (_P.LEAVING, _E.END): _H._ignore,
    (_P.ENDING, _E.ANSWERED): _H._ended,
    (_P.ENDING, _E.TIMED_OUT): _H._close,
    (_P.ENDING, _E.GONE): _H._close,
    (_P.ENDING, _E.END): _H._ignore,
    (_P.ENDED, _E.ANSWERED): _H._ignore,
    (_P.ENDED, _E.TIMED_OUT): _H._ignore,
    (_P.ENDED, _E.GONE): _H._ignore,
    (_P.ENDED, _E.END): _H._ignore,
}
