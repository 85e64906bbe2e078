//! The arena of a search tree: nodes and edges in two flat vectors, addressed by `u32`.
//!
//! The edges of a node lie side by side. Those that have a child come first, in the order in which they were first
//! taken; the first edge behind them is the most promising of the rest. So a selection looks at the visited edges and
//! at one more, however many actions a position has.

/// Index of a node.
pub type NodeId = u32;

/// The child of an edge that was never taken.
pub const NO_CHILD: NodeId = NodeId::MAX;

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
    first: u32,
    len: u16,
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

/// Nodes and edges of one search. Node 0 is the root.
#[derive(Debug, Clone)]
pub struct Tree<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
}

impl<A: Copy> Tree<A> {
    /// A tree of one node.
    #[must_use]
    pub fn new(seat: u8, kind: Kind, value: f32) -> Self {
        let mut tree = Self { nodes: Vec::new(), edges: Vec::new() };
        tree.push(seat, kind, value);
        tree
    }

    /// Adds a node.
    pub fn push(&mut self, seat: u8, kind: Kind, value: f32) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            sum: 0.0,
            visits: 0,
            value,
            first: 0,
            len: 0,
            visited: 0,
            in_flight: 0,
            seat,
            kind,
        });
        id
    }

    /// The node of this index.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The node of this index.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a tree has at least its root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.edges.capacity() * size_of::<Edge<A>>()
    }

    /// The edges of a node, those with a child first.
    #[must_use]
    pub fn edges(&self, id: NodeId) -> &[Edge<A>] {
        let node = self.node(id);
        &self.edges[node.first as usize..node.first as usize + node.len as usize]
    }

    /// The edges of a node.
    pub fn edges_mut(&mut self, id: NodeId) -> &mut [Edge<A>] {
        let (first, len) = (self.node(id).first as usize, self.node(id).len as usize);
        &mut self.edges[first..first + len]
    }

    /// Gives an evaluated node its edges. `priors` are weights ≥ 0, one per action, in the game's order; actions of
    /// weight 0 get no edge. `false`, and nothing changed, when no action has any weight.
    pub fn expand(&mut self, id: NodeId, actions: &[A], priors: &[f32]) -> bool {
        let total: f32 = priors.iter().sum();
        if total <= 0.0 {
            return false;
        }
        let first = self.edges.len();
        for (rank, (&action, &prior)) in actions.iter().zip(priors).enumerate() {
            if prior > 0.0 {
                let rank = rank as u16;
                self.edges.push(Edge { prior: prior / total, child: NO_CHILD, rank, action });
            }
        }
        let node = &mut self.nodes[id as usize];
        node.first = first as u32;
        node.len = (self.edges.len() - first) as u16;
        node.kind = Kind::Expanded;
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
    pub fn adopt(&mut self, parent: NodeId, seat: u8, kind: Kind, value: f32) -> NodeId {
        let child = self.push(seat, kind, value);
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
        self.nodes.pop();
        self.node_mut(parent).visited -= 1;
        let visited = self.node(parent).visited as usize;
        self.edges_mut(parent)[visited].child = NO_CHILD;
        self.promote(parent);
    }

    /// The subtree under `root` as a tree of its own; what is not in it is freed with `self`.
    #[must_use]
    pub fn subtree(&self, root: NodeId) -> Self {
        let mut nodes = vec![*self.node(root)];
        let mut edges = Vec::new();
        let mut from = vec![root];
        let mut next = 0;
        while next < nodes.len() {
            let first = edges.len();
            for edge in self.edges(from[next]) {
                let mut edge = *edge;
                if edge.child != NO_CHILD {
                    from.push(edge.child);
                    nodes.push(*self.node(edge.child));
                    edge.child = (nodes.len() - 1) as NodeId;
                }
                edges.push(edge);
            }
            nodes[next].first = first as u32;
            next += 1;
        }
        Self { nodes, edges }
    }
}
