//! Spiders and Ants: several slides along the ground in one move.

use super::board::Board;
use super::cells::Cells;
use super::grid::{Cell, away, beside};
use super::reach::Union;
use super::ring::Ring;

/// The occupied neighbours of a cell on the way of a piece that has left `start`.
#[inline]
fn ring(board: &Board, cell: Cell, start: Cell) -> Ring {
    board.ring(cell).and(away(cell, start))
}

/// Where exactly three slides lead that come back to no cell.
#[inline]
#[must_use]
pub fn spider(board: &Board, start: Cell) -> Cells {
    let mut ends = Cells::new();
    for first in board.ring(start).slides() {
        let first = beside(start, first);
        for second in ring(board, first, start).slides() {
            let second = beside(first, second);
            if second == start {
                continue;
            }
            for third in ring(board, second, start).slides() {
                let third = beside(second, third);
                if third != start && third != first {
                    ends.add(third);
                }
            }
        }
    }
    ends
}

/// Adds where any number of slides lead to `ends`, which has no cell yet and never takes `start`. Most Ants need not be
/// followed like that: see [`super::perimeter`].
pub fn ant(board: &Board, start: Cell, ends: &mut Union) {
    let mut next = 0;
    board.ring(start).slides().for_each(|direction| ends.add(beside(start, direction)));
    while let Some(&from) = ends.cells().get(next) {
        ring(board, from, start).slides().for_each(|direction| ends.add(beside(from, direction)));
        next += 1;
    }
}
