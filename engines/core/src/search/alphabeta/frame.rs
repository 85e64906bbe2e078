//! One position on the path that a worker is searching, with the actions still to try. The frames are an explicit
//! stack, so that the search can stop after any node and continue later.

use super::score::{self, INFINITE, Score};
use crate::rules::{Rules, Seat};

/// Depth up to which a static value may decide.
const SHALLOW: i32 = 2;

/// Marks a value that depends on no repetition.
pub const NOTHING: usize = usize::MAX;

/// An action to try.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<A> {
    pub action: A,
    pub digest: u16,
    /// Actions with larger ranks are tried first.
    pub rank: i32,
}

/// How the current action of a frame is being searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// To a reduced depth, testing only whether it beats the best.
    Reduced(i32),
    /// To full depth, testing only whether it beats the best.
    Scout,
    /// To full depth, for its value.
    Full,
}

/// A position and its search state. Scores are those of `seat`.
pub struct Frame<R: Rules> {
    pub state: R::State,
    pub key: u64,
    pub seat: Seat,
    /// Remaining depth in actions.
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    /// The initial `alpha`: a best score not above it is only an upper bound.
    pub floor: Score,
    pub best: Score,
    /// The lowest ply of a repeated position that `best` depends on, or `NOTHING`.
    pub rests_on: usize,
    /// Digest of the best action; 0 until one raises `alpha`.
    pub best_digest: u16,
    /// Digest of the action that led here.
    pub previous: u16,
    /// Tried actions come first, in the order in which they were tried.
    pub moves: Vec<Candidate<R::Action>>,
    pub tried: usize,
    pub stage: Stage,
    /// Whether the current action has to be searched again, as its stage says.
    pub again: bool,
    /// The best line from here on.
    pub line: Vec<R::Action>,
}

impl<R: Rules> Frame<R> {
    pub fn new(state: R::State) -> Self {
        Self {
            state,
            key: 0,
            seat: 0,
            depth: 0,
            alpha: -INFINITE,
            beta: INFINITE,
            floor: -INFINITE,
            best: -INFINITE,
            rests_on: NOTHING,
            best_digest: 0,
            previous: 0,
            moves: Vec::new(),
            tried: 0,
            stage: Stage::Full,
            again: false,
            line: Vec::new(),
        }
    }

    /// Restarts with this depth and window.
    pub fn begin(&mut self, depth: i32, alpha: Score, beta: Score) {
        (self.depth, self.alpha, self.beta, self.floor) = (depth, alpha, beta, alpha);
        (self.best, self.best_digest, self.tried, self.again) = (-INFINITE, 0, 0, false);
        self.rests_on = NOTHING;
        self.line.clear();
    }

    /// Whether the exact value is wanted, rather than a comparison.
    pub fn wants_value(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// Whether a static value far above beta may decide: near the horizon, if no exact value is wanted.
    pub fn is_shallow(&self) -> bool {
        self.depth <= SHALLOW && !self.wants_value() && !score::is_sure(self.beta)
    }

    pub fn is_done(&self) -> bool {
        !self.again && (self.best >= self.beta || self.tried == self.moves.len())
    }

    /// Advances to the most promising action that was not tried.
    pub fn turn_to_next(&mut self) {
        let rest = &mut self.moves[self.tried..];
        let mut best = 0;
        for (index, candidate) in rest.iter().enumerate().skip(1) {
            if candidate.rank > rest[best].rank {
                best = index;
            }
        }
        rest.swap(0, best);
        self.tried += 1;
    }

    /// The action being tried.
    pub fn current(&self) -> Candidate<R::Action> {
        self.moves[self.tried - 1]
    }
}
