//! The board: cells, edges, and which edges are open. Has walls and steps, but no pawns, turns or rules.
//!
//! Cells are numbered column by column ([`Cell`]): a step to the right is `+height` and a step down is `+1`, so that
//! all cells of a set can step at once by shifts. Path searches are in [`super::paths`].

use super::action::{Cell, Direction, Side, Wall};
use super::bits::Bits;

/// The size of a board, and the numbering of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of columns.
    pub width: u16,
    /// Number of rows.
    pub height: u16,
}

impl Grid {
    /// Number of cells.
    #[inline]
    #[must_use]
    pub fn cells(self) -> u16 {
        self.width * self.height
    }

    /// The cell in a column and row.
    #[inline]
    #[must_use]
    pub fn cell(self, column: u16, row: u16) -> Cell {
        column * self.height + row
    }

    /// The column of a cell, 0 at the left.
    #[inline]
    #[must_use]
    pub fn column(self, cell: Cell) -> u16 {
        cell / self.height
    }

    /// The row of a cell, 0 at the top.
    #[inline]
    #[must_use]
    pub fn row(self, cell: Cell) -> u16 {
        cell % self.height
    }

    /// The number of words of a [`Bits`] for this board, rounded up to a compiled one.
    #[must_use]
    pub fn words(self) -> usize {
        match self.cells() {
            0..=64 => 1,
            65..=128 => 2,
            129..=256 => 4,
            _ => 7,
        }
    }
}

/// A set of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edges<const N: usize> {
    /// Cells whose right edge is in the set.
    pub right: Bits<N>,
    /// Cells whose lower edge is in the set.
    pub down: Bits<N>,
}

impl<const N: usize> Edges<N> {
    /// The empty set.
    pub const EMPTY: Self = Self { right: Bits::EMPTY, down: Bits::EMPTY };

    /// Every edge between two cells of `grid`.
    #[must_use]
    pub fn all(grid: Grid) -> Self {
        let mut edges = Self::EMPTY;
        for cell in 0..grid.cells() {
            if grid.column(cell) + 1 < grid.width {
                edges.right.insert(cell);
            }
            if grid.row(cell) + 1 < grid.height {
                edges.down.insert(cell);
            }
        }
        edges
    }

    /// Whether `edge` is in the set.
    #[inline]
    #[must_use]
    pub fn has(&self, edge: Wall) -> bool {
        match edge.side {
            Side::Right => self.right.has(edge.cell),
            Side::Down => self.down.has(edge.cell),
        }
    }

    /// Adds `edge`.
    #[inline]
    pub fn insert(&mut self, edge: Wall) {
        match edge.side {
            Side::Right => self.right.insert(edge.cell),
            Side::Down => self.down.insert(edge.cell),
        }
    }

    /// Removes `edge`.
    #[inline]
    pub fn remove(&mut self, edge: Wall) {
        match edge.side {
            Side::Right => self.right.remove(edge.cell),
            Side::Down => self.down.remove(edge.cell),
        }
    }

    /// The union.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { right: self.right | other.right, down: self.down | other.down }
    }

    /// The edges that are not in `other`.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self { right: self.right.minus(other.right), down: self.down.minus(other.down) }
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (self.right | self.down).is_empty()
    }

    /// Number of edges.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u32 {
        self.right.len() + self.down.len()
    }

    /// The edges in the order of lists: column by column, in each cell first down, then right.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Wall> + use<N> {
        let Self { right, down } = *self;
        (right | down).iter().flat_map(move |cell| {
            let below = down.has(cell).then_some(Wall::down(cell));
            below.into_iter().chain(right.has(cell).then_some(Wall::right(cell)))
        })
    }
}

/// The open edges (between two cells, without a wall), and the height of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<const N: usize> {
    /// The edges without a wall.
    pub open: Edges<N>,
    height: u32,
}

impl<const N: usize> Board<N> {
    /// A board without walls.
    #[must_use]
    pub fn empty(grid: Grid) -> Self {
        Self { open: Edges::all(grid), height: u32::from(grid.height) }
    }

    /// Puts a wall on an edge.
    #[inline]
    pub fn build(&mut self, wall: Wall) {
        self.open.remove(wall);
    }

    /// The cell one step from `cell`, ignoring the border and walls.
    #[inline]
    #[must_use]
    pub fn beside(&self, cell: Cell, direction: Direction) -> Cell {
        let column = self.height as u16;
        match direction {
            Direction::Right => cell.wrapping_add(column),
            Direction::Down => cell.wrapping_add(1),
            Direction::Left => cell.wrapping_sub(column),
            Direction::Up => cell.wrapping_sub(1),
        }
    }

    /// Whether a step from `cell` stays on the board and crosses no wall.
    #[inline]
    #[must_use]
    pub fn can_step(&self, cell: Cell, direction: Direction) -> bool {
        let column = self.height as u16;
        match direction {
            Direction::Right => self.open.right.has(cell),
            Direction::Down => self.open.down.has(cell),
            Direction::Left => cell >= column && self.open.right.has(cell - column),
            Direction::Up => cell >= 1 && self.open.down.has(cell - 1),
        }
    }

    /// The edge between two neighbouring cells.
    #[inline]
    #[must_use]
    pub fn between(&self, a: Cell, b: Cell) -> Wall {
        let upper_left = a.min(b);
        if a.abs_diff(b) == 1 { Wall::down(upper_left) } else { Wall::right(upper_left) }
    }

    /// The column of a cell, and its row.
    #[inline]
    #[must_use]
    pub fn place(&self, cell: Cell) -> (u16, u16) {
        (cell / self.height as u16, cell % self.height as u16)
    }

    /// The edges of one side in a column, by row, as bits.
    #[inline]
    #[must_use]
    pub fn column(&self, edges: &Bits<N>, column: u16) -> u64 {
        edges.from(column * self.height as u16) & ((1 << self.height) - 1)
    }

    /// `cells` and all cells one open step away from any of them. Always inlined: sets of seven words that go through memory
    /// take longer than the shifts.
    #[inline(always)]
    #[must_use]
    pub fn grow(&self, cells: Bits<N>) -> Bits<N> {
        let Edges { right, down } = self.open;
        let sideways = (cells & right) << self.height | (cells >> self.height) & right;
        let upright = (cells & down) << 1 | (cells >> 1) & down;
        cells | sideways | upright
    }

    /// The open edges from a cell of one set to a cell of the other. Always inlined, as [`Self::grow`].
    #[inline(always)]
    #[must_use]
    pub fn crossing(&self, from: Bits<N>, to: Bits<N>) -> Edges<N> {
        let Edges { right, down } = self.open;
        Edges {
            right: right & (from & (to >> self.height) | to & (from >> self.height)),
            down: down & (from & (to >> 1) | to & (from >> 1)),
        }
    }
}
