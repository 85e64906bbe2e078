//! Monte-Carlo graph search for two seats that act together.
//!
//! Positions that are reached in several ways share a node (as in KataGo's graph search), whose value is a function of
//! its children's values and never a sum of what was backed up. Each seat chooses its outcome on its own: by PUCT on
//! the mean over what the other seat has chosen so far ("decoupled", Tak, Lanctot and Winands 2014), or by regret
//! matching (Lisý, Kovařík, Lanctot and Bošanský 2013). A descent adds at most one node and evaluates it.
//!
//! Evaluations are points that the seats are expected to win from a position on; points won on the way are stored on
//! the edges. With the utility `win`, evaluations are values in [-1, 1] instead, and points do not count.
//!
//! * [`options`], [`formulas`]: settings and arithmetic
//! * [`graph`], `worth`: nodes, edges and their values
//! * `descent`, `leaves`: one descent, and batches of them
//! * `results`: policies, the move to play, and candidates
//! * `distraction`: errors of seats that walk
//! * `view`: looking into the graph
//! * `exploration`, `example`: exploration in self-play, and what a network can learn from a search

mod descent;
mod distraction;
mod example;
mod exploration;
pub mod formulas;
pub mod graph;
mod leaves;
pub mod options;
mod results;
mod view;
mod worth;

use std::sync::Arc;

use rand::SeedableRng;
use rand_pcg::Pcg64;

use self::descent::{Attached, Step};
use self::distraction::Distractions;
use self::formulas::Arm;
use self::graph::{Graph, Kind, ROOT};
use self::leaves::Flights;
use self::options::{Options, Selector, Utility};
pub use self::results::RootStatistics;
use super::{Batched, Driver, Report, Search, SearchSpec, SelfEvaluating};
use crate::evaluation::Evaluation;
use crate::evaluator::{Evaluator, Zero};
use crate::moves;
use crate::planes::Signature;
use crate::rules::{RuleError, Rules, ToAct, Values};
use crate::search::inspect::Inspect;
use crate::search::node_store::{Link, NO_CHILD, NodeId};
use crate::search::noise::Noise;

/// Descents between two checks of the clock.
const STEP: u32 = 16;

/// The same with the option `sweep`.
const SWEEP: u32 = 1000;

/// Joint moves of the random game from which the memory of a search is estimated.
const SAMPLED: usize = 32;

/// A graph search.
pub struct Mcgs<R: Rules> {
    rules: Arc<R>,
    root: R::State,
    /// The root before the last move; `None` at the start.
    before: Option<R::State>,
    evaluator: Option<Arc<dyn Evaluator<R>>>,
    options: Options,
    /// Those of external evaluations.
    errors: Noise,
    distractions: Distractions,
    seed: u64,
    rng: Pcg64,
    graph: Graph<R::Action>,
    inherited: u32,
    /// Positions evaluated, and edges that led to a known position, since the search was opened.
    evaluations: u64,
    hits: u64,
    /// Descents that ended where a value was known.
    known: u64,
    flights: Flights<R>,
    /// Shares of noise for the root's outcomes, per seat; empty without noise and before the root is listed.
    noise: [Vec<f64>; 2],
    /// The edges that have got a child in this batch.
    attached: Vec<Attached>,
    // Buffers.
    path: Vec<Step>,
    arms: [Vec<Arm>; 2],
    scores: Vec<f64>,
    actions: [Vec<R::Action>; 2],
    weights: [Vec<f32>; 2],
}

/// Opens a graph search with an evaluator of the game, with `zero`, which every game has here, or with external
/// evaluations (`planes`).
///
/// # Errors
/// `BadConfig` for unknown options, an unknown evaluator, or one that does not estimate points where the utility needs
/// them.
pub fn open<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
    noise: &Noise,
) -> Result<Box<dyn Search>, RuleError> {
    let options = Options::read(&spec.options)?;
    if rules.hidden().is_some() {
        return Err(RuleError::BadConfig("this search is for games without hidden information".into()));
    }
    let name = options.evaluator.as_deref().unwrap_or(&spec.evaluator);
    let evaluator: Option<Box<dyn Evaluator<R>>> = match (name, rules.planes()) {
        ("planes", Some(_)) => None,
        (name, _) => Some(rules.evaluator(name).or_else(|error| match name {
            "zero" => Ok(Box::new(Zero) as _),
            _ => Err(error),
        })?),
    };
    let is_over = matches!(rules.to_act(root), ToAct::Over(_));
    let in_points = rules.points().is_some()
        && match &evaluator {
            Some(evaluator) => is_over || evaluator.future_points(rules, root).is_some(),
            None => rules.planes().is_some_and(|planes| planes.estimates_points()),
        };
    if options.utility != Utility::Win && !in_points {
        let why = format!("the evaluator '{name}' does not estimate points, which utility own and diff need");
        return Err(RuleError::BadConfig(why));
    }
    if options.sweep && evaluator.is_none() {
        return Err(RuleError::BadConfig("sweep is for the game's own evaluators".into()));
    }
    let (noise, limit) = if rules.walking().is_some() { noise.of_walkers() } else { (noise.clone(), 0.0) };
    let evaluator = noise.on_any(evaluator);
    let mut search = Mcgs::new(Arc::clone(rules), root.clone(), evaluator, options, spec.seed);
    (search.errors, search.distractions) = (noise, Distractions::new(limit));
    Ok(Box::new(search))
}

impl<R: Rules> Mcgs<R> {
    /// A search from `root`. Without an evaluator, leaves are gathered and absorbed.
    pub fn new(
        rules: Arc<R>,
        root: R::State,
        evaluator: Option<Box<dyn Evaluator<R>>>,
        options: Options,
        seed: u64,
    ) -> Self {
        let rng = Pcg64::seed_from_u64(seed);
        let node = graph::Node::new(0, 0, Kind::Pending, 1.0, [0.0; 2]);
        let mut search = Self {
            rules,
            root,
            before: None,
            evaluator: evaluator.map(Arc::from),
            errors: Noise::default(),
            distractions: Distractions::default(),
            seed,
            flights: Flights::new(rng.clone()),
            rng,
            graph: Graph::new(node, options.sharing, false),
            options,
            inherited: 0,
            evaluations: 0,
            hits: 0,
            known: 0,
            noise: [Vec::new(), Vec::new()],
            attached: Vec::new(),
            path: Vec::new(),
            arms: [Vec::new(), Vec::new()],
            scores: Vec::new(),
            actions: [Vec::new(), Vec::new()],
            weights: [Vec::new(), Vec::new()],
        };
        search.plant(0);
        search
    }

    /// Starts a new graph at the root, which is reached after this number of joint moves.
    fn plant(&mut self, ply: u32) {
        let node = self.new_node(&self.root, &self.rules.to_act(&self.root), ply);
        let learns = self.options.selector == Selector::RegretMatching;
        self.graph = Graph::new(node, self.options.sharing, learns);
        self.inherited = 0;
        self.draw_noise();
    }

    /// The root's child with this position.
    fn child(&self, state: &R::State) -> Option<NodeId> {
        let key = self.rules.key(state);
        let children = self.graph.edges(ROOT).iter().filter(|edge| edge.child() != NO_CHILD);
        let same = children.filter(|edge| self.graph.node(edge.child()).key() == key);
        same.max_by_key(|edge| edge.visits).map(Link::child)
    }

    /// Average number of outcomes of both seats in a position, along a random game.
    fn branching(&self) -> usize {
        let mut rng = Pcg64::seed_from_u64(self.seed);
        let (mut state, mut choices, mut plies) = (self.root.clone(), 0, 0);
        while plies < SAMPLED && matches!(self.rules.to_act(&state), ToAct::Together) {
            let legal: [Vec<R::Action>; 2] = [0, 1].map(|seat| {
                let mut legal = Vec::new();
                self.rules.legal(&state, seat, &mut legal);
                legal
            });
            choices += legal[0].len() + legal[1].len();
            plies += 1;
            let pair = legal.map(|legal| legal[rand::RngExt::random_range(&mut rng, 0..legal.len())]);
            self.rules.play_unchecked(&mut state, &pair);
        }
        choices.div_ceil(plies.max(1))
    }

    /// The whole graph, for tests.
    #[must_use]
    pub fn graph(&self) -> &Graph<R::Action> {
        &self.graph
    }
}

impl<R: Rules> SelfEvaluating for Mcgs<R> {
    fn run(&mut self, simulations: u32) -> u32 {
        if self.graph.node(ROOT).kind == Kind::Over {
            return 0;
        }
        (0..simulations).for_each(|_| self.simulate());
        if self.options.sweep {
            self.graph.refresh_all();
        }
        simulations
    }

    fn step(&self) -> u32 {
        if self.options.sweep { SWEEP } else { STEP }
    }
}

impl<R: Rules> Batched for Mcgs<R> {
    fn gather(&mut self, room: usize, keys: &mut Vec<u128>) {
        self.gather_leaves(room);
        keys.extend(self.flights.leaves.iter().map(|leaf| self.rules.information_key(&leaf.state, 0)));
    }

    fn flight(&self) -> u64 {
        self.flights.number
    }

    fn fill(&self, signature: &Signature, leaf: usize, row: &mut [f32]) {
        if let Some(planes) = self.rules.planes() {
            planes.fill(&self.flights.leaves[leaf].state, 0, signature, row);
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

impl<R: Rules> Search for Mcgs<R> {
    fn driver(&mut self) -> Driver<'_> {
        if self.evaluator.is_some() { Driver::SelfEvaluating(self) } else { Driver::Batched(self) }
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
        let child = if played.counts { self.child(&state) } else { None };
        let ply = self.graph.node(ROOT).ply + u32::from(played.counts);
        let before = std::mem::replace(&mut self.root, state);
        self.distractions.update(&*self.rules, &self.errors, &before, &self.root);
        self.before = Some(before);
        let Some(child) = child else {
            self.plant(ply);
            return Ok(());
        };
        self.graph = self.graph.below(child);
        if self.graph.node(ROOT).kind == Kind::Leaf {
            let state = self.root.clone();
            self.list(ROOT, &state);
        }
        self.graph.refresh_all();
        self.draw_noise();
        self.inherited = self.visits();
        Ok(())
    }

    fn report(&self, lines: usize) -> Report {
        self.results(lines)
    }

    fn example(&self, signature: &Signature, planes: &mut [f32], policy: &mut [f32]) -> Option<Values> {
        self.write_example(signature, planes, policy)
    }

    fn visits(&self) -> u32 {
        let root = self.graph.node(ROOT);
        u32::from(matches!(root.kind, Kind::Leaf | Kind::Listed)) + root.total
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.graph.bytes()
    }

    fn bytes_for(&self, simulations: u32) -> usize {
        // A descent adds a node at most. Of the nodes of long games, two thirds (all actions equally likely) to almost all
        // (few likely ones) are visited again and list their outcomes. Two to three edges lead to a node, and there is room
        // for some more.
        let nodes = simulations as usize;
        size_of::<Self>() + self.graph.bytes_for(nodes, nodes * 3, nodes * 17 / 20 * self.branching())
    }
}
