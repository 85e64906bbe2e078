//! One position on the path that a worker is searching, with the actions still to try. The frames are the stack of the
//! search, kept by hand so that it can stop after any node and go on later.

use super::score::{self, INFINITE, Score};
use crate::rules::{Rules, Seat};

/// Actions from the horizon within which a static value may decide.
const SHALLOW: i32 = 2;

/// What a value rests on that no repetition decides.
pub const NOTHING: usize = usize::MAX;

/// An action to try.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<A> {
    pub action: A,
    pub digest: u16,
    /// The larger, the earlier.
    pub rank: i32,
}

/// How the current action of a frame is being searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Less deep than the others, only asking whether it beats the best.
    Reduced(i32),
    /// As deep, only asking whether it beats the best.
    Scout,
    /// For its value.
    Full,
}

/// A position and what is known about it so far. Scores are those of `seat`.
pub struct Frame<R: Rules> {
    pub state: R::State,
    pub key: u64,
    pub seat: Seat,
    /// Actions to look ahead from here.
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    /// `alpha` at the start: a best score not above it is only an upper bound.
    pub floor: Score,
    pub best: Score,
    /// The lowest ply of a repeated position that `best` rests on, or `NOTHING`.
    pub rests_on: usize,
    /// Digest of the best action, 0 while nothing raised `alpha`.
    pub best_digest: u16,
    /// Digest of the action that led here.
    pub previous: u16,
    /// Those tried stand first, in the order in which they were.
    pub moves: Vec<Candidate<R::Action>>,
    pub tried: usize,
    pub stage: Stage,
    /// Whether the current action is to be searched once more, as its stage says.
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

    /// Starts over with this window.
    pub fn begin(&mut self, depth: i32, alpha: Score, beta: Score) {
        (self.depth, self.alpha, self.beta, self.floor) = (depth, alpha, beta, alpha);
        (self.best, self.best_digest, self.tried, self.again) = (-INFINITE, 0, 0, false);
        self.rests_on = NOTHING;
        self.line.clear();
    }

    /// Whether a value between alpha and beta is looked for, not only a comparison.
    pub fn wants_value(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// Whether it is so near the horizon that a static value far above beta decides: nobody has looked for an exact one.
    pub fn is_shallow(&self) -> bool {
        self.depth <= SHALLOW && !self.wants_value() && !score::is_sure(self.beta)
    }

    pub fn is_done(&self) -> bool {
        !self.again && (self.best >= self.beta || self.tried == self.moves.len())
    }

    /// Turns to the most promising of the actions not tried.
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
