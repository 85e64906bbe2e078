//! The tree of a PUCT search: what its nodes and edges hold, and in which order edges get children.
//!
//! Edges that have a child come first, in the order in which they were first taken; the first edge behind them is the
//! most promising of the rest. So a selection looks at the visited edges and at one more, however many actions a
//! position has.

use super::arena::{Arena, Link, NO_CHILD, NodeId};

/// What a node waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Its evaluation is outstanding.
    Pending,
    /// Evaluated; its edges are not listed yet.
    Leaf,
    /// Evaluated, with edges.
    Expanded,
    /// The game is over here; its value is exact.
    Terminal,
    /// Its value is exact because those of its children are.
    Solved,
    /// Nothing to search behind it; its value is a verdict.
    DeadEnd,
}

/// A state within the tree. Values are those of seat 0.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Sum of the values backed up through it.
    pub sum: f64,
    /// Simulations that ended in it or went through it.
    pub visits: u32,
    /// Its own evaluation.
    pub value: f32,
    /// Number of edges that have a child.
    pub visited: u16,
    /// Simulations through it that wait for an evaluation.
    pub in_flight: u16,
    /// The seat that acts.
    pub seat: u8,
    /// What it waits for.
    pub kind: Kind,
}

impl Node {
    /// Whether its value is the true one.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.kind, Kind::Terminal | Kind::Solved)
    }

    /// Mean value of seat 0; its own evaluation before the first visit.
    #[must_use]
    pub fn mean(&self) -> f32 {
        if self.visits == 0 { self.value } else { (self.sum / f64::from(self.visits)) as f32 }
    }
}

/// An action out of a node.
#[derive(Debug, Clone, Copy)]
pub struct Edge<A> {
    /// Normalised prior.
    pub prior: f32,
    /// The node behind it, or [`NO_CHILD`].
    pub child: NodeId,
    /// Place in the game's order of actions, which breaks ties.
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
    /// A node that was never visited.
    #[must_use]
    pub fn new(seat: u8, kind: Kind, value: f32) -> Self {
        Self { sum: 0.0, visits: 0, value, visited: 0, in_flight: 0, seat, kind }
    }
}

/// The nodes and edges of a PUCT search.
pub type Tree<A> = Arena<Node, Edge<A>>;

impl<A: Copy> Tree<A> {
    /// Gives an evaluated node its edges. `priors` are weights ≥ 0, one per action, in the game's order; actions of
    /// weight 0 get no edge. `false`, and nothing changed, when no action has any weight.
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

    /// Moves the most promising of the edges without a child to the front of them.
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

    /// Attaches a new node behind the most promising edge without a child.
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

    /// Takes back the latest `adopt`, which must have been for `parent`.
    pub fn orphan(&mut self, parent: NodeId) {
        self.pop();
        self.node_mut(parent).visited -= 1;
        let visited = self.node(parent).visited as usize;
        self.edges_mut(parent)[visited].child = NO_CHILD;
        self.promote(parent);
    }
}
