//! Results of a PUCT search: the best move, candidate moves and principal variations, read from the tree.

use std::collections::HashMap;

use super::tree::Node;
use super::{Puct, side};
use crate::moves;
use crate::rules::{Rules, Seat, ToAct};
use crate::search::choices::choices;
use crate::search::node_store::{NO_CHILD, NodeId};
use crate::search::{Line, Policy, unproven, with_value};

/// Maximum number of whole moves in a principal variation.
const PV_MOVES: usize = 6;

/// The weight of the best move's mean in the value of the root, measured as `docs/calibration.md` says.
const BEST_WEIGHT: f32 = 0.15;

/// The visits of a whole move, over all orders of its actions.
struct Candidate {
    visits: u32,
    sum: f64,
    /// The node of the most visited order, and its visits.
    node: NodeId,
    most: u32,
}

impl<R: Rules> Puct<R> {
    /// The value of the root for seat 0: exact if it is settled or the best move wins, otherwise between the mean of all
    /// moves' visits and the mean of the best move's.
    ///
    /// The best move's alone would favour the seat to move, since it counts what the other seat tried and dropped, but
    /// not what this one did: over a game between equals, it falls by 0.03 to 0.07 with every move. The mean of all
    /// visits rises by 0.005 to 0.013 instead.
    pub(super) fn worth(&self) -> f32 {
        let root = self.tree.node(0);
        if root.is_exact() {
            return root.value;
        }
        let mean = match self.best_node() {
            Some(best) if best.is_exact() && best.value == side(root.seat) => return best.value,
            Some(best) => root.mean_below() + BEST_WEIGHT * (best.mean() - root.mean_below()),
            None => root.mean_below(),
        };
        unproven(mean)
    }

    /// The node behind the best move; `None` if the move was not searched to its end.
    fn best_node(&self) -> Option<&Node> {
        let mut state = self.root.clone();
        let mut id = 0;
        while id == 0 || !self.rules.at_rest(&state) {
            let edge = self.tree.edges(id)[self.best_edge(id)?];
            self.rules.play_unchecked(&mut state, &[edge.action]);
            id = edge.child;
        }
        Some(self.tree.node(id))
    }

    /// The move to play: the fixed actions, then the best ones, and after them the likeliest ones by their priors.
    /// `None` before the first simulation.
    pub(super) fn best_move(&self) -> Option<String> {
        let ToAct::One(seat) = self.rules.to_act(&self.root) else { return None };
        let mut state = self.root.clone();
        let mut id = Some(0);
        let mut actions = Vec::new();
        while actions.is_empty() || self.runs_on(&state) {
            let index = match (self.focus.get(actions.len()), id) {
                (Some(&index), _) => Some(index),
                (None, Some(id)) => self.best_edge(id).or_else(|| self.likeliest_edge(id)),
                (None, None) => None,
            };
            let action = match (index, id) {
                (Some(index), Some(node)) => {
                    let edge = self.tree.edges(node)[index];
                    id = Some(edge.child).filter(|&child| child != NO_CHILD);
                    edge.action
                }
                _ if actions.is_empty() && self.weights.of(0).is_empty() => return None,
                _ => self.most_promising(id.take(), &state, seat)?,
            };
            self.rules.play_unchecked(&mut state, &[action]);
            actions.push(action);
        }
        Some(self.rules.write(&self.root, seat, &actions))
    }

    /// The edge with the largest prior, for a node below which nothing has been searched.
    fn likeliest_edge(&self, id: NodeId) -> Option<usize> {
        let edges = self.tree.edges(id);
        (0..edges.len())
            .max_by(|&a, &b| edges[a].prior.total_cmp(&edges[b].prior).then(edges[b].rank.cmp(&edges[a].rank)))
    }

    /// Whether the move that leads to `state` needs another action.
    fn runs_on(&self, state: &R::State) -> bool {
        !self.rules.at_rest(state) && matches!(self.rules.to_act(state), ToAct::One(_))
    }

    /// The action with the largest prior, for positions without visits; the first one if neither an evaluator nor the
    /// node has priors.
    fn most_promising(&self, id: Option<NodeId>, state: &R::State, seat: Seat) -> Option<R::Action> {
        let mut actions = Vec::new();
        let mut priors = Vec::new();
        choices(&*self.rules, state, seat, &mut actions);
        match (&self.evaluator, id) {
            (Some(evaluator), _) => evaluator.priors(&self.rules, state, seat, &actions, &mut priors),
            (None, Some(id)) => priors.extend_from_slice(self.weights.of(id)),
            (None, None) => {}
        }
        priors.resize(actions.len(), 0.0);
        let best = priors.iter().enumerate().fold(
            0,
            |best, (index, prior)| {
                if *prior > priors[best] { index } else { best }
            },
        );
        actions.get(best).copied()
    }

    /// At most `count` candidate moves, the best first and the others by visits; and the share of visits of all
    /// candidates, which is the policy of the seat to act.
    pub(super) fn candidates(&self, count: usize) -> (Vec<Line>, Vec<Policy>) {
        let ToAct::One(seat) = self.rules.to_act(&self.root) else { return (Vec::new(), Vec::new()) };
        let mut found = HashMap::new();
        self.collect(0, &self.root, &mut Vec::new(), seat, &mut found);
        let best = self.best_move();
        let mut candidates: Vec<(String, Candidate)> = found.into_iter().collect();
        candidates.sort_unstable_by(|(a, x), (b, y)| {
            let ahead = |text: &String| Some(text) == best.as_ref();
            ahead(b).cmp(&ahead(a)).then(y.visits.cmp(&x.visits)).then(a.cmp(b))
        });
        let visits = candidates.iter().map(|(_, candidate)| candidate.visits).sum::<u32>().max(1) as f32;
        let policy = candidates.iter().map(|(text, candidate)| (text.clone(), candidate.visits as f32 / visits));
        let policies = if candidates.is_empty() { Vec::new() } else { vec![policy.collect()] };
        candidates.truncate(count);
        let lines = candidates.into_iter().map(|(text, candidate)| self.line(text, &candidate, seat)).collect();
        (with_value(lines, side(seat as u8) * self.worth()), policies)
    }

    fn line(&self, text: String, candidate: &Candidate, seat: Seat) -> Line {
        let mean = candidate.sum / f64::from(candidate.visits.max(1));
        let mut pv = vec![text.clone()];
        let mut state = self.root.clone();
        // The text comes from `write`, so it can be played.
        if moves::play_recorded(&*self.rules, &mut state, &text).is_ok() {
            self.follow(candidate.node, state, &mut pv);
        }
        Line {
            text,
            visits: candidate.visits,
            value: (side(seat as u8) * mean as f32).clamp(-1.0, 1.0),
            pv,
            points: None,
        }
    }

    /// Collects the whole moves below a node, merging different orders of the same actions.
    fn collect(
        &self,
        id: NodeId,
        state: &R::State,
        actions: &mut Vec<R::Action>,
        seat: Seat,
        candidates: &mut HashMap<String, Candidate>,
    ) {
        for edge in &self.tree.edges(id)[..self.tree.node(id).visited as usize] {
            let child = self.tree.node(edge.child);
            if child.visits == 0 {
                continue;
            }
            let mut after = state.clone();
            self.rules.play_unchecked(&mut after, &[edge.action]);
            actions.push(edge.action);
            if self.runs_on(&after) {
                self.collect(edge.child, &after, actions, seat, candidates);
            } else {
                let text = self.rules.write(&self.root, seat, actions);
                let candidate =
                    candidates.entry(text).or_insert(Candidate { visits: 0, sum: 0.0, node: edge.child, most: 0 });
                candidate.visits += child.visits;
                candidate.sum += child.sum;
                if child.visits > candidate.most {
                    (candidate.node, candidate.most) = (edge.child, child.visits);
                }
            }
            actions.pop();
        }
    }

    /// Appends the most visited whole moves from a node on; up to the end of the game only if that is proven.
    fn follow(&self, mut id: NodeId, mut state: R::State, pv: &mut Vec<String>) {
        let is_proven = self.worth().abs() >= 1.0 && self.tree.node(id).is_exact();
        while pv.len() < PV_MOVES {
            let ToAct::One(seat) = self.rules.to_act(&state) else { return };
            let start = state.clone();
            let mut actions = Vec::new();
            loop {
                let Some(index) = self.best_edge(id) else { return };
                let edge = self.tree.edges(id)[index];
                self.rules.play_unchecked(&mut state, &[edge.action]);
                actions.push(edge.action);
                id = edge.child;
                if !self.runs_on(&state) {
                    break;
                }
            }
            if !is_proven && matches!(self.rules.to_act(&state), ToAct::Over(_)) {
                return;
            }
            pv.push(self.rules.write(&start, seat, &actions));
        }
    }
}
