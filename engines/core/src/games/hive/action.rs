//! One ply: placing a bug, moving the top piece of a cell, or passing. A piece is identified by its cell rather than
//! its number, so that an action means the same in all positions with equal keys.

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
    /// Places the next piece of the bug.
    Place(Bug, Cell),
    /// Moves the top piece of the first cell to the second, by itself or by a throw.
    Move(Cell, Cell),
    /// Does nothing.
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

    /// The action's parts.
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
