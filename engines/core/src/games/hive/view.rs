//! JSON for boards. Cells have axial coordinates on the unbounded grid; the first piece is at (0, 0).

use serde_json::{Map, Value, json};

use super::Hive;
use super::bug::{Bug, Piece};
use super::cells::CellSet;
use super::game_string::{state_name, turn};
use super::grid::{AXIAL, Cell, NOWHERE, beside};
use super::state::State;
use crate::rules::Seat;

/// A cell and its coordinates q, r.
type Placed = (Cell, (i32, i32));

/// The public view of a state.
#[must_use]
pub fn view(rules: &Hive, state: &State) -> Value {
    let placed = occupied_cells(state);
    json!({
        "type": rules.name(),
        "ply": state.ply(),
        "turn": turn(state),
        "state": state_name(state),
        "toMove": state.seat(),
        "cells": cells(state),
        "hands": [hand(rules, state, 0), hand(rules, state, 1)],
        "reserve": [reserve(rules, state, 0), reserve(rules, state, 1)],
        "lastMove": last_move(state, &placed),
        "resting": resting(rules, state).map(Piece::name),
        "queens": [state.around_queen(0), state.around_queen(1)],
    })
}

/// The stacks on the board in row order.
#[must_use]
pub fn cells(state: &State) -> Value {
    occupied_cells(state).into_iter().map(|placed| cell(state, placed)).collect()
}

/// The occupied cells in row order, found by following neighbours from the anchor.
fn occupied_cells(state: &State) -> Vec<Placed> {
    let (board, anchor) = (state.board(), state.anchor());
    let mut cells: Vec<Placed> = Vec::new();
    if !board.occupied(anchor.cell) {
        return cells;
    }
    let mut seen = CellSet::default();
    seen.insert(anchor.cell);
    cells.push((anchor.cell, anchor.at));
    let mut next = 0;
    while next < cells.len() {
        let (from, at) = cells[next];
        for direction in board.ring(from) {
            let near = beside(from, direction);
            if seen.insert(near) {
                cells.push((near, moved(at, direction)));
            }
        }
        next += 1;
    }
    cells.sort_by_key(|&(_, (q, r))| (r, q));
    cells
}

fn moved((q, r): (i32, i32), direction: usize) -> (i32, i32) {
    let (east, south) = AXIAL[direction];
    (q + east, r + south)
}

fn cell(state: &State, (cell, (q, r)): Placed) -> Value {
    let pieces: Vec<String> = state.board().stack(cell).into_iter().map(Piece::name).collect();
    json!({"q": q, "r": r, "pieces": pieces})
}

/// The next piece of every bug in a hand.
fn hand(rules: &Hive, state: &State, seat: Seat) -> Vec<String> {
    let pieces = state.hand(seat, rules.pieces());
    Bug::ALL.into_iter().filter_map(|bug| pieces.and(bug.pieces(seat)).first()).map(Piece::name).collect()
}

/// The number of pieces of every bug in a hand, for the bugs in use.
fn reserve(rules: &Hive, state: &State, seat: Seat) -> Value {
    let pieces = state.hand(seat, rules.pieces());
    let played = Bug::ALL.into_iter().filter(|bug| !rules.pieces().and(bug.pieces(seat)).is_empty());
    let counts = played.map(|bug| (bug.letter().to_string(), pieces.and(bug.pieces(seat)).len().into()));
    counts.collect::<Map<String, Value>>().into()
}

fn last_move(state: &State, cells: &[Placed]) -> Value {
    let (from, to) = state.last_move();
    let Some(piece) = (to != NOWHERE).then(|| state.board().top(to)).flatten() else { return Value::Null };
    json!({"piece": piece.name(), "from": place_of(from, cells), "to": place_of(to, cells)})
}

/// The coordinates of an occupied cell or of a neighbour of one, which includes the cell that a piece has just left.
fn place_of(cell: Cell, cells: &[Placed]) -> Value {
    let at = cells.iter().find_map(|&(known, at)| {
        let near = (0..6).find(|&direction| beside(known, direction) == cell);
        if known == cell { Some(at) } else { near.map(|direction| moved(at, direction)) }
    });
    at.map_or(Value::Null, |(q, r)| json!({"q": q, "r": r}))
}

/// The piece that may not be moved or thrown in this ply, in games where that matters.
fn resting(rules: &Hive, state: &State) -> Option<Piece> {
    let throws = !rules.pieces().and(Bug::Pillbug.pieces(0)).is_empty();
    (throws && state.resting() != NOWHERE).then(|| state.board().top(state.resting())).flatten()
}
