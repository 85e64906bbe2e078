//! Which searches a game has.

use _core::games::open;
use _core::search::SearchSpec;
use serde_json::json;

use super::laws::{Sample, samples};

/// A search for another kind of game is refused, in a finished game as well.
#[test]
fn every_game_has_the_searches_that_suit_it() {
    for Sample { game, variant, config, .. } in samples() {
        let mut position = open(game, Some(variant), &config).unwrap();
        let (two, together) = (position.seats() == 2, position.to_act().len() > 1);
        let all = ["puct", "alphabeta", "uct", "mcgs", "greedy", "montecarlo"];
        let suitable = [two && !together, two && !together, !together, two && together, true, true];
        for over in [false, true] {
            for seat in (1..position.seats()).filter(|_| over) {
                position.play(&[format!("!{seat}")]).unwrap();
            }
            for (name, suits) in all.into_iter().zip(suitable) {
                let spec = SearchSpec { evaluator: "native".into(), options: json!({"search": name}), seed: 0 };
                let refused =
                    position.search(&spec).is_err_and(|error| error.to_string().starts_with("this search is for"));
                assert_eq!(refused, !suits, "{name} in {game} {variant}, {over}");
            }
        }
    }
}
