//! A state of play: the board, whose turn it is, what rests and how the game ended. It carries out actions; what is
//! legal and when a game is over is decided in the parent.

use super::action::{Action, Kind};
use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::grid::{AXIAL, Cell, NOWHERE, ORIGIN, absolute, beside, relative};
use super::key;
use super::past::{Past, Seen};
use crate::rules::{Outcome, Seat};

/// How far the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nobody has won yet.
    Running,
    /// This seat surrounded the other Queen.
    Surrounded(u8),
    /// Both Queens are surrounded.
    BothSurrounded,
    /// The position occurred for the third time.
    Repetition,
    /// The limit of plies is reached.
    PlyLimit,
    /// This seat won because the other one left.
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

    /// A small number of its own for every end.
    fn code(self) -> u64 {
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

/// Where a cell that is occupied lies on the unbounded grid, from which all others follow.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    /// The cell.
    pub cell: Cell,
    /// Its axial coordinates.
    pub at: (i32, i32),
}

/// A state of play.
pub struct State {
    board: Board,
    ply: u32,
    end: End,
    /// Cells of the last move; `from` is `NOWHERE` unless that moved a piece, `to` after a pass.
    from: Cell,
    to: Cell,
    anchor: Anchor,
    past: Past,
}

impl Clone for State {
    #[inline]
    fn clone(&self) -> Self {
        Self { past: self.past.clone(), ..*self }
    }

    /// Copies the board once, straight to where it goes.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.board = source.board;
        (self.ply, self.end, self.from, self.to) = (source.ply, source.end, source.from, source.to);
        self.anchor = source.anchor;
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
            past: Past::default(),
        }
    }

    /// What stands where.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Moves played since the game began.
    #[inline]
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The seat whose turn it is, also after the game is over.
    #[inline]
    #[must_use]
    pub fn seat(&self) -> Seat {
        (self.ply & 1) as Seat
    }

    /// How far the game is.
    #[inline]
    #[must_use]
    pub fn end(&self) -> End {
        self.end
    }

    /// The cell of the piece that moved or was thrown in the last ply, else `NOWHERE`.
    #[inline]
    #[must_use]
    pub fn resting(&self) -> Cell {
        if self.from == NOWHERE { NOWHERE } else { self.to }
    }

    /// Where the last move came from (`NOWHERE` for a placement) and where it went (`NOWHERE` for none).
    #[must_use]
    pub fn last_move(&self) -> (Cell, Cell) {
        (self.from, self.to)
    }

    /// Where the hive lies on the unbounded grid.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// The positions since the last placement.
    #[must_use]
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// The same for adding positions.
    pub(super) fn past_mut(&mut self) -> &mut Past {
        &mut self.past
    }

    /// The piece that a seat places next of a bug, while it has one in hand.
    #[must_use]
    pub fn next_in_hand(&self, bug: Bug, seat: Seat) -> Option<Piece> {
        bug.pieces(seat).without(self.board.in_play()).first()
    }

    /// Carries out an action of the seat whose turn it is.
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
            self.board.put(piece, to);
        }
        (self.from, self.to) = (NOWHERE, to);
    }

    #[inline]
    fn shift(&mut self, from: Cell, to: Cell) {
        let Some(piece) = self.board.top(from) else { return };
        self.board.take(piece);
        if self.anchor.cell == from && !self.board.occupied(from) {
            self.weigh_anchor();
        }
        self.board.put(piece, to);
        (self.from, self.to) = (from, to);
    }

    /// Makes a neighbour the anchor, its cell having been left.
    fn weigh_anchor(&mut self) {
        let Anchor { cell, at: (q, r) } = self.anchor;
        if let Some(direction) = self.board.ring(cell).next() {
            let (east, south) = AXIAL[direction];
            self.anchor = Anchor { cell: beside(cell, direction), at: (q + east, r + south) };
        }
    }

    /// Ends the game, or says that it goes on.
    #[inline]
    pub(super) fn finish(&mut self, end: End) {
        self.end = end;
    }

    /// How many neighbours of a seat's Queen are occupied, once it is in play.
    #[inline]
    #[must_use]
    pub fn around_queen(&self, seat: Seat) -> Option<u8> {
        Some(self.board.ring(self.board.queen(seat)?).len())
    }

    /// Whether the resting piece may matter to the seat that moves: it is its own, or stands beside its Pillbug or
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

    /// The key of a board with this hash, without what counts plies and positions.
    #[inline]
    #[must_use]
    pub(super) fn key(&self, board: u128) -> u128 {
        let resting = if self.rest_may_matter() { self.resting() } else { NOWHERE };
        key::with(board, u64::from(resting) << 16 | self.end.code() << 8 | self.seat() as u64)
    }

    /// The position as the rule of repetition compares it.
    #[must_use]
    pub(super) fn seen(&self) -> Seen {
        let origin = self.origin();
        let resting = if self.rest_may_matter() { relative(self.resting(), origin) } else { NOWHERE };
        Seen { key: key::with(self.board.hash_from(origin), self.seat() as u64) as u64, resting }
    }

    /// The cell that the resting cell of a [`Seen`] is here.
    #[must_use]
    pub(super) fn cell_of_seen(&self, resting: Cell) -> Cell {
        if resting == NOWHERE { NOWHERE } else { absolute(resting, self.origin()) }
    }

    /// A cell that moves with the hive.
    fn origin(&self) -> Cell {
        self.board.queen(0).or_else(|| self.board.queen(1)).unwrap_or(ORIGIN)
    }

    /// A seat's pieces of `enabled` that are still in its hand.
    #[inline]
    #[must_use]
    pub fn hand(&self, seat: Seat, enabled: Pieces) -> Pieces {
        enabled.and(Pieces::of(seat)).without(self.board.in_play())
    }
}
