//! Starts: what a configuration may say, and what it says back.

use _core::games::open;
use serde_json::{Value, json};

fn refusal(variant: &str, config: &Value) -> String {
    match open("carcassonne", Some(variant), config) {
        Ok(_) => panic!("{config} starts a game"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_configuration_is_complete() {
    let position = open("carcassonne", None, &json!({})).unwrap();
    let config = position.config();
    assert_eq!((&config["seats"], &config["tileCount"]), (&json!(2), &json!(71)));
    assert_eq!(config.as_object().unwrap().len(), 3, "and the first tile, but no seed");
    assert_eq!(position.secret(), json!({"seed": 0}));
    let public = open("carcassonne", None, &config).unwrap();
    assert_eq!((public.config(), public.secret()), (config, json!({})));
    assert_eq!(public.view(None), position.view(None));
}

#[test]
fn a_seed_and_its_first_tile_agree() {
    let dealt = open("carcassonne", None, &json!({"seed": 4})).unwrap();
    let tile = dealt.config()["tile"].clone();
    let both = open("carcassonne", None, &json!({"seed": 4, "tile": tile})).unwrap();
    assert_eq!(both.key(), dealt.key());
    assert_eq!(both.secret(), json!({"seed": 4}));
    let other = if tile == "A" { "B" } else { "A" };
    let why = refusal("standard", &json!({"seed": 4, "tile": other}));
    assert_eq!(
        why,
        format!("tile and seed disagree: with this seed the first tile is {}", tile.as_str().unwrap())
    );
}

#[test]
fn bad_configurations_are_named() {
    for (config, why) in [
        (json!({"seats": 1}), "seats is 1, not a whole number in 2..5"),
        (json!({"seats": 6}), "seats is 6, not a whole number in 2..5"),
        (json!({"seats": "two"}), "seats is \"two\", not a whole number in 2..5"),
        (json!({"seats": 2.5}), "seats is 2.5, not a whole number in 2..5"),
        (json!({"tileCount": 0}), "tileCount is 0, not a whole number in 1..71"),
        (json!({"tileCount": 72}), "tileCount is 72, not a whole number in 1..71"),
        (json!({"seed": -1}), "seed is -1, not a whole number in 0..18446744073709551615"),
        (json!({"tile": "Y"}), "tile is \"Y\", not the letter of a tile, A to X"),
        (json!({"tile": "AB"}), "tile is \"AB\", not the letter of a tile, A to X"),
        (json!({"tile": 3}), "tile is 3, not the letter of a tile, A to X"),
    ] {
        assert_eq!(refusal("standard", &config), why);
    }
    assert!(refusal("river", &json!({})).contains("standard, meeple_compat"));
}
