//! Holes: empty cells enclosed by the hive. The board marks them incrementally, which rarely takes more than a look at
//! one ring; in return, the one-hive rule needs no search (see [`super::pins`]).

use super::board::Board;
use super::cells::CellSet;
use super::grid::{Cell, Direction, beside};
use super::ring::Ring;

/// Maximum size of a flood before the smaller side of a new border is complete: 28 pieces enclose fewer than 50 cells.
const MOST: usize = 256;

/// Empty cells connected with a first one, as far as they were followed.
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

    /// Expands the flood by one cell.
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

/// Marks what the piece now on `cell` has cut off from the outside, if it connects several arcs of the hive. Follows
/// all sides at the same pace; the last one to continue is the outside.
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

/// Updates the holes after the last piece has left `cell`: the cell is in a hole, or it opens the holes next to it.
#[inline]
pub fn after_leaving(board: &mut Board, cell: Cell) {
    let ring = board.ring(cell);
    if ring == Ring::FULL {
        board.mark_hole(cell, true);
    } else if board.enclosed() > 0 {
        join(board, cell, ring.gaps());
    }
}

/// Joins the sides in the directions of `gaps` through the empty `cell`.
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
