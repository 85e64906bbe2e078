//! Holes: empty cells that the hive encloses. The board marks them while it changes, which seldom takes more than a
//! look at one ring, and in turn the one-hive rule needs no search (see [`super::pins`]).

use super::board::Board;
use super::cells::CellSet;
use super::grid::{Cell, Direction, beside};
use super::ring::Ring;

/// Most cells that a flood meets before the smaller side of a new border is filled: 28 pieces enclose fewer than 50.
const MOST: usize = 256;

/// Empty cells that are connected with a first one, as far as they have been followed.
struct Flood {
    seen: CellSet,
    cells: [Cell; MOST],
    len: usize,
    next: usize,
}

impl Flood {
    fn from(cell: Cell) -> Self {
        let mut flood = Self { seen: CellSet::default(), cells: [0; MOST], len: 0, next: 0 };
        flood.add(cell);
        flood
    }

    fn add(&mut self, cell: Cell) {
        if self.seen.insert(cell) {
            self.cells[self.len % MOST] = cell;
            self.len += 1;
        }
    }

    fn is_complete(&self) -> bool {
        self.next == self.len
    }

    /// Follows one more cell.
    fn step(&mut self, board: &Board) {
        if self.is_complete() {
            return;
        }
        let cell = self.cells[self.next % MOST];
        self.next += 1;
        board.ring(cell).flipped().for_each(|direction| self.add(beside(cell, direction)));
    }

    fn cells(&self) -> &[Cell] {
        &self.cells[..self.len.min(MOST)]
    }
}

/// Marks what the piece that now stands on `cell`, where it touches several arcs of the hive, has cut off from the
/// outside. All sides are followed at the same pace; the last one that goes on is the outside.
#[cold]
pub fn after_closing(board: &mut Board, cell: Cell) {
    let mut sides: Vec<Flood> = board.ring(cell).gaps().map(|gap| Flood::from(beside(cell, gap))).collect();
    while sides.iter().filter(|side| !side.is_complete()).count() > 1 {
        sides.iter_mut().for_each(|side| side.step(board));
    }
    for side in sides.iter().filter(|side| side.is_complete()) {
        side.cells().iter().for_each(|&cell| board.mark_hole(cell, true));
    }
}

/// Marks what has changed since the last piece has left `cell`: it lies in a hole itself, or opens the holes beside it.
#[inline]
pub fn after_leaving(board: &mut Board, cell: Cell) {
    let ring = board.ring(cell);
    if ring == Ring::FULL {
        board.mark_hole(cell, true);
    } else if board.enclosed() > 0 {
        join(board, cell, ring.gaps());
    }
}

/// Joins the sides in the directions of `gaps` by way of the empty `cell`.
#[cold]
fn join(board: &mut Board, cell: Cell, gaps: Ring) {
    let in_hole = |board: &Board, gap: Direction| board.in_hole(beside(cell, gap));
    if gaps.into_iter().all(|gap| in_hole(board, gap)) {
        board.mark_hole(cell, true);
        return;
    }
    for gap in gaps {
        if in_hole(board, gap) {
            let mut opened = vec![beside(cell, gap)];
            while let Some(cell) = opened.pop() {
                board.mark_hole(cell, false);
                let near = Ring::FULL.map(|direction| beside(cell, direction));
                opened.extend(near.filter(|&near| board.in_hole(near)));
            }
        }
    }
}

/// Whether two cells lie in the same hole.
#[cold]
pub fn same(board: &Board, first: Cell, second: Cell) -> bool {
    let mut flood = Flood::from(first);
    while !flood.is_complete() {
        flood.step(board);
    }
    flood.seen.has(second)
}
