//! Exact play at the end of a game of two seats, as soon as little is hidden: after the next move, everything is known.
//!
//! Each whole move of the root is judged by plain minimax in every order of what is hidden, in one order for each
//! simulation. Most are refuted at once by what has refuted others. When none is left, the value of the best is exact.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::simulation::Context;
use crate::rules::{Outcome, Rules, Seat, ToAct};

/// More than the rounding of a sum of probabilities.
const TINY: f64 = 1e-9;

/// The end of a game that is being solved. Values are those of `seat`.
pub(super) struct Endgame<R: Rules> {
    seat: Seat,
    /// The states that the root may be, with their probabilities.
    orders: Vec<(R::State, f64)>,
    /// The whole moves that are not judged yet, the most promising one last.
    left: Vec<Trial<R::Action>>,
    /// The best move so far, and its value.
    best: Option<(Vec<R::Action>, f64)>,
    /// How often an action that came so many actions after the judged move made further ones needless.
    refuted: HashMap<(usize, R::Action), u32>,
}

/// A whole move that is being judged.
struct Trial<A> {
    actions: Vec<A>,
    /// The orders in which it has been judged, the sum of its values in them, each times its probability, and the
    /// probability of the others.
    judged: usize,
    sum: f64,
    rest: f64,
}

impl<R: Rules> Endgame<R> {
    /// The end of the game from `root`; `None` if it is too far away, or not one of two seats in turn.
    pub fn new(context: &Context<R>, root: &R::State) -> Option<Self> {
        let rules = &*context.rules;
        let ToAct::One(seat) = rules.to_act(root) else { return None };
        if rules.seats() != 2 {
            return None;
        }
        let orders = rules.hidden()?.orders(root);
        let mut left = Vec::new();
        collect(context, seat, &orders.first()?.0, &mut Vec::new(), &mut left);
        left.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        let trial = |(actions, _)| Trial { actions, judged: 0, sum: 0.0, rest: 1.0 };
        let left = left.into_iter().map(trial).collect();
        Some(Self { seat, orders, left, best: None, refuted: HashMap::new() })
    }

    /// The best move and its value, once all moves are judged.
    pub fn solution(&self) -> Option<(&[R::Action], f64)> {
        let (actions, value) = self.best.as_ref().filter(|_| self.left.is_empty())?;
        Some((actions, *value))
    }

    /// Judges the next move in its next order. Drops it once it cannot be better than the best one.
    pub fn judge(&mut self, rules: &R) {
        let Some(mut trial) = self.left.pop() else { return };
        let (mut state, probability) = self.orders[trial.judged].clone();
        trial.actions.iter().for_each(|action| rules.play_unchecked(&mut state, &[*action]));
        trial.judged += 1;
        trial.rest -= probability;
        let least = self.best.as_ref().map_or(f64::NEG_INFINITY, |(_, value)| *value);
        let needed = (least - trial.sum - trial.rest) / probability;
        let value = self.minimax(rules, &state, 0, (needed.max(-1.0), 1.0));
        trial.sum += probability * value;
        if value <= needed + TINY {
            return;
        }
        if trial.judged < self.orders.len() {
            return self.left.push(trial);
        }
        if trial.sum >= 1.0 - TINY {
            self.left.clear();
        }
        self.best = Some((trial.actions, trial.sum.clamp(-1.0, 1.0)));
    }

    /// The value of a state in which everything is known, `ply` actions after the judged move; only a bound for it if it
    /// is not within the limits.
    fn minimax(&mut self, rules: &R, state: &R::State, ply: usize, (mut least, mut most): (f64, f64)) -> f64 {
        let seat = match rules.to_act(state) {
            ToAct::One(seat) => seat,
            ToAct::Over(outcome) => return f64::from(outcome.values(2)[self.seat]),
            ToAct::Together => return 0.0,
        };
        let mut actions = Vec::new();
        rules.legal(state, seat, &mut actions);
        actions.sort_by_cached_key(|action| Reverse(self.refuted.get(&(ply, *action)).copied()));
        let mut best = if seat == self.seat { f64::NEG_INFINITY } else { f64::INFINITY };
        for action in actions {
            let mut after = state.clone();
            rules.play_unchecked(&mut after, &[action]);
            let value = self.minimax(rules, &after, ply + 1, (least, most));
            if seat == self.seat {
                best = best.max(value);
                least = least.max(value);
            } else {
                best = best.min(value);
                most = most.min(value);
            }
            if least >= most {
                *self.refuted.entry((ply, action)).or_insert(0) += 1;
                break;
            }
        }
        best
    }
}

/// The result of a game for a seat; of equal ones, the one with more points is larger.
fn by_points(outcome: &Outcome, seat: Seat) -> f32 {
    let lead = outcome.scores.map_or(0.0, |scores| scores[seat] - scores[1 - seat]);
    outcome.values(2)[seat] + lead / 1000.0
}

/// The whole moves from a state, with what each is worth to the seat if nothing follows.
fn collect<R: Rules>(
    context: &Context<R>,
    seat: Seat,
    state: &R::State,
    actions: &mut Vec<R::Action>,
    found: &mut Vec<(Vec<R::Action>, f32)>,
) {
    let rules = &*context.rules;
    let mut legal = Vec::new();
    rules.legal(state, seat, &mut legal);
    for action in legal {
        let mut after = state.clone();
        rules.play_unchecked(&mut after, &[action]);
        actions.push(action);
        match (rules.to_act(&after), &context.evaluator) {
            _ if !rules.at_rest(&after) => collect(context, seat, &after, actions, found),
            (ToAct::Over(outcome), _) => found.push((actions.clone(), by_points(&outcome, seat))),
            (_, Some(evaluator)) => found.push((actions.clone(), evaluator.value(rules, &after)[seat])),
            (_, None) => found.push((actions.clone(), 0.0)),
        }
        actions.pop();
    }
}
