//! Results of a graph search: policies, the move to play, candidates and principal variations.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::Mcgs;
use super::formulas::{self, Arm, Situation};
use super::graph::{self, Edge, Kind, Pair, ROOT};
use super::options::{Selector, Weighting};
use crate::moves;
use crate::rules::{MAX_SEATS, Rules, ToAct, Values};
use crate::search::matrix_game;
use crate::search::node_store::{Link, NodeId};
use crate::search::{Line, Policy, Report};

/// Maximum number of joint moves in a principal variation.
const PV_MOVES: usize = 6;

/// An outcome that is about as good as the best one is worth at most this share of the utilities' scale less, and has at
/// least this share of its probability. The larger the errors of a search, the less it may be worth and probable.
const EQUAL: f64 = 0.02;
const TRIED: f64 = 0.1;

/// What is drawn without need is worth at most so many points less: a turn lost at the start of a large board costs more
/// than [`EQUAL`] allows. And an outcome must be worth more than that to be played instead of one that goes on with what
/// the last one began.
const SLIGHTLY: f64 = 0.1;

/// So many points more in a search with large errors. Its values change from position to position, and would draw it to
/// and fro.
const CLEARLY: f64 = 0.5;

/// What the root knows; pairs of outcomes are in the order of the first seat's.
#[derive(Debug, Clone, PartialEq)]
pub struct RootStatistics<A> {
    /// The outcomes of each seat.
    pub actions: [Vec<A>; 2],
    /// Visits of each pair.
    pub visits: Vec<u32>,
    /// What each seat expects.
    pub value: Pair,
    /// The mean of what each seat expects, for each of its outcomes; `None` without visits.
    pub means: [Vec<Option<f64>>; 2],
    /// The policy of each seat.
    pub policies: [Vec<f64>; 2],
    /// Positions evaluated since the search was opened.
    pub evaluations: u64,
    /// Pairs that led to a known position since the search was opened.
    pub hits: u64,
}

impl<R: Rules> Mcgs<R> {
    /// What the root knows.
    #[must_use]
    pub fn root_statistics(&self) -> RootStatistics<R::Action> {
        let mut arms = [Vec::new(), Vec::new()];
        if self.graph.node(ROOT).kind == Kind::Listed {
            self.graph.sum_up(ROOT, super::Utility::Own, Weighting::Conditional, &mut arms);
        }
        let mean = |arm: &Arm| (arm.visits > 0).then(|| arm.mean_or(0.0));
        RootStatistics {
            actions: [0, 1]
                .map(|seat| self.graph.choices(ROOT, seat).iter().map(|choice| choice.action).collect()),
            visits: self.root_table(0, |edge| edge.visits).concat(),
            value: self.graph.node(ROOT).value,
            means: arms.map(|arms| arms.iter().map(mean).collect()),
            policies: self.policies(),
            evaluations: self.evaluations,
            hits: self.hits,
        }
    }

    /// The policy of each seat; empty before the first simulation.
    pub(super) fn policies(&self) -> [Vec<f64>; 2] {
        let node = self.graph.node(ROOT);
        if node.kind != Kind::Listed {
            return [Vec::new(), Vec::new()];
        }
        match self.options.selector {
            _ if node.total == 0 => [0, 1].map(|seat| {
                let weights = self.graph.choices(ROOT, seat).iter().map(|choice| f64::from(choice.weight));
                normalised(weights.collect())
            }),
            Selector::Puct => {
                let shares = |arms: Vec<Arm>| normalised(arms.iter().map(|arm| f64::from(arm.visits)).collect());
                self.root_arms().map(shares)
            }
            Selector::RegretMatching => [0, 1].map(|seat| {
                let sums = self.graph.regrets(ROOT, seat).iter().map(|known| known.strategy);
                if sums.len() == 1 { vec![1.0] } else { normalised(sums.collect()) }
            }),
            Selector::RootSolve => {
                let solution = matrix_game::solve(&self.root_payoffs());
                [solution.rows, solution.columns]
            }
        }
    }

    pub(super) fn root_arms(&self) -> [Vec<Arm>; 2] {
        let mut arms = [Vec::new(), Vec::new()];
        self.graph.sum_up(ROOT, self.options.utility, self.options.puct.weighting, &mut arms);
        arms
    }

    /// The root for a seat that expects this utility.
    pub(super) fn root_situation(&self, value: f64) -> Situation {
        let root = self.graph.node(ROOT);
        Situation { value, scale: f64::from(root.scale), visits: root.total }
    }

    /// The root's matrix game. A pair without visits counts as the root's value.
    fn root_payoffs(&self) -> Vec<Vec<f64>> {
        let payoff = |worth: Pair| graph::utilities(self.options.utility, worth)[0];
        self.root_table(payoff(self.graph.node(ROOT).value), |edge| payoff(self.graph.worth(edge)))
    }

    /// What the visited edges of the root say, in a row for each outcome of the first seat; `otherwise` for the other
    /// pairs.
    pub(super) fn root_table<T: Clone>(&self, otherwise: T, of: impl Fn(&Edge) -> T) -> Vec<Vec<T>> {
        let [rows, columns] = self.graph.node(ROOT).counts();
        let mut table = vec![vec![otherwise; columns]; rows];
        for edge in self.graph.edges(ROOT).iter().filter(|edge| edge.visits > 0) {
            let [row, column] = edge.pair();
            table[row][column] = of(edge);
        }
        table
    }

    /// The outcomes to play; `None` before the first simulation.
    fn chosen(&self, policies: &[Vec<f64>; 2]) -> Option<[usize; 2]> {
        if policies[0].is_empty() {
            return None;
        }
        let temperature = self.options.temperature();
        if temperature == 0.0 {
            return Some(self.most_probable(policies));
        }
        // The same draw for every report on this position.
        let key = self.graph.node(ROOT).key();
        let mut rng = Pcg64::seed_from_u64(self.seed ^ key as u64);
        Some([0, 1].map(|seat| {
            let most = policies[seat].iter().copied().fold(0.0, f64::max);
            let shares = policies[seat].iter().map(|share| (share / most).powf(1.0 / temperature)).collect();
            formulas::drawn(normalised(shares), rng.random())
        }))
    }

    /// For each seat the most probable outcome of those that lead it astray; else of those that go on with what the last one
    /// began, unless another one is clearly better; else of those that are about as good as the best one and hasten what it
    /// wins; else of all. Among equals it is the one with the highest mean, then the highest weight, then the first one. A
    /// search with errors sometimes draws one that is about as good.
    fn most_probable(&self, policies: &[Vec<f64>; 2]) -> [usize; 2] {
        let arms = self.root_arms();
        [0, 1].map(|seat| {
            let rank = |index: &usize| {
                let arm = &arms[seat][*index];
                (policies[seat][*index], arm.mean_or(f64::NEG_INFINITY), f64::from(arm.weight))
            };
            let compare = |a: &usize, b: &usize| {
                let (a, b) = (rank(a), rank(b));
                a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
            };
            // The last of the largest ones in reverse order is the first one.
            let most = |among: &dyn Fn(&usize) -> bool| (0..arms[seat].len()).rev().filter(among).max_by(compare);
            if let Some(astray) = most(&|index| self.leads_astray(seat, *index)) {
                return astray;
            }
            let best = most(&|_| true).unwrap_or(0);
            let on = most(&|index| rank(index).0 > 0.0 && self.goes_on(seat, *index));
            let on = on.filter(|on| rank(&best).1 < rank(on).1 + self.clearly());
            let is_equal = |index: &usize, tried: f64, less: f64| {
                let (share, mean, _) = rank(index);
                share > 0.0 && share >= tried * rank(&best).0 && mean >= rank(&best).1 - less
            };
            let less = self.equal(SLIGHTLY);
            let equal: Vec<usize> = (0..arms[seat].len()).filter(|index| is_equal(index, TRIED, less)).collect();
            let tried = TRIED * self.errors.sharpness();
            let key = self.graph.node(ROOT).key();
            match self.errors.draw(key, seat, equal.len()) {
                Some(drawn) if !equal.is_empty() => equal[drawn],
                _ => on
                    .or_else(|| {
                        let less = self.equal(f64::INFINITY);
                        most(&|index| is_equal(index, tried, less) && self.hastens(seat, *index))
                    })
                    .unwrap_or(best),
            }
        })
    }

    /// By how much less an outcome of the root may be worth than the best one to count as about equally good: without
    /// large errors, at most by so many points.
    fn equal(&self, most: f64) -> f64 {
        let scale = f64::from(self.graph.node(ROOT).scale);
        (EQUAL * scale).min(most) + self.errors.blur() * scale
    }

    /// By how much more an outcome must be worth to be played instead of one that goes on.
    fn clearly(&self) -> f64 {
        if self.errors.blur() > 0.0 { CLEARLY.max(self.equal(f64::INFINITY)) } else { self.equal(SLIGHTLY) }
    }

    fn goes_on(&self, seat: usize, outcome: usize) -> bool {
        let evaluator = self.evaluator.as_ref().filter(|_| self.options.sooner);
        let action = self.graph.choices(ROOT, seat)[outcome].action;
        evaluator
            .zip(self.before.as_ref())
            .is_some_and(|(evaluator, before)| evaluator.goes_on(&self.rules, before, &self.root, seat, action))
    }

    fn hastens(&self, seat: usize, outcome: usize) -> bool {
        let evaluator = self.evaluator.as_ref().filter(|_| self.options.sooner);
        let action = self.graph.choices(ROOT, seat)[outcome].action;
        evaluator.is_some_and(|evaluator| evaluator.hastens(&self.rules, &self.root, seat, action))
    }

    pub(super) fn results(&self, count: usize) -> Report {
        let policies = self.policies();
        let chosen = self.chosen(&policies);
        Report {
            best_move: chosen.map(|pair| self.text(ROOT, &self.root, pair)),
            values: self.values(),
            points: self.points(),
            policies: if chosen.is_some() { self.named(&policies) } else { Vec::new() },
            visits: crate::search::Search::visits(self),
            inherited: self.inherited,
            nodes: self.graph.size(),
            depth: 0,
            lines: self.lines(count, chosen),
        }
    }

    fn values(&self) -> Values {
        let root = self.graph.node(ROOT);
        match (self.rules.to_act(&self.root), root.kind) {
            (ToAct::Over(outcome), _) => outcome.values(2),
            (_, Kind::Pending) => match &self.evaluator {
                Some(evaluator) => evaluator.value(&self.rules, &self.root),
                None => [0.0; MAX_SEATS],
            },
            _ => self.values_of(&self.root, root.value),
        }
    }

    fn points(&self) -> Option<Values> {
        let root = self.graph.node(ROOT);
        match (self.rules.to_act(&self.root), root.kind) {
            (ToAct::Over(outcome), _) => outcome.scores,
            (_, Kind::Pending) => self.evaluator.as_ref()?.estimate(&self.rules, &self.root).points,
            _ => self.points_of(root.value),
        }
    }

    /// The policies with the texts of the moves, most probable first.
    fn named(&self, policies: &[Vec<f64>; 2]) -> Vec<Policy> {
        let of_seat = |seat: usize| {
            let choices = self.graph.choices(ROOT, seat).iter().zip(&policies[seat]);
            let text = |action: R::Action| self.rules.write(&self.root, seat, &[action]);
            let mut policy: Policy = choices.map(|(choice, share)| (text(choice.action), *share as f32)).collect();
            policy.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            policy
        };
        vec![of_seat(0), of_seat(1)]
    }

    /// Joint moves: the one to play, then the others by visits. Values are those of the first seat.
    fn lines(&self, count: usize, chosen: Option<[usize; 2]>) -> Vec<Line> {
        let mut order: Vec<&Edge> = self.graph.edges(ROOT).iter().filter(|edge| edge.visits > 0).collect();
        order.sort_by_key(|edge| (Some(edge.pair()) != chosen, std::cmp::Reverse(edge.visits)));
        order.into_iter().take(count).map(|edge| self.line(edge)).collect()
    }

    fn line(&self, edge: &Edge) -> Line {
        let pv = self.variation(edge);
        let value = self.values_of(&self.root, self.graph.worth(edge))[0];
        let points = self.points_of(self.graph.worth(edge));
        Line { text: pv[0].clone(), visits: edge.visits, value, pv, points }
    }

    /// A pair of the root, followed by the most visited ones.
    fn variation(&self, edge: &Edge) -> Vec<String> {
        let (mut id, mut state, mut next, mut pv) = (ROOT, self.root.clone(), Some(edge), Vec::new());
        while let Some(edge) = next.filter(|_| pv.len() < PV_MOVES) {
            let pair = edge.pair();
            pv.push(self.text(id, &state, pair));
            let actions = [0, 1].map(|seat| self.graph.choices(id, seat)[pair[seat]].action);
            self.rules.play_unchecked(&mut state, &actions);
            id = edge.child();
            next = self.most_visited(id);
        }
        pv
    }

    /// The first of the most visited edges.
    pub(super) fn most_visited(&self, id: NodeId) -> Option<&Edge> {
        self.graph.edges(id).iter().rev().filter(|edge| edge.visits > 0).max_by_key(|edge| edge.visits)
    }

    /// The text of a joint move.
    pub(super) fn text(&self, id: NodeId, state: &R::State, pair: [usize; 2]) -> String {
        let write = |seat: usize| {
            let action = self.graph.choices(id, seat)[pair[seat]].action;
            self.rules.write(state, seat, &[action])
        };
        moves::join(&[write(0), write(1)])
    }
}

pub(super) fn normalised(mut shares: Vec<f64>) -> Vec<f64> {
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    shares
}
