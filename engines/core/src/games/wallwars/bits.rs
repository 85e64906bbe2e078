//! A fixed-size set of small integers as `N` machine words, for boards of up to 64·N cells.
//!
//! Independent of boards. The shifts move every member by up to 63 places, which lets [`super::board::Board`] process
//! all neighbours at once.

use std::ops::{BitAnd, BitOr, Shl, Shr};

/// A set of integers in 0..64·N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const N: usize>([u64; N]);

impl<const N: usize> Bits<N> {
    /// The empty set.
    pub const EMPTY: Self = Self([0; N]);

    /// A set with one member.
    #[inline]
    #[must_use]
    pub fn single(member: u16) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(member);
        bits
    }

    /// Whether `member` is in the set.
    #[inline]
    #[must_use]
    pub fn has(&self, member: u16) -> bool {
        self.0[usize::from(member >> 6)] >> (member & 63) & 1 == 1
    }

    /// Adds `member`.
    #[inline]
    pub fn insert(&mut self, member: u16) {
        self.0[usize::from(member >> 6)] |= 1 << (member & 63);
    }

    /// Removes `member`.
    #[inline]
    pub fn remove(&mut self, member: u16) {
        self.0[usize::from(member >> 6)] &= !(1 << (member & 63));
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Number of members.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The members in 64·`i`..64·(`i` + 1), as bits.
    #[inline]
    #[must_use]
    pub fn word(&self, i: usize) -> u64 {
        self.0[i]
    }

    /// The members from `first` on, up to 63 of them, as the lowest bits; above these, other members may follow.
    #[inline]
    #[must_use]
    pub fn from(&self, first: u16) -> u64 {
        let (i, places) = (usize::from(first >> 6), first & 63);
        let next = self.0.get(i + 1).copied().unwrap_or(0);
        self.0[i] >> places | next << 1 << (63 - places)
    }

    /// The members that are not in `other`.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The members in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = u16> + use<N> {
        let words = self.0;
        (0..N).flat_map(move |i| Members { word: words[i], base: (i as u16) << 6 })
    }

    /// The smallest member.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<u16> {
        let i = self.0.iter().position(|&word| word != 0)?;
        Some((i as u16) << 6 | self.0[i].trailing_zeros() as u16)
    }
}

/// The members within one word.
struct Members {
    word: u64,
    base: u16,
}

impl Iterator for Members {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        if self.word == 0 {
            return None;
        }
        let member = self.base | self.word.trailing_zeros() as u16;
        self.word &= self.word - 1;
        Some(member)
    }
}

impl<const N: usize> BitAnd for Bits<N> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const N: usize> BitOr for Bits<N> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

/// Adds `places` (1..=63) to every member; members beyond the last word are lost.
impl<const N: usize> Shl<u32> for Bits<N> {
    type Output = Self;

    #[inline]
    fn shl(self, places: u32) -> Self {
        Self(std::array::from_fn(|i| {
            let carried = if i == 0 { 0 } else { self.0[i - 1] >> (64 - places) };
            self.0[i] << places | carried
        }))
    }
}

/// Subtracts `places` (1..=63) from every member; members below `places` are lost.
impl<const N: usize> Shr<u32> for Bits<N> {
    type Output = Self;

    #[inline]
    fn shr(self, places: u32) -> Self {
        Self(std::array::from_fn(|i| {
            let carried = if i + 1 == N { 0 } else { self.0[i + 1] << (64 - places) };
            self.0[i] >> places | carried
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn shifts_carry_between_words() {
        let low = Bits::<4>::single(60);
        assert_eq!(low << 20, Bits::single(80));
        assert_eq!((low << 20) >> 20, low);
        assert!((Bits::<4>::single(250) << 20).is_empty());
        assert!((Bits::<4>::single(5) >> 20).is_empty());
    }

    #[test]
    fn members_come_in_order() {
        let members = [0, 63, 64, 200, 399];
        let mut bits = Bits::<7>::EMPTY;
        for member in members {
            bits.insert(member);
        }
        assert_eq!(bits.iter().collect::<Vec<_>>(), members);
        assert_eq!((bits.len(), bits.first()), (5, Some(0)));
        bits.remove(0);
        assert_eq!(bits.first(), Some(63));
        assert!(!bits.has(0) && bits.has(399));
    }
}
