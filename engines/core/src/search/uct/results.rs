//! Results of a UCT search: statistics of the same action are added up over all deals.

use std::collections::HashMap;

use super::endgame::Endgame;
use super::formulas::Mean;
use super::options::Tie;
use super::tree::{ROOT, Tree};
use super::{Uct, acting};
use crate::rules::{MAX_SEATS, Rules, Seat, ToAct, Values};
use crate::search::decisive::choose;
use crate::search::node_store::NodeId;
use crate::search::{Line, Policy, Report, Search, with_value};

/// Maximum number of whole moves in a principal variation.
const PV_MOVES: usize = 6;

/// The statistics of an action in the same node of several deals.
#[derive(Debug, Clone, Copy)]
pub struct ActionStatistics<A> {
    /// The action.
    pub action: A,
    /// Values of the seat that acts, in [0, 1].
    pub own: Mean,
    /// The same of every simulation in which the action came later; `None` if no AMAF statistics are kept.
    pub amaf: Option<Mean>,
}

impl<A> ActionStatistics<A> {
    fn add(&mut self, other: &Self) {
        self.own.add_all(other.own);
        if let (Some(amaf), Some(other)) = (&mut self.amaf, other.amaf) {
            amaf.add_all(other);
        }
    }
}

/// A whole move that was searched.
struct WholeMove<A> {
    /// The actions that were chosen, without forced ones.
    chosen: Vec<A>,
    mean: Mean,
}

/// A node of a deal.
pub(super) type Place<'s, A> = (&'s Tree<A>, NodeId);

impl<R: Rules> Uct<R> {
    /// The actions that the roots of the deals have tried, in the order in which they were tried, added up.
    #[must_use]
    pub fn root_statistics(&self) -> Vec<ActionStatistics<R::Action>> {
        candidates(&self.places(&[]))
    }

    pub(super) fn results(&self, count: usize) -> Report {
        let best_move = self.best_move();
        let mut moves = self.whole_moves();
        let best = best_move.as_deref();
        moves.sort_unstable_by(|(a, x), (b, y)| {
            let ahead = |text: &str| Some(text) == best;
            ahead(b).cmp(&ahead(a)).then(y.mean.visits.cmp(&x.mean.visits)).then(a.cmp(b))
        });
        let visits = moves.iter().map(|(_, found)| found.mean.visits).sum::<u32>().max(1) as f32;
        let share =
            |(text, found): &(String, WholeMove<R::Action>)| (text.clone(), found.mean.visits as f32 / visits);
        let policies: Vec<Policy> = match best {
            Some(text) if moves.is_empty() => vec![vec![(text.into(), 1.0)]],
            _ if moves.is_empty() => Vec::new(),
            _ => vec![moves.iter().map(share).collect()],
        };
        let lines = moves.into_iter().take(count).map(|(text, found)| self.line(text, &found)).collect();
        let values = self.values();
        let mut report = Report {
            values,
            points: self.points(),
            best_move,
            policies,
            visits: self.visits(),
            inherited: self.inherited,
            nodes: self.deals.iter().map(|deal| deal.tree.size()).sum(),
            depth: 0,
            lines: with_value(lines, values[self.context.seat]),
        };
        self.put_solution(&mut report, count);
        report
    }

    /// Replaces the best move, the values and the points by those of the endgame, if it is solved.
    fn put_solution(&self, report: &mut Report, count: usize) {
        let Some(solution) = self.endgame.as_ref().and_then(Endgame::solution) else { return };
        let seat = self.context.seat;
        let value = solution.value.clamp(-1.0, 1.0) as f32;
        (report.values[seat], report.values[1 - seat]) = (value, -value);
        report.points = solution.points.or(report.points);
        choose(self.context.rules.write(&self.root, seat, &solution.actions), value, report, count);
    }

    /// The action to choose behind others: the most visited one. `None` if nothing was tried and there is a choice.
    pub(super) fn best_action(&self, chosen: &[R::Action], state: &R::State) -> Option<R::Action> {
        let candidates = candidates(&self.places(chosen));
        let mean = |candidate: &ActionStatistics<R::Action>| candidate.own.or(0.0);
        let is_better = |next: &ActionStatistics<R::Action>, best: &ActionStatistics<R::Action>| {
            let is_tie = next.own.visits == best.own.visits && self.context.options.tie == Tie::Mean;
            next.own.visits > best.own.visits || (is_tie && mean(next) > mean(best))
        };
        let best = candidates.into_iter().reduce(|best, next| if is_better(&next, &best) { next } else { best });
        best.map(|best| best.action).or_else(|| self.context.only_action(state))
    }

    /// The actions of a whole move: the fixed ones, then the best ones, then the first in order; and those that are forced.
    fn best_actions(&self) -> Option<Vec<R::Action>> {
        let rules = &*self.context.rules;
        let (mut state, mut chosen, mut played) = (self.deals[0].root.clone(), Vec::new(), Vec::new());
        while let Some(seat) = acting(rules, &state).filter(|_| played.is_empty() || !rules.at_rest(&state)) {
            let fixed = self.context.fixed.get(chosen.len()).copied();
            let best = fixed.or_else(|| self.best_action(&chosen, &state));
            let any =
                || if played.is_empty() { None } else { self.context.ordered(&state, seat).first().copied() };
            let action = best.or_else(any)?;
            chosen.push(action);
            self.context.play(&mut state, action, &mut played);
        }
        (!played.is_empty()).then_some(played)
    }

    fn best_move(&self) -> Option<String> {
        let seat = acting(&*self.context.rules, &self.root)?;
        let best = self.best_actions()?;
        Some(self.context.rules.write(&self.root, seat, &best))
    }

    /// The value of the root for each seat: the mean of all its visits; before the first one, what the evaluator says.
    /// The mean of the best move alone would favour the seat to move, which dropped the other moves.
    fn values(&self) -> Values {
        let rules = &*self.context.rules;
        if let ToAct::Over(outcome) = rules.to_act(&self.root) {
            return outcome.values(rules.seats());
        }
        let roots = || self.deals.iter().map(|deal| deal.tree.node(ROOT));
        let visits: u32 = roots().map(|root| root.visits).sum();
        if visits == 0 {
            let evaluator = self.context.evaluator.as_ref();
            return evaluator.map_or([0.0; MAX_SEATS], |evaluator| evaluator.value(rules, &self.deals[0].root));
        }
        let mut values = [0.0; MAX_SEATS];
        for (seat, value) in values.iter_mut().enumerate().take(rules.seats()) {
            *value = valued(roots().map(|root| root.sums[seat]).sum::<f64>() / f64::from(visits));
        }
        values
    }

    /// The expected points of each seat at the end of the game: the mean of the root's visits, like the values.
    fn points(&self) -> Option<Values> {
        let rules = &*self.context.rules;
        match rules.to_act(&self.root) {
            ToAct::Over(outcome) => outcome.scores,
            _ if self.visits() == 0 => {
                self.context.evaluator.as_ref()?.estimate(rules, &self.deals[0].root).points
            }
            _ => mean_points(&self.places(&[])),
        }
    }

    /// The nodes behind these actions.
    fn places(&self, chosen: &[R::Action]) -> Vec<Place<'_, R::Action>> {
        let mut places: Vec<Place<'_, R::Action>> = self.deals.iter().map(|deal| (&deal.tree, ROOT)).collect();
        for action in chosen {
            places = self.places_behind(places, *action);
        }
        places
    }

    /// The nodes to which an action leads from these nodes.
    pub(super) fn places_behind<'s>(
        &self,
        places: Vec<Place<'s, R::Action>>,
        action: R::Action,
    ) -> Vec<Place<'s, R::Action>> {
        let mut behind = Vec::new();
        for (tree, id) in places {
            let edge = tree.tried(id).iter().find(|edge| edge.action == action);
            behind.extend(edge.into_iter().flat_map(|edge| tree.outcomes(edge)).map(|child| (tree, child)));
        }
        behind
    }

    /// The moves that were searched to their end, with their texts. Different orders of the same actions are merged; the
    /// most visited one is kept.
    fn whole_moves(&self) -> Vec<(String, WholeMove<R::Action>)> {
        let mut moves = Vec::new();
        if acting(&*self.context.rules, &self.root).is_some() {
            self.collect(&mut Vec::new(), &self.root, &[], &mut moves);
        }
        let mut merged: Vec<(String, WholeMove<R::Action>, u32)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (text, found) in moves {
            let Some(&index) = known.get(&text) else {
                known.insert(text.clone(), merged.len());
                let visits = found.mean.visits;
                merged.push((text, found, visits));
                continue;
            };
            let (_, same, most) = &mut merged[index];
            same.mean.add_all(found.mean);
            if found.mean.visits > *most {
                (same.chosen, *most) = (found.chosen, found.mean.visits);
            }
        }
        merged.into_iter().map(|(text, found, _)| (text, found)).collect()
    }

    fn collect(
        &self,
        chosen: &mut Vec<R::Action>,
        state: &R::State,
        played: &[R::Action],
        moves: &mut Vec<(String, WholeMove<R::Action>)>,
    ) {
        let rules = &*self.context.rules;
        for candidate in candidates(&self.places(chosen)) {
            let (mut after, mut all) = (state.clone(), played.to_vec());
            self.context.play(&mut after, candidate.action, &mut all);
            chosen.push(candidate.action);
            if acting(rules, &after).is_some() && !rules.at_rest(&after) {
                self.collect(chosen, &after, &all, moves);
            } else {
                let text = rules.write(&self.root, self.context.seat, &all);
                moves.push((text, WholeMove { chosen: chosen.clone(), mean: candidate.own }));
            }
            chosen.pop();
        }
    }

    fn line(&self, text: String, found: &WholeMove<R::Action>) -> Line {
        let (visits, value) = (found.mean.visits, valued(found.mean.or(0.5)));
        let mut pv = vec![text.clone()];
        // What follows depends on what the move reveals.
        if self.context.rules.hidden().is_none() {
            let (mut state, mut played) = (self.root.clone(), Vec::new());
            for action in &found.chosen {
                self.context.play(&mut state, *action, &mut played);
            }
            self.continue_pv(&mut found.chosen.clone(), state, &mut pv);
        }
        let points = mean_points(&self.places(&found.chosen));
        Line { text, visits, value, pv, points }
    }

    /// Appends the most visited whole moves behind others, but none that ends the game, which is never proven.
    fn continue_pv(&self, chosen: &mut Vec<R::Action>, mut state: R::State, pv: &mut Vec<String>) {
        let rules = &*self.context.rules;
        while let Some(seat) = acting(rules, &state).filter(|_| pv.len() < PV_MOVES) {
            let (start, mut played) = (state.clone(), Vec::new());
            while played.is_empty() || (acting(rules, &state).is_some() && !rules.at_rest(&state)) {
                if candidates(&self.places(chosen)).is_empty() {
                    return;
                }
                let Some(action) = self.best_action(chosen, &state) else { return };
                chosen.push(action);
                self.context.play(&mut state, action, &mut played);
            }
            if matches!(rules.to_act(&state), ToAct::Over(_)) {
                return;
            }
            pv.push(rules.write(&start, seat, &played));
        }
    }
}

/// The tried actions of these nodes, in the order in which they were tried, with the sums of their statistics.
fn candidates<A: Copy + Eq>(places: &[Place<'_, A>]) -> Vec<ActionStatistics<A>> {
    let mut found: Vec<ActionStatistics<A>> = Vec::new();
    for (tree, id) in places {
        let mut amaf = tree.amaf(*id).iter().map(|amaf| amaf.mean);
        for edge in tree.tried(*id) {
            let next = ActionStatistics { action: edge.action, own: edge.mean, amaf: amaf.next() };
            match found.iter_mut().find(|known| known.action == edge.action) {
                Some(known) => known.add(&next),
                None => found.push(next),
            }
        }
    }
    found
}

/// The mean final points of each seat in these nodes; `None` without visits, or if they have no points.
pub(super) fn mean_points<A: Copy + PartialEq>(places: &[Place<'_, A>]) -> Option<Values> {
    let nodes = || places.iter().map(|(tree, id)| tree.node(*id));
    let visits = nodes().map(|node| f64::from(node.visits)).sum::<f64>();
    let sum = |seat: Seat| nodes().map(|node| f64::from(node.points[seat]) * f64::from(node.visits)).sum::<f64>();
    let means: Values = std::array::from_fn(|seat| (sum(seat) / visits) as f32);
    means[0].is_finite().then_some(means)
}

/// A mean in [0, 1] as a value in [-1, 1].
fn valued(mean: f64) -> f32 {
    (2.0 * mean - 1.0).clamp(-1.0, 1.0) as f32
}
