//! Rings: sets of the six directions around a cell, usually those with occupied neighbours.

use super::grid::Direction;

/// A set of directions: bit `d` for direction `d`. Iterating takes them clockwise from NW.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ring(pub u8);

/// Precomputed properties of each ring.
#[derive(Clone, Copy)]
struct Facts {
    len: u8,
    arcs: u8,
    slides: u8,
    gaps: u8,
}

/// A run of two or more empty directions with occupied ones on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The first direction, clockwise.
    pub first: u8,
    /// How many there are, 2..=5.
    pub len: u8,
}

impl Gap {
    /// The last direction.
    #[must_use]
    pub const fn last(self) -> u8 {
        (self.first + self.len.wrapping_sub(1)) % 6
    }

    /// The direction at an index, at most ten, clockwise from the first one.
    #[inline]
    #[must_use]
    pub fn direction(self, place: u8) -> Direction {
        const DIRECTIONS: [Direction; 16] = [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3];
        DIRECTIONS[usize::from(self.first + place) & 15]
    }
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

/// The wide gaps of each ring, clockwise from the first direction; missing ones have length 0.
static GAPS: [[Gap; 2]; 64] = {
    let mut gaps = [[Gap { first: 0, len: 0 }; 2]; 64];
    let mut ring = 0;
    while ring < 64 {
        let (mut direction, mut found) = (0, 0);
        while direction < 6 {
            let mut len = 0;
            while ring >> ((direction + 5) % 6) & 1 == 1 && len < 6 && ring >> ((direction + len) % 6) & 1 == 0 {
                len += 1;
            }
            if len > 1 {
                gaps[ring][found] = Gap { first: direction as u8, len: len as u8 };
                found += 1;
            }
            direction += 1;
        }
        ring += 1;
    }
    gaps
};

impl Ring {
    /// All six directions.
    pub const FULL: Self = Self(63);

    #[inline]
    fn facts(self) -> Facts {
        FACTS[usize::from(self.0 & 63)]
    }

    /// Number of directions.
    #[inline]
    #[must_use]
    pub fn len(self) -> u8 {
        self.facts().len
    }

    /// Whether the ring is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of runs of adjacent directions; 0 for the empty and the full ring.
    #[inline]
    #[must_use]
    pub fn arcs(self) -> u8 {
        self.facts().arcs
    }

    /// For a ring of occupied neighbours: the directions in which a piece can slide along the ground, that is, the
    /// empty ones with exactly one of the two adjacent directions occupied.
    #[inline]
    #[must_use]
    pub const fn slides(self) -> Self {
        Self(FACTS[(self.0 & 63) as usize].slides)
    }

    /// For a ring of occupied neighbours: one empty direction of each empty run; none if all six are empty.
    #[inline]
    #[must_use]
    pub fn gaps(self) -> Self {
        Self(self.facts().gaps)
    }

    /// The gaps that a piece can slide into; missing ones have length 0.
    #[inline]
    #[must_use]
    pub const fn both_gaps(self) -> [Gap; 2] {
        GAPS[self.0 as usize & 63]
    }

    /// The gaps that a piece can slide into.
    #[inline]
    pub fn wide_gaps(self) -> impl Iterator<Item = Gap> {
        self.both_gaps().into_iter().filter(|gap| gap.len > 0)
    }

    /// The wide gap that does not end at `direction`, if there are two.
    #[inline]
    #[must_use]
    pub fn other_gap(self, direction: Direction) -> Option<Gap> {
        let [one, two] = self.both_gaps();
        let ends_one = [one.first, one.last()].map(usize::from).contains(&direction);
        (two.len > 0).then_some(if ends_one { two } else { one })
    }

    /// Whether the ring contains the direction.
    #[inline]
    #[must_use]
    pub fn has(self, direction: Direction) -> bool {
        self.0 >> direction & 1 == 1
    }

    /// The intersection.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The union.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The complement.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Self(!self.0 & 63)
    }

    /// Rotated clockwise by one.
    #[inline]
    #[must_use]
    pub fn turned_right(self) -> Self {
        Self((self.0 << 1 | self.0 >> 5) & 63)
    }

    /// Rotated counter-clockwise by one.
    #[inline]
    #[must_use]
    pub fn turned_left(self) -> Self {
        Self((self.0 >> 1 | self.0 << 5) & 63)
    }

    /// The ring with only `direction`.
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
