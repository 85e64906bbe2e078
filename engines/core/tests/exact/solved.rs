//! Values that a search calls exact are those of the solver, and its best move keeps them.

use std::sync::Arc;

use _core::games::wallwars::Wallwars;
use _core::games::wallwars::state::State;
use _core::moves;
use _core::rules::{Rules, ToAct};
use _core::search::{self, Driver, SearchSpec};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::json;

use super::solver::Solver;

pub type Game = Wallwars<1>;

/// Most states that are solved from one.
const STATES: usize = 3_000;

/// Positions of random games late enough to be solved, with their solutions.
pub fn solved_positions(
    variant: &str,
    (width, height): (u32, u32),
    count: usize,
    mut judge: impl FnMut(&Arc<Game>, &State<1>, &Solver<'_, Game>),
) {
    let mut rng = Pcg64::seed_from_u64(5);
    let (rules, start) = Game::setup(variant, &json!({"boardWidth": width, "boardHeight": height})).unwrap();
    let rules = Arc::new(rules);
    let mut found = 0;
    while found < count {
        let mut state = start.clone();
        while let ToAct::One(seat) = rules.to_act(&state) {
            if rules.at_rest(&state)
                && rules.wall_places(&state).len() <= 4
                && let Some(solver) = Solver::new(&*rules, &state, STATES)
            {
                judge(&rules, &state, &solver);
                found += 1;
                break;
            }
            let mut legal = Vec::new();
            rules.legal(&state, seat, &mut legal);
            rules.play_unchecked(&mut state, &[*legal.choose(&mut rng).unwrap()]);
        }
    }
}

#[test]
fn an_exact_value_is_that_of_the_solver_and_the_best_move_keeps_it() {
    let mut exact = 0;
    for (variant, size) in
        [("classic", (3, 3)), ("classic", (3, 4)), ("classic", (4, 3)), ("standard", (3, 3)), ("standard", (4, 3))]
    {
        solved_positions(variant, size, 3, |rules, _, solver| {
            for state in solver.states.iter().step_by(29) {
                for name in ["puct", "alphabeta"] {
                    exact += usize::from(is_exact_and_right(rules, state, solver, name));
                }
            }
        });
    }
    assert!(exact > 300, "{exact} values are called exact");
}

/// Whether a search calls its value exact; if so, it is.
fn is_exact_and_right(rules: &Arc<Game>, state: &State<1>, solver: &Solver<'_, Game>, name: &str) -> bool {
    let options = json!({"search": name});
    let spec = SearchSpec { evaluator: "native".into(), options, seed: 3 };
    let mut search = search::open(rules, state, &spec).unwrap();
    loop {
        let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
        driver.run(if name == "puct" { 300 } else { 3_000 });
        if !search.focusing().is_some_and(|focus| focus.focus()) {
            break;
        }
    }
    let report = search.report(1);
    if report.values[0].abs() < 1.0 {
        return false;
    }
    let shown = rules.view(state, None);
    assert_eq!(report.values[0], solver.value(state), "{name} {shown}");
    let mut after = state.clone();
    moves::play_recorded(&**rules, &mut after, &report.best_move.unwrap()).unwrap();
    assert_eq!(report.values[0], solver.value(&after), "{name}, the best move of {shown}");
    true
}
