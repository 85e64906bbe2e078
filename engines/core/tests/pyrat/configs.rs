//! Starts from JSON: what a configuration may say, and what it says back.

use _core::games::open;
use serde_json::{Value, json};

fn refusal(variant: &str, config: &Value) -> String {
    match open("pyrat", Some(variant), config) {
        Ok(_) => panic!("{config} starts a game"),
        Err(error) => error.to_string(),
    }
}

fn complete(variant: &str, config: &Value) -> Value {
    open("pyrat", Some(variant), config).unwrap().config()
}

#[test]
fn a_configuration_is_complete() {
    let config = complete("tiny", &json!({"seed": 3}));
    let keys: Vec<_> = config.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["width", "height", "maxTurns", "mudModel", "walls", "mud", "cheese", "starts"]);
    assert_eq!(config["starts"], json!([[0, 0], [10, 8]]));
    assert_eq!((&config["maxTurns"], &config["mudModel"]), (&json!(150), &json!("rust")));
    assert_eq!(complete("huge", &config), config, "a complete configuration is all that is needed");
    assert_eq!(complete("asymmetric", &with(&config, "seed", json!(9))), config, "and a seed changes nothing");
}

#[test]
fn each_key_stands_alone() {
    let walls = json!([[[0, 0], [1, 0]], [[3, 3], [3, 4]]]);
    let config = complete("medium", &json!({"walls": walls}));
    assert_eq!((&config["walls"], &config["mud"]), (&walls, &json!([])));
    assert_eq!(config["cheese"].as_array().unwrap().len(), 41);
    let config = complete("medium", &json!({"mud": [[[2, 1], [1, 1], 4]]}));
    assert_eq!((&config["walls"], &config["mud"]), (&json!([]), &json!([[[1, 1], [2, 1], 4]])));
    let generated = complete("medium", &json!({"seed": 8}));
    let config = complete("medium", &json!({"seed": 8, "cheese": [[5, 5], [4, 4]], "starts": [[1, 1], [1, 1]]}));
    assert_eq!((&config["walls"], &config["mud"]), (&generated["walls"], &generated["mud"]));
    assert_eq!((&config["cheese"], &config["starts"]), (&json!([[4, 4], [5, 5]]), &json!([[1, 1], [1, 1]])));
    let board = json!({"width": 7, "height": 5, "cheeseCount": 9, "maxTurns": 50, "mudModel": "doc"});
    let config = complete("open", &board);
    assert_eq!(config["cheese"].as_array().unwrap().len(), 9);
    assert_eq!((&config["walls"], &config["starts"]), (&json!([]), &json!([[0, 0], [6, 4]])));
}

#[test]
fn walls_and_mud_may_be_listed_from_both_sides() {
    let twice = json!({
        "walls": [[[0, 0], [1, 0]], [[1, 0], [0, 0]]],
        "mud": [[[2, 2], [2, 3], 3], [[2, 3], [2, 2], 3]],
        "cheese": [[4, 4]],
    });
    let once = json!({"walls": [[[0, 0], [1, 0]]], "mud": [[[2, 2], [2, 3], 3]], "cheese": [[4, 4]]});
    assert_eq!(complete("open", &twice), complete("open", &once));
}

#[test]
fn the_seed_is_0_by_default() {
    assert_eq!(complete("medium", &json!(null)), complete("medium", &json!({"seed": 0})));
}

#[test]
fn bad_configurations_are_named() {
    for (config, why) in [
        (json!({"width": 65}), "width is 65, not a whole number in 2..64"),
        (json!({"height": 1}), "height is 1, not a whole number in 2..64"),
        (json!({"width": 7.5}), "width is 7.5, not a whole number in 2..64"),
        (json!({"maxTurns": 0}), "maxTurns is 0, not a whole number in 1..1023"),
        (json!({"maxTurns": 1024}), "maxTurns is 1024, not a whole number in 1..1023"),
        (json!({"seed": -1}), "seed is -1, not a whole number in 0..18446744073709551615"),
        (json!({"mudModel": "wet"}), "mudModel is \"wet\", neither \"rust\" nor \"doc\""),
        (json!({"cheeseCount": 0}), "cheeseCount is 0, not a whole number in 1..25"),
        (json!({"cheeseCount": 26}), "cheeseCount is 26, not a whole number in 1..25"),
        (json!({"cheeseCount": 25}), "there is room for at most 23 pieces of cheese, not 25"),
        (
            json!({"width": 6, "cheeseCount": 3}),
            "an odd number of cheese, 3, cannot be symmetric on a 6x5 board without a central cell",
        ),
        (
            json!({"cheeseCount": 3, "starts": [[2, 2], [0, 0]]}),
            "an odd number of cheese, 3, needs the central cell, where a player starts",
        ),
        (json!({"walls": 3}), "walls must be an array"),
        (json!({"walls": [[[0, 0]]]}), "walls[0] is [[0,0]], not a pair of cells [[x,y],[x,y]]"),
        (json!({"walls": [[[0, 0], 5]]}), "walls[0] has 5 where a cell [x,y] is expected"),
        (json!({"walls": [[[0, 0], [5, 0]]]}), "walls[0] [5,0] is off the 5x5 board"),
        (
            json!({"walls": [[[0, 0], [0, 1]], [[0, 0], [1, 1]]]}),
            "walls[1] is between [0,0] and [1,1], which are not neighbours",
        ),
        (json!({"walls": [[[0, 0], [0, 0]]]}), "walls[0] is between [0,0] and [0,0], which are not neighbours"),
        (json!({"walls": [[[4, 0], [0, 1]]]}), "walls[0] is between [4,0] and [0,1], which are not neighbours"),
        (
            json!({"mud": [[[0, 0], [1, 0]]]}),
            "mud[0] is [[0,0],[1,0]], not a pair of cells and a cost [[x,y],[x,y],n]",
        ),
        (json!({"mud": [[[0, 0], [1, 0], 1]]}), "the cost of mud[0] is 1, not a whole number in 2..15"),
        (json!({"mud": [[[0, 0], [1, 0], 16]]}), "the cost of mud[0] is 16, not a whole number in 2..15"),
        (json!({"walls": [[[1, 0], [0, 0]]], "mud": [[[0, 0], [1, 0], 2]]}), "mud[0] lies on a wall"),
        (
            json!({"mud": [[[0, 0], [1, 0], 2], [[1, 0], [0, 0], 3]]}),
            "mud[1] has cost 3, but the same mud was listed with 2 before",
        ),
        (json!({"cheese": []}), "cheese is empty: a game needs at least one piece"),
        (json!({"cheese": "all"}), "cheese must be an array"),
        (json!({"cheese": [[1, 2], [1]]}), "cheese[1] has [1] where a cell [x,y] is expected"),
        (json!({"cheese": [[1, -2]]}), "cheese[0] [1,-2] is off the 5x5 board"),
        (json!({"cheese": [[1, 2], [3, 3], [1, 2]]}), "cheese[2] [1,2] was listed before"),
        (json!({"starts": [[0, 0]]}), "starts has 1 cells, not 2"),
        (json!({"starts": [[0, 0], [5, 5]]}), "starts[1] [5,5] is off the 5x5 board"),
        (
            json!({"cheese": [[0, 1], [4, 0]], "walls": [[[3, 0], [4, 0]], [[4, 0], [4, 1]]]}),
            "no player can reach the cheese on [4,0]",
        ),
    ] {
        let mut small = json!({"width": 5, "height": 5, "cheeseCount": 5});
        match config.as_object() {
            Some(members) => members.iter().for_each(|(name, value)| small[name] = value.clone()),
            None => small = config,
        }
        assert_eq!(refusal("open", &small), why);
    }
    assert!(refusal("giant", &json!({})).contains("medium, tiny, small"));
}

/// Cheese that one of the players can reach is enough.
#[test]
fn each_player_may_have_a_part_of_the_board() {
    let walls = json!([[[1, 0], [2, 0]], [[1, 1], [2, 1]]]);
    let config = json!({"width": 4, "height": 2, "walls": walls, "cheese": [[1, 1], [2, 1]]});
    assert_eq!(complete("open", &config)["walls"], walls);
}

fn with(config: &Value, name: &str, value: Value) -> Value {
    let mut config = config.clone();
    config[name] = value;
    config
}
