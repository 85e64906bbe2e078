//! Gathers leaves of many searches into one buffer for a network; gathering and scattering run in parallel.
//!
//! A search advances in rounds: it selects some leaves and backs them up together once all of them are evaluated.
//! Evaluations from the cache take part in a round like any other; only if all leaves of a round are cached does the
//! search start its next round at once. So the tree depends neither on what other searches have left in the cache nor
//! on which searches share the batch.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::cache::Cache;
use crate::evaluation::Evaluation;
use crate::planes::Signature;
use crate::search::{Batched, Driver, Search};

/// Simulations after which a search starts no further round within one `gather`, even if everything was cached.
const MOST_AT_ONCE: u32 = 256;

/// From this number of searches on, a batch is processed in parallel: about a millisecond of work. Batches for a CPU are
/// smaller, because its other cores are busy with batches of their own.
const PARALLEL_FROM: usize = 32;

/// A search shared between threads.
pub type Shared = Arc<Mutex<Box<dyn Search>>>;

/// Locks a search. A poisoned lock is ignored: after a panic in another thread, the owner closes the search anyway.
pub fn lock(search: &Shared) -> MutexGuard<'_, Box<dyn Search>> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The source of a leaf's evaluation.
enum Source {
    Known(Evaluation),
    /// A row of the buffer. `first`: this leaf wrote the row.
    Row {
        row: usize,
        key: u128,
        first: bool,
    },
}

/// A search in the batch, with its leaves in flight.
struct Part {
    search: Shared,
    /// Compared when the evaluations arrive, to find out whether the leaves are still in flight.
    flight: u64,
    /// Visits of the root before this batch.
    before: u32,
    leaves: Vec<Source>,
}

/// Leaves for a model of one signature. The buffer belongs to the caller.
pub struct Batch {
    signature: Signature,
    cache: Arc<Cache>,
    parts: Vec<Part>,
    rows: usize,
}

impl Batch {
    /// An empty batch that stores its evaluations in `cache`.
    #[must_use]
    pub fn new(signature: Signature, cache: Arc<Cache>) -> Self {
        Self { signature, cache, parts: Vec::new(), rows: 0 }
    }

    /// The signature of its rows.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Number of rows waiting for evaluation.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Advances each search by at most its number of simulations, until it has `parallel` uncached leaves, and writes
    /// the planes of these into `buffer`, each position once. The buffer should have room for `parallel` rows per
    /// search; if it is smaller, the last searches get fewer rows. Leaves gathered before and not scattered are given
    /// back first. No other thread may use the searches meanwhile. A search that advances before `scatter` gets no
    /// evaluations.
    pub fn gather(&mut self, searches: &[(Shared, u32)], parallel: usize, buffer: &mut [f32]) {
        self.cancel();
        let mut free = buffer.len() / self.signature.input_len();
        let rooms: Vec<_> = searches
            .iter()
            .map(|(search, wanted)| {
                let room = parallel.min(free);
                free -= room;
                (search, *wanted, room)
            })
            .collect();
        let cache = &*self.cache;
        let rounds = map(rooms, |(search, wanted, room)| rounds(search, wanted, room, cache));
        self.assign(searches, rounds);
        let signature = self.signature;
        map(split(&self.parts, signature.input_len(), buffer), |(part, rows)| {
            let mut search = lock(&part.search);
            let Some(search) = batched(&mut **search) else { return };
            for (leaf, row) in part.firsts().zip(rows.chunks_exact_mut(signature.input_len())) {
                search.fill(&signature, leaf, row);
            }
        });
    }

    /// Assigns a row of the buffer to every uncached leaf; equal leaves share one.
    fn assign(&mut self, searches: &[(Shared, u32)], rounds: Vec<Round>) {
        let mut row_of: HashMap<u128, usize> = HashMap::new();
        for ((search, _), round) in searches.iter().zip(rounds) {
            let leaves = round.leaves.into_iter().map(|(key, known)| match known {
                Some(evaluation) => Source::Known(evaluation),
                None => {
                    let next = row_of.len();
                    let row = *row_of.entry(key).or_insert(next);
                    Source::Row { row, key, first: row == next }
                }
            });
            let (flight, before, leaves) = (round.flight, round.before, leaves.collect());
            self.parts.push(Part { search: Arc::clone(search), flight, before, leaves });
        }
        self.rows = row_of.len();
        let leaves: usize = self.parts.iter().map(|part| part.leaves.len()).sum();
        self.cache.count(leaves - self.rows, self.rows);
    }

    /// Returns the evaluations to their searches: `rows * policy` priors, `rows * values` values. Returns the
    /// simulations of each search since `gather`, including those answered by the cache.
    pub fn scatter(&mut self, priors: &[f32], values: &[f32]) -> Vec<u32> {
        let signature = self.signature;
        let cache = &*self.cache;
        self.rows = 0;
        let finish = |part: Part| {
            let mut locked = lock(&part.search);
            if let Some(search) = part.in_flight(&mut **locked) {
                let evaluate = |(leaf, source)| match source {
                    Source::Known(evaluation) => evaluation,
                    Source::Row { row, key, first } => {
                        let policy = &priors[row * signature.policy..(row + 1) * signature.policy];
                        let value = &values[row * signature.values..(row + 1) * signature.values];
                        let evaluation = search.read(&signature, leaf, policy, value);
                        if first {
                            cache.put(key, evaluation.clone());
                        }
                        evaluation
                    }
                };
                let evaluations: Vec<Evaluation> = part.leaves.into_iter().enumerate().map(evaluate).collect();
                search.absorb(&evaluations);
            }
            locked.visits().saturating_sub(part.before)
        };
        map(std::mem::take(&mut self.parts), finish)
    }

    /// Gives back the gathered leaves.
    pub fn cancel(&mut self) {
        self.rows = 0;
        for part in self.parts.drain(..) {
            if let Some(search) = part.in_flight(&mut **lock(&part.search)) {
                search.cancel();
            }
        }
    }
}

impl Part {
    /// The search, if its leaves are still in flight.
    fn in_flight<'s>(&self, search: &'s mut dyn Search) -> Option<&'s mut dyn Batched> {
        batched(search).filter(|search| !self.leaves.is_empty() && self.flight == search.flight())
    }

    /// The leaves that wrote a row, in row order.
    fn firsts(&self) -> impl Iterator<Item = usize> {
        let first = |source: &Source| matches!(source, Source::Row { first: true, .. });
        self.leaves.iter().enumerate().filter(move |(_, source)| first(source)).map(|(leaf, _)| leaf)
    }
}

/// A round whose leaves wait for evaluations; it has none if the search needs none now.
struct Round {
    flight: u64,
    before: u32,
    leaves: Vec<(u128, Option<Evaluation>)>,
}

/// Runs rounds of a search until one needs evaluations, or `wanted` simulations are done.
fn rounds(search: &Shared, wanted: u32, room: usize, cache: &Cache) -> Round {
    let mut search = lock(search);
    let before = search.visits();
    let mut keys = Vec::new();
    loop {
        let visits = search.visits();
        let done = visits - before;
        let Some(batched) = batched(&mut **search) else {
            return Round { flight: 0, before, leaves: Vec::new() };
        };
        if done < wanted && done < MOST_AT_ONCE {
            batched.gather(room.min((wanted - done) as usize), &mut keys);
        }
        let flight = batched.flight();
        if !keys.is_empty() {
            let leaves: Vec<_> = keys.drain(..).map(|key| (key, cache.get(key))).collect();
            let known: Option<Vec<Evaluation>> = leaves.iter().map(|(_, known)| known.clone()).collect();
            let Some(evaluations) = known else { return Round { flight, before, leaves } };
            cache.count(evaluations.len(), 0);
            batched.absorb(&evaluations);
        } else if search.visits() == visits {
            return Round { flight, before, leaves: Vec::new() };
        }
    }
}

/// The search as a batched one; `None` for searches with an evaluator of their own.
fn batched(search: &mut dyn Search) -> Option<&mut dyn Batched> {
    match search.driver() {
        Driver::Batched(search) => Some(search),
        Driver::SelfEvaluating(_) => None,
    }
}

/// Applies `work` to each item, in parallel if there are enough items to make up for the overhead.
fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    if items.len() < PARALLEL_FROM {
        return items.into_iter().map(work).collect();
    }
    items.into_par_iter().map(work).collect()
}

/// Pairs each part with its rows of the buffer.
fn split<'a>(parts: &'a [Part], row: usize, mut buffer: &'a mut [f32]) -> Vec<(&'a Part, &'a mut [f32])> {
    let mut pieces = Vec::with_capacity(parts.len());
    for part in parts {
        let (piece, rest) = buffer.split_at_mut(part.firsts().count() * row);
        pieces.push((part, piece));
        buffer = rest;
    }
    pieces
}
