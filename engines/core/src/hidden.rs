//! Hidden information: chance is drawn at setup and stored in the state, unseen. There are no chance nodes.
//!
//! A position is either *dealt* (set up from its seed, so that the true order is known) or *public* (set up from what
//! every seat knows; each recorded move has a *tail* with the information that it revealed). In a public position, the
//! hidden rest is any order consistent with that. A tail encodes an observation, a value of the game's own type.

use serde_json::Value;

use crate::rules::{RuleError, Rules, Seat};

/// Optional part of [`Rules`] for games with hidden order.
pub trait Hidden<R: Rules>: Sync {
    /// Whether the game was set up from its secret, so that its order is the true one.
    fn is_dealt(&self) -> bool;

    /// The configuration members omitted by `Rules::config`, as an object; empty for a public position.
    fn secret(&self) -> Value;

    /// Reshuffles what `seat` cannot know, with `seed`: uniform over all orders consistent with its knowledge.
    /// The result depends on nothing else, above all not on the order before: sort before shuffling.
    fn redeal(&self, state: &mut R::State, seat: Seat, seed: u64);

    /// The states that `state` may be, for all that the seats know, with their probabilities, if after the next move
    /// nothing is hidden any more that matters; else none. For searches that solve the end of a game.
    fn orders(&self, _state: &R::State) -> Vec<(R::State, f64)> {
        Vec::new()
    }

    /// The information revealed between two states that are one move apart.
    fn observe(&self, before: &R::State, after: &R::State) -> R::Observation;

    /// Reshuffles the hidden part of a public position so that the next move reveals this observation.
    ///
    /// # Errors
    /// `IllegalMove` if no consistent order can produce it.
    fn reveal(&self, state: &mut R::State, observation: &R::Observation) -> Result<(), RuleError>;

    /// Splits a recorded move into the submitted move and its tail, which may be empty.
    fn split<'t>(&self, text: &'t str) -> (&'t str, &'t str);

    /// Parses a tail.
    ///
    /// # Errors
    /// `BadNotation`.
    fn read_tail(&self, tail: &str) -> Result<R::Observation, RuleError>;

    /// The tail for an observation; empty if nothing was revealed.
    fn write_tail(&self, observation: &R::Observation) -> String;
}
