"""Books that Plyhouse writes: what is in them, and the match about them."""

import pytest

from engines import Evaluation, Position, RuleError
from engines.arena import Contender, Match
from engines.book import Book
from engines.book_match import BookBot, play_with_and_without
from engines.book_writer import analyser, book_rows
from engines.bots import Bot
from engines.pool import Limits

BOARD = {"boardWidth": 5, "boardHeight": 5}


def start() -> Position:
    return Position("wallwars", "classic", BOARD)


def test_a_book_plays_what_was_found_in_each_of_its_positions() -> None:
    found: dict[int, str] = {}
    analyse = analyser([], 200)

    def noting(position: Position) -> Evaluation:
        evaluation = analyse(position)
        found[position.key] = evaluation.best_move
        return evaluation

    rows = book_rows(start(), "5x5", 60, noting)
    assert len(rows) == len(found) == 60
    book = Book(rows)
    for row in rows:
        moves = row.split("|")[1].split()
        position = start()
        position.play(*moves[:-1])
        hit = book.find(position)
        assert hit is not None
        assert hit.move == found[position.key] == moves[-1]
        assert -1 <= hit.value <= 1


def test_the_likeliest_positions_come_first() -> None:
    rows = book_rows(start(), "5x5", 40, analyser([], 200))
    lengths = [len(row.split("|")[1].split()) for row in rows]
    assert lengths[0] == 1
    assert max(lengths) > 2
    smaller = book_rows(start(), "5x5", 10, analyser([], 200))
    assert rows[:10] == smaller


def test_moves_with_spaces_are_refused() -> None:
    with pytest.raises(RuleError, match="books separate moves by spaces, and moves of hive contain them"):
        book_rows(Position("hive"), "-", 4, analyser([], 300))


def test_books_are_for_two_seats_in_turn() -> None:
    for game in ("pyrat", "carcassonne"):
        position = Position(game, None, {"seats": 3} if game == "carcassonne" else None)
        with pytest.raises(RuleError, match="books are for games of two seats in turn"):
            book_rows(position, "-", 1, analyser([], 10))


def test_a_match_compares_a_bot_with_and_without_the_book() -> None:
    bot = Bot.parse("native")
    book = Book(book_rows(start(), "5x5", 5, analyser([], 500)))
    contenders: list[Contender] = [BookBot(bot, book), bot]
    match = Match("wallwars", contenders, 6, Limits(40), "classic", BOARD, opening_plies=0)
    standing = play_with_and_without(match)
    assert standing.name == "native with the book"
    assert standing.games == 6
