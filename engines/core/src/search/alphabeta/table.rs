//! The transposition table, shared by the workers without locks.
//!
//! A slot has two words, the first of which is the key XOR the second: a slot torn by two writers fails the comparison
//! and counts as empty (Hyatt and Mann 2002). The table starts small and doubles as it fills, up to its limit; after
//! that, new entries replace old and shallow ones in their bucket.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::score::Score;

/// Slots per bucket: one cache line.
const BUCKET: usize = 4;

/// Initial number of slots: 16 KiB.
const FIRST_SLOTS: usize = 1024;

/// Number of distinguishable generations.
const GENERATIONS: u64 = 64;

/// Depth in plies that an entry loses per generation when entries are compared for replacement.
const AGE: i64 = 4;

/// How a score relates to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score.
    Exact = 3,
}

/// The result of searching a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// For the acting seat; proven ends are counted from this position.
    pub score: Score,
    /// How the score relates to the true one.
    pub bound: Bound,
    /// Depth of the search in actions.
    pub depth: u8,
    /// Digest of the best action.
    pub hint: u16,
}

impl Entry {
    fn pack(self, generation: u64) -> u64 {
        let score = u64::from(self.score as u32 & 0xff_ffff);
        let (hint, depth, bound) = (u64::from(self.hint), u64::from(self.depth), self.bound as u64);
        score | hint << 24 | depth << 40 | bound << 48 | generation << 50
    }

    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 48 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let score = (data as u32) << 8;
        Some(Self { score: score as i32 >> 8, bound, depth: (data >> 40) as u8, hint: (data >> 24) as u16 })
    }
}

#[derive(Default)]
struct Slot {
    /// Key XOR data.
    check: AtomicU64,
    /// A packed entry, or 0.
    data: AtomicU64,
}

/// A hash table with a size limit.
pub struct Table {
    /// A power of two of slots, in buckets.
    slots: Vec<Slot>,
    most: usize,
    used: usize,
    generation: u64,
}

impl Table {
    /// An empty table that grows to at most `megabytes` MiB.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        let most = (megabytes << 20) / size_of::<Slot>();
        let most = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        let mut table = Self { slots: Vec::new(), most: most.max(FIRST_SLOTS), used: 0, generation: 0 };
        table.slots.resize_with(FIRST_SLOTS, Slot::default);
        table
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        let first = key as usize & (self.slots.len() - 1) & !(BUCKET - 1);
        &self.slots[first..first + BUCKET]
    }

    /// The entry of the position with this key.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key { Entry::unpack(data) } else { None }
        })
    }

    /// Stores an entry in place of the least useful one in its bucket; returns whether that slot was empty.
    pub fn keep(&self, key: u64, entry: Entry) -> bool {
        let mut worst = (i64::MAX, &self.slots[0], 0);
        for slot in self.bucket(key) {
            let data = slot.data.load(Relaxed);
            let same = slot.check.load(Relaxed) ^ data == key;
            let worth = if same { i64::MIN } else { self.worth(data) };
            if worth < worst.0 {
                worst = (worth, slot, data);
            }
        }
        let (_, slot, old) = worst;
        let data = entry.pack(self.generation);
        slot.data.store(data, Relaxed);
        slot.check.store(key ^ data, Relaxed);
        old == 0
    }

    /// The value of keeping a slot.
    fn worth(&self, data: u64) -> i64 {
        if data == 0 {
            return -1000;
        }
        let age = (GENERATIONS + self.generation - (data >> 50)) % GENERATIONS;
        i64::from((data >> 40) as u8) - AGE * age as i64
    }

    /// Starts a new generation. Called when a move is played, not when the search looks ahead.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Counts newly filled slots; doubles the table if too few are left.
    pub fn account(&mut self, filled: usize) {
        self.used += filled;
        while self.used > self.slots.len() / 2 && self.slots.len() < self.most {
            self.double();
        }
    }

    fn double(&mut self) {
        let mut slots = Vec::new();
        slots.resize_with(2 * self.slots.len(), Slot::default);
        for old in std::mem::replace(&mut self.slots, slots) {
            let (check, data) = (old.check.into_inner(), old.data.into_inner());
            if data != 0 {
                self.put_back(check ^ data, check, data);
            }
        }
    }

    /// Moves a slot of the old table into the doubled one; a bucket never receives more than it can hold.
    fn put_back(&self, key: u64, check: u64, data: u64) {
        if let Some(slot) = self.bucket(key).iter().find(|slot| slot.data.load(Relaxed) == 0) {
            slot.check.store(check, Relaxed);
            slot.data.store(data, Relaxed);
        }
    }

    /// Number of entries.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    /// Memory used, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }

    /// Maximum memory of the table after this many nodes, in bytes.
    #[must_use]
    pub fn bytes_for(&self, nodes: usize) -> usize {
        self.most.min(nodes.saturating_mul(4)) * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, depth: u8) -> Entry {
        Entry { score, bound: Bound::Lower, depth, hint: 0xbeef }
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let table = Table::new(1);
        for score in [0, 1, -1, 1 << 22, -(1 << 22)] {
            table.keep(77, entry(score, 200));
            assert_eq!(table.find(77), Some(entry(score, 200)));
        }
        assert_eq!(table.find(78), None);
    }

    #[test]
    fn growing_loses_nothing_and_stops_at_the_limit() {
        let mut table = Table::new(1);
        let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for n in 1..=700 {
            let filled = table.keep(key(n), entry(n as Score, 1));
            table.account(usize::from(filled));
        }
        let found = (1..=700).filter(|&n| table.find(key(n)) == Some(entry(n as Score, 1))).count();
        assert_eq!(found, table.used());
        assert!(found > 690, "{found}");
        for n in 1..=200_000 {
            let filled = table.keep(key(n), entry(1, 1));
            table.account(usize::from(filled));
        }
        assert_eq!(table.bytes(), 1 << 20);
    }

    #[test]
    fn old_and_shallow_entries_make_room() {
        let mut table = Table::new(1);
        let keys = [4, 5, 6, 7].map(|n| n << 40);
        for (depth, key) in keys.into_iter().enumerate() {
            table.keep(key, entry(0, depth as u8));
        }
        table.keep(99 << 40, entry(0, 0));
        assert_eq!(table.find(keys[0]), None);
        table.age();
        table.keep(98 << 40, entry(0, 0));
        assert_eq!(table.find(99 << 40), None);
        assert!(table.find(keys[3]).is_some());
    }
}
