//! SplitMix64 (Steele, Lea, Flood 2014): the mixing function of the games' hashes, and a random number generator for
//! starts that must be the same on every machine and with every version of the libraries.

/// The step between two states of the generator.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function: a bijection that spreads every input bit.
#[inline]
#[must_use]
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(STEP);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Two independent hashes of a number.
#[inline]
#[must_use]
pub const fn mix_twice(number: u64) -> [u64; 2] {
    [mix(number), mix(number ^ 0x5851_f42d_4c95_7f2d)]
}

/// Mixes a hash with one more number; the order of the numbers matters.
#[inline]
#[must_use]
pub const fn combine(hash: u128, number: u64) -> u128 {
    let [first, second] = mix_twice(number);
    let high = mix((hash >> 64) as u64 ^ first);
    let low = mix(hash as u64 ^ second);
    ((high ^ low.rotate_left(23)) as u128) << 64 | low as u128
}

/// The generator. Its numbers follow from the seed alone.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that begins at `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        number
    }

    /// A number in 0..`count`, from one call of [`Self::next_u64`]: its product with `count`, divided by 2^64. The bias is
    /// below `count` / 2^64.
    pub const fn below(&mut self, count: u64) -> u64 {
        ((self.next_u64() as u128 * count as u128) >> 64) as u64
    }

    /// Puts the items into a random order (Fisher and Yates, from the last item to the second).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the published generator for two seeds.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut zero = SplitMix64::new(0);
        assert_eq!([zero.next_u64(), zero.next_u64()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        let mut other = SplitMix64::new(1_234_567);
        assert_eq!([other.next_u64(), other.next_u64()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
