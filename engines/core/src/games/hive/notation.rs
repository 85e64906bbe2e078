//! MoveStrings: `wA1`, `wB1 bQ/`, `bB2 wQ`, `pass`.
//!
//! Reading accepts what engines of the protocol write: any reference that identifies the cell, even the moved piece's
//! old cell, either case, and spaces around and between the two parts. Writing is canonical: with the moved piece
//! lifted, it names the top piece of the destination, or else that of its first occupied neighbour clockwise from NW.

use super::Hive;
use super::action::{Action, Kind};
use super::board::Board;
use super::bug::Piece;
use super::grid::{Cell, Direction, back, beside};
use super::refusal;
use super::ring::Ring;
use super::state::State;
use crate::rules::{RuleError, Rules, Seat};

/// A parsed MoveString, independent of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveText {
    /// `pass`.
    Pass,
    /// A piece alone: the first move of a game.
    Alone(Piece),
    /// A piece and its destination.
    To(Piece, Reference),
}

/// A cell named by a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The piece.
    pub piece: Piece,
    /// The direction of the cell from the piece; `None` for the piece's own cell.
    pub direction: Option<Direction>,
}

/// Glyphs before a piece and after it, with their directions.
const BEFORE: [(char, Direction); 3] = [('\\', 0), ('/', 4), ('-', 5)];
const BEHIND: [(char, Direction); 3] = [('/', 1), ('-', 2), ('\\', 3)];

/// Parses a MoveString; `None` if it is malformed.
#[must_use]
pub fn parse(text: &str) -> Option<MoveText> {
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let second = words.next();
    if words.next().is_some() {
        return None;
    }
    match second {
        None if first.eq_ignore_ascii_case("pass") => Some(MoveText::Pass),
        None => Piece::named(first).map(MoveText::Alone),
        Some(reference) => Some(MoveText::To(Piece::named(first)?, parse_reference(reference)?)),
    }
}

/// Whether a field of a GameString is meant as a move, legal or not: it begins like the name of a piece, as no state
/// or turn does.
#[must_use]
pub fn is_meant(text: &str) -> bool {
    let mut letters = text.chars().map(|letter| letter.to_ascii_lowercase());
    let colour = matches!(letters.next(), Some('w' | 'b'));
    let bug = letters.next().is_some_and(|letter| letter.is_ascii_lowercase());
    let mut behind = letters.next();
    if behind.is_some_and(|letter| letter.is_ascii_digit()) {
        behind = letters.next();
    }
    text.eq_ignore_ascii_case("pass") || colour && bug && !behind.is_some_and(|letter| letter.is_ascii_lowercase())
}

fn parse_reference(text: &str) -> Option<Reference> {
    for (glyph, direction) in BEFORE {
        if let Some(name) = text.strip_prefix(glyph) {
            return Some(Reference { piece: Piece::named(name)?, direction: Some(direction) });
        }
    }
    for (glyph, direction) in BEHIND {
        if let Some(name) = text.strip_suffix(glyph) {
            return Some(Reference { piece: Piece::named(name)?, direction: Some(direction) });
        }
    }
    Some(Reference { piece: Piece::named(text)?, direction: None })
}

/// Reads a legal move of the seat to act.
///
/// # Errors
/// `BadNotation` for malformed text, `IllegalMove` with the violated rule.
pub fn read(rules: &Hive, state: &State, seat: Seat, text: &str) -> Result<Action, RuleError> {
    let parsed =
        parse(text).ok_or_else(|| RuleError::BadNotation(format!("Unable to parse move \"{}\".", text.trim())))?;
    let refuse = |why| RuleError::IllegalMove(format!("{}: {why}", tidy(text)));
    let action = refusal::action(rules, state, parsed).map_err(refuse)?;
    if rules.is_legal(state, seat, action) {
        return Ok(action);
    }
    Err(refuse(refusal::reason(rules, state, action)))
}

/// A MoveString with single spaces.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The canonical MoveString of a legal action.
#[must_use]
pub fn write(state: &State, action: Action) -> String {
    match action.kind() {
        Kind::Pass => "pass".into(),
        Kind::Place(bug, to) => match state.next_in_hand(bug, state.seat()) {
            Some(piece) => destination(piece, state.board(), to),
            None => String::new(),
        },
        Kind::Move(from, to) => match state.board().top(from) {
            Some(piece) => {
                let mut lifted = *state.board();
                lifted.take(piece);
                destination(piece, &lifted, to)
            }
            None => String::new(),
        },
    }
}

/// The text for a piece that is placed or moved to a cell of the board.
fn destination(piece: Piece, board: &Board, to: Cell) -> String {
    if let Some(top) = board.top(to) {
        return format!("{} {}", piece.name(), top.name());
    }
    let Some(direction) = board.ring(to).next() else { return piece.name() };
    let Some(near) = board.top(beside(to, direction)) else { return piece.name() };
    format!("{} {}", piece.name(), glyphed(near, back(direction)))
}

/// The name of the cell in a direction from a piece.
#[must_use]
pub(super) fn glyphed(piece: Piece, direction: Direction) -> String {
    let name = piece.name();
    match BEFORE.iter().find(|(_, before)| *before == direction) {
        Some((glyph, _)) => format!("{glyph}{name}"),
        None => BEHIND
            .iter()
            .filter(|(_, behind)| *behind == direction)
            .fold(name, |name, (glyph, _)| format!("{name}{glyph}")),
    }
}

/// The names of the pieces next to a cell, for error messages.
#[must_use]
pub fn neighbours(board: &Board, cell: Cell) -> Vec<Piece> {
    Ring::FULL.filter_map(|direction| board.top(beside(cell, direction))).collect()
}
