//! The reference's evaluator without a network: a ratio of distances, and steps that prefer short ways.
//!
//! Source: the `simple` policy of the reference engine, here with names for its numbers.

use super::Wallwars;
use super::action::{Action, ActionKind, Cell, Pawn};
use super::setup::Variant;
use super::state::State;
use crate::evaluator::Evaluator;
use crate::rules::{MAX_SEATS, Seat, Values};

/// The reference's evaluator, by default with the reference's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simple {
    /// Total prior of all steps, in [0, 1]; the walls share the rest equally.
    pub move_prior: f32,
    /// Weight of a cat's step towards its goal, and of a mouse's away from the cat that hunts it.
    pub good_step: f32,
    /// Weight of every other step. (No step keeps a distance: neighbouring cells differ by one.)
    pub bad_step: f32,
}

impl Default for Simple {
    fn default() -> Self {
        Self { move_prior: 0.3, good_step: 1.5, bad_step: 0.75 }
    }
}

/// The value of having `mine` steps to go when the opponent has `other`, in [-1, 1]; 0 if they are equal.
#[must_use]
pub fn score(mine: f32, other: f32) -> f32 {
    if mine == other {
        return 0.0;
    }
    if mine < other { 1.0 - mine / other } else { other / mine - 1.0 }
}

impl<const N: usize> Evaluator<Wallwars<N>> for Simple {
    fn value(&self, rules: &Wallwars<N>, state: &State<N>) -> Values {
        let [first, second] = steps_to_go(rules, state);
        let score = score(first, second);
        let mut values = [0.0; MAX_SEATS];
        (values[0], values[1]) = (score, -score);
        values
    }

    fn priors(&self, rules: &Wallwars<N>, state: &State<N>, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        let toward = [Pawn::Cat, Pawn::Mouse].map(|pawn| {
            let cell = state.pawn(seat, pawn);
            hunt(rules, state, seat, pawn).map(|other| (cell, state.board().nearer(cell, other)))
        });
        let start = out.len();
        let (mut steps, mut walls) = (0.0, 0.0_f32);
        for &action in actions {
            let weight = match action.kind() {
                ActionKind::Step(..) if state.undoes(action) => 0.0,
                ActionKind::Step(pawn, direction) => {
                    let nearer = toward[pawn as usize]
                        .is_some_and(|(cell, nearer)| nearer.has(state.board().beside(cell, direction)));
                    let weight = if nearer == (pawn == Pawn::Cat) { self.good_step } else { self.bad_step };
                    steps += weight;
                    weight
                }
                ActionKind::Wall(_) => {
                    walls += 1.0;
                    1.0
                }
                ActionKind::End => f32::from(u8::from(actions.len() == 1)),
            };
            out.push(weight);
        }
        let (step_share, wall_share) = (self.move_prior / steps, (1.0 - self.move_prior) / walls);
        for (weight, action) in out[start..].iter_mut().zip(actions) {
            match action.kind() {
                ActionKind::Step(..) if *weight > 0.0 => *weight *= step_share,
                ActionKind::Wall(_) => *weight *= wall_share,
                _ => {}
            }
        }
    }
}

/// The cell that a step of `pawn` is measured by: a cat's goal, or the cat that hunts a mouse.
fn hunt<const N: usize>(rules: &Wallwars<N>, state: &State<N>, seat: Seat, pawn: Pawn) -> Option<Cell> {
    match pawn {
        Pawn::Cat => rules.race(state, seat).map(|(_, goal)| goal),
        Pawn::Mouse => rules.moves_pawn(seat, pawn).then(|| state.pawn(1 - seat, Pawn::Cat)),
    }
}

/// Steps that each seat has to go. In a survival game, the mouse has to wait for the cat's last action.
pub(super) fn steps_to_go<const N: usize>(rules: &Wallwars<N>, state: &State<N>) -> [f32; 2] {
    [0, 1].map(|seat| match rules.race(state, seat) {
        Some((cat, goal)) => f32::from(state.board().distance(cat, goal).unwrap_or(u16::MAX)),
        None => cat_actions_left(rules, state),
    })
}

/// The actions that the cat of a survival game has left, which are steps that the mouse has to wait.
pub(super) fn cat_actions_left<const N: usize>(rules: &Wallwars<N>, state: &State<N>) -> f32 {
    let Variant::Survival(terms) = rules.variant() else { return 0.0 };
    let turns = terms.turns.saturating_sub(state.ply().div_ceil(2));
    let used = if state.seat() == 0 { 2 - state.actions_left() } else { 0 };
    (2.0 * turns as f32 - f32::from(used)).max(0.0)
}
