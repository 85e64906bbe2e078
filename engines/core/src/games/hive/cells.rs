//! Sets and short lists of cells.

use super::grid::{CELLS, Cell};

/// A set of cells.
#[derive(Clone, Copy, Default)]
pub struct CellSet([u64; CELLS / 64]);

impl CellSet {
    /// Whether the set contains the cell.
    #[inline]
    #[must_use]
    pub fn has(&self, cell: Cell) -> bool {
        self.0[usize::from(cell >> 6) & 15] >> (cell & 63) & 1 == 1
    }

    /// Adds a cell; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, cell: Cell) -> bool {
        let word = &mut self.0[usize::from(cell >> 6) & 15];
        let before = *word;
        *word |= 1 << (cell & 63);
        *word != before
    }
}

/// Upper bound of a piece's destinations and of the cells next to a hive: 60 (a hive in a line), rounded up.
pub const MOST: usize = 64;

/// A short list of cells.
#[derive(Clone, Copy)]
pub struct Cells {
    cells: [Cell; MOST],
    len: usize,
}

impl Cells {
    /// The empty list.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self { cells: [0; MOST], len: 0 }
    }

    /// Appends a cell.
    #[inline]
    pub fn push(&mut self, cell: Cell) {
        self.cells[self.len & (MOST - 1)] = cell;
        self.len += 1;
    }

    /// Appends a cell if it is `new`, without a branch.
    #[inline]
    pub fn push_if(&mut self, cell: Cell, new: bool) {
        self.cells[self.len & (MOST - 1)] = cell;
        self.len += usize::from(new);
    }

    /// Appends a cell that is not yet in the list.
    #[inline]
    pub fn add(&mut self, cell: Cell) {
        if !self.as_slice().contains(&cell) {
            self.push(cell);
        }
    }

    /// The cell at an index, which must be below the length.
    #[inline]
    #[must_use]
    pub fn at(&self, index: usize) -> Cell {
        self.cells[index & (MOST - 1)]
    }

    /// Number of cells.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the list is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cells in order.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Cell] {
        &self.cells[..self.len.min(MOST)]
    }
}

impl Default for Cells {
    fn default() -> Self {
        Self::new()
    }
}
