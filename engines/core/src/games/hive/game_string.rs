//! GameStrings as start positions: `Base+MLP;InProgress;Black[2];wA1;bA1 -wA1;wQ wA1/`. State and turn follow from the
//! moves; they are written, but ignored when reading.

use super::notation;
use super::state::{End, State};
use super::variant;
use super::{Hive, Start};
use crate::moves;

/// The state after the moves of a GameString, for the rules of a game that begins there.
///
/// # Errors
/// A sentence that names the move.
pub fn begin(rules: Hive, text: &str) -> Result<(Hive, State), String> {
    let mut fields = text.split(';').map(str::trim).collect::<Vec<_>>();
    while fields.len() > 1 && fields.last().is_some_and(|field| field.is_empty()) {
        fields.pop();
    }
    if variant::canonical(fields[0]) != Some(rules.name()) {
        return Err(format!("gameString is of type '{}', not {}", fields[0], rules.name()));
    }
    let told = fields[1..].iter().take(2).take_while(|field| !notation::is_meant(field)).count();
    let mut state = State::start();
    let mut played = Vec::new();
    for (index, field) in fields[1 + told..].iter().enumerate() {
        let step = moves::play_recorded(&rules, &mut state, field)
            .map_err(|error| format!("move {} of gameString, {error}", index + 1))?;
        if !step.counts {
            return Err(format!("move {} of gameString, '{field}', is not a move", index + 1));
        }
        played.push(step.text);
    }
    let start = write(rules.name(), &state, &played);
    Ok((rules.started_as(Start::Played(start)), state))
}

/// The GameString of a state and the moves that led to it.
#[must_use]
pub fn write(name: &str, state: &State, played: &[String]) -> String {
    let mut text = format!("{name};{};{}", state_name(state), turn(state));
    for step in played {
        text.push(';');
        text.push_str(step);
    }
    text
}

/// The GameState's name.
#[must_use]
pub fn state_name(state: &State) -> &'static str {
    match state.end() {
        End::Running if state.ply() == 0 => "NotStarted",
        End::Running => "InProgress",
        End::Surrounded(0) | End::Resignation(0) => "WhiteWins",
        End::Surrounded(_) | End::Resignation(_) => "BlackWins",
        End::BothSurrounded | End::Repetition | End::PlyLimit => "Draw",
    }
}

/// The seat to move, even after the end, as `White[1]`, `Black[1]`, `White[2]`, ...
#[must_use]
pub fn turn(state: &State) -> String {
    format!("{}[{}]", ["White", "Black"][state.seat()], state.ply() / 2 + 1)
}
