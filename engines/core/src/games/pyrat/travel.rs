//! Travel times in turns, with mud at its true cost.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter;
use std::sync::OnceLock;

use super::board::{Board, NO_PIECE, Piece};
use super::direction::Direction;
use super::grid::Cell;

/// The travel time to a cell that cannot be reached.
pub const NEVER: u16 = u16::MAX;

/// The number of turns from each cell to the nearest of `targets`, for a player that mud does not hold.
#[must_use]
pub fn times_to_nearest(board: &Board, targets: impl Iterator<Item = Cell>) -> Vec<u16> {
    let mut times = vec![NEVER; usize::from(board.grid().cells())];
    spread(board, targets, |cell, time| {
        times[usize::from(cell)] = time;
        true
    });
    times
}

/// Visits cells with their times from the nearest of `sources`, the nearest cells first, for as long as `visit` wants.
fn spread(board: &Board, sources: impl Iterator<Item = Cell>, mut visit: impl FnMut(Cell, u16) -> bool) {
    let mut times = vec![NEVER; usize::from(board.grid().cells())];
    let mut open: BinaryHeap<Reverse<(u16, Cell)>> = sources.map(|cell| Reverse((0, cell))).collect();
    for Reverse((_, cell)) in &open {
        times[usize::from(*cell)] = 0;
    }
    while let Some(Reverse((time, cell))) = open.pop() {
        if time > times[usize::from(cell)] {
            continue;
        }
        if !visit(cell, time) {
            return;
        }
        // A passage takes the same time both ways.
        for step in Direction::STEPS {
            let exit = board.square(cell).exits[step as usize];
            // The longest ways take almost `NEVER` turns.
            let longer = time.saturating_add(1 + u16::from(exit.held));
            if longer < times[usize::from(exit.to)] {
                times[usize::from(exit.to)] = longer;
                open.push(Reverse((longer, exit.to)));
            }
        }
    }
}

/// The number of turns within which `count` of the pieces that `is_left` names lie, or all of them.
#[must_use]
pub fn reach(board: &Board, cell: Cell, count: usize, is_left: impl Fn(Piece) -> bool) -> u16 {
    let (mut found, mut farthest) = (0, 0);
    spread(board, iter::once(cell), |cell, time| {
        let piece = board.square(cell).piece;
        if piece != NO_PIECE && is_left(piece) {
            (found, farthest) = (found + 1, time);
        }
        found < count
    });
    farthest
}

/// From this number of times on (4 MiB), they are not kept: a board of 64×64 cells full of cheese would need 33 MB.
const MOST_KEPT: usize = 1 << 21;

/// Whether the times from all cells to this number of pieces are kept.
#[inline]
#[must_use]
pub fn keeps(board: &Board, pieces: usize) -> bool {
    usize::from(board.grid().cells()) * pieces <= MOST_KEPT
}

/// The number of turns between every cell and every piece of cheese, for a player that mud does not hold.
#[derive(Debug, Default)]
pub struct TravelTimes(OnceLock<Box<[u16]>>);

impl TravelTimes {
    /// The times from a cell to the cheese on these cells, which are always the same. Keeps the times from all cells;
    /// if those are too many, looks for pieces that are at most `most` turns away, and has `NEVER` for others.
    #[inline]
    pub fn within(&self, board: &Board, cheese: &[Cell], cell: Cell, most: u16) -> Cow<'_, [u16]> {
        if let Some(kept) = self.kept(board, cheese) {
            let first = usize::from(cell) * cheese.len();
            return Cow::Borrowed(&kept[first..first + cheese.len()]);
        }
        let mut times = vec![NEVER; cheese.len()];
        spread(board, iter::once(cell), |cell, time| {
            let piece = board.square(cell).piece;
            if piece != NO_PIECE && time <= most {
                times[usize::from(piece)] = time;
            }
            time <= most
        });
        Cow::Owned(times)
    }

    /// The times from some cells to one of the pieces.
    pub fn to<const N: usize>(&self, board: &Board, cheese: &[Cell], piece: usize, cells: [Cell; N]) -> [u16; N] {
        if let Some(kept) = self.kept(board, cheese) {
            return cells.map(|cell| kept[usize::from(cell) * cheese.len() + piece]);
        }
        let mut times = [NEVER; N];
        spread(board, iter::once(cheese[piece]), |at, time| {
            let here = times.iter_mut().zip(cells).filter(|(_, cell)| *cell == at);
            here.for_each(|(known, _)| *known = time);
            times.contains(&NEVER)
        });
        times
    }

    fn kept(&self, board: &Board, cheese: &[Cell]) -> Option<&[u16]> {
        keeps(board, cheese.len()).then(|| &**self.0.get_or_init(|| all(board, cheese)))
    }
}

/// The times from each cell to each piece, cell by cell.
fn all(board: &Board, cheese: &[Cell]) -> Box<[u16]> {
    let mut all = vec![NEVER; usize::from(board.grid().cells()) * cheese.len()];
    for (piece, target) in cheese.iter().enumerate() {
        let times = times_to_nearest(board, iter::once(*target));
        for (row, time) in all.chunks_exact_mut(cheese.len()).zip(times) {
            row[piece] = time;
        }
    }
    all.into()
}
