//! Alpha-beta for zero-sum games of two seats that alternate (a seat may act several times in a row).
//!
//! Iterative deepening with principal variation search, aspiration windows, a transposition table, late-move reductions
//! and learnt action ordering (Marsland and Campbell 1982; Schaeffer 1989). Depth counts actions. A *simulation* is one
//! visited node. A proven win or loss is exact and ends the search; shorter wins are preferred. All other values are
//! static values `depth` actions ahead, except if a late action was searched less deeply, or a static value near the
//! horizon was far above the window. A search limited to a depth of [`options::EXACT`] or less makes no such
//! exceptions: it finds every win and loss within its depth.
//!
//! With several threads, each worker deepens on its own and all share the table (lazy SMP): helpers fill the table for
//! each other, and the result is that of the most advanced worker. With one thread the search is deterministic.
//!
//! * [`score`]: values as whole numbers
//! * [`table`]: the transposition table
//! * [`ordering`]: the order in which actions are tried
//! * [`frame`], [`descent`], [`worker`]: the search itself, which can stop after any node
//! * [`lines`]: its results

mod descent;
mod frame;
mod lines;
pub mod options;
mod ordering;
pub mod score;
pub mod table;
mod worker;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use options::Options;
use table::Table;
use worker::{Shared, Worker};

use super::{Driver, Report, Search, SearchSpec, SelfEvaluating};
use crate::evaluator::Evaluator;
use crate::moves;
use crate::rules::{RuleError, Rules};
use crate::search::noise::Noise;

/// Nodes between two checks of the clock: a tenth of a millisecond.
const STEP: u32 = 64;

/// Nodes between two checks for each of several threads, which take time to start: some milliseconds.
const THREAD_STEP: u32 = 8192;

/// An alpha-beta search.
pub struct AlphaBeta<R: Rules> {
    shared: Shared<R>,
    /// The root, while a position after it is searched in its place.
    home: Option<R::State>,
    workers: Vec<Worker<R>>,
    seed: u64,
    visits: u64,
}

/// Opens an alpha-beta search with an evaluator of the game.
///
/// # Errors
/// `BadConfig` for unknown options or an unknown evaluator.
pub fn open<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
    noise: &Noise,
) -> Result<Box<dyn Search>, RuleError> {
    let options = Options::read(&spec.options)?;
    let evaluator = noise.on(rules.evaluator(&spec.evaluator)?);
    Ok(Box::new(AlphaBeta::new(Arc::clone(rules), root.clone(), evaluator, options, spec.seed)))
}

impl<R: Rules> AlphaBeta<R> {
    /// A search from `root`.
    pub fn new(
        rules: Arc<R>,
        root: R::State,
        evaluator: Box<dyn Evaluator<R>>,
        options: Options,
        seed: u64,
    ) -> Self {
        let table = Table::new(options.hash_mb);
        let mut shared = Shared { rules, evaluator, root, table, options, repeated: 0 };
        shared.look_back();
        let workers = (0..options.threads).map(|number| Worker::new(&shared, number, seed)).collect();
        Self { shared, home: None, workers, seed, visits: 0 }
    }

    /// The state after recorded moves from the root.
    fn after(&self, texts: &[impl AsRef<str>]) -> Result<R::State, RuleError> {
        let mut state = self.home.as_ref().unwrap_or(&self.shared.root).clone();
        for text in texts {
            moves::play_recorded(&*self.shared.rules, &mut state, text.as_ref())?;
        }
        Ok(state)
    }

    /// Starts a search from `state`, with the table and what was learnt about actions.
    fn restart_at(&mut self, state: R::State) {
        self.shared.root = state;
        self.shared.look_back();
        self.visits = 0;
        for (number, worker) in self.workers.iter_mut().enumerate() {
            worker.fade();
            worker.plant(&self.shared, self.seed.wrapping_add(number as u64));
        }
    }

    fn is_settled(&self) -> bool {
        self.workers.iter().any(Worker::is_settled)
    }

    /// The most advanced worker: one with a proven result, otherwise the deepest, otherwise the first.
    fn leader(&self) -> &Worker<R> {
        let mut leader = &self.workers[0];
        for worker in &self.workers[1..] {
            if (worker.is_settled(), worker.finished) > (leader.is_settled(), leader.finished) {
                leader = worker;
            }
        }
        leader
    }

    fn run_workers(&mut self, nodes: u32) -> u32 {
        let done = AtomicBool::new(false);
        let (shared, done) = (&self.shared, &done);
        if let [worker] = &mut self.workers[..] {
            return worker.work(shared, nodes, done);
        }
        let count = self.workers.len() as u32;
        let share = |number: u32| nodes / count + u32::from(number < nodes % count);
        let work = |(worker, number): (&mut Worker<R>, u32)| worker.work(shared, share(number), done);
        std::thread::scope(|scope| {
            let shares = self.workers.iter_mut().zip(0..);
            let threads: Vec<_> = shares.map(|share| scope.spawn(move || work(share))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).sum()
        })
    }
}

impl<R: Rules> SelfEvaluating for AlphaBeta<R> {
    fn run(&mut self, simulations: u32) -> u32 {
        if self.is_settled() || simulations == 0 {
            return 0;
        }
        let (mut done, step) = (0, self.step());
        while done < simulations && !self.is_settled() {
            // The table grows only between whole steps, so that pauses do not affect the result.
            let to_step = step - (self.visits % u64::from(step)) as u32;
            let ran = self.run_workers(to_step.min(simulations - done));
            done += ran;
            self.visits += u64::from(ran);
            if self.visits.is_multiple_of(u64::from(step)) {
                let filled = self.workers.iter_mut().map(|worker| std::mem::take(&mut worker.filled)).sum();
                self.shared.table.account(filled);
            }
        }
        done
    }

    fn step(&self) -> u32 {
        match self.workers.len() {
            1 => STEP,
            threads => THREAD_STEP * threads as u32,
        }
    }
}

impl<R: Rules> Search for AlphaBeta<R> {
    fn driver(&mut self) -> Driver<'_> {
        Driver::SelfEvaluating(self)
    }

    fn advance(&mut self, text: &str) -> Result<(), RuleError> {
        let after = self.after(&[text])?;
        self.home = None;
        self.shared.table.age();
        self.restart_at(after);
        Ok(())
    }

    fn look_ahead(&mut self, texts: &[String]) -> Result<bool, RuleError> {
        let (after, is_ahead) = (self.after(texts)?, !texts.is_empty());
        if is_ahead {
            self.home.get_or_insert_with(|| self.shared.root.clone());
        } else if self.home.take().is_none() {
            return Ok(false);
        }
        self.restart_at(after);
        Ok(is_ahead)
    }

    fn report(&self, lines: usize) -> Report {
        self.tell(lines)
    }

    fn visits(&self) -> u32 {
        u32::try_from(self.visits).unwrap_or(u32::MAX)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.shared.table.bytes() + self.workers.iter().map(Worker::bytes).sum::<usize>()
    }

    fn bytes_for(&self, simulations: u32) -> usize {
        self.bytes() + self.shared.table.bytes_for(simulations as usize)
    }
}
