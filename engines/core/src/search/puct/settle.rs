//! Exact values in a PUCT tree: how finished states settle the nodes above them, and how that affects the choice.

use super::tree::{Edge, Kind};
use super::{Puct, side};
use crate::rules::Rules;
use crate::search::node_store::NodeId;

impl<R: Rules> Puct<R> {
    /// Propagates an exact value at the end of the path upwards, as far as it settles nodes.
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

    /// The best value for the node's seat, if all of its children are exact.
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

    /// The edge to play: a proven win, otherwise the most visited edge that is not a proven loss. Ties go to the first
    /// one in the game's order.
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
