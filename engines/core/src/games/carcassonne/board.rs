//! The tiles that are placed, and how a tile joins the features of its neighbours.

use super::cell::{Cell, DIRECTIONS, NOWHERE, opposite};
use super::features::FIRST_MONASTERY;
use super::features::{Features, SegmentId};
use super::joining::Joining;
use super::key;
use super::open_cells::OpenCells;
use super::tile_set::{Edge, Side, TILES, TileId, TileSet, TypeId};

/// What stands where.
#[derive(Debug, Clone, Copy)]
pub struct Board {
    hash: u128,
    /// By tile; `NOWHERE` for those that are not placed.
    cells: [Cell; TILES],
    /// Quarter turns clockwise, by tile.
    rotations: [u8; TILES],
    open: OpenCells,
    features: Features,
}

impl Board {
    /// The board with the start tile.
    #[must_use]
    pub fn start(tiles: &TileSet) -> Self {
        let mut board = Self {
            hash: 0,
            cells: [NOWHERE; TILES],
            rotations: [0; TILES],
            open: OpenCells::EMPTY,
            features: *tiles.start(),
        };
        board.place(tiles, tiles.start_tile(), Cell::ORIGIN, 0);
        board
    }

    /// The cell of a tile; `NOWHERE` if it is not placed.
    #[inline]
    #[must_use]
    pub fn cell(&self, tile: TileId) -> Cell {
        self.cells[usize::from(tile)]
    }

    /// The quarter turns of a placed tile, clockwise.
    #[inline]
    #[must_use]
    pub fn rotation(&self, tile: TileId) -> u8 {
        self.rotations[usize::from(tile)]
    }

    /// Number of tiles.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.cells.iter().filter(|cell| **cell != NOWHERE).count()
    }

    /// Whether a tile is placed.
    #[inline]
    #[must_use]
    pub fn has(&self, tile: TileId) -> bool {
        self.cell(tile) != NOWHERE
    }

    /// The tile on a cell.
    #[must_use]
    pub fn tile_at(&self, cell: Cell) -> Option<TileId> {
        self.cells.iter().position(|placed| *placed == cell).map(|tile| tile as TileId)
    }

    /// The empty cells beside tiles.
    #[inline]
    #[must_use]
    pub fn open(&self) -> &OpenCells {
        &self.open
    }

    /// Cities, roads, monasteries and fields.
    #[inline]
    #[must_use]
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The same, to put meeples on them.
    #[inline]
    pub fn features_mut(&mut self) -> &mut Features {
        &mut self.features
    }

    /// Hash of the tiles and, where they are added, the meeples.
    #[inline]
    #[must_use]
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Adds to the hash or, with the negative, takes away.
    #[inline]
    pub fn add_to_hash(&mut self, term: u128) {
        self.hash = self.hash.wrapping_add(term);
    }

    /// Whether tiles of a row fit anywhere.
    #[inline]
    #[must_use]
    pub fn has_place_for(&self, tiles: &TileSet, tile_type: TypeId) -> bool {
        let fits = tiles.fits(tile_type);
        self.open.demands().iter().any(|demand| fits[usize::from(*demand)] != 0)
    }

    /// The rotations, as bits, in which tiles of a row fit on a cell; none unless the cell is open.
    #[inline]
    #[must_use]
    pub fn rotations_on(&self, tiles: &TileSet, tile_type: TypeId, cell: Cell) -> u8 {
        self.open.demand(cell).map_or(0, |demand| tiles.fits(tile_type)[usize::from(demand)])
    }

    /// Places a tile where it fits and joins its segments with those of its neighbours.
    pub fn place(&mut self, tiles: &TileSet, tile: TileId, cell: Cell, rotation: u8) {
        self.joining(tiles, tile, cell, rotation).apply(&mut self.features);
        let tile_type = tiles.type_of(tile);
        let demand = self.open.close(cell);
        for (direction, side) in tiles.sides(tile_type, rotation).iter().enumerate() {
            if demand >> (2 * direction) & 3 == 0 {
                self.open.add(cell.beside(direction), (side.edge as u8) << (2 * opposite(direction)));
            }
        }
        (self.cells[usize::from(tile)], self.rotations[usize::from(tile)]) = (cell, rotation & 3);
        self.add_to_hash(key::tile(cell, tile_type, rotation));
    }

    /// What a tile joins when it is placed where it fits.
    #[inline]
    #[must_use]
    pub fn joining(&self, tiles: &TileSet, tile: TileId, cell: Cell, rotation: u8) -> Joining {
        let mut joining = Joining::default();
        let demand = self.open.demand(cell).unwrap_or(0);
        for (direction, side) in tiles.sides(tiles.type_of(tile), rotation).iter().enumerate() {
            if demand >> (2 * direction) & 3 != 0 {
                let other = self.occupant(cell.beside(direction));
                let sides = tiles.sides(tiles.type_of(other), self.rotation(other));
                let facing = &sides[opposite(direction) % DIRECTIONS];
                meet(&mut joining, tiles, (tile, side), (other, facing));
            }
        }
        self.surround(&mut joining, tiles, tile, cell);
        joining
    }

    /// The tile on a cell that has one. Compares all cells at once instead of stopping at the right one, which takes
    /// less time.
    #[inline]
    fn occupant(&self, cell: Cell) -> TileId {
        let numbered = self.cells.iter().zip(0u16..);
        numbered.fold(0, |found, (placed, tile)| found | if *placed == cell { tile } else { 0 }) as TileId
    }

    /// Counts the tile that is about to be placed for the monasteries around it, and the tiles around its own.
    #[inline]
    fn surround(&self, joining: &mut Joining, tiles: &TileSet, tile: TileId, cell: Cell) {
        for (&holder, segment) in tiles.monasteries().iter().zip(FIRST_MONASTERY as SegmentId..) {
            if holder == tile {
                let around = self.cells.iter().filter(|placed| placed.is_near(cell)).count();
                joining.surround(segment, around as u8);
            } else if self.cell(holder).is_near(cell) {
                joining.surround(segment, 1);
            }
        }
    }
}

/// Adds the segments on both sides of a border.
#[inline]
fn meet(joining: &mut Joining, tiles: &TileSet, (tile, side): (TileId, &Side), (other, facing): (TileId, &Side)) {
    let mut pair = |local, facing| joining.meet(tiles.segment(tile, local), tiles.segment(other, facing));
    if side.edge != Edge::Field {
        pair(side.building, facing.building);
    }
    // Both halves of the edge of a field are the same field.
    let halves = match side.edge {
        Edge::City => 0,
        Edge::Road => 2,
        Edge::Field => 1,
    };
    for (ours, theirs) in side.halves.iter().zip(facing.halves).take(halves) {
        pair(*ours, theirs);
    }
}
