//! A network's evaluation of one leaf, stored compactly, because caches hold a hundred thousand of them.

use std::sync::Arc;

use crate::rules::{MAX_SEATS, Values};

/// Room for the words of most evaluations, so that they are written without growing.
const USUAL_WORDS: usize = 256;

/// A value per seat, and for each acting seat a weight per legal action, in the game's order of actions. Cheap to
/// clone.
///
/// Weights are stored in 16 bits, the upper half of a float (8 bits of precision, 0.4 %). Every evaluation is converted
/// to this form, cached or not, so that a cache never changes the result of a search.
///
/// Layout: the number of seats, two words for each seat's value, the number of acting seats, the number of weights of
/// each of them, and then the weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation(Arc<[u16]>);

impl Evaluation {
    /// One value per seat, clamped to [-1, 1], and for each acting seat, in seat order, one weight per legal action;
    /// negative weights count as 0. All are finite.
    pub fn new<P: Iterator<Item = f32>>(values: &[f32], policies: impl Iterator<Item = P>) -> Self {
        Self::packed(values.iter().map(|value| value.clamp(-1.0, 1.0)), policies)
    }

    /// Like [`Self::new`], but the values are future points, which are not clamped; negative ones count as 0.
    pub fn in_points<P: Iterator<Item = f32>>(points: &[f32], policies: impl Iterator<Item = P>) -> Self {
        Self::packed(points.iter().map(|points| points.max(0.0)), policies)
    }

    fn packed<P: Iterator<Item = f32>>(
        values: impl ExactSizeIterator<Item = f32>,
        policies: impl Iterator<Item = P>,
    ) -> Self {
        let mut words = Vec::with_capacity(USUAL_WORDS);
        words.push(values.len() as u16);
        let bits = values.map(f32::to_bits);
        words.extend(bits.flat_map(|bits| [(bits >> 16) as u16, bits as u16]));
        let count = words.len();
        words.push(0);
        for policy in policies {
            let before = words.len();
            words.extend(policy.map(|weight| shorten(weight.clamp(0.0, 1.0))));
            words[count] += 1;
            words.insert(count + usize::from(words[count]), (words.len() - before) as u16);
        }
        Self(words.into())
    }

    /// The value of each seat in [-1, 1], or its future points.
    #[must_use]
    pub fn values(&self) -> Values {
        let mut values = [0.0; MAX_SEATS];
        for (value, halves) in values.iter_mut().zip(self.0[1..].chunks_exact(2)).take(usize::from(self.0[0])) {
            *value = f32::from_bits(u32::from(halves[0]) << 16 | u32::from(halves[1]));
        }
        values
    }

    /// The weights ≥ 0 of the n-th of the acting seats, one per legal action.
    pub fn policy(&self, n: usize) -> impl Iterator<Item = f32> {
        let rest = &self.0[1 + 2 * usize::from(self.0[0])..];
        let (lengths, weights) = rest[1..].split_at(usize::from(rest[0]));
        let first: usize = lengths[..n].iter().copied().map(usize::from).sum();
        let weights = &weights[first..first + usize::from(lengths[n])];
        weights.iter().map(|&weight| f32::from_bits(u32::from(weight) << 16))
    }
}

/// The upper half of a float, rounded to the nearest, ties to even.
fn shorten(number: f32) -> u16 {
    let bits = number.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact_and_weights_nearly() {
        let weights: Vec<f32> = (0..500).map(|n| (-0.05 * n as f32).exp()).collect();
        let policies = [&weights[..], &weights[..3]];
        let values = [-0.123_456_78, 0.5, 1.0];
        let evaluation = Evaluation::new(&values, policies.iter().map(|policy| policy.iter().copied()));
        assert_eq!(evaluation.values()[..3], values);
        for (n, policy) in policies.iter().enumerate() {
            assert_eq!(evaluation.policy(n).count(), policy.len());
            for (kept, weight) in evaluation.policy(n).zip(*policy) {
                assert!((kept - weight).abs() <= weight / 256.0, "{kept} for {weight}");
            }
        }
    }

    #[test]
    fn what_is_out_of_range_is_clamped() {
        let policy = [-1.0, 0.0, 1.0, 7.0];
        let evaluation = Evaluation::new(&[1.5, -1.5], [policy.into_iter()].into_iter());
        assert_eq!(evaluation.values()[..2], [1.0, -1.0]);
        assert_eq!(evaluation.policy(0).collect::<Vec<_>>(), [0.0, 0.0, 1.0, 1.0]);
        let points = Evaluation::in_points(&[-0.5, 41.5], [policy.into_iter()].into_iter());
        assert_eq!(points.values()[..2], [0.0, 41.5]);
    }
}
