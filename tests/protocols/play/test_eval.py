"""The eval socket: golden conversations, members of entries, counts, and misuse by the driver."""

import json
from collections.abc import Sequence

import pytest

from engines import Evaluation
from protocols.jsontext import write
from protocols.play import eval_frames as frames
from protocols.play import eval_session as ev
from protocols.play.eval_history import EvalHistory, Shown
from protocols.session import Close, Effect, Event, LocalError, Log, Send
from protocols.values import Entry, FailureCode, GameLine
from tests.protocols.transcripts import common_words, lines_of, names, replay

EVEN = Evaluation((0.0, 0.0), "---")
BOARD = ev.GameBoard("standard", 8, 8)


class EvalDriver:
    """One viewer; the transcript contains the events of the game."""

    def __init__(self) -> None:
        self._viewer = ev.EvalViewer("Ab3dEf9h", BOARD)
        self._takebacks = 0
        self._entries: list[Entry] = []
        self._shown = Shown()

    def receive(self, frame: str) -> list[str]:
        return [_words(effect) for effect in self._viewer.receive(frame)]

    def tell(self, words: str) -> list[str]:
        order, *rest = words.split()
        return [
            _words(effect) for event in self._events(order, rest) for effect in self._viewer.notify(event)
        ]

    def _events(self, order: str, rest: list[str]) -> Sequence[Event]:
        match order:
            case "accept":
                self._shown = Shown()
                return [ev.Accepted()]
            case "reject":
                return [ev.Rejected(frames.EvalRejectionCode(rest[0]), " ".join(rest[1:]))]
            case "pending":
                return [ev.HistoryPending(int(rest[0]))]
            case "complete":
                self._entries = [_entry(rest[i : i + 3]) for i in range(0, len(rest), 3)]
                return self._news(plies=len(self._entries) - 1)
            case "entry":
                entry = _entry(rest)
                self._entries[entry.ply :] = [entry]
                return self._news(plies=len(self._entries))
            case "void":
                self._takebacks += 1
                self._entries = []
                return self._news(plies=1)
            case "failed":
                return [ev.AnalysisFailed(FailureCode(rest[0]), " ".join(rest[1:]))]
            case _:
                return [ev.EvalViewerGone()]

    def _news(self, plies: int) -> Sequence[Event]:
        """The events for a game of so many plies."""
        line = GameLine((f"after takeback {self._takebacks}",) * plies)
        return self._shown.news(EvalHistory(line).updated(line, self._entries))


def _entry(words: list[str]) -> Entry:
    """An entry from its ply, value and best move; policies may follow as in ``UP/LEFT:[{"UP":1},{"LEFT":1}]``."""
    ply, value, best = words
    move, colon, policies = best.partition(":")
    said = Evaluation((float(value), -float(value)), move, tuple(json.loads(policies)) if colon else None)
    return Entry(int(ply), said)


def _words(effect: Effect) -> str:
    return "= view-requested" if isinstance(effect, ev.ViewRequested) else common_words(effect)


@pytest.mark.parametrize("name", names("eval/*.txt"))
def test_transcripts(name: str) -> None:
    lines = lines_of(name)
    assert replay(EvalDriver(), lines) == lines


def test_entries_contain_values_and_policies() -> None:
    policies = ({"UP": 1.0}, {"LEFT": 1.0})
    entry = Entry(0, Evaluation((0.5, -0.5), "UP/LEFT", policies, samples=1000, source="native"))
    assert write(frames.update_json(entry)) == (
        '{"type":"eval-update","ply":0,"evaluation":0.5,"bestMove":"UP/LEFT","values":[0.5,-0.5],'
        '"policies":[{"UP":1.0},{"LEFT":1.0}],"source":"native","samples":1000}'
    )


def test_entries_contain_what_the_values_are_worth_if_that_is_known() -> None:
    entry = Entry(0, Evaluation((0.5, -0.5), "x", chances=(0.8, 0.2)))
    assert frames.update_json(entry) == {
        "type": "eval-update",
        "ply": 0,
        "evaluation": 0.5,
        "bestMove": "x",
        "chances": (0.8, 0.2),
    }


def test_a_game_without_board_sizes_needs_none() -> None:
    viewer = ev.EvalViewer("g", ev.GameBoard("Base+MLP"))
    handshake = '{"type":"eval-handshake","gameId":"g","variant":"Base+MLP"}'
    assert viewer.receive(handshake) == [ev.ViewRequested()]


def test_an_unknown_game_is_rejected() -> None:
    (sent,) = ev.EvalViewer("g", None).receive('{"type":"eval-handshake","gameId":"g","variant":"x"}')
    assert isinstance(sent, Send)
    assert "GAME_NOT_FOUND" in sent.text


def test_the_hundredth_bad_message_closes_the_viewer() -> None:
    viewer = ev.EvalViewer("g", BOARD)
    logged = [effect for _ in range(99) for effect in viewer.receive("[]")]
    assert logged == [Log(f"bad message {number}: not a JSON object") for number in range(1, 11)]
    assert viewer.receive("{") == [Close(1008, "Too many unexpected messages")]
    assert viewer.receive("{") == []


def accepted() -> ev.EvalViewer:
    viewer = ev.EvalViewer("g", BOARD)
    viewer.receive(
        '{"type":"eval-handshake","gameId":"g","variant":"standard","boardWidth":8,"boardHeight":8}'
    )
    viewer.notify(ev.Accepted())
    return viewer


def test_a_second_handshake_is_a_bad_message() -> None:
    (logged,) = accepted().receive('{"type":"eval-handshake","gameId":"g","variant":"standard"}')
    assert logged == Log("bad message 1: a second handshake")


def test_impossible_events_name_state_and_event() -> None:
    with pytest.raises(LocalError, match=r"Accepted.*ACCEPTED"):
        accepted().notify(ev.Accepted())


# ---- what viewers have been shown ----------------------------------------------------------------


def history(moves: str, entries: int, before: EvalHistory | None = None) -> EvalHistory:
    """The history of a game with so many evaluated positions."""
    line = GameLine(tuple(moves))
    known = [] if before is None else [ready.entry for ready in before.ready]
    known += [Entry(ply, EVEN) for ply in range(len(known), entries)]
    return (before or EvalHistory(line)).updated(line, known[:entries])


def plies(events: Sequence[Event]) -> list[int] | str:
    """The plies of new entries, or how many a whole history has."""
    if events and isinstance(events[0], ev.HistoryComplete):
        return f"history of {len(events[0].entries)}"
    return [event.entry.ply for event in events if isinstance(event, ev.EntryReady)]


@pytest.mark.parametrize(
    ("steps", "last"),
    [
        ([("", 0)], []),
        ([("", 1)], "history of 1"),
        ([("ab", 2)], []),
        ([("a", 2), ("abc", 3)], [2]),
        ([("a", 2), ("abc", 3), ("abc", 4)], [3]),
        ([("a", 2), ("a", 2)], []),
        ([("ab", 3), ("ab", 0), ("abc", 4)], [3]),
        ([("ab", 3), ("a", 2)], "history of 2"),
        ([("ab", 3), ("ac", 2)], []),
        ([("ab", 3), ("ac", 2), ("ac", 3)], "history of 3"),
    ],
)
def test_the_events_to_send_next(steps: list[tuple[str, int]], last: list[int] | str) -> None:
    shown, news = Shown(), list[Event]()
    for moves, entries in steps:
        news = list(shown.news(history(moves, entries)))
    assert plies(news) == last


def test_a_viewer_that_joins_others_gets_the_remaining_entries() -> None:
    others, viewer = Shown(), Shown()
    others.news(history("a", 2))
    viewer.take(others)
    assert not viewer.is_empty
    assert plies(viewer.news(history("abc", 4))) == [2, 3]


def test_shared_entries_are_encoded_once() -> None:
    before = history("a", 2)
    after = history("ab", 3, before)
    assert after.ready[:2] == before.ready
    assert all(new is old for new, old in zip(after.ready, before.ready, strict=False))
    assert before.complete.frame is before.complete.frame


def test_a_history_has_one_entry_for_each_ply_even_if_a_seat_has_left() -> None:
    line = GameLine(("a", "!2", "b"))
    entries = [
        Entry(ply, Evaluation((ply / 10 + index / 100,) * 3)) for index, ply in enumerate((0, 1, 1, 2))
    ]
    early = EvalHistory(GameLine(("a",))).updated(GameLine(("a",)), entries[:2])
    late = early.updated(line, entries)
    assert (late.plies, late.is_complete) == (2, True)
    assert list(late.complete.entries) == [entries[0], entries[2], entries[3]]
    shown = Shown()
    shown.news(early)
    assert plies(shown.news(late)) == [1, 2]
