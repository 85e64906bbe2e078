//! Laws of the graph, on random small boards, and a search by running means that a tree must agree with.

use std::collections::HashMap;

use _core::evaluator::{Evaluator, Zero};
use _core::rules::{Rules, ToAct};
use _core::search::SelfEvaluating;
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::formulas::{Arm, Situation, best_score, puct_scores};
use _core::search::mcgs::graph::{Kind, ROOT};
use _core::search::mcgs::options::{Options, Stop, Utility, Weighting};
use _core::search::node_store::{Link, NO_CHILD, NodeId};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::race::{Nearness, Race, Share, State};

const POSITIONS: u64 = 200;

/// Everything that holds after every descent. `owns` has the evaluations known before.
fn sound(search: &Mcgs<Race>, options: &Options, owns: &mut HashMap<NodeId, [f64; 2]>) {
    let (graph, root) = (search.graph(), search.root_statistics());
    let mut attached = 0;
    for id in 0..graph.size() as NodeId {
        let node = graph.node(id);
        assert_eq!(graph.inconsistency(id), None, "node {id}");
        assert!(node.is_evaluated() && node.in_flight == 0, "nothing waits");
        assert!((0..2).all(|seat| graph.choices(id, seat).iter().all(|choice| choice.in_flight == 0)));
        assert_eq!(*owns.entry(id).or_insert(node.own), node.own, "an evaluation never changes");
        assert!(node.value.iter().all(|value| *value >= 0.0));
        assert!(node.value[0] + node.value[1] <= f64::from(node.scale) + 1e-9, "no more than what remains");
        for edge in graph.edges(id).iter().filter(|edge| edge.child() != NO_CHILD) {
            attached += 1;
            let child = graph.node(edge.child());
            let is_enough = child.kind == Kind::Over || child.total + 1 >= edge.visits;
            assert!(is_enough || options.stop == Stop::Visited, "a child has the visits of each parent");
        }
    }
    assert_eq!(graph.size() as u64 + root.hits - 1, attached, "an edge adds a node or finds one");
    let own = graph.node(ROOT).own[0];
    let sums = root.visits.chunks(root.actions[1].len()).zip(&root.means[0]);
    let sum: f64 = sums.map(|(row, mean)| f64::from(row.iter().sum::<u32>()) * mean.unwrap_or(0.0)).sum();
    let total = f64::from(graph.node(ROOT).total);
    assert!(((own + sum) / (1.0 + total) - root.value[0]).abs() < 1e-9, "the mean of the outcomes' means");
}

#[test]
fn every_descent_keeps_the_laws() {
    let mut rng = Pcg64::seed_from_u64(3);
    for number in 0..POSITIONS {
        let options = [
            json!({"utility": "own"}),
            json!({}),
            json!({"table": false}),
            json!({"short_circuit": true}),
            json!({"selector": "rm"}),
            json!({"profile": "seed"}),
            json!({"weighting": "prior", "unit": "points"}),
            json!({"weighting": "marginal", "fpu": "constant"}),
            json!({"weighting": "blend"}),
            json!({"sweep": true}),
        ];
        let options = Options::read(&options[number as usize % options.len()]).unwrap();
        let (race, start) = Race::random(&mut rng);
        let mut search = match number % 3 {
            0 => race.search(start, Zero, options.clone()),
            1 => race.search(start, Share, options.clone()),
            _ => race.search(start, Nearness, options.clone()),
        };
        let mut owns = HashMap::new();
        for _ in 0..60 {
            assert_eq!(search.run(1), 1);
            sound(&search, &options, &mut owns);
        }
    }
}

/// A tree whose nodes sum up what descents have backed up.
struct Mean<'r> {
    rules: &'r Race,
    state: State,
    own: [f64; 2],
    sum: [f64; 2],
    legal: [Vec<u8>; 2],
    weights: [Vec<f32>; 2],
    /// By pair: visits, sums and the child.
    tried: HashMap<[usize; 2], (u32, [f64; 2], Self)>,
    visits: u32,
}

impl<'r> Mean<'r> {
    fn new(rules: &'r Race, state: State, evaluator: &dyn Evaluator<Race>) -> Self {
        let (mut legal, mut weights) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        let is_over = matches!(rules.to_act(&state), ToAct::Over(_));
        let own = if is_over { None } else { evaluator.future_points(rules, &state) };
        for seat in 0..2 {
            rules.legal(&state, seat, &mut legal[seat]);
            evaluator.priors(rules, &state, seat, &legal[seat], &mut weights[seat]);
        }
        let own = own.map_or([0.0; 2], |own| [own[0], own[1]]);
        Self { rules, state, own, sum: own, legal, weights, tried: HashMap::new(), visits: 0 }
    }

    fn choose(&self, seat: usize, options: &Options) -> usize {
        let arm = |(outcome, weight): (usize, &f32)| {
            let tried = || self.tried.iter().filter(|(pair, _)| pair[seat] == outcome).map(|(_, tried)| tried);
            let (visits, sum): (u32, f64) =
                (tried().map(|tried| tried.0).sum(), tried().map(|tried| tried.1[seat]).sum());
            Arm { visits, in_flight: 0, weight: *weight, mean: sum / f64::from(visits.max(1)) }
        };
        let arms: Vec<Arm> = self.weights[seat].iter().enumerate().map(arm).collect();
        let value = self.sum[seat] / (1.0 + f64::from(self.visits));
        let scale = f64::from(self.state.cheese.count_ones().max(1));
        let mut scores = Vec::new();
        puct_scores(&options.puct, Situation { value, scale, visits: self.visits }, &arms, &mut scores);
        best_score(options.puct.profile, &scores, &arms)
    }

    /// One descent below the node; returns what it backs up.
    fn descend(&mut self, options: &Options, evaluator: &dyn Evaluator<Race>) -> [f64; 2] {
        if self.legal[0].is_empty() {
            return [0.0; 2];
        }
        let pair = [0, 1].map(|seat| self.choose(seat, options));
        let mut after = self.state.clone();
        self.rules.play_unchecked(&mut after, &[self.legal[0][pair[0]], self.legal[1][pair[1]]]);
        let won = [0, 1].map(|seat| f64::from(after.halves[seat] - self.state.halves[seat]) / 2.0);
        let worth = match self.tried.get_mut(&pair) {
            Some((_, _, child)) => child.descend(options, evaluator),
            None => {
                let child = Self::new(self.rules, after, evaluator);
                let own = child.own;
                self.tried.insert(pair, (0, [0.0; 2], child));
                own
            }
        };
        self.visits += 1;
        let tried = self.tried.get_mut(&pair).unwrap();
        tried.0 += 1;
        [0, 1].map(|seat| {
            let worth = won[seat] + worth[seat];
            tried.1[seat] += worth;
            self.sum[seat] += worth;
            worth
        })
    }
}

#[test]
fn a_tree_is_the_same_as_running_means() {
    let mut rng = Pcg64::seed_from_u64(8);
    let options = Options::read(&json!({"ties": "index", "utility": "own", "table": false})).unwrap();
    for number in 0..POSITIONS {
        let (race, start) = Race::random(&mut rng);
        let share = number % 2 == 0;
        let evaluator: &dyn Evaluator<Race> = if share { &Share } else { &Nearness };
        let mut search = match share {
            true => race.clone().search(start.clone(), Share, options.clone()),
            false => race.clone().search(start.clone(), Nearness, options.clone()),
        };
        search.run(1);
        let mut tree = Mean::new(&race, start, evaluator);
        for _ in 0..150 {
            search.run(1);
            tree.descend(&options, evaluator);
        }
        let root = search.root_statistics();
        let columns = root.actions[1].len();
        for (index, visits) in root.visits.iter().enumerate() {
            let tried = tree.tried.get(&[index / columns, index % columns]);
            assert_eq!(tried.map_or(0, |tried| tried.0), *visits, "position {number}");
        }
        let value = tree.sum.map(|sum| sum / (1.0 + f64::from(tree.visits)));
        assert!((0..2).all(|seat| (value[seat] - root.value[seat]).abs() < 1e-9), "position {number}");
    }
}

#[test]
fn means_weigh_the_answers_of_the_other_seat() {
    let mut rng = Pcg64::seed_from_u64(9);
    for _ in 0..POSITIONS {
        let (race, start) = Race::random(&mut rng);
        let mut search = race.search(start, Nearness, Options::rec());
        search.run(60);
        let graph = search.graph();
        let mut arms = [Vec::new(), Vec::new()];
        graph.sum_up(ROOT, Utility::Own, Weighting::Conditional, &mut arms);
        let visits =
            [0, 1].map(|seat| arms[seat].iter().map(|arm: &Arm| f64::from(arm.visits)).collect::<Vec<_>>());
        for weighting in [Weighting::Conditional, Weighting::Prior, Weighting::Marginal, Weighting::Blend] {
            graph.sum_up(ROOT, Utility::Own, weighting, &mut arms);
            for (seat, outcome) in
                (0..2).flat_map(|seat| (0..arms[seat].len()).map(move |outcome| (seat, outcome)))
            {
                let other = graph.choices(ROOT, 1 - seat);
                let total: f64 = other.iter().map(|choice| f64::from(choice.weight)).sum();
                let share = |answer: usize, together: u32| match weighting {
                    Weighting::Conditional => f64::from(together),
                    Weighting::Prior => f64::from(other[answer].weight),
                    Weighting::Marginal => visits[1 - seat][answer],
                    Weighting::Blend => f64::from(other[answer].weight) / total + visits[1 - seat][answer],
                };
                let tried =
                    graph.edges(ROOT).iter().filter(|edge| edge.visits > 0 && edge.pair()[seat] == outcome);
                let shares =
                    tried.map(|edge| (share(edge.pair()[1 - seat], edge.visits), graph.worth(edge)[seat]));
                let (sum, shares) =
                    shares.fold((0.0, 0.0), |sums, (share, worth)| (sums.0 + share * worth, sums.1 + share));
                let mean = if shares == 0.0 { 0.0 } else { sum / shares };
                assert!((arms[seat][outcome].mean - mean).abs() < 1e-9, "{weighting:?}");
            }
        }
    }
}

#[test]
fn a_sweep_leaves_no_value_out_of_date_and_changes_nothing_in_a_tree() {
    let mut rng = Pcg64::seed_from_u64(10);
    let mut changed = 0;
    for _ in 0..POSITIONS {
        let (race, start) = Race::random(&mut rng);
        for shared in [true, false] {
            let [swept, not] = [true, false].map(|sweep| {
                let options = Options::read(&json!({"sweep": sweep, "table": shared})).unwrap();
                let mut search = race.clone().search(start.clone(), Nearness, options);
                search.run(200);
                search
            });
            for id in (0..swept.graph().size() as NodeId).filter(|id| swept.graph().node(*id).kind == Kind::Listed)
            {
                let [fresh, old] = [&swept, &not].map(|search| search.graph().node(id).value);
                assert_eq!(fresh, swept.graph().computed(id));
                assert!(shared || fresh == old);
                changed += u32::from(fresh != old);
            }
        }
    }
    assert!(changed > 0, "a graph has values that are out of date");
}

#[test]
fn a_position_depends_on_its_score() {
    let race = Race { size: 3, turns: 9, total: 3, walls: Vec::new(), mud: Vec::new() };
    let (race, mut start) = race.start(&[(1, 0), (1, 1), (0, 2)]);
    start.at[1] = (2, 1);
    let after = |moves: [[u8; 2]; 2]| {
        let mut state = start.clone();
        moves.iter().for_each(|pair| race.play_unchecked(&mut state, pair));
        state
    };
    let (won, running) = (after([[1, 4], [0, 4]]), after([[1, 3], [0, 1]]));
    assert_eq!((won.at, won.cheese, won.turn), (running.at, running.cheese, running.turn));
    assert!(matches!(race.to_act(&won), ToAct::Over(_)) && matches!(race.to_act(&running), ToAct::Together));
    let options = Options::read(&Value::Null).unwrap();
    let mut search = race.clone().search(start.clone(), Share, options);
    search.run(3000);
    let found = |state: &State| search.graph().find(race.key(state), 2).map(|id| search.graph().node(id).kind);
    assert_eq!(found(&won), Some(Kind::Over));
    assert!(matches!(found(&running), Some(Kind::Leaf | Kind::Listed)));
}
