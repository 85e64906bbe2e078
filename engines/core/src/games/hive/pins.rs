//! The one-hive rule: which pieces hold the hive together.
//!
//! A piece whose occupied neighbours form one arc never does. One with several arcs does unless a hole lies between
//! them; where the hive has no hole (the board counts them), no search is needed. Otherwise one depth-first pass finds
//! all cut cells at once (Hopcroft, Tarjan 1973).

use super::board::Board;
use super::bug::Pieces;
use super::grid::{CELLS, Cell, CellSet, NOWHERE, beside};

/// Answers for one board which pieces may be lifted. The pass over the hive is made when it is first needed.
pub struct Pins<'b> {
    board: &'b Board,
    cuts: Option<CellSet>,
}

impl<'b> Pins<'b> {
    /// Answers for `board`.
    #[inline]
    #[must_use]
    pub fn new(board: &'b Board) -> Self {
        Self { board, cuts: None }
    }

    /// Whether the hive falls apart without the only piece of `cell`.
    #[inline]
    #[must_use]
    pub fn pinned(&mut self, cell: Cell) -> bool {
        self.board.ring(cell).arcs() > 1 && (self.board.holes() == 0 || self.is_cut(cell))
    }

    fn is_cut(&mut self, cell: Cell) -> bool {
        self.cuts.get_or_insert_with(|| cut_cells(self.board)).has(cell)
    }
}

/// The visible pieces of both seats that the one-hive rule holds in their place.
#[must_use]
pub fn pinned(board: &Board) -> Pieces {
    let mut pins = Pins::new(board);
    let alone = board.in_play().without(board.covered()).without(board.climbed());
    let mut held = Pieces::NONE;
    alone.filter(|&piece| pins.pinned(board.cell(piece))).for_each(|piece| held.insert(piece));
    held
}

/// The occupied cells without which the others are not connected.
fn cut_cells(board: &Board) -> CellSet {
    let mut search = Search { board, order: [0; CELLS], next: 0, cuts: CellSet::default() };
    if let Some(piece) = board.in_play().first() {
        search.visit(board.cell(piece), NOWHERE);
    }
    search.cuts
}

struct Search<'b> {
    board: &'b Board,
    /// When each cell was reached, from 1; 0 for cells not reached yet.
    order: [u8; CELLS],
    next: u8,
    cuts: CellSet,
}

impl Search<'_> {
    /// Goes on from `cell`; the earliest cell that is reached from there without coming back over `parent`.
    fn visit(&mut self, cell: Cell, parent: Cell) -> u8 {
        self.next += 1;
        let own = self.next;
        self.order[usize::from(cell)] = own;
        let mut earliest = own;
        let mut branches = 0;
        for direction in self.board.ring(cell) {
            let near = beside(cell, direction);
            let known = self.order[usize::from(near)];
            if known != 0 {
                earliest = earliest.min(known);
                continue;
            }
            branches += 1;
            let reached = self.visit(near, cell);
            earliest = earliest.min(reached);
            if parent != NOWHERE && reached >= own {
                self.cuts.insert(cell);
            }
        }
        if parent == NOWHERE && branches > 1 {
            self.cuts.insert(cell);
        }
        earliest
    }
}
