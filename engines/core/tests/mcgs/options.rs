//! Options as they are read, and games and evaluators that the search refuses.

use std::sync::Arc;

use _core::games::open;
use _core::games::toys::draw::Draw;
use _core::rules::Rules;
use _core::search::SearchSpec;
use _core::search::mcgs;
use _core::search::mcgs::options::{
    Exploration, Fpu, Options, Profile, Selector, Sharing, Stop, Ties, Unit, Utility, Weighting,
};
use _core::search::noise::Noise;
use serde_json::{Value, json};

#[test]
fn every_option_is_read() {
    let options = Options::read(&json!({
        "search": "mcgs", "profile": "seed", "c_puct": 0.5, "fpu_offset": 0.25, "selector": "puct+rootsolve",
        "utility": "win", "table": false, "short_circuit": true, "temperature": 0.5, "eval": "share",
        "noiseFraction": 0.25, "noiseAlpha": 0.5, "forcedPlayouts": 2, "unit": "shares", "fpu": "visited",
        "weighting": "blend", "sweep": true, "ties": "seats", "sooner": true
    }));
    let options = options.unwrap();
    assert_eq!((options.puct.profile, options.puct.c_puct, options.puct.fpu_offset), (Profile::Seed, 0.5, 0.25));
    assert_eq!((options.selector, options.utility), (Selector::RootSolve, Utility::Win));
    assert_eq!((options.sharing, options.stop), (Sharing::Tree, Stop::Visited));
    assert_eq!((options.puct.unit, options.puct.fpu), (Unit::Shares, Fpu::Visited));
    assert_eq!((options.puct.weighting, options.ties), (Weighting::Blend, Ties::Seats));
    assert!(options.sweep && options.sooner);
    assert_eq!((options.temperature, options.evaluator.as_deref()), (Some(0.5), Some("share")));
    assert_eq!(options.exploration, Exploration { noise_fraction: 0.25, noise_alpha: 0.5, forced: 2.0 });
}

#[test]
fn defaults_are_those_of_the_profile() {
    let [none, rec, seed] = [Value::Null, json!({"profile": "rec"}), json!({"profile": "seed"})]
        .map(|json| Options::read(&json).unwrap());
    assert_eq!((&none, &rec), (&Options::rec(), &Options::rec()));
    assert_eq!((rec.puct.c_puct, rec.puct.fpu_offset, rec.utility), (0.5, 0.2, Utility::Diff));
    assert_eq!((seed.puct.c_puct, seed.puct.fpu_offset, seed.utility), (1.5, 0.1, Utility::Own));
    let published = [json!({"selector": "puct+rootsolve"}), json!({"ties": "index"})];
    assert_eq!(published.map(|json| Options::read(&json).unwrap().puct.c_puct), [1.5; 2]);
    let temperature = |selector: &str| Options::read(&json!({"selector": selector})).unwrap().temperature();
    assert_eq!(["puct", "rm", "puct+rootsolve"].map(temperature), [0.0, 1.0, 1.0]);
}

#[test]
fn wrong_options_are_named() {
    for (json, word) in [
        (json!({"cpuct": 1}), "cpuct"),
        (json!({"profile": "best"}), "rec, seed"),
        (json!({"selector": "ucb"}), "puct, rm, puct+rootsolve"),
        (json!({"utility": 1}), "own, diff, win"),
        (json!({"unit": "cheese"}), "shares, points"),
        (json!({"fpu": 0.1}), "visited, constant"),
        (json!({"weighting": "d"}), "conditional, prior, marginal, blend"),
        (json!({"sweep": 1}), "true or false"),
        (json!({"c_puct": -1}), "0..1000"),
        (json!({"temperature": 101}), "0..100"),
        (json!({"table": 1}), "true or false"),
        (json!({"eval": 1}), "a name"),
        (json!({"selector": "rm", "utility": "own"}), "diff or win"),
        (json!({"profile": "seed", "selector": "rm"}), "diff or win"),
        (json!({"selector": "puct+rootsolve", "utility": "own"}), "diff or win"),
        (json!({"noiseFraction": 1.5}), "0..1"),
        (json!({"noiseAlpha": 0}), "0.001..100"),
        (json!({"selector": "rm", "noiseFraction": 0.25}), "rm explores without noiseFraction"),
        (json!([]), "object"),
    ] {
        let error = Options::read(&json).unwrap_err().to_string();
        assert!(error.contains(word), "{json}: {error}");
    }
}

#[test]
fn unsuitable_games_and_evaluators_are_refused() {
    let refusal = |game: &str, evaluator: &str, options: Value| {
        let config = if game == "toy-draw" { json!({"seed": 1}) } else { json!(null) };
        let position = open(game, None, &config).unwrap();
        let spec = SearchSpec { evaluator: evaluator.into(), options, seed: 0 };
        position.search(&spec).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refusal("wallwars", "native", json!({"search": "mcgs"})).contains("act together"));
    assert!(refusal("toy-draw", "native", json!({"search": "mcgs"})).contains("act together"));
    assert!(refusal("toy-goofspiel", "native", json!({"search": "mcgs"})).contains("'native'"));
    assert!(refusal("toy-goofspiel", "zero", json!({"search": "mcgs", "eval": "v9"})).contains("'v9'"));
    assert!(refusal("toy-goofspiel", "planes", json!({"search": "mcgs"})).contains("'planes'"));
    assert_eq!(refusal("toy-goofspiel", "zero", json!({"search": "mcgs"})), "");
    assert_eq!(refusal("toy-goofspiel", "native", json!({"search": "mcgs", "eval": "zero"})), "");
}

#[test]
fn games_with_hidden_information_are_refused() {
    let (rules, start) = Draw::setup("standard", &json!({"seats": 2, "seed": 1})).unwrap();
    let spec = SearchSpec { evaluator: "zero".into(), options: json!({"utility": "win"}), seed: 0 };
    let error = mcgs::open(&Arc::new(rules), &start, &spec, &Noise::default()).err().unwrap().to_string();
    assert!(error.contains("hidden information"), "{error}");
}
