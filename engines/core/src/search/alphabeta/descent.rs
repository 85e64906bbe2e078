//! The search below the root: principal variation search with a transposition table and late-move reductions. Actions
//! after the first one are only tested against the best so far, and searched again if they beat it.
//!
//! A seat may act several times in a row: values change their sign with the acting seat, not with every action.

use super::frame::{Candidate, Frame, NOTHING, Stage};
use super::ordering::digest;
use super::score::{self, INFINITE, Score, UNIT};
use super::table::{Bound, Entry};
use super::worker::{Shared, Worker, rank_priors};
use crate::repetition::drawn_by;
use crate::rules::{Rules, Seat, ToAct};
use crate::search::choices::choices;

/// Number of actions searched in full before later ones are reduced.
const EARLY: usize = 3;

/// How far above beta the static value must be, per action of remaining depth, to be trusted at once.
const MARGIN: Score = UNIT / 16;

/// The minimum depth at which late actions are reduced.
const REDUCIBLE: i32 = 3;

impl<R: Rules> Worker<R> {
    /// Lists the actions of a frame and ranks them.
    pub(super) fn list_moves(&mut self, shared: &Shared<R>, index: usize, hint: u16) {
        let Frame { state, seat, moves, previous, .. } = &mut self.frames[index];
        let guess = self.ordering.guess(*seat, index, *previous, hint);
        let mut actions = std::mem::take(&mut self.actions);
        choices(&*shared.rules, state, *seat, &mut actions);
        self.priors.clear();
        shared.evaluator.priors(&shared.rules, state, *seat, &actions, &mut self.priors);
        moves.clear();
        let ordering = &self.ordering;
        moves.extend(actions.iter().zip(rank_priors(&self.priors, actions.len())).map(|(&action, prior)| {
            let digest = digest(&action);
            Candidate { action, digest, rank: ordering.rank(&guess, digest, prior) }
        }));
        actions.clear();
        self.actions = actions;
    }

    /// Visits one node: repeats the search of the top frame's current action, or starts that of the next one.
    pub(super) fn try_next(&mut self, shared: &Shared<R>) {
        let top = &mut self.frames[self.height - 1];
        if !std::mem::take(&mut top.again) {
            top.turn_to_next();
            top.stage = if top.tried == 1 {
                Stage::Full
            } else if shared.options.reduces() && top.tried > EARLY && top.depth >= REDUCIBLE {
                Stage::Reduced(reduction(top.depth, top.tried))
            } else {
                Stage::Scout
            };
        }
        if let Some(value) = self.enter(shared) {
            self.judge(value);
        }
    }

    /// Plays the current action of the top frame. Returns its value for the top frame's seat if that is known at once;
    /// otherwise pushes a new frame.
    fn enter(&mut self, shared: &Shared<R>) -> Option<Score> {
        let ply = self.height;
        if self.frames.len() == ply {
            self.frames.push(Frame::new(shared.root.clone()));
        }
        let (below, above) = self.frames.split_at_mut(ply);
        let (parent, child) = (&below[ply - 1], &mut above[0]);
        let current = parent.current();
        child.state.clone_from(&parent.state);
        shared.rules.play_unchecked(&mut child.state, &[current.action]);
        child.line.clear();
        self.nodes += 1;
        self.rests_on = NOTHING;
        let seat = match shared.rules.to_act(&child.state) {
            ToAct::Over(outcome) => return Some(score::of_outcome(outcome, parent.seat, ply)),
            ToAct::One(seat) if ply < score::LONGEST => seat,
            _ => return Some(evaluate(shared, &child.state, parent.seat)),
        };
        if let Some(occurrence) = drawn_by(&*shared.rules, &child.state, ply) {
            self.rests_on = occurrence;
            return Some(0);
        }
        let (depth, alpha, beta) = match parent.stage {
            Stage::Reduced(less) => (parent.depth - 1 - less, parent.alpha, parent.alpha + 1),
            Stage::Scout => (parent.depth - 1, parent.alpha, parent.alpha + 1),
            Stage::Full => (parent.depth - 1, parent.alpha, parent.beta),
        };
        if depth <= 0 {
            return Some(evaluate(shared, &child.state, parent.seat));
        }
        let (parent_seat, turns) = (parent.seat, parent.seat != seat);
        let (alpha, beta) = if turns { (-beta, -alpha) } else { (alpha, beta) };
        (child.seat, child.previous) = (seat, current.digest);
        child.key = shared.table_key(&child.state);
        let known = shared.table.find(child.key);
        if let Some(value) = known.and_then(|entry| entry.cut(depth, alpha, beta, ply)) {
            return Some(for_seat(parent_seat, seat, value));
        }
        child.begin(depth, alpha, beta);
        if shared.options.reduces() && child.is_shallow() {
            let now = evaluate(shared, &child.state, seat);
            if now - MARGIN * depth >= beta {
                return Some(for_seat(parent_seat, seat, now));
            }
        }
        self.list_moves(shared, ply, known.map_or(0, |entry| entry.hint));
        self.height += 1;
        None
    }

    /// Leaves the top frame after searching all of its actions, or enough of them.
    pub(super) fn leave(&mut self, shared: &Shared<R>) {
        self.height -= 1;
        let ply = self.height;
        let frame = &self.frames[ply];
        let (seat, value) = (frame.seat, frame.best);
        let bound = match value {
            _ if value >= frame.beta => Bound::Lower,
            _ if value <= frame.floor => Bound::Upper,
            _ => Bound::Exact,
        };
        let entry = if frame.rests_on < ply {
            // On another path, this position is no repetition: store only the action.
            self.rests_on = frame.rests_on;
            Entry { score: -INFINITE, bound: Bound::Lower, depth: 0, hint: frame.best_digest }
        } else {
            self.rests_on = NOTHING;
            Entry { score: score::relative(value, ply), bound, depth: frame.depth as u8, hint: frame.best_digest }
        };
        self.filled += usize::from(shared.table.keep(frame.key, entry));
        if ply == 0 {
            self.root_done(value);
            self.limit(shared.options.max_depth);
        } else {
            self.judge(for_seat(self.frames[ply - 1].seat, seat, value));
        }
    }

    /// Accepts the value of the top frame's current action, or requests a repeated search.
    fn judge(&mut self, value: Score) {
        let ply = self.height - 1;
        let top = &mut self.frames[ply];
        top.stage = match top.stage {
            Stage::Reduced(_) if value > top.alpha => Stage::Scout,
            Stage::Scout if value > top.alpha && value < top.beta => Stage::Full,
            _ => return self.accept(ply, value),
        };
        top.again = true;
    }

    /// Records the value of the top frame's current action.
    fn accept(&mut self, ply: usize, value: Score) {
        if ply == 0 {
            self.root_move_done(value);
        }
        let (below, above) = self.frames.split_at_mut(ply + 1);
        let top = &mut below[ply];
        let current = top.current();
        if value > top.best {
            (top.best, top.rests_on) = (value, self.rests_on);
        }
        if value <= top.alpha {
            return;
        }
        top.best_digest = current.digest;
        if top.wants_value() {
            top.line.clear();
            top.line.push(current.action);
            if let Some(child) = above.first() {
                top.line.extend_from_slice(&child.line);
            }
        }
        top.alpha = value;
        if value >= top.beta {
            let tried = top.moves[..top.tried - 1].iter().map(|other| other.digest);
            self.ordering.refuted(top.seat, ply, top.depth, top.previous, current.digest, tried);
        }
    }
}

impl Entry {
    /// The score, if it decides a search of `depth` with the window `alpha` to `beta`.
    fn cut(self, depth: i32, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
        let score = score::absolute(self.score, ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        (beta - alpha == 1 && i32::from(self.depth) >= depth && decides).then_some(score)
    }
}

/// The static value for `seat`.
pub(super) fn evaluate<R: Rules>(shared: &Shared<R>, state: &R::State, seat: Seat) -> Score {
    score::from_value(shared.evaluator.value(&shared.rules, state)[seat])
}

/// Converts a value for the seat `from` to one for `seat`.
fn for_seat(seat: Seat, from: Seat, value: Score) -> Score {
    if seat == from { value } else { -value }
}

/// The depth reduction for a late action: from 1 to `depth` − 2.
fn reduction(depth: i32, tried: usize) -> i32 {
    let product = depth.ilog2() as i32 * tried.ilog2() as i32;
    (product / 3).clamp(1, depth - 2)
}
