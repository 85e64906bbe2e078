"""The eval socket: golden conversations, what entries carry, counts, and misuse by the driver."""

import pytest

from protocols.bgs.effects import Entry
from protocols.play import eval as ev
from protocols.play import eval_frames as f
from protocols.session import Close, Effect, Event, LocalError, Log, Send
from tests.protocols.transcripts import common_words, lines_of, names, replay

BOARD = ev.GameBoard("standard", 8, 8)


class EvalDriver:
    """One viewer; what is known of the game is the transcript's."""

    def __init__(self) -> None:
        self._viewer = ev.EvalViewer("Ab3dEf9h", BOARD)

    def receive(self, frame: str) -> list[str]:
        return [_words(effect) for effect in self._viewer.receive(frame)]

    def tell(self, words: str) -> list[str]:
        order, *rest = words.split()
        return [_words(effect) for effect in self._viewer.notify(_event(order, rest))]


def _event(order: str, rest: list[str]) -> Event:
    match order:
        case "accept":
            return ev.Accepted()
        case "reject":
            return ev.Rejected(f.RejectionCode(rest[0]), " ".join(rest[1:]))
        case "pending":
            return ev.HistoryPending(int(rest[0]))
        case "complete":
            return ev.HistoryComplete(tuple(_entry(rest[i : i + 3]) for i in range(0, len(rest), 3)))
        case "entry":
            return ev.EntryReady(_entry(rest))
        case "void":
            return ev.HistoryVoid()
        case "failed":
            return ev.AnalysisFailed(f.ErrorCode(rest[0]), " ".join(rest[1:]))
        case _:
            return ev.ViewerGone()


def _entry(words: list[str]) -> Entry:
    return Entry(int(words[0]), float(words[1]), words[2])


def _words(effect: Effect) -> str:
    return "= view-requested" if isinstance(effect, ev.ViewRequested) else common_words(effect)


@pytest.mark.parametrize("name", names("eval/*.txt"))
def test_transcripts(name: str) -> None:
    lines = lines_of(name)
    assert replay(EvalDriver(), lines) == lines


def test_entries_carry_what_is_known() -> None:
    entry = Entry(0, 0.5, "UP/LEFT", (0.5, -0.5), ({"UP": 1.0}, {"LEFT": 1.0}), "native", 1000)
    assert f.encode(f.EvalUpdate(entry)) == (
        '{"type":"eval-update","ply":0,"evaluation":0.5,"bestMove":"UP/LEFT","values":[0.5,-0.5],'
        '"policies":[{"UP":1.0},{"LEFT":1.0}],"source":"native","samples":1000}'
    )


def test_a_game_without_board_sizes_needs_none() -> None:
    viewer = ev.EvalViewer("g", ev.GameBoard("Base+MLP"))
    handshake = '{"type":"eval-handshake","gameId":"g","variant":"Base+MLP"}'
    assert viewer.receive(handshake) == [ev.ViewRequested()]


def test_no_such_game() -> None:
    (sent,) = ev.EvalViewer("g", None).receive('{"type":"eval-handshake","gameId":"g","variant":"x"}')
    assert isinstance(sent, Send)
    assert "GAME_NOT_FOUND" in sent.text


def test_the_hundredth_bad_message_closes() -> None:
    viewer = ev.EvalViewer("g", BOARD)
    logged = [effect for _ in range(99) for effect in viewer.receive_binary()]
    assert logged == [Log(f"bad message {number}: a binary frame") for number in range(1, 11)]
    assert viewer.receive("{") == [Close(1008, "Too many unexpected messages")]
    assert viewer.receive_binary() == []
    assert viewer.state is ev.ViewerState.CLOSED


def live() -> ev.EvalViewer:
    viewer = ev.EvalViewer("g", BOARD)
    viewer.receive(
        '{"type":"eval-handshake","gameId":"g","variant":"standard","boardWidth":8,"boardHeight":8}'
    )
    viewer.notify(ev.Accepted())
    viewer.notify(ev.HistoryComplete((Entry(0, 0.0, "---"),)))
    return viewer


def test_a_second_handshake_is_a_bad_message() -> None:
    (logged,) = live().receive('{"type":"eval-handshake","gameId":"g","variant":"standard"}')
    assert logged == Log("bad message 1: a second handshake")


@pytest.mark.parametrize("event", [ev.Accepted(), ev.EntryReady(Entry(2, 0.0, "---"))])
def test_impossible_events_name_state_and_event(event: Event) -> None:
    with pytest.raises(LocalError, match=f"{type(event).__name__}.*LIVE"):
        live().notify(event)


def test_who_was_shown_entries_with_others_is_sent_the_rest() -> None:
    viewer = live()
    assert viewer.notify(ev.HistoryShown(2)) == []
    entries = tuple(Entry(ply, 0.0, "---") for ply in range(4))
    sent = [effect.text for effect in viewer.notify(ev.HistoryComplete(entries)) if isinstance(effect, Send)]
    assert ['"ply":2' in sent[0], '"ply":3' in sent[1]] == [True, True]


def test_who_was_shown_nothing_that_holds_is_sent_a_history() -> None:
    viewer = live()
    viewer.notify(ev.HistoryShown(0))
    complete = ev.HistoryComplete((Entry(0, 0.0, "---"),))
    assert viewer.notify(complete) == [complete.frame]
