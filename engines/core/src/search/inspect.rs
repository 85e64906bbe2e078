//! Looking into a search: what its nodes, actions and edges say, read from the search's own tree without copying it.
//!
//! A [`NodePath`] leads to a node from the root, so it stays the same node while the search runs; when the root moves,
//! all paths change their meaning, and the caller has to drop them. `puct::view`, `uct::view` and `mcgs::view`
//! implement [`Inspect`]; `search::export` writes trees with it. Reading costs the way from the root, played once more.

use crate::rules::{MAX_SEATS, Rules, Seat, ToAct, Values};

/// One number per seat; entries at and beyond the number of seats are 0.
pub type PerSeat = [f64; MAX_SEATS];

/// The way to a node from the root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct NodePath {
    /// The deal in whose tree it is; `None` for all deals together, and in searches with one tree.
    pub deal: Option<usize>,
    /// The keys of the edges that lead to it from the root.
    pub edges: Vec<u64>,
}

impl NodePath {
    /// The path that goes on along an edge.
    #[must_use]
    pub fn behind(&self, edge: u64) -> Self {
        let edges = self.edges.iter().copied().chain([edge]).collect();
        Self { deal: self.deal, edges }
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// Waits for its evaluation.
    Pending,
    /// Evaluated; its actions are not listed yet.
    Leaf,
    /// Evaluated, with its most promising actions.
    Partial,
    /// Evaluated, with all actions that the search may follow.
    Expanded,
    /// The game is over.
    Over,
    /// Repeats a position: a draw.
    Repeated,
    /// Its value is exact because those of its children are.
    Proven,
    /// No action has a prior; its value is fixed.
    DeadEnd,
}

impl NodeKind {
    /// The name for users.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Leaf => "leaf",
            Self::Partial => "partial",
            Self::Expanded => "expanded",
            Self::Over => "over",
            Self::Repeated => "repeated",
            Self::Proven => "proven",
            Self::DeadEnd => "dead end",
        }
    }
}

/// What Q and U count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Results, in [-1, 1].
    Value,
    /// Points of the game, won from the node on.
    Points,
}

impl Unit {
    /// The name for users.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Points => "points",
        }
    }
}

/// A node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeFacts {
    /// The same for all paths of one node, and different for different nodes, while the root stays.
    pub id: u64,
    /// What it is.
    pub kind: NodeKind,
    /// The seats that act.
    pub to_act: Vec<Seat>,
    /// Simulations that ended at the node or went through it.
    pub visits: u32,
    /// What each seat expects from the node on; `None` before the first evaluation.
    pub q: Option<PerSeat>,
    /// The node's own evaluation, in the unit of `q`; `None` before it, and in searches that do not keep it.
    pub evaluation: Option<PerSeat>,
    /// The expected points of each seat at the end of the game; `None` where searches do not estimate them.
    pub points: Option<PerSeat>,
    /// Actions to the end of the game, if the value is exact.
    pub distance: Option<u32>,
}

/// The action of a seat in a node.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionFacts {
    /// The seat that may choose it.
    pub seat: Seat,
    /// Its notation.
    pub text: String,
    /// Share of the prior; `None` in searches that only order actions by their priors.
    pub prior: Option<f64>,
    /// Simulations that chose it.
    pub visits: u32,
    /// What the seat expects after it: the mean that the selection uses; `None` without visits.
    pub q: Option<f64>,
    /// The exploration term of the selection, in the unit of `q`; `None` in selections without one.
    pub u: Option<f64>,
    /// What the selection compares: Q + U, with what it assumes for an action without visits.
    pub score: Option<f64>,
    /// All moves as first: visits and mean of the simulations in which the action came later.
    pub amaf: Option<(u32, f64)>,
    /// Regret matching: the regret ≥ 0, and the probability in the average strategy.
    pub regret: Option<(f64, f64)>,
}

/// An action, or a pair of actions of seats that act together, and what it leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeFacts {
    /// For [`NodePath::behind`].
    pub key: u64,
    /// Its notation, joint (`a/b`) if seats act together.
    pub text: String,
    /// Simulations along it.
    pub visits: u32,
    /// What each seat expects from its node on, rewards included.
    pub q: PerSeat,
    /// Points that each seat wins on it; `None` in games without points.
    pub reward: Option<PerSeat>,
}

/// What a search has done since it was opened, and the size of its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Positions evaluated, by an evaluator or by playing them out.
    pub evaluations: u64,
    /// Simulations that ended where a value was known: in finished, repeated or proven positions, at the greatest depth,
    /// or, with `short_circuit`, in a position known from elsewhere.
    pub known: u64,
    /// Edges that led to a position that another edge led to before (graph search).
    pub hits: u64,
    /// Nodes in the tree now.
    pub nodes: usize,
    /// Edges from the root to the deepest visited node.
    pub depth: u32,
}

/// A search with a tree that can be looked into.
pub trait Inspect {
    /// The value of the option `search`.
    fn name(&self) -> &'static str;

    /// The unit of Q and U.
    fn unit(&self) -> Unit;

    /// Number of seats.
    fn seats(&self) -> usize;

    /// Number of deals that have trees of their own; 0 for searches with one tree.
    fn deals(&self) -> usize;

    /// The node at the end of a path; `None` if the search has none there.
    fn node(&self, path: &NodePath) -> Option<NodeFacts>;

    /// The listed actions of a node, by seat and then by visits; `None` as in [`Self::node`].
    fn actions(&self, path: &NodePath) -> Option<Vec<ActionFacts>>;

    /// The visited edges of a node, by visits; `None` as in [`Self::node`].
    fn edges(&self, path: &NodePath) -> Option<Vec<EdgeFacts>>;

    /// What the search has done.
    fn counters(&self) -> Counters;

    /// The key of the edge to play in a node; `None` without visited edges, or without a node.
    fn best(&self, path: &NodePath) -> Option<u64>;
}

/// Puts actions in order.
pub(super) fn sort_actions(actions: &mut [ActionFacts]) {
    let prior = |action: &ActionFacts| action.prior.unwrap_or(0.0);
    actions.sort_by(|a, b| a.seat.cmp(&b.seat).then(b.visits.cmp(&a.visits)).then(prior(b).total_cmp(&prior(a))));
}

/// Puts edges in order.
pub(super) fn sort_edges(edges: &mut [EdgeFacts]) {
    edges.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.text.cmp(&b.text)));
}

/// The points of the seats in a state: final ones in a finished game; `None` in games without points.
pub(super) fn points_now<R: Rules>(rules: &R, state: &R::State) -> Option<Values> {
    match rules.to_act(state) {
        ToAct::Over(outcome) => outcome.scores,
        _ => rules.scores(state),
    }
}

/// The difference of two scores, in games with points.
pub(super) fn reward(before: Option<Values>, after: Option<Values>) -> Option<PerSeat> {
    let (before, after) = before.zip(after)?;
    Some(std::array::from_fn(|seat| f64::from(after[seat]) - f64::from(before[seat])))
}

/// Numbers per seat in twice the precision.
pub(super) fn wide(values: Values) -> PerSeat {
    values.map(f64::from)
}
