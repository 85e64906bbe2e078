//! The positions since the last placement, for the rule of the third occurrence and for searches. No position from before a placement
//! comes again, since pieces never leave the board.
//!
//! States share their past: it is a list from the latest position back, so that copying a state copies one pointer.

use std::sync::Arc;

use super::grid::Cell;
use super::key::mix;

/// A position as the rule compares it, the same wherever the hive lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// A hash of what stands where and of whose turn it is.
    pub key: u64,
    /// The cell of the piece that rests, where that may take a move away; else `NOWHERE`.
    pub resting: Cell,
}

/// One position and those before it.
struct Entry {
    seen: Seen,
    previous: Option<Arc<Entry>>,
}

impl Drop for Entry {
    /// Frees a long past position by position instead of one call within another.
    fn drop(&mut self) {
        let mut previous = self.previous.take();
        while let Some(mut entry) = previous.and_then(Arc::into_inner) {
            previous = entry.previous.take();
        }
    }
}

/// The positions since the last placement.
#[derive(Clone, Default)]
pub struct Past {
    last: Option<Arc<Entry>>,
    /// The sum of a number for every position: the same for every order in which they came.
    digest: u64,
}

impl Past {
    /// Whether it holds no position yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Forgets every position.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The latest position.
    #[must_use]
    pub fn latest(&self) -> Option<Seen> {
        self.last.as_deref().map(|entry| entry.seen)
    }

    /// The positions before the latest one, from there back, each with the plies since then.
    pub fn before(&self) -> impl Iterator<Item = (usize, Seen)> {
        self.seen().enumerate().skip(1)
    }

    /// A hash of the positions that are there twice or more; 0 if there are none.
    #[must_use]
    pub fn repeated(&self) -> u64 {
        let mut keys: Vec<u64> = self.seen().map(|seen| seen.key).collect();
        keys.sort_unstable();
        let again = keys.chunk_by(|one, other| one == other).filter(|occurrences| occurrences.len() > 1);
        again.fold(0, |hash, occurrences| hash ^ mix(occurrences[0]))
    }

    /// Adds a position.
    pub fn add(&mut self, seen: Seen) {
        self.digest = self.digest.wrapping_add(number(seen));
        self.last = Some(Arc::new(Entry { seen, previous: self.last.take() }));
    }

    /// A hash of which positions occurred how often, kept while playing.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The same hash from nothing.
    #[must_use]
    pub fn full_digest(&self) -> u64 {
        self.seen().fold(0, |digest, seen| digest.wrapping_add(number(seen)))
    }

    /// From the latest position back.
    fn seen(&self) -> impl Iterator<Item = Seen> {
        std::iter::successors(self.last.as_deref(), |entry| entry.previous.as_deref()).map(|entry| entry.seen)
    }
}

fn number(seen: Seen) -> u64 {
    mix(seen.key ^ mix(seen.resting.into()))
}
