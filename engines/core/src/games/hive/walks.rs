//! How each bug moves by itself. One-hive rule, rest and throws are handled in [`super::moves`].

use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::crawl;
use super::gates::Gates;
use super::grid::{Cell, Direction, away, beside, touch};
use super::perimeter::Perimeter;
use super::reach::{Reach, Union};
use super::ring::Ring;
use super::window::Window;
use crate::rules::Seat;

/// The destinations of an uncovered piece that may be lifted.
#[inline]
pub fn walk<'b>(board: &'b Board, piece: Piece, perimeter: &mut Option<Perimeter<'b>>, reach: &mut impl Reach) {
    let (cell, level) = (board.cell(piece), board.level(piece));
    match piece.bug() {
        _ if level > 0 => reach.beside(cell, climbs(board, cell, level)),
        Bug::Mosquito => mosquito(board, cell, perimeter, reach),
        bug => walk_as(board, bug, cell, perimeter, reach),
    }
}

/// The destinations of a piece on the ground that moves like `bug`.
#[inline]
fn walk_as<'b>(
    board: &'b Board,
    bug: Bug,
    cell: Cell,
    perimeter: &mut Option<Perimeter<'b>>,
    reach: &mut impl Reach,
) {
    match bug {
        Bug::Queen | Bug::Pillbug => reach.beside(cell, board.ring(cell).slides()),
        Bug::Spider => reach.all(crawl::spider(board, cell).as_slice()),
        Bug::Beetle => reach.beside(cell, climbs(board, cell, 0)),
        Bug::Grasshopper => jumps(board, cell, reach),
        Bug::Ant => perimeter.get_or_insert_with(|| Perimeter::of(board)).ant(cell, reach),
        Bug::Ladybug => ladybug(board, cell, reach),
        Bug::Mosquito => {}
    }
}

/// The directions in which a Beetle on `level` can step.
#[inline]
fn climbs(board: &Board, cell: Cell, level: u8) -> Ring {
    let ring = board.ring(cell);
    if level == 0 {
        return ring.slides().or(Gates::of(board).open(cell, 0, ring));
    }
    Gates::of(board).open(cell, level, Ring::FULL)
}

/// The first empty cell beyond the line of pieces in each direction.
#[inline]
fn jumps(board: &Board, start: Cell, reach: &mut impl Reach) {
    for direction in board.ring(start) {
        reach.to(first_empty(board, beside(start, direction), direction));
    }
}

#[inline]
fn first_empty(board: &Board, mut cell: Cell, direction: Direction) -> Cell {
    while board.occupied(cell) {
        cell = beside(cell, direction);
    }
    cell
}

/// Two steps on top of the hive and one step down.
#[inline]
fn ladybug(board: &Board, start: Cell, reach: &mut impl Reach) {
    let gates = Gates::of(board);
    let mut tops = Window::around(start);
    for first in gates.open(start, 0, board.ring(start)) {
        let cell = beside(start, first);
        let on = board.ring(cell).and(away(cell, start));
        tops.add(Window::beside(first), gates.open_on_top(cell, on));
    }
    let mut ends = Window::around(start);
    for (place, top) in tops.places() {
        let down = board.ring(top).flipped().and(away(top, start));
        ends.add(place, gates.open_on_top(top, down));
    }
    reach.window(ends);
}

/// Moves like every uncovered bug next to it.
#[inline]
fn mosquito<'b>(board: &'b Board, cell: Cell, perimeter: &mut Option<Perimeter<'b>>, reach: &mut impl Reach) {
    let near = bugs_beside(board, cell);
    let like = |bug: Bug| near >> bug as u8 & 1 == 1;
    let mut ends = Union::except(cell);
    if like(Bug::Ant) {
        walk_as(board, Bug::Ant, cell, perimeter, &mut ends);
    } else {
        for bug in [Bug::Spider, Bug::Queen, Bug::Pillbug].into_iter().filter(|&bug| like(bug)) {
            walk_as(board, bug, cell, perimeter, &mut ends);
        }
    }
    for bug in [Bug::Beetle, Bug::Grasshopper, Bug::Ladybug].into_iter().filter(|&bug| like(bug)) {
        walk_as(board, bug, cell, perimeter, &mut ends);
    }
    reach.all(ends.cells());
}

/// The uncovered bugs of both seats next to a cell: bit `b` for bug `b`.
#[inline]
fn bugs_beside(board: &Board, cell: Cell) -> u8 {
    let tops = board.in_play().without(board.covered());
    tops.fold(0, |bugs, piece| bugs | u8::from(touch(board.cell(piece), cell)) << piece.bug() as u8)
}

/// Whether an uncovered bug of this kind, of either seat, is next to `cell`.
#[inline]
#[must_use]
pub fn beside_bug(board: &Board, cell: Cell, bug: Bug) -> bool {
    let seats: [Seat; 2] = [0, 1];
    let bugs = seats.into_iter().fold(Pieces::NONE, |bugs, seat| bugs.or(bug.pieces(seat)));
    board.in_play().without(board.covered()).and(bugs).any(|piece| touch(board.cell(piece), cell))
}
