"""Opening books: their answers, and the errors of bad ones."""

from pathlib import Path

import pytest

from engines import Position
from engines.book import BadBook, Book, read_book

BOARD = {"boardWidth": 5, "boardHeight": 5}


def at(*moves: str) -> Position:
    position = Position("wallwars", "standard", BOARD)
    position.play(*moves)
    return position


def test_every_move_of_a_line_is_a_candidate_before_it() -> None:
    book = Book(["wallwars standard 5x5 | Cb4 Cd4 Cc3 | 1 0.5"])
    assert len(book) == 3
    for moves, wanted in [((), "Cb4"), (("Cb4",), "Cd4"), (("Cb4", "Cd4"), "Cc3")]:
        hit = book.find(at(*moves))
        assert hit is not None
        assert (hit.move, hit.value) == (wanted, 0.5)
    assert book.find(at("Cb4", "Cd4", "Cc3")) is None


def test_the_heaviest_candidate_is_played_and_values_are_weighted() -> None:
    book = Book(
        [
            "# two lines that share their first move",
            "",
            "wallwars standard 5x5 | Ca3 | 2 1  # alone",
            "wallwars standard 5x5 | Cb4 Cd4 | 1 0",
            "wallwars standard 5x5 | Cb4 Ce3 | 1.5 -1",
        ]
    )
    hit = book.find(at())
    assert hit is not None
    assert hit.move == "Cb4"
    assert hit.value == pytest.approx((2 * 1 + 1 * 0 + 1.5 * -1) / 4.5)


def test_a_transposition_is_found() -> None:
    book = Book(["wallwars standard 5x5 | ^a2 ^e2 ^b2 | 1", "wallwars standard 5x5 | ^b2 ^e2 ^a2 Ce4 | 3"])
    hit = book.find(at("^a2", "^e2", "^b2"))
    assert hit is not None
    assert hit.move == "Ce4"


def test_moves_are_kept_in_canonical_form() -> None:
    hit = Book(["wallwars standard 5x5 | Cb5.Cb4 | 1"]).find(at())
    assert hit is not None
    assert hit.move == "Cb4"


def test_another_board_or_variant_is_not_found() -> None:
    book = Book(["wallwars standard 5x5 | Cb4 | 1"])
    assert book.find(Position("wallwars", "standard", {"boardWidth": 6, "boardHeight": 5})) is None
    assert book.find(Position("wallwars", "classic", BOARD)) is None


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("wallwars standard 5x5 | Cb4", "a row is"),
        ("wallwars standard | Cb4 | 1", "a row is"),
        ("wallwars standard 5x5 | | 1", "a row is"),
        ("wallwars standard five | Cb4 | 1", "'five'"),
        ("wallwars standard 5x5 | Cb4 | 0", "not more than 0"),
        ("wallwars standard 5x5 | Cb4 | nan", "not a number"),
        ("wallwars standard 5x5 | Cb4 | 1 2", "not in"),
        ("wallwars standard 5x5 | Ce1 | 1", "Ce1"),
        ("wallwars standard 50x5 | Cb4 | 1", "50"),
        ("chess standard - | e4 | 1", "chess"),
        ("toy-goofspiel standard - | 1/1 | 1", "toy-goofspiel"),
    ],
)
def test_the_error_names_a_bad_row(row: str, said: str) -> None:
    with pytest.raises(BadBook, match=r"^line 2: ") as refusal:
        Book(["# fine", row])
    assert said in str(refusal.value)


def test_the_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    with pytest.raises(BadBook, match=r"openings\.txt cannot be read"):
        read_book(path)
    path.write_text("wallwars standard 5x5 | Cb4 | 1\nnonsense\n")
    with pytest.raises(BadBook, match=r"openings\.txt, line 2"):
        read_book(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadBook, match=r"cannot be read"):
        read_book(path)
