//! What a network says about one leaf, kept small: caches hold a hundred thousand of them.

use std::sync::Arc;

/// The value of seat 0 and a weight per legal action, in the game's order of actions. Cheap to clone.
///
/// Weights are kept in 16 bits, the upper half of a float (8 bits of precision, 0.4 %). Every evaluation goes through
/// this form, cached or not, so that a cache never changes a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation(Arc<[u16]>);

/// Words in front of the weights: the value's upper and lower half.
const HEAD: usize = 2;

impl Evaluation {
    /// `value` of seat 0, clamped to [-1, 1]; one weight per legal action, negative ones count as 0. All are finite.
    pub fn new(value: f32, weights: impl Iterator<Item = f32>) -> Self {
        let value = value.clamp(-1.0, 1.0).to_bits();
        let head = [(value >> 16) as u16, value as u16];
        Self(head.into_iter().chain(weights.map(|weight| shorten(weight.clamp(0.0, 1.0)))).collect())
    }

    /// The value of seat 0, in [-1, 1].
    #[must_use]
    pub fn value(&self) -> f32 {
        f32::from_bits(u32::from(self.0[0]) << 16 | u32::from(self.0[1]))
    }

    /// A weight ≥ 0 per legal action.
    pub fn weights(&self) -> impl Iterator<Item = f32> {
        self.0[HEAD..].iter().map(|&weight| f32::from_bits(u32::from(weight) << 16))
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
        let evaluation = Evaluation::new(-0.123_456_78, weights.iter().copied());
        assert_eq!(evaluation.value(), -0.123_456_78);
        for (kept, weight) in evaluation.weights().zip(&weights) {
            assert!((kept - weight).abs() <= weight / 256.0, "{kept} for {weight}");
        }
        assert_eq!(evaluation.weights().count(), weights.len());
    }

    #[test]
    fn what_is_out_of_range_is_clamped() {
        let evaluation = Evaluation::new(1.5, [-1.0, 0.0, 1.0, 7.0].into_iter());
        assert_eq!(evaluation.value(), 1.0);
        assert_eq!(evaluation.weights().collect::<Vec<_>>(), [0.0, 0.0, 1.0, 1.0]);
    }
}
