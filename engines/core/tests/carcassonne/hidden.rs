//! The order of the bag: what records tell of it, and what redealing leaves alone.

use _core::games::open;
use _core::position::Position;
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

fn letters(history: &[String]) -> Vec<char> {
    let signs = history.iter().flat_map(|text| text.split(' ').skip(1));
    signs.filter(|word| word.starts_with(['+', '-'])).map(|word| word.chars().nth(1).unwrap()).collect()
}

fn random_game(position: &mut dyn Position, plies: usize, rng: &mut Pcg64) {
    for _ in 0..plies {
        let moves = position.legal_moves(None).unwrap();
        position.play(&[moves.choose(rng).unwrap().clone()]).unwrap();
    }
}

#[test]
fn redeals_differ_only_in_what_nobody_knows() {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut position = open("carcassonne", None, &json!({"seats": 4, "seed": 2})).unwrap();
    random_game(&mut *position, 30, &mut rng);
    let mut orders = Vec::new();
    for seed in 0..8 {
        let mut redealt = position.boxed_clone();
        redealt.redeal((seed % 4) as usize, seed).unwrap();
        assert_eq!(redealt.view(None), position.view(None));
        assert_eq!(redealt.information_key(1), position.information_key(1));
        assert_ne!(redealt.key(), position.key());
        random_game(&mut *redealt, 41, &mut rng);
        assert!(redealt.outcome().is_some());
        let mut order = letters(&redealt.history());
        orders.push(order.clone());
        order.sort_unstable();
        let mut all = orders[0].clone();
        all.sort_unstable();
        assert_eq!(order, all, "the same tiles in another order");
    }
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 8);
}

/// Equal tiles are interchangeable: what a seat knows does not depend on which of them was placed first.
#[test]
fn equal_positions_have_equal_keys() {
    let played = |first: &str, second: &str| {
        let mut position = open("carcassonne", None, &json!({"tile": "U"})).unwrap();
        position.play(&[format!("{first} +U"), format!("{second} +E")]).unwrap();
        position.information_key(0).unwrap()
    };
    assert_eq!(played("1,0,90", "-1,0,90"), played("-1,0,90", "1,0,90"));
    assert_ne!(played("1,0,90", "-1,0,90"), played("1,0,90", "-1,0,270"));
    assert_ne!(played("1,0,90", "-1,0,90"), played("1,0,90", "-1,0,90 field_N"));
}

/// With a short bag, what never comes is unknown too.
#[test]
fn short_bags_are_redealt_from_the_whole_box() {
    let position = open("carcassonne", None, &json!({"tileCount": 3, "seed": 2})).unwrap();
    let mut rng = Pcg64::seed_from_u64(1);
    let mut drawn = Vec::new();
    for seed in 0..60 {
        let mut redealt = position.boxed_clone();
        redealt.redeal(0, seed).unwrap();
        while redealt.outcome().is_none() {
            random_game(&mut *redealt, 1, &mut rng);
        }
        assert_eq!(letters(&redealt.history()).len(), 2);
        drawn.extend(letters(&redealt.history()));
    }
    drawn.sort_unstable();
    drawn.dedup();
    assert!(drawn.len() > 15, "{drawn:?}");
}

#[test]
fn tails_must_be_possible() {
    let config = json!({"tile": "X", "tileCount": 4});
    let position = open("carcassonne", None, &config).unwrap();
    for (tail, why) in [
        ("", "the record does not tell which tile was drawn"),
        (" +X", "there is no X left in the bag"),
        (" -C -C +A", "there is no C left in the bag"),
        (" -A -B -E +F", "more tiles are drawn (4) than are left in the bag (3)"),
        (" -A", "the record does not tell which tile was drawn"),
        (" -A -B -E", "the record says '-A -B -E' where"),
        (" -U +A", "the record says '-U +A' where '+U' follows"),
    ] {
        let error = position.boxed_clone().play(&[format!("1,0,0{tail}")]).unwrap_err().to_string();
        assert!(error.contains(why), "{tail}: {error}");
    }
    let dealt = open("carcassonne", None, &json!({"seed": 3})).unwrap();
    let first = dealt.legal_moves(None).unwrap()[0].clone();
    let error = dealt.boxed_clone().play(&[format!("{first} +C")]).unwrap_err().to_string();
    assert!(error.starts_with("the record says '+C' where"), "{error}");
}

/// After a takeback, the same tiles come again; a discard can be different on another board.
#[test]
fn takebacks_keep_the_order() {
    let mut position = open("carcassonne", None, &json!({"seats": 3, "seed": 5})).unwrap();
    let mut rng = Pcg64::seed_from_u64(4);
    random_game(&mut *position, 10, &mut rng);
    let before = position.view(None);
    let key = position.key();
    random_game(&mut *position, 5, &mut rng);
    (0..5).for_each(|_| position.undo().unwrap());
    assert_eq!((position.view(None), position.key()), (before, key));
}

/// What a move returns tells the whole turn.
#[test]
fn events_tell_the_turn() {
    let mut position = open("carcassonne", None, &json!({"tile": "E", "tileCount": 2})).unwrap();
    let events = position.play(&["0,1,180 city_S -C".into()]).unwrap();
    let types: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        [
            "tile_placed",
            "meeple_placed",
            "feature_scored",
            "meeple_returned",
            "tile_discarded",
            "tile_bag_empty",
            "end_game_points",
            "end_game_points"
        ]
    );
    assert_eq!(events[0], json!({"type": "tile_placed", "x": 0, "y": 1, "tile": "E", "rotation": 180}));
    let scored = json!({"type": "feature_scored", "feature": "city", "seat": 0, "points": 4, "tiles": 2});
    assert_eq!(events[2], scored);
    assert_eq!(events[4]["tile"], "C");
    let mut leaving = open("carcassonne", None, &json!({"seats": 3, "tile": "E"})).unwrap();
    let skipped = json!({"type": "turn_skipped", "seat": 0, "reason": "forfeit"});
    assert_eq!(leaving.play(&["!0".into()]).unwrap(), [skipped]);
    assert_eq!(leaving.play(&["!0".into()]).unwrap_err().to_string(), "seat 0 has left already");
}

/// The points that events tell add up to the scores.
#[test]
fn events_add_up() {
    for seed in 0..20 {
        let mut rng = Pcg64::seed_from_u64(seed);
        let seats = 2 + seed as usize % 4;
        let mut position = open("carcassonne", None, &json!({"seats": seats, "seed": seed})).unwrap();
        let mut points = vec![0; seats];
        while position.outcome().is_none() {
            let moves = position.legal_moves(None).unwrap();
            let events = position.play(&[moves.choose(&mut rng).unwrap().clone()]).unwrap();
            for event in events.iter().filter(|event| !event["points"].is_null()) {
                points[event["seat"].as_u64().unwrap() as usize] += event["points"].as_u64().unwrap();
            }
        }
        assert_eq!(position.view(None).unwrap()["scores"], Value::from(points), "seed {seed}");
    }
}
