//! Options as they are read, and games that the search refuses.

use _core::games::open;
use _core::search::SearchSpec;
use _core::search::uct::formulas::FirstPlay;
use _core::search::uct::options::{Aim, Options, Tie};
use serde_json::{Value, json};

#[test]
fn every_option_is_read() {
    let options = Options::read(&json!({
        "search": "uct", "preset": "seed", "exploration_constant": 0.5, "num_determinizations": 3, "pw_c": 1.5,
        "pw_alpha": 0.3, "use_rave": true, "rave_k": 300, "max_amaf_depth": 0, "rave_fpu": true,
        "tile_aware_amaf": true, "order": "rules", "threads": 2
    }));
    let options = options.unwrap();
    assert_eq!((options.exploration, options.determinizations, options.widening), (0.5, 3, (1.5, 0.3)));
    assert_eq!((options.use_rave, options.rave.k, options.rave.depth), (true, 300.0, usize::MAX));
    assert_eq!((options.rave.first_play, options.rave.keys.by_context), (FirstPlay::Amaf, true));
    assert_eq!((options.aim, options.tie, options.threads), (Aim::Coalition, Tie::First, 2));
    assert_eq!(options.order.as_deref(), Some("rules"));
}

#[test]
fn wrong_options_are_named() {
    for (json, word) in [
        (json!({"pw_z": 1}), "pw_z"),
        (json!({"preset": "sed"}), "default, seed"),
        (json!({"num_determinizations": 1.5}), "whole number"),
        (json!({"num_determinizations": -1}), "0..256"),
        (json!({"use_rave": 1}), "true or false"),
        (json!({"order": 1}), "a name"),
        (json!({"threads": 0}), "1..256"),
        (json!([]), "object"),
    ] {
        let error = Options::read(&json).unwrap_err().to_string();
        assert!(error.contains(word), "{json}: {error}");
    }
}

#[test]
fn unknown_evaluators_and_simultaneous_moves_are_refused() {
    let refusal = |game: &str, evaluator: &str, options: Value| {
        let config = if game == "toy-goofspiel" { json!(null) } else { json!({"seed": 1}) };
        let position = open(game, None, &config).unwrap();
        let spec = SearchSpec { evaluator: evaluator.into(), options, seed: 0 };
        position.search(&spec).err().unwrap().to_string()
    };
    assert!(refusal("toy-draw", "v9", json!({"search": "uct"})).contains("'v9'"));
    assert!(refusal("wallwars", "native", json!({"search": "uct", "order": "v9"})).contains("'v9'"));
    assert!(refusal("toy-goofspiel", "native", json!({"search": "uct"})).contains("one at a time"));
}
