//! Freedom to move off the ground: climbing, coming down and walking on top. A step is blocked where both cells beside
//! the way are higher than its two ends (the elevated gate). Slides along the ground are [`Ring::slides`].

use super::board::Board;
use super::grid::{Cell, Direction, NOWHERE, beside, left, right};
use super::ring::Ring;

/// Heights as they are while a piece is lifted off the hive.
#[derive(Clone, Copy)]
pub struct Heights<'b> {
    board: &'b Board,
    lifted: Cell,
    /// Whether no stack stands anywhere, so that nothing is higher than 1.
    flat: bool,
}

impl<'b> Heights<'b> {
    /// Heights without the only piece of `lifted`.
    #[inline]
    #[must_use]
    pub fn without(board: &'b Board, lifted: Cell) -> Self {
        Self { board, lifted, flat: board.climbed().is_empty() }
    }

    /// Heights with every piece but those on stacks, whose cells stay occupied without them.
    #[inline]
    #[must_use]
    pub fn of(board: &'b Board) -> Self {
        Self::without(board, NOWHERE)
    }

    /// Whether no stack stands anywhere.
    #[inline]
    #[must_use]
    pub fn flat(self) -> bool {
        self.flat
    }

    /// Pieces on a cell.
    #[inline]
    #[must_use]
    pub fn at(self, cell: Cell) -> u8 {
        if cell == self.lifted { 0 } else { self.board.height(cell) }
    }

    /// Whether a gate blocks the step from `cell`, where the piece stands on `support` others, onto the neighbour in
    /// `direction`. One of the two ends is occupied.
    #[inline]
    #[must_use]
    pub fn blocked(self, cell: Cell, support: u8, direction: Direction) -> bool {
        if self.flat {
            return false;
        }
        let beside_way = self.at(beside(cell, left(direction))).min(self.at(beside(cell, right(direction))));
        beside_way > support.max(self.at(beside(cell, direction)))
    }

    /// Those of `directions` that no gate blocks.
    #[inline]
    #[must_use]
    pub fn open(self, cell: Cell, support: u8, directions: Ring) -> Ring {
        if self.flat {
            return directions;
        }
        let free = directions.filter(|&direction| !self.blocked(cell, support, direction));
        free.fold(Ring::default(), |open, direction| open.or(Ring::only(direction)))
    }

    /// The directions from which a piece can be lifted onto the piece that stands on the ground of `cell`, and let
    /// down again from it: blocked only between two stacks.
    #[inline]
    #[must_use]
    pub fn open_over(self, cell: Cell) -> Ring {
        self.open(cell, 1, Ring::FULL)
    }
}
