"""Laws of the puzzles that come with Plyhouse, and of how puzzles are found."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engines import Position, hides_order
from engines.puzzles.alternatives import evaluated, whole_moves
from engines.puzzles.checks import Standard, candidates, checked_move
from engines.puzzles.difficulty import Difficulty
from engines.puzzles.library import FOLDER, shipped_puzzles
from engines.puzzles.miner import MiningCount, puzzles_in, rounded_share
from engines.puzzles.puzzle import (
    BadPuzzles,
    Puzzle,
    append_puzzles,
    own_config,
    puzzle_id,
    read_head,
    read_puzzles,
    start_file,
)
from engines.puzzles.self_play import GamePlan, played_game
from engines.puzzles.themes import titles_of

GAMES = sorted(shipped_puzzles())


def shipped() -> Iterator[tuple[str, Puzzle]]:
    for game, collection in shipped_puzzles().items():
        for puzzle in collection.puzzles:
            yield game, puzzle


def sample(game: str, count: int) -> Sequence[Puzzle]:
    """Some puzzles, the same ones each time."""
    puzzles = shipped_puzzles()[game].puzzles
    return puzzles[:: max(1, len(puzzles) // count)][:count]


def test_every_id_is_there_once_and_follows_from_the_position() -> None:
    ids = [puzzle.id for _, puzzle in shipped()]
    assert len(ids) == len(set(ids)) > 0
    for game, puzzle in shipped():
        position = puzzle.position(game)
        assert puzzle.id == puzzle_id(position, puzzle.seat)
        assert own_config(position) == puzzle.config


def test_positions_are_reached_and_solutions_are_legal() -> None:
    for game, puzzle in shipped():
        position = puzzle.position(game)
        assert puzzle.seat in position.to_act
        assert puzzle.solution[0] != puzzle.rival
        for move in (puzzle.solution[0], puzzle.rival):
            assert position.check(move, puzzle.seat) == move
        for ply, move in enumerate(puzzle.solution):
            if len(puzzle.solution) == 1:
                break
            assert (puzzle.seat in position.to_act) == (ply % 2 == 0)
            position = position.after(move)


@pytest.mark.slow
def test_no_other_move_leads_to_the_position_after_a_right_one() -> None:
    """The page takes no other move for right."""
    for game, puzzle in shipped():
        position = puzzle.position(game)
        for ply, move in enumerate(puzzle.solution):
            if ply % 2 == 0:
                assert equal_moves(position, puzzle.seat, move) == []
            if ply + 1 < len(puzzle.solution):
                position = position.after(move)


def equal_moves(position: Position, seat: int, right: str) -> list[str]:
    """The other moves of a seat after which everything is as after this one, whatever others do."""

    def keys(move: str) -> list[object]:
        if len(position.to_act) == 1:
            deal = 0 if hides_order(position) else None
            return [position.after(move, seat, deal=deal).key]
        (other,) = (one for one in position.to_act if one != seat)
        joint = ([move, answer] if seat < other else [answer, move] for answer in position.legal_moves(other))
        return [replayed(position, "/".join(parts)).key for parts in joint]

    wanted = keys(right)
    return [move for move in whole_moves(position, seat) if move != right and keys(move) == wanted]


def replayed(position: Position, move: str) -> Position:
    after = position.copy()
    after.play(move)
    return after


def test_solutions_end_with_a_move_of_the_seat_that_is_asked() -> None:
    assert all(len(puzzle.solution) % 2 == 1 for _, puzzle in shipped())


def test_themes_and_difficulties_are_known() -> None:
    for game, puzzle in shipped():
        assert puzzle.themes
        assert set(puzzle.themes) <= set(titles_of(game))
        assert puzzle.difficulty in list(Difficulty)


def test_no_puzzle_knows_the_order_of_what_is_hidden() -> None:
    assert not any("seed" in puzzle.config for _, puzzle in shipped())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_the_stored_check_can_be_repeated(game: str) -> None:
    """The searches are deterministic; another machine may round differently."""
    made = read_head(FOLDER / f"{game}.jsonl")["made"]
    standard = Standard(made["gap"], made["effort"])
    (puzzle,) = sample(game, 1)
    position = puzzle.position(game)
    found = checked_move(position, puzzle.seat, puzzle.solution[0], standard)
    assert found is not None
    assert found.rival.gap == pytest.approx(puzzle.gap, rel=0.1)
    assert checked_move(position, puzzle.seat, puzzle.rival, Standard(gap=1.0, effort=1)) is None


def test_a_win_that_is_called_certain_is_one() -> None:
    certain = [(game, puzzle) for game, puzzle in shipped() if puzzle.share == 1]
    hive, others = ([one for one in certain if (one[0] == "hive") is wanted] for wanted in (True, False))
    for game, puzzle in (*hive[::8], *others):
        position = puzzle.position(game)
        deal = 0 if hides_order(position) else None
        after = position.after(puzzle.solution[0], puzzle.seat, deal=deal)
        assert evaluated(after, 500_000 if game == "hive" else 50_000, 1).share(puzzle.seat) == 1
    assert [rounded_share(share) for share in (1.0, 0.99999, 0.9994, 0.5)] == [1.0, 0.999, 0.999, 0.5]


def test_a_queen_that_can_be_surrounded_in_1_is() -> None:
    puzzles = [one for one in shipped_puzzles()["hive"].puzzles if "surround-in-1" in one.themes]
    assert puzzles
    for puzzle in puzzles:
        assert winner_after(puzzle, puzzle.solution[0]) == [puzzle.seat]


def test_a_queen_that_is_surrounded_later_cannot_be_now() -> None:
    later = {"surround-in-2", "surround-in-3"}
    puzzles = [one for one in shipped_puzzles()["hive"].puzzles if later & set(one.themes)]
    for puzzle in puzzles[:10]:
        moves = puzzle.position("hive").legal_moves()
        assert not any(winner_after(puzzle, move) == [puzzle.seat] for move in moves)


def winner_after(puzzle: Puzzle, move: str) -> Sequence[int]:
    outcome = puzzle.position("hive").after(move).outcome
    return [] if outcome is None else outcome.winners


def test_saving_moves_do_not_lose_at_once() -> None:
    for puzzle in shipped_puzzles()["hive"].puzzles:
        if "save-the-queen" in puzzle.themes:
            assert winner_after(puzzle, puzzle.solution[0]) == []


# ---- how puzzles are found -------------------------------------------------------------------------

SMALL = GamePlan("wallwars", None, {"boardWidth": 4, "boardHeight": 4})
LENIENT = Standard(gap=1.0, effort=1)


def found(plan: GamePlan, numbers: range) -> list[Puzzle]:
    count = MiningCount()
    return [
        puzzle
        for number in numbers
        for puzzle in puzzles_in(played_game(plan, number), number, LENIENT, count)
    ]


def test_the_same_seed_gives_the_same_puzzles() -> None:
    once = found(SMALL, range(4))
    assert once
    assert found(SMALL, range(4)) == once
    assert [one for one in once if one.source == 3] == found(SMALL, range(3, 4))


def test_all_moves_are_tried_where_they_are_not_listed() -> None:
    position = Position("wallwars", None, {"boardWidth": 3, "boardHeight": 3})
    moves = list(whole_moves(position, 0))
    assert len(moves) == len(set(moves))
    assert {position.check(move, 0) for move in moves} == set(moves)
    actions = position.legal_actions(0)
    assert {position.check(one, 0) for one in actions if position.can_finish(0, one)} <= set(moves)
    assert any("." in move for move in moves)


def test_a_start_has_no_clearly_best_move() -> None:
    assert list(candidates(Position("hive"), Standard())) == []


# ---- files -----------------------------------------------------------------------------------------


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file, puzzles = tmp_path / "puzzles.jsonl", sample("hive", 3)
    start_file(file, "hive", {"gap": 1})
    append_puzzles(file, puzzles[:1])
    append_puzzles(file, puzzles[1:])
    assert read_puzzles(file) == ("hive", tuple(puzzles))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no format 'plyhouse puzzles 1'"),
        ('{"format": "plyhouse openings 1", "game": "hive"}\n', "no format 'plyhouse puzzles 1'"),
        ('{"format": "plyhouse puzzles 1", "game": "hive"}\n{"id": 1}\n', "line 2: this is not a puzzle"),
        ('{"format": "plyhouse puzzles 1", "game": "hive"}\n{"id":', "line 2: this is not a JSON object"),
    ],
)
def test_a_bad_file_is_refused_by_its_line(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(text)
    with pytest.raises(BadPuzzles, match=why):
        read_puzzles(file)
    with pytest.raises(BadPuzzles, match="cannot be read"):
        read_puzzles(tmp_path / "none.jsonl")
