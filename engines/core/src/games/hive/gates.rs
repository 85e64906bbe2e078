//! Moves off the ground: climbing up, climbing down and walking on top. A step is blocked if both cells beside it are
//! higher than both of its ends (the elevated gate). Slides along the ground are [`Ring::slides`].

use super::board::Board;
use super::bug::{Piece, Pieces};
use super::grid::{Cell, Direction, away, beside, left, right};
use super::ring::Ring;

/// The gates of a board. Both sides of such a gate are stacks, since one end of a step off the ground is occupied:
/// lifting a piece from the ground therefore neither opens nor closes one.
#[derive(Clone, Copy)]
pub struct Gates<'b> {
    board: &'b Board,
    /// The second piece of each stack, if there are at least two stacks; otherwise empty.
    stacks: Pieces,
}

impl<'b> Gates<'b> {
    /// The gates of a board.
    #[inline]
    #[must_use]
    pub fn of(board: &'b Board) -> Self {
        let climbed = board.climbed();
        let second = |piece: &Piece| board.level(*piece) == 1;
        let stacks = if climbed.len() < 2 { Pieces::NONE } else { Pieces::from_iter(climbed.filter(second)) };
        Self { board, stacks: if stacks.len() < 2 { Pieces::NONE } else { stacks } }
    }

    /// The directions of stacks next to `cell`.
    #[inline]
    fn stacks_beside(self, cell: Cell) -> Ring {
        self.stacks.fold(Ring::default(), |ring, piece| ring.or(away(cell, self.board.cell(piece)).flipped()))
    }

    /// The subset of `directions` in which a piece on `cell`, on top of `support` other pieces, can step. One end of
    /// each step must be occupied.
    #[inline]
    #[must_use]
    pub fn open(self, cell: Cell, support: u8, directions: Ring) -> Ring {
        if self.stacks.is_empty() { directions } else { self.open_between(cell, support, directions) }
    }

    /// The same for a piece on top of all pieces on `cell`.
    #[inline]
    #[must_use]
    pub fn open_on_top(self, cell: Cell, directions: Ring) -> Ring {
        if self.stacks.is_empty() {
            directions
        } else {
            self.open_between(cell, self.board.height(cell), directions)
        }
    }

    fn open_between(self, cell: Cell, support: u8, directions: Ring) -> Ring {
        let stacks = self.stacks_beside(cell);
        let blocked = directions.and(stacks.turned_right()).and(stacks.turned_left());
        let blocked = blocked.filter(|&direction| self.blocked(cell, support, direction));
        blocked.fold(directions, |open, direction| open.and(Ring::only(direction).flipped()))
    }

    /// Whether the stacks on both sides of a step are higher than its ends.
    fn blocked(self, cell: Cell, support: u8, direction: Direction) -> bool {
        let height = |direction| self.board.height(beside(cell, direction));
        height(left(direction)).min(height(right(direction))) > support.max(height(direction))
    }
}
