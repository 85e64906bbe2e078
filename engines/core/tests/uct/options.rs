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
        "tile_aware_amaf": true, "order": "rules", "threads": 2, "amaf_by_seat": true, "shared_win": 0.25,
        "skip_forced": true, "keep_trees": true
    }));
    let options = options.unwrap();
    assert_eq!((options.exploration, options.determinizations, options.widening), (0.5, 3, (1.5, 0.3)));
    assert_eq!((options.use_rave, options.rave.k, options.rave.depth), (true, 300.0, usize::MAX));
    assert_eq!((options.rave.first_play, options.rave.keys.by_context), (FirstPlay::Amaf, true));
    assert_eq!((options.aim, options.tie, options.threads), (Aim::Coalition, Tie::First, 2));
    assert_eq!(options.order.as_deref(), Some("rules"));
    assert_eq!((options.rave.keys.by_seat, options.shared_win), (true, Some(0.25)));
    assert!(options.skips_forced && options.keeps_trees);
    let options = Options::read(&json!({"preset": "seed", "aim": "own", "tie": "mean", "shared_win": null}));
    let options = options.unwrap();
    assert_eq!((options.aim, options.tie, options.shared_win), (Aim::Own, Tie::Mean, None));
}

#[test]
fn the_presets_are_settings_like_any_others() {
    let written = json!({
        "exploration_constant": 1.41, "pw_c": 2, "rave_fpu": false, "amaf_by_seat": false, "aim": "coalition",
        "shared_win": 0.6, "tie": "first", "skip_forced": false, "keep_trees": false
    });
    assert_eq!(Options::read(&written), Options::read(&json!({"preset": "seed"})));
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
        (json!({"aim": "all"}), "own, coalition"),
        (json!({"shared_win": 2}), "-1..1"),
        (json!({"keep_tree": true}), "keep_trees"),
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
