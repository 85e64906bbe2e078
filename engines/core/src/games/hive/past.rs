//! The positions since the last placement, for the rule of the third occurrence. No position from before a placement
//! comes again, since pieces never leave the board.
//!
//! States share their past: it is a list from the latest position back, so that copying a state copies one pointer.

use std::sync::Arc;

use super::key::mix;

/// How often a position may occur before the game is drawn.
const ENOUGH: usize = 3;

/// One position and those before it.
struct Entry {
    key: u64,
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

    /// Adds a position; whether it has now occurred three times.
    pub fn add(&mut self, key: u64) -> bool {
        self.digest = self.digest.wrapping_add(mix(key));
        self.last = Some(Arc::new(Entry { key, previous: self.last.take() }));
        self.keys().filter(|&known| known == key).nth(ENOUGH - 1).is_some()
    }

    /// A hash of which positions occurred how often, kept while playing.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The same hash from nothing.
    #[must_use]
    pub fn full_digest(&self) -> u64 {
        self.keys().fold(0, |digest, key| digest.wrapping_add(mix(key)))
    }

    fn keys(&self) -> impl Iterator<Item = u64> {
        std::iter::successors(self.last.as_deref(), |entry| entry.previous.as_deref()).map(|entry| entry.key)
    }
}
