//! One worker: deepens the search from the root step by step, with narrow windows around the value of the step before
//! (aspiration), and remembers what it found about the actions of the root. `descent.rs` has what happens below.

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

/// The first depth that is searched with a window.
const FIRST_WINDOW: i32 = 3;

/// What all workers of a search read.
pub struct Shared<R: Rules> {
    pub rules: std::sync::Arc<R>,
    pub evaluator: Box<dyn Evaluator<R>>,
    pub root: R::State,
    pub table: Table,
    pub options: Options,
    /// Tells positions apart that are worth something else because others have occurred twice.
    pub repeated: u64,
}

impl<R: Rules> Shared<R> {
    /// The half of the position's key that the table uses, in a game that came to the root as this one did.
    pub fn table_key(&self, state: &R::State) -> u64 {
        self.rules.table_key(state) as u64 ^ self.repeated
    }

    /// Takes in how the game came to the root.
    pub fn look_back(&mut self) {
        self.repeated = self.rules.repetition().map_or(0, |repetition| repetition.repeated(&self.root));
    }

    /// Where a position `ply` actions from the root is drawn by repetition: the ply of its earlier occurrence on the
    /// path, or its own where it occurs for the third time in the game, whatever the path.
    pub fn repetition(&self, state: &R::State, ply: usize) -> Option<usize> {
        let earlier = self.rules.repetition()?.earlier(state)?;
        match ply.checked_sub(earlier.plies) {
            None if earlier.times < 2 => None,
            None => Some(ply),
            on_path => on_path,
        }
    }
}

/// What is known about an action of the root.
#[derive(Debug, Clone)]
pub struct RootMove<A> {
    pub action: A,
    pub digest: u16,
    /// The value while it is the best; else a number that the value did not exceed when it was last looked at.
    pub score: Score,
    /// Nodes visited behind it.
    pub nodes: u64,
    /// This action and the best ones after it; empty while it never was the best.
    pub line: Vec<A>,
}

/// A search of its own from the shared root.
pub struct Worker<R: Rules> {
    /// The active ones, then some to use again.
    pub(super) frames: Vec<Frame<R>>,
    pub(super) height: usize,
    pub(super) ordering: Ordering,
    /// Best first.
    pub moves: Vec<RootMove<R::Action>>,
    /// Depth of the last complete step.
    pub finished: usize,
    /// Nodes visited since the start.
    pub nodes: u64,
    /// Empty slots of the table that were taken, not accounted for yet.
    pub filled: usize,
    /// What the value that has just been found rests on: the lowest ply of a repeated position, or `NOTHING`.
    pub(super) rests_on: usize,
    pub(super) actions: Vec<R::Action>,
    pub(super) priors: Vec<f32>,
    depth: i32,
    alpha: Score,
    beta: Score,
    width: Score,
    /// `nodes` when the current action of the root was begun.
    began: u64,
    settled: bool,
    first_depth: i32,
}

impl<R: Rules> Worker<R> {
    /// A worker at the shared root. Where priors are equal the seed decides what is tried first; helpers (`number` > 0)
    /// begin one deeper every other time, so that they fill the table with what the first worker will want.
    pub fn new(shared: &Shared<R>, number: usize, seed: u64) -> Self {
        let mut worker = Self {
            frames: vec![Frame::new(shared.root.clone())],
            height: 0,
            ordering: Ordering::new(),
            moves: Vec::new(),
            finished: 0,
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

    /// Starts from the shared root; what was learnt about actions stays.
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

    /// Halves what was learnt about actions: the root has moved on.
    pub fn fade(&mut self) {
        self.ordering.fade();
    }

    /// Value of the best move for the acting seat; 0 before any was searched.
    pub fn score(&self) -> Score {
        self.moves.first().filter(|best| best.score > -INFINITE).map_or(0, |best| best.score)
    }

    /// Whether nothing is left to search.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// Visits up to so many nodes, and stops early when nothing is left or another worker is done.
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

    /// Starts a step of the deepening, or starts it over with another window.
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

    /// The current action of the root has been searched.
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

    /// A step has come to its end, or to the edge of its window.
    pub(super) fn root_done(&mut self, value: Score) {
        if value <= self.alpha {
            self.alpha = self.widened(value, -1);
        } else if value >= self.beta {
            self.beta = self.widened(value, 1);
        } else {
            self.finished = self.depth as usize;
            self.settled = score::is_sure(value) && score::distance(value) <= self.finished;
            self.begin_step(value);
        }
    }

    /// The edge of a window that has turned out too narrow at `value`.
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

    /// Whether the next step would look farther than wanted.
    pub fn limit(&mut self, max_depth: usize) {
        self.settled |= self.finished >= max_depth;
    }

    /// Memory held, in bytes.
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

/// Ranks listed actions before anything else is known about them.
pub(super) fn rank_priors(priors: &[f32], count: usize) -> impl Iterator<Item = i32> {
    (0..count).map(|index| priors.get(index).map_or(0, |prior| ordering::of_prior(*prior)))
}
