//! Wins in one move: a search that reports a win wherever one move wins, however little was searched.
//!
//! The moves are tried when the root changes, and only where [`Rules::may_win`] says that one of them may win. Where
//! seats act together, an action wins if it wins against every action of the others.

use std::sync::Arc;

use super::choices::{choices, is_won};
use super::inspect::Inspect;
use super::noise::Noise;
use super::{Driver, Focus, Line, Report, Search};
use crate::evaluator::Estimate;
use crate::moves;
use crate::planes::Signature;
use crate::rules::{RuleError, Rules, Seat, ToAct, Values};

/// A search that knows the win in one move.
pub(super) struct Decisive<R: Rules> {
    rules: Arc<R>,
    root: R::State,
    search: Box<dyn Search>,
    noise: Noise,
    win: Option<Win>,
    /// Whether the search reports on another position than the root.
    is_ahead: bool,
}

/// A move that wins the game at once.
#[derive(Clone)]
struct Win {
    seat: Seat,
    text: String,
    worth: Estimate,
}

impl<R: Rules> Decisive<R> {
    /// The `search` from `root`, which has this `noise`, with its win in one move.
    pub(super) fn new(rules: &Arc<R>, root: &R::State, search: Box<dyn Search>, noise: Noise) -> Self {
        let win = find(&**rules, root);
        Self { rules: Arc::clone(rules), root: root.clone(), search, noise, win, is_ahead: false }
    }

    /// What a whole move is worth if it wins for `seat`.
    fn won_by(&self, text: &str, seat: Seat) -> Option<Estimate> {
        let mut after = self.root.clone();
        moves::play_recorded(&*self.rules, &mut after, text).ok()?;
        is_won(&*self.rules, &after, seat).then(|| worth(&*self.rules, &after))
    }
}

/// A move that wins for a seat that acts; the first one in the order of the rules.
fn find<R: Rules>(rules: &R, root: &R::State) -> Option<Win> {
    match rules.to_act(root) {
        ToAct::Over(_) => None,
        ToAct::One(seat) => {
            let mut actions = Vec::new();
            let end = win_alone(rules, root, seat, &mut actions)?;
            Some(Win { seat, text: rules.write(root, seat, &actions), worth: worth(rules, &end) })
        }
        ToAct::Together => (0..rules.seats()).find_map(|seat| win_together(rules, root, seat)),
    }
}

/// The state after the first whole move that wins for `seat`, whose actions are added to `actions`.
fn win_alone<R: Rules>(rules: &R, state: &R::State, seat: Seat, actions: &mut Vec<R::Action>) -> Option<R::State> {
    if !rules.may_win(state, seat) {
        return None;
    }
    let mut listed = Vec::new();
    choices(rules, state, seat, &mut listed);
    for action in listed {
        let mut after = state.clone();
        rules.play_unchecked(&mut after, &[action]);
        actions.push(action);
        if is_won(rules, &after, seat) {
            return Some(after);
        }
        if !rules.at_rest(&after)
            && let Some(end) = win_alone(rules, &after, seat, actions)
        {
            return Some(end);
        }
        actions.pop();
    }
    None
}

/// The first action of `seat` that wins against every action of the others.
fn win_together<R: Rules>(rules: &R, state: &R::State, seat: Seat) -> Option<Win> {
    let mut legal = Vec::new();
    rules.legal(state, seat, &mut legal);
    let joint = moves::slices(rules, state);
    legal.into_iter().find_map(|action| {
        let with_it = joint.iter().filter(|slice| slice[seat] == action);
        let ends: Vec<R::State> = with_it.map(|slice| moves::after(rules, state, slice)).collect();
        let wins = ends.iter().all(|end| is_won(rules, end, seat));
        let end = ends.first().filter(|_| wins)?;
        Some(Win { seat, text: rules.write(state, seat, &[action]), worth: worth(rules, end) })
    })
}

/// What a finished game is worth.
fn worth<R: Rules>(rules: &R, end: &R::State) -> Estimate {
    match rules.to_act(end) {
        ToAct::Over(outcome) => Estimate::of_outcome(&outcome, rules.seats()),
        _ => Estimate::DRAW,
    }
}

impl Win {
    /// Puts the winning action into a report on seats that act together.
    fn join(&self, report: &mut Report, best: &str) {
        let mut parts: Vec<String> = best.split('/').map(str::to_owned).collect();
        parts[self.seat].clone_from(&self.text);
        report.best_move = Some(moves::join(&parts));
        report.policies[self.seat] = vec![(self.text.clone(), 1.0)];
    }
}

/// Makes a move with an exact value the best one of a report with at most `count` lines.
pub(super) fn choose(text: String, value: f32, report: &mut Report, count: usize) {
    let known = report.lines.iter().position(|line| line.text == text).map(|index| report.lines.remove(index));
    let visits = known.map_or(0, |line| line.visits);
    report.lines.iter_mut().for_each(|line| line.value = line.value.min(value));
    let pv = vec![text.clone()];
    report.lines.insert(0, Line { text: text.clone(), visits, value, pv, points: report.points });
    report.lines.truncate(count);
    report.policies = vec![vec![(text.clone(), 1.0)]];
    report.best_move = Some(text);
}

impl<R: Rules> Search for Decisive<R> {
    fn driver(&mut self) -> Driver<'_> {
        self.search.driver()
    }

    fn focusing(&mut self) -> Option<&mut dyn Focus> {
        self.search.focusing()
    }

    fn inspect(&self) -> Option<&dyn Inspect> {
        self.search.inspect()
    }

    fn copy(&self) -> Result<Box<dyn Search>, RuleError> {
        if !self.noise.is_none() {
            return Err(RuleError::BadConfig("a search with evaluation_noise cannot be copied".into()));
        }
        let (search, noise) = (self.search.copy()?, self.noise.clone());
        let (rules, root, win) = (Arc::clone(&self.rules), self.root.clone(), self.win.clone());
        Ok(Box::new(Self { rules, root, search, noise, win, is_ahead: false }))
    }

    fn advance(&mut self, text: &str) -> Result<(), RuleError> {
        let mut after = self.root.clone();
        moves::play_recorded(&*self.rules, &mut after, text)?;
        self.noise.advance();
        self.search.advance(text)?;
        self.win = find(&*self.rules, &after);
        (self.root, self.is_ahead) = (after, false);
        Ok(())
    }

    fn look_ahead(&mut self, texts: &[String]) -> Result<bool, RuleError> {
        self.is_ahead = self.search.look_ahead(texts)?;
        Ok(self.is_ahead)
    }

    fn report(&self, lines: usize) -> Report {
        let mut report = self.search.report(lines);
        let (Some(win), Some(best), false) = (&self.win, report.best_move.clone(), self.is_ahead) else {
            return report;
        };
        report.values = win.worth.values;
        if matches!(self.rules.to_act(&self.root), ToAct::Together) {
            win.join(&mut report, &best);
            return report;
        }
        let (text, worth) = match self.won_by(&best, win.seat) {
            Some(worth) => (best, worth),
            None => (win.text.clone(), win.worth),
        };
        report.points = worth.points;
        choose(text, 1.0, &mut report, lines);
        report
    }

    fn example(&self, signature: &Signature, planes: &mut [f32], policy: &mut [f32]) -> Option<Values> {
        self.search.example(signature, planes, policy)
    }

    fn visits(&self) -> u32 {
        self.search.visits()
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.search.bytes()
    }

    fn bytes_for(&self, simulations: u32) -> usize {
        size_of::<Self>() + self.search.bytes_for(simulations)
    }
}
