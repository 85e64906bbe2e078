//! The furthest that a game can go: a straight line of all tiles, and phases that are not at rest.

use _core::games::carcassonne::Carcassonne;
use _core::games::carcassonne::action::Action;
use _core::games::carcassonne::catalogue::{START, TileType};
use _core::games::carcassonne::state::{Phase, State};
use _core::games::carcassonne::tile_set::TileSet;
use _core::games::open;
use _core::rules::{RuleError, Rules, ToAct};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::json;

use super::model::Model;

/// All 72 tiles in one row or column, as far as coordinates reach, with a meeple wherever one may be put.
#[test]
fn a_straight_line_of_72_tiles() {
    for (direction, (dx, dy)) in [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().enumerate() {
        let line = line(direction);
        assert_eq!(line.len(), 71);
        let config = json!({"seats": 3, "tile": line[0].0.to_string()});
        let mut position = open("carcassonne", None, &config).unwrap();
        let mut model = Model::new("standard", 3);
        for (index, (letter, quarters)) in line.iter().enumerate() {
            let distance = index as i32 + 1;
            let placement = format!("{},{},{}", dx * distance, dy * distance, quarters * 90);
            assert!(position.legal_actions(None, "").unwrap() == model.placements(&letter.to_string()));
            let cell = model.place(&letter.to_string(), &placement);
            let seat = index % 3;
            let spots = model.spots(seat, cell);
            assert_eq!(position.legal_actions(None, &placement).unwrap()[1..], spots);
            model.finish(seat, cell, spots.first().map(String::as_str));
            let spot = spots.first().map_or_else(String::new, |spot| format!(" {spot}"));
            let tail = line.get(index + 1).map_or_else(String::new, |(next, _)| format!(" +{next}"));
            position.play(&[format!("{placement}{spot}{tail}")]).unwrap();
        }
        model.end();
        let view = position.view(None).unwrap();
        assert_eq!(view["tiles"].as_array().unwrap().len(), 72);
        assert_eq!(view["scores"], json!(model.scores));
        assert_eq!((&view["lastMove"]["x"], &view["lastMove"]["y"]), (&json!(71 * dx), &json!(71 * dy)));
    }
}

/// An order of the bag and rotations that make a straight line in a direction: tried at random until all tiles are used.
fn line(direction: usize) -> Vec<(char, usize)> {
    let rows = TileSet::of("standard").types();
    let edge =
        |row: &TileType, quarters: usize, direction: usize| row.edges.as_bytes()[(direction + 4 - quarters) % 4];
    let ends = |row: &TileType, quarters| (edge(row, quarters, direction ^ 2), edge(row, quarters, direction));
    for seed in 0..10_000 {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut counts: Vec<u8> = rows.iter().map(|row| row.count).collect();
        let start = rows.iter().position(|row| row.letter == START).unwrap();
        counts[start] -= 1;
        let mut last = edge(&rows[start], 0, direction);
        let mut line = Vec::new();
        loop {
            let mut fitting: Vec<(usize, usize)> = (0..rows.len())
                .flat_map(|row| (0..4).map(move |quarters| (row, quarters)))
                .filter(|(row, quarters)| counts[*row] > 0 && ends(&rows[*row], *quarters).0 == last)
                .collect();
            let same: Vec<(usize, usize)> =
                fitting.iter().copied().filter(|(row, quarters)| ends(&rows[*row], *quarters).1 == last).collect();
            if !same.is_empty() {
                fitting = same;
            }
            let Some((row, quarters)) = fitting.choose(&mut rng).copied() else { break };
            counts[row] -= 1;
            last = ends(&rows[row], quarters).1;
            line.push((rows[row].letter, quarters));
        }
        if line.len() == 71 {
            return line;
        }
    }
    panic!("no line was found");
}

/// Within a turn only the second action is legal, and only for the seat that has placed the tile.
#[test]
fn the_second_half_of_a_turn() {
    let (rules, mut state) = Carcassonne::setup("standard", &json!({"tile": "E", "seats": 3})).unwrap();
    let refusal = |state: &State, text: &str| rules.read(state, 0, text).unwrap_err();
    assert_eq!(
        refusal(&state, "city_S"),
        RuleError::IllegalMove("the tile must be placed before 'city_S'".into())
    );
    assert!(!rules.is_legal(&state, 0, Action::Skip) && !rules.is_legal(&state, 0, Action::Claim(0)));
    let place = rules.read(&state, 0, "0,1,180").unwrap();
    rules.play_unchecked(&mut state, &place);
    assert_eq!((state.phase(), rules.to_act(&state)), (Phase::PlaceMeeple, ToAct::One(0)));
    assert_eq!(rules.view(&state, None)["phase"], "place_meeple");
    assert!(!rules.at_rest(&state) && rules.end_early(&state) == Some(Action::Skip));
    assert!(!rules.is_legal(&state, 0, place[0]) && !rules.is_legal(&state, 1, Action::Skip));
    assert!(matches!(refusal(&state, "0,1,180"), RuleError::BadNotation(_)));
    assert!(matches!(refusal(&state, "0,1,180 city_S"), RuleError::BadNotation(_)));
    assert_eq!(rules.read(&state, 0, "skip"), Ok(vec![Action::Skip]));
    assert_eq!(rules.read(&state, 0, "city_S"), Ok(vec![Action::Claim(0)]));
}

/// Who leaves after placing a tile still completes what that tile completes.
#[test]
fn leaving_within_a_turn_scores_the_tile() {
    let (rules, mut state) = Carcassonne::setup("standard", &json!({"seed": 2, "seats": 3})).unwrap();
    for _ in 0..60 {
        let ToAct::One(seat) = rules.to_act(&state) else { panic!("the game is over") };
        let mut legal = Vec::new();
        rules.legal(&state, seat, &mut legal);
        rules.play_unchecked(&mut state, &legal[..1]);
        let mut left = state;
        rules.forfeit(&mut left, seat);
        let mut skipped = state;
        rules.play_unchecked(&mut skipped, &[Action::Skip]);
        assert_eq!(left.points(), skipped.points());
        assert_eq!(left.bag().seen(), skipped.bag().seen());
        assert_eq!(rules.to_act(&left), ToAct::One((seat + 1) % 3));
        legal.clear();
        rules.legal(&state, seat, &mut legal);
        rules.play_unchecked(&mut state, &legal[legal.len() - 1..]);
    }
}

/// Seven meeples, and no eighth.
#[test]
fn nobody_has_an_eighth_meeple() {
    let mut found = false;
    for seed in 0..20 {
        let (rules, mut state) = Carcassonne::setup("standard", &json!({"seed": seed})).unwrap();
        while let ToAct::One(seat) = rules.to_act(&state) {
            let mut legal = Vec::new();
            rules.legal(&state, seat, &mut legal);
            if state.phase() == Phase::PlaceMeeple && state.meeples(seat).supply() == 0 {
                assert_eq!(legal, [Action::Skip]);
                let last = state.last().unwrap();
                let tiles = rules.tiles();
                let spot = tiles.spot(tiles.type_of(last.tile), state.board().rotation(last.tile), 0);
                let error = rules.read(&state, seat, &spot.to_string()).unwrap_err();
                assert_eq!(error, RuleError::IllegalMove(format!("seat {seat} has no meeple left")));
                found = true;
            }
            rules.play_unchecked(&mut state, &legal[legal.len() - 1..]);
        }
    }
    assert!(found);
}
