//! Freedom to move off the ground: climbing, coming down and walking on top. A step is blocked where both cells beside
//! the way are higher than its two ends (the elevated gate). Slides along the ground are [`Ring::slides`].

use super::board::Board;
use super::bug::{Piece, Pieces};
use super::grid::{Cell, Direction, away, beside, left, right};
use super::ring::Ring;

/// The gates of a board. Both sides of a gate are stacks, since one of the two ends of a step off the ground is
/// occupied: a piece that is lifted off the ground neither opens nor closes one.
#[derive(Clone, Copy)]
pub struct Gates<'b> {
    board: &'b Board,
    /// The second piece of each stack, where there are two stacks or more; else none.
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

    /// The directions in which stacks stand beside `cell`.
    #[inline]
    fn stacks_beside(self, cell: Cell) -> Ring {
        self.stacks.fold(Ring::default(), |ring, piece| ring.or(away(cell, self.board.cell(piece)).flipped()))
    }

    /// Those of `directions` in which a piece on `cell`, standing on `support` others there, can step. One of the two
    /// ends of each step is occupied.
    #[inline]
    #[must_use]
    pub fn open(self, cell: Cell, support: u8, directions: Ring) -> Ring {
        if self.stacks.is_empty() { directions } else { self.open_between(cell, support, directions) }
    }

    /// The same for a piece on top of everything that stands on `cell`.
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
