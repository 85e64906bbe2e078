//! Whole games of every kind, forced moves, and memory.

use std::sync::Arc;

use _core::games::wallwars::Wallwars;
use _core::games::wallwars::native::Native;
use _core::games::{CATALOGUE, open};
use _core::rules::Rules;
use _core::search::uct::Uct;
use _core::search::uct::options::Options;
use _core::search::{Driver, Focus, Search, SearchSpec, SelfEvaluating};
use serde_json::{Value, json};

fn spec(options: Value) -> SearchSpec {
    SearchSpec { evaluator: "native".into(), options, seed: 3 }
}

/// Runs a search of one move in phases, as the pool does.
fn search_move(search: &mut dyn Search, simulations: u32) -> String {
    loop {
        let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
        let ran = driver.run(simulations);
        assert!(ran == simulations || ran == 0);
        if !search.focusing().unwrap().focus() {
            return search.report(3).best_move.unwrap();
        }
    }
}

#[test]
fn every_game_of_turns_is_played() {
    for game in CATALOGUE.iter().filter(|game| !matches!(game.name, "pyrat" | "toy-goofspiel")) {
        for options in [
            json!({"search": "uct"}),
            json!({"search": "uct", "num_determinizations": 0, "use_rave": true}),
            json!({"search": "uct", "preset": "seed", "use_rave": true}),
        ] {
            let config = if game.name == "toy-draw" { json!({"seats": 3, "seed": 5}) } else { Value::Null };
            let mut position = open(game.name, None, &config).unwrap();
            let mut search = position.search(&spec(options)).unwrap();
            while position.outcome().is_none() && position.ply() < 16 {
                let text = search_move(&mut *search, 100);
                position.play(&[text]).unwrap();
                search.advance(position.last_move().unwrap()).unwrap();
            }
            let report = search.report(1);
            assert!(report.values.iter().all(|value| value.abs() <= 1.0));
            assert_eq!(report.best_move.is_some(), position.outcome().is_none() && report.visits > 0);
        }
    }
}

#[test]
fn a_forced_move_is_not_searched() {
    let forced = r"Base+MLP;InProgress;Black[4];wB1;bM wB1/;wQ -wB1;bQ \bM;wP \wQ;bQ -bM;wB1 bM";
    let position = open("hive", Some("Base+MLP"), &json!({"gameString": forced})).unwrap();
    for preset in ["default", "seed"] {
        let mut search = position.search(&spec(json!({"search": "uct", "preset": preset}))).unwrap();
        let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
        assert_eq!(driver.run(100), 0);
        let report = search.report(1);
        assert_eq!((report.best_move.as_deref(), report.visits), (Some("pass"), 0));
        assert_eq!(report.policies, [[("pass".to_owned(), 1.0)]]);
        assert!(report.values[0] != 0.0, "the evaluator's value");
    }
}

#[test]
fn a_repeated_report_changes_nothing_and_orders_of_actions_are_merged() {
    let position = open("wallwars", None, &json!({"boardWidth": 4, "boardHeight": 4})).unwrap();
    let mut search = position.search(&spec(json!({"search": "uct"}))).unwrap();
    search_move(&mut *search, 2000);
    let report = search.report(500);
    assert_eq!(search.report(500), report);
    let mut texts: Vec<&String> = report.lines.iter().map(|line| &line.text).collect();
    assert_eq!(report.best_move.as_ref(), Some(texts[0]));
    assert!(report.lines[0].pv.len() > 1, "what follows is known in a game without secrets");
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), report.lines.len());
    let values = (report.values[0], report.values[1]);
    assert!((values.0 + values.1).abs() < 1e-5, "{values:?}");
}

#[test]
fn the_memory_of_a_move_is_foretold() {
    for (columns, simulations, options) in [(8, 20_000, json!({})), (6, 5_000, json!({"use_rave": true}))] {
        let config = json!({"boardWidth": columns, "boardHeight": columns});
        let (rules, state) = Wallwars::<1>::setup("standard", &config).unwrap();
        let native = || Some(Box::new(Native::default()) as _);
        let options = Options::read(&options).unwrap();
        let mut search = Uct::new(Arc::new(rules), state, native(), native(), options, 1);
        let foretold = search.bytes_for(simulations);
        search.run(simulations);
        while search.focus() {
            search.run(simulations);
        }
        let share = search.bytes() as f64 / foretold as f64;
        assert!((0.2..1.25).contains(&share), "{share} of {foretold} on {columns}");
        let before = search.bytes();
        let best = search.report(1).best_move.unwrap();
        search.advance(&best).unwrap();
        assert!(search.bytes() < before && search.visits() > 0, "the rest of the tree is freed");
    }
}
