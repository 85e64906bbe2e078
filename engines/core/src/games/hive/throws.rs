//! The Pillbug's throw, also by a Mosquito next to a Pillbug: the pieces that can be thrown, and their destinations.

use super::board::Board;
use super::bug::{Bug, Piece};
use super::gates::Gates;
use super::grid::{Cell, beside};
use super::pins::is_pinned;
use super::reach::Reach;
use super::ring::Ring;
use super::walks::beside_bug;
use crate::rules::Seat;

/// A Pillbug and a Mosquito with at most six neighbours each, not all of which are occupied.
const MOST: usize = 10;

/// One neighbour that one thrower can throw.
#[derive(Clone, Copy, Default)]
struct Throw {
    from: Cell,
    over: Cell,
    targets: Ring,
}

/// All throws of a seat.
#[derive(Default)]
pub struct Throws {
    throws: [Throw; MOST],
    len: usize,
    /// A bit for each source cell, which it may share with other cells.
    sources: u64,
}

impl Throws {
    /// The throws of `seat`. The piece on `resting` may neither throw nor be thrown.
    #[inline]
    #[must_use]
    pub fn of(board: &Board, seat: Seat, resting: Cell) -> Self {
        let mut throws = Self::default();
        let throwers = board.tops(seat).without(board.climbed());
        if let Some(pillbug) = throwers.and(Bug::Pillbug.pieces(seat)).first() {
            throws.add(board, board.cell(pillbug), resting);
        }
        if let Some(mosquito) = throwers.and(Bug::Mosquito.pieces(seat)).first() {
            let cell = board.cell(mosquito);
            if beside_bug(board, cell, Bug::Pillbug) {
                throws.add(board, cell, resting);
            }
        }
        throws
    }

    /// Adds the throws by the thrower on `over`.
    fn add(&mut self, board: &Board, over: Cell, resting: Cell) {
        if over == resting {
            return;
        }
        // The thrown piece passes over the thrower: only higher stacks block it.
        let open = Gates::of(board).open(over, 1, Ring::FULL);
        let targets = open.and(board.ring(over).flipped());
        if targets.is_empty() {
            return;
        }
        for direction in open.and(board.ring(over)) {
            let from = beside(over, direction);
            if from != resting && board.height(from) == 1 && !is_pinned(board, from) {
                self.throws[self.len % MOST] = Throw { from, over, targets };
                self.len += 1;
                self.sources |= 1 << (from & 63);
            }
        }
    }

    /// Whether there are no throws.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    fn all(&self) -> &[Throw] {
        &self.throws[..self.len.min(MOST)]
    }

    /// Whether the piece on `cell` can be thrown.
    #[inline]
    #[must_use]
    pub fn has(&self, cell: Cell) -> bool {
        self.sources >> (cell & 63) & 1 == 1 && self.all().iter().any(|throw| throw.from == cell)
    }

    /// The destinations of a throw of the piece on `cell`.
    pub fn targets(&self, cell: Cell, reach: &mut impl Reach) {
        for throw in self.all().iter().filter(|throw| throw.from == cell) {
            reach.beside(throw.over, throw.targets);
        }
    }

    /// The cells whose top pieces are `seat`'s and can be thrown, each once.
    pub fn sources<'t>(&'t self, board: &'t Board, seat: Seat) -> impl Iterator<Item = Cell> + 't {
        self.all().iter().enumerate().filter_map(move |(index, throw)| {
            let first = !self.all()[..index].iter().any(|before| before.from == throw.from);
            (first && board.held_by(throw.from, seat)).then_some(throw.from)
        })
    }
}

/// Whether `seat` has a piece in play that might throw.
#[must_use]
pub fn has_thrower(board: &Board, seat: Seat) -> bool {
    let throwers = [Bug::Pillbug, Bug::Mosquito];
    throwers.into_iter().any(|bug| !board.in_play().and(bug.pieces(seat)).is_empty())
}

/// Whether a piece is a Pillbug or Mosquito.
#[must_use]
pub fn is_thrower(piece: Piece) -> bool {
    matches!(piece.bug(), Bug::Pillbug | Bug::Mosquito)
}
