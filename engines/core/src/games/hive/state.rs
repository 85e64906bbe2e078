//! A state of a game: the board, the seat to move, the resting piece and the end. It executes actions; legality and the
//! end of a game are decided in the parent module.

use super::action::{Action, Kind};
use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::grid::{AXIAL, Cell, NOWHERE, ORIGIN, absolute, beside, relative};
use super::key;
use super::past::{Past, Seen};
use crate::rules::{Outcome, Seat};
use crate::splitmix::combine;

/// How a game ended, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game is running.
    Running,
    /// This seat surrounded the other Queen.
    Surrounded(u8),
    /// Both Queens are surrounded.
    BothSurrounded,
    /// The position occurred for the third time.
    Repetition,
    /// The limit of plies is reached.
    PlyLimit,
    /// This seat won because the other one resigned.
    Resignation(u8),
}

impl End {
    /// The outcome of a finished game.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Running => None,
            Self::Surrounded(seat) => Some(Outcome::win(seat.into(), "board")),
            Self::BothSurrounded => Some(Outcome::draw("board")),
            Self::Repetition => Some(Outcome::draw("repetition")),
            Self::PlyLimit => Some(Outcome::draw("ply-limit")),
            Self::Resignation(seat) => Some(Outcome::win(seat.into(), "resignation")),
        }
    }

    /// A distinct small number for every end.
    #[must_use]
    pub(super) fn code(self) -> u64 {
        match self {
            Self::Running => 0,
            Self::BothSurrounded => 1,
            Self::Repetition => 2,
            Self::PlyLimit => 3,
            Self::Surrounded(seat) => 4 | u64::from(seat),
            Self::Resignation(seat) => 6 | u64::from(seat),
        }
    }
}

/// An occupied cell with its place on the unbounded grid, from which all other places follow.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    /// The cell.
    pub cell: Cell,
    /// Its axial coordinates.
    pub at: (i32, i32),
}

/// A state of a game.
pub struct State {
    board: Board,
    ply: u32,
    end: End,
    /// Cells of the last move; `from` is `NOWHERE` unless a piece was moved, `to` is `NOWHERE` after a pass.
    from: Cell,
    to: Cell,
    anchor: Anchor,
    /// A hash of the board relative to its origin: independent of the hive's place on the grid, updated incrementally.
    shape: u64,
    past: Past,
}

impl Clone for State {
    #[inline]
    fn clone(&self) -> Self {
        Self { past: self.past.clone(), ..*self }
    }

    /// Copies only the cells in use.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.board.copy_from(&source.board);
        (self.ply, self.end, self.from, self.to) = (source.ply, source.end, source.from, source.to);
        (self.anchor, self.shape) = (source.anchor, source.shape);
        self.past.clone_from(&source.past);
    }
}

impl State {
    /// The state before the first move.
    #[must_use]
    pub fn start() -> Self {
        Self {
            board: Board::empty(),
            ply: 0,
            end: End::Running,
            from: NOWHERE,
            to: NOWHERE,
            anchor: Anchor { cell: ORIGIN, at: (0, 0) },
            shape: 0,
            past: Past::default(),
        }
    }

    /// A position that was set up: pieces with their cells, lower ones first, one of these cells with its place, and
    /// the seat to move.
    #[must_use]
    pub(super) fn composed(
        pieces: impl Iterator<Item = (Piece, Cell)>,
        anchor: (Cell, (i32, i32)),
        seat: Seat,
    ) -> Self {
        let mut state = Self::start();
        for (piece, cell) in pieces {
            state.board.put(piece, cell);
        }
        let placed = |seat| state.board.in_play().and(Pieces::of(seat)).len();
        state.ply = 2 * placed(0).max(placed(1)) + seat as u32;
        state.anchor = Anchor { cell: anchor.0, at: anchor.1 };
        state.shape = state.full_shape();
        state
    }

    /// The board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Number of plies played.
    #[inline]
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The seat to move, even after the end of the game.
    #[inline]
    #[must_use]
    pub fn seat(&self) -> Seat {
        (self.ply & 1) as Seat
    }

    /// How the game ended, if it did.
    #[inline]
    #[must_use]
    pub fn end(&self) -> End {
        self.end
    }

    /// The cell of the piece that was moved or thrown in the last ply, otherwise `NOWHERE`.
    #[inline]
    #[must_use]
    pub fn resting(&self) -> Cell {
        if self.from == NOWHERE { NOWHERE } else { self.to }
    }

    /// The start (`NOWHERE` for a placement) and the destination (`NOWHERE` for none) of the last move.
    #[must_use]
    pub fn last_move(&self) -> (Cell, Cell) {
        (self.from, self.to)
    }

    /// The place of the hive on the unbounded grid.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// The positions since the last placement.
    #[must_use]
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// The same, mutable.
    pub(super) fn past_mut(&mut self) -> &mut Past {
        &mut self.past
    }

    /// The next piece of a bug that a seat would place; `None` if it has none left.
    #[must_use]
    pub fn next_in_hand(&self, bug: Bug, seat: Seat) -> Option<Piece> {
        bug.pieces(seat).without(self.board.in_play()).first()
    }

    /// Executes an action of the seat to move.
    #[inline]
    pub(super) fn act(&mut self, action: Action) {
        match action.kind() {
            Kind::Place(bug, to) => self.place(bug, to),
            Kind::Move(from, to) => self.shift(from, to),
            Kind::Pass => (self.from, self.to) = (NOWHERE, NOWHERE),
        }
        self.ply += 1;
    }

    #[inline]
    fn place(&mut self, bug: Bug, to: Cell) {
        if let Some(piece) = self.next_in_hand(bug, self.seat()) {
            let origin = self.origin();
            self.board.put(piece, to);
            self.reshape(origin, 0, self.term(piece, origin));
        }
        (self.from, self.to) = (NOWHERE, to);
    }

    #[inline]
    fn shift(&mut self, from: Cell, to: Cell) {
        let Some(piece) = self.board.top(from) else { return };
        let origin = self.origin();
        let left = self.term(piece, origin);
        self.board.take(piece);
        if self.anchor.cell == from && !self.board.occupied(from) {
            self.weigh_anchor();
        }
        self.board.put(piece, to);
        self.reshape(origin, left, self.term(piece, origin));
        (self.from, self.to) = (from, to);
    }

    /// The term of a piece in play in the shape, relative to `origin`.
    #[inline]
    fn term(&self, piece: Piece, origin: Cell) -> u64 {
        key::term(piece, relative(self.board.cell(piece), origin), self.board.level(piece)) as u64
    }

    /// Updates the shape after one of its terms has changed. If the origin is not `origin` any more, all have.
    #[inline]
    fn reshape(&mut self, origin: Cell, old: u64, new: u64) {
        self.shape = if self.origin() == origin {
            self.shape.wrapping_sub(old).wrapping_add(new)
        } else {
            self.full_shape()
        };
    }

    /// The shape, computed from scratch.
    fn full_shape(&self) -> u64 {
        let origin = self.origin();
        self.board.in_play().fold(0, |shape: u64, piece| shape.wrapping_add(self.term(piece, origin)))
    }

    /// Makes a neighbour the anchor after its cell became empty.
    fn weigh_anchor(&mut self) {
        let Anchor { cell, at: (q, r) } = self.anchor;
        if let Some(direction) = self.board.ring(cell).next() {
            let (east, south) = AXIAL[direction];
            self.anchor = Anchor { cell: beside(cell, direction), at: (q + east, r + south) };
        }
    }

    /// Sets the end of the game, or that it is running.
    #[inline]
    pub(super) fn finish(&mut self, end: End) {
        self.end = end;
    }

    /// Number of occupied neighbours of a seat's Queen; `None` until it is in play.
    #[inline]
    #[must_use]
    pub fn around_queen(&self, seat: Seat) -> Option<u8> {
        Some(self.board.ring(self.board.queen(seat)?).len())
    }

    /// Whether the rest of a piece may matter to the seat to move: the piece is its own, or next to its Pillbug or
    /// Mosquito.
    #[inline]
    #[must_use]
    pub fn rest_may_matter(&self) -> bool {
        let (resting, seat) = (self.resting(), self.seat());
        if resting == NOWHERE {
            return false;
        }
        let throwers = Bug::Pillbug.pieces(seat).or(Bug::Mosquito.pieces(seat)).and(self.board.tops(seat));
        self.board.held_by(resting, seat)
            || throwers.into_iter().any(|piece| super::grid::touch(self.board.cell(piece), resting))
    }

    /// The key for a board with this hash, without ply count and past positions.
    #[inline]
    #[must_use]
    pub(super) fn key(&self, board: u128) -> u128 {
        let resting = if self.rest_may_matter() { self.resting() } else { NOWHERE };
        combine(board, u64::from(resting) << 16 | self.end.code() << 8 | self.seat() as u64)
    }

    /// The position as compared by the repetition rule.
    #[inline]
    #[must_use]
    pub(super) fn seen(&self) -> Seen {
        let resting = if self.rest_may_matter() { relative(self.resting(), self.origin()) } else { NOWHERE };
        Seen { key: combine(self.shape.into(), self.seat() as u64) as u64, resting }
    }

    /// Converts the resting cell of a [`Seen`] to a cell of this board.
    #[must_use]
    pub(super) fn cell_of_seen(&self, resting: Cell) -> Cell {
        if resting == NOWHERE { NOWHERE } else { absolute(resting, self.origin()) }
    }

    /// A cell that moves along with the hive.
    #[inline]
    #[must_use]
    pub(super) fn origin(&self) -> Cell {
        self.board.queen(0).or_else(|| self.board.queen(1)).unwrap_or(ORIGIN)
    }

    /// A seat's pieces of `enabled` that are not in play.
    #[inline]
    #[must_use]
    pub fn hand(&self, seat: Seat, enabled: Pieces) -> Pieces {
        enabled.and(Pieces::of(seat)).without(self.board.in_play())
    }
}

#[cfg(test)]
mod tests {
    use rand::prelude::*;
    use rand_pcg::Pcg64Mcg;
    use serde_json::json;

    use super::super::Hive;
    use super::super::variant::TYPES;
    use crate::rules::{Rules, ToAct};

    #[test]
    fn the_shape_is_the_same_from_scratch() {
        for (seed, game_type) in (0..).zip(TYPES) {
            let mut rng = Pcg64Mcg::seed_from_u64(seed);
            let (rules, mut state) = Hive::setup(game_type, &json!({"queenFirst": true, "plyLimit": 0})).unwrap();
            for _ in 0..200 {
                let ToAct::One(seat) = rules.to_act(&state) else { break };
                let mut actions = Vec::new();
                rules.legal(&state, seat, &mut actions);
                rules.play_unchecked(&mut state, &[*actions.choose(&mut rng).unwrap()]);
                assert_eq!(state.shape, state.full_shape(), "{game_type} at ply {}", state.ply());
            }
        }
    }
}
