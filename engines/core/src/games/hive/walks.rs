//! Where each bug can go by itself. One-hive rule, rest and throws are the business of [`super::moves`].

use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::gates::Heights;
use super::grid::{Cell, CellSet, Cells, Direction, Ring, away, beside, touch};
use crate::rules::Seat;

/// Takes the destinations of one piece, each once.
pub trait Reach {
    /// The neighbours of `cell` in these directions.
    fn beside(&mut self, cell: Cell, directions: Ring);
    /// One more cell.
    fn to(&mut self, cell: Cell);
    /// More cells.
    fn all(&mut self, cells: &[Cell]);
}

/// Destinations as a list without duplicates, whoever adds them.
#[derive(Default)]
pub struct Union {
    seen: CellSet,
    list: Cells,
}

impl Union {
    /// The destinations, in the order in which they came.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        self.list.as_slice()
    }
}

impl Reach for Union {
    #[inline]
    fn beside(&mut self, cell: Cell, directions: Ring) {
        directions.for_each(|direction| self.to(beside(cell, direction)));
    }

    #[inline]
    fn to(&mut self, cell: Cell) {
        if self.seen.insert(cell) {
            self.list.push(cell);
        }
    }

    #[inline]
    fn all(&mut self, cells: &[Cell]) {
        cells.iter().for_each(|&cell| self.to(cell));
    }
}

/// The destinations of a visible piece that may be lifted.
#[inline]
pub fn walk(board: &Board, piece: Piece, reach: &mut impl Reach) {
    let (cell, level) = (board.cell(piece), board.level(piece));
    match piece.bug() {
        _ if level > 0 => reach.beside(cell, climbs(board, cell, level)),
        Bug::Mosquito => mosquito(board, cell, reach),
        bug => walk_as(board, bug, cell, reach),
    }
}

/// The destinations of a piece on the ground that moves like `bug`.
#[inline]
fn walk_as(board: &Board, bug: Bug, cell: Cell, reach: &mut impl Reach) {
    match bug {
        Bug::Queen | Bug::Pillbug => reach.beside(cell, board.ring(cell).slides()),
        Bug::Spider => spider(board, cell, reach),
        Bug::Beetle => reach.beside(cell, climbs(board, cell, 0)),
        Bug::Grasshopper => jumps(board, cell, reach),
        Bug::Ant => reach.all(ant(board, cell).as_slice()),
        Bug::Ladybug => ladybug(board, cell, reach),
        Bug::Mosquito => {}
    }
}

/// The directions in which a Beetle on `level` can step.
#[inline]
fn climbs(board: &Board, cell: Cell, level: u8) -> Ring {
    let ring = board.ring(cell);
    if level == 0 {
        return ring.slides().or(Heights::without(board, cell).open(cell, 0, ring));
    }
    Heights::of(board).open(cell, level, Ring::FULL)
}

/// The slides of a piece from `cell` on its way, `start` being empty because it has left it.
#[inline]
fn slides(board: &Board, cell: Cell, start: Cell) -> Ring {
    board.ring(cell).and(away(cell, start)).slides()
}

/// Exactly three slides without coming back to a cell.
#[inline]
fn spider(board: &Board, start: Cell, reach: &mut impl Reach) {
    let mut ends = Cells::new();
    for first in board.ring(start).slides() {
        let first = beside(start, first);
        for second in slides(board, first, start) {
            let second = beside(first, second);
            if second == start {
                continue;
            }
            for third in slides(board, second, start) {
                let third = beside(second, third);
                if third != start && third != first {
                    ends.add(third);
                }
            }
        }
    }
    reach.all(ends.as_slice());
}

/// Any number of slides.
#[inline]
fn ant(board: &Board, start: Cell) -> Cells {
    let mut seen = CellSet::default();
    let mut ends = Cells::new();
    seen.insert(start);
    let mut from = start;
    let mut next = 0;
    loop {
        for direction in slides(board, from, start) {
            let cell = beside(from, direction);
            if seen.insert(cell) {
                ends.push(cell);
            }
        }
        if next == ends.len() {
            return ends;
        }
        from = ends.at(next);
        next += 1;
    }
}

/// In each direction over everything that stands in a line to the first empty cell.
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

/// Two steps on top of the hive and one down.
#[inline]
fn ladybug(board: &Board, start: Cell, reach: &mut impl Reach) {
    let heights = Heights::without(board, start);
    let mut tops = Union::default();
    for first in heights.open(start, 0, board.ring(start)) {
        let first = beside(start, first);
        let on = board.ring(first).and(away(first, start));
        tops.beside(first, heights.open(first, heights.at(first), on));
    }
    let mut ends = Union::default();
    for &top in tops.cells() {
        let down = board.ring(top).flipped().and(away(top, start));
        ends.beside(top, heights.open(top, heights.at(top), down));
    }
    reach.all(ends.cells());
}

/// As every bug that is visible beside it.
#[inline]
fn mosquito(board: &Board, cell: Cell, reach: &mut impl Reach) {
    let near = |bug| beside_bug(board, cell, bug);
    let mut ends = Union::default();
    if near(Bug::Ant) {
        walk_as(board, Bug::Ant, cell, &mut ends);
    } else {
        for bug in [Bug::Spider, Bug::Queen, Bug::Pillbug].into_iter().filter(|&bug| near(bug)) {
            walk_as(board, bug, cell, &mut ends);
        }
    }
    for bug in [Bug::Beetle, Bug::Grasshopper, Bug::Ladybug].into_iter().filter(|&bug| near(bug)) {
        walk_as(board, bug, cell, &mut ends);
    }
    reach.all(ends.cells());
}

/// Whether a visible bug of this kind, of either seat, is a neighbour of `cell`.
#[inline]
#[must_use]
pub fn beside_bug(board: &Board, cell: Cell, bug: Bug) -> bool {
    let seats: [Seat; 2] = [0, 1];
    let bugs = seats.into_iter().fold(Pieces::NONE, |bugs, seat| bugs.or(bug.pieces(seat)));
    board.in_play().without(board.covered()).and(bugs).any(|piece| touch(board.cell(piece), cell))
}
