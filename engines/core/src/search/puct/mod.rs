//! PUCT for zero-sum games of two seats that alternate (a seat may act several times in a row).
//!
//! Each simulation descends by the largest Q + U with U = c · P · √N / (1 + n) (Rosin 2011, as used by AlphaZero),
//! creates one node, evaluates it and backs the value up. Values in the tree are those of seat 0; nodes of seat 1
//! minimise. Finished states are exact and never evaluated, and their values are propagated (Winands, Björnsson and
//! Saito 2008): a node with a winning action is won. The most promising edges are listed on a node's second visit, and
//! others when those have been visited: nodes visited once take 32 bytes, without what a network gave them. A position that occurs for the second time on the path from the root, or for the third time in
//! the game, is a draw without children; no other value is proven from it, because its value may change when the root
//! moves.
//!
//! The second action of a move gets its own search: `focus` fixes the best action so far, and all later simulations go
//! through it.

mod example;
mod leaves;
mod lines;
mod listing;
pub mod options;
mod settle;
pub mod tree;
mod view;
mod weights;

use std::sync::Arc;

use rand::SeedableRng;
use rand::distr::Distribution;
use rand_pcg::Pcg64;

use self::leaves::Pending;
use self::options::{FirstPlay, Options};
use self::tree::{Edge, FIRST, Kind, Node, Step, Tree};
use self::weights::Weights;
use super::{Batched, Driver, Focus, Report, Search, SearchSpec, SelfEvaluating};
use crate::evaluation::Evaluation;
use crate::evaluator::Evaluator;
use crate::moves;
use crate::planes::Signature;
use crate::rules::{MAX_SEATS, RuleError, Rules, Seat, ToAct, Values};
use crate::search::inspect::Inspect;
use crate::search::node_store::{NO_CHILD, NodeId};
use crate::search::noise::Noise;

/// Simulations between two checks of the clock.
const STEP: u32 = 16;

/// A PUCT search.
pub struct Puct<R: Rules> {
    rules: Arc<R>,
    root: R::State,
    evaluator: Option<Arc<dyn Evaluator<R>>>,
    tree: Tree<R::Action>,
    /// Those of external evaluations.
    weights: Weights,
    /// Indices of the fixed edges, from the root on.
    focus: Vec<usize>,
    inherited: u32,
    options: Options,
    /// Those of external evaluations.
    errors: Noise,
    rng: Pcg64,
    pending: Vec<Pending<R::State>>,
    flight: u64,
    /// The nodes of the latest descent, starting at the root.
    path: Vec<Step>,
    actions: Vec<R::Action>,
    priors: Vec<f32>,
    /// Since the search was opened: positions evaluated, and simulations that ended where a value was known.
    evaluations: u64,
    known: u64,
}

/// Opens a PUCT search with an evaluator of the game or with external evaluations (`planes`).
///
/// # Errors
/// `BadConfig` for unknown options or an unknown evaluator.
pub fn open<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
    noise: &Noise,
) -> Result<Box<dyn Search>, RuleError> {
    let options = Options::read(&spec.options)?;
    let evaluator = match spec.evaluator.as_str() {
        "planes" if rules.planes().is_some() => None,
        name => Some(rules.evaluator(name)?),
    };
    let evaluator = noise.on_any(evaluator);
    let mut search = Puct::new(Arc::clone(rules), root.clone(), evaluator, options, spec.seed);
    search.errors = noise.clone();
    Ok(Box::new(search))
}

impl<R: Rules> Puct<R> {
    /// A search from `root`. Without an evaluator, leaves are gathered and absorbed.
    pub fn new(
        rules: Arc<R>,
        root: R::State,
        evaluator: Option<Box<dyn Evaluator<R>>>,
        options: Options,
        seed: u64,
    ) -> Self {
        let mut search = Self {
            rules,
            root,
            evaluator: evaluator.map(Arc::from),
            tree: Tree::new(Node::new(0, Kind::Pending, 0.0)),
            weights: Weights::default(),
            focus: Vec::new(),
            inherited: 0,
            options,
            errors: Noise::default(),
            rng: Pcg64::seed_from_u64(seed),
            pending: Vec::new(),
            flight: 0,
            path: Vec::new(),
            actions: Vec::new(),
            priors: Vec::new(),
            evaluations: 0,
            known: 0,
        };
        search.plant();
        search
    }

    /// Starts a new tree at the root state; evaluates the root if the search has its own evaluator.
    fn plant(&mut self) {
        let root = self.new_node(&self.root, 0);
        self.tree = Tree::new(root);
        self.weights = Weights::default();
        self.inherited = 0;
        if root.kind != Kind::Pending {
            self.path.clear();
            self.path.push(Step::ROOT);
            self.tally(root.kind == Kind::Leaf);
            self.back_up(root.value);
        }
        self.add_noise(0);
    }

    /// Counts a simulation, which has or has not evaluated a position.
    fn tally(&mut self, has_evaluated: bool) {
        self.evaluations += u64::from(has_evaluated);
        self.known += u64::from(!has_evaluated);
    }

    /// The last node of the latest descent.
    fn end(&self) -> NodeId {
        self.path.last().map_or(0, |step| step.node)
    }

    /// The value backed up if a descent ends at this node.
    fn verdict(&self, id: NodeId) -> f32 {
        let node = self.tree.node(id);
        match node.kind {
            Kind::DeadEnd => -2.0 * side(node.seat),
            _ => node.value,
        }
    }

    /// Descends from the root to a node to evaluate or back up; leaves its path in `self.path`. Returns the state of
    /// that node, and whether the node is new.
    fn descend(&mut self) -> (R::State, bool) {
        let rules = Arc::clone(&self.rules);
        let mut state = self.root.clone();
        let mut id: NodeId = 0;
        self.path.clear();
        self.path.push(Step::ROOT);
        loop {
            if self.path.len() > self.options.max_depth {
                return (state, false);
            }
            if self.tree.lacks_edges(id) {
                self.list(id, &state, self.tree.more(id));
            }
            let index = match (self.focus.get(self.path.len() - 1), self.tree.node(id).kind) {
                (Some(&index), _) => index,
                (None, Kind::Partial | Kind::Expanded) => self.forced_edge(id).unwrap_or_else(|| self.select(id)),
                (None, _) => return (state, false),
            };
            let edge = self.tree.edges(id)[index];
            rules.play_unchecked(&mut state, &[edge.action]);
            if edge.child == NO_CHILD {
                let node = self.new_node(&state, self.path.len());
                let child = self.tree.adopt(id, node);
                self.path.push(Step { node: child, edge: index });
                return (state, true);
            }
            id = edge.child;
            self.path.push(Step { node: id, edge: index });
        }
    }

    /// The edge with the largest Q + U among the visited ones and the most promising unvisited one; the latter if all
    /// visited ones are proven losses.
    fn select(&self, id: NodeId) -> usize {
        let node = self.tree.node(id);
        let edges = self.tree.edges(id);
        let (visited, unvisited) = edges.split_at(node.visited.into());
        let scale = self.options.puct * (node.visits as f32).sqrt();
        let (mut best, mut best_score, mut best_rank) = (0, f32::NEG_INFINITY, u16::MAX);
        for (index, edge) in visited.iter().enumerate() {
            let score = edge.mean + edge.prior * scale / edge.tries;
            if score > best_score || (score == best_score && edge.rank < best_rank) {
                (best, best_score, best_rank) = (index, score, edge.rank);
            }
        }
        let Some(next) = unvisited.first() else { return best };
        let explored = next.prior * scale;
        let mean = side(node.seat) * node.mean();
        let assumed = match self.options.first_play {
            FirstPlay::Zero => 0.0,
            // No reduction is needed: it would be less still.
            FirstPlay::Reduced(_) if mean + explored < best_score => mean,
            FirstPlay::Reduced(reduction) => reduced(mean, reduction, visited),
        };
        let score = assumed + explored;
        let is_ahead = score > best_score || (score == best_score && next.rank < best_rank);
        if is_ahead || self.all_lost(visited, best, side(node.seat)) { visited.len() } else { best }
    }

    /// Whether all visited edges of a node, of which one is the best, are proven losses of its seat, whose `sign` is +1
    /// or −1.
    fn all_lost(&self, visited: &[Edge<R::Action>], best: usize, sign: f32) -> bool {
        let is_lost = |edge: &Edge<R::Action>| {
            let child = self.tree.node(edge.child);
            child.is_exact() && sign * child.value <= -1.0
        };
        self.options.solve && visited.get(best).is_some_and(is_lost) && visited.iter().all(is_lost)
    }

    /// Adds a value for seat 0 to every node on the path.
    fn back_up(&mut self, value: f32) {
        for (at, &step) in self.path.iter().enumerate() {
            let node = self.tree.node_mut(step.node);
            node.visits += 1;
            node.sum += f64::from(value);
            if at > 0 {
                self.tree.refresh(self.path[at - 1].node, step.edge, self.options.virtual_loss);
            }
        }
        if self.options.solve {
            self.settle();
        }
    }

    /// Mixes noise into the priors of the node behind the fixed actions, `id`; in self-play only.
    fn add_noise(&mut self, id: NodeId) {
        let Some(noise) = self.options.noise else { return };
        if matches!(self.tree.node(id).kind, Kind::Leaf | Kind::Partial) {
            let state = self.focus_state();
            self.list(id, &state, usize::MAX);
        }
        if self.tree.node(id).kind != Kind::Expanded {
            return;
        }
        let Ok(gamma) = rand_distr::Gamma::new(noise.alpha, 1.0) else { return };
        let draws: Vec<f32> = self.tree.edges(id).iter().map(|_| gamma.sample(&mut self.rng)).collect();
        let total: f32 = draws.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for (edge, draw) in self.tree.edges_mut(id).iter_mut().zip(&draws) {
            edge.prior += noise.fraction * (draw / total - edge.prior);
        }
        self.tree.sort_unvisited(id);
    }

    /// The node behind the fixed actions.
    fn focus_node(&self) -> NodeId {
        self.focus.iter().fold(0, |id, &index| self.tree.edges(id)[index].child)
    }

    /// The state behind the fixed actions.
    fn focus_state(&self) -> R::State {
        let mut state = self.root.clone();
        let mut id = 0;
        for &index in &self.focus {
            let edge = self.tree.edges(id)[index];
            self.rules.play_unchecked(&mut state, &[edge.action]);
            id = edge.child;
        }
        state
    }

    /// The visited edge to play: the best one, or a random one by visits if there is a temperature.
    fn choose(&mut self, id: NodeId) -> Option<usize> {
        if self.options.temperature == 0.0 {
            return self.best_edge(id);
        }
        let visited = self.tree.node(id).visited as usize;
        let exponent = 1.0 / f64::from(self.options.temperature);
        let weight =
            |index: usize| f64::from(self.tree.node(self.tree.edges(id)[index].child).visits).powf(exponent);
        let weights: Vec<f64> = (0..visited).map(weight).collect();
        let draw = rand::distr::weighted::WeightedIndex::new(&weights).ok()?;
        Some(draw.sample(&mut self.rng))
    }

    /// The most visited node one move below `id` whose state has this key. By key, because a record does not contain
    /// the order in which the actions of a move were searched.
    fn child_after(&self, key: u128, id: NodeId, state: &R::State) -> Option<NodeId> {
        let edges = &self.tree.edges(id)[..self.tree.node(id).visited as usize];
        let found = edges.iter().filter_map(|edge| {
            let mut after = state.clone();
            self.rules.play_unchecked(&mut after, &[edge.action]);
            if !self.rules.at_rest(&after) {
                return self.child_after(key, edge.child, &after);
            }
            (self.rules.key(&after) == key && self.tree.node(edge.child).visits > 0).then_some(edge.child)
        });
        found.max_by_key(|&child| self.tree.node(child).visits)
    }
}

impl<R: Rules> SelfEvaluating for Puct<R> {
    fn run(&mut self, simulations: u32) -> u32 {
        if self.tree.node(0).kind == Kind::Terminal {
            return 0;
        }
        for _ in 0..simulations {
            let (_, is_new) = self.descend();
            let last = self.end();
            self.tally(is_new && self.tree.node(last).kind == Kind::Leaf);
            let value = self.verdict(last);
            self.back_up(value);
        }
        simulations
    }

    fn step(&self) -> u32 {
        STEP
    }
}

impl<R: Rules> Batched for Puct<R> {
    fn gather(&mut self, room: usize, keys: &mut Vec<u128>) {
        self.gather_leaves(room);
        keys.extend(self.pending.iter().map(|leaf| {
            let seat = seat_of(self.rules.to_act(&leaf.state));
            self.rules.information_key(&leaf.state, seat.into())
        }));
    }

    fn flight(&self) -> u64 {
        self.flight
    }

    fn fill(&self, signature: &Signature, leaf: usize, row: &mut [f32]) {
        if let Some(planes) = self.rules.planes() {
            let state = &self.pending[leaf].state;
            planes.fill(state, seat_of(self.rules.to_act(state)).into(), signature, row);
        }
    }

    fn read(&mut self, signature: &Signature, leaf: usize, policy: &[f32], values: &[f32]) -> Evaluation {
        self.read_leaf(signature, leaf, policy, values)
    }

    fn absorb(&mut self, evaluations: &[Evaluation]) {
        self.absorb_leaves(evaluations);
    }

    fn cancel(&mut self) {
        self.cancel_leaves();
    }
}

impl<R: Rules> Focus for Puct<R> {
    fn focus(&mut self) -> bool {
        let state = self.focus_state();
        if !self.focus.is_empty() && self.rules.at_rest(&state) {
            return false;
        }
        let Some(index) = self.choose(self.focus_node()) else { return false };
        self.focus.push(index);
        self.add_noise(self.focus_node());
        let state = self.focus_state();
        !self.rules.at_rest(&state) && !matches!(self.rules.to_act(&state), ToAct::Over(_))
    }

    fn focus_visits(&self) -> u32 {
        self.tree.node(self.focus_node()).visits
    }

    fn unfocus(&mut self) {
        self.focus.clear();
    }
}

impl<R: Rules> Search for Puct<R> {
    fn driver(&mut self) -> Driver<'_> {
        if self.evaluator.is_some() { Driver::SelfEvaluating(self) } else { Driver::Batched(self) }
    }

    fn focusing(&mut self) -> Option<&mut dyn Focus> {
        Some(self)
    }

    fn inspect(&self) -> Option<&dyn Inspect> {
        Some(self)
    }

    fn copy(&self) -> Result<Box<dyn Search>, RuleError> {
        Ok(Box::new(self.copied()))
    }

    fn advance(&mut self, text: &str) -> Result<(), RuleError> {
        let mut state = self.root.clone();
        let played = moves::play_recorded(&*self.rules, &mut state, text)?;
        self.cancel_leaves();
        self.focus.clear();
        if self.rules.repetition().is_some() {
            self.tree.forget_repeated();
        }
        let child = if played.counts { self.child_after(self.rules.key(&state), 0, &self.root) } else { None };
        self.root = state;
        match child {
            Some(child) => {
                let (tree, kept) = self.tree.reachable(child);
                (self.tree, self.weights) = (tree, self.weights.of_all(&kept));
                self.inherited = self.tree.node(0).visits;
                self.add_noise(0);
            }
            None => self.plant(),
        }
        Ok(())
    }

    fn report(&self, lines: usize) -> Report {
        let root = self.tree.node(0);
        let (lines, policies) = self.candidates(lines);
        Report {
            best_move: self.best_move(),
            values: two_seats(self.worth().clamp(-1.0, 1.0)),
            points: None,
            policies,
            visits: root.visits,
            inherited: self.inherited,
            nodes: self.tree.len(),
            depth: 0,
            lines,
        }
    }

    fn example(&self, signature: &Signature, planes: &mut [f32], policy: &mut [f32]) -> Option<Values> {
        self.write_example(signature, planes, policy)
    }

    fn visits(&self) -> u32 {
        self.tree.node(0).visits
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + self.weights.bytes() + size_of::<Self>()
    }

    fn bytes_for(&self, simulations: u32) -> usize {
        let mut actions = Vec::new();
        if !matches!(self.rules.to_act(&self.root), ToAct::Over(_)) {
            self.rules.legal(&self.root, Seat::from(self.tree.node(0).seat), &mut actions);
        }
        let Some(&first) = actions.first() else { return size_of::<Self>() };
        let mut after = self.root.clone();
        self.rules.play_unchecked(&mut after, &[first]);
        let searches = if self.rules.at_rest(&after) { 1 } else { 2 };
        // Each simulation adds a node, and slightly less than every other one lists edges.
        let nodes = simulations as usize * searches;
        let edges = nodes * actions.len().min(FIRST) / 2;
        let weights = if self.evaluator.is_some() { 0 } else { Weights::bytes_for(nodes, actions.len()) };
        size_of::<Self>() + Tree::<R::Action>::bytes_for(nodes, edges) + weights
    }
}

/// What an edge without visits counts as, given the mean of its node and the visited edges.
fn reduced<A>(mean: f32, reduction: f32, visited: &[Edge<A>]) -> f32 {
    mean - reduction * visited.iter().fold(0.0, |mass, edge| mass + edge.prior).sqrt()
}

/// The values of two seats in a zero-sum game, given that of seat 0.
fn two_seats(value: f32) -> Values {
    let mut values = [0.0; MAX_SEATS];
    (values[0], values[1]) = (value, -value);
    values
}

/// +1 for seat 0, −1 for seat 1: converts between a value of seat 0 and that of a seat.
fn side(seat: u8) -> f32 {
    if seat == 0 { 1.0 } else { -1.0 }
}

fn seat_of(to_act: ToAct) -> u8 {
    match to_act {
        ToAct::One(seat) => seat as u8,
        _ => 0,
    }
}
