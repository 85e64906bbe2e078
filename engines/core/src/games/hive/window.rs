//! The cells within three steps of a cell, as the bits of a word: eight bits per row, with the cell itself in row and
//! column 3.

use super::grid::{AXIAL, Cell, Direction, stepped};
use super::ring::Ring;

/// A bit of a window.
type Place = u32;

const ROW: i32 = 8;
const CENTRE: i32 = 3 * ROW + 3;

/// The cell around which the rings below are drawn: the first one with all its neighbours in the window.
const FIRST: i32 = ROW + 1;

/// Each ring as bits of a window, around `FIRST`.
static RINGS: [u64; 64] = {
    let mut rings = [0; 64];
    let mut ring = 0;
    while ring < 64 {
        let mut direction = 0;
        while direction < 6 {
            if ring >> direction & 1 == 1 {
                rings[ring] |= 1 << moved(FIRST, direction);
            }
            direction += 1;
        }
        ring += 1;
    }
    rings
};

const fn moved(place: i32, direction: Direction) -> i32 {
    let (q, r) = AXIAL[direction];
    place + q + ROW * r
}

/// A set of cells within three steps of a centre.
#[derive(Clone, Copy)]
pub struct Window {
    centre: Cell,
    bits: u64,
}

impl Window {
    /// The empty set around a centre, which is never added.
    #[inline]
    #[must_use]
    pub fn around(centre: Cell) -> Self {
        Self { centre, bits: 0 }
    }

    /// The bit of a neighbour of the centre.
    #[inline]
    #[must_use]
    pub fn beside(direction: Direction) -> Place {
        moved(CENTRE, direction) as Place
    }

    /// Adds the neighbours in these directions of a cell at most two steps from the centre.
    #[inline]
    pub fn add(&mut self, place: Place, directions: Ring) {
        self.bits |= RINGS[usize::from(directions.0 & 63)] << ((place - FIRST as Place) & 63);
    }

    /// Number of cells.
    #[inline]
    #[must_use]
    pub fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Its bits and cells.
    #[inline]
    pub fn places(self) -> impl Iterator<Item = (Place, Cell)> {
        let mut bits = self.bits;
        std::iter::from_fn(move || {
            let place = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            let (r, q) = (place as i32 / ROW - 3, place as i32 % ROW - 3);
            Some((place, stepped(self.centre, (32 * r + q) as u16)))
        })
    }

    /// Its cells.
    #[inline]
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        self.places().map(|(_, cell)| cell)
    }
}
