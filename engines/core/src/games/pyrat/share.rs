//! The evaluator `share`: who is nearer to the nearest cheese gets more of what remains. A cheap yardstick for [`native`],
//! with equal priors.
//!
//! [`native`]: super::native

use super::PyRat;
use super::direction::Direction;
use super::state::State;
use super::travel::NEVER;
use crate::evaluator::Evaluator;
use crate::rules::{MAX_SEATS, Seat, Values};

/// The remaining cheese, shared in inverse proportion to the times to the nearest piece.
#[derive(Debug, Clone, Copy)]
pub struct Share;

impl Share {
    /// What each seat gets, if the times to its nearest piece are t and u: (u + 1) / (t + u + 2) of what remains.
    fn future<const W: usize>(rules: &PyRat<W>, state: &State<W>) -> [f64; 2] {
        let [own, other] = [0, 1].map(|seat| {
            let player = state.players()[seat];
            let times = rules.times_from(player.cell);
            let nearest = state.pieces().map(|piece| times[usize::from(piece)]).min().unwrap_or(NEVER);
            f64::from(nearest) + f64::from(player.held)
        });
        let remaining = f64::from(rules.remaining_half_points(state)) / 2.0;
        let first = remaining * (other + 1.0) / (own + other + 2.0);
        [first, remaining - first]
    }
}

impl<const W: usize> Evaluator<PyRat<W>> for Share {
    fn value(&self, rules: &PyRat<W>, state: &State<W>) -> Values {
        rules.values_with(state, Self::future(rules, state).map(|points| points as f32))
    }

    fn future_points(&self, rules: &PyRat<W>, state: &State<W>) -> Option<[f64; MAX_SEATS]> {
        let mut points = [0.0; MAX_SEATS];
        points[..2].copy_from_slice(&Self::future(rules, state));
        Some(points)
    }

    fn priors(&self, _: &PyRat<W>, _: &State<W>, _: Seat, actions: &[Direction], out: &mut Vec<f32>) {
        out.resize(out.len() + actions.len(), 1.0);
    }
}
