"""Letters between processes: written and read again, and what their numbers say."""

import pytest

from server.adapters.letters import Arrivals, Letter, Verdict, read_letter

OWN, NEXT, KNOWN, GAP = Verdict.OWN, Verdict.NEXT, Verdict.KNOWN, Verdict.AFTER_GAP


@pytest.mark.parametrize("letter", [Letter("a", 7, "logs", b"\x00{}"), Letter("a", 0)])
def test_a_letter_is_read_as_it_was_written(letter: Letter) -> None:
    assert read_letter(letter.fields()) == letter


@pytest.mark.parametrize("fields", [{}, {b"p": b"a"}, {b"p": b"a", b"n": b"x"}, {b"p": b"\xff", b"n": b"1"}])
def test_what_is_no_letter_is_refused(fields: dict[bytes, bytes]) -> None:
    with pytest.raises((KeyError, ValueError)):
        read_letter(fields)


def letter(text: str) -> Letter:
    """``a3`` is message 3 of process a, ``a3!`` its greeting after message 3."""
    number = int(text[1:].rstrip("!"))
    return Letter(text[0], number) if text.endswith("!") else Letter(text[0], number, "logs")


@pytest.mark.parametrize(
    ("read", "verdicts"),
    [
        ("a0! a1 a2", [KNOWN, NEXT, NEXT]),
        ("a1 b1 a2 b2", [NEXT, NEXT, NEXT, NEXT]),
        ("a7 a8", [NEXT, NEXT]),  # It was there before us.
        ("a1 a1 a2 a1 a3", [NEXT, KNOWN, NEXT, KNOWN, NEXT]),  # Sent again after a lost answer.
        ("a1 a3 a4", [NEXT, GAP, NEXT]),
        ("a1 a2! a3", [NEXT, GAP, NEXT]),  # Connected again, message 2 is lost.
        ("a1 a1! a2", [NEXT, KNOWN, NEXT]),  # Connected again, nothing is lost.
        ("a4! a5", [GAP, NEXT]),  # Never heard of, and yet it has spoken.
        ("me1 me5", [OWN, OWN]),
    ],
)
def test_numbers_say_what_is_missing(read: str, verdicts: list[Verdict]) -> None:
    arrivals = Arrivals("m")
    texts = [text.replace("me", "m") for text in read.split()]
    assert [arrivals.enter(letter(text)) for text in texts] == verdicts
