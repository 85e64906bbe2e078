//! Wins and losses within four plies: a search limited to a depth of 4 or less finds exactly those that are there.

use std::sync::Arc;

use _core::games::hive::Hive;
use _core::games::hive::action::Action;
use _core::games::hive::evaluate::Linear;
use _core::games::hive::state::State;
use _core::rules::{Rules, ToAct};
use _core::search::alphabeta::AlphaBeta;
use _core::search::alphabeta::options::Options;
use _core::search::{Search, SelfEvaluating};
use rand::prelude::*;
use rand_pcg::Pcg64Mcg;
use serde_json::json;

/// The last positions of random games that the board ended, the deepest first.
fn endings(game_type: &str, games: usize, rng: &mut Pcg64Mcg) -> Vec<(Arc<Hive>, State)> {
    let (rules, first) = Hive::setup(game_type, &json!({"plyLimit": 120})).unwrap();
    let rules = Arc::new(rules);
    let mut found = Vec::new();
    let mut ended = 0;
    while ended < games {
        let mut states = vec![first.clone()];
        let outcome = loop {
            let state = states.last().unwrap();
            match rules.to_act(state) {
                ToAct::Over(outcome) => break outcome,
                _ => states.push(played(&rules, state, choose(&rules, state, rng))),
            }
        };
        if outcome.reason == "board" {
            ended += 1;
            let states = states.into_iter().rev().skip(1).take(5);
            found.extend(states.map(|state| (Arc::clone(&rules), state)));
        }
    }
    found
}

/// A move that the evaluator's priors like, so that Queens are surrounded within a game.
fn choose(rules: &Hive, state: &State, rng: &mut Pcg64Mcg) -> Action {
    use _core::evaluator::Evaluator;
    let (mut legal, mut priors) = (Vec::new(), Vec::new());
    rules.legal(state, state.seat(), &mut legal);
    Linear::default().priors(rules, state, state.seat(), &legal, &mut priors);
    let weighted: Vec<_> = legal.into_iter().zip(priors).collect();
    weighted.choose_weighted(rng, |&(_, prior)| prior).unwrap().0
}

fn played(rules: &Hive, state: &State, action: Action) -> State {
    let mut after = state.clone();
    rules.play_unchecked(&mut after, &[action]);
    after
}

fn successors(rules: &Hive, state: &State) -> impl Iterator<Item = State> {
    let mut legal = Vec::new();
    rules.legal(state, state.seat(), &mut legal);
    legal.into_iter().map(|action| played(rules, state, action))
}

/// Whether the seat that moves wins within so many plies against every reply. Tries every move, and nothing more.
fn wins(rules: &Hive, state: &State, plies: u32) -> bool {
    let seat = state.seat();
    plies > 0
        && successors(rules, state).any(|after| match rules.to_act(&after) {
            ToAct::Over(outcome) => outcome.values(2)[seat] > 0.0,
            _ => loses(rules, &after, plies - 1),
        })
}

/// Whether the seat that moves loses within so many plies whatever it does.
fn loses(rules: &Hive, state: &State, plies: u32) -> bool {
    let seat = state.seat();
    plies > 0
        && successors(rules, state).all(|after| match rules.to_act(&after) {
            ToAct::Over(outcome) => outcome.values(2)[seat] < 0.0,
            _ => wins(rules, &after, plies - 1),
        })
}

/// How the game ends for the seat that moves within so many plies: 1, 0 or -1.
fn solve(rules: &Hive, state: &State, plies: u32) -> i32 {
    i32::from(wins(rules, state, plies)) - i32::from(loses(rules, state, plies))
}

#[test]
fn wins_and_losses_within_four_plies_are_those_of_brute_force() {
    let mut rng = Pcg64Mcg::seed_from_u64(21);
    let mut ends = [0; 3];
    for game_type in ["Base", "Base+MLP", "Base+P"] {
        for (rules, state) in endings(game_type, 4, &mut rng) {
            for depth in 1..=4 {
                let wanted = solve(&rules, &state, depth);
                let options = Options { max_depth: depth as usize, ..Options::DEFAULT };
                let evaluator = Box::new(Linear::default());
                let mut search = AlphaBeta::new(Arc::clone(&rules), state.clone(), evaluator, options, 1);
                while search.run(1 << 20) > 0 {}
                let report = search.report(1);
                let value = report.values[state.seat()];
                let found = if value.abs() == 1.0 { value as i32 } else { 0 };
                assert_eq!(found, wanted, "depth {depth}, {}", rules.view(&state, None));
                let best = rules.read(&state, state.seat(), &report.best_move.unwrap()).unwrap()[0];
                let after = played(&rules, &state, best);
                let kept = match rules.to_act(&after) {
                    ToAct::Over(outcome) => outcome.values(2)[state.seat()] as i32,
                    _ => -solve(&rules, &after, depth - 1),
                };
                assert_eq!(kept, wanted, "depth {depth}: the best move gives it away");
                ends[(wanted + 1) as usize] += 1;
            }
        }
    }
    assert!(ends.into_iter().all(|count| count > 10), "losses, neither, wins: {ends:?}");
}

#[test]
fn the_shortest_win_is_played_however_deep_the_search_is() {
    let mut rng = Pcg64Mcg::seed_from_u64(22);
    let mut count = 0;
    for game_type in ["Base", "Base+MLP"] {
        for (rules, state) in endings(game_type, 4, &mut rng) {
            let Some(plies) = [1, 3].into_iter().find(|plies| wins(&rules, &state, *plies)) else { continue };
            let (options, evaluator) = (Options::DEFAULT, Box::new(Linear::default()));
            let mut search = AlphaBeta::new(Arc::clone(&rules), state.clone(), evaluator, options, 1);
            for nodes in [2_000, 20_000] {
                search.run(nodes);
                let best = search.report(1).best_move.unwrap();
                let best = rules.read(&state, state.seat(), &best).unwrap()[0];
                let after = played(&rules, &state, best);
                let is_short = match rules.to_act(&after) {
                    ToAct::Over(outcome) => outcome.values(2)[state.seat()] > 0.0,
                    _ => loses(&rules, &after, plies - 1),
                };
                assert!(is_short, "{plies} plies after {nodes} nodes: {}", rules.view(&state, None));
            }
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}
