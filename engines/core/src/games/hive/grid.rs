//! The hexagonal grid: cells, the six directions and neighbours.
//!
//! The unbounded grid is wrapped onto 32 × 32 cells, which is enough, because no hive is longer than its 28 pieces. A
//! cell is the number `32·r + q` modulo 1024, so that a neighbour's offset is the same for every cell.

use super::ring::Ring;

/// A cell of the wrapped grid, 0..1024.
pub type Cell = u16;

/// Number of cells.
pub const CELLS: usize = 1024;

/// Stands for no cell.
pub const NOWHERE: Cell = u16::MAX;

/// The cell of the first piece, with coordinates (0, 0).
pub const ORIGIN: Cell = 16 * 32 + 16;

/// Keeps a number within the grid.
const WRAP: u16 = CELLS as u16 - 1;

/// From 0 clockwise: NW, NE, E, SE, SW, W.
pub type Direction = usize;

/// Axial (q, r) of the neighbour in each direction.
pub const AXIAL: [(i32, i32); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// The offset of the neighbour in each direction; eight entries, so that no index is out of range.
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

/// The offset of a direction, for [`stepped`].
#[must_use]
pub const fn step(direction: Direction) -> u16 {
    STEPS[direction & 7]
}

/// The cell at axial coordinates q, r, of which [`ORIGIN`] has 0, 0.
#[must_use]
pub fn located((q, r): (i32, i32)) -> Cell {
    stepped(ORIGIN, (q + 32 * r).rem_euclid(CELLS as i32) as u16)
}

/// The cell at this offset.
#[inline]
#[must_use]
pub fn stepped(cell: Cell, step: u16) -> Cell {
    cell.wrapping_add(step) & WRAP
}

/// The neighbour in a direction.
#[inline]
#[must_use]
pub fn beside(cell: Cell, direction: Direction) -> Cell {
    stepped(cell, step(direction))
}

/// The opposite direction.
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

/// The position of a cell relative to `origin`, as a cell.
#[inline]
#[must_use]
pub fn relative(cell: Cell, origin: Cell) -> Cell {
    cell.wrapping_sub(origin) & WRAP
}

/// Reverts [`relative`].
#[inline]
#[must_use]
pub fn absolute(cell: Cell, origin: Cell) -> Cell {
    cell.wrapping_add(origin) & WRAP
}

/// For the relative position of a cell (see [`relative`]): the ring without the direction of that cell, or the full
/// ring if the cells are not neighbours.
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

/// The axial coordinates of a cell relative to another one, at most 15 steps away along each axis.
#[inline]
#[must_use]
pub fn offset(cell: Cell, other: Cell) -> (i32, i32) {
    let apart = i32::from(relative(cell, other));
    let q = ((apart + 16) & 31) - 16;
    let r = ((((apart - q) >> 5) + 16) & 31) - 16;
    (q, r)
}

/// Number of steps from one cell to another.
#[inline]
#[must_use]
pub fn distance(cell: Cell, other: Cell) -> usize {
    let (q, r) = offset(cell, other);
    q.abs().max(r.abs()).max((q + r).abs()) as usize
}
