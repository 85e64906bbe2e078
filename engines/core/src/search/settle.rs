//! Exact values in a PUCT tree: how finished states settle the nodes above them, and how that decides what is played.

use super::arena::NodeId;
use super::puct::{Puct, side};
use super::tree::{Edge, Kind};
use crate::rules::Rules;

impl<R: Rules> Puct<R> {
    /// Carries an exact value at the end of the path up, as far as it decides.
    pub(super) fn settle(&mut self) {
        for pair in (1..self.path.len()).rev() {
            let (parent, child) = (self.path[pair - 1], self.path[pair]);
            if !self.tree.node(child).is_exact() || self.tree.node(parent).is_exact() {
                return;
            }
            let seat = self.tree.node(parent).seat;
            let won = side(seat) * self.tree.node(child).value >= 1.0;
            let Some(value) = (if won { Some(side(seat)) } else { self.settled_value(parent) }) else { return };
            let node = self.tree.node_mut(parent);
            (node.kind, node.value) = (Kind::Solved, value);
        }
    }

    /// The best value for the node's seat once all of its children are exact.
    fn settled_value(&self, id: NodeId) -> Option<f32> {
        let node = self.tree.node(id);
        let edges = self.tree.edges(id);
        let exact = |child| Some(self.tree.node(child)).filter(|child| child.is_exact()).map(|child| child.value);
        if usize::from(node.visited) < edges.len() {
            return None;
        }
        let values: Option<Vec<f32>> = edges.iter().map(|edge| exact(edge.child)).collect();
        values?.into_iter().max_by(|a, b| (side(node.seat) * a).total_cmp(&(side(node.seat) * b)))
    }

    /// The edge to play: one that wins for sure, else the most visited of those that do not lose for sure. Ties go to
    /// the first in the game's order.
    pub(super) fn best_edge(&self, id: NodeId) -> Option<usize> {
        let sign = side(self.tree.node(id).seat);
        let edges = &self.tree.edges(id)[..self.tree.node(id).visited as usize];
        let key = |edge: &Edge<R::Action>| {
            let child = self.tree.node(edge.child);
            let settled = if self.options.solve && child.is_exact() { (sign * child.value) as i8 } else { 0 };
            (settled, child.visits, u16::MAX - edge.rank)
        };
        (0..edges.len())
            .filter(|&index| self.tree.node(edges[index].child).visits > 0)
            .max_by_key(|&index| key(&edges[index]))
    }
}
