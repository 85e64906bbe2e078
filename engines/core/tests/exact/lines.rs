//! A line that ends with a win says so: the value of its move is that of the end.

use _core::games::open;
use _core::position::Position;
use _core::search::{Driver, SearchSpec};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

/// Random positions of a game, a few plies apart.
fn positions(game: &str, variant: &str, config: &Value, count: usize) -> Vec<Box<dyn Position>> {
    let mut rng = Pcg64::seed_from_u64(11);
    let mut found: Vec<Box<dyn Position>> = Vec::new();
    while found.len() < count {
        let mut position = open(game, Some(variant), config).unwrap();
        while position.outcome().is_none() && position.ply() < 80 && found.len() < count {
            if position.ply() % 3 == 2 {
                found.push(position.boxed_clone());
            }
            let seat = position.to_act()[0];
            let first = position.legal_actions(Some(seat), "").unwrap().choose(&mut rng).unwrap().clone();
            let second = position.legal_actions(Some(seat), &first).unwrap();
            let text = match second.choose(&mut rng) {
                Some(second) if second != "---" => format!("{first}.{second}"),
                _ => first,
            };
            position.play(&[text]).unwrap();
        }
    }
    found
}

/// Checks the lines of a search; returns how many of them end the game.
fn ended(position: &dyn Position, search: &str, simulations: u32) -> usize {
    let spec = SearchSpec { evaluator: "native".into(), options: json!({"search": search}), seed: 3 };
    let mut search = position.search(&spec).unwrap();
    let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
    driver.run(simulations);
    let seat = position.to_act()[0];
    let report = search.report(3);
    let ends = |line: &&_core::search::Line| {
        let mut after = position.boxed_clone();
        after.play(&line.pv).unwrap();
        let Some(outcome) = after.outcome() else { return false };
        let value = outcome.values(2)[seat];
        let shown = format!("{} {:?}: {line:?}", position.config(), position.history());
        assert!(value == 0.0 || line.pv.len() == 1 || line.value == value, "{shown}");
        value != 0.0
    };
    report.lines.iter().take(1).filter(ends).count()
}

#[test]
fn a_line_that_ends_the_game_is_worth_that() {
    let small = json!({"boardWidth": 4, "boardHeight": 3});
    let mut count = 0;
    for (game, variant, config, searches, simulations) in [
        ("hive", "Base", &json!({}), &["alphabeta", "uct"][..], &[300, 5_000][..]),
        ("hive", "Base+MLP", &json!({}), &["alphabeta"][..], &[2_000][..]),
        ("wallwars", "classic", &small, &["puct", "alphabeta", "uct"][..], &[200, 2_000][..]),
        ("wallwars", "standard", &small, &["puct", "alphabeta", "uct"][..], &[200, 2_000][..]),
    ] {
        for position in positions(game, variant, config, 60) {
            for search in searches {
                count +=
                    simulations.iter().map(|simulations| ended(&*position, search, *simulations)).sum::<usize>();
            }
        }
    }
    assert!(count > 100, "{count} lines end the game");
}
