//! Evaluators: what a state is worth to each seat, and in which order to try actions.
//!
//! * [`outlook`]: points and meeples of all seats, and what unfinished cities, roads, monasteries and fields promise
//! * [`placings`]: the same after each placing of a tile
//! * [`heuristics`]: the formulas `score`, `v1` and `v2`; [`weight_settings`]: reads their weights
//! * [`expectation`]: expected points at the end
//! * [`order`]: priors, by which searches try actions

pub mod expectation;
pub mod heuristics;
pub mod order;
pub mod outlook;
pub mod placings;
pub mod weight_settings;

use self::heuristics::{Heuristic, Score, V1, V2};
use self::order::Order;
use self::outlook::Outlook;
use self::weight_settings::Weight;
use super::Carcassonne;
use super::action::Action;
use super::state::State;
use crate::evaluator::{Estimate, Evaluator};
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
    weight_settings::set(name, &mut heuristic, known, settings)?;
    Ok(Box::new(HeuristicEvaluator { heuristic, known, order }))
}

impl<H: Heuristic + Clone> Evaluator<Carcassonne> for HeuristicEvaluator<H> {
    fn value(&self, game: &Carcassonne, state: &State) -> Values {
        self.values(game, state, &Outlook::new(game, state))
    }

    fn raw_value(&self, game: &Carcassonne, state: &State, seat: Seat) -> f32 {
        2.0 * self.heuristic.share(&Outlook::new(game, state), seat) as f32 - 1.0
    }

    fn estimate(&self, game: &Carcassonne, state: &State) -> Estimate {
        let outlook = Outlook::new(game, state);
        let points = Some(expectation::final_points(&outlook, game.seats));
        Estimate { values: self.values(game, state, &outlook), points }
    }

    /// The terms of each seat's expected points.
    fn features(&self, game: &Carcassonne, state: &State) -> Option<Vec<Vec<f32>>> {
        let outlook = Outlook::new(game, state);
        let row = |seat| expectation::terms(&outlook, seat).map(|term| term as f32).to_vec();
        Some((0..game.seats).map(row).collect())
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        weight_settings::read(&self.heuristic, self.known)
    }

    fn priors(&self, game: &Carcassonne, state: &State, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        match self.order {
            Order::Lookahead => order::by_share(&self.heuristic, game, state, seat, actions, out),
            Order::Nearest => out.extend(actions.iter().map(|action| order::nearest(game, state, *action))),
        }
    }
}

impl<H: Heuristic> HeuristicEvaluator<H> {
    /// With two seats, the difference of their shares; with more, 2 · share − 1, where the seats' shares are divided by
    /// their sum. Seats that have left lose.
    fn values(&self, game: &Carcassonne, state: &State, outlook: &Outlook<'_>) -> Values {
        let mut values = [0.0; MAX_SEATS];
        if game.seats == 2 {
            let lead = self.heuristic.share(outlook, 0) - self.heuristic.share(outlook, 1);
            [values[0], values[1]] = [lead as f32, -lead as f32];
            return values;
        }
        let stays = |seat: Seat| state.gone() >> seat & 1 == 0;
        let share = |seat| if stays(seat) { self.heuristic.share(outlook, seat) } else { 0.0 };
        let shares: [f64; MAX_SEATS] =
            std::array::from_fn(|seat| if seat < game.seats { share(seat) } else { 0.0 });
        let whole = shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        for (value, share) in values.iter_mut().zip(shares).take(game.seats) {
            *value = (2.0 * share / whole - 1.0) as f32;
        }
        values
    }
}
