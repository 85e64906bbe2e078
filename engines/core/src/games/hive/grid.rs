//! The hexagonal grid: cells, the six directions, rings of neighbours and sets of cells.
//!
//! The unbounded grid is wrapped onto 32 × 32 cells, which is enough because no hive is longer than its 28 pieces. A
//! cell is the number `32·r + q` modulo 1024, so that each neighbour lies at the same distance from every cell.

/// A cell of the wrapped grid, 0..1024.
pub type Cell = u16;

/// Number of cells.
pub const CELLS: usize = 1024;

/// No cell.
pub const NOWHERE: Cell = u16::MAX;

/// Where the first piece goes; its coordinates are (0, 0).
pub const ORIGIN: Cell = 16 * 32 + 16;

/// Keeps a number within the grid.
const WRAP: u16 = CELLS as u16 - 1;

/// From 0 clockwise: NW, NE, E, SE, SW, W.
pub type Direction = usize;

/// Axial (q, r) of the neighbour in each direction.
pub const AXIAL: [(i32, i32); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// What to add to a cell for its neighbour in each direction; eight entries, so that no index is ever out of range.
const STEPS: [u16; 8] = {
    let mut steps = [0; 8];
    let mut direction = 0;
    while direction < 6 {
        let (q, r) = AXIAL[direction];
        steps[direction] = (q + 32 * r) as u16;
        direction += 1;
    }
    steps
};

/// The neighbour in a direction.
#[inline]
#[must_use]
pub fn beside(cell: Cell, direction: Direction) -> Cell {
    cell.wrapping_add(STEPS[direction & 7]) & WRAP
}

/// The direction that leads back.
#[inline]
#[must_use]
pub fn back(direction: Direction) -> Direction {
    if direction < 3 { direction + 3 } else { direction - 3 }
}

/// The next direction counter-clockwise.
#[inline]
#[must_use]
pub fn left(direction: Direction) -> Direction {
    if direction == 0 { 5 } else { direction - 1 }
}

/// The next direction clockwise.
#[inline]
#[must_use]
pub fn right(direction: Direction) -> Direction {
    if direction == 5 { 0 } else { direction + 1 }
}

/// The cell at a distance from `origin`, as if `origin` were cell 0.
#[inline]
#[must_use]
pub fn relative(cell: Cell, origin: Cell) -> Cell {
    cell.wrapping_sub(origin) & WRAP
}

/// For a cell at a distance from another one (see [`relative`]): the ring without the direction that leads there,
/// the full ring where the two are no neighbours.
static AWAY: [u8; CELLS] = {
    let mut away = [Ring::FULL.0; CELLS];
    let mut direction = 0;
    while direction < 6 {
        away[(STEPS[direction] & WRAP) as usize] = Ring::FULL.0 & !(1 << ((direction + 3) % 6));
        direction += 1;
    }
    away
};

/// The directions from `cell` that do not lead to `other`.
#[inline]
#[must_use]
pub fn away(cell: Cell, other: Cell) -> Ring {
    Ring(AWAY[usize::from(relative(cell, other))])
}

/// Whether two cells are neighbours.
#[inline]
#[must_use]
pub fn touch(cell: Cell, other: Cell) -> bool {
    away(cell, other) != Ring::FULL
}

/// Steps from one cell to another.
#[inline]
#[must_use]
pub fn distance(cell: Cell, other: Cell) -> usize {
    let apart = i32::from(relative(cell, other));
    let q = ((apart + 16) & 31) - 16;
    let r = ((((apart - q) >> 5) + 16) & 31) - 16;
    q.abs().max(r.abs()).max((q + r).abs()) as usize
}

/// A set of directions: bit `d` for direction `d`. Iterating takes them clockwise from NW.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ring(pub u8);

/// What is known of each ring, by its bits.
#[derive(Clone, Copy)]
struct Facts {
    len: u8,
    arcs: u8,
    slides: u8,
}

static FACTS: [Facts; 64] = {
    let mut facts = [Facts { len: 0, arcs: 0, slides: 0 }; 64];
    let mut ring = 0;
    while ring < 64 {
        let mut direction = 0;
        while direction < 6 {
            let here = ring >> direction & 1;
            let before = ring >> ((direction + 5) % 6) & 1;
            let after = ring >> ((direction + 1) % 6) & 1;
            facts[ring].len += here as u8;
            facts[ring].arcs += (here & (1 - before)) as u8;
            if here == 0 && before != after {
                facts[ring].slides |= 1 << direction;
            }
            direction += 1;
        }
        ring += 1;
    }
    facts
};

impl Ring {
    /// All six.
    pub const FULL: Self = Self(63);

    #[inline]
    fn facts(self) -> Facts {
        FACTS[usize::from(self.0 & 63)]
    }

    /// How many it has.
    #[inline]
    #[must_use]
    pub fn len(self) -> u8 {
        self.facts().len
    }

    /// Whether it has none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of runs of neighbouring directions; 0 for the empty and for the full ring.
    #[inline]
    #[must_use]
    pub fn arcs(self) -> u8 {
        self.facts().arcs
    }

    /// Of the occupied neighbours: the directions in which a piece can slide along the ground, that is, the empty
    /// ones with exactly one of the two cells beside the way occupied.
    #[inline]
    #[must_use]
    pub fn slides(self) -> Self {
        Self(self.facts().slides)
    }

    /// Whether it has the direction.
    #[inline]
    #[must_use]
    pub fn has(self, direction: Direction) -> bool {
        self.0 >> direction & 1 == 1
    }

    /// The directions of both.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The directions of either.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The other directions.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Self(!self.0 & 63)
    }

    /// Only `direction`.
    #[inline]
    #[must_use]
    pub fn only(direction: Direction) -> Self {
        Self(1 << direction)
    }
}

impl Iterator for Ring {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros() as Direction;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

/// A set of cells.
#[derive(Clone, Copy, Default)]
pub struct CellSet([u64; CELLS / 64]);

impl CellSet {
    /// Whether it has the cell.
    #[inline]
    #[must_use]
    pub fn has(&self, cell: Cell) -> bool {
        self.0[usize::from(cell >> 6) & 15] >> (cell & 63) & 1 == 1
    }

    /// Adds a cell; whether it is new.
    #[inline]
    pub fn insert(&mut self, cell: Cell) -> bool {
        let word = &mut self.0[usize::from(cell >> 6) & 15];
        let before = *word;
        *word |= 1 << (cell & 63);
        *word != before
    }
}

/// Most cells that a piece can go to, and most cells beside a hive: 60 (a hive in a line), rounded up.
const MOST: usize = 64;

/// A short list of cells.
#[derive(Clone, Copy)]
pub struct Cells {
    cells: [Cell; MOST],
    len: usize,
}

impl Cells {
    /// The empty list.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self { cells: [0; MOST], len: 0 }
    }

    /// Appends a cell.
    #[inline]
    pub fn push(&mut self, cell: Cell) {
        self.cells[self.len & (MOST - 1)] = cell;
        self.len += 1;
    }

    /// Appends a cell that is not yet in the list.
    #[inline]
    pub fn add(&mut self, cell: Cell) {
        if !self.as_slice().contains(&cell) {
            self.push(cell);
        }
    }

    /// The cell at an index below the length.
    #[inline]
    #[must_use]
    pub fn at(&self, index: usize) -> Cell {
        self.cells[index & (MOST - 1)]
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cells in order.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Cell] {
        &self.cells[..self.len.min(MOST)]
    }
}

impl Default for Cells {
    fn default() -> Self {
        Self::new()
    }
}
