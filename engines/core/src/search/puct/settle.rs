//! Exact values in a PUCT tree: how finished states settle the nodes above them, and how that affects the choice.

use super::tree::{Edge, Kind};
use super::{Puct, side};
use crate::rules::Rules;
use crate::search::node_store::NodeId;

impl<R: Rules> Puct<R> {
    /// Propagates an exact value at the end of the path upwards, as far as it settles nodes.
    pub(super) fn settle(&mut self) {
        for pair in (1..self.path.len()).rev() {
            let (parent, child) = (self.path[pair - 1].node, self.path[pair].node);
            if !self.tree.node(child).is_exact() || self.tree.node(parent).is_exact() {
                return;
            }
            let seat = self.tree.node(parent).seat;
            let won = side(seat) * self.tree.node(child).value >= 1.0;
            let Some(value) = (if won { Some(side(seat)) } else { self.settled_value(parent) }) else { return };
            let distance = self.distance(parent, value);
            let node = self.tree.node_mut(parent);
            (node.kind, node.value, node.distance) = (Kind::Solved, value, distance);
        }
    }

    /// The number of actions from a node to the end of the game, if its value is exact: as few as possible to a win of
    /// its seat, otherwise as many as possible.
    fn distance(&self, id: NodeId, value: f32) -> u16 {
        let node = self.tree.node(id);
        let visited = self.tree.edges(id)[..usize::from(node.visited)].iter();
        let ends = visited.map(|edge| self.tree.node(edge.child)).filter(|child| child.is_exact());
        let distances = ends.filter(|child| child.value == value).map(|child| child.distance);
        let longest = if value * side(node.seat) > 0.0 { distances.min() } else { distances.max() };
        longest.unwrap_or(0).saturating_add(1)
    }

    /// The best value for the node's seat, if all of its children are exact.
    fn settled_value(&self, id: NodeId) -> Option<f32> {
        let node = self.tree.node(id);
        let edges = self.tree.edges(id);
        let exact = |child| Some(self.tree.node(child)).filter(|child| child.is_exact()).map(|child| child.value);
        if node.kind == Kind::Partial || usize::from(node.visited) < edges.len() {
            return None;
        }
        let values: Option<Vec<f32>> = edges.iter().map(|edge| exact(edge.child)).collect();
        values?.into_iter().max_by(|a, b| (side(node.seat) * a).total_cmp(&(side(node.seat) * b)))
    }

    /// The edge to play: the shortest proven win, otherwise the most visited edge that is not a proven loss, otherwise the
    /// longest loss. Ties go to the first one in the game's order.
    pub(super) fn best_edge(&self, id: NodeId) -> Option<usize> {
        let sign = side(self.tree.node(id).seat);
        let edges = &self.tree.edges(id)[..self.tree.node(id).visited as usize];
        let key = |edge: &Edge<R::Action>| {
            let child = self.tree.node(edge.child);
            let settled = if self.options.solve && child.is_exact() { (sign * child.value) as i32 } else { 0 };
            let haste = -settled * i32::from(child.distance);
            (settled, haste, child.visits, u16::MAX - edge.rank)
        };
        (0..edges.len())
            .filter(|&index| self.tree.node(edges[index].child).visits > 0)
            .max_by_key(|&index| key(&edges[index]))
    }
}
