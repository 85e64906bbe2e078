//! One worker: deepens the search from the root step by step, with aspiration windows around the previous value, and
//! keeps the results for the root's actions. The search below the root is in `descent.rs`.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::frame::{self, Candidate, Frame};
use super::options::Options;
use super::ordering::{self, Ordering};
use super::score::{self, INFINITE, Score, UNIT};
use super::table::Table;
use crate::evaluator::Evaluator;
use crate::rules::{Rules, Seat, ToAct};

/// Half the width of the first window.
const ASPIRATION: Score = UNIT / 32;

/// The first depth searched with a window.
const FIRST_WINDOW: i32 = 3;

/// By how much the value of a position is too high on average: it is the largest of several uncertain values, so that
/// the seat that chooses among them seems to gain by that. Measured in Hive (`docs/calibration.md`).
const CHOICE: Score = UNIT * 7 / 1000;

/// The data shared by all workers of a search.
pub struct Shared<R: Rules> {
    pub rules: std::sync::Arc<R>,
    pub evaluator: Box<dyn Evaluator<R>>,
    pub root: R::State,
    pub table: Table,
    pub options: Options,
    /// Hash of earlier repetitions, which affect the values of positions.
    pub repeated: u64,
}

impl<R: Rules> Shared<R> {
    /// The half of the position's key that the table uses, mixed with the repetitions in the game so far.
    pub fn table_key(&self, state: &R::State) -> u64 {
        self.rules.table_key(state) as u64 ^ self.repeated
    }

    /// Updates `repeated` for the current root.
    pub fn look_back(&mut self) {
        self.repeated = self.rules.repetition().map_or(0, |repetition| repetition.repeated(&self.root));
    }
}

/// The results for an action of the root.
#[derive(Debug, Clone)]
pub struct RootMove<A> {
    pub action: A,
    pub digest: u16,
    /// The exact value of the best action; for other actions an upper bound from when they were last searched.
    pub score: Score,
    /// Nodes visited below it.
    pub nodes: u64,
    /// This action and the best ones after it; empty if it was never the best.
    pub line: Vec<A>,
}

/// A search of its own from the shared root.
pub struct Worker<R: Rules> {
    /// The active frames, then some for reuse.
    pub(super) frames: Vec<Frame<R>>,
    pub(super) height: usize,
    pub(super) ordering: Ordering,
    /// Best first.
    pub moves: Vec<RootMove<R::Action>>,
    /// Depth of the last complete step.
    pub finished: usize,
    /// The values of the last complete step and of the one before.
    values: [Score; 2],
    /// Nodes visited since the start.
    pub nodes: u64,
    /// Newly filled slots of the table that were not yet reported to it.
    pub filled: usize,
    /// What the latest value depends on: the lowest ply of a repeated position, or `NOTHING`.
    pub(super) rests_on: usize,
    pub(super) actions: Vec<R::Action>,
    pub(super) priors: Vec<f32>,
    depth: i32,
    alpha: Score,
    beta: Score,
    width: Score,
    /// `nodes` at the start of the root's current action.
    began: u64,
    settled: bool,
    first_depth: i32,
}

impl<R: Rules> Worker<R> {
    /// A worker at the shared root. The seed decides the order of actions with equal priors. Every other helper
    /// (`number` > 0) starts one action deeper, so that it fills the table for the first worker.
    pub fn new(shared: &Shared<R>, number: usize, seed: u64) -> Self {
        let mut worker = Self {
            frames: vec![Frame::new(shared.root.clone())],
            height: 0,
            ordering: Ordering::new(),
            moves: Vec::new(),
            finished: 0,
            values: [0; 2],
            nodes: 0,
            filled: 0,
            rests_on: frame::NOTHING,
            actions: Vec::new(),
            priors: Vec::new(),
            depth: 0,
            alpha: -INFINITE,
            beta: INFINITE,
            width: ASPIRATION,
            began: 0,
            settled: false,
            first_depth: 1 + (number % 2) as i32,
        };
        worker.plant(shared, seed.wrapping_add(number as u64));
        worker
    }

    /// Restarts at the shared root; keeps what was learnt about actions.
    pub fn plant(&mut self, shared: &Shared<R>, seed: u64) {
        (self.height, self.finished, self.nodes) = (0, 0, 0);
        (self.depth, self.alpha, self.beta) = (self.first_depth, -INFINITE, INFINITE);
        self.settled = true;
        self.moves.clear();
        if let ToAct::One(seat) = shared.rules.to_act(&shared.root) {
            self.settled = false;
            self.list_root(shared, seat, seed);
        }
    }

    fn list_root(&mut self, shared: &Shared<R>, seat: Seat, seed: u64) {
        let root = &mut self.frames[0];
        root.state.clone_from(&shared.root);
        (root.seat, root.key) = (seat, shared.table_key(&shared.root));
        self.list_moves(shared, 0, 0);
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut ranked: Vec<_> =
            self.frames[0].moves.iter().map(|known| (known.rank, rng.random::<u32>(), *known)).collect();
        ranked.sort_by_key(|&(rank, tie, _)| std::cmp::Reverse((rank, tie)));
        let root_move = |(_, _, known): (i32, u32, Candidate<R::Action>)| RootMove {
            action: known.action,
            digest: known.digest,
            score: -INFINITE,
            nodes: 0,
            line: Vec::new(),
        };
        self.moves.extend(ranked.into_iter().map(root_move));
    }

    /// Halves what was learnt about actions. Called when the root moves.
    pub fn fade(&mut self) {
        self.ordering.fade();
    }

    /// The value of the best move for the acting seat; 0 before any was searched.
    pub fn score(&self) -> Score {
        self.moves.first().filter(|best| best.score > -INFINITE).map_or(0, |best| best.score)
    }

    /// The value of the position for the acting seat: the mean of the last two complete steps, less [`CHOICE`]. Depths
    /// end alternately with an action of either seat, and favour that seat. Before there are two steps, with a proven
    /// result, at the maximum depth and if both steps agree, it is that of the best move.
    pub fn worth(&self) -> Score {
        let best = self.score();
        let [last, previous] = self.values;
        let is_exact = self.settled || [best, last, previous].into_iter().any(score::is_sure);
        if is_exact || last == previous || self.finished <= self.first_depth as usize {
            return best;
        }
        score::raised((last + previous) / 2, -CHOICE)
    }

    /// Whether nothing is left to search.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// Visits up to `nodes` nodes; stops early if nothing is left to search or another worker is done.
    pub fn work(&mut self, shared: &Shared<R>, nodes: u32, done: &AtomicBool) -> u32 {
        let began = self.nodes;
        while self.nodes - began < u64::from(nodes) && !self.settled && !done.load(Relaxed) {
            if self.height == 0 {
                self.begin_root();
            } else if self.frames[self.height - 1].is_done() {
                self.leave(shared);
            } else {
                self.try_next(shared);
            }
        }
        if self.settled {
            done.store(true, Relaxed);
        }
        (self.nodes - began) as u32
    }

    /// Starts an iteration, or restarts it with another window.
    fn begin_root(&mut self) {
        let root = &mut self.frames[0];
        root.begin(self.depth, self.alpha, self.beta);
        root.moves.clear();
        let candidate = |(index, known): (usize, &RootMove<R::Action>)| Candidate {
            action: known.action,
            digest: known.digest,
            rank: -(index as i32),
        };
        root.moves.extend(self.moves.iter().enumerate().map(candidate));
        self.height = 1;
        self.began = self.nodes;
    }

    /// Called when the root's current action has been searched.
    pub(super) fn root_move_done(&mut self, value: Score) {
        let root = &self.frames[0];
        let (raised, current) = (value > root.alpha, root.current());
        let Some(index) = self.moves.iter().position(|known| known.action == current.action) else { return };
        let known = &mut self.moves[index];
        known.nodes += self.nodes - self.began;
        self.began = self.nodes;
        if raised {
            known.score = value;
            known.line.clear();
            known.line.push(known.action);
            known.line.extend_from_slice(&self.frames[1].line);
            self.moves[..=index].rotate_right(1);
        } else if index > 0 {
            known.score = value;
            known.line.clear();
        }
    }

    /// Called when an iteration has ended, or failed high or low.
    pub(super) fn root_done(&mut self, value: Score) {
        if value <= self.alpha {
            self.alpha = self.widened(value, -1);
        } else if value >= self.beta {
            self.beta = self.widened(value, 1);
        } else {
            self.finished = self.depth as usize;
            self.values = [value, self.values[0]];
            self.settled = score::is_sure(value) && score::distance(value) <= self.finished;
            self.begin_step(value);
        }
    }

    /// The new bound of a window that was too narrow, given the `value` found.
    fn widened(&mut self, value: Score, direction: Score) -> Score {
        self.width *= 4;
        if self.width >= UNIT || score::is_sure(value) {
            direction * INFINITE
        } else {
            value + direction * self.width
        }
    }

    fn begin_step(&mut self, value: Score) {
        self.depth += 1;
        self.width = ASPIRATION;
        (self.alpha, self.beta) = (-INFINITE, INFINITE);
        if self.depth >= FIRST_WINDOW && !score::is_sure(value) {
            (self.alpha, self.beta) = (value - self.width, value + self.width);
        }
    }

    /// Marks the search as settled if the next iteration would exceed the maximum depth.
    pub fn limit(&mut self, max_depth: usize) {
        self.settled |= self.finished >= max_depth;
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        let bytes = |frame: &Frame<R>| {
            size_of::<Frame<R>>()
                + frame.moves.capacity() * size_of::<Candidate<R::Action>>()
                + frame.line.capacity() * size_of::<R::Action>()
        };
        self.frames.iter().map(bytes).sum::<usize>()
            + self.moves.len() * size_of::<RootMove<R::Action>>()
            + Ordering::bytes()
    }
}

/// Ranks listed actions by their priors alone.
pub(super) fn rank_priors(priors: &[f32], count: usize) -> impl Iterator<Item = i32> {
    (0..count).map(|index| priors.get(index).map_or(0, |prior| ordering::of_prior(*prior)))
}
