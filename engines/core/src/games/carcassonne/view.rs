//! What boards draw, as JSON. Everybody sees the same: everything but the order of the bag.

use serde_json::{Map, Value, json};

use super::Carcassonne;
use super::features;
use super::scoring::{self, Breakdown, Roots};
use super::state::{Phase, State};
use super::tile_set::{Local, TileId};

/// What everybody sees of a state.
#[must_use]
pub fn view(rules: &Carcassonne, state: &State) -> Value {
    let seats = 0..rules.seats;
    let letter = |tile: TileId| rules.tiles.letter(rules.tiles.type_of(tile)).to_string();
    let mut view = json!({
        "phase": phase(state),
        "toMove": is_running(state).then(|| state.seat()),
        "tile": state.in_hand().map(letter),
        "tilesRemaining": if is_running(state) { state.bag().left() } else { 0 },
        "tiles": tiles(rules, state),
        "meeples": meeples(rules, state),
        "scores": state.scores()[..rules.seats],
        "supply": seats.clone().map(|seat| state.meeples(seat).supply()).collect::<Vec<_>>(),
        "left": seats.clone().filter(|seat| state.gone() >> seat & 1 == 1).collect::<Vec<_>>(),
        "lastMove": last_move(rules, state),
        "discarded": state.discarded(rules.tiles).map(|row| rules.tiles.letter(row).to_string()).collect::<Vec<_>>(),
        "unseen": unseen(rules, state),
    });
    if state.phase() == Phase::Scored {
        let breakdowns = scoring::breakdowns(state, rules.seats);
        view["breakdown"] = seats.map(|seat| breakdown(breakdowns[seat])).collect();
    }
    view
}

/// The phase as other programs name it.
#[must_use]
pub fn phase(state: &State) -> &'static str {
    match state.phase() {
        Phase::PlaceTile => "place_tile",
        Phase::PlaceMeeple => "place_meeple",
        Phase::Scored | Phase::Resignation(_) => "game_over",
    }
}

fn is_running(state: &State) -> bool {
    matches!(state.phase(), Phase::PlaceTile | Phase::PlaceMeeple)
}

fn tiles(rules: &Carcassonne, state: &State) -> Vec<Value> {
    placed(rules, state).map(|placed| tile(rules, state, placed)).collect()
}

/// The tiles on the table in the order in which they were placed.
fn placed(rules: &Carcassonne, state: &State) -> impl Iterator<Item = TileId> {
    let seen = state.bag().seen().iter().copied().filter(|tile| state.board().has(*tile));
    std::iter::once(rules.tiles.start_tile()).chain(seen)
}

/// A tile on the table.
#[must_use]
pub fn tile(rules: &Carcassonne, state: &State, tile: TileId) -> Value {
    let cell = state.board().cell(tile);
    json!({
        "x": cell.x(),
        "y": cell.y(),
        "tile": rules.tiles.letter(rules.tiles.type_of(tile)).to_string(),
        "rotation": 90 * u32::from(state.board().rotation(tile)),
    })
}

/// The name of a segment of a placed tile.
#[must_use]
pub fn spot(rules: &Carcassonne, state: &State, tile: TileId, local: Local) -> String {
    rules.tiles.spot(rules.tiles.type_of(tile), state.board().rotation(tile), local).to_string()
}

/// The meeples on the table, seat by seat, in the order of the segments.
fn meeples(rules: &Carcassonne, state: &State) -> Vec<Value> {
    let of_seat = |seat: usize| {
        let mut standing = state.meeples(seat).standing().to_vec();
        standing.sort_by_key(|segment| {
            let (tile, local) = rules.tiles.origin(*segment);
            (state.board().cell(tile), local)
        });
        standing.into_iter().map(move |segment| (seat, rules.tiles.origin(segment)))
    };
    let meeple = |(seat, (tile, local)): (usize, (TileId, Local))| {
        let cell = state.board().cell(tile);
        json!({"x": cell.x(), "y": cell.y(), "spot": spot(rules, state, tile, local), "seat": seat})
    };
    (0..rules.seats).flat_map(of_seat).map(meeple).collect()
}

fn last_move(rules: &Carcassonne, state: &State) -> Value {
    let Some(last) = state.last() else { return Value::Null };
    let mut view = tile(rules, state, last.tile);
    view["spot"] = last.claimed.map(|local| spot(rules, state, last.tile, local)).into();
    view["seat"] = last.seat.into();
    view["points"] = (0..rules.seats).map(|seat| state.points()[seat] - last.before[seat]).collect();
    view["scored"] = scored(rules, state, last.scored);
    view
}

/// The features that the last move completed, in an order that tells nothing about the bag: tiles that look the same
/// have numbers, and with them the features.
fn scored(rules: &Carcassonne, state: &State, roots: Roots) -> Value {
    let features = state.board().features();
    let mut scored: Vec<(&str, Vec<usize>, u16)> = roots
        .map(|root| {
            let is_part =
                |tile: TileId| rules.tiles.segments(tile).iter().any(|part| features.find(*part) == root);
            let places =
                placed(rules, state).enumerate().filter(|(_, tile)| is_part(*tile)).map(|(place, _)| place);
            (features::kind(root).name(), places.collect(), scoring::worth(features, root))
        })
        .collect();
    scored.sort();
    let tiles: Vec<TileId> = placed(rules, state).collect();
    let cell = |place: &usize| {
        let cell = state.board().cell(tiles[*place]);
        json!({"x": cell.x(), "y": cell.y()})
    };
    let feature = |(feature, places, points): (&str, Vec<usize>, u16)| {
        let cells: Vec<Value> = places.iter().map(cell).collect();
        json!({"feature": feature, "points": points, "cells": cells})
    };
    scored.into_iter().map(feature).collect()
}

/// How many tiles of each letter have not been seen, zeros left out. With a short bag, some of them never come.
fn unseen(rules: &Carcassonne, state: &State) -> Value {
    let counts = state.unseen(rules.tiles).into_iter().zip(rules.tiles.types());
    let members =
        counts.filter(|(count, _)| *count > 0).map(|(count, row)| (row.letter.to_string(), count.into()));
    members.collect::<Map<String, Value>>().into()
}

/// Points of the end of the game by what they are for.
#[must_use]
pub fn breakdown(breakdown: Breakdown) -> Value {
    let Breakdown { cities, roads, monasteries, fields } = breakdown;
    json!({"cities": cities, "roads": roads, "monasteries": monasteries, "fields": fields})
}
