//! The evaluator `linear`, and what the evaluators share: how close each Queen is to being surrounded, and which pieces can do it.
//!
//! The lead in points is the sum of the [`features`](super::features) of a seat, weighted by
//! [`weights`](super::weights), minus that of the other seat. The weights were fitted to the results of games between
//! alpha-beta searches.
//!
//! The value is x/√(1 + x²) of the lead, which, unlike tanh, is the same number on every machine. *Priors* rank actions
//! by their effect around the two Queens.

use super::Hive;
use super::action::{Action, Kind};
use super::board::Board;
use super::bug::Bug;
use super::features::{self, FEATURES};
use super::grid::{Cell, NOWHERE, touch};
use super::state::State;
use super::weights::WEIGHTS;
use crate::evaluator::Evaluator;
use crate::rules::{MAX_SEATS, Seat, Values};

/// The evaluator.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// Thousandths of a point per feature.
    pub weights: [i16; FEATURES],
}

impl Default for Linear {
    fn default() -> Self {
        Self { weights: WEIGHTS }
    }
}

impl Evaluator<Hive> for Linear {
    fn value(&self, rules: &Hive, state: &State) -> Values {
        let points = |seat| {
            let mut sum = 0;
            features::visit(rules, state, seat, |feature| sum += i32::from(self.weights[feature]));
            sum
        };
        values_of(0, points(0) - points(1))
    }

    fn features(&self, rules: &Hive, state: &State) -> Option<Vec<Vec<f32>>> {
        Some(feature_counts(rules, state))
    }

    fn priors(&self, _: &Hive, state: &State, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        priors(state, seat, actions, out);
    }
}

/// The values of both seats, if `seat` leads by so many thousandths of a point.
pub(super) fn values_of(seat: Seat, lead: i32) -> Values {
    let ahead = lead as f32 / 1000.0;
    let value = ahead / (1.0 + ahead * ahead).sqrt();
    let mut values = [0.0; MAX_SEATS];
    (values[seat], values[1 - seat]) = (value, -value);
    values
}

/// [`Evaluator::features`]: what the evaluators of this game share.
pub(super) fn feature_counts(rules: &Hive, state: &State) -> Vec<Vec<f32>> {
    let row = |seat| features::counts(rules, state, seat).map(f32::from).to_vec();
    vec![row(0), row(1)]
}

/// [`Evaluator::priors`]: what the evaluators of this game share.
pub(super) fn priors(state: &State, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
    let board = state.board();
    let queens = [seat, 1 - seat].map(|seat| board.queen(seat).unwrap_or(NOWHERE));
    out.extend(actions.iter().map(|&action| prior(board, queens, action)));
}

/// The weight of an action; `queens` are the cells of the own and the other Queen.
fn prior(board: &Board, [own, other]: [Cell; 2], action: Action) -> f32 {
    let near = |cell: Cell, queen: Cell| queen != NOWHERE && touch(cell, queen);
    match action.kind() {
        Kind::Pass => 1.0,
        Kind::Place(Bug::Queen, _) => 2.0,
        Kind::Place(_, to) => {
            if near(to, own) {
                0.4
            } else {
                1.0
            }
        }
        Kind::Move(from, to) => {
            let mut weight = 1.0;
            if to == other && from != other {
                weight *= 8.0;
            }
            match (near(from, other), near(to, other)) {
                (false, true) if from != other => weight *= 6.0,
                (true, false) if to != other => weight *= 0.15,
                _ => {}
            }
            if from == own {
                weight *= if board.ring(to).len() < board.ring(own).len() { 3.0 } else { 0.6 };
            } else {
                match (near(from, own), near(to, own)) {
                    (true, false) => weight *= 4.0,
                    (false, true) => weight *= 0.3,
                    _ => {}
                }
            }
            weight
        }
    }
}
