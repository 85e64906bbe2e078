//! What is derived from a catalogue: where tiles fit, which segments meet across a border, names of spots.

use std::sync::LazyLock;

use super::catalogue::{Kind, MEEPLE_COMPAT, STANDARD, START, Segment, TileType};
use super::cell::{DIRECTIONS, LETTERS};
use super::features::{Building, FIRST_FIELD, FIRST_MONASTERY, FIRST_ROAD, Features, SEGMENTS, SegmentId};
use super::open_cells::Demand;
use super::spot::{Spot, edges};

/// Tiles in the box.
pub const TILES: usize = 72;

/// Rows of a catalogue.
pub const TYPES: usize = 24;

/// The most segments of a tile.
pub const MOST_SEGMENTS: usize = 8;

/// A tile in the box: they are numbered row by row.
pub type TileId = u8;

/// A row of the catalogue.
pub type TypeId = u8;

/// A segment of one tile, by its place in the row of the catalogue.
pub type Local = u8;

/// An edge of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Edge {
    /// Of a city.
    City = 1,
    /// With a road.
    Road = 2,
    /// Of a field.
    Field = 3,
}

/// What lies at one edge of a turned tile.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// Its kind.
    pub edge: Edge,
    /// The city or road; meaningless at the edge of a field.
    pub building: Local,
    /// The fields of its two halves: the western and eastern one of N and S, the northern and southern one of E and W;
    /// meaningless at the edge of a city.
    pub halves: [Local; 2],
}

/// The tables of one catalogue.
pub struct TileSet {
    types: Vec<TileType>,
    type_of: [TypeId; TILES],
    sides: [[[Side; DIRECTIONS]; 4]; TYPES],
    fits: [[u8; 256]; TYPES],
    segments: [[SegmentId; MOST_SEGMENTS]; TILES],
    origins: [(TileId, Local); SEGMENTS],
    monasteries: [TileId; FIRST_FIELD - FIRST_MONASTERY],
    start: Features,
}

static STANDARD_SET: LazyLock<TileSet> = LazyLock::new(|| TileSet::new(&STANDARD));

static COMPAT_SET: LazyLock<TileSet> = LazyLock::new(|| {
    let changed = |row: &TileType| MEEPLE_COMPAT.iter().find(|other| other.letter == row.letter).copied();
    TileSet::new(&STANDARD.map(|row| changed(&row).unwrap_or(row)))
});

/// The variants, default first.
pub const VARIANTS: [&str; 2] = ["standard", "meeple_compat"];

impl TileSet {
    /// The tiles of a variant.
    #[must_use]
    pub fn of(variant: &str) -> &'static Self {
        if variant == VARIANTS[1] { &COMPAT_SET } else { &STANDARD_SET }
    }

    fn new(rows: &[TileType; TYPES]) -> Self {
        let mut set = Self {
            types: rows.to_vec(),
            type_of: [0; TILES],
            sides: std::array::from_fn(|row| std::array::from_fn(|quarters| sides(&rows[row], quarters))),
            fits: [[0; 256]; TYPES],
            segments: [[0; MOST_SEGMENTS]; TILES],
            origins: [(0, 0); SEGMENTS],
            monasteries: [0; FIRST_FIELD - FIRST_MONASTERY],
            start: Features::new([Building::default(); FIRST_FIELD], [0; SEGMENTS - FIRST_FIELD]),
        };
        for (table, sides) in set.fits.iter_mut().zip(&set.sides) {
            *table = std::array::from_fn(|demand| fitting(sides, demand as Demand));
        }
        set.number();
        set
    }

    /// Numbers tiles and segments, and describes each segment as a feature of its own.
    fn number(&mut self) {
        let mut next = [0, FIRST_ROAD, FIRST_MONASTERY, FIRST_FIELD];
        let mut buildings = [Building::default(); FIRST_FIELD];
        let mut borders = [0; SEGMENTS - FIRST_FIELD];
        let (mut tile, mut forks) = (0, 0);
        let mut joined = Vec::new();
        for (row, tile_type) in self.types.iter().enumerate() {
            for _ in 0..tile_type.count {
                self.type_of[tile] = row as TypeId;
                let fork = if is_fork(tile_type) { 1 << forks } else { 0 };
                forks += u32::from(fork != 0);
                for (local, segment) in tile_type.segments.iter().enumerate() {
                    let number = &mut next[segment.kind as usize];
                    self.segments[tile][local] = *number as SegmentId;
                    self.origins[*number] = (tile as TileId, local as Local);
                    match segment.kind {
                        Kind::Field => {
                            let city = |local: usize| 1u64 << self.segments[tile][local];
                            borders[*number - FIRST_FIELD] = cities(tile_type, segment).map(city).sum();
                        }
                        kind => buildings[*number] = building(kind, segment, fork),
                    }
                    if segment.kind == Kind::Monastery {
                        self.monasteries[*number - FIRST_MONASTERY] = tile as TileId;
                    }
                    if segment.joined {
                        joined.push((*number as SegmentId - 1, *number as SegmentId));
                    }
                    *number += 1;
                }
                tile += 1;
            }
        }
        self.start = Features::new(buildings, borders);
        joined.into_iter().for_each(|(a, b)| self.start.join_fields(a, b));
    }

    /// The rows of the catalogue.
    #[must_use]
    pub fn types(&self) -> &[TileType] {
        &self.types
    }

    /// The row with a letter.
    #[must_use]
    pub fn named(&self, letter: char) -> Option<TypeId> {
        self.types.iter().position(|row| row.letter == letter).map(|row| row as TypeId)
    }

    /// The letter of a row.
    #[must_use]
    pub fn letter(&self, tile_type: TypeId) -> char {
        self.types[usize::from(tile_type)].letter
    }

    /// The row of a tile.
    #[inline]
    #[must_use]
    pub fn type_of(&self, tile: TileId) -> TypeId {
        self.type_of[usize::from(tile)]
    }

    /// The start tile, the first of its row.
    #[must_use]
    pub fn start_tile(&self) -> TileId {
        let is_start = |row: &TypeId| self.letter(*row) == START;
        self.type_of.iter().position(is_start).unwrap_or(0) as TileId
    }

    /// The segments before anything is placed.
    #[must_use]
    pub fn start(&self) -> &Features {
        &self.start
    }

    /// What lies at the four edges of a tile after so many quarter turns.
    #[inline]
    #[must_use]
    pub fn sides(&self, tile_type: TypeId, quarters: u8) -> &[Side; DIRECTIONS] {
        &self.sides[usize::from(tile_type)][usize::from(quarters & 3)]
    }

    /// The rotations in which a tile meets a demand: bit k for k quarter turns, by demand.
    #[inline]
    #[must_use]
    pub fn fits(&self, tile_type: TypeId) -> &[u8; 256] {
        &self.fits[usize::from(tile_type)]
    }

    /// The numbers of a tile's segments.
    #[inline]
    #[must_use]
    pub fn segments(&self, tile: TileId) -> &[SegmentId] {
        let count = self.types[usize::from(self.type_of(tile))].segments.len();
        &self.segments[usize::from(tile)][..count]
    }

    /// The number of one of a tile's segments.
    #[inline]
    #[must_use]
    pub fn segment(&self, tile: TileId, local: Local) -> SegmentId {
        self.segments[usize::from(tile)][usize::from(local) & (MOST_SEGMENTS - 1)]
    }

    /// The tile of a segment and the segment's place on it.
    #[inline]
    #[must_use]
    pub fn origin(&self, segment: SegmentId) -> (TileId, Local) {
        self.origins[usize::from(segment)]
    }

    /// The tiles with monasteries, in the order of these segments.
    #[inline]
    #[must_use]
    pub fn monasteries(&self) -> &[TileId; FIRST_FIELD - FIRST_MONASTERY] {
        &self.monasteries
    }

    /// The name of a segment on a tile after so many quarter turns.
    #[must_use]
    pub fn spot(&self, tile_type: TypeId, quarters: u8, local: Local) -> Spot {
        let segment = &self.types[usize::from(tile_type)].segments[usize::from(local)];
        Spot { kind: segment.kind, edges: edges(segment.name).unwrap_or(0) }.turned(usize::from(quarters))
    }

    /// The segment with a name on a tile after so many quarter turns.
    #[must_use]
    pub fn local(&self, tile_type: TypeId, quarters: u8, spot: Spot) -> Option<Local> {
        let count = self.types[usize::from(tile_type)].segments.len() as Local;
        (0..count).find(|local| self.spot(tile_type, quarters, *local) == spot)
    }
}

/// Whether a tile has several cities or several roads.
fn is_fork(tile_type: &TileType) -> bool {
    let count = |kind| tile_type.segments.iter().filter(|segment| segment.kind == kind).count();
    count(Kind::City) > 1 || count(Kind::Road) > 1
}

/// A segment of a city or road, or a monastery, when its tile is placed.
fn building(kind: Kind, segment: &Segment, forks: u16) -> Building {
    let open = if kind == Kind::Monastery { 8 } else { segment.touches.len() as u8 };
    Building { tiles: 1, open, pennants: segment.pennant.into(), forks }
}

/// The places of the cities that a field borders, in the row of its tile.
fn cities<'t>(tile_type: &'t TileType, field: &'t Segment) -> impl Iterator<Item = usize> {
    let is_named = |name: &str| field.borders.split(' ').any(|border| border == name);
    let segments = tile_type.segments.iter().enumerate();
    segments
        .filter(move |(_, segment)| segment.kind == Kind::City && is_named(segment.name))
        .map(|(local, _)| local)
}

/// What lies at the four edges of a tile after so many quarter turns.
fn sides(tile_type: &TileType, quarters: usize) -> [Side; DIRECTIONS] {
    let kinds = tile_type.edges.as_bytes();
    std::array::from_fn(|direction| {
        let base = (direction + DIRECTIONS - quarters) % DIRECTIONS;
        // The first half lies to the west or north: for the unturned tile that is another side.
        let toward = if direction % 2 == 0 { [3, 1] } else { [0, 2] };
        let half = |side: usize| field_at(tile_type, base, (side + DIRECTIONS - quarters) % DIRECTIONS);
        let edge = match kinds[base] {
            b'C' => Edge::City,
            b'R' => Edge::Road,
            _ => Edge::Field,
        };
        Side { edge, building: building_at(tile_type, base), halves: toward.map(half) }
    })
}

/// The city or road at an edge of an unturned tile; 0 if there is none.
fn building_at(tile_type: &TileType, direction: usize) -> Local {
    let has = |segment: &Segment| segment.kind != Kind::Field && segment.touches.contains(LETTERS[direction]);
    tile_type.segments.iter().position(has).unwrap_or(0) as Local
}

/// The field at the half of an edge of an unturned tile that lies toward a side; 0 if there is none.
fn field_at(tile_type: &TileType, direction: usize, side: usize) -> Local {
    let (whole, half) = (LETTERS[direction].to_string(), format!("{}:{}", LETTERS[direction], LETTERS[side]));
    let touches = |segment: &Segment| segment.touches.split(' ').any(|edge| edge == whole || edge == half);
    let has = |segment: &Segment| segment.kind == Kind::Field && touches(segment);
    tile_type.segments.iter().position(has).unwrap_or(0) as Local
}

/// The rotations, as bits, in which a tile meets a demand.
fn fitting(turned: &[[Side; DIRECTIONS]; 4], demand: Demand) -> u8 {
    let meets = |sides: &[Side; DIRECTIONS]| {
        sides.iter().enumerate().all(|(direction, side)| {
            let wanted = demand >> (2 * direction) & 3;
            wanted == 0 || wanted == side.edge as u8
        })
    };
    (0..4).filter(|quarters| meets(&turned[*quarters])).fold(0, |set, quarters| set | 1 << quarters)
}
