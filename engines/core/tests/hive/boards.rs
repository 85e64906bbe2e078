//! Boards that are copied over each other, and the cells that are open to placements. The hives grow from cells all
//! over the grid, also across its borders.

use std::collections::BTreeSet;

use _core::games::hive::board::Board;
use _core::games::hive::bug::{Bug, Piece, Pieces};
use _core::games::hive::grid::{CELLS, Cell, beside};
use _core::games::hive::pins::is_pinned;
use rand::prelude::*;
use rand_pcg::Pcg64Mcg;

/// Cells where hives begin: in the middle, in corners and at borders.
const STARTS: [Cell; 6] = [528, 0, 31, 500, 992, 1023];

#[test]
fn copies_are_equal_and_open_cells_have_neighbours_of_one_seat() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut copy = Board::empty();
    for start in STARTS {
        let mut board = Board::empty();
        board.put(Bug::Ant.piece(0, 1), start);
        for _ in 0..200 {
            change(&mut board, &mut rng);
            copy.copy_from(&board);
            assert_eq!(contents(&copy), contents(&board), "from {start}");
            (0..2).for_each(|seat| check_open(&board, seat));
        }
        copy.copy_from(&Board::empty());
        assert_eq!(contents(&copy), contents(&Board::empty()), "empty after {start}");
    }
}

/// Puts a piece from the hand next to another one or on top of it, or takes one off.
fn change(board: &mut Board, rng: &mut Pcg64Mcg) {
    let tops: Vec<Piece> = board.tops(0).or(board.tops(1)).collect();
    let piece = *tops.choose(rng).unwrap();
    let cell = board.cell(piece);
    let hand: Vec<Piece> = Pieces::of(0).or(Pieces::of(1)).without(board.in_play()).collect();
    match hand.choose(rng) {
        Some(&new) if rng.random_bool(0.6) && board.height(cell) < 4 => {
            let on_top = rng.random_bool(0.2);
            let near = beside(cell, rng.random_range(0..6));
            if on_top || !board.occupied(near) {
                board.put(new, if on_top { cell } else { near });
            }
        }
        _ if board.level(piece) > 0 || tops.len() > 1 && !is_pinned(board, cell) => board.take(piece),
        _ => {}
    }
}

/// Everything that a board tells.
fn contents(board: &Board) -> impl PartialEq + std::fmt::Debug + use<> {
    let cells = 0..CELLS as Cell;
    let bits = |cell| (board.ring(cell).0, board.height(cell), board.held_by(cell, 1), board.in_hole(cell));
    let stacks: Vec<Vec<Piece>> = cells.clone().map(|cell| board.stack(cell)).collect();
    (cells.map(bits).collect::<Vec<_>>(), stacks, board.hash(), board.enclosed())
}

/// Placement cells, counted from a seat's pieces, are those of the rule, each once.
fn check_open(board: &Board, seat: usize) {
    let beside_own =
        |piece| board.open_beside(board.cell(piece), seat).map(move |to| beside(board.cell(piece), to));
    let open: Vec<Cell> = board.tops(seat).flat_map(beside_own).collect();
    let of_seat = |&cell: &Cell| board.ring(cell).all(|direction| board.held_by(beside(cell, direction), seat));
    let empty = (0..CELLS as Cell).filter(|&cell| !board.occupied(cell) && !board.ring(cell).is_empty());
    let expected: BTreeSet<Cell> = empty.filter(of_seat).collect();
    assert_eq!(open.len(), expected.len());
    assert_eq!(open.into_iter().collect::<BTreeSet<_>>(), expected);
}
