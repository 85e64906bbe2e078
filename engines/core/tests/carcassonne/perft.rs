//! Leaves of the tree of actions, for fixed seeds: the order of the bag is part of them, so that they also hold the
//! shuffle in place.

use _core::games::open;
use _core::position::Position;
use serde_json::json;

use super::model::Model;

#[test]
fn tables() {
    let lines = include_str!("../data/carcassonne/perft.txt").lines().filter(|line| !line.starts_with('#'));
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (seats, seed) = (words[1].parse::<u64>().unwrap(), words[2].parse::<u64>().unwrap());
        let position = open("carcassonne", Some(words[0]), &json!({"seats": seats, "seed": seed})).unwrap();
        let order = order(&*position);
        for (depth, leaves) in (1..).zip(&words[3..]) {
            let counted = position.perft(depth, 1).unwrap();
            assert_eq!(counted.to_string(), *leaves, "{line}, depth {depth}");
            if depth <= 4 {
                let model = Model::new(words[0], seats as usize);
                assert_eq!(count(&model, seats as usize, &order, 0, depth), counted, "{line}, depth {depth}");
            }
        }
    }
}

/// The first tiles, as a game tells them.
fn order(position: &dyn Position) -> Vec<String> {
    let mut position = position.boxed_clone();
    let mut order = Vec::new();
    for _ in 0..3 {
        order.push(position.view(None).unwrap()["tile"].as_str().unwrap().to_string());
        let first = position.legal_moves(None).unwrap()[0].clone();
        position.play(&[first]).unwrap();
    }
    order
}

/// The same counted by the model: the first tiles always have a place.
fn count(model: &Model, seats: usize, order: &[String], turn: usize, depth: u32) -> u64 {
    let placements = model.placements(&order[turn]);
    if depth == 1 {
        return placements.len() as u64;
    }
    let placed = placements.iter().map(|placement| {
        let mut model = model.clone();
        let cell = model.place(&order[turn], placement);
        let spots = model.spots(turn % seats, cell);
        if depth == 2 {
            return 1 + spots.len() as u64;
        }
        let spots = spots.iter().map(|spot| Some(spot.as_str())).chain([None]);
        let finished = spots.map(|spot| {
            let mut model = model.clone();
            model.finish(turn % seats, cell, spot);
            count(&model, seats, order, turn + 1, depth - 2)
        });
        finished.sum()
    });
    placed.sum()
}
