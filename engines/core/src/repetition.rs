//! Positions that come again: what a search asks of games in which play can go round in circles.

use crate::rules::Rules;

/// Earlier occurrences of a position in the game that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Earlier {
    /// How many there are, at least 1.
    pub times: usize,
    /// Plies since the latest of them.
    pub plies: usize,
}

/// Optional part of [`Rules`] for games whose positions can come again, whether or not that ends the game.
pub trait Repetition<R: Rules>: Sync {
    /// The earlier occurrences of the position of `state`, or `None` if it is new.
    fn earlier(&self, state: &R::State) -> Option<Earlier>;

    /// A hash of the positions that have occurred at least twice and can come again; 0 if there are none.
    fn repeated(&self, state: &R::State) -> u64;
}
