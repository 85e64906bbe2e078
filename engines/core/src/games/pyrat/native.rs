//! The evaluator `native`: who arrives first at each piece of cheese, by travel time.

use super::PyRat;
use super::direction::Direction;
use super::grid::Cell;
use super::state::State;
use super::travel::{self, NEVER};
use super::{playout, race};
use crate::evaluator::Evaluator;
use crate::rules::{MAX_SEATS, Seat, Values};

/// Weight of the pieces that the other player reaches sooner, in priors.
const LOST: f32 = 0.2;

/// The least weight of a direction, as a share of the largest one.
const LEAST: f32 = 0.02;

/// How many of the pieces that are left pull where the times to all are not kept.
const NEAREST: usize = 32;

/// The points of a [`race`] or of a [`playout`], and priors toward near pieces.
#[derive(Debug, Clone, Copy)]
pub struct Native;

impl Native {
    /// The points that each seat is expected to win.
    fn future<const W: usize>(rules: &PyRat<W>, state: &State<W>) -> [f32; 2] {
        if rules.keeps_times() { race::run(rules, state) } else { playout::run(rules, state) }
    }

    /// How far from a cell pieces count, in turns: where the times to all are not kept, as far as the nearest ones.
    fn reach<const W: usize>(rules: &PyRat<W>, state: &State<W>, cell: Cell) -> u16 {
        if rules.keeps_times() {
            return NEVER;
        }
        travel::reach(rules.board(), cell, NEAREST, |piece| state.has(piece))
    }
}

impl<const W: usize> Evaluator<PyRat<W>> for Native {
    fn value(&self, rules: &PyRat<W>, state: &State<W>) -> Values {
        rules.values_with(state, Self::future(rules, state))
    }

    fn future_points(&self, rules: &PyRat<W>, state: &State<W>) -> Option<[f64; MAX_SEATS]> {
        let mut points = [0.0; MAX_SEATS];
        let future = Self::future(rules, state);
        (points[0], points[1]) = (future[0].into(), future[1].into());
        Some(points)
    }

    /// The directions to the nearest piece that the other player does not reach sooner, or of all if there is none. Without
    /// a fixed target, a player is drawn to and fro between pieces that it can all have.
    fn hastens(&self, rules: &PyRat<W>, state: &State<W>, seat: Seat, action: Direction) -> bool {
        let [player, other] = [seat, 1 - seat].map(|seat| state.players()[seat]);
        let reach = Self::reach(rules, state, player.cell);
        let [own, others] = [player, other].map(|player| rules.times_within(player.cell, reach));
        let is_lost = |piece: usize| others[piece].saturating_add(other.held.into()) < own[piece];
        let pieces = || state.pieces().map(usize::from).filter(|piece| own[*piece] < NEVER);
        let kept = pieces().filter(|piece| !is_lost(*piece)).min_by_key(|piece| own[*piece]);
        let Some(target) = kept.or_else(|| pieces().min_by_key(|piece| own[*piece])) else { return false };
        rules.is_way_to(player.cell, action, target)
    }

    /// Whether the action is the start of a shortest way to the nearest of the pieces that the last one approached.
    fn goes_on(
        &self,
        rules: &PyRat<W>,
        before: &State<W>,
        state: &State<W>,
        seat: Seat,
        action: Direction,
    ) -> bool {
        let [was, is] = [before, state].map(|state| state.players()[seat]);
        let reach = Self::reach(rules, state, is.cell);
        let [earlier, now] = [was, is].map(|player| rules.times_within(player.cell, reach));
        let time = |times: &[u16], held: u8, piece: usize| times[piece].saturating_add(held.into());
        let approached = |piece: &usize| time(&now, is.held, *piece) < time(&earlier, was.held, *piece);
        let Some(target) = state.pieces().map(usize::from).filter(approached).min_by_key(|piece| now[*piece])
        else {
            return false;
        };
        rules.is_way_to(is.cell, action, target)
    }

    /// Each piece pulls in inverse proportion to the square of the time to it; the weights are the squared sums.
    fn priors(&self, rules: &PyRat<W>, state: &State<W>, seat: Seat, actions: &[Direction], out: &mut Vec<f32>) {
        if actions.len() == 1 {
            return out.push(1.0);
        }
        let [player, other] = [seat, 1 - seat].map(|seat| state.players()[seat]);
        let reach = Self::reach(rules, state, player.cell);
        let [own, others] = [player, other].map(|player| rules.times_within(player.cell, reach));
        let mut worths = vec![0.0; own.len()];
        for piece in state.pieces().map(usize::from) {
            let is_lost = others[piece].saturating_add(other.held.into()) < own[piece];
            worths[piece] = if is_lost { LOST } else { 1.0 };
        }
        let first = out.len();
        out.extend(actions.iter().map(|direction| {
            let exit = rules.board().square(player.cell).exits[*direction as usize];
            let times = rules.times_within(exit.to, reach);
            let pulls = worths.iter().zip(&*times).map(|(worth, time)| {
                let time = 1.0 + f32::from(time.saturating_add(exit.held.into()));
                worth / (time * time)
            });
            pulls.sum::<f32>().powi(2)
        }));
        let weights = &mut out[first..];
        let largest = weights.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        weights.iter_mut().for_each(|weight| *weight = (*weight / largest).max(LEAST));
    }
}
