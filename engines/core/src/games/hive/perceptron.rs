//! The evaluator `native`: a network of one hidden layer, in whole numbers, on the features of both seats.
//!
//! The inputs are the [`features`](super::features) of the seat to move, then those of the other seat. Each unit of the
//! hidden layer adds up the weights of the features that occur, and passes on what lies between 0 and [`ONE`]. The lead
//! of the seat to move is the weighted sum of the units plus that of the features themselves. Only the rows of features
//! that occur are added, about 30 of 238.

use super::Hive;
use super::action::Action;
use super::evaluate::{feature_counts, priors, values_of};
use super::features::{self, FEATURES, MOST};
use super::state::State;
use crate::evaluator::Evaluator;
use crate::rules::{Seat, Values};

/// Units of the hidden layer.
pub const UNITS: usize = 32;

/// Features of both seats.
pub const INPUTS: usize = 2 * FEATURES;

/// The largest output of a unit, which stands for 1.
pub const ONE: i16 = 256;

/// The network that is played with; `perceptron.md` says how it was made.
pub static NATIVE: Perceptron = Perceptron::read(include_bytes!("perceptron.bin"));

/// A network.
#[repr(align(64))]
pub struct Perceptron {
    /// For each input, what it adds to each unit.
    rows: [[i16; UNITS]; INPUTS],
    /// What each unit begins with.
    bias: [i16; UNITS],
    /// Thousandths of a point for an output of [`ONE`].
    output: [i16; UNITS],
    /// Thousandths of a point for each input, without a unit.
    direct: [i16; INPUTS],
    /// Thousandths of a point in every position.
    output_bias: i16,
}

impl Perceptron {
    /// Reads a network: `rows`, `bias`, `output`, `direct` and `output_bias` as little-endian 16-bit numbers.
    ///
    /// # Panics
    /// If the length is wrong, or a unit could overflow: a position has at most 2 · [`MOST`] features. Networks are
    /// read while the crate is compiled.
    #[must_use]
    pub const fn read(bytes: &[u8]) -> Self {
        assert!(bytes.len() == size_of::<i16>() * (INPUTS * UNITS + 2 * UNITS + INPUTS + 1), "not this network");
        let mut network = Self {
            rows: [[0; UNITS]; INPUTS],
            bias: [0; UNITS],
            output: [0; UNITS],
            direct: [0; INPUTS],
            output_bias: 0,
        };
        let mut at = 0;
        let mut input = 0;
        while input < INPUTS {
            (network.rows[input], at) = read_row(bytes, at);
            input += 1;
        }
        (network.bias, at) = read_row(bytes, at);
        (network.output, at) = read_row(bytes, at);
        (network.direct, at) = read_row(bytes, at);
        ([network.output_bias], _) = read_row(bytes, at);
        assert!(network.largest_sum() <= i16::MAX as i32, "a unit can overflow");
        network
    }

    /// A bound on the sum of every unit.
    const fn largest_sum(&self) -> i32 {
        let mut largest = 0;
        let mut unit = 0;
        while unit < UNITS {
            let mut weight = 0;
            let mut input = 0;
            while input < INPUTS {
                let size = (self.rows[input][unit] as i32).abs();
                weight = if size > weight { size } else { weight };
                input += 1;
            }
            let sum = (self.bias[unit] as i32).abs() + 2 * MOST as i32 * weight;
            largest = if sum > largest { sum } else { largest };
            unit += 1;
        }
        largest
    }

    /// How far the seat to move is ahead, in thousandths of a point.
    #[inline]
    #[must_use]
    pub fn lead(&self, rules: &Hive, state: &State) -> i32 {
        let (mut inputs, mut count) = ([0; 2 * MOST], 0);
        let seat = state.seat();
        for (side, first) in [(seat, 0), (1 - seat, FEATURES)] {
            features::visit(rules, state, side, |feature| {
                inputs[count] = (first + feature) as u8;
                count += 1;
            });
        }
        self.weigh(&inputs[..count])
    }

    /// The lead, given the inputs that occur, each as often as it does. Listing them first keeps the sums in registers.
    #[inline(never)]
    fn weigh(&self, inputs: &[u8]) -> i32 {
        let mut sums = self.bias;
        let mut direct = i32::from(self.output_bias);
        for &input in inputs {
            let input = usize::from(input);
            sums.iter_mut().zip(&self.rows[input]).for_each(|(sum, weight)| *sum += weight);
            direct += i32::from(self.direct[input]);
        }
        let worth = |(&sum, &weight): (&i16, &i16)| i32::from(sum.clamp(0, ONE)) * i32::from(weight);
        direct + (sums.iter().zip(&self.output).map(worth).sum::<i32>() >> ONE.ilog2())
    }
}

/// The numbers from the byte `at` on, and where they end.
const fn read_row<const N: usize>(bytes: &[u8], mut at: usize) -> ([i16; N], usize) {
    let mut row = [0; N];
    let mut index = 0;
    while index < N {
        row[index] = i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        at += 2;
        index += 1;
    }
    (row, at)
}

impl Evaluator<Hive> for &'static Perceptron {
    fn value(&self, rules: &Hive, state: &State) -> Values {
        values_of(state.seat(), self.lead(rules, state))
    }

    fn features(&self, rules: &Hive, state: &State) -> Option<Vec<Vec<f32>>> {
        Some(feature_counts(rules, state))
    }

    fn priors(&self, _: &Hive, state: &State, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        priors(state, seat, actions, out);
    }
}
