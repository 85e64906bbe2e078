"""Laws of a hosted session under any order of moves, takebacks, answers, failures, time-outs and disconnects.

The analyst plays a toy game. Its searches remember: what it says of a position depends on every evaluation
made before in the same session, so a history put together from leftovers would be found out.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engines import Evaluation
from protocols.bgs import effects as ef
from protocols.bgs import history
from protocols.session import Effect
from protocols.values import Entry, GameLine
from tests.protocols.toy import HeapPosition

HEAP = 5


def hash_of(words: list[str]) -> int:
    """A hash that is the same in every process."""
    total = 7
    for letter in " ".join(words):
        total = (total * 31 + ord(letter)) % 1_000_003
    return total


class Analyst:
    """Answers requests at once, from memory that survives a rollback of the host."""

    def __init__(self) -> None:
        self._life: list[str] | None = None
        self._position = HeapPosition(HEAP)
        self.said: dict[int, Evaluation] = {}
        """What it has said of each position of its session."""

    @property
    def has_session(self) -> bool:
        """Whether its session is open."""
        return self._life is not None

    @property
    def moves(self) -> list[str]:
        """The moves played in its session."""
        return self._position.moves

    def answer(self, request: ef.Request) -> Evaluation | None:
        if isinstance(request, ef.CloseSession):
            self._life = None
            return None
        if isinstance(request, ef.OpenSession):
            assert self._life is None, "a session is opened once"
            self._life, self._position, self.said = [], HeapPosition(HEAP), {}
            return None
        assert self._life is not None, "only an open session is asked"
        if isinstance(request, ef.AdvanceSession):
            self._position.play(request.move)
            self._life.append(request.move)
            return None
        assert self._position.outcome is None, "a finished position is never sent"
        self._life.append("evaluated")
        value = (hash_of(self._life) % 2001 - 1000) / 1000
        said = self.said[self._position.ply] = Evaluation((value, -value), str(1 + len(self._life) % 3))
        return said


def fresh_history(line: GameLine) -> list[Entry]:
    """The history of a session that evaluates every ply along ``line`` in order."""
    analyst = Analyst()
    analyst.answer(ef.OpenSession())
    entries: list[Entry] = []
    for ply in range(len(line.moves) + 1):
        if ply == len(line.moves) and line.final is not None:
            entries.append(Entry(ply, line.final))
            break
        said = analyst.answer(ef.EvaluateSession())
        assert said is not None
        entries.append(Entry(ply, said))
        if ply < len(line.moves) - (line.final is not None):
            analyst.answer(ef.AdvanceSession(line.moves[ply]))
    return entries


class Healthy(RuleBasedStateMachine):
    """One game with moves and takebacks, whose analyst answers at arbitrary times."""

    def __init__(self) -> None:
        super().__init__()
        self.analyst = Analyst()
        self.game = HeapPosition(HEAP)
        self.open_session()

    def hosted_session(self) -> history.HostedBgs:
        return history.HostedBgs()

    def open_session(self) -> None:
        self.hosted = self.hosted_session()
        self.outstanding: ef.Request | None = None
        self.shown: list[Entry] = []
        self.rested: tuple[Entry, ...] | None = None
        self.failed = self.leaving = self.over = False
        self.carry_out(self.hosted.set_line(self.line()))
        self.carry_out(self.hosted.start())

    def line(self) -> GameLine:
        outcome = self.game.outcome
        return GameLine(tuple(self.game.moves), None if outcome is None else Evaluation(outcome.values))

    def carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            assert not self.over, "nothing follows the end"
            match effect:
                case ef.OpenSession() | ef.AdvanceSession() | ef.EvaluateSession() | ef.CloseSession():
                    assert self.outstanding is None, "never two outstanding"
                    self.outstanding = effect
                case ef.EntryAdded(entry):
                    assert entry.ply == self.hosted.first + len(self.shown)
                    self.shown.append(entry)
                case ef.HistoryCleared():
                    self.shown = []
                case ef.AtRest(entries):
                    self.rested = entries
                case ef.Failed():
                    self.failed = True
                case ef.Ended():
                    self.over = True

    def tell_moves(self) -> None:
        self.rested = None
        if not (self.failed or self.leaving or self.over):
            self.carry_out(self.hosted.set_line(self.line()))

    @rule(move=st.sampled_from(["1", "2", "3"]))
    def play(self, move: str) -> None:
        if int(move) <= self.game.heap:
            self.game.play(move)
            self.tell_moves()

    @rule(count=st.integers(0, 4))
    def take_back(self, count: int) -> None:
        kept = self.game.moves[: max(0, self.game.ply - count)]
        self.game = HeapPosition(HEAP)
        self.game.play(*kept)
        self.tell_moves()

    @precondition(lambda self: self.outstanding is not None)
    @rule()
    def answer(self) -> None:
        assert self.outstanding is not None
        request, self.outstanding = self.outstanding, None
        self.carry_out(self.hosted.answered(self.analyst.answer(request)))

    @precondition(lambda self: self.outstanding is not None)
    @rule()
    def last_answers(self) -> None:
        """The last position of an unfinished game is evaluated at the end of the line, and no other one."""
        while isinstance(self.outstanding, ef.EvaluateSession):
            is_last = self.analyst.moves == self.game.moves
            has_history = self.hosted.first + len(self.hosted.history) == len(self.analyst.moves)
            assert self.leaving or self.hosted.is_at_end == (is_last and has_history)
            self.answer()

    @rule()
    def settle(self) -> None:
        """With an analyst that answers, the session comes to rest with no more requests than a fresh session needs."""
        for _ in range(2 * self.game.ply + 5):
            if self.outstanding is not None:
                self.answer()
        assert self.outstanding is None

    @invariant()
    def someone_has_to_act(self) -> None:
        """A request is outstanding, or the session rests or has ended."""
        assert self.outstanding is self.hosted.outstanding or self.over
        assert self.over or self.outstanding is not None or self.rested is not None

    @invariant()
    def at_the_end_of_the_line_the_last_position_is_evaluated(self) -> None:
        if self.hosted.is_at_end and isinstance(self.outstanding, ef.EvaluateSession):
            assert self.analyst.moves == self.game.moves

    @invariant()
    def at_rest_the_history_is_that_of_a_fresh_session(self) -> None:
        assert self.over or tuple(self.shown) == self.hosted.history
        if self.rested is not None and not (self.failed or self.leaving):
            expected = fresh_history(self.line())
            assert len(self.rested) == self.game.ply + 1
            assert list(self.rested) == expected
            assert self.shown == expected


class AnyOrder(Healthy):
    """The same with refusals, time-outs, disconnects and ends; a session that has ended is followed by a new one."""

    @precondition(lambda self: self.outstanding is not None)
    @rule(error=st.sampled_from([ef.RefusalError("no"), ef.AnswerError("what?")]))
    def fail(self, error: ef.AnswerError) -> None:
        assert self.outstanding is not None
        request, self.outstanding = self.outstanding, None
        if not isinstance(request, ef.CloseSession):  # which is granted in any case
            self.carry_out(self.hosted.failed(error))
        else:
            self.carry_out(self.hosted.answered(self.analyst.answer(request)))

    @precondition(lambda self: self.outstanding is not None)
    @rule()
    def time_out(self) -> None:
        assert self.outstanding is not None
        request, self.outstanding = self.outstanding, None
        self.analyst.answer(request)
        self.carry_out(self.hosted.timed_out())

    @rule()
    def disconnect(self) -> None:
        self.outstanding = None
        self.analyst = Analyst()
        self.carry_out(self.hosted.gone())
        assert self.over

    @rule()
    def end(self) -> None:
        self.leaving = True
        self.carry_out(self.hosted.end())

    @precondition(lambda self: self.over)
    @rule()
    def open_next(self) -> None:
        assert not self.analyst.has_session, "nothing is left behind"
        self.open_session()


class FromLastMove(AnyOrder):
    """The same where only the last move matters, and what follows."""

    def hosted_session(self) -> history.HostedBgs:
        self.fewest = 0
        """The fewest moves that the game has had since the session was opened."""
        return history.HostedBgs(from_last_move=True)

    def carry_out(self, effects: list[Effect]) -> None:
        super().carry_out(effects)
        if ef.OpenSession() in effects:
            self.fewest = self.game.ply
        if isinstance(self.outstanding, ef.EvaluateSession):
            assert len(self.analyst.moves) >= self.fewest - 1, "nothing earlier is evaluated"

    def tell_moves(self) -> None:
        self.fewest = min(self.fewest, self.game.ply)
        super().tell_moves()

    @rule()
    def open_another(self) -> None:
        self.analyst = Analyst()
        self.open_session()

    @invariant()
    def at_rest_the_history_is_that_of_a_fresh_session(self) -> None:
        """It has the last positions, with what was said of them."""
        assert self.over or tuple(self.shown) == self.hosted.history
        if self.rested is not None and not (self.failed or self.leaving):
            assert list(self.rested) == self.shown
            assert [entry.ply for entry in self.shown] == list(range(self.hosted.first, self.game.ply + 1))
            assert self.shown
            final = self.line().final
            known = self.analyst.said if final is None else {**self.analyst.said, self.game.ply: final}
            assert [entry.evaluation for entry in self.shown] == [known[entry.ply] for entry in self.shown]


TestHealthy = Healthy.TestCase
TestHealthy.settings = settings(stateful_step_count=50)
TestFromLastMove = FromLastMove.TestCase
TestFromLastMove.settings = settings(stateful_step_count=50)
TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(stateful_step_count=50)
