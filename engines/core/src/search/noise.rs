//! Errors that are added to values and priors on purpose: with small ones, a search varies among moves that are about equally
//! good; with large ones, it plays worse.
//!
//! The error of a position is a function of its key, the seed of the search and the number of moves that the search has
//! followed: so a search is consistent and can be repeated, but no error lasts, with which a bot would wait for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde_json::Value;

use super::{SearchSpec, UNPROVEN, settings};
use crate::evaluator::{Estimate, Evaluator};
use crate::rules::{MAX_SEATS, RuleError, Rules, Seat, Values};
use crate::splitmix::mix;

/// The option that sets the deviation.
const NAME: &str = "evaluation_noise";

/// The standard deviation of the logarithms of priors, in units of that of the values. Errors of values alone weaken a
/// search of few simulations little, since it follows its priors.
const PRIORS: f32 = 4.0;

/// In one of so many positions, a seat draws among the moves that are about equally good.
const DRAWING: u64 = 8;

/// The difference of values that counts as none, in deviations beyond [`SMALL`].
const BLUR: f32 = 0.6;

/// A deviation that a search averages out.
const SMALL: f32 = 0.05;

/// A deviation with which visits say nothing.
const LARGE: f32 = 0.2;

/// The largest deviation of a player who walks from cell to cell. Errors change from cell to cell, and with larger ones it
/// would walk to and fro; it is distracted instead.
const STEADY: f32 = 0.135;

/// The limit of the turns of distractions, for each unit by which the deviation is larger than [`STEADY`].
const DISTRACTING: f32 = 400.0;

/// The errors of one search, which are about normally distributed. Clones have the same ones.
#[derive(Debug, Clone, Default)]
pub struct Noise {
    /// Standard deviation, in units of a value.
    deviation: f32,
    seed: u64,
    /// The number of moves that the search has followed.
    ply: Arc<AtomicU64>,
}

impl Noise {
    /// Reads the option `evaluation_noise`, and returns the spec without it.
    ///
    /// # Errors
    /// `BadConfig` for anything but a number in 0..1.
    pub(super) fn take(spec: &SearchSpec) -> Result<(Self, SearchSpec), RuleError> {
        let mut rest = spec.clone();
        let found = match &mut rest.options {
            Value::Object(members) => members.remove(NAME),
            _ => None,
        };
        let deviation = found.map_or(Ok(0.0), |value| settings::number(NAME, &value, 0.0, 1.0))? as f32;
        Ok((Self { deviation, seed: spec.seed, ply: Arc::default() }, rest))
    }

    /// Called before the search follows a move.
    pub(super) fn advance(&self) {
        self.ply.fetch_add(1, Relaxed);
    }

    /// Whether there are any errors.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.deviation == 0.0
    }

    /// How far apart two values are that the errors do not make equally good.
    pub(super) fn blur(&self) -> f64 {
        f64::from(BLUR * (self.deviation - SMALL).max(0.0))
    }

    /// How much visits say about moves: 1 without errors, 0 with large ones.
    pub(super) fn sharpness(&self) -> f64 {
        f64::from((1.0 - self.deviation / LARGE).max(0.0))
    }

    /// The errors of a player who walks, and the limit of the turns of its distractions.
    pub(super) fn of_walkers(&self) -> (Self, f32) {
        let deviation = self.deviation.min(STEADY);
        (Self { deviation, ..self.clone() }, DISTRACTING * (self.deviation - deviation))
    }

    /// The evaluator with these errors.
    pub(super) fn on<R: Rules>(&self, evaluator: Box<dyn Evaluator<R>>) -> Box<dyn Evaluator<R>> {
        if self.is_none() { evaluator } else { Box::new(Noisy { evaluator, noise: self.clone() }) }
    }

    /// The same for an evaluator that may be missing.
    pub(super) fn on_any<R: Rules>(
        &self,
        evaluator: Option<Box<dyn Evaluator<R>>>,
    ) -> Option<Box<dyn Evaluator<R>>> {
        evaluator.map(|evaluator| self.on(evaluator))
    }

    /// Adds the errors to the values of an unfinished state, whose sum stays the same.
    pub(super) fn disturb<R: Rules>(&self, rules: &R, state: &R::State, values: &mut Values) {
        if self.is_none() {
            return;
        }
        let seats = rules.seats();
        let errors = self.errors(rules.key(state));
        let mean = errors[..seats].iter().sum::<f32>() / seats as f32;
        // The difference of two errors has √2 times their deviation, so that each of two seats gets what is wanted.
        let scale = std::f32::consts::SQRT_2;
        for (value, error) in values.iter_mut().zip(errors).take(seats) {
            *value = (*value + scale * (error - mean)).clamp(-UNPROVEN, UNPROVEN);
        }
    }

    /// Adds the errors to the points that each seat is expected to win from an unfinished state on. A value of 1 is a lead
    /// of all of them.
    pub(super) fn disturb_points<R: Rules>(&self, rules: &R, state: &R::State, points: &mut [f64]) {
        if self.is_none() {
            return;
        }
        let scale = rules.points().map_or(1.0, |points| points.remaining(state) / 2.0);
        for (points, error) in points.iter_mut().zip(self.errors(rules.key(state))).take(rules.seats()) {
            *points = (*points + f64::from(scale * error)).max(0.0);
        }
    }

    /// Multiplies the prior weights of the actions of an unfinished state by log-normal errors.
    pub(super) fn disturb_priors<R: Rules>(&self, rules: &R, state: &R::State, seat: Seat, priors: &mut [f32]) {
        if self.is_none() {
            return;
        }
        let position = self.position(rules.key(state)).wrapping_add(seat as u64);
        for (action, prior) in (1_u64..).zip(priors) {
            *prior *= (PRIORS * self.deviation * normal(mix(position ^ mix(action)))).exp();
        }
    }

    /// A number below `count` that a seat draws in this position, in one of [`DRAWING`] positions; `None` in the others.
    pub(super) fn draw(&self, key: u128, seat: Seat, count: usize) -> Option<usize> {
        let number = mix(self.position(key) ^ mix(seat as u64));
        let draws = !self.is_none() && number.is_multiple_of(DRAWING);
        draws.then(|| (number / DRAWING % count.max(1) as u64) as usize)
    }

    /// A number in [0, 1) that is drawn for a seat in this position.
    pub(super) fn share(&self, key: u128, seat: Seat) -> f32 {
        (mix(self.position(key) ^ mix(!(seat as u64))) >> 40) as f32 / (1 << 24) as f32
    }

    /// What the errors of a position are drawn from.
    fn position(&self, key: u128) -> u64 {
        mix(key as u64 ^ mix(self.seed ^ mix(self.ply.load(Relaxed))))
    }

    /// One for each seat.
    fn errors(&self, key: u128) -> Values {
        let position = self.position(key);
        std::array::from_fn(|seat| self.deviation * normal(mix(position ^ seat as u64)))
    }
}

/// A number of mean 0 and variance 1, as the sum of four uniform ones.
fn normal(bits: u64) -> f32 {
    let sum: u64 = (0..4).map(|part| bits >> (16 * part) & 0xffff).sum();
    (sum as f32 / 65_536.0 - 2.0) * 3_f32.sqrt()
}

struct Noisy<R: Rules> {
    evaluator: Box<dyn Evaluator<R>>,
    noise: Noise,
}

impl<R: Rules> Evaluator<R> for Noisy<R> {
    fn value(&self, rules: &R, state: &R::State) -> Values {
        let mut values = self.evaluator.value(rules, state);
        self.noise.disturb(rules, state, &mut values);
        values
    }

    fn raw_value(&self, rules: &R, state: &R::State, seat: Seat) -> f32 {
        let value = self.evaluator.raw_value(rules, state, seat);
        (value + self.noise.errors(rules.key(state))[seat]).clamp(-UNPROVEN, UNPROVEN)
    }

    fn future_points(&self, rules: &R, state: &R::State) -> Option<[f64; MAX_SEATS]> {
        let mut points = self.evaluator.future_points(rules, state)?;
        self.noise.disturb_points(rules, state, &mut points);
        Some(points)
    }

    fn estimate(&self, rules: &R, state: &R::State) -> Estimate {
        let mut estimate = self.evaluator.estimate(rules, state);
        self.noise.disturb(rules, state, &mut estimate.values);
        estimate
    }

    fn features(&self, rules: &R, state: &R::State) -> Option<Vec<Vec<f32>>> {
        self.evaluator.features(rules, state)
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        self.evaluator.weights()
    }

    fn priors(&self, rules: &R, state: &R::State, seat: Seat, actions: &[R::Action], out: &mut Vec<f32>) {
        let first = out.len();
        self.evaluator.priors(rules, state, seat, actions, out);
        self.noise.disturb_priors(rules, state, seat, &mut out[first..]);
    }

    fn hastens(&self, rules: &R, state: &R::State, seat: Seat, action: R::Action) -> bool {
        self.evaluator.hastens(rules, state, seat, action)
    }

    fn goes_on(&self, rules: &R, before: &R::State, state: &R::State, seat: Seat, action: R::Action) -> bool {
        self.evaluator.goes_on(rules, before, state, seat, action)
    }
}
