//! Positions that were set up by hand instead of played: `cells`, as in the view, and the seat `toMove`.
//!
//! Nobody knows how such a position came about: it has no earlier positions, no resting piece, and as many plies as the
//! side with more pieces in play has needed at least. A seat whose Queen is late has to place it at once.

use serde_json::{Map, Value, json};

use super::bug::{Bug, Piece};
use super::config::refuse;
use super::grid::{AXIAL, located};
use super::state::State;
use super::variant;
use crate::near_names;
use crate::rules::{RuleError, Seat};

/// The largest coordinate.
const FARTHEST: i64 = 1000;

/// A cell of a configuration, from bottom to top.
struct Stack {
    at: (i32, i32),
    pieces: Vec<Piece>,
}

/// The position with these cells in a game of type `name`.
///
/// # Errors
/// `BadConfig`, naming the member.
pub fn read(name: &str, cells: &Value, to_move: Option<&Value>) -> Result<State, RuleError> {
    let seat = match to_move.map(Value::as_u64) {
        None => 0,
        Some(Some(seat @ 0..=1)) => seat as Seat,
        Some(_) => return Err(refuse("toMove is neither 0 nor 1".into())),
    };
    let listed = cells.as_array().filter(|listed| !listed.is_empty());
    let mut stacks = Vec::new();
    for (index, cell) in listed.ok_or_else(|| refuse("cells is not a list of cells".into()))?.iter().enumerate() {
        let path = format!("cells[{index}]");
        near_names::check(&path, cell.as_object().into_iter().flat_map(Map::keys), &["q", "r", "pieces"])?;
        stacks.push(stack(cell).map_err(|why| refuse(format!("{path} {why}")))?);
    }
    check_pieces(name, &stacks).map_err(refuse)?;
    let placed = connected(&stacks)
        .map_err(refuse)?
        .into_iter()
        .flat_map(|stack| stack.pieces.iter().map(|&piece| (piece, located(stack.at))));
    Ok(State::composed(placed, (located(stacks[0].at), stacks[0].at), seat))
}

/// The members for the start of a game in this position.
#[must_use]
pub fn write(cells: &Value, seat: Seat) -> [(&'static str, Value); 2] {
    [("cells", cells.clone()), ("toMove", json!(seat))]
}

fn stack(cell: &Value) -> Result<Stack, String> {
    let members = cell.as_object().ok_or("is not an object with q, r and pieces")?;
    let coordinate = |name: &str| {
        let number = members.get(name).and_then(Value::as_i64).filter(|number| number.abs() <= FARTHEST);
        number.map(|number| number as i32).ok_or_else(|| format!("has no {name} in -{FARTHEST}..{FARTHEST}"))
    };
    let at = (coordinate("q")?, coordinate("r")?);
    let names = members.get("pieces").and_then(Value::as_array).filter(|names| !names.is_empty());
    let mut pieces = Vec::new();
    for name in names.ok_or("has no list of pieces")? {
        let piece =
            name.as_str().and_then(Piece::named).ok_or_else(|| format!("has {name}, which is no piece"))?;
        if !pieces.is_empty() && !matches!(piece.bug(), Bug::Beetle | Bug::Mosquito) {
            return Err(format!("has {} on top of another piece", piece.name()));
        }
        pieces.push(piece);
    }
    Ok(Stack { at, pieces })
}

fn check_pieces(name: &str, stacks: &[Stack]) -> Result<(), String> {
    let mut left = variant::pieces(name);
    for piece in stacks.iter().flat_map(|stack| &stack.pieces) {
        if !variant::pieces(name).has(*piece) {
            return Err(format!("cells has {}, which is not part of a {name} game", piece.name()));
        }
        if !left.has(*piece) {
            return Err(format!("cells has {} twice", piece.name()));
        }
        left.remove(*piece);
    }
    Ok(())
}

/// The stacks in an order in which each touches one of those before it.
fn connected(stacks: &[Stack]) -> Result<Vec<&Stack>, String> {
    let (mut reached, mut left) = (vec![&stacks[0]], stacks[1..].iter().collect::<Vec<_>>());
    let mut next = 0;
    while let Some((q, r)) = reached.get(next).map(|stack| stack.at) {
        let touching = |stack: &&Stack| AXIAL.contains(&(stack.at.0 - q, stack.at.1 - r));
        if left.iter().any(|stack| stack.at == (q, r)) {
            return Err(format!("cells has the cell {q}, {r} twice"));
        }
        let (near, far) = left.into_iter().partition::<Vec<_>, _>(touching);
        reached.extend(near);
        left = far;
        next += 1;
    }
    if left.is_empty() { Ok(reached) } else { Err("the pieces of cells are not connected".into()) }
}
