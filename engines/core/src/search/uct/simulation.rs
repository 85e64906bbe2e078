//! One simulation in the tree of one deal: selection, expansion, evaluation.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::formulas::{self, FirstPlay};
use super::options::{Aim, Options};
use super::tree::{Amaf, Edge, Kind, NONE, Node, ROOT, Shares, Step, Tree};
use crate::evaluator::{Estimate, Evaluator};
use crate::repetition::drawn_by;
use crate::rules::{MAX_SEATS, Rules, Seat, ToAct, Values, hash_of};
use crate::search::choices::choices;
use crate::search::node_store::NodeId;
use crate::search::play_out;

/// What all deals of a search share.
pub(super) struct Context<R: Rules> {
    pub rules: Arc<R>,
    /// Values of leaves; without one they are played out.
    pub evaluator: Option<Arc<dyn Evaluator<R>>>,
    /// Priors, by which nodes order their actions; without one they keep the order of the rules.
    pub order: Option<Arc<dyn Evaluator<R>>>,
    pub options: Options,
    /// The seat that acts at the root: the deals are consistent with what it knows.
    pub seat: Seat,
    /// The actions that every simulation begins with.
    pub fixed: Vec<R::Action>,
    /// Weight of the exploration term: that of the options is for two seats, whose mean value is 1/2. With more seats,
    /// values differ by less.
    pub exploration: f64,
}

impl<R: Rules> Context<R> {
    /// A search for the seat that acts at the root.
    pub fn new(
        rules: Arc<R>,
        evaluator: Option<Box<dyn Evaluator<R>>>,
        order: Option<Box<dyn Evaluator<R>>>,
        options: Options,
        seat: Seat,
    ) -> Self {
        let mean_share = match options.aim {
            Aim::Own => 1.0 / rules.seats() as f64,
            Aim::Coalition => 0.5,
        };
        let exploration = 2.0 * mean_share * options.exploration;
        let (evaluator, order) = (evaluator.map(Arc::from), order.map(Arc::from));
        Self { rules, evaluator, order, options, seat, fixed: Vec::new(), exploration }
    }

    /// The same for a copy of the search.
    pub fn copy(&self) -> Self {
        Self {
            rules: Arc::clone(&self.rules),
            evaluator: self.evaluator.clone(),
            order: self.order.clone(),
            options: self.options.clone(),
            seat: self.seat,
            fixed: self.fixed.clone(),
            exploration: self.exploration,
        }
    }

    /// Whether every simulation has its own deal.
    pub fn deals_anew(&self) -> bool {
        self.options.determinizations == 0 && self.rules.hidden().is_some()
    }

    /// Plays an action and, if the options say so, the rest of the move as far as it is forced. Appends all of them to
    /// `played`.
    pub fn play(&self, state: &mut R::State, action: R::Action, played: &mut Vec<R::Action>) {
        self.rules.play_unchecked(state, &[action]);
        played.push(action);
        while let Some(forced) = self.forced(state).filter(|_| self.options.skips_forced) {
            self.rules.play_unchecked(state, &[forced]);
            played.push(forced);
        }
    }

    /// The only legal action in the middle of a move.
    fn forced(&self, state: &R::State) -> Option<R::Action> {
        if self.rules.at_rest(state) {
            return None;
        }
        self.only_action(state)
    }

    /// The only action that there is.
    pub fn only_action(&self, state: &R::State) -> Option<R::Action> {
        let ToAct::One(seat) = self.rules.to_act(state) else { return None };
        if self.rules.count(state, seat) != 1 {
            return None;
        }
        let mut actions = Vec::new();
        choices(&*self.rules, state, seat, &mut actions);
        if let [only] = actions[..] { Some(only) } else { None }
    }

    /// The actions of a state in the order in which to try them: by descending prior, those without one left out.
    pub fn ordered(&self, state: &R::State, seat: Seat) -> Vec<R::Action> {
        let mut actions = Vec::new();
        choices(&*self.rules, state, seat, &mut actions);
        let Some(order) = &self.order else { return actions };
        let mut priors = Vec::new();
        order.priors(&self.rules, state, seat, &actions, &mut priors);
        if priors.iter().any(|prior| *prior > 0.0) {
            let mut ranked: Vec<(f32, usize)> =
                priors.into_iter().zip(0..).filter(|(prior, _)| *prior > 0.0).collect();
            ranked.sort_unstable_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
            return ranked.into_iter().map(|(_, index)| actions[index]).collect();
        }
        actions
    }

    /// The AMAF key of an action.
    fn amaf_key(&self, state: &R::State, seat: Seat, action: R::Action) -> u64 {
        let keys = self.options.rave.keys;
        let context = keys.by_context.then(|| self.rules.amaf_context(state, action)).flatten();
        hash_of((self.rules.amaf_key(state, action), keys.by_seat.then_some(seat), context))
    }

    /// A new node for a state `ply` actions below the root.
    fn node(&self, state: &R::State, ply: usize) -> Node {
        match self.rules.to_act(state) {
            ToAct::One(_) if ply > 0 && drawn_by(&*self.rules, state, ply).is_some() => {
                Node::new(0, Kind::Repeated, self.key(state))
            }
            ToAct::One(seat) => Node::new(seat, Kind::Leaf, self.key(state)),
            _ => Node::new(0, Kind::Over, self.key(state)),
        }
    }

    /// What distinguishes the nodes of one edge: a hash of what the seat to act knows.
    pub fn key(&self, state: &R::State) -> u64 {
        if !self.deals_anew() {
            return 0;
        }
        let seat = match self.rules.to_act(state) {
            ToAct::One(seat) => seat,
            _ => self.seat,
        };
        self.rules.information_key(state, seat) as u64
    }
}

/// A deal of the hidden information and its tree.
pub(super) struct Deal<R: Rules> {
    pub root: R::State,
    pub tree: Tree<R::Action>,
    pub rng: Pcg64,
    pub path: Vec<Step>,
    /// Since the search was opened: positions evaluated, and simulations that ended where a value was known.
    pub evaluations: u64,
    pub known: u64,
    /// Receives what is played; nobody reads it.
    played: Vec<R::Action>,
}

/// What a descent has changed in a tree, so that it can be undone.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    /// The edges of a node were listed.
    Listed(NodeId),
    /// An untried edge became the next one.
    Tried { node: NodeId, from: usize, to: usize },
    /// A node was added below an edge.
    Grown(Step),
}

/// Where a descent ended.
pub(super) struct End<S> {
    pub node: NodeId,
    pub state: S,
}

impl<R: Rules> Deal<R> {
    /// The deal number `index` of a search from `root`.
    pub fn new(context: &Context<R>, root: &R::State, seed: u64, index: u64) -> Self {
        let mut source = Pcg64::seed_from_u64(seed);
        let rng = Pcg64::new(u128::from(source.next_u64()), u128::from(index));
        let tree = Tree::new(Node::new(0, Kind::Leaf, 0));
        let (path, played, root_state) = (Vec::new(), Vec::new(), root.clone());
        let mut deal = Self { root: root_state, tree, rng, path, evaluations: 0, known: 0, played };
        deal.plant(context, root);
        deal
    }

    /// Starts afresh: a new deal with an empty tree.
    pub fn plant(&mut self, context: &Context<R>, root: &R::State) {
        self.root.clone_from(root);
        self.redeal(context);
        self.tree = Tree::new(context.node(&self.root, 0));
    }

    /// Goes on below a node of the tree, with a root that is dealt already or is dealt anew in every simulation.
    pub fn descend(&mut self, context: &Context<R>, root: R::State, id: NodeId) {
        self.root = root;
        if context.deals_anew() {
            self.redeal(context);
        }
        self.tree = self.tree.below(id);
    }

    /// Deals what the seat cannot know.
    fn redeal(&mut self, context: &Context<R>) {
        if let Some(hidden) = context.rules.hidden() {
            hidden.redeal(&mut self.root, context.seat, self.rng.next_u64());
        }
    }

    /// Runs one simulation.
    pub fn simulate(&mut self, context: &Context<R>) {
        let End { node, state } = self.descend_from_root(context, &mut |_| {});
        let worth = self.evaluate(context, &state, self.tree.node(node).kind);
        self.finish(context, node, &worth);
    }

    /// Descends to a node that is new, or that nothing follows; its path is in `self.path`. Reports each change of the tree.
    pub fn descend_from_root(&mut self, context: &Context<R>, changed: &mut impl FnMut(Change)) -> End<R::State> {
        if context.deals_anew() {
            self.redeal(context);
        }
        let mut state = self.root.clone();
        self.path.clear();
        let mut id = ROOT;
        while let Some(index) = self.next_edge(context, id, &state, changed) {
            let step = Step { node: id, index };
            let edge = self.tree.edges(id)[index];
            self.path.push(step);
            self.played.clear();
            context.play(&mut state, edge.action, &mut self.played);
            let (child, is_new) = self.child(context, step, edge, &state);
            id = child;
            if is_new {
                changed(Change::Grown(step));
            }
            if is_new && self.path.len() > context.fixed.len() {
                break;
            }
        }
        End { node: id, state }
    }

    /// Counts a simulation along `self.path`.
    pub fn finish(&mut self, context: &Context<R>, last: NodeId, worth: &Estimate) {
        let is_known = matches!(self.tree.node(last).kind, Kind::Over | Kind::Repeated);
        self.known += u64::from(is_known);
        self.evaluations += u64::from(!is_known);
        let values = shares(context, &worth.values);
        let points = worth.points.unwrap_or([f32::NAN; MAX_SEATS]);
        let rave = context.options.use_rave.then_some(&context.options.rave);
        self.tree.back_up(&self.path, last, &values, &points, rave);
    }

    /// Undoes changes, the latest first.
    pub fn undo(&mut self, changes: impl DoubleEndedIterator<Item = Change>) {
        for change in changes.rev() {
            match change {
                Change::Listed(node) => self.tree.unlist(node),
                Change::Tried { node, from, to } => self.tree.untry(node, from, to),
                Change::Grown(step) => self.tree.shrink(step),
            }
        }
    }

    /// The same deal and tree for a copy of the search.
    pub fn copy(&self) -> Self {
        Self {
            root: self.root.clone(),
            tree: self.tree.clone(),
            rng: self.rng.clone(),
            path: Vec::new(),
            evaluations: self.evaluations,
            known: self.known,
            played: Vec::new(),
        }
    }

    /// The node behind an edge for the state that the edge led to, and whether it is new.
    fn child(
        &mut self,
        context: &Context<R>,
        step: Step,
        edge: Edge<R::Action>,
        state: &R::State,
    ) -> (NodeId, bool) {
        let known = if context.deals_anew() && edge.child != NONE {
            let key = context.key(state);
            self.tree.outcomes(&edge).find(|id| self.tree.node(*id).key == key)
        } else {
            (edge.child != NONE).then_some(edge.child)
        };
        match known {
            Some(id) => (id, false),
            None => {
                let node = context.node(state, self.path.len());
                (self.tree.grow(step, node), true)
            }
        }
    }

    /// The edge to follow from a node; `None` at the end of the game.
    fn next_edge(
        &mut self,
        context: &Context<R>,
        id: NodeId,
        state: &R::State,
        changed: &mut impl FnMut(Change),
    ) -> Option<usize> {
        if self.tree.node(id).kind == Kind::Leaf {
            self.list(context, id, state);
            changed(Change::Listed(id));
        }
        let node = *self.tree.node(id);
        if node.kind != Kind::Listed {
            return None;
        }
        if let Some(action) = context.fixed.get(self.path.len()) {
            return self.fixed_edge(id, *action, changed);
        }
        let (c, alpha) = context.options.widening;
        let tried = usize::from(node.tried);
        if node.has_untried() && tried < formulas::max_children(node.visits, c, alpha) {
            let next = match context.options.rave.first_play {
                FirstPlay::Amaf if context.options.use_rave => best_amaf(self.tree.amaf(id), tried),
                _ => tried,
            };
            return Some(self.try_edge(id, next, changed));
        }
        self.best_edge(context, id)
    }

    /// The edge of a fixed action, which counts as tried from now on.
    fn fixed_edge(&mut self, id: NodeId, action: R::Action, changed: &mut impl FnMut(Change)) -> Option<usize> {
        let index = self.tree.edges(id).iter().position(|edge| edge.action == action)?;
        let is_tried = index < self.tree.node(id).tried.into();
        Some(if is_tried { index } else { self.try_edge(id, index, changed) })
    }

    fn try_edge(&mut self, node: NodeId, from: usize, changed: &mut impl FnMut(Change)) -> usize {
        let to = self.tree.try_edge(node, from);
        changed(Change::Tried { node, from, to });
        to
    }

    /// The tried edge with the highest score; the earliest among equals.
    fn best_edge(&self, context: &Context<R>, id: NodeId) -> Option<usize> {
        let (visits, c) = (self.tree.node(id).visits, context.exploration);
        let tried = self.tree.tried(id).iter();
        if !context.options.use_rave {
            let log = f64::from(visits).ln();
            return first_best(
                tried.map(|edge| edge.mean.or(0.0) + formulas::exploration(c, log, edge.mean.visits)),
            );
        }
        let rave = &context.options.rave;
        let score = |(edge, amaf): (&Edge<R::Action>, &Amaf)| {
            formulas::rave(edge.mean, amaf.mean, visits, c, rave.k, rave.first_play)
        };
        first_best(tried.zip(self.tree.amaf(id)).map(score))
    }

    fn list(&mut self, context: &Context<R>, id: NodeId, state: &R::State) {
        let seat = Seat::from(self.tree.node(id).seat);
        let actions = context.ordered(state, seat);
        let keyed = if context.options.use_rave { &actions[..] } else { &[] };
        let keys = keyed.iter().map(|action| context.amaf_key(state, seat, *action));
        self.tree.list(id, actions.iter().copied(), keys);
    }

    /// What a state is worth. A coalition only knows the value of the seat that searches.
    pub fn evaluate(&mut self, context: &Context<R>, state: &R::State, kind: Kind) -> Estimate {
        let rules = &*context.rules;
        match (rules.to_act(state), &context.evaluator) {
            (ToAct::Over(outcome), _) => match context.options.shared_win {
                None => Estimate::of_outcome(&outcome, rules.seats()),
                Some(win) => Estimate { values: outcome.values_with(rules.seats(), win), points: outcome.scores },
            },
            _ if kind == Kind::Repeated => Estimate::DRAW,
            (_, Some(evaluator)) if context.options.aim == Aim::Own => evaluator.estimate(rules, state),
            (_, Some(evaluator)) => {
                let value = evaluator.raw_value(rules, state, context.seat);
                Estimate { values: [value; MAX_SEATS], points: None }
            }
            (_, None) => play_out::play_out(rules, state.clone(), &mut self.rng),
        }
    }
}

/// Values as every node sees them, in [0, 1].
fn shares<R: Rules>(context: &Context<R>, values: &Values) -> Shares {
    let share = |seat: Seat| (f64::from(values[seat]) + 1.0) / 2.0;
    std::array::from_fn(|seat| match context.options.aim {
        Aim::Own => share(seat),
        Aim::Coalition if seat == context.seat => share(seat),
        Aim::Coalition => 1.0 - share(context.seat),
    })
}

/// The untried action with the best AMAF mean; the next one in the static order if none has any.
fn best_amaf(amaf: &[Amaf], tried: usize) -> usize {
    let known = |index: &usize| amaf[*index].mean.visits > 0;
    let mean = |index: usize| amaf[index].mean.or(0.0);
    let better = |best, index| if mean(index) > mean(best) { index } else { best };
    (tried..amaf.len()).filter(known).reduce(better).unwrap_or(tried)
}

/// The index of the highest score; the first among equals.
fn first_best(scores: impl Iterator<Item = f64>) -> Option<usize> {
    let better = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
    scores.enumerate().reduce(better).map(|(index, _)| index)
}
