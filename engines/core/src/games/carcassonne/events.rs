//! What happened in an action, as JSON objects with a `type`.

use serde_json::{Value, json};

use super::Carcassonne;
use super::features::{SegmentId, kind};
use super::scoring;
use super::state::{LastMove, Phase, State};
use super::tile_set::TileId;
use super::view;
use crate::rules::Seat;

/// What happened on the way from one state to the next: one action of a seat, or one seat that left.
#[must_use]
pub fn events(rules: &Carcassonne, before: &State, after: &State) -> Vec<Value> {
    let mut events = Vec::new();
    match (before.phase(), after.phase(), after.last()) {
        (Phase::PlaceTile, Phase::PlaceMeeple, Some(last)) => {
            events.push(with_type("tile_placed", view::tile(rules, after, last.tile)));
        }
        (Phase::PlaceMeeple, _, Some(last)) => finished_turn(rules, before, after, last, &mut events),
        (Phase::PlaceTile, Phase::PlaceTile, _) if before.seat() != after.seat() => {
            events.push(json!({"type": "turn_skipped", "seat": before.seat(), "reason": "forfeit"}));
        }
        _ => {}
    }
    events
}

/// The second half of a turn: the meeple, what is complete, what is drawn, the end of the game.
fn finished_turn(rules: &Carcassonne, before: &State, after: &State, last: LastMove, events: &mut Vec<Value>) {
    let mut claimed = *before;
    match last.claimed {
        None => events.push(json!({"type": "meeple_skipped", "seat": last.seat})),
        Some(local) => {
            claimed.claim(rules.tiles, local);
            let segment = rules.tiles.segment(last.tile, local);
            events.push(meeple(rules, before, "meeple_placed", (last.seat.into(), segment)));
        }
    }
    scoring::completed(rules.tiles, &claimed).for_each(|root| scored(rules, &claimed, root, events));
    drawn(rules, before, after, events);
    if after.phase() == Phase::Scored {
        ended(rules, after, events);
    }
}

/// A complete feature, and the meeples that return from it.
fn scored(rules: &Carcassonne, state: &State, root: SegmentId, events: &mut Vec<Value>) {
    let features = state.board().features();
    let award = scoring::award(features, root, rules.seats);
    for seat in (0..rules.seats).filter(|seat| award.owners >> seat & 1 == 1) {
        events.push(json!({
            "type": "feature_scored",
            "feature": kind(root).name(),
            "seat": seat,
            "points": award.points,
            "tiles": features.building(root).tiles,
        }));
    }
    for seat in 0..rules.seats {
        let standing = state.meeples(seat).standing().iter();
        for segment in standing.filter(|segment| features.find(**segment) == root) {
            events.push(meeple(rules, state, "meeple_returned", (seat, *segment)));
        }
    }
}

/// The tiles drawn after a turn.
fn drawn(rules: &Carcassonne, before: &State, after: &State, events: &mut Vec<Value>) {
    let letter = |tile: TileId| rules.tiles.letter(rules.tiles.type_of(tile)).to_string();
    let drawn = &after.bag().seen()[before.bag().seen().len()..];
    let next = after.bag().drawn();
    for tile in drawn.iter().filter(|tile| next != Some(**tile)) {
        events.push(json!({"type": "tile_discarded", "tile": letter(*tile), "reason": "no legal placement"}));
    }
    events.push(match next {
        Some(tile) => {
            json!({"type": "tile_drawn", "tile": letter(tile), "tilesRemaining": after.bag().left()})
        }
        None => json!({"type": "tile_bag_empty"}),
    });
}

/// The points that the end of the game has added.
fn ended(rules: &Carcassonne, after: &State, events: &mut Vec<Value>) {
    let breakdowns = scoring::breakdowns(after, rules.seats);
    for (seat, breakdown) in breakdowns.iter().enumerate().take(rules.seats) {
        events.push(json!({
            "type": "end_game_points",
            "seat": seat,
            "points": after.scores()[seat] - after.points()[seat],
            "breakdown": view::breakdown(*breakdown),
        }));
    }
}

fn meeple(rules: &Carcassonne, state: &State, name: &str, (seat, segment): (Seat, SegmentId)) -> Value {
    let (tile, local) = rules.tiles.origin(segment);
    let cell = state.board().cell(tile);
    json!({
        "type": name,
        "seat": seat,
        "x": cell.x(),
        "y": cell.y(),
        "spot": view::spot(rules, state, tile, local),
    })
}

fn with_type(name: &str, mut event: Value) -> Value {
    event["type"] = name.into();
    event
}
