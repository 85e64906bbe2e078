"""Messages between processes: encoding, decoding, and gaps in their numbers."""

import pytest

from server.bus.message import BusMessage, MessageStatus, SequenceNumbers, read_bus_message

OWN, NEXT, KNOWN, GAP = MessageStatus.OWN, MessageStatus.NEXT, MessageStatus.KNOWN, MessageStatus.AFTER_GAP
UNNUMBERED, SILENCE = MessageStatus.UNNUMBERED, MessageStatus.AFTER_SILENCE


@pytest.mark.parametrize("message", [BusMessage("a", 7, "logs", b"\x00{}"), BusMessage("a", 0)])
def test_a_message_is_read_as_it_was_written(message: BusMessage) -> None:
    assert read_bus_message(message.fields()) == message


@pytest.mark.parametrize("fields", [{}, {b"p": b"a"}, {b"p": b"a", b"n": b"x"}, {b"p": b"\xff", b"n": b"1"}])
def test_what_is_no_message_is_refused(fields: dict[bytes, bytes]) -> None:
    with pytest.raises((KeyError, ValueError)):
        read_bus_message(fields)


def message(text: str) -> BusMessage:
    """``a3`` is message 3 of process a, ``a3!`` its greeting after message 3, ``a`` one without a number."""
    if len(text) == 1:
        return BusMessage(text, None, "log:g")
    number = int(text[1:].rstrip("!"))
    return BusMessage(text[0], number) if text.endswith("!") else BusMessage(text[0], number, "logs")


@pytest.mark.parametrize(
    ("read", "statuses"),
    [
        ("a0! a1 a2", [KNOWN, NEXT, NEXT]),
        ("a1 b1 a2 b2", [NEXT, NEXT, NEXT, NEXT]),
        ("a7 a8", [NEXT, NEXT]),  # It started before this process.
        ("a1 a1 a2 a1 a3", [NEXT, KNOWN, NEXT, KNOWN, NEXT]),  # Sent again after a lost answer.
        ("a1 a3 a4", [NEXT, GAP, NEXT]),
        ("a1 a2! a3", [NEXT, GAP, NEXT]),  # Reconnected; message 2 is lost.
        ("a1 a1! a2", [NEXT, KNOWN, NEXT]),  # Reconnected; nothing is lost.
        ("a4! a5", [SILENCE, NEXT]),  # Unknown, but it has already sent messages, or was alone.
        ("a1 a a2 a b a3", [NEXT, UNNUMBERED, NEXT, UNNUMBERED, UNNUMBERED, NEXT]),
        ("me1 me5 me", [OWN, OWN, OWN]),
    ],
)
def test_numbers_reveal_missing_messages(read: str, statuses: list[MessageStatus]) -> None:
    numbers = SequenceNumbers("m")
    texts = [text.replace("me", "m") for text in read.split()]
    assert [numbers.enter(message(text)) for text in texts] == statuses


def test_after_a_known_gap_any_number_is_next() -> None:
    numbers = SequenceNumbers("m")
    numbers.enter(message("a3"))
    numbers.enter(message("b3"))
    numbers.skip()
    read = [numbers.enter(message(text)) for text in ("a7", "a9", "b5!", "b6")]
    assert read == [NEXT, GAP, KNOWN, NEXT]
