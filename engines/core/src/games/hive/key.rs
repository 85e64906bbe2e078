//! Hashing of what stands where. The hash of a board is a sum over its pieces, one product each: a number of the cell
//! times a number of seat, bug and level. It is kept by adding and subtracting. Bug numbers are not part of it, so
//! that positions which differ only in them share a key.

use super::bug::Piece;
use super::grid::{CELLS, Cell};

/// Levels that a piece may stand on: a bug, four Beetles and two Mosquitoes make seven.
const LEVELS: usize = 8;

/// SplitMix64's output function (Steele, Lea, Flood 2014): a bijection that spreads every input bit.
#[inline]
#[must_use]
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

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

/// What a piece on a level (0 is the ground) of a cell adds to the hash.
#[inline]
#[must_use]
pub fn term(piece: Piece, cell: Cell, level: u8) -> u128 {
    let kind = (piece.seat() * 8 + piece.bug() as usize) * LEVELS + usize::from(level);
    u128::from(OF_CELL[usize::from(cell) & (CELLS - 1)]) * u128::from(OF_KIND[kind & (16 * LEVELS - 1)])
}

/// A hash together with a few more numbers.
#[inline]
#[must_use]
pub fn with(hash: u128, rest: u64) -> u128 {
    let high = mix((hash >> 64) as u64 ^ mix(rest));
    let low = mix(hash as u64 ^ mix(rest ^ 0x5851_f42d_4c95_7f2d));
    u128::from(high ^ low.rotate_left(23)) << 64 | u128::from(low)
}
