//! Single actions, the unit of searches. A move consists of up to two of them.
//!
//! An action takes two bytes; [`Action::kind`] unpacks it. Their numbers follow the fixed order of lists: cat steps,
//! mouse steps (each right, down, left, up), then walls column by column, in each cell first down, then right.

use std::fmt;

/// A cell as `column · height + row`, column 0 at the left, row 0 at the top.
pub type Cell = u16;

/// The kinds of pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pawn {
    /// The hunter.
    Cat = 0,
    /// The hunted pawn.
    Mouse = 1,
}

/// The direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// One column to the right.
    Right = 0,
    /// One row down.
    Down = 1,
    /// One column to the left.
    Left = 2,
    /// One row up.
    Up = 3,
}

impl Direction {
    /// All four, in the order of lists.
    pub const ALL: [Self; 4] = [Self::Right, Self::Down, Self::Left, Self::Up];
}

/// The two sides of a cell that can hold a wall; the other two sides belong to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Between the cell and the one below.
    Down = 0,
    /// Between the cell and the one to the right.
    Right = 1,
}

/// A place for a wall: the edge at one side of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wall {
    /// The upper or left one of the two cells.
    pub cell: Cell,
    /// The side of `cell`.
    pub side: Side,
}

impl Wall {
    /// The edge below `cell`.
    #[inline]
    #[must_use]
    pub fn down(cell: Cell) -> Self {
        Self { cell, side: Side::Down }
    }

    /// The edge to the right of `cell`.
    #[inline]
    #[must_use]
    pub fn right(cell: Cell) -> Self {
        Self { cell, side: Side::Right }
    }

    /// A distinct small number for every edge.
    #[inline]
    #[must_use]
    pub fn index(self) -> u16 {
        self.cell << 1 | self.side as u16
    }
}

/// One decision, in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(u16);

/// An unpacked [`Action`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Moves a pawn of the seat to a neighbouring cell.
    Step(Pawn, Direction),
    /// Places a wall.
    Wall(Wall),
    /// Ends the turn with fewer than two actions.
    End,
}

const END: u16 = 8;
const FIRST_WALL: u16 = 16;

impl Action {
    /// Ends the turn.
    pub const END: Self = Self(END);

    /// A step of the seat's `pawn`.
    #[inline]
    #[must_use]
    pub fn step(pawn: Pawn, direction: Direction) -> Self {
        Self((pawn as u16) << 2 | direction as u16)
    }

    /// Places a wall.
    #[inline]
    #[must_use]
    pub fn wall(wall: Wall) -> Self {
        Self(FIRST_WALL + wall.index())
    }

    /// Unpacks the action.
    #[inline]
    #[must_use]
    pub fn kind(self) -> ActionKind {
        if self.0 >= FIRST_WALL {
            let index = self.0 - FIRST_WALL;
            let side = if index & 1 == 0 { Side::Down } else { Side::Right };
            return ActionKind::Wall(Wall { cell: index >> 1, side });
        }
        if self.0 >= END {
            return ActionKind::End;
        }
        let pawn = if self.0 < 4 { Pawn::Cat } else { Pawn::Mouse };
        ActionKind::Step(pawn, Direction::ALL[usize::from(self.0 & 3)])
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}
