//! Hashes of boards. The hash is a sum over the pieces of one product each: a number for the cell times a number for
//! seat, bug and level. It is updated by adding and subtracting. Bug numbers are not part of it, so that positions
//! which differ only in them share a key.

use super::bug::Piece;
use super::grid::{CELLS, Cell};
use crate::splitmix::mix;

/// Number of levels: a bug, four Beetles and two Mosquitoes make seven.
const LEVELS: usize = 8;

static OF_CELL: [u64; CELLS] = {
    let mut numbers = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        numbers[cell] = mix(cell as u64);
        cell += 1;
    }
    numbers
};

static OF_KIND: [u64; 16 * LEVELS] = {
    let mut numbers = [0; 16 * LEVELS];
    let mut kind = 0;
    while kind < 16 * LEVELS {
        numbers[kind] = mix(1 << 32 | kind as u64) | 1;
        kind += 1;
    }
    numbers
};

/// The term of a piece on a level (0 is the ground) of a cell.
#[inline]
#[must_use]
pub fn term(piece: Piece, cell: Cell, level: u8) -> u128 {
    let kind = (piece.seat() * 8 + piece.bug() as usize) * LEVELS + usize::from(level);
    u128::from(OF_CELL[usize::from(cell) & (CELLS - 1)]) * u128::from(OF_KIND[kind & (16 * LEVELS - 1)])
}
