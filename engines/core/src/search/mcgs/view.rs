//! Looking into the graph of a search, and copying a graph search. The key of an edge is its pair of outcomes.

use std::sync::Arc;

use super::Mcgs;
use super::exploration::add_noise;
use super::formulas::{self, Arm, Situation};
use super::graph::{self, Edge, Kind, Pair, ROOT};
use super::options::{Selector, Utility};
use super::results::normalised;
use crate::rules::{MAX_SEATS, Rules};
use crate::search::inspect::{
    ActionFacts, Counters, EdgeFacts, Inspect, NodeFacts, NodeKind, NodePath, PerSeat, Unit, points_now,
    sort_actions, sort_edges, wide,
};
use crate::search::node_store::{Link, NodeId};

/// A node at a path.
struct Located<S> {
    id: NodeId,
    state: S,
    /// The visits of the edge that leads to it; `None` for the root.
    along: Option<u32>,
}

impl<R: Rules> Mcgs<R> {
    /// A search of its own with the same tree; leaves in flight are given back.
    pub(super) fn copied(&self) -> Self {
        let mut copy = Self {
            rules: Arc::clone(&self.rules),
            root: self.root.clone(),
            before: self.before.clone(),
            evaluator: self.evaluator.clone(),
            options: self.options.clone(),
            errors: self.errors.clone(),
            distractions: self.distractions,
            seed: self.seed,
            rng: self.rng.clone(),
            graph: self.graph.clone(),
            inherited: self.inherited,
            evaluations: self.evaluations,
            hits: self.hits,
            known: self.known,
            flights: self.flights.without_leaves(),
            noise: self.noise.clone(),
            attached: self.attached.clone(),
            path: Vec::new(),
            arms: [Vec::new(), Vec::new()],
            scores: Vec::new(),
            actions: [Vec::new(), Vec::new()],
            weights: [Vec::new(), Vec::new()],
        };
        copy.cancel_leaves();
        copy
    }

    fn located(&self, path: &NodePath) -> Option<Located<R::State>> {
        let mut found = Located { id: ROOT, state: self.root.clone(), along: None };
        if path.deal.is_some() {
            return None;
        }
        for key in &path.edges {
            let edge = self.visited_edges(found.id).find(|edge| key_of(edge) == *key)?;
            self.play_pair(found.id, &mut found.state, edge);
            (found.id, found.along) = (edge.child(), Some(edge.visits));
        }
        Some(found)
    }

    fn visited_edges(&self, id: NodeId) -> impl Iterator<Item = &Edge> {
        self.graph.edges(id).iter().filter(|edge| edge.visits > 0)
    }

    fn play_pair(&self, id: NodeId, state: &mut R::State, edge: &Edge) {
        let pair = edge.pair();
        let actions = [0, 1].map(|seat| self.graph.choices(id, seat)[pair[seat]].action);
        self.rules.play_unchecked(state, &actions);
    }

    /// The arms of a node as a selection sees them.
    fn arms_of(&self, id: NodeId) -> [Vec<Arm>; 2] {
        let mut arms = [Vec::new(), Vec::new()];
        self.graph.sum_up(id, self.options.utility, self.options.puct.weighting, &mut arms);
        if id == ROOT && self.options.selector != Selector::RegretMatching {
            add_noise(self.options.exploration.noise_fraction, &self.noise, &mut arms);
        }
        arms
    }

    /// The node as a selection sees it for a seat.
    fn situation(&self, id: NodeId, seat: usize) -> Situation {
        let node = self.graph.node(id);
        let value = graph::utilities(self.options.utility, node.value)[seat];
        Situation { value, scale: f64::from(node.scale), visits: node.total }
    }

    /// The exploration term and the score of each action of a seat; `None` for regret matching.
    fn selection(&self, id: NodeId, seat: usize, arms: &[Arm]) -> Vec<Option<(f64, f64)>> {
        if self.options.selector == Selector::RegretMatching {
            return vec![None; arms.len()];
        }
        let (puct, situation) = (&self.options.puct, self.situation(id, seat));
        let (unit, mut scores) = (puct.unit_in(situation), Vec::new());
        let terms = formulas::exploration_terms(puct, situation, arms);
        formulas::puct_scores(puct, situation, arms, &mut scores);
        terms.into_iter().zip(scores).map(|(term, score)| Some((unit * term, unit * score))).collect()
    }

    /// The regret and the probability in the average strategy of each action of a seat; none for PUCT.
    fn learnt(&self, id: NodeId, seat: usize) -> Vec<(f64, f64)> {
        let regrets = self.graph.regrets(id, seat);
        let sums: Vec<f64> = regrets.iter().map(|known| known.strategy).collect();
        let count = sums.len() as f64;
        let shares = if sums.iter().sum::<f64>() > 0.0 { normalised(sums) } else { vec![1.0 / count; sums.len()] };
        regrets.iter().map(|known| known.regret).zip(shares).collect()
    }

    fn actions_of(&self, id: NodeId, state: &R::State, seat: usize, arms: &[Arm]) -> Vec<ActionFacts> {
        let total: f64 = arms.iter().map(|arm| f64::from(arm.weight)).sum();
        let (selection, learnt) = (self.selection(id, seat, arms), self.learnt(id, seat));
        let facts = |(index, arm): (usize, &Arm)| ActionFacts {
            seat,
            text: self.rules.write(state, seat, &[self.graph.choices(id, seat)[index].action]),
            prior: Some(f64::from(arm.weight) / total),
            visits: arm.visits,
            q: (arm.visits > 0).then_some(arm.mean),
            u: selection[index].map(|(u, _)| u),
            score: selection[index].map(|(_, score)| score),
            amaf: None,
            regret: learnt.get(index).copied(),
        };
        arms.iter().enumerate().map(facts).collect()
    }

    /// Whether Q counts points.
    fn counts_points(&self) -> bool {
        self.options.utility != Utility::Win
    }
}

impl<R: Rules> Inspect for Mcgs<R> {
    fn name(&self) -> &'static str {
        "mcgs"
    }

    fn unit(&self) -> Unit {
        if self.counts_points() { Unit::Points } else { Unit::Value }
    }

    fn seats(&self) -> usize {
        2
    }

    fn deals(&self) -> usize {
        0
    }

    fn node(&self, path: &NodePath) -> Option<NodeFacts> {
        let Located { id, state, along } = self.located(path)?;
        let node = self.graph.node(id);
        let visits = match node.kind {
            Kind::Pending => 0,
            Kind::Over => along.unwrap_or(0),
            Kind::Leaf | Kind::Listed => 1 + node.total,
        };
        let q = node.is_evaluated().then(|| both(node.value));
        let scores = points_now(&*self.rules, &state).filter(|_| self.counts_points());
        let points = q.zip(scores).map(|(q, scores)| sum(q, wide(scores)));
        Some(NodeFacts {
            id: id.into(),
            kind: kind(node.kind),
            to_act: self.rules.acting(&state),
            visits,
            q,
            evaluation: matches!(node.kind, Kind::Leaf | Kind::Listed).then(|| both(node.own)),
            points,
            distance: None,
        })
    }

    fn actions(&self, path: &NodePath) -> Option<Vec<ActionFacts>> {
        let Located { id, state, .. } = self.located(path)?;
        let arms = self.arms_of(id);
        let mut actions: Vec<ActionFacts> =
            [0, 1].into_iter().flat_map(|seat| self.actions_of(id, &state, seat, &arms[seat])).collect();
        sort_actions(&mut actions);
        Some(actions)
    }

    fn edges(&self, path: &NodePath) -> Option<Vec<EdgeFacts>> {
        let Located { id, state, .. } = self.located(path)?;
        let facts = |edge: &Edge| EdgeFacts {
            key: key_of(edge),
            text: self.text(id, &state, edge.pair()),
            visits: edge.visits,
            q: both(self.graph.worth(edge)),
            reward: self.counts_points().then(|| both(edge.points())),
        };
        let mut edges: Vec<EdgeFacts> = self.visited_edges(id).map(facts).collect();
        sort_edges(&mut edges);
        Some(edges)
    }

    fn best(&self, path: &NodePath) -> Option<u64> {
        self.most_visited(self.located(path)?.id).map(key_of)
    }

    fn counters(&self) -> Counters {
        let nodes = (0..self.graph.size()).map(|id| self.graph.node(id as NodeId));
        let last = nodes.filter(|node| node.is_evaluated()).map(|node| node.ply).max();
        let first = self.graph.node(ROOT).ply;
        Counters {
            evaluations: self.evaluations,
            known: self.known,
            hits: self.hits,
            nodes: self.graph.size(),
            depth: last.map_or(0, |last| last - first),
        }
    }
}

fn key_of(edge: &Edge) -> u64 {
    let [first, second] = edge.pair();
    (first as u64) << 32 | second as u64
}

fn both(pair: Pair) -> PerSeat {
    let mut numbers = [0.0; MAX_SEATS];
    numbers[..2].copy_from_slice(&pair);
    numbers
}

fn sum(first: PerSeat, second: PerSeat) -> PerSeat {
    std::array::from_fn(|seat| first[seat] + second[seat])
}

fn kind(kind: Kind) -> NodeKind {
    match kind {
        Kind::Pending => NodeKind::Pending,
        Kind::Leaf => NodeKind::Leaf,
        Kind::Listed => NodeKind::Expanded,
        Kind::Over => NodeKind::Over,
    }
}
