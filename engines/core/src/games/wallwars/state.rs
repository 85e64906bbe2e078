//! A state of a game: walls, pawns and the turn. Executes actions; legality and winning are decided in the parent
//! module.

use super::action::{Action, ActionKind, Cell, Direction, Pawn, Wall};
use super::board::{Board, Edges};
use super::key::{self, WallsHash};
use super::setup::ABSENT;
use crate::rules::{Outcome, Seat};

/// Actions per turn.
pub const ACTIONS_PER_TURN: u8 = 2;

/// How the game ended, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game is running.
    Running,
    /// This seat won by capturing the mouse or by reaching its home.
    Capture(u8),
    /// A draw: player 1 captured, but player 2 would have captured in its next turn.
    OneMoveRule,
    /// The mouse survived (seat 1 won).
    Survival,
    /// This seat won because the other one resigned.
    Resignation(u8),
}

impl End {
    /// The outcome of a finished game.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Running => None,
            Self::Capture(seat) => Some(Outcome::win(seat.into(), "capture")),
            Self::OneMoveRule => Some(Outcome::draw("one-move-rule")),
            Self::Survival => Some(Outcome::win(1, "survival")),
            Self::Resignation(seat) => Some(Outcome::win(seat.into(), "resignation")),
        }
    }

    /// A distinct small number for every end.
    fn code(self) -> u64 {
        match self {
            Self::Running => 0,
            Self::OneMoveRule => 1,
            Self::Survival => 2,
            Self::Capture(seat) => 4 | u64::from(seat),
            Self::Resignation(seat) => 6 | u64::from(seat),
        }
    }
}

/// Walls, pawns and the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State<const N: usize> {
    board: Board<N>,
    second: Edges<N>,
    walls: WallsHash,
    pawns: [Cell; 4],
    ply: u32,
    left: u8,
    end: End,
    /// The pawn (as an index of `pawns`) moved by the first action of this turn; only valid with `came_from`.
    came: u8,
    came_from: Cell,
}

impl<const N: usize> State<N> {
    /// The state before the first move. `second` are the walls on `board` that belong to player 2, `walls` is the hash
    /// of all walls on it.
    pub(super) fn start(board: Board<N>, second: Edges<N>, walls: WallsHash, pawns: [Cell; 4]) -> Self {
        Self {
            board,
            second,
            walls,
            pawns,
            ply: 0,
            left: ACTIONS_PER_TURN,
            end: End::Running,
            came: 0,
            came_from: ABSENT,
        }
    }

    /// The edges without a wall.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board<N> {
        &self.board
    }

    /// The walls that player 2 placed.
    #[inline]
    #[must_use]
    pub fn second(&self) -> &Edges<N> {
        &self.second
    }

    /// Player 1's cat, player 1's mouse or home, player 2's cat, player 2's mouse or home.
    #[inline]
    #[must_use]
    pub fn pawns(&self) -> &[Cell; 4] {
        &self.pawns
    }

    /// The cell of a seat's pawn (or of its home, which is the mouse of a classic game).
    #[inline]
    #[must_use]
    pub fn pawn(&self, seat: Seat, pawn: Pawn) -> Cell {
        self.pawns[slot(seat, pawn)]
    }

    /// Number of moves played.
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

    /// Actions left in this turn: 2, or 1 after the first.
    #[inline]
    #[must_use]
    pub fn actions_left(&self) -> u8 {
        self.left
    }

    /// How the game ended, if it did.
    #[inline]
    #[must_use]
    pub fn end(&self) -> End {
        self.end
    }

    /// Whether `action` would move a pawn straight back to where this turn's first action took it from. Legal but
    /// useless: searches leave it out.
    #[inline]
    #[must_use]
    pub fn undoes(&self, action: Action) -> bool {
        let ActionKind::Step(pawn, direction) = action.kind() else { return false };
        let slot = slot(self.seat(), pawn);
        self.came_from != ABSENT
            && slot == usize::from(self.came)
            && self.board.beside(self.pawns[slot], direction) == self.came_from
    }

    /// Executes and counts one action; returns whether that ended the turn.
    #[inline]
    pub(super) fn act(&mut self, action: Action) -> bool {
        match action.kind() {
            ActionKind::Step(pawn, direction) => self.step(pawn, direction),
            ActionKind::Wall(wall) => self.build(wall),
            ActionKind::End => self.left = 1,
        }
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    #[inline]
    fn step(&mut self, pawn: Pawn, direction: Direction) {
        let slot = slot(self.seat(), pawn);
        self.came = slot as u8;
        self.came_from = self.pawns[slot];
        self.pawns[slot] = self.board.beside(self.pawns[slot], direction);
    }

    #[inline]
    fn build(&mut self, wall: Wall) {
        self.board.build(wall);
        if self.seat() == 1 {
            self.second.insert(wall);
        }
        self.walls = key::toggle(self.walls, wall);
    }

    /// Passes the turn to the other seat.
    #[inline]
    pub(super) fn pass_turn(&mut self) {
        self.ply += 1;
        self.clear_turn();
    }

    /// Sets the end of the game, or that it is running.
    #[inline]
    pub(super) fn finish(&mut self, end: End) {
        self.end = end;
        if end != End::Running {
            self.clear_turn();
        }
    }

    #[inline]
    fn clear_turn(&mut self) {
        self.left = ACTIONS_PER_TURN;
        self.came = 0;
        self.came_from = ABSENT;
    }

    /// The hash of the walls on the board, updated incrementally.
    #[inline]
    pub(super) fn walls_hash(&self) -> WallsHash {
        self.walls
    }

    /// The key, given the hash of the walls and the part of the number of moves that the rules depend on (0 if only the
    /// turn matters).
    #[inline]
    pub(super) fn key(&self, walls: WallsHash, moves: u32) -> u128 {
        let pawns = self.pawns.iter().fold(0, |all, &cell| all << 16 | u64::from(cell));
        let turn = u64::from(self.ply & 1) << 1 | u64::from(self.left & 1) | u64::from(self.came) << 2;
        let rest = u64::from(moves) << 32 | u64::from(self.came_from) << 16 | turn << 8 | self.end.code();
        key::key(walls, pawns, rest)
    }
}

#[inline]
fn slot(seat: Seat, pawn: Pawn) -> usize {
    2 * seat + pawn as usize
}
