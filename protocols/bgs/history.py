"""The host's side of one bot game session: keeps an analyst's session and our history up to date with a game.

The caller reports the moves of the game (``set_line``) and the analyst's answers (``answered``, ``failed``,
``timed_out``, ``gone``); a ``HostedBgs`` returns what to do next. It plays the moves to catch up, rolls back by closing
the session and opening it again, and has at most one request outstanding. It knows the values of a finished position
and does not ask the analyst for them. Used by the analysis service, for attached bots and our own pool alike.
"""

import re
from collections.abc import Callable, Sequence
from enum import Enum, auto
from itertools import takewhile
from typing import Any

from engines import MOVES_AHEAD, Evaluation
from protocols.bgs import effects as ef
from protocols.session import Effect, LocalError
from protocols.values import Entry, FailureCode, GameLine, is_move, moves_of, printable_note

# ---- states and events --------------------------------------------------------------------------


class Phase(Enum):
    """The phases of a hosted session. One request is outstanding in all but NEW, RESTING and ENDED."""

    NEW = auto()
    STARTING = auto()
    EVALUATING = auto()
    APPLYING = auto()
    RESTING = auto()
    CLEARING = auto()
    """A close is outstanding; the session is opened again after it."""
    LEAVING = auto()
    """The host wants to end the session; an older request is still outstanding."""
    ENDING = auto()
    """The final close is outstanding."""
    ENDED = auto()


class HostEvent(Enum):
    """The events of a hosted session."""

    START = auto()
    REBUILD = auto()
    SET_LINE = auto()
    ANSWERED = auto()
    FAILED = auto()
    TIMED_OUT = auto()
    GONE = auto()
    END = auto()


def next_id(bgs_id: str) -> str:
    """The id that replaces ``bgs_id``, which has timed out and is never reused: ``g``, ``g~2``, ``g~3``."""
    numbered = re.fullmatch(r"(.+)~(\d+)", bgs_id, re.DOTALL)
    if numbered is None:
        return f"{bgs_id}~2"
    return f"{numbered[1]}~{int(numbered[2]) + 1}"


class HostedBgs:
    """The host's side of one bot game session. Every method returns the effects to carry out, in order."""

    def __init__(self, first: int = 0, *, compares: bool = False, from_last_move: bool = False) -> None:
        """The positions after fewer than ``first`` entries of the line are not evaluated, only played through.

        ``compares``: the analyst is asked to compare the moves of the line with the best ones, and told what follows.
        ``from_last_move``: whenever the session is opened, ``first`` becomes the position before the last move of the
        line; if the line becomes shorter than that, the session is opened again.
        """
        self.first = first
        self._compares = compares
        self._from_last_move = from_last_move
        self._phase = Phase.NEW
        self._line = GameLine()
        self._sent: list[str] = []
        """The moves played in the analyst's current session, including an outstanding one."""
        self._history: list[Entry] = []
        self._outstanding: ef.Request | None = None

    @property
    def phase(self) -> Phase:
        """The phase of the session."""
        return self._phase

    @property
    def history(self) -> tuple[Entry, ...]:
        """The entries so far: one for each position of the line from ``first`` on."""
        return tuple(self._history)

    @property
    def _next_index(self) -> int:
        """The first position of the line without an entry."""
        return self.first + len(self._history)

    @property
    def outstanding(self) -> ef.Request | None:
        """The request that the analyst has not answered yet."""
        return self._outstanding

    @property
    def is_at_end(self) -> bool:
        """Whether the session has reached the last position of the line, or is being asked to play the last move."""
        has_session = self._phase in (Phase.APPLYING, Phase.EVALUATING, Phase.RESTING)
        return has_session and len(self._sent) == len(self._line.moves) and not self._must_roll_back()

    # ---- events -------------------------------------------------------------------------------------

    def start(self) -> list[Effect]:
        """Open the session at an analyst that does not know its id."""
        return self._take(HostEvent.START)

    def rebuild(self) -> list[Effect]:
        """Open the session at an analyst that may still have it from before a restart of the server."""
        return self._take(HostEvent.REBUILD)

    def set_line(self, line: GameLine) -> list[Effect]:
        """The moves of the game are now ``line``; they may have grown, shrunk or changed."""
        return self._take(HostEvent.SET_LINE, line)

    def answered(self, evaluation: Evaluation | None = None) -> list[Effect]:
        """The analyst did what was asked for; ``evaluation`` is its answer to ``EvaluateSession``."""
        return self._take(HostEvent.ANSWERED, evaluation)

    def failed(self, error: ef.AnswerError) -> list[Effect]:
        """The analyst refused the outstanding request, or its answer cannot be used."""
        return self._take(HostEvent.FAILED, error)

    def timed_out(self) -> list[Effect]:
        """The outstanding request was not answered in time.

        A caller whose timers may fire late must first compare ``outstanding`` with the request they were set for.
        """
        return self._take(HostEvent.TIMED_OUT)

    def gone(self) -> list[Effect]:
        """The analyst has disconnected, and its sessions are lost."""
        return self._take(HostEvent.GONE)

    def end(self) -> list[Effect]:
        """The session is no longer needed."""
        return self._take(HostEvent.END)

    def _take(self, happening: HostEvent, payload: object = None) -> list[Effect]:
        step = _TABLE[self._phase].get(happening)
        if step is None:
            raise LocalError(self._phase, happening)
        return step(self, payload)

    # ---- starting and ending --------------------------------------------------------------------

    def _ask(self, phase: Phase, request: ef.Request) -> list[Effect]:
        self._phase = phase
        self._outstanding = request
        return [request]

    def _ask_start(self, _: object) -> list[Effect]:
        self._sent = []
        if self._from_last_move:
            self.first = max(0, len(self._line.moves) - 1)
        return self._ask(Phase.STARTING, ef.OpenSession())

    def _ask_end_first(self, _: object) -> list[Effect]:
        return self._ask(Phase.CLEARING, ef.CloseSession())

    def _ask_end(self, _: object) -> list[Effect]:
        return self._ask(Phase.ENDING, ef.CloseSession())

    def _leave(self, _: object) -> list[Effect]:
        self._phase = Phase.LEAVING
        return []

    def _end_without_restart(self, _: object) -> list[Effect]:
        self._phase = Phase.ENDING
        return []

    def _close(self, _: object) -> list[Effect]:
        self._phase = Phase.ENDED
        self._outstanding = None
        return [ef.Ended()]

    def _ignore(self, _: object) -> list[Effect]:
        return []

    # ---- failures -------------------------------------------------------------------------------

    def _fail(self, reason: str, code: FailureCode = FailureCode.INTERNAL_ERROR) -> list[Effect]:
        """Give up a session that the analyst may still have."""
        return [ef.Failed(printable_note(reason), code), *self._ask_end(None)]

    def _fail_closed(self, reason: str, code: FailureCode) -> list[Effect]:
        """Give up a session that the analyst does not have, or that cannot be closed."""
        return [ef.Failed(printable_note(reason), code), *self._close(None)]

    def _fail_silent(self, _: object) -> list[Effect]:
        return self._fail("the analyst did not answer in time", FailureCode.TIMEOUT)

    def _fail_end_silent(self, _: object) -> list[Effect]:
        return self._fail_closed("the analyst did not answer in time", FailureCode.TIMEOUT)

    def _fail_gone(self, _: object) -> list[Effect]:
        return self._fail_closed("the analyst disconnected", FailureCode.BOT_DISCONNECTED)

    # ---- answers --------------------------------------------------------------------------------

    def _go_on(self, _: object) -> list[Effect]:
        return self._next()

    def _evaluated(self, evaluation: Evaluation) -> list[Effect]:
        if self._must_roll_back():
            return self._next()
        return [self._add(self._sent, evaluation), *self._next()]

    def _not_opened(self, error: ef.AnswerError) -> list[Effect]:
        """Fail. A session that the analyst refused to open need not be closed."""
        fail = self._fail_closed if isinstance(error, ef.RefusalError) else self._fail
        return fail(str(error), FailureCode.INTERNAL_ERROR)

    def _not_done(self, error: ef.AnswerError) -> list[Effect]:
        return self._next() if self._must_roll_back() else self._fail(str(error))

    # ---- moves ----------------------------------------------------------------------------------

    def _note_line(self, line: GameLine) -> list[Effect]:
        """Set the moves while a request is outstanding; entries that they invalidate are cleared at once."""
        self._line = line
        if self._history and self._must_roll_back():
            self._history.clear()
            return [ef.HistoryCleared()]
        return []

    def _follow_line(self, line: GameLine) -> list[Effect]:
        """Set the moves while no request is outstanding."""
        if line == self._line:
            return self._next()
        self._line = line
        cleared: list[Effect] = []
        if self._must_roll_back():
            self._history.clear()
            cleared = [ef.HistoryCleared()]
        elif self._history and self._next_index > len(self._sent) + 1:
            cleared = self._drop_finished_entry()
        return [*cleared, *self._next()]

    def _drop_finished_entry(self) -> list[Effect]:
        del self._history[-1]
        return [ef.HistoryCleared(), *(ef.EntryAdded(entry) for entry in self._history)]

    def _must_roll_back(self) -> bool:
        """Whether playing more moves cannot bring the session to the game's position.

        Either it has played other moves, or entries for earlier positions are missing because the game had other moves
        for a while, or no position of the line would be evaluated.
        """
        sent = len(self._sent)
        left = tuple(self._sent) != self._line.moves[:sent]
        is_short = self._from_last_move and len(self._line.moves) < self.first
        return left or is_short or self._next_index < sent

    @property
    def _asked(self) -> int:
        """How many positions need an evaluation by the analyst: all but a finished one."""
        return len(self._line.moves) + (self._line.final is None)

    def _next(self) -> list[Effect]:
        """Send the next missing request. The session is running and no request is outstanding."""
        self._outstanding = None
        index = len(self._sent)
        if self._must_roll_back():
            return self._ask_end_first(None)
        if self._next_index == index and index < self._asked:
            return self._ask(Phase.EVALUATING, ef.EvaluateSession(self._moves_after(index)))
        if index + 1 < self._asked:
            move = self._line.moves[index]
            self._sent.append(move)
            return self._ask(Phase.APPLYING, ef.AdvanceSession(move))
        return self._rest()

    def _moves_after(self, index: int) -> tuple[str, ...]:
        """The next moves of the line after ``index`` entries, of which the first is to be compared."""
        entries = self._line.moves[index : index + MOVES_AHEAD] if self._compares else ()
        return tuple(takewhile(is_move, entries))

    def _rest(self) -> list[Effect]:
        self._phase = Phase.RESTING
        added: list[Effect] = []
        final = self._line.final
        if final is not None and self._next_index == self._asked:
            added = [self._add(self._line.moves, final)]
        return [*added, ef.AtRest(self.history)]

    def _add(self, line: Sequence[str], evaluation: Evaluation) -> ef.EntryAdded:
        """Add the entry of the position at the end of ``line``."""
        entry = Entry(len(moves_of(line)), evaluation)
        self._history.append(entry)
        return ef.EntryAdded(entry)


# ---- the table ---------------------------------------------------------------------------------

_Step = Callable[[HostedBgs, Any], list[Effect]]
_H = HostedBgs
_P = Phase
_E = HostEvent

_IN_USE: dict[HostEvent, _Step] = {
    _E.SET_LINE: _H._note_line,
    _E.TIMED_OUT: _H._fail_silent,
    _E.GONE: _H._fail_gone,
    _E.END: _H._leave,
}
"""While a request of a session is outstanding."""

# Anything missing here is impossible and raises LocalError.
_TABLE: dict[Phase, dict[HostEvent, _Step]] = {
    _P.NEW: {
        _E.START: _H._ask_start,
        _E.REBUILD: _H._ask_end_first,
        _E.SET_LINE: _H._note_line,
        _E.GONE: _H._fail_gone,
        _E.END: _H._close,
    },
    _P.STARTING: {**_IN_USE, _E.ANSWERED: _H._go_on, _E.FAILED: _H._not_opened},
    _P.EVALUATING: {**_IN_USE, _E.ANSWERED: _H._evaluated, _E.FAILED: _H._not_done},
    _P.APPLYING: {**_IN_USE, _E.ANSWERED: _H._go_on, _E.FAILED: _H._not_done},
    _P.RESTING: {_E.SET_LINE: _H._follow_line, _E.GONE: _H._fail_gone, _E.END: _H._ask_end},
    _P.CLEARING: {
        **_IN_USE,
        _E.ANSWERED: _H._ask_start,
        _E.TIMED_OUT: _H._fail_end_silent,
        _E.END: _H._end_without_restart,
    },
    _P.LEAVING: {
        **dict.fromkeys((_E.ANSWERED, _E.FAILED, _E.TIMED_OUT), _H._ask_end),
        _E.GONE: _H._close,
        _E.END: _H._ignore,
    },
    _P.ENDING: {**dict.fromkeys((_E.ANSWERED, _E.TIMED_OUT, _E.GONE), _H._close), _E.END: _H._ignore},
    _P.ENDED: dict.fromkeys((_E.ANSWERED, _E.FAILED, _E.TIMED_OUT, _E.GONE, _E.END), _H._ignore),
}
