//! Travel times in turns, with mud at its true cost.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use super::board::Board;
use super::direction::Direction;
use super::grid::Cell;

/// The travel time to a cell that cannot be reached.
pub const NEVER: u16 = u16::MAX;

/// The number of turns from each cell to the nearest of `targets`, for a player that mud does not hold.
#[must_use]
pub fn times_to_nearest(board: &Board, targets: impl Iterator<Item = Cell>) -> Vec<u16> {
    let mut times = vec![NEVER; usize::from(board.grid().cells())];
    let mut open: BinaryHeap<Reverse<(u16, Cell)>> = targets.map(|cell| Reverse((0, cell))).collect();
    for Reverse((_, cell)) in &open {
        times[usize::from(*cell)] = 0;
    }
    while let Some(Reverse((time, cell))) = open.pop() {
        if time > times[usize::from(cell)] {
            continue;
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
    times
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
    /// The times from a cell to the cheese on these cells, which are always the same. Keeps the times from all cells,
    /// unless there are too many.
    #[inline]
    pub fn from(&self, board: &Board, cheese: &[Cell], cell: Cell) -> Cow<'_, [u16]> {
        let (count, first) = (cheese.len(), usize::from(cell) * cheese.len());
        if keeps(board, count) {
            return Cow::Borrowed(&self.0.get_or_init(|| all(board, cheese))[first..first + count]);
        }
        let times = times_to_nearest(board, std::iter::once(cell));
        Cow::Owned(cheese.iter().map(|cell| times[usize::from(*cell)]).collect())
    }
}

/// The times from each cell to each piece, cell by cell.
fn all(board: &Board, cheese: &[Cell]) -> Box<[u16]> {
    let mut all = vec![NEVER; usize::from(board.grid().cells()) * cheese.len()];
    for (piece, target) in cheese.iter().enumerate() {
        let times = times_to_nearest(board, std::iter::once(*target));
        for (row, time) in all.chunks_exact_mut(cheese.len()).zip(times) {
            row[piece] = time;
        }
    }
    all.into()
}
