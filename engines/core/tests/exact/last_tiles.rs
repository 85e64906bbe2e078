//! Carcassonne's last tiles: the search finds the value that trying every move in every order of the bag gives.
//!
//! All 500 positions: `cargo test --manifest-path engines/core/Cargo.toml five_hundred -- --ignored --nocapture`.

use std::sync::Arc;

use _core::games::carcassonne::Carcassonne;
use _core::moves;
use _core::rules::{Rules, Seat, ToAct};
use _core::search::{self, Driver, Search, SearchSpec};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::json;

type State = <Carcassonne as Rules>::State;

/// Simulations for each action of a move.
const SIMULATIONS: u32 = 20_000;

/// The largest lead in points for which a position is not decided yet.
const CLOSE: i32 = 12;

/// Positions of random games that are close, with so many tiles in the bag.
fn positions(left: u8, count: usize) -> Vec<(Arc<Carcassonne>, State)> {
    let mut rng = Pcg64::seed_from_u64(u64::from(left));
    let mut found = Vec::new();
    while found.len() < count {
        let seed = rng.random_range(0..1_000_000_000_u64);
        let (rules, mut state) = Carcassonne::setup("standard", &json!({"seats": 2, "seed": seed})).unwrap();
        while let ToAct::One(seat) = rules.to_act(&state) {
            let lead = i32::from(state.points()[0]) - i32::from(state.points()[1]);
            if state.bag().left() == left && rules.at_rest(&state) {
                if lead.abs() <= CLOSE {
                    found.push((Arc::new(rules), state));
                }
                break;
            }
            let mut legal = Vec::new();
            rules.legal(&state, seat, &mut legal);
            rules.play_unchecked(&mut state, &[*legal.choose(&mut rng).unwrap()]);
        }
    }
    found
}

/// The value for the seat to act if the order of the bag is known; a seat that has found a win looks no further.
fn known(rules: &Carcassonne, state: &State, seat: Seat) -> f64 {
    let (mut best, mut legal) = (-1.0_f64, Vec::new());
    rules.legal(state, seat, &mut legal);
    for action in legal {
        let mut after = *state;
        rules.play_unchecked(&mut after, &[action]);
        best = best.max(after_action(rules, &after, seat));
        if best == 1.0 {
            break;
        }
    }
    best
}

/// The value for `seat` of a state in which anybody may act.
fn after_action(rules: &Carcassonne, state: &State, seat: Seat) -> f64 {
    match rules.to_act(state) {
        ToAct::Over(outcome) => f64::from(outcome.values(2)[seat]),
        ToAct::One(next) if next == seat => known(rules, state, seat),
        _ => -known(rules, state, 1 - seat),
    }
}

/// The mean value of a whole move of `seat` over all orders of the bag, which holds two tiles at most.
fn value_of(rules: &Carcassonne, state: &State, seat: Seat, text: &str) -> f64 {
    let orders: Vec<State> = (0..state.bag().unseen().len().max(1))
        .map(|first| {
            let mut order = *state;
            let unseen = order.bag_mut().unseen_mut();
            unseen.rotate_left(first.min(unseen.len()));
            order
        })
        .collect();
    let sum: f64 = orders
        .iter()
        .map(|order| {
            let mut after = *order;
            let actions = moves::complete(rules, order, seat, text).unwrap();
            actions.iter().for_each(|action| rules.play_unchecked(&mut after, &[*action]));
            after_action(rules, &after, seat)
        })
        .sum();
    sum / orders.len() as f64
}

/// The result and the lead of `seat` if both seats prefer, of equal results, the one with more points; the order of the
/// bag is known.
fn end(rules: &Carcassonne, state: &State, seat: Seat) -> (i32, i32) {
    let next = match rules.to_act(state) {
        ToAct::Over(outcome) => {
            let points = outcome.scores.unwrap();
            return (outcome.values(2)[seat] as i32, (points[seat] - points[1 - seat]) as i32);
        }
        ToAct::One(next) => next,
        ToAct::Together => panic!("seats move in turn"),
    };
    let mut legal = Vec::new();
    rules.legal(state, next, &mut legal);
    let ends = legal.into_iter().map(|action| {
        let mut after = *state;
        rules.play_unchecked(&mut after, &[action]);
        end(rules, &after, seat)
    });
    if next == seat { ends.max().unwrap() } else { ends.min().unwrap() }
}

/// By how much the value of the search is wrong, and that of its best move.
fn errors(rules: &Arc<Carcassonne>, state: &State) -> (f64, f64) {
    let seat = state.seat();
    let texts = moves::list(&**rules, state, seat);
    let exact = texts.iter().map(|text| value_of(rules, state, seat, text)).fold(f64::NEG_INFINITY, f64::max);
    let spec = SearchSpec { evaluator: "native".into(), options: json!({}), seed: 1 };
    let mut search = search::open_uct(rules, state, &spec).unwrap();
    run(&mut *search);
    while search.focusing().unwrap().focus() {
        run(&mut *search);
    }
    let report = search.report(1);
    let played = value_of(rules, state, seat, &report.best_move.unwrap());
    ((f64::from(report.values[seat]) - exact).abs(), exact - played)
}

fn run(search: &mut dyn Search) {
    let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
    driver.run(SIMULATIONS);
}

fn judge(left: u8, count: usize) {
    for (rules, state) in positions(left, count) {
        let (value, best) = errors(&rules, &state);
        let shown = rules.view(&state, None);
        assert!(value <= 0.05 && best <= 1e-6, "wrong by {value}, the move by {best}: {left} left, {shown}");
    }
}

#[test]
fn one_tile_to_come() {
    judge(1, 25);
}

#[test]
fn two_tiles_to_come() {
    judge(2, 8);
}

#[test]
fn the_points_of_a_solved_end_are_those_of_best_play() {
    for (rules, state) in positions(1, 12) {
        let seat = state.seat();
        let spec = SearchSpec { evaluator: "native".into(), options: json!({}), seed: 1 };
        let mut search = search::open_uct(&rules, &state, &spec).unwrap();
        run(&mut *search);
        let report = search.report(1);
        let points = report.points.unwrap();
        let found = (report.values[seat] as i32, (points[seat] - points[1 - seat]) as i32);
        assert_eq!(found, end(&rules, &state, seat), "{}", rules.view(&state, None));
    }
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred() {
    judge(1, 340);
    judge(2, 160);
}
