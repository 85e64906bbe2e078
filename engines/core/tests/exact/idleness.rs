//! Who has won a game ends it, soon: against a seat that only waits, and against one that holds out as long as it can.

use std::sync::Arc;

use _core::moves;
use _core::rules::{Rules, Seat, ToAct};
use _core::search::{self, Driver, Search, SearchSpec};
use serde_json::json;

use super::solved::{Game, solved_positions};
use super::solver::Solver;

type State = <Game as Rules>::State;

/// Moves of both seats beyond the fewest that are needed.
const LEISURE: u32 = 2;

fn think(search: &mut dyn Search, simulations: u32) -> String {
    loop {
        let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
        driver.run(simulations);
        if !search.focusing().is_some_and(|focus| focus.focus()) {
            break;
        }
    }
    let best = search.report(0).best_move.unwrap();
    if let Some(focus) = search.focusing() {
        focus.unfocus();
    }
    best
}

/// A whole move after which the game lasts as long as possible.
fn holding_out(rules: &Game, state: &State, seat: Seat, solver: &Solver<'_, Game>) -> String {
    let mut texts = moves::list(rules, state, seat);
    texts.push("---".into());
    let lasts = |text: &String| {
        let mut after = state.clone();
        moves::play_recorded(rules, &mut after, text).unwrap();
        match rules.to_act(&after) {
            ToAct::Over(_) => 0,
            _ => solver.won(&after).map_or(u32::MAX, |(_, rounds)| rounds),
        }
    };
    texts.into_iter().max_by_key(lasts).unwrap()
}

/// Plays a won position to its end.
fn finish(
    rules: &Arc<Game>,
    start: &State,
    solver: &Solver<'_, Game>,
    name: &str,
    reply: impl Fn(&State) -> String,
) {
    let (winner, needed) = solver.won(start).unwrap();
    let spec = SearchSpec { evaluator: "native".into(), options: json!({"search": name}), seed: 3 };
    let mut search = search::open(rules, start, &spec).unwrap();
    let mut state = start.clone();
    for _ in 0..=needed + LEISURE {
        let text = match rules.to_act(&state) {
            ToAct::Over(outcome) => {
                return assert_eq!(outcome.winners(2), [winner]);
            }
            ToAct::One(seat) if seat == winner => think(&mut *search, if name == "puct" { 1_000 } else { 20_000 }),
            _ => reply(&state),
        };
        moves::play_recorded(&**rules, &mut state, &text).unwrap();
        search.advance(&text).unwrap();
    }
    panic!("{name} does not end {}", rules.view(start, None));
}

#[test]
fn a_won_game_is_ended() {
    for (variant, size) in [("classic", (3, 3)), ("classic", (3, 4)), ("standard", (3, 3)), ("standard", (4, 3))] {
        solved_positions(variant, size, 4, |rules, _, solver| {
            let is_won = |state: &&State| match (rules.to_act(state), solver.won(state)) {
                (ToAct::One(seat), Some((winner, _))) => seat == winner,
                _ => false,
            };
            for state in solver.states.iter().filter(is_won).step_by(97) {
                for name in ["puct", "alphabeta"] {
                    finish(rules, state, solver, name, |_| "---".into());
                    finish(rules, state, solver, name, |state| match rules.to_act(state) {
                        ToAct::One(seat) => holding_out(rules, state, seat, solver),
                        _ => "---".into(),
                    });
                }
            }
        });
    }
}
