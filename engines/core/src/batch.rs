//! Leaves of many searches in one buffer: gathered and written in parallel, evaluated once, scattered in parallel.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::planes::Signature;
use crate::search::Search;

/// A search that several threads may reach.
pub type Shared = Arc<Mutex<Box<dyn Search>>>;

/// Locks a search. A panic in another thread cannot leave it half changed in a way that matters here: the search is
/// then closed by whoever owns it.
pub fn lock(search: &Shared) -> MutexGuard<'_, Box<dyn Search>> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One buffer of leaves for a model of one signature.
pub struct Batch {
    signature: Signature,
    capacity: usize,
    input: Vec<f32>,
    searches: Vec<(Shared, usize)>,
}

impl Batch {
    /// An empty batch of at most `capacity` rows.
    #[must_use]
    pub fn new(signature: Signature, capacity: usize) -> Self {
        Self { signature, capacity, input: vec![0.0; capacity * signature.input_len()], searches: Vec::new() }
    }

    /// The signature of its rows.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Number of gathered leaves.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.searches.iter().map(|(_, rows)| rows).sum()
    }

    /// The rows, `rows * signature.input_len()` numbers.
    #[must_use]
    pub fn input(&self) -> &[f32] {
        &self.input[..self.rows() * self.signature.input_len()]
    }

    /// Selects up to `room` leaves of each search, in order while the batch has room, and writes their planes.
    /// Leaves gathered before and not scattered are given back first. Returns the number per search.
    pub fn gather(&mut self, searches: &[(Shared, usize)]) -> Vec<usize> {
        self.cancel();
        let mut free = self.capacity;
        let rooms: Vec<(&Shared, usize)> = searches
            .iter()
            .map(|(search, room)| {
                let room = (*room).min(free);
                free -= room;
                (search, room)
            })
            .collect();
        let counts: Vec<usize> = rooms.par_iter().map(|(search, room)| lock(search).gather(*room)).collect();
        self.searches = searches
            .iter()
            .zip(&counts)
            .filter(|(_, count)| **count > 0)
            .map(|((search, _), count)| (Arc::clone(search), *count))
            .collect();
        let signature = self.signature;
        split(&self.searches, signature.input_len(), &mut self.input)
            .into_par_iter()
            .for_each(|(search, rows)| lock(search).fill(&signature, rows));
        counts
    }

    /// Hands the evaluations of the gathered leaves to their searches: `rows * policy` priors, `rows * values` values.
    pub fn scatter(&mut self, priors: &[f32], values: &[f32]) {
        let signature = self.signature;
        let searches = std::mem::take(&mut self.searches);
        let mut offset = 0;
        let parts: Vec<_> = searches
            .iter()
            .map(|(search, rows)| {
                let part = offset..offset + rows;
                offset = part.end;
                (search, part)
            })
            .collect();
        parts.into_par_iter().for_each(|(search, part)| {
            let policy = &priors[part.start * signature.policy..part.end * signature.policy];
            let value = &values[part.start * signature.values..part.end * signature.values];
            lock(search).absorb(&signature, policy, value);
        });
    }

    /// Gives the gathered leaves back.
    pub fn cancel(&mut self) {
        for (search, _) in self.searches.drain(..) {
            lock(&search).cancel();
        }
    }
}

/// Each search with its part of the buffer.
fn split<'a>(
    searches: &'a [(Shared, usize)],
    row: usize,
    mut buffer: &'a mut [f32],
) -> Vec<(&'a Shared, &'a mut [f32])> {
    let mut parts = Vec::with_capacity(searches.len());
    for (search, rows) in searches {
        let (part, rest) = buffer.split_at_mut(rows * row);
        parts.push((search, part));
        buffer = rest;
    }
    parts
}
