//! UCT (Kocsis and Szepesvári 2006) with progressive widening for games of two to five seats that act one at a time,
//! with or without hidden information.
//!
//! Hidden information is dealt several times, consistently with what the seat to act knows, and each deal has its own
//! tree (determinization). Simulations go to the trees in turn, so that whenever the search stops, all trees have had
//! equally many; the results of all trees are added up. With `num_determinizations` 0, every simulation has its own
//! deal, in one tree with a node for each state of what the seats know (information set search). It assumes that all
//! seats know the same, as with a shuffled deck.
//!
//! A node tries its actions in the order of the priors, as many as its visits allow. A simulation adds at most one node
//! and evaluates it, or plays randomly to the end in games without an evaluator. Each node maximises the mean value of
//! its own seat. RAVE is optional: the mean value of an action wherever it was played below a node (all moves as first,
//! AMAF) is mixed into its score and decides which action is tried next.
//!
//! * [`options`], [`formulas`]: settings, and the arithmetic on values in [0, 1]
//! * [`tree`], [`simulation`]: one deal and its tree
//! * `leaves`: simulations that wait for evaluations
//! * [`results`], `view`: what all trees say together, and looking into each
//! * [`endgame`]: exact play near the end

mod endgame;
pub mod formulas;
mod leaves;
pub mod options;
mod results;
mod simulation;
pub mod tree;
mod view;

use std::sync::Arc;

use rayon::prelude::*;

use self::endgame::Endgame;
use self::leaves::Flights;
use self::options::{Aim, Options};
pub use self::results::ActionStatistics;
use self::simulation::{Context, Deal};
use self::tree::{Edge, ROOT, Tree};
use super::{Batched, Driver, Focus, Report, Search, SearchSpec, SelfEvaluating};
use crate::evaluation::Evaluation;
use crate::evaluator::Evaluator;
use crate::moves;
use crate::planes::Signature;
use crate::rules::{RuleError, Rules, Seat, ToAct};
use crate::search::inspect::Inspect;
use crate::search::node_store::NodeId;
use crate::search::noise::Noise;

/// Simulations between two checks of the clock; with threads, for each deal.
const STEP: u32 = 16;

/// A UCT search.
pub struct Uct<R: Rules> {
    context: Context<R>,
    /// The root with its true order, which only the rules see: evaluators get deals.
    root: R::State,
    deals: Vec<Deal<R>>,
    /// The deal that gets the next simulation.
    next: usize,
    inherited: u32,
    /// Simulations since an action was fixed.
    focused: u32,
    threads: Option<rayon::ThreadPool>,
    /// Near the end of the game.
    endgame: Option<Endgame<R>>,
    /// Whether evaluations come from outside.
    is_outside: bool,
    /// Those of external evaluations.
    errors: Noise,
    flights: Flights<R>,
}

/// Opens a UCT search with an evaluator of the game, or with external evaluations (`planes`), of which it uses the values;
/// the native evaluator then orders the actions.
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
    let is_outside = spec.evaluator == "planes" && rules.planes().is_some();
    let name = if is_outside { "native" } else { &spec.evaluator };
    let native = || super::optional_evaluator(&**rules, name);
    let evaluator = if is_outside { None } else { noise.on_any(native()?) };
    let order = match options.order.as_deref() {
        Some("rules") => None,
        Some(name) => Some(rules.evaluator(name)?),
        None => native()?,
    };
    let order = noise.on_any(order);
    let mut search = Uct::new(Arc::clone(rules), root.clone(), evaluator, order, options, spec.seed);
    (search.is_outside, search.errors) = (is_outside, noise.clone());
    Ok(Box::new(search))
}

impl<R: Rules> Uct<R> {
    /// A search from `root`. Without an evaluator, leaves are played out; without an order, nodes try their actions in
    /// the order of the rules.
    pub fn new(
        rules: Arc<R>,
        root: R::State,
        evaluator: Option<Box<dyn Evaluator<R>>>,
        order: Option<Box<dyn Evaluator<R>>>,
        options: Options,
        seed: u64,
    ) -> Self {
        let seat = rules.acting(&root).first().copied().unwrap_or(0);
        let count = if rules.hidden().is_some() { options.determinizations.max(1) } else { 1 };
        let threads = thread_pool(options.threads.min(count));
        let context = Context::new(rules, evaluator, order, options, seat);
        let deals = (0..count as u64).map(|index| Deal::new(&context, &root, seed, index)).collect();
        let mut search = Self {
            context,
            root,
            deals,
            next: 0,
            inherited: 0,
            focused: 0,
            threads,
            endgame: None,
            is_outside: false,
            errors: Noise::default(),
            flights: Flights::new(),
        };
        search.look_ahead();
        search
    }

    /// Counts simulations, each of which also judges a move of the endgame.
    fn count(&mut self, simulations: u32) {
        self.focused += simulations;
        if let Some(endgame) = &mut self.endgame {
            (0..simulations).for_each(|_| endgame.judge(&self.context.rules));
        }
    }

    /// Whether nothing is left to search.
    fn is_complete(&self) -> bool {
        !self.has_choice() || self.endgame.as_ref().is_some_and(|endgame| endgame.solution().is_some())
    }

    /// Begins to solve the game if its end is near.
    fn look_ahead(&mut self) {
        let is_exact = self.context.options.aim == Aim::Own;
        self.endgame = if is_exact { Endgame::new(&self.context, &self.root) } else { None };
    }

    /// Visits of the root in each deal's tree.
    pub fn shares(&self) -> impl Iterator<Item = u32> {
        self.deals.iter().map(|deal| deal.tree.node(ROOT).visits)
    }

    /// The root as each deal has it.
    pub fn dealt(&self) -> impl Iterator<Item = &R::State> {
        self.deals.iter().map(|deal| &deal.root)
    }

    /// Starts all deals afresh.
    fn plant(&mut self) {
        for deal in &mut self.deals {
            deal.plant(&self.context, &self.root);
        }
        self.next = 0;
    }

    /// The state behind the fixed actions.
    fn focus_state(&self) -> R::State {
        let mut state = self.root.clone();
        for &action in &self.context.fixed {
            self.context.play(&mut state, action, &mut Vec::new());
        }
        state
    }

    /// Whether the move, from the fixed actions on, has an alternative.
    fn has_choice(&self) -> bool {
        let rules = &*self.context.rules;
        let mut state = self.focus_state();
        let mut is_first = true;
        while acting(rules, &state).is_some() && (is_first || !rules.at_rest(&state)) {
            let Some(forced) = self.context.only_action(&state) else { return true };
            rules.play_unchecked(&mut state, &[forced]);
            is_first = false;
        }
        false
    }

    /// Goes on below the node of a deal that agrees with the state after the played actions; starts afresh without one.
    fn follow(context: &Context<R>, deal: &mut Deal<R>, actions: &[R::Action], after: &R::State) {
        let rules = &*context.rules;
        let mut dealt = deal.root.clone();
        for action in actions {
            rules.play_unchecked(&mut dealt, &[*action]);
        }
        let known = |state: &R::State| rules.information_key(state, context.seat);
        let (root, found) = if context.deals_anew() {
            let wanted = context.key(after);
            let agrees = |id: NodeId, _: &R::State| deal.tree.node(id).key == wanted;
            (after.clone(), find(context, &deal.tree, ROOT, &deal.root, &agrees))
        } else if known(&dealt) == known(after) && !deal.tree.has_repeated() {
            let key = rules.key(&dealt);
            let agrees = |_: NodeId, state: &R::State| rules.key(state) == key;
            let found = find(context, &deal.tree, ROOT, &deal.root, &agrees);
            (dealt, found)
        } else {
            (after.clone(), None)
        };
        match found {
            Some(id) => deal.descend(context, root, id),
            None => deal.plant(context, after),
        }
    }
}

/// The most visited node one move below `id` that agrees with what was played. By state, because a record does not
/// contain the order in which the actions of a move were searched.
fn find<R: Rules>(
    context: &Context<R>,
    tree: &Tree<R::Action>,
    id: NodeId,
    state: &R::State,
    agrees: &dyn Fn(NodeId, &R::State) -> bool,
) -> Option<NodeId> {
    let below = |edge: &Edge<R::Action>| {
        let mut after = state.clone();
        context.play(&mut after, edge.action, &mut Vec::new());
        let is_over = matches!(context.rules.to_act(&after), ToAct::Over(_));
        let outcomes: Vec<NodeId> = tree.outcomes(edge).collect();
        let found = outcomes.into_iter().filter_map(|child| {
            if is_over || context.rules.at_rest(&after) {
                return agrees(child, &after).then_some(child);
            }
            find(context, tree, child, &after, agrees)
        });
        found.max_by_key(|child| tree.node(*child).visits)
    };
    tree.tried(id).iter().filter_map(below).max_by_key(|child| tree.node(*child).visits)
}

impl<R: Rules> SelfEvaluating for Uct<R> {
    fn run(&mut self, simulations: u32) -> u32 {
        if self.is_complete() {
            return 0;
        }
        self.count(simulations);
        let (context, count) = (&self.context, self.deals.len());
        if let Some(threads) = &self.threads {
            let (each, more, next) = (simulations as usize / count, simulations as usize % count, self.next);
            let share = |index: usize| each + usize::from((index + count - next) % count < more);
            let deals = self.deals.par_iter_mut().enumerate();
            threads.install(|| {
                deals.for_each(|(index, deal)| (0..share(index)).for_each(|_| deal.simulate(context)));
            });
            self.next = (next + more) % count;
            return simulations;
        }
        for _ in 0..simulations {
            self.deals[self.next].simulate(context);
            self.next = (self.next + 1) % count;
        }
        simulations
    }

    fn step(&self) -> u32 {
        if self.threads.is_some() { STEP * self.deals.len() as u32 } else { STEP }
    }
}

impl<R: Rules> Batched for Uct<R> {
    fn gather(&mut self, room: usize, keys: &mut Vec<u128>) {
        self.gather_leaves(room);
        let key = |state: &R::State| self.context.rules.information_key(state, self.seat_of(state));
        keys.extend(self.flights.states().map(key));
    }

    fn takes_policy(&self) -> bool {
        false
    }

    fn flight(&self) -> u64 {
        self.flights.number
    }

    fn fill(&self, signature: &Signature, leaf: usize, row: &mut [f32]) {
        if let Some(planes) = self.context.rules.planes() {
            let state = self.flights.state(leaf);
            planes.fill(state, self.seat_of(state), signature, row);
        }
    }

    fn read(&mut self, signature: &Signature, leaf: usize, _: &[f32], values: &[f32]) -> Evaluation {
        self.read_leaf(signature, leaf, values)
    }

    fn absorb(&mut self, evaluations: &[Evaluation]) {
        self.absorb_leaves(evaluations);
    }

    fn cancel(&mut self) {
        self.cancel_leaves();
    }
}

impl<R: Rules> Focus for Uct<R> {
    fn focus(&mut self) -> bool {
        self.cancel_leaves();
        let state = self.focus_state();
        if !self.context.fixed.is_empty() && self.context.rules.at_rest(&state) {
            return false;
        }
        let Some(action) = self.best_action(&self.context.fixed, &state) else { return false };
        self.context.fixed.push(action);
        self.focused = 0;
        let state = self.focus_state();
        let goes_on =
            !self.context.rules.at_rest(&state) && matches!(self.context.rules.to_act(&state), ToAct::One(_));
        if goes_on && !self.context.options.keeps_trees {
            self.plant();
        }
        goes_on
    }

    fn focus_visits(&self) -> u32 {
        if self.context.fixed.is_empty() { self.visits() } else { self.focused }
    }

    fn unfocus(&mut self) {
        self.cancel_leaves();
        self.context.fixed.clear();
        if !self.context.options.keeps_trees {
            self.plant();
        }
    }
}

impl<R: Rules> Search for Uct<R> {
    fn driver(&mut self) -> Driver<'_> {
        if self.is_outside { Driver::Batched(self) } else { Driver::SelfEvaluating(self) }
    }

    fn inspect(&self) -> Option<&dyn Inspect> {
        Some(self)
    }

    fn copy(&self) -> Result<Box<dyn Search>, RuleError> {
        Ok(Box::new(self.copied()))
    }

    fn focusing(&mut self) -> Option<&mut dyn Focus> {
        Some(self)
    }

    fn advance(&mut self, text: &str) -> Result<(), RuleError> {
        let mut after = self.root.clone();
        let played = moves::play_recorded(&*self.context.rules, &mut after, text)?;
        self.cancel_leaves();
        self.context.fixed.clear();
        self.context.seat = self.context.rules.acting(&after).first().copied().unwrap_or(0);
        self.root = after;
        if played.counts && self.context.options.keeps_trees {
            for deal in &mut self.deals {
                Self::follow(&self.context, deal, &played.actions, &self.root);
            }
        } else {
            self.plant();
        }
        self.inherited = self.visits();
        self.look_ahead();
        Ok(())
    }

    fn report(&self, lines: usize) -> Report {
        self.results(lines)
    }

    fn visits(&self) -> u32 {
        self.shares().sum::<u32>() - self.flights.len()
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.deals.iter().map(|deal| size_of::<Deal<R>>() + deal.tree.bytes()).sum::<usize>()
    }

    fn bytes_for(&self, simulations: u32) -> usize {
        let rules = &*self.context.rules;
        let ToAct::One(seat) = rules.to_act(&self.root) else { return self.bytes() };
        let actions = rules.count(&self.root, seat) as usize;
        let mut after = self.deals[0].root.clone();
        if let Some(first) = self.context.ordered(&after, seat).first() {
            rules.play_unchecked(&mut after, &[*first]);
        }
        let searches = if rules.at_rest(&after) { 1 } else { 2 };
        // Each simulation adds a node at most, and most nodes of a narrow tree list their edges.
        let nodes = simulations as usize * searches;
        let fixed = size_of::<Self>() + self.deals.len() * size_of::<Deal<R>>();
        fixed + Tree::<R::Action>::bytes_for(nodes, nodes * actions, self.context.options.use_rave)
    }
}

/// Threads for the deals; `None` for fewer than two.
fn thread_pool(threads: usize) -> Option<rayon::ThreadPool> {
    if threads < 2 {
        return None;
    }
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()
}

/// The seat that acts, if one does.
fn acting<R: Rules>(rules: &R, state: &R::State) -> Option<Seat> {
    match rules.to_act(state) {
        ToAct::One(seat) => Some(seat),
        _ => None,
    }
}
