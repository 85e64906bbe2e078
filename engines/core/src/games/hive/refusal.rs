//! Converts a MoveString into an action, and explains refusals in a sentence that names the first violated rule.

use super::Hive;
use super::action::{Action, Kind};
use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::grid::{Cell, ORIGIN, beside};
use super::notation::{MoveText, Reference, neighbours};
use super::pins::is_pinned;
use super::state::State;
use super::throws;
use crate::rules::Seat;

const SEATS: [&str; 2] = ["White", "Black"];

/// The action meant by a text in this position, which need not be legal.
///
/// # Errors
/// A rule that the text violates regardless of the cells.
pub fn action(rules: &Hive, state: &State, text: MoveText) -> Result<Action, String> {
    match text {
        MoveText::Pass => Ok(Action::PASS),
        MoveText::Alone(piece) => {
            check_piece(rules, state, piece)?;
            if !state.board().in_play().is_empty() {
                return Err(format!("the destination of {} is missing", piece.name()));
            }
            moved(rules, state, piece, ORIGIN)
        }
        MoveText::To(piece, reference) => {
            check_piece(rules, state, piece)?;
            let to = target(state.board(), piece, reference)?;
            moved(rules, state, piece, to)
        }
    }
}

/// Rules on which pieces may be touched.
fn check_piece(rules: &Hive, state: &State, piece: Piece) -> Result<(), String> {
    let (seat, board) = (state.seat(), state.board());
    let in_play = board.in_play().has(piece);
    let throws = in_play && board.queen(seat).is_some() && throws::has_thrower(board, seat);
    if piece.seat() != seat && !throws {
        return Err(format!("it is {}'s turn", SEATS[seat]));
    }
    if !rules.pieces().has(piece) {
        return Err(format!("{} is not part of a {} game", piece.name(), rules.name()));
    }
    Ok(())
}

/// The action that brings a piece to a cell.
fn moved(rules: &Hive, state: &State, piece: Piece, to: Cell) -> Result<Action, String> {
    let board = state.board();
    if board.in_play().has(piece) {
        if board.queen(state.seat()).is_none() {
            return Err(format!("pieces move only once {}'s Queen is in play", SEATS[state.seat()]));
        }
        if board.covered().has(piece) {
            return Err(format!("{} is covered", piece.name()));
        }
        return Ok(Action::step(board.cell(piece), to));
    }
    if rules.queen_is_early(state) && piece.bug() == Bug::Queen {
        return Err("the Queen may not be a player's first piece".into());
    }
    if rules.queen_is_due(state) && piece.bug() != Bug::Queen {
        return Err("the Queen must be placed by the fourth turn".into());
    }
    match state.next_in_hand(piece.bug(), piece.seat()) {
        Some(next) if next != piece => Err(format!("{} is placed before {}", next.name(), piece.name())),
        _ => Ok(Action::place(piece.bug(), to)),
    }
}

/// The cell that a reference means for a piece.
fn target(board: &Board, piece: Piece, reference: Reference) -> Result<Cell, String> {
    let name = reference.piece.name();
    if !board.in_play().has(reference.piece) {
        return Err(format!("{name} is not in play"));
    }
    let cell = board.cell(reference.piece);
    let Some(direction) = reference.direction else {
        return match board.covered().has(reference.piece) || piece == reference.piece {
            true => Err(format!("nothing can go on top of {name}")),
            false => Ok(cell),
        };
    };
    let to = beside(cell, direction);
    match board.top(to) {
        Some(top) if top != piece || board.level(piece) > 0 => {
            Err(format!("that cell is occupied by {}, which must be named to go on top of it", top.name()))
        }
        _ => Ok(to),
    }
}

/// Why a well-formed action is not legal.
#[must_use]
pub fn reason(rules: &Hive, state: &State, action: Action) -> String {
    match action.kind() {
        Kind::Pass => format!("{} has other moves and may not pass", SEATS[state.seat()]),
        _ if rules.must_pass(state) => format!("{} has no move and must pass", SEATS[state.seat()]),
        Kind::Place(_, to) => placement_reason(state, to),
        Kind::Move(from, to) => match state.board().top(from) {
            Some(piece) => move_reason(state, piece, to),
            None => "there is no piece".into(),
        },
    }
}

fn placement_reason(state: &State, to: Cell) -> String {
    let (board, seat) = (state.board(), state.seat());
    if board.occupied(to) {
        return "a piece is placed on an empty cell".into();
    }
    let touched = neighbours(board, to);
    if let Some(enemy) = touched.iter().find(|piece| piece.seat() != seat) {
        return format!("a piece may not be placed beside an enemy piece, here {}", enemy.name());
    }
    "a piece must be placed beside one of its own colour".into()
}

fn move_reason(state: &State, piece: Piece, to: Cell) -> String {
    let (board, seat, name) = (state.board(), state.seat(), piece.name());
    let cell = board.cell(piece);
    if cell == state.resting() {
        return format!("{name} has moved in the last ply and rests");
    }
    if to == cell {
        return format!("{name} is there already");
    }
    if board.level(piece) == 0 && is_pinned(board, cell) {
        return format!("the hive would break without {name}");
    }
    if piece.seat() != seat {
        return format!("no {} can throw {name} there", throwers(board, seat));
    }
    format!("{name} cannot go there")
}

/// The bugs of a seat that may throw, for messages.
fn throwers(board: &Board, seat: Seat) -> &'static str {
    let has = |bug: Bug| board.in_play().and(bug.pieces(seat)) != Pieces::NONE;
    match (has(Bug::Pillbug), has(Bug::Mosquito)) {
        (true, false) => "Pillbug",
        (false, true) => "Mosquito",
        _ => "Pillbug or Mosquito",
    }
}
