//! Exact play at the end of a game of two seats, as soon as little is hidden: after the next move, everything is known.
//!
//! Each whole move of the root is judged by plain minimax in every order of what is hidden, in one order for each
//! simulation. Most are refuted at once by what has refuted others. When none is left, the value of the best is exact,
//! and so are the points: of equal results, both seats prefer the one with more points.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::simulation::Context;
use crate::rules::{Outcome, Rules, Seat, ToAct, Values};

/// More than the rounding of a sum of probabilities.
const TINY: f64 = 1e-9;

/// What a lead of one point is worth beside a result from -1 to 1.
const POINT: f64 = 1e-5;

/// No result differs from 0 by more, with a lead of up to a thousand points.
const MOST: f64 = 1.0 + 1000.0 * POINT;

/// The end of a game that is being solved. Results are those of `seat`.
pub(super) struct Endgame<R: Rules> {
    seat: Seat,
    /// The states that the root may be, with their probabilities.
    orders: Vec<(R::State, f64)>,
    /// The whole moves that are not judged yet, the most promising one last.
    left: Vec<Trial<R::Action>>,
    /// The best move so far.
    best: Option<Solution<R::Action>>,
    /// How often an action that came so many actions after the judged move made further ones needless.
    refuted: HashMap<(usize, R::Action), u32>,
}

/// A whole move and what it is worth, on average over the orders.
#[derive(Clone)]
pub(super) struct Solution<A> {
    pub actions: Vec<A>,
    pub value: f64,
    /// The final points of both seats, in games with points.
    pub points: Option<Values>,
    result: f64,
}

/// A whole move that is being judged.
#[derive(Clone)]
struct Trial<A> {
    /// The sums over the orders in which it has been judged, each times its probability.
    sums: Solution<A>,
    /// The number of these orders, and the probability of the others.
    judged: usize,
    rest: f64,
}

/// How a game ends if both seats play well: the result for a seat, its value plus a little for its lead.
#[derive(Clone, Copy)]
struct End {
    result: f64,
    value: f64,
    points: Option<Values>,
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
        let trial = |(actions, _)| Trial {
            sums: Solution { actions, value: 0.0, points: None, result: 0.0 },
            judged: 0,
            rest: 1.0,
        };
        let left = left.into_iter().map(trial).collect();
        Some(Self { seat, orders, left, best: None, refuted: HashMap::new() })
    }

    /// The same for a copy of the search.
    pub fn copy(&self) -> Self {
        Self {
            seat: self.seat,
            orders: self.orders.clone(),
            left: self.left.clone(),
            best: self.best.clone(),
            refuted: self.refuted.clone(),
        }
    }

    /// The best move, once all moves are judged.
    pub fn solution(&self) -> Option<&Solution<R::Action>> {
        self.best.as_ref().filter(|_| self.left.is_empty())
    }

    /// Judges the next move in its next order. Drops it once it cannot be better than the best one.
    pub fn judge(&mut self, rules: &R) {
        let Some(mut trial) = self.left.pop() else { return };
        let (mut state, probability) = self.orders[trial.judged].clone();
        trial.sums.actions.iter().for_each(|action| rules.play_unchecked(&mut state, &[*action]));
        trial.judged += 1;
        trial.rest -= probability;
        let least = self.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.result);
        let needed = (least - trial.sums.result - MOST * trial.rest) / probability;
        let end = self.minimax(rules, &state, 0, (needed.max(-MOST), MOST));
        if end.result <= needed + TINY {
            return;
        }
        trial.sums.add(&end, probability);
        if trial.judged < self.orders.len() {
            self.left.push(trial);
        } else {
            self.best = Some(trial.sums);
        }
    }

    /// The end that follows from a state in which everything is known, `ply` actions after the judged move; its result is
    /// only a bound if it is not within the limits.
    fn minimax(&mut self, rules: &R, state: &R::State, ply: usize, (mut least, mut most): (f64, f64)) -> End {
        let seat = match rules.to_act(state) {
            ToAct::One(seat) => seat,
            ToAct::Over(outcome) => return End::of(&outcome, self.seat),
            ToAct::Together => return End::OPEN,
        };
        let mut actions = Vec::new();
        rules.legal(state, seat, &mut actions);
        actions.sort_by_cached_key(|action| Reverse(self.refuted.get(&(ply, *action)).copied()));
        let mut best: Option<End> = None;
        for action in actions {
            let mut after = state.clone();
            rules.play_unchecked(&mut after, &[action]);
            let end = self.minimax(rules, &after, ply + 1, (least, most));
            let is_own = seat == self.seat;
            if best.is_none_or(|best| if is_own { end.result > best.result } else { end.result < best.result }) {
                best = Some(end);
            }
            if is_own {
                least = least.max(end.result);
            } else {
                most = most.min(end.result);
            }
            if least >= most {
                *self.refuted.entry((ply, action)).or_insert(0) += 1;
                break;
            }
        }
        best.unwrap_or(End::OPEN)
    }
}

impl<A> Solution<A> {
    fn add(&mut self, end: &End, probability: f64) {
        self.result += probability * end.result;
        self.value += probability * end.value;
        if let Some(points) = end.points {
            let sums = self.points.get_or_insert_default();
            sums.iter_mut().zip(points).for_each(|(sum, points)| *sum += probability as f32 * points);
        }
    }
}

impl End {
    const OPEN: Self = Self { result: 0.0, value: 0.0, points: None };

    fn of(outcome: &Outcome, seat: Seat) -> Self {
        let value = f64::from(outcome.values(2)[seat]);
        let lead = outcome.scores.map_or(0.0, |scores| f64::from(scores[seat] - scores[1 - seat]));
        Self { result: value + POINT * lead, value, points: outcome.scores }
    }
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
            (ToAct::Over(outcome), _) => found.push((actions.clone(), End::of(&outcome, seat).result as f32)),
            (_, Some(evaluator)) => found.push((actions.clone(), evaluator.value(rules, &after)[seat])),
            (_, None) => found.push((actions.clone(), 0.0)),
        }
        actions.pop();
    }
}
