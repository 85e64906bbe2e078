//! Cells of the unbounded grid around the start tile at (0, 0), and directions. North is +y.

/// Directions in clockwise order: N, E, S, W.
pub const DIRECTIONS: usize = 4;

/// The letters of the directions.
pub const LETTERS: [char; DIRECTIONS] = ['N', 'E', 'S', 'W'];

/// The opposite of a direction.
#[inline]
#[must_use]
pub fn opposite(direction: usize) -> usize {
    direction ^ 2
}

/// A cell. Those beside the last tile of a straight line have a coordinate of 72, and no cell of a game is further out.
/// Cells are ordered by x, then y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

/// No cell: further from all cells of a game than any two of those are.
pub const NOWHERE: Cell = Cell(0);

/// What is added to coordinates, so that both fit into a byte.
const BIAS: i32 = 128;

/// The largest coordinate that a tile or a cell beside one can have.
const FURTHEST: i32 = 72;

impl Cell {
    /// The cell of the start tile.
    pub const ORIGIN: Self = Self((BIAS << 8 | BIAS) as u16);

    /// The cell with these coordinates; `None` if no game gets there.
    #[must_use]
    pub fn at(x: i32, y: i32) -> Option<Self> {
        let is_in_range = |coordinate: i32| (-FURTHEST..=FURTHEST).contains(&coordinate);
        (is_in_range(x) && is_in_range(y)).then(|| Self(((x + BIAS) << 8 | (y + BIAS)) as u16))
    }

    /// Column, growing to the east.
    #[inline]
    #[must_use]
    pub fn x(self) -> i32 {
        i32::from(self.0 >> 8) - BIAS
    }

    /// Row, growing to the north.
    #[inline]
    #[must_use]
    pub fn y(self) -> i32 {
        i32::from(self.0 & 0xff) - BIAS
    }

    /// The next cell in a direction.
    #[inline]
    #[must_use]
    pub fn beside(self, direction: usize) -> Self {
        const STEPS: [u16; DIRECTIONS] = [1, 1 << 8, 1u16.wrapping_neg(), (1u16 << 8).wrapping_neg()];
        Self(self.0.wrapping_add(STEPS[direction & 3]))
    }

    /// Whether the cells touch, at least at a corner, or are the same.
    #[inline]
    #[must_use]
    pub fn is_near(self, other: Self) -> bool {
        let [x, y] = [self.0 >> 8, self.0 & 0xff];
        let [other_x, other_y] = [other.0 >> 8, other.0 & 0xff];
        // An unsigned difference of -1, 0 or 1, plus 1, is at most 2.
        (x.wrapping_sub(other_x).wrapping_add(1) <= 2) & (y.wrapping_sub(other_y).wrapping_add(1) <= 2)
    }

    /// A number of its own.
    #[inline]
    #[must_use]
    pub fn number(self) -> u16 {
        self.0
    }
}
