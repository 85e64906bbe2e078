//! What placing a tile joins: found on a board, and carried out on its features or on a copy of them.

use super::cell::DIRECTIONS;
use super::features::{FIRST_FIELD, FIRST_MONASTERY, Features, SegmentId};
use super::scoring::Roots;

/// Pairs of segments that meet at one side of a tile, at most: a road and the fields beside it.
const AT_A_SIDE: usize = 3;

/// What placing a tile joins.
#[derive(Debug, Clone, Copy, Default)]
pub struct Joining {
    /// The tile's segments, each with the one that it meets across a border; only the first ones count.
    seams: [(SegmentId, SegmentId); AT_A_SIDE * DIRECTIONS],
    len: usize,
    /// The tiles that are new around each monastery.
    surrounding: [u8; FIRST_FIELD - FIRST_MONASTERY],
}

impl Joining {
    /// Adds a segment of the tile and the one that it meets.
    #[inline]
    pub fn meet(&mut self, ours: SegmentId, theirs: SegmentId) {
        self.seams[self.len] = (ours, theirs);
        self.len += 1;
    }

    /// Sets how many tiles are new around a monastery.
    #[inline]
    pub fn surround(&mut self, monastery: SegmentId, tiles: u8) {
        self.surrounding[usize::from(monastery) - FIRST_MONASTERY] = tiles;
    }

    /// Joins the features.
    #[inline]
    pub fn apply(&self, features: &mut Features) {
        for &(ours, theirs) in &self.seams[..self.len] {
            if usize::from(ours) < FIRST_FIELD {
                features.join_buildings(ours, theirs);
            } else {
                features.join_fields(ours, theirs);
            }
        }
        for (&tiles, monastery) in self.surrounding.iter().zip(FIRST_MONASTERY as SegmentId..) {
            features.surround(monastery, tiles);
        }
    }

    /// The features, before they are joined, that are about to change.
    #[inline]
    #[must_use]
    pub fn touched(&self, features: &Features) -> Roots {
        let mut touched = Roots::default();
        for &(_, theirs) in &self.seams[..self.len] {
            touched.insert(features.find(theirs));
        }
        for (&tiles, monastery) in self.surrounding.iter().zip(FIRST_MONASTERY as SegmentId..) {
            if tiles > 0 {
                touched.insert(monastery);
            }
        }
        touched
    }
}
