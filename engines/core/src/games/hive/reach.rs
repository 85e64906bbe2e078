//! Receivers of the destinations of one piece. Rules of movement pass destinations in the form in which they have them,
//! so that counting need not list them.

use super::cells::{CellSet, Cells};
use super::grid::{Cell, beside};
use super::ring::Ring;
use super::window::Window;

/// Receives the destinations of one piece, each once.
pub trait Reach {
    /// The neighbours of `cell` in these directions.
    fn beside(&mut self, cell: Cell, directions: Ring);
    /// One more cell.
    fn to(&mut self, cell: Cell);
    /// More cells.
    fn all(&mut self, cells: &[Cell]);
    /// More cells, except for `few` of them.
    #[inline]
    fn all_but(&mut self, cells: &[Cell], few: &[Cell]) {
        cells.iter().filter(|cell| !few.contains(cell)).for_each(|&cell| self.to(cell));
    }
    /// The cells of a window.
    #[inline]
    fn window(&mut self, window: Window) {
        window.cells().for_each(|cell| self.to(cell));
    }
}

/// Collects destinations without duplicates.
#[derive(Default)]
pub struct Union {
    seen: CellSet,
    list: Cells,
}

impl Union {
    /// No destinations yet; excludes `cell`.
    #[inline]
    #[must_use]
    pub fn except(cell: Cell) -> Self {
        let mut union = Self::default();
        union.seen.insert(cell);
        union
    }

    /// Adds a cell that may already be known, without a branch.
    #[inline]
    pub fn add(&mut self, cell: Cell) {
        self.list.push_if(cell, self.seen.insert(cell));
    }

    /// The destinations, in order of arrival.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        self.list.as_slice()
    }
}

impl Reach for Union {
    #[inline]
    fn beside(&mut self, cell: Cell, directions: Ring) {
        directions.for_each(|direction| self.to(beside(cell, direction)));
    }

    #[inline]
    fn to(&mut self, cell: Cell) {
        if self.seen.insert(cell) {
            self.list.push(cell);
        }
    }

    #[inline]
    fn all(&mut self, cells: &[Cell]) {
        cells.iter().for_each(|&cell| self.to(cell));
    }
}
