//! Cells of a rectangular board and their coordinates: 0,0 is at the bottom left, x grows to the right and y upward.

use super::direction::Direction;

/// Limits of width and height.
pub const SIDE_LIMITS: std::ops::RangeInclusive<u8> = 2..=64;

/// A cell as `y · width + x`.
pub type Cell = u16;

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Columns, within [`SIDE_LIMITS`].
    pub width: u8,
    /// Rows, within [`SIDE_LIMITS`].
    pub height: u8,
}

impl Grid {
    /// Number of cells.
    #[must_use]
    pub fn cells(self) -> u16 {
        u16::from(self.width) * u16::from(self.height)
    }

    /// The cell at coordinates on the board.
    #[must_use]
    pub fn cell(self, x: u8, y: u8) -> Cell {
        u16::from(y) * u16::from(self.width) + u16::from(x)
    }

    /// The column of a cell.
    #[must_use]
    pub fn x(self, cell: Cell) -> u8 {
        (cell % u16::from(self.width)) as u8
    }

    /// The row of a cell.
    #[must_use]
    pub fn y(self, cell: Cell) -> u8 {
        (cell / u16::from(self.width)) as u8
    }

    /// The cell that the board has in place of this one after half a turn.
    #[must_use]
    pub fn mirror(self, cell: Cell) -> Cell {
        self.cells() - 1 - cell
    }

    /// The cell that is its own mirror image, on boards of odd width and height.
    #[must_use]
    pub fn centre(self) -> Option<Cell> {
        (self.width % 2 == 1 && self.height % 2 == 1).then(|| self.cells() / 2)
    }

    /// The next cell in a direction; `None` beyond the border, and for `Stay`.
    #[must_use]
    pub fn neighbour(self, cell: Cell, direction: Direction) -> Option<Cell> {
        let (x, y) = (self.x(cell), self.y(cell));
        match direction {
            Direction::Up => (y + 1 < self.height).then(|| cell + u16::from(self.width)),
            Direction::Right => (x + 1 < self.width).then(|| cell + 1),
            Direction::Down => (y > 0).then(|| cell - u16::from(self.width)),
            Direction::Left => (x > 0).then(|| cell - 1),
            Direction::Stay => None,
        }
    }

    /// The cells of column 0 from the bottom to the top, then those of column 1, and so on.
    pub fn by_columns(self) -> impl Iterator<Item = Cell> {
        (0..self.width).flat_map(move |x| (0..self.height).map(move |y| self.cell(x, y)))
    }
}
