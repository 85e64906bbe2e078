//! The twelve rotations and reflections of the grid, for comparing positions that players see from different sides.

use super::Hive;
use super::action::{Action, Kind};
use super::board::Board;
use super::bug::Piece;
use super::grid::{AXIAL, Cell, Direction, NOWHERE, back, beside, offset};
use super::notation::{glyphed, read};
use super::state::State;
use crate::rules::{RuleError, Seat};
use crate::splitmix::{combine, mix};
use crate::symmetric::Symmetric;

/// Number of symmetries: six rotations, and six reflections.
const COUNT: usize = 12;

/// East and southeast, along which the axes of the coordinates run.
const AXES: (Direction, Direction) = (2, 3);

/// The direction in which the image of a direction points.
fn turned(direction: Direction, symmetry: usize) -> Direction {
    let seen = if symmetry < 6 { direction } else { 6 - direction };
    (seen + symmetry) % 6
}

/// A number for the image of a place, given by its axial coordinates relative to a fixed cell.
fn image_of((q, r): (i32, i32), symmetry: usize) -> u64 {
    let (east, south) = (AXIAL[turned(AXES.0, symmetry)], AXIAL[turned(AXES.1, symmetry)]);
    let (q, r) = (q * east.0 + r * south.0, q * east.1 + r * south.1);
    (q + 32) as u64 | ((r + 32) as u64) << 8
}

impl Symmetric<Self> for Hive {
    fn symmetries(&self) -> usize {
        COUNT
    }

    fn image_key(&self, state: &State, symmetry: usize) -> u128 {
        let (board, origin) = (state.board(), state.origin());
        let term = |piece: Piece| {
            let place = image_of(offset(board.cell(piece), origin), symmetry);
            mix(place | u64::from(board.level(piece)) << 16 | (piece.index() as u64) << 24)
        };
        let pieces = board.in_play().fold(0, |sum: u64, piece| sum.wrapping_add(term(piece)));
        let resting = if state.rest_may_matter() { state.resting() } else { NOWHERE };
        let rest = if resting == NOWHERE { 0 } else { 1 << 16 | image_of(offset(resting, origin), symmetry) };
        let code = state.end().code() << 1 | state.seat() as u64;
        combine(u128::from(pieces) << 64 | u128::from(mix(pieces ^ code)), rest << 8 | code)
    }

    fn image(&self, state: &State, seat: Seat, text: &str, symmetry: usize) -> Result<String, RuleError> {
        Ok(written(state, read(self, state, seat, text)?, symmetry))
    }
}

/// As [`super::notation::write`], for the image of the position.
fn written(state: &State, action: Action, symmetry: usize) -> String {
    let seen = |piece: Option<Piece>, to: Cell, board: &Board| match piece {
        Some(piece) => destination(piece, board, to, symmetry),
        None => String::new(),
    };
    match action.kind() {
        Kind::Pass => "pass".into(),
        Kind::Place(bug, to) => seen(state.next_in_hand(bug, state.seat()), to, state.board()),
        Kind::Move(from, to) => {
            let mut lifted = *state.board();
            let piece = lifted.top(from);
            if let Some(piece) = piece {
                lifted.take(piece);
            }
            seen(piece, to, &lifted)
        }
    }
}

/// The neighbour that names a cell is the first one clockwise from NW in the image.
fn destination(piece: Piece, board: &Board, to: Cell, symmetry: usize) -> String {
    if let Some(top) = board.top(to) {
        return format!("{} {}", piece.name(), top.name());
    }
    let Some(direction) = board.ring(to).min_by_key(|&direction| turned(direction, symmetry)) else {
        return piece.name();
    };
    let Some(near) = board.top(beside(to, direction)) else { return piece.name() };
    format!("{} {}", piece.name(), glyphed(near, turned(back(direction), symmetry)))
}
