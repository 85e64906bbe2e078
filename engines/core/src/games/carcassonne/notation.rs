//! Moves as text, and why one is refused.
//!
//! `x,y,rotation` places the tile, `x,y,rotation spot` puts a meeple on it as well. Within a turn, `spot` and `skip` are
//! the second action alone. The letters of a spot are read in any order and written in the order N, E, S, W.

use super::Carcassonne;
use super::action::Action;
use super::cell::{Cell, DIRECTIONS, opposite};
use super::spot::Spot;
use super::state::{Phase, State};
use super::tile_set::{Edge, Local, TileId};
use crate::rules::RuleError;

/// No meeple, where that is an action of its own.
const SKIP: &str = "skip";

const DIRECTION_NAMES: [&str; DIRECTIONS] = ["north", "east", "south", "west"];

/// The text of actions played from a state.
#[must_use]
pub fn write(rules: &Carcassonne, state: &State, actions: &[Action]) -> String {
    let last = state.last().filter(|_| state.phase() == Phase::PlaceMeeple);
    let mut placed = last.map(|last| (last.tile, state.board().rotation(last.tile)));
    let mut words = Vec::new();
    for action in actions {
        match (*action, placed) {
            (Action::Place(cell, rotation), _) => {
                placed = state.in_hand().map(|tile| (tile, rotation));
                words.push(format!("{},{},{}", cell.x(), cell.y(), 90 * u32::from(rotation)));
            }
            (Action::Claim(local), Some((tile, rotation))) => {
                words.push(rules.tiles.spot(rules.tiles.type_of(tile), rotation, local).to_string());
            }
            (Action::Skip, _) if actions.len() == 1 => words.push(SKIP.into()),
            (Action::Claim(_), None) | (Action::Skip, _) => {}
        }
    }
    words.join(" ")
}

/// The actions of a text: a placement, a placement with a meeple, or within a turn the second half alone.
///
/// # Errors
/// `BadNotation`, or `IllegalMove` with the rule that it breaks.
pub fn read(rules: &Carcassonne, state: &State, text: &str) -> Result<Vec<Action>, RuleError> {
    let words: Vec<&str> = text.split(' ').collect();
    match (state.phase(), &words[..]) {
        (Phase::PlaceTile, [place]) => Ok(vec![read_placement(rules, state, place)?]),
        (Phase::PlaceTile, [place, spot]) => {
            let placement = read_placement(rules, state, place)?;
            let mut placed = *state;
            if let Action::Place(cell, rotation) = placement {
                placed.place(rules.tiles, cell, rotation);
            }
            Ok(vec![placement, read_spot(rules, &placed, spot)?])
        }
        (Phase::PlaceMeeple, [spot]) => Ok(vec![read_spot(rules, state, spot)?]),
        (Phase::PlaceMeeple, _) => Err(RuleError::BadNotation(format!("'{text}' is not one spot"))),
        (Phase::Scored | Phase::Resignation(_), _) => illegal("the game is over".into()),
        (Phase::PlaceTile, _) => Err(not_a_move(text)),
    }
}

fn not_a_move(text: &str) -> RuleError {
    RuleError::BadNotation(format!("'{text}' is not x,y,rotation or x,y,rotation spot, such as '0,1,180 city_S'"))
}

/// An integer without plus sign and leading zeros.
fn integer(text: &str) -> Option<i32> {
    text.parse().ok().filter(|number: &i32| number.to_string() == text)
}

fn read_placement(rules: &Carcassonne, state: &State, text: &str) -> Result<Action, RuleError> {
    if text == SKIP || Spot::read(text).is_some() {
        return illegal(format!("the tile must be placed before '{text}'"));
    }
    let numbers: Option<Vec<i32>> = text.split(',').map(integer).collect();
    let Some(&[x, y, degrees]) = numbers.as_deref() else { return Err(not_a_move(text)) };
    let quarters = [0, 90, 180, 270].iter().position(|known| *known == degrees).map(|quarters| quarters as u8);
    let Some(rotation) = quarters else {
        return Err(RuleError::BadNotation(format!("the rotation is {degrees}, not 0, 90, 180 or 270")));
    };
    let (Some(cell), Some(tile)) = (Cell::at(x, y), state.in_hand()) else {
        return illegal(format!("no tile is beside {x},{y}"));
    };
    match refusal(rules, state, tile, cell, rotation) {
        None => Ok(Action::Place(cell, rotation)),
        Some(why) => illegal(why),
    }
}

/// Why a tile does not fit on a cell; `None` if it does.
fn refusal(rules: &Carcassonne, state: &State, tile: TileId, cell: Cell, rotation: u8) -> Option<String> {
    let (board, tile_type) = (state.board(), rules.tiles.type_of(tile));
    let rotations = board.rotations_on(rules.tiles, tile_type, cell);
    if rotations >> rotation & 1 == 1 {
        return None;
    }
    let (x, y) = (cell.x(), cell.y());
    if board.tile_at(cell).is_some() {
        return Some(format!("there is a tile on {x},{y} already"));
    }
    let sides = rules.tiles.sides(tile_type, rotation);
    let clash = (0..DIRECTIONS).find_map(|direction| {
        let other = board.tile_at(cell.beside(direction))?;
        let facing =
            rules.tiles.sides(rules.tiles.type_of(other), board.rotation(other))[opposite(direction)].edge;
        (facing != sides[direction].edge).then_some((direction, facing))
    });
    Some(clash.map_or_else(
        || format!("no tile is beside {x},{y}"),
        |(direction, facing)| {
            let (letter, degrees) = (rules.tiles.letter(tile_type), 90 * u32::from(rotation));
            let (ours, side) = (name(sides[direction].edge), DIRECTION_NAMES[direction]);
            let facing = name(facing);
            if rotations == 0 {
                format!(
                    "{letter} fits on {x},{y} in no rotation: turned by {degrees}, {ours} meets {facing} in the {side}"
                )
            } else {
                format!(
                    "{letter} turned by {degrees} does not fit on {x},{y}: {ours} meets {facing} in the {side}"
                )
            }
        },
    ))
}

fn name(edge: Edge) -> &'static str {
    match edge {
        Edge::City => "city",
        Edge::Road => "road",
        Edge::Field => "field",
    }
}

/// The meeple, or none, on the tile placed last.
fn read_spot(rules: &Carcassonne, state: &State, text: &str) -> Result<Action, RuleError> {
    if text == SKIP {
        return Ok(Action::Skip);
    }
    let Some(spot) = Spot::read(text) else {
        return Err(RuleError::BadNotation(format!(
            "'{text}' is no spot for a meeple, such as city_N or monastery"
        )));
    };
    let Some(last) = state.last() else { return illegal("no tile has been placed".into()) };
    let (tile_type, rotation) = (rules.tiles.type_of(last.tile), state.board().rotation(last.tile));
    let Some(local) = rules.tiles.local(tile_type, rotation, spot) else {
        let count = rules.tiles.segments(last.tile).len() as Local;
        let spots: Vec<String> =
            (0..count).map(|local| rules.tiles.spot(tile_type, rotation, local).to_string()).collect();
        let letter = rules.tiles.letter(tile_type);
        return illegal(format!(
            "{letter} turned by {} has no {spot}: it has {}",
            90 * u32::from(rotation),
            spots.join(", ")
        ));
    };
    if rules.can_claim(state, local) {
        return Ok(Action::Claim(local));
    }
    illegal(if state.meeples(state.seat()).supply() == 0 {
        format!("seat {} has no meeple left", state.seat())
    } else {
        format!("there is a meeple on the {} of {spot} already", spot.kind.name())
    })
}

fn illegal<T>(why: String) -> Result<T, RuleError> {
    Err(RuleError::IllegalMove(why))
}
