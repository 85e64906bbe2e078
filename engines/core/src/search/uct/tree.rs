//! The tree of one deal: nodes and edges in flat vectors, their statistics, and backing up.
//!
//! Values are in [0, 1]. The edges of a node are in the order in which it tries them: those that it has tried come
//! first. If every simulation has its own deal, an action may lead to several nodes, one per position as the seats see
//! it; these are linked by `sibling`.

use super::formulas::Mean;
use super::options::Rave;
use crate::rules::{MAX_SEATS, Seat, Values};
use crate::search::node_store::{NodeId, reserve};

/// No node.
pub const NONE: NodeId = NodeId::MAX;

/// The root of every tree.
pub const ROOT: NodeId = 0;

/// One value in [0, 1] per seat.
pub type Shares = [f64; MAX_SEATS];

/// The state of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Its edges are not listed yet.
    Leaf,
    /// Its edges are listed.
    Listed,
    /// Nothing follows: the game is over.
    Over,
    /// Repeats a position: a draw.
    Repeated,
}

/// A state in the tree.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Sums of the values backed up through it, per seat.
    pub sums: Shares,
    /// Mean final points of the same, per seat; not numbers if one of the estimates had none.
    pub points: Values,
    /// Half of the hash of what the seat to act knows; 0 if each action leads to one node only.
    pub key: u64,
    /// Number of values backed up through it.
    pub visits: u32,
    /// The next node of the same edge.
    pub sibling: NodeId,
    first: u32,
    len: u16,
    /// Number of edges that it has tried.
    pub tried: u16,
    /// The seat that acts.
    pub seat: u8,
    /// The state of the node.
    pub kind: Kind,
}

impl Node {
    /// A node without visits.
    #[must_use]
    pub fn new(seat: Seat, kind: Kind, key: u64) -> Self {
        let (sums, points) = ([0.0; MAX_SEATS], [0.0; MAX_SEATS]);
        Self { sums, points, key, visits: 0, sibling: NONE, first: 0, len: 0, tried: 0, seat: seat as u8, kind }
    }

    /// Whether an action is left to be tried.
    #[must_use]
    pub fn has_untried(&self) -> bool {
        self.tried < self.len
    }
}

/// An action of a node.
#[derive(Debug, Clone, Copy)]
pub struct Edge<A> {
    /// Values of the seat that acts.
    pub mean: Mean,
    /// The first node that it leads to.
    pub child: NodeId,
    /// The action.
    pub action: A,
}

/// The AMAF statistics of an edge: the values of all simulations in which the action came later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amaf {
    /// Values of the seat that acted.
    pub mean: Mean,
    /// Hash of the action and of what distinguishes it.
    pub key: u64,
}

/// An edge on the path of a simulation.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Index of the edge within the node.
    pub index: usize,
}

/// The nodes and edges of one deal. `amaf` is parallel to `edges`, or empty if no AMAF statistics are kept.
#[derive(Debug, Clone)]
pub struct Tree<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    amaf: Vec<Amaf>,
}

impl<A: Copy + PartialEq> Tree<A> {
    /// A tree with one node.
    #[must_use]
    pub fn new(root: Node) -> Self {
        Self { nodes: vec![root], edges: Vec::new(), amaf: Vec::new() }
    }

    /// The node with this index.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Number of nodes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Memory used, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge<A>>()
            + self.amaf.capacity() * size_of::<Amaf>()
    }

    /// Memory for this number of nodes and edges, in bytes; `use_rave` as in the options.
    #[must_use]
    pub fn bytes_for(nodes: usize, edges: usize, use_rave: bool) -> usize {
        let amaf = if use_rave { size_of::<Amaf>() } else { 0 };
        nodes * size_of::<Node>() + edges * (size_of::<Edge<A>>() + amaf)
    }

    /// Whether a node repeats a position.
    #[must_use]
    pub fn has_repeated(&self) -> bool {
        self.nodes.iter().any(|node| node.kind == Kind::Repeated)
    }

    /// Lists the edges of a node, in the order in which to try them. `keys` are their AMAF keys, or empty.
    pub fn list(
        &mut self,
        id: NodeId,
        actions: impl ExactSizeIterator<Item = A>,
        keys: impl Iterator<Item = u64>,
    ) {
        let node = &mut self.nodes[id as usize];
        (node.first, node.len, node.kind) = (self.edges.len() as u32, actions.len() as u16, Kind::Listed);
        reserve(&mut self.edges, actions.len());
        self.edges.extend(actions.map(|action| Edge { mean: Mean::default(), child: NONE, action }));
        for key in keys {
            reserve(&mut self.amaf, 1);
            self.amaf.push(Amaf { mean: Mean::default(), key });
        }
    }

    /// The edges of a node.
    #[must_use]
    pub fn edges(&self, id: NodeId) -> &[Edge<A>] {
        &self.edges[range(self.node(id))]
    }

    /// The edges that a node has tried.
    #[must_use]
    pub fn tried(&self, id: NodeId) -> &[Edge<A>] {
        &self.edges(id)[..self.node(id).tried.into()]
    }

    /// The AMAF statistics of the edges of a node; empty if none are kept.
    #[must_use]
    pub fn amaf(&self, id: NodeId) -> &[Amaf] {
        if self.amaf.is_empty() { &[] } else { &self.amaf[range(self.node(id))] }
    }

    /// The nodes that an edge leads to.
    pub fn outcomes(&self, edge: &Edge<A>) -> impl Iterator<Item = NodeId> {
        let found = |id: NodeId| (id != NONE).then_some(id);
        std::iter::successors(found(edge.child), move |id| found(self.node(*id).sibling))
    }

    /// Makes the untried edge at `index` the next one, and counts it as tried; returns its new index.
    pub fn try_edge(&mut self, id: NodeId, index: usize) -> usize {
        let node = &mut self.nodes[id as usize];
        let next = usize::from(node.tried);
        node.tried += 1;
        let range = range(node);
        self.edges[range.clone()][next..=index].rotate_right(1);
        if !self.amaf.is_empty() {
            self.amaf[range][next..=index].rotate_right(1);
        }
        next
    }

    /// Reverts [`Self::try_edge`], which made the edge at `from` the one at `to`.
    pub fn untry(&mut self, id: NodeId, from: usize, to: usize) {
        let node = &mut self.nodes[id as usize];
        node.tried -= 1;
        let range = range(node);
        self.edges[range.clone()][to..=from].rotate_left(1);
        if !self.amaf.is_empty() {
            self.amaf[range][to..=from].rotate_left(1);
        }
    }

    /// Reverts [`Self::list`] for the node that listed its edges last.
    pub fn unlist(&mut self, id: NodeId) {
        let node = &mut self.nodes[id as usize];
        self.edges.truncate(node.first as usize);
        self.amaf.truncate(node.first as usize);
        (node.first, node.len, node.kind) = (0, 0, Kind::Leaf);
    }

    /// Reverts [`Self::grow`] for the latest node.
    pub fn shrink(&mut self, at: Step) {
        let range = range(self.node(at.node));
        if let Some(node) = self.nodes.pop() {
            self.edges[range][at.index].child = node.sibling;
        }
    }

    /// Counts a simulation in flight along a path, or no longer: as a visit without a value, a loss for every seat that
    /// chose. `change` is +1 or -1.
    pub fn mark_in_flight(&mut self, path: &[Step], last: NodeId, change: i32) {
        let marked = |visits: u32| visits.wrapping_add_signed(change);
        for step in path {
            let node = &mut self.nodes[step.node as usize];
            node.visits = marked(node.visits);
            let edge = &mut self.edges[node.first as usize + step.index];
            edge.mean.visits = marked(edge.mean.visits);
        }
        let node = &mut self.nodes[last as usize];
        node.visits = marked(node.visits);
    }

    /// Adds a node below an edge.
    pub fn grow(&mut self, at: Step, mut node: Node) -> NodeId {
        let child = self.nodes.len() as NodeId;
        let range = range(self.node(at.node));
        let edge = &mut self.edges[range][at.index];
        node.sibling = edge.child;
        edge.child = child;
        reserve(&mut self.nodes, 1);
        self.nodes.push(node);
        child
    }

    /// Adds the values and points of a simulation to the nodes and edges on its path and to its last node.
    pub fn back_up(&mut self, path: &[Step], last: NodeId, values: &Shares, points: &Values, rave: Option<&Rave>) {
        for step in path {
            let node = &mut self.nodes[step.node as usize];
            add(node, values, points);
            let edge = node.first as usize + step.index;
            self.edges[edge].mean.add(values[usize::from(node.seat)]);
        }
        add(&mut self.nodes[last as usize], values, points);
        if let Some(rave) = rave {
            self.back_up_amaf(path, values, rave.depth);
        }
    }

    /// Adds the values to the AMAF statistics of each node for its own action and those below it.
    fn back_up_amaf(&mut self, path: &[Step], values: &Shares, depth: usize) {
        for (ply, above) in path.iter().enumerate() {
            let range = range(self.node(above.node));
            for step in &path[ply..path.len().min(ply.saturating_add(depth))] {
                let actor = self.node(step.node);
                let (key, value) =
                    (self.amaf[actor.first as usize + step.index].key, values[usize::from(actor.seat)]);
                if let Some(found) = self.amaf[range.clone()].iter_mut().find(|amaf| amaf.key == key) {
                    found.mean.add(value);
                }
            }
        }
    }

    /// A new tree with everything below `root`, which becomes node 0.
    #[must_use]
    pub fn below(&self, root: NodeId) -> Self {
        let mut kept = vec![root];
        let mut tree = Self { nodes: Vec::new(), edges: Vec::new(), amaf: Vec::new() };
        let mut next = 0;
        while let Some(&old) = kept.get(next) {
            let mut node = *self.node(old);
            node.first = tree.edges.len() as u32;
            reserve(&mut tree.edges, self.edges(old).len());
            for edge in self.edges(old) {
                tree.edges.push(Edge { child: queue(&mut kept, edge.child), ..*edge });
            }
            reserve(&mut tree.amaf, self.amaf(old).len());
            tree.amaf.extend_from_slice(self.amaf(old));
            node.sibling = if next == 0 { NONE } else { queue(&mut kept, node.sibling) };
            reserve(&mut tree.nodes, 1);
            tree.nodes.push(node);
            next += 1;
        }
        tree
    }
}

fn range(node: &Node) -> std::ops::Range<usize> {
    node.first as usize..node.first as usize + usize::from(node.len)
}

fn add(node: &mut Node, values: &Shares, points: &Values) {
    node.visits += 1;
    for (sum, value) in node.sums.iter_mut().zip(values) {
        *sum += value;
    }
    let share = 1.0 / node.visits as f32;
    for (mean, points) in node.points.iter_mut().zip(points) {
        *mean += (points - *mean) * share;
    }
}

/// Adds a node to those to keep; returns its new index.
fn queue(kept: &mut Vec<NodeId>, node: NodeId) -> NodeId {
    if node == NONE {
        return NONE;
    }
    kept.push(node);
    (kept.len() - 1) as NodeId
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::*;

    const SPOT: char = 'm';
    const SKIP: char = '-';

    /// The path a(0) b(0) c(1) d(1) a(0), every action being listed in every node.
    fn backed_up(depth: usize) -> (Tree<char>, Vec<Step>) {
        let actions = ['a', SPOT, 'c', SKIP];
        let mut tree = Tree::new(Node::new(0, Kind::Leaf, 0));
        let mut path = Vec::new();
        let mut id = ROOT;
        for (seat, index) in [(0, 0), (0, 1), (1, 2), (1, 3), (0, 0)] {
            tree.nodes[id as usize].seat = seat;
            tree.list(id, actions.into_iter(), actions.iter().map(|action| u64::from(*action)));
            let step = Step { node: id, index };
            id = tree.grow(step, Node::new(0, Kind::Leaf, 0));
            path.push(step);
        }
        let rave = Rave { depth, ..Options::standard().rave };
        tree.back_up(&path, id, &[0.7, 0.3, 0.0, 0.0, 0.0], &[50.0, 40.0, 0.0, 0.0, 0.0], Some(&rave));
        (tree, path)
    }

    #[test]
    fn every_edge_gets_the_value_of_its_seat() {
        let (tree, path) = backed_up(4);
        let sums: Vec<f64> = path.iter().map(|step| tree.edges(step.node)[step.index].mean.sum).collect();
        assert_eq!(sums, [0.7, 0.7, 0.3, 0.3, 0.7]);
        assert!(tree.nodes.iter().all(|node| node.visits == 1 && node.sums[..2] == [0.7, 0.3]));
        assert!(tree.nodes.iter().all(|node| node.points[..2] == [50.0, 40.0]));
    }

    #[test]
    fn amaf_statistics_reach_as_deep_as_allowed() {
        let one = |sum| Mean { visits: 1, sum };
        let none = Mean::default();
        for (depth, expected) in [
            (usize::MAX, [Mean { visits: 2, sum: 1.4 }, one(0.7), one(0.3), one(0.3)]),
            (4, [one(0.7), one(0.7), one(0.3), one(0.3)]),
            (2, [one(0.7), one(0.7), none, none]),
            (1, [one(0.7), none, none, none]),
        ] {
            let (tree, _) = backed_up(depth);
            assert_eq!(tree.amaf(ROOT).iter().map(|amaf| amaf.mean).collect::<Vec<_>>(), expected, "{depth}");
        }
    }

    #[test]
    fn a_subtree_keeps_its_nodes_edges_and_outcomes() {
        let (mut tree, path) = backed_up(4);
        tree.grow(path[3], Node::new(1, Kind::Over, 9));
        let kept = tree.below(path[2].node);
        assert_eq!((kept.size(), kept.edges.len(), kept.amaf.len()), (5, 12, 12));
        let edge = kept.edges(kept.edges(ROOT)[2].child)[3];
        let keys: Vec<u64> = kept.outcomes(&edge).map(|id| kept.node(id).key).collect();
        assert_eq!(keys, [9, 0]);
    }
}
