//! Spiders and Ants: several slides along the ground in one move.

use super::board::Board;
use super::cells::Cells;
use super::grid::{Cell, away, beside};
use super::reach::Union;
use super::ring::Ring;

/// The occupied neighbours of a cell while a piece from `start` is moving.
#[inline]
fn ring(board: &Board, cell: Cell, start: Cell) -> Ring {
    board.ring(cell).and(away(cell, start))
}

/// The destinations of exactly three slides that visit no cell twice.
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

/// Adds the destinations of any number of slides to `ends`, which must be empty and must exclude `start`. Most Ants
/// need no such search: see [`super::perimeter`].
pub fn ant(board: &Board, start: Cell, ends: &mut Union) {
    let mut next = 0;
    board.ring(start).slides().for_each(|direction| ends.add(beside(start, direction)));
    while let Some(&from) = ends.cells().get(next) {
        ring(board, from, start).slides().for_each(|direction| ends.add(beside(from, direction)));
        next += 1;
    }
}
