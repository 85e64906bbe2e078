//! Priors: in which order searches try actions.

use super::super::Carcassonne;
use super::super::action::Action;
use super::super::catalogue::Kind;
use super::super::features::{SegmentId, kind};
use super::super::state::State;
use super::heuristics::Heuristic;
use super::outlook::Outlook;
use super::placings::Placings;
use crate::rules::Seat;

/// How an evaluator orders actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By the seat's share after its turn, with its best meeple.
    Lookahead,
    /// Tiles near the start first; cities before monasteries, roads and fields.
    Nearest,
}

/// A share that is this much smaller has a weight of 1/e of the other.
const TEMPERATURE: f64 = 0.02;

/// The smallest exponent of a weight: its exponential is still greater than 0 in 32 bits.
const LEAST: f64 = -80.0;

/// Appends a weight for each action by the seat's share after its turn: e^(difference to the best ÷ temperature).
pub fn by_share(
    heuristic: &impl Heuristic,
    game: &Carcassonne,
    state: &State,
    seat: Seat,
    actions: &[Action],
    out: &mut Vec<f32>,
) {
    let shares: Vec<f64> = match actions.first() {
        Some(Action::Place(cell, rotation)) => {
            let placings = Placings::new(game, state, *cell, *rotation);
            actions.iter().map(|action| after_placing(heuristic, game, state, &placings, seat, *action)).collect()
        }
        _ => {
            let outlook = Outlook::new(game, state);
            actions.iter().map(|action| after_claiming(heuristic, game, state, &outlook, seat, *action)).collect()
        }
    };
    let best = shares.iter().copied().fold(0.0, f64::max);
    out.extend(shares.into_iter().map(|share| ((share - best) / TEMPERATURE).max(LEAST).exp() as f32));
}

/// The share after a tile and the best meeple.
fn after_placing(
    heuristic: &impl Heuristic,
    game: &Carcassonne,
    state: &State,
    placings: &Placings<'_>,
    seat: Seat,
    action: Action,
) -> f64 {
    let (Action::Place(cell, rotation), Some(tile)) = (action, state.in_hand()) else { return 0.0 };
    let joining = state.board().joining(game.tiles, tile, cell, rotation);
    let mut features = *state.board().features();
    joining.apply(&mut features);
    let outlook = placings.outlook(&features, &joining);
    let has_meeple = state.meeples(seat).supply() > 0;
    let is_free = |segment: &&SegmentId| has_meeple && features.meeples(features.find(**segment)).is_empty();
    let free = game.tiles.segments(tile).iter().filter(is_free);
    let share = |segment: &SegmentId| heuristic.share(&outlook.with_claim(seat, *segment), seat);
    free.map(share).fold(heuristic.share(&outlook, seat), f64::max)
}

/// The share after a meeple or none.
fn after_claiming(
    heuristic: &impl Heuristic,
    game: &Carcassonne,
    state: &State,
    outlook: &Outlook<'_>,
    seat: Seat,
    action: Action,
) -> f64 {
    match (action, state.last()) {
        (Action::Claim(local), Some(last)) => {
            heuristic.share(&outlook.with_claim(seat, game.tiles.segment(last.tile, local)), seat)
        }
        _ => heuristic.share(outlook, seat),
    }
}

/// A weight by the distance to the start tile or by the kind of the segment.
pub fn nearest(game: &Carcassonne, state: &State, action: Action) -> f32 {
    let rank = match (action, state.last()) {
        (Action::Place(cell, _), _) => cell.x().abs() + cell.y().abs(),
        (Action::Claim(local), Some(last)) => match kind(game.tiles.segment(last.tile, local)) {
            Kind::City => 0,
            Kind::Monastery => 1,
            Kind::Road => 2,
            Kind::Field => 3,
        },
        _ => 10,
    };
    1.0 / (1.0 + rank as f32)
}
