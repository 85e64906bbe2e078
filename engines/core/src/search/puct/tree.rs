//! The tree of a PUCT search: the contents of nodes and edges, and the order in which edges get children.
//!
//! Edges with a child come first, and after them the most promising of the rest, best first. So a selection looks at the
//! visited edges and one more, however many actions a position has, and the others need not be listed: few nodes ever
//! visit more than [`FIRST`].

use super::side;
use crate::search::node_store::{Link, NO_CHILD, NodeId, NodeStore};

/// The state of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Waits for its evaluation.
    Pending,
    /// Evaluated; its edges are not listed yet.
    Leaf,
    /// Evaluated, with the most promising edges.
    Partial,
    /// Evaluated, with all edges.
    Expanded,
    /// The game is over; the value is exact.
    Terminal,
    /// Repeats a position on the path to it, or of the game: a draw until the root moves.
    Repeated,
    /// The value is exact because those of the children are.
    Solved,
    /// Has no edges to search; its value is fixed.
    DeadEnd,
}

/// A state in the tree. Values are those of seat 0.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Sum of the values backed up through it.
    pub sum: f64,
    /// Simulations that ended at the node or went through it.
    pub visits: u32,
    /// Its own evaluation.
    pub value: f32,
    /// Number of edges that have a child.
    pub visited: u16,
    /// Simulations through the node that wait for an evaluation.
    pub in_flight: u16,
    /// Number of actions to the end of the game, if the value is exact.
    pub distance: u16,
    /// The seat that acts.
    pub seat: u8,
    /// The state of the node.
    pub kind: Kind,
}

impl Node {
    /// Whether the value is proven.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.kind, Kind::Terminal | Kind::Solved)
    }

    /// Mean value for seat 0; the node's own evaluation before the first visit.
    #[must_use]
    pub fn mean(&self) -> f32 {
        if self.visits == 0 { self.value } else { (self.sum / f64::from(self.visits)) as f32 }
    }

    /// Mean value for seat 0 of the visits that went on to a child, which are all but the first; before, the node's own
    /// evaluation.
    #[must_use]
    pub fn mean_below(&self) -> f32 {
        if self.visits < 2 {
            return self.value;
        }
        ((self.sum - f64::from(self.value)) / f64::from(self.visits - 1)) as f32
    }
}

/// An action of a node.
#[derive(Debug, Clone, Copy)]
pub struct Edge<A> {
    /// Normalised prior.
    pub prior: f32,
    /// The child node, or [`NO_CHILD`].
    pub child: NodeId,
    /// Mean value of the child for the seat of the node, as a selection sees it: see [`Tree::refresh`].
    pub mean: f32,
    /// 1 + the simulations through the child; infinite before the first one has ended.
    pub tries: f32,
    /// Index in the game's order of actions, which breaks ties.
    pub rank: u16,
    /// The action.
    pub action: A,
}

impl<A: Copy> Link for Edge<A> {
    fn child(&self) -> NodeId {
        self.child
    }

    fn set_child(&mut self, child: NodeId) {
        self.child = child;
    }
}

impl Node {
    /// A node without visits.
    #[must_use]
    pub fn new(seat: u8, kind: Kind, value: f32) -> Self {
        Self { sum: 0.0, visits: 0, value, visited: 0, in_flight: 0, distance: 0, seat, kind }
    }
}

/// A node on the path of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Index of the edge that leads to it, among those of the node before; 0 at the root.
    pub edge: usize,
}

impl Step {
    /// The beginning of every path.
    pub const ROOT: Self = Self { node: 0, edge: 0 };
}

/// Edges that are listed at first. Each further listing adds [`GROWTH`] times as many as there are.
pub const FIRST: usize = 8;

const GROWTH: usize = 3;

/// The nodes and edges of a PUCT search.
pub type Tree<A> = NodeStore<Node, Edge<A>>;

impl<A: Copy> Tree<A> {
    /// Whether a descent needs edges of this node that are not listed.
    #[must_use]
    pub fn lacks_edges(&self, id: NodeId) -> bool {
        let node = self.node(id);
        match node.kind {
            Kind::Leaf => true,
            Kind::Partial => usize::from(node.visited) == self.edges(id).len(),
            _ => false,
        }
    }

    /// The number of edges to list next.
    #[must_use]
    pub fn more(&self, id: NodeId) -> usize {
        (GROWTH * self.edges(id).len()).max(FIRST)
    }

    /// Lists up to `most` further edges of an evaluated node, the most promising ones. `priors` are weights ≥ 0, one per
    /// action, in the game's order, and `total` is their sum; actions with weight 0 get no edge.
    pub fn list_edges(&mut self, id: NodeId, actions: &[A], priors: &[f32], total: f32, most: usize) {
        let listed: Vec<u16> = self.edges(id).iter().map(|edge| edge.rank).collect();
        let mut best: Vec<Edge<A>> = Vec::with_capacity(most.min(actions.len()));
        let mut kind = Kind::Expanded;
        let mut least = 0.0;
        for (rank, (&action, &prior)) in (0..).zip(actions.iter().zip(priors)) {
            if prior <= least {
                kind = if prior > 0.0 { Kind::Partial } else { kind };
                continue;
            }
            if listed.contains(&rank) {
                continue;
            }
            if best.len() == most {
                kind = Kind::Partial;
                best.pop();
            }
            let edge = Edge { prior, child: NO_CHILD, mean: 0.0, tries: f32::INFINITY, rank, action };
            best.insert(best.partition_point(|other| other.prior >= prior), edge);
            if best.len() == most {
                least = best[most - 1].prior;
            }
        }
        best.iter_mut().for_each(|edge| edge.prior /= total);
        self.append_edges(id, &best);
        self.node_mut(id).kind = kind;
    }

    /// Copies what a selection needs to know of a child to its edge, so that it reads one block of memory and not one for
    /// each child. Each simulation in flight counts as a visit with a value lower by `virtual_loss`; a child without
    /// other visits is the last choice.
    pub fn refresh(&mut self, parent: NodeId, index: usize, virtual_loss: f32) {
        let sign = side(self.node(parent).seat);
        let child = self.node(self.edges(parent)[index].child);
        let (visits, in_flight) = (child.visits as f32, f32::from(child.in_flight));
        let (mean, tries) = if child.visits == 0 {
            (-1000.0 * in_flight, f32::INFINITY)
        } else {
            let sum = sign * child.sum as f32 - virtual_loss * in_flight;
            (sum / (visits + in_flight), 1.0 + visits + in_flight)
        };
        let edge = &mut self.edges_mut(parent)[index];
        (edge.mean, edge.tries) = (mean, tries);
    }

    /// Puts the edges without a child in order.
    pub fn sort_unvisited(&mut self, id: NodeId) {
        let visited = usize::from(self.node(id).visited);
        let rest = &mut self.edges_mut(id)[visited..];
        rest.sort_unstable_by(|a, b| b.prior.total_cmp(&a.prior).then(a.rank.cmp(&b.rank)));
    }

    /// Attaches a new node to the most promising edge without a child.
    pub fn adopt(&mut self, parent: NodeId, node: Node) -> NodeId {
        let child = self.push(node);
        let visited = self.node(parent).visited as usize;
        self.edges_mut(parent)[visited].child = child;
        self.node_mut(parent).visited += 1;
        child
    }

    /// Detaches the child of the `index`th visited edge, as if it had never been adopted. `pop` or `reachable` frees
    /// its memory.
    pub fn detach(&mut self, parent: NodeId, index: usize) {
        self.node_mut(parent).visited -= 1;
        let visited = self.node(parent).visited as usize;
        let edges = self.edges_mut(parent);
        edges[index].child = NO_CHILD;
        edges.swap(index, visited);
        self.sort_unvisited(parent);
    }

    /// Reverts the adoption of `child`, which has no edges.
    pub fn orphan(&mut self, parent: NodeId, child: NodeId) {
        let Some(index) = self.edges(parent).iter().position(|edge| edge.child == child) else { return };
        self.detach(parent, index);
        if child as usize + 1 == self.len() {
            self.pop();
        }
    }

    /// Detaches all repeated positions and subtracts their visits, which added only zeros to the sums. From another
    /// root, these positions may be no repetitions.
    pub fn forget_repeated(&mut self) {
        let mut lost = vec![0; self.len()];
        // Children are newer than their parents.
        for id in (0..self.len()).rev() {
            let parent = id as NodeId;
            for index in (0..self.node(parent).visited as usize).rev() {
                let child = self.edges(parent)[index].child;
                if self.node(child).kind == Kind::Repeated {
                    lost[id] += self.node(child).visits;
                    self.detach(parent, index);
                } else {
                    lost[id] += lost[child as usize];
                }
            }
            self.node_mut(parent).visits -= lost[id];
            for index in 0..self.node(parent).visited as usize {
                self.refresh(parent, index, 0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of one node.
    fn one() -> Tree<char> {
        Tree::new(Node::new(0, Kind::Leaf, 0.0))
    }

    fn actions(tree: &Tree<char>) -> String {
        tree.edges(0).iter().map(|edge| edge.action).collect()
    }

    #[test]
    fn edges_are_listed_in_parts_by_prior_and_rank() {
        let (names, priors) = (['a', 'b', 'c', 'd', 'e', 'f'], [1.0, 3.0, 0.0, 2.0, 3.0, 1.0]);
        let mut tree = one();
        for (most, listed, kind) in
            [(2, "be", Kind::Partial), (1, "bed", Kind::Partial), (2, "bedaf", Kind::Expanded)]
        {
            tree.list_edges(0, &names, &priors, 10.0, most);
            assert_eq!((actions(&tree).as_str(), tree.node(0).kind), (listed, kind));
        }
        assert_eq!(tree.edges(0)[0].prior, 0.3);
        let mut whole = one();
        whole.list_edges(0, &names, &priors, 10.0, usize::MAX);
        assert_eq!(actions(&whole), "bedaf");
    }

    #[test]
    fn more_edges_are_needed_once_all_that_are_listed_are_visited() {
        let mut tree = one();
        assert!(tree.lacks_edges(0));
        tree.list_edges(0, &['a', 'b', 'c'], &[0.5, 0.3, 0.2], 1.0, 2);
        for lacks in [false, true] {
            tree.adopt(0, Node::new(1, Kind::Leaf, 0.0));
            assert_eq!(tree.lacks_edges(0), lacks);
        }
        tree.list_edges(0, &['a', 'b', 'c'], &[0.5, 0.3, 0.2], 1.0, 6);
        assert!(!tree.lacks_edges(0));
    }

    #[test]
    fn a_detached_edge_is_tried_again_in_its_turn() {
        let mut tree = one();
        tree.list_edges(0, &['a', 'b', 'c'], &[0.5, 0.3, 0.2], 1.0, 3);
        tree.adopt(0, Node::new(1, Kind::Leaf, 0.0));
        tree.adopt(0, Node::new(1, Kind::Leaf, 0.0));
        tree.detach(0, 0);
        assert_eq!((actions(&tree).as_str(), tree.node(0).visited), ("bac", 1));
    }

    #[test]
    fn an_edge_shows_its_child_as_its_seat_sees_it() {
        let mut tree = Tree::new(Node::new(1, Kind::Leaf, 0.0));
        tree.list_edges(0, &['a'], &[1.0], 1.0, 1);
        let child = tree.adopt(0, Node::new(0, Kind::Leaf, 0.0));
        let node = tree.node_mut(child);
        (node.sum, node.visits, node.in_flight) = (1.5, 3, 1);
        tree.refresh(0, 0, 0.5);
        assert_eq!((tree.edges(0)[0].mean, tree.edges(0)[0].tries), (-2.0 / 4.0, 5.0));
    }
}
