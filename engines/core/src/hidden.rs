//! Hidden information: chance is dealt at setup and lies in the state, unseen. There are no chance nodes.
//!
//! A position is either *dealt* (set up with its seed: the true order is known) or *public* (set up from what every
//! seat knows; each recorded move carries a *tail* that names what became known after it). The unseen rest of a public
//! position is any order consistent with that. What a tail says is an observation, a value of the game's own type.

use serde_json::Value;

use crate::rules::{RuleError, Rules, Seat};

/// Optional part of [`Rules`] for games with hidden order.
pub trait Hidden<R: Rules>: Sync {
    /// Whether the game was set up with its secret, so that its order is the true one.
    fn is_dealt(&self) -> bool;

    /// The configuration members that `Rules::config` leaves out, as an object; empty for a public position.
    fn secret(&self) -> Value;

    /// Reorders what `seat` cannot know, uniformly over all orders consistent with what it does, from `seed`.
    fn redeal(&self, state: &mut R::State, seat: Seat, seed: u64);

    /// What became known between two states that are one move apart.
    fn observe(&self, before: &R::State, after: &R::State) -> R::Observation;

    /// Reorders the unseen rest of a public position so that playing the next move reveals what was observed.
    ///
    /// # Errors
    /// `IllegalMove` when no consistent order can produce it.
    fn reveal(&self, state: &mut R::State, observation: &R::Observation) -> Result<(), RuleError>;

    /// Splits a recorded move into the move as a player submits it and its tail (empty where there is none).
    fn split<'t>(&self, text: &'t str) -> (&'t str, &'t str);

    /// Reads a tail.
    ///
    /// # Errors
    /// `BadNotation`.
    fn read_tail(&self, tail: &str) -> Result<R::Observation, RuleError>;

    /// The tail that records an observation; empty where nothing became known.
    fn write_tail(&self, observation: &R::Observation) -> String;
}
