//! Spiders and Ants: several slides along the ground in one move.

use super::board::Board;
use super::cells::{Cells, MOST};
use super::grid::{Cell, away, back, beside, step, stepped};
use super::reach::Union;
use super::ring::Ring;

/// Where a piece can slide on to that has come from somewhere.
#[derive(Clone, Copy)]
struct Turn {
    /// To the neighbour of the first way on; nowhere if there is none.
    step: u16,
    /// The direction that leads back from there.
    back: u8,
    /// The other ways on, which are few and seldom.
    rest: Ring,
}

/// Turns by the direction that the piece has come from (times 64) and its occupied neighbours.
static TURNS: [Turn; 6 * 64] = {
    let mut turns = [Turn { step: 0, back: 0, rest: Ring(0) }; 6 * 64];
    let mut index = 0;
    while index < 6 * 64 {
        let came = index / 64;
        let ways = Ring(index as u8 & 63).slides().0 & !(1 << came);
        if ways != 0 {
            let way = ways.trailing_zeros();
            turns[index] =
                Turn { step: step(way as usize), back: ((way + 3) % 6) as u8, rest: Ring(ways & (ways - 1)) };
        }
        index += 1;
    }
    turns
};

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

/// Adds where any number of slides lead to `ends`, which has no cell yet and never takes `start`. The cells reached are
/// followed in the order in which they came, so that the ways round both sides of the hive take turns.
#[inline]
pub fn ant(board: &Board, start: Cell, ends: &mut Union) {
    let mut backs = [0; MOST];
    for direction in board.ring(start).slides() {
        follow(ends, &mut backs, beside(start, direction), back(direction) as u8);
    }
    let mut next = 0;
    while let Some(&from) = ends.cells().get(next) {
        let came = usize::from(backs[next & (MOST - 1)]);
        let turn = TURNS[(came * 64 + usize::from(ring(board, from, start).0)).min(TURNS.len() - 1)];
        follow(ends, &mut backs, stepped(from, turn.step), turn.back);
        for direction in turn.rest {
            follow(ends, &mut backs, beside(from, direction), back(direction) as u8);
        }
        next += 1;
    }
}

/// Adds a cell with the direction that leads back from there.
#[inline]
fn follow(ends: &mut Union, backs: &mut [u8; MOST], cell: Cell, back: u8) {
    backs[ends.cells().len() & (MOST - 1)] = back;
    ends.add(cell);
}
