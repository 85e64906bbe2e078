//! Points that are won during a game: what searches for points need besides [`Rules::scores`].

use crate::rules::{Rules, Values};

/// Optional part of [`Rules`] for games with points. Points are multiples of a half.
pub trait Points<R: Rules>: Sync {
    /// Upper bound on the points that all seats together can still win, ≥ 0; the scale of differences in points.
    fn remaining(&self, state: &R::State) -> f32;

    /// The value of an unfinished state for each seat, in [-1, 1], if these are the expected final points. The values
    /// of two seats sum to zero.
    fn values(&self, state: &R::State, expected: &Values) -> Values;
}
