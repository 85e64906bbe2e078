//! What a network can learn from a PUCT search: the policy of the position searched now, without what noise forced on it.
//!
//! Forced simulations and the pruning of the policy follow Wu 2019, "Accelerating Self-Play Learning in Go", section 3.2:
//! noise makes the search try unlikely actions, and what these trials did not confirm is left out of the policy.

use super::tree::{Edge, Node};
use super::{Puct, side, two_seats};
use crate::planes::Signature;
use crate::rules::{Rules, Values};
use crate::search::node_store::NodeId;

impl<R: Rules> Puct<R> {
    /// See [`crate::search::Search::example`].
    pub(super) fn write_example(
        &self,
        signature: &Signature,
        planes: &mut [f32],
        policy: &mut [f32],
    ) -> Option<Values> {
        let game = self.rules.planes().filter(|game| game.fits(signature).is_ok())?;
        let state = self.focus_state();
        let id = self.focus_node();
        let seat = self.tree.node(id).seat.into();
        let shares = self.shares(id)?;
        let indexed = |(edge, share): (&Edge<R::Action>, f32)| {
            game.policy_index(&state, signature, seat, edge.action).map(|index| (index, share))
        };
        let known: Vec<(usize, f32)> = self.tree.edges(id).iter().zip(shares).filter_map(indexed).collect();
        let total: f32 = known.iter().map(|(_, share)| share).sum();
        if total <= 0.0 {
            return None;
        }
        game.fill(&state, seat, signature, planes);
        policy.fill(0.0);
        known.iter().for_each(|(index, share)| policy[*index] += share / total);
        let node = self.tree.node(id);
        Some(two_seats(if node.is_exact() { node.value } else { node.mean() }.clamp(-1.0, 1.0)))
    }

    /// The share of each visited edge in the policy; all of it for a winning action. `None` without visits.
    fn shares(&self, id: NodeId) -> Option<Vec<f32>> {
        let node = self.tree.node(id);
        let best = self.best_edge(id)?;
        let visited = node.visited as usize;
        if node.is_exact() && node.value * side(node.seat) > 0.0 {
            return Some((0..visited).map(|index| f32::from(u8::from(index == best))).collect());
        }
        let kept: Vec<f32> = (0..visited).map(|index| self.confirmed(id, index, best)).collect();
        let total: f32 = kept.iter().sum();
        (total > 0.0).then(|| kept.iter().map(|visits| visits / total).collect())
    }

    /// The visits of an edge without the forced ones that its value does not justify; 0 if only one is left.
    fn confirmed(&self, id: NodeId, index: usize, best: usize) -> f32 {
        let node = self.tree.node(id);
        let edge = &self.tree.edges(id)[index];
        let visits = self.tree.node(edge.child).visits as f32;
        if self.options.forced == 0.0 || index == best {
            return visits;
        }
        let limit = self.upper_value(node, &self.tree.edges(id)[best], 0.0);
        let mut removed = 0.0;
        while removed < self.forced_visits(node, edge).floor()
            && removed < visits
            && self.upper_value(node, edge, removed + 1.0) < limit
        {
            removed += 1.0;
        }
        if visits - removed > 1.0 { visits - removed } else { 0.0 }
    }

    /// The PUCT value of a visited edge for the seat of its node, if it had so many visits less.
    fn upper_value(&self, node: &Node, edge: &Edge<R::Action>, fewer: f32) -> f32 {
        let child = self.tree.node(edge.child);
        let explored = self.options.puct * edge.prior * (node.visits as f32).sqrt();
        side(node.seat) * child.mean() + explored / (1.0 + child.visits as f32 - fewer)
    }

    /// The visits that an edge must have once it has one.
    fn forced_visits(&self, node: &Node, edge: &Edge<R::Action>) -> f32 {
        (self.options.forced * edge.prior * node.visits as f32).sqrt()
    }

    /// An edge that has not had all its forced simulations, behind the fixed actions.
    pub(super) fn forced_edge(&self, id: NodeId) -> Option<usize> {
        if self.options.forced == 0.0 || self.path.len() != self.focus.len() + 1 {
            return None;
        }
        let node = self.tree.node(id);
        self.tree.edges(id)[..node.visited as usize].iter().position(|edge| {
            let child = self.tree.node(edge.child);
            let visits = child.visits as f32 + f32::from(child.in_flight);
            visits > 0.0 && visits < self.forced_visits(node, edge)
        })
    }
}
