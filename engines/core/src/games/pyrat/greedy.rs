//! The evaluator of the search `greedy`: its priors lead to the nearest cheese. It ignores the other player, and its
//! values see only the points so far.

use super::PyRat;
use super::direction::Direction;
use super::state::State;
use super::travel::{self, NEVER};
use crate::evaluator::{Evaluator, Zero};
use crate::rules::{Seat, Values};

/// The way to the nearest cheese by travel time.
#[derive(Debug, Clone, Copy)]
pub struct Greedy;

impl<const W: usize> Evaluator<PyRat<W>> for Greedy {
    fn value(&self, rules: &PyRat<W>, state: &State<W>) -> Values {
        Zero.value(rules, state)
    }

    /// The weight is 1 for directions after which the nearest cheese is collected soonest, and 0 for all others.
    fn priors(&self, rules: &PyRat<W>, state: &State<W>, seat: Seat, actions: &[Direction], out: &mut Vec<f32>) {
        let cheese = state.pieces().map(|piece| rules.start().cheese[usize::from(piece)]);
        let times = travel::times_to_nearest(rules.board(), cheese);
        let square = rules.board().square(state.players()[seat].cell);
        let time = |direction: &Direction| {
            let exit = square.exits[*direction as usize];
            times[usize::from(exit.to)].saturating_add(exit.held.into())
        };
        let shortest = actions.iter().map(time).min().unwrap_or(NEVER);
        out.extend(actions.iter().map(|direction| f32::from(u8::from(time(direction) == shortest))));
    }
}
