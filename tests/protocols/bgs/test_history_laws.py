"""Laws of a hosted session under any order of moves, takebacks, answers, failures, time-outs and disconnects.

The analyst is our engine side over a toy game. Its searches remember: what it says of a position depends
on every evaluation made before in the same session, so a history put together from leftovers would be
found out.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from protocols.bgs import engine as en
from protocols.bgs import history as hi
from protocols.bgs import messages as m
from protocols.session import Effect
from tests.protocols.toy import HeapPosition, NoMoveError, heap_config, open_heap

HEAP = 5


class Searches:
    """Searches of the toy game: the value depends on the whole life of the search."""

    def __init__(self) -> None:
        self._lives: dict[str, list[str]] = {}

    def open(self, bgs_id: str) -> None:
        self._lives[bgs_id] = []

    def advance(self, bgs_id: str, move: str) -> None:
        self._lives[bgs_id].append(move)

    def evaluate(self, bgs_id: str) -> en.Evaluated:
        life = self._lives[bgs_id]
        life.append("evaluated")
        best = str(1 + len(life) % 3)
        return en.Evaluated(bgs_id, (hash_of(life) % 2001 - 1000) / 1000, best)


def hash_of(words: list[str]) -> int:
    """The same number in every process for the same words."""
    total = 7
    for letter in " ".join(words):
        total = (total * 31 + ord(letter)) % 1_000_003
    return total


class Analyst:
    """Answers requests at once, from memory that survives a rollback of the host."""

    def __init__(self) -> None:
        self._sessions = en.EngineSessions(open_heap, NoMoveError)
        self._searches = Searches()

    @property
    def held(self) -> int:
        """How many sessions it holds."""
        return len(self._sessions)

    def answer(self, request: m.Request) -> m.Response:
        effects = self._sessions.request(request)
        answers: list[m.Response] = []
        while effects:
            effect = effects.pop(0)
            match effect:
                case en.SessionOpened(bgs_id=bgs_id):
                    self._searches.open(bgs_id)
                case en.Advance(bgs_id, move):
                    self._searches.advance(bgs_id, move)
                case en.Evaluate(bgs_id=bgs_id):
                    effects += self._sessions.notify(self._searches.evaluate(bgs_id))
                case en.Respond(message):
                    answers.append(message)
        (answer,) = answers
        return answer


def fresh_history(moves: list[str], finished_value: float | None) -> list[hi.Entry]:
    """What a session says that was started, and evaluated at every ply, along ``moves``."""
    analyst = Analyst()
    analyst.answer(m.StartGameSession("fresh", "b", heap_config(HEAP)))
    entries: list[hi.Entry] = []
    for ply in range(len(moves) + 1):
        if ply == len(moves) and finished_value is not None:
            entries.append(hi.Entry(ply, finished_value, ""))
            break
        said = analyst.answer(m.EvaluatePosition("fresh", ply))
        assert isinstance(said, m.EvaluateResponse)
        entries.append(hi.Entry(ply, said.evaluation, said.best_move))
        if ply < len(moves):
            analyst.answer(m.ApplyMove("fresh", ply, moves[ply]))
    return entries


class Healthy(RuleBasedStateMachine):
    """One game with moves and takebacks, whose analyst answers when it likes."""

    def __init__(self) -> None:
        super().__init__()
        self.analyst = Analyst()
        self.game = HeapPosition(HEAP)
        self.used_ids: set[str] = set()
        self.late: list[m.Response] = []
        self.open_session("g")

    def open_session(self, bgs_id: str) -> None:
        assert bgs_id not in self.used_ids
        self.used_ids.add(bgs_id)
        self.hosted = hi.HostedBgs(bgs_id, "b", heap_config(HEAP))
        self.outstanding: m.Request | None = None
        self.shown: list[hi.Entry] = []
        self.rested: tuple[hi.Entry, ...] | None = None
        self.failed = self.leaving = self.refused = self.over = False
        self.carry_out(self.hosted.set_moves(self.game.moves, self.finished_value()))
        self.carry_out(self.hosted.start())

    def finished_value(self) -> float | None:
        outcome = self.game.outcome
        return None if outcome is None else outcome.values[0]

    def carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            assert not self.over, "nothing follows the end"
            match effect:
                case hi.Request(message):
                    assert self.outstanding is None, "never two outstanding"
                    assert self.allowed(message)
                    self.outstanding = message
                case hi.EntryAdded(entry):
                    assert entry.ply == len(self.shown)
                    self.shown.append(entry)
                case hi.HistoryCleared():
                    self.shown = []
                case hi.AtRest(entries):
                    self.rested = entries
                case hi.Failed():
                    self.failed = True
                case hi.Ended():
                    self.over = True

    def allowed(self, message: m.Request) -> bool:
        """A finished position is never sent, and a finishing move neither."""
        finished = self.finished_value() is not None
        match message:
            case m.ApplyMove(expected_ply=ply):
                return not (finished and ply + 1 == self.game.ply)
            case m.EvaluatePosition(expected_ply=ply):
                return not (finished and ply == self.game.ply)
        return True

    def tell_moves(self) -> None:
        self.rested = None
        if not (self.failed or self.leaving or self.over):
            self.carry_out(self.hosted.set_moves(self.game.moves, self.finished_value()))

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

    @rule()
    def settle(self) -> None:
        """A willing analyst brings the session to rest with no more requests than a fresh session takes."""
        for _ in range(2 * self.game.ply + 5):
            if self.outstanding is not None:
                self.answer()
        assert self.outstanding is None

    @invariant()
    def someone_has_to_act(self) -> None:
        """Something is outstanding, or all is said: at rest, or over."""
        assert self.outstanding is self.hosted.outstanding or self.over
        assert self.over or self.outstanding is not None or self.rested is not None

    @invariant()
    def at_rest_the_history_is_that_of_a_fresh_session(self) -> None:
        assert self.over or tuple(self.shown) == self.hosted.history
        if self.rested is not None and not (self.failed or self.leaving):
            expected = fresh_history(self.game.moves, self.finished_value())
            assert len(self.rested) == self.game.ply + 1
            assert list(self.rested) == expected
            assert self.shown == expected


class AnyOrder(Healthy):
    """The same with refusals, time-outs, disconnects and ends; a new session follows one that is over."""

    @precondition(lambda self: self.outstanding is not None)
    @rule(error=st.sampled_from(["", "no"]))
    def refuse(self, error: str) -> None:
        assert self.outstanding is not None
        request, self.outstanding = self.outstanding, None
        self.refused = True
        self.carry_out(self.hosted.answered(m.refusal(request, error)))

    @precondition(lambda self: self.outstanding is not None)
    @rule()
    def time_out(self) -> None:
        assert self.outstanding is not None
        request, self.outstanding = self.outstanding, None
        self.late.append(self.analyst.answer(request))
        self.carry_out(self.hosted.timed_out())

    @precondition(lambda self: self.late)
    @rule()
    def late_answer(self) -> None:
        message = self.late.pop(0)
        if message.bgs_id == self.hosted.bgs_id and not isinstance(message, m.GameSessionEnded):
            before = self.hosted.phase
            assert self.hosted.answered(message) == []
            assert self.hosted.phase is before

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
        assert self.refused or self.analyst.held == 0, "nothing is left behind"
        self.analyst = Analyst()
        self.late.clear()
        self.open_session(hi.next_id(self.hosted.bgs_id))


TestHealthy = Healthy.TestCase
TestHealthy.settings = settings(max_examples=150, stateful_step_count=50)
TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=150, stateful_step_count=50)
