//! Reads the start of a game from JSON: the pieces, the rules on endings, and the moves already played.
//!
//! All members are optional: `gameString` (its moves precede the start) or `cells` and `toMove` (see [`composed`]),
//! `drawByRepetition` (true), `plyLimit` (500; 0
//! for none) and `queenFirst` (false; true allows the Queen as the first piece, as in old records).

use serde_json::{Map, Value, json};

use super::composed;
use super::game_string;
use super::state::State;
use super::variant;
use super::{Hive, Start, Terms};
use crate::rules::RuleError;

/// The members of a configuration.
pub const MEMBERS: [&str; 6] = ["gameString", "cells", "toMove", "drawByRepetition", "plyLimit", "queenFirst"];

/// The default for the number of plies after which a game is drawn.
pub const PLY_LIMIT: u32 = 500;

/// The maximum of `plyLimit`.
const MOST_PLIES: u64 = 1_000_000;

impl Default for Terms {
    fn default() -> Self {
        Self { draw_by_repetition: true, ply_limit: PLY_LIMIT, queen_first: false }
    }
}

/// The rules and the start position for a variant and a configuration.
///
/// # Errors
/// `BadConfig`, naming the member.
pub fn read(variant: &str, config: &Value) -> Result<(Hive, State), RuleError> {
    let name = variant::canonical(variant)
        .ok_or_else(|| refuse(format!("{variant} is not a game type: one of {}", variant::TYPES.join(", "))))?;
    let terms = Terms {
        draw_by_repetition: flag(config, "drawByRepetition", true)?,
        ply_limit: ply_limit(config)?,
        queen_first: flag(config, "queenFirst", false)?,
    };
    let rules = Hive::new(name, terms);
    if let Some(cells) = config.get("cells") {
        if config.get("gameString").is_some() {
            return Err(refuse("give gameString or cells, not both".into()));
        }
        let state = composed::read(name, cells, config.get("toMove"))?;
        return Ok(rules.composed(state));
    }
    if config.get("toMove").is_some() {
        return Err(refuse("toMove needs cells".into()));
    }
    match config.get("gameString") {
        None => Ok((rules, State::start())),
        Some(Value::String(text)) => game_string::begin(rules, text).map_err(refuse),
        Some(other) => Err(refuse(format!("gameString is {other}, not a text"))),
    }
}

/// The complete configuration. Members other than those of the start are included only if they differ from the defaults.
#[must_use]
pub fn write(rules: &Hive) -> Value {
    let (terms, usual) = (rules.terms(), Terms::default());
    let mut members = Map::new();
    match rules.start() {
        Start::Played(game) => drop(members.insert("gameString".into(), game.as_str().into())),
        Start::Composed(cells, seat) => {
            members.extend(composed::write(cells, *seat).map(|(name, value)| (name.into(), value)));
        }
    }
    if terms.draw_by_repetition != usual.draw_by_repetition {
        members.insert("drawByRepetition".into(), json!(terms.draw_by_repetition));
    }
    if terms.ply_limit != usual.ply_limit {
        members.insert("plyLimit".into(), json!(terms.ply_limit));
    }
    if terms.queen_first != usual.queen_first {
        members.insert("queenFirst".into(), json!(terms.queen_first));
    }
    members.into()
}

fn flag(config: &Value, name: &str, usual: bool) -> Result<bool, RuleError> {
    match config.get(name) {
        None => Ok(usual),
        Some(value) => value.as_bool().ok_or_else(|| refuse(format!("{name} is {value}, not true or false"))),
    }
}

fn ply_limit(config: &Value) -> Result<u32, RuleError> {
    let Some(value) = config.get("plyLimit") else { return Ok(PLY_LIMIT) };
    value
        .as_u64()
        .filter(|plies| *plies <= MOST_PLIES)
        .map(|plies| plies as u32)
        .ok_or_else(|| refuse(format!("plyLimit is {value}, not in 0..{MOST_PLIES}")))
}

/// An error about a configuration.
pub(super) fn refuse(why: String) -> RuleError {
    RuleError::BadConfig(why)
}
