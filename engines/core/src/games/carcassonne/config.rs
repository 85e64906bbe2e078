//! The start of a game from JSON: how many seats, how many tiles, and either a seed or the first tile.
//!
//! The members are all optional: `seats` (2..=5, default 2), `tileCount` (1..=71, default 71: tiles drawn after the
//! start tile; the rest of the box stays unseen), `seed` (the order of the bag, default 0) and `tile` (the letter of the
//! first tile). With a tile and no seed, the order is unknown and every recorded move tells what was drawn after it.

use serde_json::{Value, json};

use super::Carcassonne;
use super::bag::{BAG, Bag};
use super::hidden::shuffle;
use super::state::State;
use super::tile_set::{TILES, TileId, TileSet, TypeId};
use crate::rules::{MAX_SEATS, RuleError};

/// The members of a configuration.
pub const MEMBERS: [&str; 4] = ["seats", "tileCount", "seed", "tile"];

/// The fewest seats.
pub const FEWEST_SEATS: usize = 2;

/// The rules and the start that a variant and a configuration describe.
///
/// # Errors
/// `BadConfig` that names the member.
pub fn read(variant: &str, config: &Value) -> Result<(Carcassonne, State), RuleError> {
    let tiles = TileSet::of(variant);
    let seats =
        number(config, "seats", FEWEST_SEATS as u64, MAX_SEATS as u64)?.unwrap_or(FEWEST_SEATS as u64) as usize;
    let tile_count = number(config, "tileCount", 1, BAG as u64)?.unwrap_or(BAG as u64) as u8;
    let seed = number(config, "seed", 0, u64::MAX)?;
    let first = first_tile(tiles, config)?;
    let start = tiles.start_tile();
    let mut order = [0; BAG];
    for (place, tile) in order.iter_mut().zip((0..TILES as TileId).filter(|tile| *tile != start)) {
        *place = tile;
    }
    let seed = if first.is_none() { Some(seed.unwrap_or(0)) } else { seed };
    match (seed, first) {
        (Some(seed), _) => shuffle(&mut order, seed),
        (None, Some(first)) => {
            let place = order.iter().position(|tile| tiles.type_of(*tile) == first);
            order.swap(0, place.ok_or_else(|| refuse("tile names a tile that is not in the bag".into()))?);
        }
        (None, None) => {}
    }
    let drawn = tiles.type_of(order[0]);
    if first.is_some_and(|first| first != drawn) {
        return Err(refuse(format!(
            "tile and seed disagree: with this seed the first tile is {}",
            tiles.letter(drawn)
        )));
    }
    let rules = Carcassonne { tiles, seats, tile_count, first: drawn, seed };
    let state = State::start(tiles, Bag::new(order, tile_count));
    Ok((rules, state))
}

/// The complete public configuration.
#[must_use]
pub fn write(rules: &Carcassonne) -> Value {
    json!({
        "seats": rules.seats,
        "tileCount": rules.tile_count,
        "tile": rules.tiles.letter(rules.first).to_string(),
    })
}

/// The row of the first tile, if the configuration names it.
fn first_tile(tiles: &TileSet, config: &Value) -> Result<Option<TypeId>, RuleError> {
    let Some(value) = config.get("tile") else { return Ok(None) };
    let letter = value.as_str().and_then(|text| {
        let mut letters = text.chars();
        letters.next().filter(|_| letters.next().is_none())
    });
    let known = || refuse(format!("tile is {value}, not the letter of a tile, A to X"));
    letter.and_then(|letter| tiles.named(letter)).map(Some).ok_or_else(known)
}

/// A whole number within limits; `None` if the configuration does not have it.
fn number(config: &Value, name: &str, least: u64, most: u64) -> Result<Option<u64>, RuleError> {
    let Some(value) = config.get(name) else { return Ok(None) };
    let number = value.as_u64().filter(|number| (least..=most).contains(number));
    number.map(Some).ok_or_else(|| refuse(format!("{name} is {value}, not a whole number in {least}..{most}")))
}

fn refuse(why: String) -> RuleError {
    RuleError::BadConfig(why)
}
