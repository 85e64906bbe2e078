//! Looking into a PUCT tree, and copying a PUCT search. The key of an edge is its index in the game's order of actions.

use std::sync::Arc;

use super::options::FirstPlay;
use super::tree::{Edge, Kind};
use super::{Puct, reduced, side, two_seats};
use crate::rules::{Rules, Seat};
use crate::search::inspect::{
    ActionFacts, Counters, EdgeFacts, Inspect, NodeFacts, NodeKind, NodePath, PerSeat, Unit, points_now, reward,
    sort_actions, sort_edges, wide,
};
use crate::search::node_store::NodeId;

impl<R: Rules> Puct<R> {
    /// A search of its own with the same tree; leaves in flight are given back.
    pub(super) fn copied(&self) -> Self {
        let mut copy = Self {
            rules: Arc::clone(&self.rules),
            root: self.root.clone(),
            evaluator: self.evaluator.clone(),
            tree: self.tree.clone(),
            weights: self.weights.clone(),
            focus: self.focus.clone(),
            inherited: self.inherited,
            options: self.options,
            errors: self.errors.clone(),
            rng: self.rng.clone(),
            pending: self.pending.clone(),
            flight: self.flight,
            path: Vec::new(),
            actions: Vec::new(),
            priors: Vec::new(),
            evaluations: self.evaluations,
            known: self.known,
        };
        copy.cancel_leaves();
        copy
    }

    /// The node at a path and its state.
    fn located(&self, path: &NodePath) -> Option<(NodeId, R::State)> {
        let (mut id, mut state) = (0, self.root.clone());
        if path.deal.is_some() {
            return None;
        }
        for key in &path.edges {
            let edge = self.visited_edges(id).find(|edge| u64::from(edge.rank) == *key)?;
            self.rules.play_unchecked(&mut state, &[edge.action]);
            id = edge.child;
        }
        Some((id, state))
    }

    /// The edges that a simulation has gone along to its end.
    fn visited_edges(&self, id: NodeId) -> impl Iterator<Item = &Edge<R::Action>> {
        let visited = &self.tree.edges(id)[..usize::from(self.tree.node(id).visited)];
        visited.iter().filter(|edge| self.tree.node(edge.child).visits > 0)
    }

    /// What a selection assumes of an action of this node without visits, for its seat.
    fn first_play(&self, id: NodeId) -> f32 {
        let node = self.tree.node(id);
        match self.options.first_play {
            FirstPlay::Zero => 0.0,
            FirstPlay::Reduced(reduction) => {
                let visited = &self.tree.edges(id)[..usize::from(node.visited)];
                reduced(side(node.seat) * node.mean(), reduction, visited)
            }
        }
    }
}

impl<R: Rules> Inspect for Puct<R> {
    fn name(&self) -> &'static str {
        "puct"
    }

    fn unit(&self) -> Unit {
        Unit::Value
    }

    fn seats(&self) -> usize {
        2
    }

    fn deals(&self) -> usize {
        0
    }

    fn node(&self, path: &NodePath) -> Option<NodeFacts> {
        let (id, state) = self.located(path)?;
        let node = self.tree.node(id);
        let own = matches!(node.kind, Kind::Leaf | Kind::Partial | Kind::Expanded | Kind::DeadEnd);
        Some(NodeFacts {
            id: id.into(),
            kind: kind(node.kind),
            to_act: self.rules.acting(&state),
            visits: node.visits,
            q: (node.kind != Kind::Pending).then(|| per_seat(node.mean())),
            evaluation: own.then(|| per_seat(node.value)),
            points: None,
            distance: node.is_exact().then(|| node.distance.into()),
        })
    }

    fn actions(&self, path: &NodePath) -> Option<Vec<ActionFacts>> {
        let (id, state) = self.located(path)?;
        let node = self.tree.node(id);
        let (seat, scale) = (Seat::from(node.seat), self.options.puct * (node.visits as f32).sqrt());
        let first_play = self.first_play(id);
        let facts = |edge: &Edge<R::Action>| {
            let is_visited = edge.tries.is_finite();
            let u = edge.prior * scale / if is_visited { edge.tries } else { 1.0 };
            let visits = if is_visited { self.tree.node(edge.child).visits } else { 0 };
            ActionFacts {
                seat,
                text: self.rules.write(&state, seat, &[edge.action]),
                prior: Some(edge.prior.into()),
                visits,
                q: is_visited.then(|| edge.mean.into()),
                u: Some(u.into()),
                score: Some((u + if is_visited { edge.mean } else { first_play }).into()),
                amaf: None,
                regret: None,
            }
        };
        let mut actions: Vec<ActionFacts> = self.tree.edges(id).iter().map(facts).collect();
        sort_actions(&mut actions);
        Some(actions)
    }

    fn edges(&self, path: &NodePath) -> Option<Vec<EdgeFacts>> {
        let (id, state) = self.located(path)?;
        let seat = Seat::from(self.tree.node(id).seat);
        let before = points_now(&*self.rules, &state);
        let facts = |edge: &Edge<R::Action>| {
            let child = self.tree.node(edge.child);
            let mut after = state.clone();
            self.rules.play_unchecked(&mut after, &[edge.action]);
            EdgeFacts {
                key: edge.rank.into(),
                text: self.rules.write(&state, seat, &[edge.action]),
                visits: child.visits,
                q: per_seat(child.mean()),
                reward: reward(before, points_now(&*self.rules, &after)),
            }
        };
        let mut edges: Vec<EdgeFacts> = self.visited_edges(id).map(facts).collect();
        sort_edges(&mut edges);
        Some(edges)
    }

    fn best(&self, path: &NodePath) -> Option<u64> {
        let (id, _) = self.located(path)?;
        self.best_edge(id).map(|index| self.tree.edges(id)[index].rank.into())
    }

    fn counters(&self) -> Counters {
        let mut depths = vec![0; self.tree.len()];
        // Children are newer than their parents.
        for id in 0..self.tree.len() {
            for edge in self.visited_edges(id as NodeId) {
                depths[edge.child as usize] = depths[id] + 1;
            }
        }
        let depth = depths.into_iter().max().unwrap_or(0);
        Counters { evaluations: self.evaluations, known: self.known, hits: 0, nodes: self.tree.len(), depth }
    }
}

fn per_seat(value: f32) -> PerSeat {
    wide(two_seats(value))
}

fn kind(kind: Kind) -> NodeKind {
    match kind {
        Kind::Pending => NodeKind::Pending,
        Kind::Leaf => NodeKind::Leaf,
        Kind::Partial => NodeKind::Partial,
        Kind::Expanded => NodeKind::Expanded,
        Kind::Terminal => NodeKind::Over,
        Kind::Repeated => NodeKind::Repeated,
        Kind::Solved => NodeKind::Proven,
        Kind::DeadEnd => NodeKind::DeadEnd,
    }
}
