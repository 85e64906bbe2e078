//! Runs the cases of `tests/data/carcassonne/rules.txt`; the commands are explained at its top.

use _core::games::open;
use _core::position::Position;
use _core::rules::RuleError;
use serde_json::{Value, json};

#[test]
fn rules() {
    let text = include_str!("../data/carcassonne/rules.txt");
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut case = Case::default();
    for line in lines {
        let (command, rest) = line.split_once(' ').unwrap();
        if command == "case" {
            case = Case { name: rest.to_string(), position: None };
        } else {
            case.obey(command, rest);
        }
    }
}

/// How many placements there are for every tile beside the start tile.
#[test]
fn placements_beside_the_start() {
    let counts = "A5 B4 C4 D6 E4 F4 G4 H4 I4 J6 K6 L7 M4 N4 O6 P6 Q4 R4 S5 T5 U6 V6 W7 X8";
    for count in counts.split(' ') {
        let position = start("standard", &json!({"tile": count[..1]}));
        assert_eq!(placements(&*position).len().to_string(), count[1..], "{count}");
    }
    for (tile, count) in [("Q", 4), ("R", 5), ("S", 4), ("T", 5)] {
        assert_eq!(placements(&*start("meeple_compat", &json!({"tile": tile}))).len(), count, "{tile}");
    }
    let lists = [
        ("A", "-1,0,270 0,-1,0 0,-1,90 0,-1,270 1,0,90"),
        ("C", "0,1,0 0,1,90 0,1,180 0,1,270"),
        ("E", "0,-1,90 0,-1,180 0,-1,270 0,1,180"),
        ("J", "-1,0,0 -1,0,270 0,-1,90 0,1,180 1,0,90 1,0,180"),
        ("W", "-1,0,90 -1,0,180 -1,0,270 0,-1,270 1,0,0 1,0,90 1,0,270"),
        ("X", "-1,0,0 -1,0,90 -1,0,180 -1,0,270 1,0,0 1,0,90 1,0,180 1,0,270"),
    ];
    for (tile, list) in lists {
        assert_eq!(placements(&*start("standard", &json!({"tile": tile}))).join(" "), list, "{tile}");
    }
}

/// The last move tells what it brought every seat.
#[test]
fn the_last_move_tells_its_points() {
    let mut position = start("standard", &json!({"tile": "E", "seats": 3}));
    assert_eq!(position.view(None).unwrap()["lastMove"], Value::Null);
    position.play(&["0,1,180 city_S +U".into()]).unwrap();
    let last = position.view(None).unwrap()["lastMove"].clone();
    let city = json!({"feature": "city", "points": 4, "cells": [{"x": 0, "y": 0}, {"x": 0, "y": 1}]});
    let place = json!({"x": 0, "y": 1, "tile": "E", "rotation": 180, "spot": "city_S", "seat": 0,
        "points": [4, 0, 0], "scored": [city]});
    assert_eq!(last, place);
    position.play(&["1,0,90 +B".into()]).unwrap();
    let last = &position.view(None).unwrap()["lastMove"];
    assert_eq!((&last["points"], &last["scored"]), (&json!([0, 0, 0]), &json!([])));
}

/// Under the standard rules the wide field of W has one name, with the other catalogue two.
#[test]
fn the_wide_field() {
    for (variant, spots) in [
        ("standard", "skip road_N road_S road_W field_NE field_NW field_SW"),
        ("meeple_compat", "skip road_N road_S road_W field_NE field_ES field_NW field_SW"),
    ] {
        let position = start(variant, &json!({"tile": "W", "tileCount": 1}));
        assert_eq!(position.legal_actions(None, "1,0,0").unwrap().join(" "), spots);
        assert_eq!(position.check("1,0,0 field_SE", None).is_ok(), variant == "meeple_compat");
    }
    let mut position = start("meeple_compat", &json!({"tile": "W", "tileCount": 2}));
    position.play(&["1,0,0 field_ES +U".into()]).unwrap();
    assert_eq!(position.view(None).unwrap()["meeples"][0]["spot"], "field_ES");
    assert!(position.check("2,0,0 field_W", None).is_err(), "it is one field");
}

#[test]
fn whole_moves_are_listed_in_order() {
    let moves = start("standard", &json!({"tile": "E", "tileCount": 1})).legal_moves(None).unwrap();
    assert_eq!(moves[..4], ["0,-1,90", "0,-1,90 city_E", "0,-1,90 field_NSW", "0,-1,180"]);
    assert_eq!(moves.len(), 12);
}

fn start(variant: &str, config: &Value) -> Box<dyn Position> {
    open("carcassonne", Some(variant), config).unwrap()
}

fn placements(position: &dyn Position) -> Vec<String> {
    position.legal_actions(None, "").unwrap()
}

/// One position and what is said about it.
#[derive(Default)]
struct Case {
    name: String,
    position: Option<Box<dyn Position>>,
}

impl Case {
    fn obey(&mut self, command: &str, rest: &str) {
        let name = self.name.clone();
        match command {
            "start" => {
                let (variant, config) = rest.split_once(' ').unwrap();
                self.position = Some(start(variant, &serde_json::from_str(config).unwrap()));
            }
            "move" => {
                let (count, text) = rest.split_once(' ').unwrap();
                let placements = placements(self.position()).len().to_string();
                assert!(count == "-" || count == placements, "{name}: {placements} before {text}");
                let position = self.position.as_mut().expect("a case begins with start");
                position.play(&[text.to_string()]).unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
                assert_eq!(position.history().last().unwrap(), text, "{name}");
            }
            "placements" => assert_eq!(placements(self.position()).len().to_string(), rest, "{name}"),
            "list" => assert_eq!(placements(self.position()).join(";"), rest, "{name}"),
            "spots" => {
                let (placement, spots) = rest.split_once(" => ").expect("placement => spots");
                let actions = self.position().legal_actions(None, placement).unwrap();
                assert_eq!(actions.join(" "), format!("skip {spots}"), "{name}");
            }
            "scores" | "supply" => assert_eq!(self.numbers(command), rest, "{name}"),
            "end" => {
                let outcome = self.position().outcome().unwrap_or_else(|| panic!("{name}: the game goes on"));
                let scores = &outcome.scores.unwrap()[..self.position().seats()];
                assert_eq!(join(scores.iter()), rest, "{name}");
                assert_eq!(self.numbers("scores"), rest, "{name}");
                assert_eq!(self.position().view(None).unwrap()["phase"], "game_over");
            }
            "tile" => assert_eq!(self.position().view(None).unwrap()["tile"], rest, "{name}"),
            "turn" => assert_eq!(join(self.position().to_act().iter()), rest, "{name}"),
            "reads" => {
                let (text, canonical) = rest.split_once(" => ").expect("text => canonical");
                assert_eq!(self.position().check(text, None), Ok(canonical.into()), "{name}: {text}");
            }
            "illegal" => self.refuses(rest, |error| matches!(error, RuleError::IllegalMove(_))),
            "unreadable" => self.refuses(rest, |error| matches!(error, RuleError::BadNotation(_))),
            other => panic!("{name}: what is '{other}'?"),
        }
    }

    fn position(&self) -> &dyn Position {
        &**self.position.as_ref().expect("a case begins with start")
    }

    /// A list of numbers in the view.
    fn numbers(&self, member: &str) -> String {
        join(self.position().view(None).unwrap()[member].as_array().unwrap().iter())
    }

    /// `text => words of the sentence`
    fn refuses(&self, rest: &str, kind: fn(&RuleError) -> bool) {
        let (text, words) = rest.split_once("=> ").expect("text => words of the sentence");
        let text = text.strip_suffix(' ').unwrap_or(text);
        let mut position = self.position().boxed_clone();
        let error = position.play(&[text.to_string()]).expect_err(text);
        assert!(kind(&error) && error.to_string().contains(words), "{}: {text}: {error:?}", self.name);
        assert_eq!(position.view(None), self.position().view(None), "{}: {text}", self.name);
        assert_eq!(position.key(), self.position().key(), "{}: {text}", self.name);
    }
}

fn join<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}
