//! Legal placements, moves and throws of a seat, listed or only counted. Both use [`Turn::visit`], so that they always
//! agree.

use super::action::Action;
use super::board::Board;
use super::bug::{Piece, Pieces};
use super::grid::{Cell, ORIGIN, back, beside};
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
    /// The neighbours of `cell` in these directions, where each kind of a hand can be placed.
    fn place(&mut self, hand: Pieces, cell: Cell, directions: Ring);
    /// Announces the piece on `cell`, to which the following destinations belong.
    fn start(&mut self, cell: Cell);
}

/// Counts moves.
struct Count(u64);

impl Moves for Count {
    const ORDERED: bool = false;

    #[inline]
    fn place(&mut self, hand: Pieces, _: Cell, directions: Ring) {
        self.0 += u64::from(hand.len() * u32::from(directions.len()));
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

    fn place(&mut self, hand: Pieces, cell: Cell, directions: Ring) {
        self.out.reserve((hand.len() * u32::from(directions.len())) as usize);
        for direction in directions {
            let cell = beside(cell, direction);
            self.out.extend(hand.map(|piece| Action::place(piece.bug(), cell)));
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
    /// The kinds of pieces that may be placed (see [`Pieces::kinds`]).
    pub hand: Pieces,
}

impl<'b> Turn<'b> {
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
        if self.hand.is_empty() {
            return;
        }
        let in_play = self.board.in_play();
        if !in_play.and(Pieces::of(self.seat)).is_empty() {
            for piece in self.board.tops(self.seat) {
                let cell = self.board.cell(piece);
                moves.place(self.hand, cell, self.board.open_beside(cell, self.seat));
            }
        } else if let Some(first) = in_play.first() {
            moves.place(self.hand, self.board.cell(first), Ring::FULL);
        } else {
            moves.place(self.hand, beside(ORIGIN, 0), Ring::only(back(0)));
        }
    }

    fn steps<M: Moves>(&self, moves: &mut M) {
        let throws = Throws::of(self.board, self.seat, self.resting);
        let mut perimeter = None;
        let mut pieces = self.board.tops(self.seat);
        while let Some(piece) = self.next::<M>(pieces) {
            pieces.remove(piece);
            self.steps_of(piece, &throws, &mut perimeter, moves);
        }
        for cell in throws.sources(self.board, 1 - self.seat) {
            moves.start(cell);
            thrown(&throws, cell, Union::default(), moves);
        }
    }

    /// The piece to visit next.
    #[inline]
    fn next<M: Moves>(&self, pieces: Pieces) -> Option<Piece> {
        let first = pieces.first()?;
        let alike = pieces.and(first.bug().pieces(self.seat));
        if M::ORDERED { alike.min_by_key(|&piece| self.board.cell(piece)) } else { Some(first) }
    }

    #[inline]
    fn steps_of(
        &self,
        piece: Piece,
        throws: &Throws,
        perimeter: &mut Option<Perimeter<'b>>,
        moves: &mut impl Moves,
    ) {
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
