//! Hashes of positions. That of the board is a sum over tiles and meeples, kept by adding and subtracting; the rest is
//! mixed in when a key is asked for.

use super::bag::BAG;
use super::cell::Cell;
use super::state::{Phase, State};
use super::tile_set::{Local, TILES, TileId, TileSet, TypeId};
use crate::rules::{MAX_SEATS, Seat};
use crate::splitmix::{combine, mix};

/// What a tile adds to the hash of the board.
#[inline]
#[must_use]
pub fn tile(cell: Cell, tile_type: TypeId, rotation: u8) -> u128 {
    term(cell, u64::from(tile_type) << 2 | u64::from(rotation & 3))
}

/// What a meeple on a segment of the tile on a cell adds to the hash of the board.
#[inline]
#[must_use]
pub fn meeple(cell: Cell, local: Local, seat: Seat) -> u128 {
    term(cell, 1 << 8 | (seat as u64) << 4 | u64::from(local))
}

#[inline]
fn term(cell: Cell, what: u64) -> u128 {
    u128::from(mix(cell.number().into())) * u128::from(mix(1 << 32 | what) | 1)
}

/// Collects the numbers that a key is made of.
#[derive(Debug, Clone, Copy)]
pub struct Mixer(u128);

impl Mixer {
    /// Begins with the hash of a board.
    #[must_use]
    pub fn new(hash: u128) -> Self {
        Self(hash)
    }

    /// Adds a number.
    #[inline]
    #[must_use]
    pub fn with(self, number: u64) -> Self {
        Self(combine(self.0, number))
    }

    /// Adds small numbers, eight at a time.
    #[must_use]
    pub fn with_bytes(self, bytes: &[u8]) -> Self {
        let word = |chunk: &[u8]| chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        bytes.chunks(8).fold(self.with(bytes.len() as u64), |mixer, chunk| mixer.with(word(chunk)))
    }

    /// The key.
    #[must_use]
    pub fn key(self) -> u128 {
        self.0
    }
}

/// Hash of the tiles and meeples on the table, from scratch.
#[must_use]
pub fn board(tiles: &TileSet, state: &State) -> u128 {
    let board = state.board();
    let placed = (0..TILES as TileId).filter(|tile| board.has(*tile));
    let of_tile = |placed| tile(board.cell(placed), tiles.type_of(placed), board.rotation(placed));
    let standing = |seat: Seat| state.meeples(seat).standing().iter().map(move |segment| (seat, *segment));
    let of_meeple = |(seat, segment)| {
        let (tile, local) = tiles.origin(segment);
        meeple(board.cell(tile), local, seat)
    };
    let terms = placed.map(of_tile).chain((0..MAX_SEATS).flat_map(standing).map(of_meeple));
    terms.fold(0, u128::wrapping_add)
}

/// Hashes what everybody knows: the board with this hash, points, whose turn it is, what is drawn and how many tiles
/// are left.
fn public(tiles: &TileSet, state: &State, board: u128) -> Mixer {
    let last = state.last().map_or(0, |last| state.board().cell(last.tile).number());
    let phase = match state.phase() {
        Phase::PlaceTile => 0,
        Phase::PlaceMeeple => 1 << 16 | u64::from(last),
        Phase::Scored => 1,
        Phase::Resignation(seat) => 2 + u64::from(seat),
    };
    let drawn = state.bag().drawn().map_or(0xff, |tile| tiles.type_of(tile));
    let points = state.points().iter().fold(0u128, |word, points| word << 16 | u128::from(*points));
    Mixer::new(board)
        .with(phase << 32 | u64::from(drawn) << 24 | u64::from(state.bag().left()) << 16)
        .with((state.seat() as u64) << 8 | u64::from(state.gone()))
        .with(points as u64)
        .with((points >> 64) as u64)
}

/// Hash of everything that the rest of the game depends on, with this hash of the board.
#[must_use]
pub fn position(tiles: &TileSet, state: &State, board: u128) -> u128 {
    let mut rest = [0; BAG];
    let left = usize::from(state.bag().left());
    for (rest, tile) in rest.iter_mut().zip(state.bag().unseen()).take(left) {
        *rest = tiles.type_of(*tile);
    }
    public(tiles, state, board).with_bytes(&rest[..left]).key()
}

/// The same of what a seat knows: how many unseen tiles there are of each row, instead of their order.
#[must_use]
pub fn information(tiles: &TileSet, state: &State) -> u128 {
    public(tiles, state, state.board().hash()).with_bytes(&state.unseen(tiles)).key()
}
