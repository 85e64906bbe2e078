//! The search that the catalogue opens, and the greedy one.

use std::sync::Arc;

use _core::games::carcassonne::Carcassonne;
use _core::games::open;
use _core::rules::Rules;
use _core::search::{self, Driver, Report, Search, SearchSpec};
use serde_json::json;

/// Runs the catalogue's search and returns the best move.
fn best_move(config: &serde_json::Value, simulations: u32) -> String {
    let position = open("carcassonne", None, config).unwrap();
    let spec = SearchSpec { evaluator: "native".into(), options: json!({}), seed: 1 };
    let mut search = position.search(&spec).unwrap();
    let run = |search: &mut Box<dyn Search>| match search.driver() {
        Driver::SelfEvaluating(driver) => driver.run(simulations),
        Driver::Batched(_) => panic!("nothing is evaluated outside"),
    };
    run(&mut search);
    while search.focusing().unwrap().focus() {
        run(&mut search);
    }
    search.report(0).best_move.unwrap()
}

/// On the last turn only one move brings points that nobody else gets.
#[test]
fn the_last_turn_is_won() {
    for seats in [2, 5] {
        assert_eq!(best_move(&json!({"tile": "E", "tileCount": 1, "seats": seats}), 400), "0,1,180 city_S");
    }
}

/// After the city of the start tile is complete, C has no place, and the game would end with a win.
#[test]
fn greedy_does_not_see_which_tile_is_next() {
    let (rules, start) = Carcassonne::setup("standard", &json!({"tile": "E", "tileCount": 2})).unwrap();
    let rules = Arc::new(rules);
    let report = |next: &str| -> Report {
        let (hidden, mut state) = (rules.hidden().unwrap(), start);
        hidden.reveal(&mut state, &hidden.read_tail(next).unwrap()).unwrap();
        let spec = SearchSpec { evaluator: "native".into(), options: json!({"search": "greedy"}), seed: 1 };
        let mut search = search::open(&rules, &state, &spec).unwrap();
        let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
        driver.run(1);
        search.report(9)
    };
    let expected = report("+U");
    assert_eq!(expected.best_move.as_deref(), Some("0,1,180 city_S"));
    for next in ["+C", "+X", "+B"] {
        assert_eq!(report(next), expected, "{next}");
    }
}
