//! The tree of a PUCT search: the contents of nodes and edges, and the order in which edges get children.
//!
//! Edges with a child come first; the first edge after them is the most promising of the rest. So a selection looks at
//! the visited edges and one more, however many actions a position has.

use crate::search::node_store::{Link, NO_CHILD, NodeId, NodeStore};

/// The state of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Waits for its evaluation.
    Pending,
    /// Evaluated; its edges are not listed yet.
    Leaf,
    /// Evaluated, with edges.
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

/// The nodes and edges of a PUCT search.
pub type Tree<A> = NodeStore<Node, Edge<A>>;

impl<A: Copy> Tree<A> {
    /// Adds the edges of an evaluated node. `priors` are weights ≥ 0, one per action, in the game's order; actions with
    /// weight 0 get no edge. Returns `false`, without any change, if all weights are 0.
    pub fn expand(&mut self, id: NodeId, actions: &[A], priors: &[f32]) -> bool {
        let total: f32 = priors.iter().sum();
        if total <= 0.0 {
            return false;
        }
        let ranked = actions.iter().zip(priors).enumerate().filter(|(_, (_, prior))| **prior > 0.0);
        let edges = ranked.map(|(rank, (&action, &prior))| Edge {
            prior: prior / total,
            child: NO_CHILD,
            rank: rank as u16,
            action,
        });
        self.list_edges(id, edges);
        self.node_mut(id).kind = Kind::Expanded;
        self.promote(id);
        true
    }

    /// Moves the most promising edge without a child to the front of those.
    pub fn promote(&mut self, id: NodeId) {
        let visited = self.node(id).visited as usize;
        let rest = &mut self.edges_mut(id)[visited..];
        let mut best = 0;
        for (index, edge) in rest.iter().enumerate().skip(1) {
            let ahead = &rest[best];
            if edge.prior > ahead.prior || (edge.prior == ahead.prior && edge.rank < ahead.rank) {
                best = index;
            }
        }
        if best > 0 {
            rest.swap(0, best);
        }
    }

    /// Attaches a new node to the most promising edge without a child.
    pub fn adopt(&mut self, parent: NodeId, node: Node) -> NodeId {
        let child = self.push(node);
        let visited = self.node(parent).visited as usize;
        self.edges_mut(parent)[visited].child = child;
        self.node_mut(parent).visited += 1;
        if visited + 1 < self.edges(parent).len() {
            self.promote(parent);
        }
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
        self.promote(parent);
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
        }
    }
}
