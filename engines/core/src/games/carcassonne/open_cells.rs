//! The empty cells beside tiles, and what their neighbours demand of a tile that is placed there.

use super::cell::{Cell, NOWHERE};

/// The most such cells that 72 tiles can have: two more than twice as many.
const MOST: usize = 146;

/// The edges that surround a cell: two bits for each direction, N lowest; 0 where there is no tile, else the code of
/// the edge ([`super::tile_set::Edge`]).
pub type Demand = u8;

/// The open cells, sorted.
#[derive(Debug, Clone, Copy)]
pub struct OpenCells {
    cells: [Cell; MOST],
    demands: [Demand; MOST],
    len: u8,
}

impl OpenCells {
    /// No cells.
    pub const EMPTY: Self = Self { cells: [NOWHERE; MOST], demands: [0; MOST], len: 0 };

    /// The cells, by x and y, with their demands.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Demand)> {
        let len = usize::from(self.len);
        self.cells[..len].iter().copied().zip(self.demands[..len].iter().copied())
    }

    /// Just the demands.
    #[inline]
    #[must_use]
    pub fn demands(&self) -> &[Demand] {
        &self.demands[..usize::from(self.len)]
    }

    /// The demand of a cell; `None` unless it is open.
    #[inline]
    #[must_use]
    pub fn demand(&self, cell: Cell) -> Option<Demand> {
        self.find(cell).ok().map(|index| self.demands[index])
    }

    /// Closes a cell and returns its demand; 0 if it was not open.
    #[inline]
    pub fn close(&mut self, cell: Cell) -> Demand {
        let Ok(index) = self.find(cell) else { return 0 };
        let demand = self.demands[index];
        let len = usize::from(self.len);
        self.cells.copy_within(index + 1..len, index);
        self.demands.copy_within(index + 1..len, index);
        self.len -= 1;
        demand
    }

    /// Adds to the demand of an empty cell, opening it if necessary.
    #[inline]
    pub fn add(&mut self, cell: Cell, demand: Demand) {
        match self.find(cell) {
            Ok(index) => self.demands[index] |= demand,
            Err(index) => {
                let len = usize::from(self.len);
                self.cells.copy_within(index..len, index + 1);
                self.demands.copy_within(index..len, index + 1);
                (self.cells[index], self.demands[index]) = (cell, demand);
                self.len += 1;
            }
        }
    }

    #[inline]
    fn find(&self, cell: Cell) -> Result<usize, usize> {
        self.cells[..usize::from(self.len)].binary_search(&cell)
    }
}
