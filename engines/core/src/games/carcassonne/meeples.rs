//! The meeples of a seat: in its supply, or on segments of tiles.

use super::features::SegmentId;

/// Meeples of each seat.
pub const MEEPLES: usize = 7;

/// The meeples of one seat.
#[derive(Debug, Clone, Copy)]
pub struct Meeples {
    /// The segments that they stand on; only the first ones are in play.
    standing: [SegmentId; MEEPLES],
    in_play: u8,
}

impl Meeples {
    /// None in play.
    pub const NONE_PLACED: Self = Self { standing: [0; MEEPLES], in_play: 0 };

    /// The segments with a meeple.
    #[inline]
    #[must_use]
    pub fn standing(&self) -> &[SegmentId] {
        &self.standing[..usize::from(self.in_play)]
    }

    /// How many are not in play.
    #[inline]
    #[must_use]
    pub fn supply(&self) -> u8 {
        MEEPLES as u8 - self.in_play
    }

    /// Puts a meeple on a segment; there must be one left.
    #[inline]
    pub fn put(&mut self, segment: SegmentId) {
        self.standing[usize::from(self.in_play)] = segment;
        self.in_play += 1;
    }

    /// Takes the n-th meeple in play back; the last one gets its place.
    #[inline]
    pub fn take(&mut self, n: usize) -> SegmentId {
        self.in_play -= 1;
        self.standing.swap(n, self.in_play.into());
        self.standing[usize::from(self.in_play)]
    }
}
