//! The rule of the third occurrence: what is the same position, and where it is counted.

use _core::games::hive::Hive;
use _core::games::open;
use _core::moves;
use _core::position::Position;
use _core::repetition::{Earlier, Repetition};
use _core::rules::{Rules, ToAct};
use rand::prelude::*;
use rand_pcg::Pcg64Mcg;
use serde_json::json;

use super::model::Model;

const OPENING: &str = r"wS1;bS1 wS1-;wQ -wS1;bQ bS1-";

/// Back to the same position in four plies.
const ROUND: &str = r"wQ \wS1;bQ bS1/;wQ -wS1;bQ bS1-";

/// Plays moves of which none but the last ends the game, and says why that did.
fn end(game_type: &str, moves: &[&str]) -> Option<&'static str> {
    let mut position = open("hive", Some(game_type), &json!(null)).unwrap();
    for text in moves.iter().flat_map(|moves| moves.split(';')) {
        assert!(position.outcome().is_none(), "{text}: over already after {:?}", position.history());
        let played = position.play(&[text.to_string()]);
        played.unwrap_or_else(|error| panic!("{text}: {error} after {:?}", position.history()));
    }
    position.outcome().map(|outcome| outcome.reason)
}

#[test]
fn the_third_time_is_a_draw_and_the_second_is_not() {
    assert_eq!(end("Base", &[OPENING, ROUND]), None);
    assert_eq!(end("Base", &[OPENING, ROUND, ROUND]), Some("repetition"));
}

/// Searches ask for it whether or not the rule holds.
#[test]
fn earlier_occurrences_are_known_without_the_rule() {
    let (rules, mut state) = Hive::setup("Base", &json!({"drawByRepetition": false})).unwrap();
    let mut earlier = Vec::new();
    for moves in [OPENING, ROUND, ROUND, r"wA1 -wQ"] {
        for text in moves.split(';') {
            moves::play_recorded(&rules, &mut state, text).unwrap();
        }
        assert_eq!(rules.repetition().unwrap().repeated(&state) != 0, earlier.len() == 1 || earlier.len() == 2);
        earlier.push(rules.earlier(&state));
    }
    let occurred = |times| Some(Earlier { times, plies: 4 });
    assert_eq!(earlier, [None, occurred(1), occurred(2), None]);
    assert_eq!(rules.to_act(&state), ToAct::One(1));
}

#[test]
fn cycles_of_six_plies_count() {
    let opening = r"wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-";
    let round = r"wA1 \wQ;bA1 bQ/;wA1 /wQ;bA1 bQ\;wA1 -wQ;bA1 bQ-";
    assert_eq!(end("Base", &[opening, round]), None);
    assert_eq!(end("Base", &[opening, round, round]), Some("repetition"));
}

#[test]
fn numbers_of_bugs_do_not_count() {
    let opening = r"wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 \wQ;bA1 bQ-;wA2 /wQ;bA2 bQ/";
    // The Ants change places by way of a third cell, and Black's go round as well.
    let change = r"wA1 -wQ;bA1 bQ\;wA2 \wQ;bA1 bA2-;wA1 /wQ;bA1 bQ-";
    let back = r"wA2 -wQ;bA1 bQ\;wA1 \wQ;bA1 bA2-;wA2 /wQ;bA1 bQ-";
    assert_eq!(end("Base", &[opening, change]), None);
    assert_eq!(end("Base", &[opening, change, back]), Some("repetition"));
}

#[test]
fn a_hive_that_has_wandered_is_the_same() {
    let opening = r"wA1;bA1 wA1-;wQ -wA1;bQ bA1-";
    // After these eight plies everything stands as before, one cell farther east.
    let (out, back) = (r"wQ \wA1;bQ bA1/", r"wQ -bQ;bA1 bQ\;wA1 wQ\;bQ bA1/;wQ -wA1;bQ bA1-");
    assert_eq!(end("Base", &[opening, out, back]), None);
    assert_eq!(end("Base", &[opening, out, back, out]), Some("repetition"));
}

/// Few pieces that only move come back to the same positions often, also with a piece that may not be thrown.
#[test]
fn small_hives_are_drawn_when_the_model_says_so() {
    let openings = [
        ("Base+P", r"wP;bP wP-;wQ -wP;bQ bP-"),
        ("Base+MP", r"wP;bM wP-;wQ \wP;bQ bM\"),
        ("Base+MLP", r"wM;bP wM-;wQ /wM;bQ bP/"),
        ("Base", r"wB1;bB1 wB1-;wQ -wB1;bQ bB1-"),
    ];
    let mut drawn = 0;
    for (game_type, opening) in openings {
        for seed in 0..6 {
            drawn += u32::from(wander(game_type, opening, &mut Pcg64Mcg::seed_from_u64(seed)));
        }
    }
    assert!(drawn >= 6, "only {drawn} games were drawn");
}

/// Moves pieces at random until the game is over for both; whether that was by repetition.
fn wander(game_type: &str, opening: &str, rng: &mut Pcg64Mcg) -> bool {
    let config = json!({"plyLimit": 0});
    let mut position = open("hive", Some(game_type), &config).unwrap();
    let mut model = Model::new(game_type);
    let mut play = |position: &mut dyn Position, text: String| {
        position.play(std::slice::from_ref(&text)).unwrap();
        model.play_text(&text);
        let reason = position.outcome().map(|outcome| outcome.reason);
        let expected = if model.state() != "InProgress" { "board" } else { "repetition" };
        let over = model.state() != "InProgress" || model.is_repeated();
        assert_eq!(reason, over.then_some(expected), "{game_type}: {:?}", position.history());
    };
    for text in opening.split(';') {
        play(&mut *position, text.to_string());
    }
    for _ in 0..150 {
        if position.outcome().is_some() {
            break;
        }
        let pieces = position.view(None).unwrap()["cells"].to_string();
        let moves = position.legal_moves(None).unwrap();
        let step = |text: &&String| text.split(' ').next().is_some_and(|name| pieces.contains(name));
        let steps: Vec<&String> = moves.iter().filter(step).collect();
        let text = steps.choose(rng).map_or(&moves[0], |text| *text);
        play(&mut *position, text.clone());
    }
    position.outcome().is_some_and(|outcome| outcome.reason == "repetition")
}
