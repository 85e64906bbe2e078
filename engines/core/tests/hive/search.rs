//! The alpha-beta search with Hive's evaluator: values against plain minimax, wins in a few plies, memory.

use std::sync::Arc;

use _core::evaluator::Evaluator;
use _core::games::hive::Hive;
use _core::games::hive::evaluate::Native;
use _core::games::hive::state::State;
use _core::moves;
use _core::rules::{Rules, SHARED_WIN, Seat, ToAct};
use _core::search::alphabeta::AlphaBeta;
use _core::search::alphabeta::options::Options;
use _core::search::{Search, SelfEvaluating};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;
use serde_json::json;

/// Positions in which the seat that moves wins in three plies.
fn wins_in_three() -> impl Iterator<Item = &'static str> {
    include_str!("../data/hive/wins.txt").lines().filter(|line| !line.starts_with('#'))
}

fn start(game: &str) -> (Arc<Hive>, State) {
    let name = game.split(';').next().unwrap();
    let (rules, state) = Hive::setup(name, &json!({"gameString": game})).unwrap();
    (Arc::new(rules), state)
}

fn search(rules: &Arc<Hive>, state: &State, options: Options) -> AlphaBeta<Hive> {
    AlphaBeta::new(Arc::clone(rules), state.clone(), Box::new(Native::default()), options, 3)
}

fn finish(search: &mut AlphaBeta<Hive>) {
    while search.run(1 << 20) > 0 {}
}

fn seat_of(rules: &Hive, state: &State) -> Option<Seat> {
    match rules.to_act(state) {
        ToAct::One(seat) => Some(seat),
        _ => None,
    }
}

/// Positions of random games, one every few plies.
fn random_positions(count: usize) -> Vec<(Arc<Hive>, State)> {
    let mut rng = Pcg64::seed_from_u64(5);
    let mut found = Vec::new();
    let (rules, first) = start("Base+MLP");
    let mut state = first.clone();
    while found.len() < count {
        for _ in 0..7 {
            let Some(seat) = seat_of(&rules, &state) else { break };
            let mut legal = Vec::new();
            rules.legal(&state, seat, &mut legal);
            rules.play_unchecked(&mut state, &[*legal.choose(&mut rng).unwrap()]);
        }
        match seat_of(&rules, &state) {
            Some(_) if state.ply() < 40 => found.push((Arc::clone(&rules), state.clone())),
            _ => state = first.clone(),
        }
    }
    found
}

/// The value for the seat that moves by plain minimax.
fn minimax(rules: &Hive, state: &State, depth: u32) -> f32 {
    let seat = seat_of(rules, state).unwrap();
    if depth == 0 {
        return Native::default().value(rules, state)[seat];
    }
    let value = |after: State| match rules.to_act(&after) {
        ToAct::Over(outcome) => outcome.values(2, SHARED_WIN)[seat],
        _ => -minimax(rules, &after, depth - 1),
    };
    moves::successors(rules, state).into_iter().map(value).fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn the_value_is_that_of_minimax() {
    for (rules, state) in random_positions(8) {
        for depth in 1..=2 {
            let options = Options { reductions: false, max_depth: depth, ..Options::DEFAULT };
            let mut search = search(&rules, &state, options);
            finish(&mut search);
            let seat = seat_of(&rules, &state).unwrap();
            let (found, wanted) = (search.report(1).values[seat], minimax(&rules, &state, depth as u32));
            assert!((found - wanted).abs() < 1e-5, "ply {} depth {depth}: {found}, not {wanted}", state.ply());
        }
    }
}

#[test]
fn a_win_in_three_plies_is_found_against_every_reply() {
    for game in wins_in_three() {
        let (rules, mut state) = start(game);
        let seat = seat_of(&rules, &state).unwrap();
        let mut first = search(&rules, &state, Options::DEFAULT);
        finish(&mut first);
        let report = first.report(1);
        assert_eq!((report.values[seat], report.lines[0].pv.len()), (1.0, 3), "{game}");
        moves::play_recorded(&*rules, &mut state, &report.best_move.unwrap()).unwrap();
        for mut after in moves::successors(&*rules, &state) {
            if let ToAct::Over(outcome) = rules.to_act(&after) {
                assert_eq!(outcome.places[seat], 1, "{game}");
                continue;
            }
            let mut second = search(&rules, &after, Options::DEFAULT);
            finish(&mut second);
            let best = second.report(1).best_move.unwrap();
            moves::play_recorded(&*rules, &mut after, &best).unwrap();
            assert!(
                matches!(rules.to_act(&after), ToAct::Over(outcome) if outcome.places[seat] == 1),
                "{best} in {game}"
            );
        }
    }
}

#[test]
fn two_threads_find_the_wins_that_one_finds() {
    for game in wins_in_three() {
        let (rules, state) = start(game);
        let mut search = search(&rules, &state, Options { threads: 2, ..Options::DEFAULT });
        finish(&mut search);
        assert_eq!(search.report(1).values[seat_of(&rules, &state).unwrap()], 1.0, "{game}");
    }
}

#[test]
fn one_thread_is_deterministic() {
    for (rules, state) in random_positions(3) {
        let report = || {
            let mut search = search(&rules, &state, Options::DEFAULT);
            search.run(30_000);
            search.report(5)
        };
        assert_eq!(report(), report());
    }
}

#[test]
fn lines_are_ordered_and_say_what_follows() {
    for (rules, state) in random_positions(4) {
        let seat = seat_of(&rules, &state).unwrap();
        let mut search = search(&rules, &state, Options::DEFAULT);
        for nodes in [300, 3_000, 30_000] {
            search.run(nodes);
            let report = search.report(5);
            assert_eq!(report.lines[0].value, report.values[seat]);
            assert!(report.lines.is_sorted_by(|a, b| a.value >= b.value));
            for line in &report.lines {
                let mut after = state.clone();
                line.pv.iter().for_each(|text| drop(moves::play_recorded(&*rules, &mut after, text).unwrap()));
            }
        }
        let follows = search.report(5).lines.iter().filter(|line| line.pv.len() > 1).count();
        assert!(follows >= 3, "{follows} of 5 lines go on, at ply {}", state.ply());
    }
}

#[test]
fn fifty_thousand_nodes_take_little_memory() {
    for (rules, state) in random_positions(6) {
        let mut search = search(&rules, &state, Options::DEFAULT);
        search.run(50_000);
        assert!(search.bytes() < 1 << 20, "{} at ply {}", search.bytes(), state.ply());
    }
}
