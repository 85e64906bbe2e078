//! One ply: placing a bug, moving the top piece of a cell, or passing. Pieces are named by their cell and not by their
//! number, so that an action means the same in every position of equal key.

use super::bug::Bug;
use super::grid::{CELLS, Cell, NOWHERE};

/// `from` of a placement: this plus the bug.
const HAND: u16 = CELLS as u16;

/// A placement, a move or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    from: u16,
    to: Cell,
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The next piece of the bug comes into play.
    Place(Bug, Cell),
    /// The top piece of the first cell goes to the second, by itself or thrown.
    Move(Cell, Cell),
    /// Nothing.
    Pass,
}

impl Action {
    /// The pass.
    pub const PASS: Self = Self { from: NOWHERE, to: NOWHERE };

    /// A placement.
    #[inline]
    #[must_use]
    pub fn place(bug: Bug, to: Cell) -> Self {
        Self { from: HAND + bug as u16, to }
    }

    /// A move.
    #[inline]
    #[must_use]
    pub fn step(from: Cell, to: Cell) -> Self {
        Self { from, to }
    }

    /// What it does.
    #[inline]
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.from {
            NOWHERE => Kind::Pass,
            from if from < HAND => Kind::Move(from, self.to),
            from => Kind::Place(Bug::ALL[usize::from(from - HAND) & 7], self.to),
        }
    }
}
