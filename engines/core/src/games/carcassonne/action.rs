//! One decision of a seat.

use super::cell::Cell;
use super::tile_set::Local;

/// A decision. Every turn is a placement and then a meeple or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Places the tile in hand on a cell after so many quarter turns clockwise, 0..=3.
    Place(Cell, u8),
    /// Puts a meeple on a segment of that tile.
    Claim(Local),
    /// Puts none.
    Skip,
}
