//! Distractions: what makes a level weak that walks straight. When the other seat wins something, a distracted seat runs to
//! where that was, and finds nothing. It does so for a number of turns that is drawn from the seed, or until it is there.
//! Against somebody who wins nothing, it is never distracted.

use super::Mcgs;
use super::graph::ROOT;
use crate::rules::{Rules, Seat};
use crate::search::noise::Noise;

/// What distracts the seats of one search.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Distractions {
    /// A distraction takes fewer turns than this.
    limit: f32,
    goals: [Option<Goal>; 2],
}

/// Where a seat runs to.
#[derive(Debug, Clone, Copy)]
struct Goal {
    cell: u16,
    /// The turns that are left.
    turns: u32,
}

impl Distractions {
    /// Distractions of fewer turns than `limit`.
    pub(super) fn new(limit: f32) -> Self {
        Self { limit, goals: [None; 2] }
    }

    /// Called after a move that led from one state to another.
    pub(super) fn update<R: Rules>(&mut self, rules: &R, errors: &Noise, before: &R::State, after: &R::State) {
        let Some(walking) = rules.walking() else { return };
        let scores = rules.scores(before).zip(rules.scores(after));
        for (seat, goal) in self.goals.iter_mut().enumerate() {
            let other = 1 - seat;
            let [own, others] = [seat, other].map(|seat| walking.cell(after, seat));
            *goal = goal.and_then(|goal| Some(Goal { turns: goal.turns.checked_sub(1)?, ..goal }));
            if scores.is_some_and(|(before, after)| after[other] > before[other]) {
                let turns = self.limit * errors.share(rules.key(after), seat);
                *goal = Some(Goal { cell: others, turns: turns as u32 });
            }
            *goal = goal.filter(|goal| goal.turns > 0 && goal.cell != own);
        }
    }
}

impl<R: Rules> Mcgs<R> {
    /// Whether an outcome of the root leads a distracted seat to its goal.
    pub(super) fn leads_astray(&self, seat: Seat, outcome: usize) -> bool {
        let action = self.graph.choices(ROOT, seat)[outcome].action;
        self.rules
            .walking()
            .zip(self.distractions.goals[seat])
            .is_some_and(|(walking, goal)| walking.leads_to(&self.root, seat, action, goal.cell))
    }
}
