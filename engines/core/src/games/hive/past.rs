//! The positions since the last placement, for the repetition rule and for searches. Earlier positions cannot recur,
//! since pieces never leave the board.
//!
//! A state holds its latest positions itself and shares older ones, in blocks, with the states copied from it. Copying
//! a state therefore copies at most one block, however long the past, and playing an action rarely allocates memory.

use std::sync::Arc;

use super::grid::Cell;
use crate::splitmix::mix;

/// Number of positions in a block: few, since every copy of a state copies them.
const BLOCK: usize = 8;

/// A position as compared by the repetition rule, independent of the hive's place on the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// A hash of the pieces on the board and the seat to move.
    pub key: u64,
    /// The cell of the resting piece, if that may take a move away; otherwise `NOWHERE`.
    pub resting: Cell,
}

/// A full block and those before it.
struct Block {
    seen: [Seen; BLOCK],
    previous: Option<Arc<Block>>,
}

impl Drop for Block {
    /// Frees a long past iteratively, which would otherwise be a deep recursion.
    fn drop(&mut self) {
        let mut previous = self.previous.take();
        while let Some(mut block) = previous.and_then(Arc::into_inner) {
            previous = block.previous.take();
        }
    }
}

/// The positions since the last placement.
#[derive(Default)]
pub struct Past {
    older: Option<Arc<Block>>,
    /// The latest positions; entries from `len` on are meaningless.
    recent: [Seen; BLOCK],
    len: usize,
    /// One bit per position, chosen by its key.
    filter: u128,
    /// Whether the latest position shares its bit with an earlier one.
    may_recur: bool,
    /// The sum of one number per position, independent of their order.
    digest: u64,
}

impl Clone for Past {
    #[inline]
    fn clone(&self) -> Self {
        Self { older: self.older.clone(), ..*self }
    }

    /// Counts no reference if both share their older positions already, as in a search that copies its states over
    /// those of sibling positions.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        if source.len > 0 {
            self.recent = source.recent;
        }
        self.len = source.len;
        (self.filter, self.may_recur) = (source.filter, source.may_recur);
        self.digest = source.digest;
        let block = |past: &Self| past.older.as_ref().map(Arc::as_ptr);
        if block(self) != block(source) {
            self.older.clone_from(&source.older);
        }
    }
}

impl Past {
    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        self.older = None;
        (self.len, self.filter, self.may_recur, self.digest) = (0, 0, false, 0);
    }

    /// The latest position.
    #[must_use]
    pub fn latest(&self) -> Option<Seen> {
        self.seen().next()
    }

    /// Whether the latest position may have occurred before: `true` if it has, and usually `false` otherwise.
    #[inline]
    #[must_use]
    pub fn may_recur(&self) -> bool {
        self.may_recur
    }

    /// The positions before the latest one, latest first, each with the plies since then.
    pub fn before(&self) -> impl Iterator<Item = (usize, Seen)> {
        self.seen().enumerate().skip(1)
    }

    /// A hash of the positions that occurred at least twice; 0 if there are none.
    #[must_use]
    pub fn repeated(&self) -> u64 {
        let mut keys: Vec<u64> = self.seen().map(|seen| seen.key).collect();
        keys.sort_unstable();
        let again = keys.chunk_by(|one, other| one == other).filter(|occurrences| occurrences.len() > 1);
        again.fold(0, |hash, occurrences| hash ^ mix(occurrences[0]))
    }

    /// Adds a position.
    #[inline]
    pub fn add(&mut self, seen: Seen) {
        if self.len == BLOCK {
            self.close_block();
        }
        self.recent[self.len % BLOCK] = seen;
        self.len += 1;
        let bit = 1 << (seen.key & 127);
        self.may_recur = self.filter & bit != 0;
        self.filter |= bit;
        self.digest = self.digest.wrapping_add(number(seen));
    }

    /// Moves the recent positions to a shared block.
    #[cold]
    fn close_block(&mut self) {
        self.older = Some(Arc::new(Block { seen: self.recent, previous: self.older.take() }));
        self.len = 0;
    }

    /// A hash of the number of occurrences of each position, updated incrementally.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The same hash, computed from scratch.
    #[must_use]
    pub fn full_digest(&self) -> u64 {
        self.seen().fold(0, |digest, seen| digest.wrapping_add(number(seen)))
    }

    /// All positions, latest first.
    fn seen(&self) -> impl Iterator<Item = Seen> {
        let blocks = std::iter::successors(self.older.as_deref(), |block| block.previous.as_deref());
        let older = blocks.flat_map(|block| block.seen.iter().rev());
        self.recent.iter().take(self.len).rev().chain(older).copied()
    }
}

fn number(seen: Seen) -> u64 {
    mix(seen.key ^ mix(seen.resting.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(keys: impl Iterator<Item = u64>) -> Past {
        let mut past = Past::default();
        keys.for_each(|key| past.add(Seen { key, resting: 0 }));
        past
    }

    #[test]
    fn positions_of_all_blocks_are_found() {
        for len in 1..4 * BLOCK as u64 {
            let past = past(0..len);
            let before: Vec<_> = past.before().map(|(plies, seen)| (plies as u64, seen.key)).collect();
            let expected: Vec<_> = (1..len).map(|plies| (plies, len - 1 - plies)).collect();
            assert_eq!(before, expected);
            assert_eq!(past.latest().map(|seen| seen.key), Some(len - 1));
            assert_eq!((past.digest(), past.repeated()), (past.full_digest(), 0));
        }
    }

    #[test]
    fn a_position_that_recurs_is_never_taken_for_new() {
        let keys = |length: u64| (0..length).map(|ply| mix(ply % 40));
        for length in 1..120 {
            let past = past(keys(length));
            assert!(past.may_recur() || length <= 40, "{length}");
        }
        assert!((1..=20).filter(|&length| past(keys(length)).may_recur()).count() < 5);
    }

    #[test]
    fn copies_go_on_separately() {
        let first = past(0..50);
        let mut copies = [first.clone(), past(100..103), past(0..90)];
        for copy in &mut copies {
            copy.clone_from(&first);
            (200..250).for_each(|key| copy.add(Seen { key, resting: 0 }));
            assert_eq!(copy.before().count(), 99);
            assert_eq!(copy.digest(), copy.full_digest());
        }
        assert_eq!((first.before().count(), first.digest()), (49, first.full_digest()));
        let mut cleared = copies[0].clone();
        cleared.clear();
        assert!(cleared.is_empty() && cleared.latest().is_none() && cleared.digest() == 0);
    }
}
