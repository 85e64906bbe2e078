//! Legal placements, moves and throws of a seat, listed or only counted. Both use [`Turn::visit`], so that they always
//! agree.

use super::action::Action;
use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::cells::Cells;
use super::grid::{CELLS, Cell, ORIGIN, back, beside};
use super::perimeter::Perimeter;
use super::pins::is_pinned;
use super::reach::{Reach, Union};
use super::ring::Ring;
use super::throws::Throws;
use super::walks;
use super::window::Window;
use crate::rules::Seat;

/// Receives each move of a seat once.
trait Moves: Reach {
    /// Whether pieces that differ only in their number are visited in the order of their cells.
    const ORDERED: bool;
    /// The cells where each of some bugs can be placed.
    fn place(&mut self, bugs: &[Bug], cells: &[Cell]);
    /// Announces the piece on `cell`, to which the following destinations belong.
    fn start(&mut self, cell: Cell);
}

/// Counts moves.
struct Count(u64);

impl Moves for Count {
    const ORDERED: bool = false;

    #[inline]
    fn place(&mut self, bugs: &[Bug], cells: &[Cell]) {
        self.0 += (bugs.len() * cells.len()) as u64;
    }

    #[inline]
    fn start(&mut self, _: Cell) {}
}

impl Reach for Count {
    #[inline]
    fn beside(&mut self, _: Cell, directions: Ring) {
        self.0 += u64::from(directions.len());
    }

    #[inline]
    fn to(&mut self, _: Cell) {
        self.0 += 1;
    }

    #[inline]
    fn all(&mut self, cells: &[Cell]) {
        self.0 += cells.len() as u64;
    }

    #[inline]
    fn all_but(&mut self, cells: &[Cell], few: &[Cell]) {
        self.0 += (cells.len() - few.len()) as u64;
    }

    #[inline]
    fn window(&mut self, window: Window) {
        self.0 += u64::from(window.len());
    }
}

/// Lists moves.
struct List<'o> {
    from: Cell,
    out: &'o mut Vec<Action>,
}

impl Moves for List<'_> {
    const ORDERED: bool = true;

    fn place(&mut self, bugs: &[Bug], cells: &[Cell]) {
        for &cell in cells {
            self.out.extend(bugs.iter().map(|&bug| Action::place(bug, cell)));
        }
    }

    fn start(&mut self, cell: Cell) {
        self.from = cell;
    }
}

impl Reach for List<'_> {
    fn beside(&mut self, cell: Cell, directions: Ring) {
        self.out.extend(directions.map(|direction| Action::step(self.from, beside(cell, direction))));
    }

    fn to(&mut self, cell: Cell) {
        self.out.push(Action::step(self.from, cell));
    }

    fn all(&mut self, cells: &[Cell]) {
        self.out.extend(cells.iter().map(|&cell| Action::step(self.from, cell)));
    }
}

/// A seat to move, with everything that legal moves depend on.
#[derive(Clone, Copy)]
pub struct Turn<'b> {
    /// The board.
    pub board: &'b Board,
    /// The seat to move.
    pub seat: Seat,
    /// The cell of the piece that moved in the last ply, or `NOWHERE`.
    pub resting: Cell,
    /// The pieces that may be placed.
    pub hand: Hand,
}

/// The bugs that a seat may place now.
#[derive(Clone, Copy)]
pub struct Hand {
    bugs: [Bug; 8],
    len: usize,
}

impl Hand {
    /// The bugs of `hand` (the pieces of one seat that are not in play).
    #[inline]
    #[must_use]
    pub fn of(hand: Pieces, seat: Seat) -> Self {
        let mut own = Self { bugs: Bug::ALL, len: 0 };
        for bug in Bug::ALL {
            own.bugs[own.len & 7] = bug;
            own.len += usize::from(!hand.and(bug.pieces(seat)).is_empty());
        }
        own
    }

    /// The bugs, each once.
    #[inline]
    #[must_use]
    pub fn bugs(&self) -> &[Bug] {
        &self.bugs[..self.len.min(8)]
    }
}

impl Turn<'_> {
    /// Appends every legal move except the pass.
    pub fn list(&self, out: &mut Vec<Action>) {
        self.visit(&mut List { from: 0, out });
    }

    /// Number of moves that [`Turn::list`] lists.
    #[must_use]
    pub fn count(&self) -> u64 {
        let mut count = Count(0);
        self.visit(&mut count);
        count.0
    }

    #[inline]
    fn visit(&self, moves: &mut impl Moves) {
        self.placements(moves);
        if self.board.queen(self.seat).is_some() {
            self.steps(moves);
        }
    }

    fn placements<M: Moves>(&self, moves: &mut M) {
        let bugs = self.hand.bugs();
        if bugs.is_empty() {
            return;
        }
        let in_play = self.board.in_play();
        if !in_play.and(Pieces::of(self.seat)).is_empty() {
            moves.place(bugs, placement_cells(self.board, self.seat).as_slice());
        } else if let Some(first) = in_play.first() {
            let first = self.board.cell(first);
            Ring::FULL.for_each(|direction| moves.place(bugs, &[beside(first, direction)]));
        } else {
            moves.place(bugs, &[ORIGIN]);
        }
    }

    fn steps<M: Moves>(&self, moves: &mut M) {
        let throws = Throws::of(self.board, self.seat, self.resting);
        let mut perimeter = Perimeter::of(self.board);
        let tops = self.board.tops(self.seat);
        for bug in Bug::ALL {
            let mut pieces = tops.and(bug.pieces(self.seat));
            while let Some(piece) = self.next::<M>(pieces) {
                pieces.remove(piece);
                self.steps_of(piece, &throws, &mut perimeter, moves);
            }
        }
        for cell in throws.sources(self.board, 1 - self.seat) {
            moves.start(cell);
            thrown(&throws, cell, Union::default(), moves);
        }
    }

    #[inline]
    fn next<M: Moves>(&self, pieces: Pieces) -> Option<Piece> {
        if M::ORDERED { pieces.min_by_key(|&piece| self.board.cell(piece)) } else { pieces.first() }
    }

    #[inline]
    fn steps_of(&self, piece: Piece, throws: &Throws, perimeter: &mut Perimeter<'_>, moves: &mut impl Moves) {
        let cell = self.board.cell(piece);
        if cell == self.resting || (self.board.level(piece) == 0 && is_pinned(self.board, cell)) {
            return;
        }
        moves.start(cell);
        if throws.has(cell) {
            let mut ends = Union::default();
            walks::walk(self.board, piece, perimeter, &mut ends);
            thrown(throws, cell, ends, moves);
        } else {
            walks::walk(self.board, piece, perimeter, moves);
        }
    }
}

/// Adds the throws of the piece on `cell` to its own destinations; a destination in both counts as one move.
fn thrown(throws: &Throws, cell: Cell, mut ends: Union, moves: &mut impl Moves) {
    throws.targets(cell, &mut ends);
    moves.all(ends.cells());
}

/// The empty cells with neighbours of this seat's colour only.
#[inline]
fn placement_cells(board: &Board, seat: Seat) -> Cells {
    let mut beside_other = [false; CELLS];
    for piece in board.tops(1 - seat) {
        let cell = board.cell(piece);
        (0..6).for_each(|direction| beside_other[usize::from(beside(cell, direction))] = true);
    }
    let mut cells = Cells::new();
    for piece in board.tops(seat) {
        let own = board.cell(piece);
        for direction in board.ring(own).flipped() {
            let cell = beside(own, direction);
            // Each cell once: from the first of its neighbours only.
            let first = board.ring(cell).0.trailing_zeros() == back(direction) as u32;
            cells.push_if(cell, first & !beside_other[usize::from(cell)]);
        }
    }
    cells
}
