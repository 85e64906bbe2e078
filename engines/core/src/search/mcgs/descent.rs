//! Descents: from the root along the pairs of outcomes that the seats choose, to a position that is new, finished or
//! waits for its evaluation; and what is counted and learnt on the way back.

use rand::RngExt;

use super::Mcgs;
use super::exploration::{add_noise, forced_arm};
use super::formulas::{self, Situation};
use super::graph::{self, Edge, Kind, ROOT};
use super::options::{Selector, Stop, Ties, Weighting};
use crate::rules::{Rules, ToAct};
use crate::search::node_store::{Link, NodeId};

/// With [`Selector::RootSolve`], one of so many descents goes to a pair of the root's outcomes that has few visits.
const PAIR_PERIOD: u32 = 4;

/// A node on the path of a descent, and the pair of outcomes chosen there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) node: NodeId,
    pub(super) pair: [usize; 2],
}

/// A step for which the first descent has attached the child.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attached {
    pub(super) step: Step,
    /// Whether the child is a new node.
    pub(super) is_new: bool,
}

impl<R: Rules> Mcgs<R> {
    /// Runs one descent, with the search's own evaluator.
    pub(super) fn simulate(&mut self) {
        let mut state = self.root.clone();
        let last = self.descend(&mut state);
        self.attached.clear();
        if self.graph.node(last).kind == Kind::Pending {
            let worth = self.worth_of_state(&state);
            self.evaluate(last, worth);
            if last == ROOT {
                self.list(ROOT, &state);
                self.draw_noise();
            }
        } else {
            self.known += 1;
        }
        for at in (0..self.path.len()).rev() {
            let step = self.path[at];
            self.graph.count(step.node, step.pair);
            self.graph.refresh(step.node);
            self.learn(step);
        }
    }

    /// Descends from the root; leaves the path in `self.path`, and in `state` the position of the last node if that one
    /// is pending. Returns the last node.
    pub(super) fn descend(&mut self, state: &mut R::State) -> NodeId {
        let mut id = ROOT;
        self.path.clear();
        loop {
            match self.graph.node(id).kind {
                Kind::Over | Kind::Pending => return id,
                Kind::Leaf => self.list(id, state),
                Kind::Listed => {}
            }
            let pair = self.select(id);
            let step = Step { node: id, pair };
            self.path.push(step);
            let actions = [0, 1].map(|seat| self.graph.choices(id, seat)[pair[seat]].action);
            let edge = self.graph.edge(id, pair);
            id = if let Some(edge) = edge {
                self.rules.play_unchecked(state, &actions);
                edge.child()
            } else {
                let before = self.points_so_far(state);
                self.rules.play_unchecked(state, &actions);
                self.grow(step, before, state)
            };
            let (node, visits) = (self.graph.node(id), edge.map_or(0, |edge| edge.visits));
            if self.options.stop == Stop::Visited && node.is_evaluated() && node.total > visits {
                return id;
            }
        }
    }

    /// Makes a step lead to the node of `state`, which may be known already.
    fn grow(&mut self, step: Step, before: [f64; 2], state: &R::State) -> NodeId {
        let to_act = self.rules.to_act(state);
        let won = self.points_won(before, state, &to_act);
        let ply = self.graph.node(step.node).ply + 1;
        let known = self.graph.find(self.rules.key(state), ply);
        let child = known.unwrap_or_else(|| {
            let node = self.new_node(state, &to_act, ply);
            self.graph.add(node)
        });
        debug_assert_eq!(self.graph.node(child).kind == Kind::Over, matches!(to_act, ToAct::Over(_)));
        self.hits += u64::from(known.is_some());
        self.graph.attach(step.node, step.pair, child, won);
        self.attached.push(Attached { step, is_new: known.is_none() });
        child
    }

    /// Stores the evaluation of a node.
    pub(super) fn evaluate(&mut self, id: NodeId, worth: graph::Pair) {
        self.evaluations += 1;
        self.graph.evaluate(id, worth);
    }

    /// Lists the outcomes of an evaluated node, with the priors of the search's own evaluator.
    pub(super) fn list(&mut self, id: NodeId, state: &R::State) {
        for seat in 0..2 {
            let (actions, weights) = (&mut self.actions[seat], &mut self.weights[seat]);
            actions.clear();
            weights.clear();
            self.rules.legal(state, seat, actions);
            match &self.evaluator {
                Some(evaluator) => evaluator.priors(&self.rules, state, seat, actions, weights),
                None => weights.resize(actions.len(), 1.0),
            }
        }
        let (actions, mut weights) = (std::mem::take(&mut self.actions), std::mem::take(&mut self.weights));
        self.list_with(id, &actions, &mut weights);
        (self.actions, self.weights) = (actions, weights);
    }

    /// Lists these outcomes of an evaluated node; their weights are changed as [`Ties::Seats`] needs.
    pub(super) fn list_with(&mut self, id: NodeId, actions: &[Vec<R::Action>; 2], weights: &mut [Vec<f32>; 2]) {
        if self.options.ties == Ties::Seats {
            let node = self.graph.node(id).key() as u64 ^ self.seed;
            weights.iter_mut().enumerate().for_each(|(seat, weights)| formulas::set_apart(node, seat, weights));
        }
        self.graph.list(id, [&actions[0], &actions[1]], [&weights[0], &weights[1]]);
    }

    /// Chooses an outcome for each seat.
    fn select(&mut self, id: NodeId) -> [usize; 2] {
        match self.options.selector {
            _ if self.graph.node(id).counts() == [1, 1] => [0, 0],
            Selector::RegretMatching => [0, 1].map(|seat| self.draw(id, seat)),
            Selector::RootSolve if id == ROOT && self.is_pair_due() => self.least_visited(),
            Selector::Puct | Selector::RootSolve => self.best_scores(id),
        }
    }

    /// Whether the next descent goes to a pair of outcomes of the root that has few visits.
    fn is_pair_due(&self) -> bool {
        let root = self.graph.node(ROOT);
        (root.total + u32::from(root.in_flight)).is_multiple_of(PAIR_PERIOD)
    }

    /// The first of the root's pairs with the fewest visits.
    fn least_visited(&self) -> [usize; 2] {
        let visits = self.root_table(0, |edge| edge.visits);
        let pairs = (0..visits.len()).flat_map(|row| (0..visits[row].len()).map(move |column| [row, column]));
        pairs.min_by_key(|[row, column]| visits[*row][*column]).unwrap_or([0, 0])
    }

    fn best_scores(&mut self, id: NodeId) -> [usize; 2] {
        self.graph.sum_up(id, self.options.utility, self.options.puct.weighting, &mut self.arms);
        let forced = if id == ROOT { self.options.exploration.forced } else { 0.0 };
        if id == ROOT {
            add_noise(self.options.exploration.noise_fraction, &self.noise, &mut self.arms);
        }
        let node = self.graph.node(id);
        let values = graph::utilities(self.options.utility, node.value);
        let (scale, visits, puct) = (f64::from(node.scale), node.total, &self.options.puct);
        [0, 1].map(|seat| {
            let situation = Situation { value: values[seat], scale, visits };
            if forced > 0.0
                && let Some(arm) = forced_arm(forced, situation, &self.arms[seat])
            {
                return arm;
            }
            formulas::puct_scores(puct, situation, &self.arms[seat], &mut self.scores);
            formulas::best_score(puct.profile, &self.scores, &self.arms[seat])
        })
    }

    /// Draws an outcome by regret matching.
    fn draw(&mut self, id: NodeId, seat: usize) -> usize {
        let regrets = self.graph.regrets(id, seat);
        let count = regrets.len();
        let strategy = formulas::matched(regrets.iter().map(|known| known.regret));
        formulas::drawn(strategy.map(|share| formulas::explored(share, count)), self.rng.random())
    }

    /// Adds what each seat would have won with its other outcomes to their regrets, which never fall below 0, and the
    /// strategy it had to its average strategy. A pair that was not tried counts as the mean of its outcome, or as the node
    /// if that was never tried.
    pub(super) fn learn(&mut self, step: Step) {
        if self.options.selector != Selector::RegretMatching {
            return;
        }
        let utility = self.options.utility;
        self.graph.sum_up(step.node, utility, Weighting::Conditional, &mut self.arms);
        let node = self.graph.node(step.node);
        let untried = graph::utilities(utility, node.value);
        let counts = node.counts();
        for seat in (0..2).filter(|seat| counts[*seat] > 1) {
            self.scores.clear();
            self.scores.extend(self.arms[seat].iter().map(|arm| arm.mean_or(untried[seat])));
            let answers = |edge: &&Edge| edge.visits > 0 && edge.pair()[1 - seat] == step.pair[1 - seat];
            for edge in self.graph.edges(step.node).iter().filter(answers) {
                self.scores[edge.pair()[seat]] = graph::utilities(utility, self.graph.worth(edge))[seat];
            }
            let chosen = self.scores[step.pair[seat]];
            let regrets = self.graph.regrets_mut(step.node, seat);
            let strategy: Vec<f64> = formulas::matched(regrets.iter().map(|known| known.regret)).collect();
            for ((known, worth), share) in regrets.iter_mut().zip(&self.scores).zip(strategy) {
                known.strategy += share;
                known.regret = (known.regret + worth - chosen).max(0.0);
            }
        }
    }
}
