//! Starts of games: types, members of the configuration, and GameStrings.

use _core::games::open;
use _core::position::Position;
use _core::rules::RuleError;
use std::collections::BTreeSet;

use rand::prelude::*;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

fn start(game_type: &str, config: &Value) -> Result<Box<dyn Position>, RuleError> {
    open("hive", Some(game_type), config)
}

fn refused(game_type: &str, config: &Value) -> String {
    match start(game_type, config).map(|position| position.config()) {
        Err(RuleError::BadConfig(why)) => why,
        other => panic!("{config}: {other:?}"),
    }
}

#[test]
fn the_configuration_names_what_is_unusual() {
    let empty = json!({"gameString": "Base+MLP;NotStarted;White[1]"});
    assert_eq!(open("hive", None, &json!(null)).unwrap().config(), empty);
    let usual = json!({"drawByRepetition": true, "plyLimit": 500, "queenFirst": false, "gameString": null});
    assert_eq!(start("Base+MLP", &usual).unwrap().config(), empty);
    let unusual = json!({"gameString": "Base;NotStarted;White[1]", "drawByRepetition": false, "plyLimit": 0, "queenFirst": true});
    assert_eq!(start("Base", &unusual).unwrap().config(), unusual);
}

#[test]
fn game_strings_are_read_liberally_and_written_canonically() {
    let canonical = r"Base+ML;InProgress;White[2];wA1;bA1 wA1-";
    for text in [
        canonical,
        "Base+LM;BlackWins;white[7];wA1;bA1 wA1-",
        "Base+ML; ; ;  WA1 ;ba1   wA1- ;",
        "Base+ML;wA1;bA1 wA1-",
        " Base+ML;InProgress;wA1;bA1 wA1-;;",
    ] {
        let position = start("Base+ML", &json!({"gameString": text})).unwrap();
        assert_eq!(position.config(), json!({"gameString": canonical}), "{text}");
        assert_eq!((position.ply(), position.history().len()), (0, 0), "the start has no history");
        assert_eq!(position.view(None).unwrap()["ply"], 2);
    }
}

#[test]
fn bad_starts_are_refused_with_the_member() {
    for (config, words) in [
        (json!({"gameString": "Base+M;NotStarted;White[1]"}), "of type 'Base+M', not Base"),
        (json!({"gameString": "Base+"}), "of type 'Base+'"),
        (json!({"gameString": "Base+MM"}), "of type 'Base+MM'"),
        (json!({"gameString": ""}), "of type ''"),
        (json!({"gameString": "Base;NotStarted;White[1];wQ"}), "move 1 of gameString, wQ: the Queen may not"),
        (json!({"gameString": "Base;NotStarted;White[1];wA1;bA1"}), "move 2 of gameString, bA1"),
        (json!({"gameString": "Base;NotStarted;White[1];wA1;!0"}), "move 2 of gameString, '!0', is not a move"),
        (json!({"gameString": 7}), "gameString is 7"),
        (json!({"plyLimit": -1}), "plyLimit is -1"),
        (json!({"plyLimit": 1.5}), "plyLimit is 1.5"),
        (json!({"drawByRepetition": "yes"}), "drawByRepetition is \"yes\""),
        (json!({"queenFirst": 1}), "queenFirst is 1"),
    ] {
        assert!(refused("Base", &config).contains(words), "{config}: {}", refused("Base", &config));
    }
    assert!(start("Base+LM", &json!(null)).is_err(), "a variant is written canonically");
}

#[test]
fn a_start_with_moves_remembers_what_was_repeated() {
    let twice = r"Base;InProgress;White[5];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ \wS1;bQ bS1/;wQ -wS1;bQ bS1-";
    let mut position = start("Base", &json!({"gameString": twice})).unwrap();
    let round = [r"wQ \wS1", "bQ bS1/", "wQ -wS1", "bQ bS1-"].map(str::to_string);
    position.play(&round).unwrap();
    assert_eq!(position.outcome().unwrap().reason, "repetition");
}

#[test]
fn views_show_what_boards_draw() {
    let game = r"Base+P;InProgress;Black[3];wP;bA1 wP-;wQ /wP;bQ bA1-;wQ wP\";
    let position = start("Base+P", &json!({"gameString": game})).unwrap();
    let expected = json!({
        "type": "Base+P",
        "ply": 5,
        "turn": "Black[3]",
        "state": "InProgress",
        "toMove": 1,
        "cells": [
            {"q": 0, "r": 0, "pieces": ["wP"]},
            {"q": 1, "r": 0, "pieces": ["bA1"]},
            {"q": 2, "r": 0, "pieces": ["bQ"]},
            {"q": 0, "r": 1, "pieces": ["wQ"]},
        ],
        "hands": [["wS1", "wB1", "wG1", "wA1"], ["bS1", "bB1", "bG1", "bA2", "bP"]],
        "reserve": [
            {"Q": 0, "S": 2, "B": 2, "G": 3, "A": 3, "P": 0},
            {"Q": 0, "S": 2, "B": 2, "G": 3, "A": 2, "P": 1},
        ],
        "lastMove": {"piece": "wQ", "from": {"q": -1, "r": 1}, "to": {"q": 0, "r": 1}},
        "resting": "wQ",
        "queens": [2, 1],
    });
    assert_eq!(position.view(None), Ok(expected));
}

/// The members of a configuration that set up what a view shows.
fn set_up(view: &Value) -> Value {
    json!({"cells": view["cells"], "toMove": view["toMove"]})
}

#[test]
fn what_is_set_up_has_the_moves_of_what_was_played() {
    let mut compared = 0;
    for (seed, game_type) in (0..).zip(["Base", "Base+MLP", "Base+P", "Base+M"]) {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut position = start(game_type, &json!(null)).unwrap();
        for _ in 0..80 {
            let moves = position.legal_moves(None).unwrap();
            let Some(chosen) = moves.choose(&mut rng) else { break };
            position.play(std::slice::from_ref(chosen)).unwrap();
            let view = position.view(None).unwrap();
            let copy = start(game_type, &set_up(&view)).unwrap();
            let other = copy.view(None).unwrap();
            for member in ["cells", "toMove", "reserve", "queens"] {
                assert_eq!(other[member], view[member], "{game_type} {view}");
            }
            assert_eq!(
                copy.outcome().is_some(),
                position.outcome().is_some_and(|outcome| outcome.reason == "board")
            );
            assert_eq!(start(game_type, &copy.config()).unwrap().config(), copy.config());
            let has_both_queens = view["queens"].as_array().unwrap().iter().all(|around| !around.is_null());
            if view["resting"].is_null() && has_both_queens && position.outcome().is_none() {
                let moves_of =
                    |one: &dyn Position| one.legal_moves(None).unwrap().into_iter().collect::<BTreeSet<_>>();
                assert_eq!(moves_of(&*copy), moves_of(&*position), "{view}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn bad_cells_are_refused_with_the_reason() {
    let cell = |q: i32, pieces: Value| json!({"q": q, "r": 0, "pieces": pieces});
    for (cells, words) in [
        (json!({}), "cells is not a list"),
        (json!([]), "cells is not a list"),
        (json!([3]), "cells[0] is not an object"),
        (json!([{"q": 0, "r": 0, "pieces": ["wQ"], "s": 0}]), "cells[0] has no member 's'"),
        (json!([{"q": 0, "pieces": ["wQ"]}]), "cells[0] has no r"),
        (json!([{"q": 1001, "r": 0, "pieces": ["wQ"]}]), "cells[0] has no q"),
        (json!([cell(0, json!([]))]), "cells[0] has no list of pieces"),
        (json!([cell(0, json!(["wX"]))]), "cells[0] has \"wX\", which is no piece"),
        (json!([cell(0, json!(["wQ", "bA1"]))]), "cells[0] has bA1 on top"),
        (json!([cell(0, json!(["wM"]))]), "cells has wM, which is not part of a Base game"),
        (json!([cell(0, json!(["wQ"])), cell(1, json!(["wQ"]))]), "cells has wQ twice"),
        (json!([cell(0, json!(["wQ"])), cell(0, json!(["bQ"]))]), "cells has the cell 0, 0 twice"),
        (json!([cell(0, json!(["wQ"])), cell(2, json!(["bQ"]))]), "not connected"),
    ] {
        let why = refused("Base", &json!({"cells": cells}));
        assert!(why.contains(words), "{cells}: {why}");
    }
    let cells = json!([cell(0, json!(["wQ"]))]);
    assert!(refused("Base", &json!({"cells": cells, "toMove": 2})).contains("toMove"));
    assert!(refused("Base", &json!({"toMove": 1})).contains("toMove needs cells"));
    let both = json!({"cells": cells, "gameString": "Base;NotStarted;White[1]"});
    assert!(refused("Base", &both).contains("not both"));
}
