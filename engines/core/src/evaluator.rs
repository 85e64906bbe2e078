//! Evaluators written in Rust: priors over actions and a value per seat, without a network.
//!
//! Values and priors are separate because a search needs the value of every leaf, but priors only for nodes that it
//! visits again.

use crate::rules::{MAX_SEATS, Outcome, Rules, Seat, Values};

/// What a state is worth to each seat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The values, in [-1, 1].
    pub values: Values,
    /// The expected points at the end of the game; `None` in games without points, or if the evaluator estimates none.
    pub points: Option<Values>,
}

impl Estimate {
    /// What an outcome is worth, as [`Outcome::values`].
    #[must_use]
    pub fn of_outcome(outcome: &Outcome, seats: usize) -> Self {
        Self { values: outcome.values(seats), points: outcome.scores }
    }

    /// A draw in a game without points.
    pub const DRAW: Self = Self { values: [0.0; MAX_SEATS], points: None };
}

/// A heuristic evaluation within the core.
pub trait Evaluator<R: Rules>: Send + Sync {
    /// The value of an unfinished state for each seat, in [-1, 1].
    fn value(&self, rules: &R, state: &R::State) -> Values;

    /// The value for one seat in [-1, 1], before the values of two seats are made to sum to zero. Override if
    /// [`Self::value`] does that.
    fn raw_value(&self, rules: &R, state: &R::State, seat: Seat) -> f32 {
        self.value(rules, state)[seat]
    }

    /// The points that each seat is expected to win from an unfinished state on, ≥ 0, for evaluators that estimate
    /// points. The others, which estimate only the result, return `None` for every state.
    fn future_points(&self, _rules: &R, _state: &R::State) -> Option<[f64; MAX_SEATS]> {
        None
    }

    /// The value of an unfinished state, and the points that each seat is expected to have at the end of the game.
    /// Override if both are computed from the same.
    fn estimate(&self, rules: &R, state: &R::State) -> Estimate {
        let points = rules.scores(state).zip(self.future_points(rules, state));
        let points = points.map(|(so_far, more)| std::array::from_fn(|seat| so_far[seat] + more[seat] as f32));
        Estimate { values: self.value(rules, state), points }
    }

    /// What the value is computed from, for programs that fit an evaluator: a row of numbers for each seat, all of the same
    /// length. `None` for evaluators that are not fitted.
    fn features(&self, _rules: &R, _state: &R::State) -> Option<Vec<Vec<f32>>> {
        None
    }

    /// The weights that can be written behind the evaluator's name, and their numbers; none for most evaluators.
    fn weights(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Appends one weight ≥ 0 per action of `actions` (the legal ones of `seat`, in order). They need not sum to 1;
    /// a weight of 0 keeps the search from following that action.
    fn priors(&self, rules: &R, state: &R::State, seat: Seat, actions: &[R::Action], out: &mut Vec<f32>);

    /// Whether an action of `seat` brings sooner what it wins in any case. Values do not tell: points won later are worth as
    /// much. Of moves that a search finds about equally good, it plays one that hastens.
    fn hastens(&self, _rules: &R, _state: &R::State, _seat: Seat, _action: R::Action) -> bool {
        false
    }

    /// Whether an action of `seat` goes on with what its last one began; `before` is the state before that. A search goes
    /// on unless something else is worth clearly more: a player that changes its mind in every turn gets nowhere.
    fn goes_on(&self, _rules: &R, _before: &R::State, _state: &R::State, _seat: Seat, _action: R::Action) -> bool {
        false
    }
}

/// Expects no more points, gives all actions the same weight, and sees every position as even unless the points so far
/// say otherwise.
#[derive(Debug, Clone, Copy)]
pub struct Zero;

impl<R: Rules> Evaluator<R> for Zero {
    fn value(&self, rules: &R, state: &R::State) -> Values {
        match (rules.points(), rules.scores(state)) {
            (Some(points), Some(scores)) => points.values(state, &scores),
            _ => [0.0; MAX_SEATS],
        }
    }

    fn future_points(&self, _: &R, _: &R::State) -> Option<[f64; MAX_SEATS]> {
        Some([0.0; MAX_SEATS])
    }

    fn priors(&self, _: &R, _: &R::State, _: Seat, actions: &[R::Action], out: &mut Vec<f32>) {
        out.resize(out.len() + actions.len(), 1.0);
    }
}
