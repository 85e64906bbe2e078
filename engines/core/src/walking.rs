//! Games in which every seat walks from cell to cell: what a search needs to send a seat to a cell.

use crate::rules::{Rules, Seat};

/// Optional part of [`Rules`] for games in which every seat has one piece that walks, and wins things where it arrives.
pub trait Walking<R: Rules>: Sync {
    /// The number of the cell where a seat's piece is.
    fn cell(&self, state: &R::State, seat: Seat) -> u16;

    /// Whether a shortest way of a seat to a cell begins with an action; false if nothing lay in the cell at the start.
    fn leads_to(&self, state: &R::State, seat: Seat, action: R::Action, cell: u16) -> bool;
}
