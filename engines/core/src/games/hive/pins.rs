//! The one-hive rule: which pieces hold the hive together.
//!
//! The empty cells around a piece form gaps between the arcs of its occupied neighbours. Without the piece the arcs at
//! both ends of two gaps are separated exactly if the two gaps are connected outside, or lie in the same hole. Since
//! the board marks holes, that takes a look at the ring and at one cell of each gap.

use super::board::Board;
use super::bug::Pieces;
use super::grid::{Cell, beside};
use super::holes;

/// Whether the hive falls apart without the only piece of `cell`.
#[inline]
#[must_use]
pub fn is_pinned(board: &Board, cell: Cell) -> bool {
    board.ring(cell).arcs() > 1 && (board.enclosed() == 0 || gaps_meet(board, cell))
}

/// Whether two gaps around a cell are connected.
fn gaps_meet(board: &Board, cell: Cell) -> bool {
    let gaps = board.ring(cell).gaps();
    let enclosed = || gaps.map(|gap| beside(cell, gap)).filter(|&gap| board.in_hole(gap));
    let holes = enclosed().count();
    if usize::from(gaps.len()) - holes > 1 {
        return true;
    }
    holes > 1
        && (1..holes).any(|later| enclosed().skip(later).zip(enclosed()).any(|(a, b)| holes::same(board, a, b)))
}

/// The visible pieces of both seats that the one-hive rule holds in their place.
#[must_use]
pub fn pinned(board: &Board) -> Pieces {
    let mut held = Pieces::NONE;
    let alone = board.in_play().without(board.covered()).without(board.climbed());
    alone.filter(|&piece| is_pinned(board, board.cell(piece))).for_each(|piece| held.insert(piece));
    held
}
