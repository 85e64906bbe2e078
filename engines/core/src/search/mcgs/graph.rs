//! The graph of the search: positions as nodes, pairs of outcomes as edges, and the values of both.
//!
//! The value of a node is the mean of its own evaluation and of what lies behind its edges, each weighed by its visits.
//! It is always computed anew from the children, so computing it twice changes nothing. That is why several parents may
//! share a child, and why the points won on the way are stored on the edge. A node that is not on the path of a descent
//! keeps its value until the next descent through it, even if a shared child has changed.
//!
//! Nodes are shared only at the same ply, so the graph has no cycles.

use hashbrown::HashTable;

use super::formulas::Arm;
use super::options::{Sharing, Utility, Weighting};
use crate::search::node_store::{Link, NO_CHILD, NodeId, NodeStore, reserve};

/// One number per seat: points, or values in [-1, 1] for [`Utility::Win`].
pub type Pair = [f64; 2];

/// The node that is searched from.
pub const ROOT: NodeId = 0;

/// The state of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Waits for its evaluation.
    Pending,
    /// Evaluated; its outcomes are not listed yet.
    Leaf,
    /// Evaluated, with outcomes.
    Listed,
    /// The game is over.
    Over,
}

/// A position.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    key: [u64; 2],
    /// What each seat expects from here on.
    pub value: Pair,
    /// The node's own evaluation.
    pub own: Pair,
    /// Sum of the visits of its edges.
    pub total: u32,
    /// Joint moves since the search was opened.
    pub ply: u32,
    choices: u32,
    /// The scale of its utilities, > 0.
    pub scale: f32,
    counts: [u16; 2],
    /// Descents through the node that wait for an evaluation.
    pub in_flight: u16,
    /// The state of the node.
    pub kind: Kind,
}

impl Node {
    /// A node without visits.
    #[must_use]
    pub fn new(key: u128, ply: u32, kind: Kind, scale: f32, own: Pair) -> Self {
        let key = [(key >> 64) as u64, key as u64];
        let (total, choices, counts, in_flight) = (0, 0, [0; 2], 0);
        Self { key, value: own, own, total, ply, choices, scale, counts, in_flight, kind }
    }

    /// Hash of the position.
    #[must_use]
    pub fn key(&self) -> u128 {
        u128::from(self.key[0]) << 64 | u128::from(self.key[1])
    }

    /// Number of outcomes of each seat.
    #[must_use]
    pub fn counts(&self) -> [usize; 2] {
        self.counts.map(usize::from)
    }

    /// Whether it has a value.
    #[must_use]
    pub fn is_evaluated(&self) -> bool {
        self.kind != Kind::Pending
    }
}

/// A pair of outcomes that was tried, and the position that it leads to.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// Descents through it.
    pub visits: u32,
    child: NodeId,
    pair: [u16; 2],
    /// Half points won on the way.
    halves: [i16; 2],
}

impl Link for Edge {
    fn child(&self) -> NodeId {
        self.child
    }

    fn set_child(&mut self, child: NodeId) {
        self.child = child;
    }
}

impl Edge {
    /// The index of each seat's outcome.
    #[must_use]
    pub fn pair(&self) -> [usize; 2] {
        self.pair.map(usize::from)
    }

    /// The points that each seat wins on the way.
    #[must_use]
    pub fn points(&self) -> Pair {
        self.halves.map(|halves| f64::from(halves) / 2.0)
    }
}

/// An outcome of one seat.
#[derive(Debug, Clone, Copy)]
pub struct Choice<A> {
    /// Prior weight > 0, not normalised.
    pub weight: f32,
    /// Descents through it that wait for an evaluation.
    pub in_flight: u16,
    /// The action that leads to it.
    pub action: A,
}

/// What regret matching knows about an outcome.
#[derive(Debug, Clone, Copy, Default)]
pub struct Regret {
    /// How much more the outcome would have won in the descents through the node, at least 0 after each.
    pub regret: f64,
    /// Sum of its probabilities in these descents.
    pub strategy: f64,
}

/// Nodes, edges and outcomes.
#[derive(Clone)]
pub struct Graph<A> {
    store: NodeStore<Node, Edge>,
    choices: Vec<Choice<A>>,
    /// Parallel to `choices`; `None` if nothing is learnt.
    regrets: Option<Vec<Regret>>,
    /// The nodes by key and ply; `None` if they are not shared.
    table: Option<HashTable<NodeId>>,
}

/// The utilities of both seats.
#[must_use]
pub fn utilities(utility: Utility, [first, second]: Pair) -> Pair {
    match utility {
        Utility::Own | Utility::Win => [first, second],
        Utility::Diff => [first - second, second - first],
    }
}

/// What [`NodeStore`] and the table need of a key.
fn hash(node: &Node) -> u64 {
    node.key[1]
}

impl<A: Copy> Graph<A> {
    /// A graph with one node.
    #[must_use]
    pub fn new(root: Node, sharing: Sharing, learns: bool) -> Self {
        let mut graph = Self {
            store: NodeStore::new(root),
            choices: Vec::new(),
            regrets: learns.then(Vec::new),
            table: (sharing == Sharing::Graph).then(HashTable::new),
        };
        graph.enter(ROOT);
        graph
    }

    /// The node with this index.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        self.store.node(id)
    }

    /// The node with this index.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.store.node_mut(id)
    }

    /// The edges of a node, in order of their pairs. Most pairs are never tried, and have none.
    #[must_use]
    pub fn edges(&self, id: NodeId) -> &[Edge] {
        self.store.edges(id)
    }

    /// The edge of a pair of outcomes, if that leads to a node.
    #[must_use]
    pub fn edge(&self, id: NodeId, pair: [usize; 2]) -> Option<Edge> {
        let pair = pair.map(|outcome| outcome as u16);
        self.edges(id).iter().find(|edge| edge.pair == pair && edge.child != NO_CHILD).copied()
    }

    /// The edge of a pair that was tried.
    fn edge_mut(&mut self, id: NodeId, pair: [usize; 2]) -> &mut Edge {
        let pair = pair.map(|outcome| outcome as u16);
        let edge = self.store.edges_mut(id).iter_mut().find(|edge| edge.pair == pair);
        edge.unwrap_or_else(|| unreachable!("a pair that was tried has an edge"))
    }

    /// Number of nodes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.store.len()
    }

    /// Memory used, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store.bytes()
            + self.choices.capacity() * size_of::<Choice<A>>()
            + self.regrets.as_ref().map_or(0, |regrets| regrets.capacity() * size_of::<Regret>())
            + self.table.as_ref().map_or(0, HashTable::allocation_size)
    }

    /// Memory for this number of nodes, edges and outcomes, in bytes.
    #[must_use]
    pub fn bytes_for(&self, nodes: usize, edges: usize, choices: usize) -> usize {
        let regret = if self.regrets.is_some() { size_of::<Regret>() } else { 0 };
        // A table is filled to seven eighths before it doubles: on average, ten bytes per node.
        let entry = if self.table.is_some() { 2 * size_of::<NodeId>() + 2 } else { 0 };
        let used = NodeStore::<Node, Edge>::bytes_for(nodes, edges)
            + nodes * entry
            + choices * (size_of::<Choice<A>>() + regret);
        used + used / 16 // lists grow by an eighth
    }

    // ---- nodes and edges -----------------------------------------------------------------------------------------

    /// The node of a position that was reached after this number of joint moves.
    #[must_use]
    pub fn find(&self, key: u128, ply: u32) -> Option<NodeId> {
        let is_same = |id: &NodeId| (self.node(*id).key(), self.node(*id).ply) == (key, ply);
        self.table.as_ref()?.find(key as u64, is_same).copied()
    }

    /// Adds a node.
    pub fn add(&mut self, node: Node) -> NodeId {
        let id = self.store.push(node);
        self.enter(id);
        id
    }

    fn enter(&mut self, id: NodeId) {
        let store = &self.store;
        if let Some(table) = &mut self.table {
            table.insert_unique(hash(store.node(id)), id, |other| hash(store.node(*other)));
        }
    }

    /// Removes the latest node, which has no outcomes and no edge leading to it.
    pub fn remove_last(&mut self) {
        let last = (self.size() - 1) as NodeId;
        let hash = hash(self.node(last));
        if let Some(Ok(entry)) = self.table.as_mut().map(|table| table.find_entry(hash, |id| *id == last)) {
            entry.remove();
        }
        self.store.pop();
    }

    /// Makes a pair of outcomes lead to a node, winning these points on the way.
    pub fn attach(&mut self, id: NodeId, pair: [usize; 2], child: NodeId, points: Pair) {
        let halves = points.map(|points| (2.0 * points) as i16);
        debug_assert_eq!(halves.map(|halves| f64::from(halves) / 2.0), points, "points are halves");
        debug_assert_eq!(self.node(child).ply, self.node(id).ply + 1);
        let edge = Edge { visits: 0, child, pair: pair.map(|outcome| outcome as u16), halves };
        match self.edges(id).binary_search_by_key(&pair, Edge::pair) {
            Ok(index) => self.store.edges_mut(id)[index] = edge,
            Err(index) => self.store.insert_edge(id, index, edge),
        }
    }

    /// Reverts [`Self::attach`].
    pub fn detach(&mut self, id: NodeId, pair: [usize; 2]) {
        self.edge_mut(id, pair).child = NO_CHILD;
    }

    /// Stores the evaluation of a node.
    pub fn evaluate(&mut self, id: NodeId, own: Pair) {
        let node = self.node_mut(id);
        debug_assert_eq!(node.kind, Kind::Pending, "a node is evaluated once");
        (node.own, node.value, node.kind) = (own, own, Kind::Leaf);
    }

    /// Lists the outcomes of an evaluated node. `weights` are priors ≥ 0, one per action of each seat; actions with
    /// weight 0 are left out, unless a seat has no others.
    pub fn list(&mut self, id: NodeId, actions: [&[A]; 2], weights: [&[f32]; 2]) {
        let first = self.choices.len();
        let counts = [0, 1].map(|seat| self.list_seat(actions[seat], weights[seat]));
        if let Some(regrets) = &mut self.regrets {
            reserve(regrets, self.choices.len() - regrets.len());
            regrets.resize(self.choices.len(), Regret::default());
        }
        let node = self.node_mut(id);
        debug_assert_eq!(node.kind, Kind::Leaf);
        (node.choices, node.counts, node.kind) = (first as u32, counts.map(|count| count as u16), Kind::Listed);
    }

    fn list_seat(&mut self, actions: &[A], weights: &[f32]) -> usize {
        let before = self.choices.len();
        let has_weights = weights.iter().any(|weight| *weight > 0.0);
        reserve(&mut self.choices, actions.len());
        for (action, weight) in actions.iter().zip(weights) {
            let weight = if has_weights { *weight } else { 1.0 };
            if weight > 0.0 {
                self.choices.push(Choice { weight, in_flight: 0, action: *action });
            }
        }
        self.choices.len() - before
    }

    fn range(&self, id: NodeId, seat: usize) -> std::ops::Range<usize> {
        let node = self.node(id);
        let (first, [own, other]) = (node.choices as usize, node.counts());
        if seat == 0 { first..first + own } else { first + own..first + own + other }
    }

    /// The outcomes of a seat.
    #[must_use]
    pub fn choices(&self, id: NodeId, seat: usize) -> &[Choice<A>] {
        &self.choices[self.range(id, seat)]
    }

    /// The outcome of a seat with this index.
    pub fn choice_mut(&mut self, id: NodeId, seat: usize, index: usize) -> &mut Choice<A> {
        let range = self.range(id, seat);
        &mut self.choices[range][index]
    }

    /// What was learnt about the outcomes of a seat; empty if nothing is learnt.
    #[must_use]
    pub fn regrets(&self, id: NodeId, seat: usize) -> &[Regret] {
        self.regrets.as_ref().map_or(&[], |regrets| &regrets[self.range(id, seat)])
    }

    /// What was learnt about the outcomes of a seat.
    pub fn regrets_mut(&mut self, id: NodeId, seat: usize) -> &mut [Regret] {
        let range = self.range(id, seat);
        self.regrets.as_mut().map_or(&mut [], |regrets| &mut regrets[range])
    }

    // ---- values --------------------------------------------------------------------------------------------------

    /// What each seat expects from the parent on if it goes along this edge, which leads to a node.
    #[must_use]
    pub fn worth(&self, edge: &Edge) -> Pair {
        let (points, value) = (edge.points(), self.node(edge.child).value);
        [0, 1].map(|seat| points[seat] + value[seat])
    }

    /// Counts a descent along the edge of a pair of outcomes.
    pub fn count(&mut self, id: NodeId, pair: [usize; 2]) {
        self.edge_mut(id, pair).visits += 1;
        self.node_mut(id).total += 1;
    }

    /// Computes the value of a node from its edges.
    pub fn refresh(&mut self, id: NodeId) {
        let value = self.computed(id);
        self.node_mut(id).value = value;
        debug_assert_eq!(self.inconsistency(id), None);
    }

    /// The value of a node according to its edges.
    #[must_use]
    pub fn computed(&self, id: NodeId) -> Pair {
        let node = self.node(id);
        let mut sum = node.own;
        for edge in self.edges(id).iter().filter(|edge| edge.visits > 0) {
            let (visits, worth) = (f64::from(edge.visits), self.worth(edge));
            sum[0] += visits * worth[0];
            sum[1] += visits * worth[1];
        }
        sum.map(|sum| sum / (1.0 + f64::from(node.total)))
    }

    /// Computes all values from the last ply to the root.
    pub fn refresh_all(&mut self) {
        let mut listed: Vec<NodeId> =
            (0..self.size() as NodeId).filter(|id| self.node(*id).kind == Kind::Listed).collect();
        listed.sort_unstable_by_key(|id| (std::cmp::Reverse(self.node(*id).ply), *id));
        for id in listed {
            self.refresh(id);
        }
    }

    /// Sums up the edges of a node by the outcomes of each seat.
    pub fn sum_up(&self, id: NodeId, utility: Utility, weighting: Weighting, arms: &mut [Vec<Arm>; 2]) {
        for (seat, arms) in arms.iter_mut().enumerate() {
            arms.clear();
            arms.extend(self.choices(id, seat).iter().map(|choice| Arm {
                visits: 0,
                in_flight: choice.in_flight,
                weight: choice.weight,
                mean: 0.0,
            }));
        }
        for edge in self.edges(id).iter().filter(|edge| edge.visits > 0) {
            let (visits, utilities) = (f64::from(edge.visits), utilities(utility, self.worth(edge)));
            for (seat, outcome) in edge.pair().into_iter().enumerate() {
                let arm = &mut arms[seat][outcome];
                arm.visits += edge.visits;
                arm.mean += visits * utilities[seat];
            }
        }
        for arm in arms.iter_mut().flatten().filter(|arm| arm.visits > 0) {
            arm.mean /= f64::from(arm.visits);
        }
        if weighting != Weighting::Conditional {
            self.weigh(id, utility, weighting, arms);
        }
    }

    /// Replaces the means by those with other weights for the answers of the other seat.
    fn weigh(&self, id: NodeId, utility: Utility, weighting: Weighting, arms: &mut [Vec<Arm>; 2]) {
        let shares = [0, 1].map(|seat| {
            let total: f64 = arms[seat].iter().map(|arm| f64::from(arm.weight)).sum();
            let share = |arm: &Arm| match weighting {
                Weighting::Prior => f64::from(arm.weight),
                Weighting::Blend => f64::from(arm.weight) / total + f64::from(arm.visits),
                Weighting::Conditional | Weighting::Marginal => f64::from(arm.visits),
            };
            arms[seat].iter().map(share).collect::<Vec<f64>>()
        });
        let mut sums = [0, 1].map(|seat| vec![(0.0, 0.0); arms[seat].len()]);
        for edge in self.edges(id).iter().filter(|edge| edge.visits > 0) {
            let (pair, utilities) = (edge.pair(), utilities(utility, self.worth(edge)));
            for seat in 0..2 {
                let (sum, share) = (&mut sums[seat][pair[seat]], shares[1 - seat][pair[1 - seat]]);
                *sum = (sum.0 + share * utilities[seat], sum.1 + share);
            }
        }
        for (arm, (sum, shares)) in arms.iter_mut().flatten().zip(sums.concat()).filter(|(arm, _)| arm.visits > 0)
        {
            arm.mean = sum / shares;
        }
    }

    // ---- the whole graph -----------------------------------------------------------------------------------------

    /// A new graph with everything below `root`, which becomes node 0; its nodes are in order of ply.
    #[must_use]
    pub fn below(&self, root: NodeId) -> Self {
        let mut graph = Self {
            store: self.store.reachable(root).0,
            choices: Vec::new(),
            regrets: self.regrets.as_ref().map(|_| Vec::new()),
            table: self.table.as_ref().map(|_| HashTable::new()),
        };
        for id in 0..graph.size() as NodeId {
            graph.enter(id);
            let (node, start) = (*graph.node(id), graph.choices.len());
            let range = node.choices as usize..node.choices as usize + node.counts().iter().sum::<usize>();
            reserve(&mut graph.choices, range.len());
            graph.choices.extend_from_slice(&self.choices[range.clone()]);
            if let (Some(kept), Some(known)) = (&mut graph.regrets, &self.regrets) {
                reserve(kept, range.len());
                kept.extend_from_slice(&known[range]);
            }
            graph.node_mut(id).choices = start as u32;
        }
        graph
    }

    /// What is wrong with a node; `None` for a sound one. Values may be out of date.
    #[must_use]
    pub fn inconsistency(&self, id: NodeId) -> Option<&'static str> {
        let node = self.node(id);
        let visited = || self.edges(id).iter().filter(|edge| edge.visits > 0);
        if visited().map(|edge| edge.visits).sum::<u32>() != node.total {
            return Some("the visits of the edges do not add up");
        }
        if self.edges(id).iter().any(|edge| edge.child != NO_CHILD && self.node(edge.child).ply != node.ply + 1) {
            return Some("an edge does not lead to the next ply");
        }
        if visited().any(|edge| edge.child == NO_CHILD || !self.node(edge.child).is_evaluated()) {
            return Some("a visited edge leads to no evaluated node");
        }
        (node.kind == Kind::Over && node.total > 0).then_some("a finished position has visits")
    }
}
