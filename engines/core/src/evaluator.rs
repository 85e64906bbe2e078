//! Evaluators written in Rust: priors over actions and a value per seat, without a network.
//!
//! The two halves are separate because a search asks for the value of every leaf but for the priors only of nodes that
//! it visits again.

use crate::rules::{Rules, Seat, Values};

/// A heuristic that a search can ask without leaving the core.
pub trait Evaluator<R: Rules>: Send + Sync {
    /// The value of a running state for each seat, in [-1, 1].
    fn value(&self, rules: &R, state: &R::State) -> Values;

    /// Appends one weight ≥ 0 per action of `actions` (the legal ones of `seat`, in order). They need not sum to 1;
    /// a weight of 0 keeps the search from following that action.
    fn priors(&self, rules: &R, state: &R::State, seat: Seat, actions: &[R::Action], out: &mut Vec<f32>);
}
