//! The one-hive rule: the pieces that connect the hive.
//!
//! The empty cells around a piece form gaps between the arcs of its occupied neighbours. Without the piece, the arcs
//! between two gaps are separated exactly if the two gaps are both outside, or in the same hole. Since the board marks
//! holes, this takes a look at the ring and at one cell of each gap.

use super::board::Board;
use super::bug::Pieces;
use super::grid::{Cell, beside};
use super::holes;

/// Whether the hive falls apart without the only piece on `cell`.
#[inline]
#[must_use]
pub fn is_pinned(board: &Board, cell: Cell) -> bool {
    let connects = board.ring(cell).arcs() > 1;
    if board.enclosed() == 0 { connects } else { connects && gaps_meet(board, cell) }
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

/// The uncovered pieces of both seats that are pinned by the one-hive rule.
#[must_use]
pub fn pinned(board: &Board) -> Pieces {
    let mut held = Pieces::NONE;
    let alone = board.in_play().without(board.covered()).without(board.climbed());
    alone.filter(|&piece| is_pinned(board, board.cell(piece))).for_each(|piece| held.insert(piece));
    held
}
