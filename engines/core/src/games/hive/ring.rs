//! Rings: sets of the six directions around a cell, mostly those in which its neighbours are occupied.

use super::grid::Direction;

/// A set of directions: bit `d` for direction `d`. Iterating takes them clockwise from NW.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ring(pub u8);

/// What is known of each ring, by its bits.
#[derive(Clone, Copy)]
struct Facts {
    len: u8,
    arcs: u8,
    slides: u8,
    gaps: u8,
}

static FACTS: [Facts; 64] = {
    let mut facts = [Facts { len: 0, arcs: 0, slides: 0, gaps: 0 }; 64];
    let mut ring = 0;
    while ring < 64 {
        let mut direction = 0;
        while direction < 6 {
            let here = ring >> direction & 1;
            let before = ring >> ((direction + 5) % 6) & 1;
            let after = ring >> ((direction + 1) % 6) & 1;
            facts[ring].len += here as u8;
            facts[ring].arcs += (here & (1 - before)) as u8;
            if here == 0 && before != after {
                facts[ring].slides |= 1 << direction;
            }
            facts[ring].gaps |= (((1 - here) & before) << direction) as u8;
            direction += 1;
        }
        ring += 1;
    }
    facts
};

impl Ring {
    /// All six.
    pub const FULL: Self = Self(63);

    #[inline]
    fn facts(self) -> Facts {
        FACTS[usize::from(self.0 & 63)]
    }

    /// How many it has.
    #[inline]
    #[must_use]
    pub fn len(self) -> u8 {
        self.facts().len
    }

    /// Whether it has none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of runs of neighbouring directions; 0 for the empty and for the full ring.
    #[inline]
    #[must_use]
    pub fn arcs(self) -> u8 {
        self.facts().arcs
    }

    /// Of the occupied neighbours: the directions in which a piece can slide along the ground, that is, the empty
    /// ones with exactly one of the two cells beside the way occupied.
    #[inline]
    #[must_use]
    pub const fn slides(self) -> Self {
        Self(FACTS[(self.0 & 63) as usize].slides)
    }

    /// Of the occupied neighbours: one empty direction of each run of empty ones, none if all six are.
    #[inline]
    #[must_use]
    pub fn gaps(self) -> Self {
        Self(self.facts().gaps)
    }

    /// Whether it has the direction.
    #[inline]
    #[must_use]
    pub fn has(self, direction: Direction) -> bool {
        self.0 >> direction & 1 == 1
    }

    /// The directions of both.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The directions of either.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The other directions.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Self(!self.0 & 63)
    }

    /// Only `direction`.
    #[inline]
    #[must_use]
    pub fn only(direction: Direction) -> Self {
        Self(1 << direction)
    }
}

impl Iterator for Ring {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros() as Direction;
        self.0 &= self.0 - 1;
        Some(first)
    }
}
