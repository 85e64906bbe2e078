//! The pieces on the grid. A board executes placements and moves and answers questions on cells and pieces; legality is
//! decided elsewhere.

use super::bug::{Bug, Piece, Pieces};
use super::grid::{CELLS, Cell, back, beside};
use super::holes;
use super::key;
use super::ring::Ring;
use crate::rules::Seat;

/// Bits of a cell's byte: the six directions with an occupied neighbour, whether the cell is occupied, and whether its
/// top piece is Black's. For an empty cell, the last bit means that it lies in a hole of the hive.
const OCCUPIED: u8 = 1 << 6;
const BLACK: u8 = 1 << 7;
const HOLE: u8 = 1 << 7;

/// Number of cells in a row of the grid, and of rows.
const ROW: usize = 32;
const ROWS: u8 = (CELLS / ROW) as u8;

/// A piece's entry has the cell in its lower bits and the level above them.
const CELL_BITS: u16 = CELLS as u16 - 1;
const LEVEL_SHIFT: u16 = 10;

/// The pieces in play.
#[derive(Clone, Copy)]
pub struct Board {
    cells: [u8; CELLS],
    /// The first row of cells in use and the end of these rows; all bits of other rows are 0.
    rows: (u8, u8),
    /// Cell and level of each piece in play; 32 entries, so that no index is out of range.
    at: [u16; 32],
    in_play: Pieces,
    covered: Pieces,
    climbed: Pieces,
    /// Number of cells in holes.
    enclosed: u8,
    hash: u128,
}

impl Board {
    /// The empty board.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            cells: [0; CELLS],
            rows: (ROWS / 2, ROWS / 2),
            at: [0; 32],
            in_play: Pieces::NONE,
            covered: Pieces::NONE,
            climbed: Pieces::NONE,
            enclosed: 0,
            hash: 0,
        }
    }

    /// Makes this board equal to another one. Copies only the rows in use, which are few in most positions.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        let (first, end) = (self.rows.0.min(other.rows.0), self.rows.1.max(other.rows.1));
        let cells = usize::from(first) * ROW..usize::from(end) * ROW;
        self.cells[cells.clone()].copy_from_slice(&other.cells[cells]);
        (self.rows, self.at, self.hash, self.enclosed) = (other.rows, other.at, other.hash, other.enclosed);
        (self.in_play, self.covered, self.climbed) = (other.in_play, other.covered, other.climbed);
    }

    #[inline]
    fn byte(&self, cell: Cell) -> u8 {
        self.cells[usize::from(cell & CELL_BITS)]
    }

    /// The directions in which `cell` has an occupied neighbour.
    #[inline]
    #[must_use]
    pub fn ring(&self, cell: Cell) -> Ring {
        Ring(self.byte(cell) & 63)
    }

    /// Whether there is a piece on `cell`.
    #[inline]
    #[must_use]
    pub fn occupied(&self, cell: Cell) -> bool {
        self.byte(cell) & OCCUPIED != 0
    }

    /// Whether the top piece of `cell` belongs to this seat.
    #[inline]
    #[must_use]
    pub fn held_by(&self, cell: Cell, seat: Seat) -> bool {
        self.byte(cell) & (OCCUPIED | BLACK) == OCCUPIED | if seat == 0 { 0 } else { BLACK }
    }

    /// All pieces in play.
    #[inline]
    #[must_use]
    pub fn in_play(&self) -> Pieces {
        self.in_play
    }

    /// The pieces in play that are covered by another one.
    #[inline]
    #[must_use]
    pub fn covered(&self) -> Pieces {
        self.covered
    }

    /// The pieces in play that are on top of another one.
    #[inline]
    #[must_use]
    pub fn climbed(&self) -> Pieces {
        self.climbed
    }

    /// The uncovered pieces of a seat.
    #[inline]
    #[must_use]
    pub fn tops(&self, seat: Seat) -> Pieces {
        self.in_play.without(self.covered).and(Pieces::of(seat))
    }

    /// The cell of a piece; only meaningful while it is in play.
    #[inline]
    #[must_use]
    pub fn cell(&self, piece: Piece) -> Cell {
        self.at[piece.index()] & CELL_BITS
    }

    /// Number of pieces below a piece in play.
    #[inline]
    #[must_use]
    pub fn level(&self, piece: Piece) -> u8 {
        (self.at[piece.index()] >> LEVEL_SHIFT) as u8
    }

    /// The cell of a seat's Queen; `None` until it is in play.
    #[inline]
    #[must_use]
    pub fn queen(&self, seat: Seat) -> Option<Cell> {
        let queen = self.in_play.and(Bug::Queen.pieces(seat)).first()?;
        Some(self.cell(queen))
    }

    /// Number of empty cells that the hive encloses.
    #[inline]
    #[must_use]
    pub fn enclosed(&self) -> u8 {
        self.enclosed
    }

    /// Whether the hive encloses this empty cell.
    #[inline]
    #[must_use]
    pub fn in_hole(&self, cell: Cell) -> bool {
        self.byte(cell) & (OCCUPIED | HOLE) == HOLE
    }

    /// The directions from `cell`, held by `seat`, of the cells where this seat can place a piece: empty ones with
    /// neighbours of its colour only. A cell with several neighbours counts for the first of them.
    #[inline]
    #[must_use]
    pub fn open_beside(&self, cell: Cell, seat: Seat) -> Ring {
        let mut open = Ring::default();
        for direction in 0..6 {
            let near = beside(cell, direction);
            let (byte, first) = (self.byte(near), 1 << back(direction));
            let is_first = byte & (OCCUPIED | (first * 2 - 1)) == first;
            if byte == first || is_first && self.all_held(near, Ring(byte & 63 & !first), seat) {
                open.0 |= 1 << direction;
            }
        }
        open
    }

    /// Whether this seat holds the neighbours of `cell` in these directions.
    #[inline]
    fn all_held(&self, cell: Cell, mut directions: Ring, seat: Seat) -> bool {
        directions.all(|direction| self.held_by(beside(cell, direction), seat))
    }

    /// Sets whether an empty cell lies in a hole.
    pub(super) fn mark_hole(&mut self, cell: Cell, enclosed: bool) {
        let byte = &mut self.cells[usize::from(cell & CELL_BITS)];
        let before = *byte & HOLE != 0;
        *byte = *byte & !HOLE | if enclosed { HOLE } else { 0 };
        self.enclosed = self.enclosed + u8::from(enclosed) - u8::from(before);
    }

    /// The uncovered piece on `cell`, or `None`.
    #[inline]
    #[must_use]
    pub fn top(&self, cell: Cell) -> Option<Piece> {
        let mut found = 0;
        for (index, &at) in self.at.iter().enumerate() {
            found |= u32::from(at & CELL_BITS == cell) << index;
        }
        Pieces(found).and(self.in_play).without(self.covered).first()
    }

    /// Number of pieces on `cell`.
    #[inline]
    #[must_use]
    pub fn height(&self, cell: Cell) -> u8 {
        if !self.occupied(cell) {
            return 0;
        }
        if self.climbed.is_empty() {
            return 1;
        }
        let levels = self.climbed.filter(|&piece| self.cell(piece) == cell).map(|piece| self.level(piece));
        1 + levels.max().unwrap_or(0)
    }

    /// The pieces on `cell`, from bottom to top.
    #[must_use]
    pub fn stack(&self, cell: Cell) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = self.in_play.filter(|&piece| self.cell(piece) == cell).collect();
        pieces.sort_by_key(|&piece| self.level(piece));
        pieces
    }

    /// The hash of the board, updated incrementally.
    #[inline]
    #[must_use]
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// The same hash, computed from scratch.
    #[must_use]
    pub fn full_hash(&self) -> u128 {
        self.in_play
            .fold(0, |hash, piece| hash.wrapping_add(key::term(piece, self.cell(piece), self.level(piece))))
    }

    /// Puts a piece that is not in play on top of `cell`.
    #[inline]
    pub fn put(&mut self, piece: Piece, cell: Cell) {
        let level = self.height(cell);
        if level == 0 {
            self.occupy(cell);
        } else {
            if let Some(below) = self.top(cell) {
                self.covered.insert(below);
            }
            self.climbed.insert(piece);
        }
        self.at[piece.index()] = cell | u16::from(level) << LEVEL_SHIFT;
        self.in_play.insert(piece);
        self.show(cell, piece.seat());
        self.hash = self.hash.wrapping_add(key::term(piece, cell, level));
    }

    /// Takes an uncovered piece off the board.
    #[inline]
    pub fn take(&mut self, piece: Piece) {
        let (cell, level) = (self.cell(piece), self.level(piece));
        self.hash = self.hash.wrapping_sub(key::term(piece, cell, level));
        self.in_play.remove(piece);
        if level == 0 {
            self.cells[usize::from(cell & CELL_BITS)] &= !(OCCUPIED | BLACK);
            self.flip(cell);
            holes::after_leaving(self, cell);
            return;
        }
        self.climbed.remove(piece);
        let below =
            self.covered.filter(|&below| self.cell(below) == cell).find(|&below| self.level(below) + 1 == level);
        if let Some(below) = below {
            self.covered.remove(below);
            self.show(cell, below.seat());
        }
    }

    /// Marks an empty cell as occupied.
    #[inline]
    fn occupy(&mut self, cell: Cell) {
        let was_hole = self.in_hole(cell);
        self.enclosed -= u8::from(was_hole);
        self.flip(cell);
        self.use_rows(cell);
        self.show(cell, 0);
        if !was_hole && self.ring(cell).arcs() > 1 {
            holes::after_closing(self, cell);
        }
    }

    /// Marks the owner of the top piece of `cell`.
    #[inline]
    fn show(&mut self, cell: Cell, seat: Seat) {
        let byte = &mut self.cells[usize::from(cell & CELL_BITS)];
        *byte = *byte & 63 | OCCUPIED | if seat == 0 { 0 } else { BLACK };
    }

    /// Takes the row of `cell` and those beside it into use; all rows where these are wrapped around.
    #[inline]
    fn use_rows(&mut self, cell: Cell) {
        let row = (usize::from(cell & CELL_BITS) / ROW) as u8;
        let (first, end) = if (1..ROWS - 1).contains(&row) { (row - 1, row + 2) } else { (0, ROWS) };
        self.rows = (self.rows.0.min(first), self.rows.1.max(end));
    }

    /// Updates the six neighbours of `cell` after it has become occupied or empty.
    #[inline]
    fn flip(&mut self, cell: Cell) {
        for direction in 0..6 {
            self.cells[usize::from(beside(cell, direction))] ^= 1 << back(direction);
        }
    }
}
