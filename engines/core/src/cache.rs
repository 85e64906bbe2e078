//! The evaluation cache of one model: its outputs for recently evaluated positions.
//!
//! Keys are those of [`crate::rules::Rules::information_key`], which cover everything that planes and legal actions
//! depend on. An entry takes about 130 bytes plus 2 per legal action: 360 for an 8×8 board of Wallwars, 580 for 12×10.
//! Used by [`crate::batch`]; shared by all batches of a model.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use crate::evaluation::Evaluation;

/// Number of independently locked parts, so that threads rarely wait for each other.
const SHARDS: usize = 16;

type Shard = Mutex<LruCache<u128, Evaluation>>;

/// An LRU cache of evaluations; each shard evicts its own least recently used entries.
pub struct Cache {
    shards: Vec<Shard>,
    capacity: usize,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Cache {
    /// An empty cache for `capacity` entries; 0 disables it.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let count = SHARDS.min(capacity);
        let sizes = (0..count).map(|shard| capacity / count + usize::from(shard < capacity % count));
        let shards = sizes.filter_map(NonZeroUsize::new).map(|size| Mutex::new(LruCache::new(size))).collect();
        Self { shards, capacity, hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    /// The cached evaluation of a position.
    #[must_use]
    pub fn get(&self, key: u128) -> Option<Evaluation> {
        self.shard(key)?.get(&key).cloned()
    }

    /// Stores an evaluation.
    pub fn put(&self, key: u128, evaluation: Evaluation) {
        if let Some(mut shard) = self.shard(key) {
            shard.put(key, evaluation);
        }
    }

    /// Counts leaves that needed no evaluation, and leaves that did.
    pub fn count(&self, hits: usize, misses: usize) {
        self.hits.fetch_add(hits as u64, Ordering::Relaxed);
        self.misses.fetch_add(misses as u64, Ordering::Relaxed);
    }

    /// Leaves that needed no evaluation, since the start.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Leaves that were evaluated, since the start.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).len()).sum()
    }

    /// Whether the cache is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Maximum number of entries.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The shard of a key; `None` if the cache is disabled.
    fn shard(&self, key: u128) -> Option<MutexGuard<'_, LruCache<u128, Evaluation>>> {
        let index = (key >> 64) as usize % self.shards.len().max(1);
        self.shards.get(index).map(lock)
    }
}

/// Locks a shard. No code that holds the lock can panic.
fn lock(shard: &Shard) -> MutexGuard<'_, LruCache<u128, Evaluation>> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u128) -> u128 {
        number << 64 | number
    }

    fn entry(value: f32) -> Evaluation {
        Evaluation::new(&[value], std::iter::empty::<std::iter::Empty<f32>>())
    }

    #[test]
    fn it_never_holds_more_than_its_capacity() {
        for capacity in [0, 1, 5, 16, 100] {
            let cache = Cache::new(capacity);
            for number in 0..1000 {
                cache.put(key(number), entry(0.5));
                assert!(cache.len() <= capacity);
            }
            assert_eq!(cache.len(), capacity);
        }
    }

    #[test]
    fn the_least_recently_used_makes_room() {
        let cache = Cache::new(2 * SHARDS);
        let same_shard = |number: u128| key(number * SHARDS as u128);
        cache.put(same_shard(1), entry(0.1));
        cache.put(same_shard(2), entry(0.2));
        assert_eq!(cache.get(same_shard(1)), Some(entry(0.1)));
        cache.put(same_shard(3), entry(0.3));
        assert_eq!(cache.get(same_shard(2)), None);
        assert_eq!(cache.get(same_shard(1)), Some(entry(0.1)));
    }
}
