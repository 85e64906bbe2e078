//! Repeated positions: what a search needs to know in games where positions can recur.

use crate::rules::Rules;

/// Whether a search counts the position of `state`, `ply` actions from its root, as a draw: returns the ply of its
/// earlier occurrence on the path from the root, or `ply` itself if it occurs for the third time in the game; else
/// `None`.
pub fn drawn_by<R: Rules>(rules: &R, state: &R::State, ply: usize) -> Option<usize> {
    let earlier = rules.repetition()?.earlier(state)?;
    match ply.checked_sub(earlier.plies) {
        None if earlier.times < 2 => None,
        None => Some(ply),
        on_path => on_path,
    }
}

/// Earlier occurrences of a position in the game that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Earlier {
    /// Number of earlier occurrences, at least 1.
    pub times: usize,
    /// Plies since the latest one.
    pub plies: usize,
}

/// Optional part of [`Rules`] for games whose positions can recur, whether or not that ends the game.
pub trait Repetition<R: Rules>: Sync {
    /// The earlier occurrences of the position of `state`, or `None` if it is new.
    fn earlier(&self, state: &R::State) -> Option<Earlier>;

    /// A hash of the positions that have occurred at least twice and can recur; 0 if there are none.
    fn repeated(&self, state: &R::State) -> u64;
}
