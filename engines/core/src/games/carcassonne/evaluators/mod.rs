//! Evaluators: what a state is worth to each seat, and in which order to try actions.
//!
//! * [`outlook`]: points, meeples and expected points of all seats
//! * [`heuristics`]: the formulas `score`, `v1` and `v2`; [`weights`]: their parameters
//! * [`order`]: priors, by which searches try actions

pub mod heuristics;
pub mod order;
pub mod outlook;
pub mod weights;

use self::heuristics::{Heuristic, Score, V1, V2};
use self::order::Order;
use self::outlook::Outlook;
use self::weights::Weight;
use super::Carcassonne;
use super::action::Action;
use super::state::State;
use crate::evaluator::Evaluator;
use crate::rules::{MAX_SEATS, RuleError, Seat, Values};

/// A formula with an order of actions.
struct HeuristicEvaluator<H: 'static> {
    heuristic: H,
    /// The weights that the formula knows.
    known: &'static [Weight<H>],
    order: Order,
}

/// The names of all evaluators, the default first.
pub const NAMES: &str = "native, v2, v1, default, aggressive, field_heavy, conservative, score, seed";

/// The evaluator that `text` describes: a name, then weights, each after a slash.
///
/// # Errors
/// `BadConfig` for an unknown name or weight, or a weight out of range.
pub fn read(text: &str) -> Result<Box<dyn Evaluator<Carcassonne>>, RuleError> {
    let mut parts = text.split('/');
    let name = parts.next().unwrap_or_default();
    let v1 = match name {
        "native" | "v2" => return with_weights(name, V2::DEFAULT, &V2::WEIGHTS, parts, Order::Lookahead),
        "score" => return with_weights(name, Score::DEFAULT, &Score::WEIGHTS, parts, Order::Lookahead),
        "seed" => return with_weights(name, Score::DEFAULT, &Score::WEIGHTS, parts, Order::Nearest),
        "v1" | "default" => V1::DEFAULT,
        "aggressive" => V1::AGGRESSIVE,
        "field_heavy" => V1::FIELD_HEAVY,
        "conservative" => V1::CONSERVATIVE,
        _ => return Err(RuleError::BadConfig(format!("this game has no evaluator '{name}': one of {NAMES}"))),
    };
    with_weights(name, v1, &V1::WEIGHTS, parts, Order::Lookahead)
}

fn with_weights<'t, H: Heuristic + Clone + 'static>(
    name: &str,
    mut heuristic: H,
    known: &'static [Weight<H>],
    settings: impl Iterator<Item = &'t str>,
    order: Order,
) -> Result<Box<dyn Evaluator<Carcassonne>>, RuleError> {
    weights::set(name, &mut heuristic, known, settings)?;
    Ok(Box::new(HeuristicEvaluator { heuristic, known, order }))
}

impl<H: Heuristic + Clone> Evaluator<Carcassonne> for HeuristicEvaluator<H> {
    /// With two seats, the difference of their shares; with more, each seat's share, from [0, 1] to [-1, 1]. Seats that
    /// have left lose.
    fn value(&self, game: &Carcassonne, state: &State) -> Values {
        let outlook = Outlook::new(game, state);
        let mut values = [0.0; MAX_SEATS];
        if game.seats == 2 {
            let lead = self.heuristic.share(&outlook, 0) - self.heuristic.share(&outlook, 1);
            [values[0], values[1]] = [lead as f32, -lead as f32];
            return values;
        }
        for (seat, value) in values.iter_mut().enumerate().take(game.seats) {
            let has_left = state.gone() >> seat & 1 == 1;
            *value = if has_left { -1.0 } else { 2.0 * self.heuristic.share(&outlook, seat) as f32 - 1.0 };
        }
        values
    }

    fn raw_value(&self, game: &Carcassonne, state: &State, seat: Seat) -> f32 {
        2.0 * self.heuristic.share(&Outlook::new(game, state), seat) as f32 - 1.0
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        weights::read(&self.heuristic, self.known)
    }

    fn priors(&self, game: &Carcassonne, state: &State, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        match self.order {
            Order::Lookahead => order::by_share(&self.heuristic, game, state, seat, actions, out),
            Order::Nearest => out.extend(actions.iter().map(|action| order::nearest(game, state, *action))),
        }
    }
}
