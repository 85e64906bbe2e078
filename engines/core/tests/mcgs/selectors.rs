//! Policies of the selectors against exact solutions of small games.

use std::collections::HashMap;
use std::sync::Arc;

use _core::evaluator::Zero;
use _core::games::toys::goofspiel::{Goofspiel, State};
use _core::rules::{Rules, ToAct};
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::options::Options;
use _core::search::{SelfEvaluating, matrix_game};
use serde_json::{Value, json};

/// Exact differences of points in Goofspiel, by backward induction.
struct Oracle {
    rules: Goofspiel,
    known: HashMap<u128, f64>,
}

impl Oracle {
    fn value(&mut self, state: &State) -> f64 {
        let key = self.rules.key(state);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let value = match self.rules.to_act(state) {
            ToAct::Over(outcome) => {
                let scores = outcome.scores.unwrap();
                f64::from(scores[0] - scores[1])
            }
            _ => matrix_game::solve(&self.payoffs(state)).value,
        };
        self.known.insert(key, value);
        value
    }

    /// The matrix of exact values behind each pair of cards.
    fn payoffs(&mut self, state: &State) -> Vec<Vec<f64>> {
        let legal = [0, 1].map(|seat| {
            let mut legal = Vec::new();
            self.rules.legal(state, seat, &mut legal);
            legal
        });
        let mut after = |first: u8, second: u8| {
            let mut after = state.clone();
            self.rules.play_unchecked(&mut after, &[first, second]);
            self.value(&after)
        };
        legal[0].iter().map(|first| legal[1].iter().map(|second| after(*first, *second)).collect()).collect()
    }

    /// How many points both seats together lose by the policies of the root, if all later play is exact.
    fn exploitability(&mut self, state: &State, policies: &[Vec<f64>; 2]) -> f64 {
        let payoffs = self.payoffs(state);
        let of_row = |row: &Vec<f64>| row.iter().zip(&policies[1]).map(|(payoff, share)| payoff * share).sum();
        let of_column =
            |column: usize| payoffs.iter().zip(&policies[0]).map(|(row, share)| row[column] * share).sum();
        let best: f64 = payoffs.iter().map(of_row).fold(f64::NEG_INFINITY, f64::max);
        best - (0..payoffs[0].len()).map(of_column).fold(f64::INFINITY, f64::min)
    }
}

/// Positions of Goofspiel with three, four and five cards.
const POSITIONS: [(u64, &[&str]); 6] =
    [(3, &[]), (4, &[]), (4, &["1/3"]), (5, &["2/2"]), (5, &["1/5", "2/1"]), (5, &["4/1"])];

fn play(cards: u64, texts: &[&str]) -> (Goofspiel, State) {
    let (rules, mut state) = Goofspiel::setup("standard", &json!({"cards": cards})).unwrap();
    for text in texts {
        _core::moves::play_recorded(&rules, &mut state, text).unwrap();
    }
    (rules, state)
}

fn search(cards: u64, texts: &[&str], options: &Value, seed: u64) -> Mcgs<Goofspiel> {
    let (rules, state) = play(cards, texts);
    Mcgs::new(Arc::new(rules), state, Some(Box::new(Zero)), Options::read(options).unwrap(), seed)
}

/// The mean exploitability over all positions, and the largest error of the value.
fn measured(options: &Value, simulations: u32) -> (f64, f64) {
    let (mut sum, mut error) = (0.0, 0.0_f64);
    for (cards, texts) in POSITIONS {
        let (rules, state) = play(cards, texts);
        let mut oracle = Oracle { rules, known: HashMap::new() };
        let mut search = search(cards, texts, options, 1);
        search.run(simulations);
        let root = search.root_statistics();
        sum += oracle.exploitability(&state, &root.policies);
        let scores = oracle.rules.scores(&state).unwrap();
        let found = f64::from(scores[0] - scores[1]) + root.value[0] - root.value[1];
        error = error.max((found - oracle.value(&state)).abs());
    }
    (sum / POSITIONS.len() as f64, error)
}

#[test]
fn regret_matching_is_exploited_less_the_longer_it_searches() {
    let options = json!({"selector": "rm"});
    let found = [100, 1000, 10_000, 100_000].map(|simulations| measured(&options, simulations));
    assert!(found.is_sorted_by(|a, b| a.0 > b.0), "{found:?}");
    assert!(found[3].0 < 0.7 && found[3].0 < found[0].0 / 8.0, "{found:?}");
    assert!(found[3].1 < 0.8, "{found:?}");
}

#[test]
fn solving_the_root_is_exploited_less_than_its_visits() {
    for simulations in [1000, 10_000, 100_000] {
        let solved = measured(&json!({"selector": "puct+rootsolve"}), simulations);
        let visits = measured(&json!({"selector": "puct"}), simulations);
        assert!(solved.0 < visits.0 / 2.0, "{solved:?}, {visits:?}");
        assert!(solved.0 < 0.4, "{solved:?}");
    }
}

/// At its start, Goofspiel looks the same from both seats.
#[test]
fn seats_that_do_not_move_in_step_are_exploited_less() {
    let [seats, index] = ["seats", "index"].map(|ties| measured(&json!({"ties": ties}), 10_000).0);
    assert!(seats < index / 2.0, "{seats}, {index}");
}
