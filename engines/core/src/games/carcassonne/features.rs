//! Cities, roads, monasteries and fields that grow together: a union-find over the segments of all tiles in the box.
//!
//! Every segment of every tile has a fixed number: cities first, then roads, monasteries and fields. A feature is named
//! by the number of one of its segments, its root, and what is known about it is stored there. Segments of tiles that
//! are not placed are features of their own.

use super::catalogue::Kind;
use crate::rules::Seat;

/// City segments in the box.
pub const CITIES: usize = 49;
/// Number of the first road segment.
pub const FIRST_ROAD: usize = CITIES;
/// Number of the first monastery.
pub const FIRST_MONASTERY: usize = FIRST_ROAD + 62;
/// Number of the first field segment.
pub const FIRST_FIELD: usize = FIRST_MONASTERY + 6;
/// All segments; one catalogue has ten fewer.
pub const SEGMENTS: usize = FIRST_FIELD + 136;

/// The number of a segment, and of the feature whose root it is.
pub type SegmentId = u8;

/// What a segment is.
#[inline]
#[must_use]
pub fn kind(segment: SegmentId) -> Kind {
    match usize::from(segment) {
        ..FIRST_ROAD => Kind::City,
        FIRST_ROAD..FIRST_MONASTERY => Kind::Road,
        FIRST_MONASTERY..FIRST_FIELD => Kind::Monastery,
        _ => Kind::Field,
    }
}

/// How many meeples of each seat are on a feature: three bits a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MeepleCounts(u16);

impl MeepleCounts {
    const BITS: usize = 3;

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of a seat.
    #[inline]
    #[must_use]
    pub fn of(self, seat: Seat) -> u8 {
        (self.0 >> (Self::BITS * seat) & 7) as u8
    }

    /// With one more of a seat.
    #[inline]
    #[must_use]
    pub fn with(self, seat: Seat) -> Self {
        Self(self.0 + (1 << (Self::BITS * seat)))
    }

    /// The seats that own the feature: those with the most meeples, as a bit set.
    #[inline]
    #[must_use]
    pub fn owners(self, seats: usize) -> u8 {
        let most = (0..seats).map(|seat| self.of(seat)).max().unwrap_or(0);
        (0..seats).filter(|seat| most > 0 && self.of(*seat) == most).fold(0, |set, seat| set | 1 << seat)
    }
}

/// A city, road or monastery so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Building {
    /// Its tiles; of a monastery, itself and the tiles around it.
    pub tiles: u8,
    /// Edges without a neighbour; of a monastery, the empty cells around it.
    pub open: u8,
    /// Its pennants.
    pub pennants: u8,
    /// Its tiles that have several roads or several cities, as a bit set over all such tiles: they can be part of one
    /// feature twice, but count once.
    pub forks: u16,
}

/// The features.
#[derive(Debug, Clone, Copy)]
pub struct Features {
    parents: [SegmentId; 256],
    meeples: [MeepleCounts; 256],
    buildings: [Building; FIRST_FIELD],
    /// The city segments that each field borders, as bit sets.
    borders: [u64; SEGMENTS - FIRST_FIELD],
}

const _: () = assert!(SEGMENTS < 256 && CITIES <= 64);

impl Features {
    /// Segments that are features of their own, without meeples.
    #[must_use]
    pub fn new(buildings: [Building; FIRST_FIELD], borders: [u64; SEGMENTS - FIRST_FIELD]) -> Self {
        let parents = std::array::from_fn(|segment| segment as SegmentId);
        Self { parents, meeples: [MeepleCounts::default(); 256], buildings, borders }
    }

    /// The feature of a segment.
    #[inline]
    #[must_use]
    pub fn find(&self, segment: SegmentId) -> SegmentId {
        let mut root = segment;
        while self.parents[usize::from(root)] != root {
            root = self.parents[usize::from(root)];
        }
        root
    }

    /// The feature of a segment; the way there is shorter afterwards.
    #[inline]
    fn find_and_halve(&mut self, segment: SegmentId) -> SegmentId {
        let mut root = usize::from(segment);
        loop {
            let parent = usize::from(self.parents[root]);
            if parent == root {
                return root as SegmentId;
            }
            self.parents[root] = self.parents[parent];
            root = usize::from(self.parents[root]);
        }
    }

    /// The meeples on a feature.
    #[inline]
    #[must_use]
    pub fn meeples(&self, root: SegmentId) -> MeepleCounts {
        self.meeples[usize::from(root)]
    }

    /// Sets the meeples on a feature.
    #[inline]
    pub fn set_meeples(&mut self, root: SegmentId, counts: MeepleCounts) {
        self.meeples[usize::from(root)] = counts;
    }

    /// A city, road or monastery by its root.
    #[inline]
    #[must_use]
    pub fn building(&self, root: SegmentId) -> Building {
        self.buildings[usize::from(root)]
    }

    /// Whether a city, road or monastery, given by its root, is complete. A field never is.
    #[inline]
    #[must_use]
    pub fn is_complete(&self, root: SegmentId) -> bool {
        self.buildings.get(usize::from(root)).is_some_and(|building| building.open == 0)
    }

    /// The cities that a field, given by its root, borders: each by its root, once.
    pub fn cities(&self, field: SegmentId) -> impl Iterator<Item = SegmentId> {
        let mut segments = self.borders.get(usize::from(field) - FIRST_FIELD).copied().unwrap_or(0);
        let mut seen = 0u64;
        std::iter::from_fn(move || {
            while segments != 0 {
                let root = self.find(segments.trailing_zeros() as SegmentId);
                segments &= segments - 1;
                if seen >> root & 1 == 0 {
                    seen |= 1 << root;
                    return Some(root);
                }
            }
            None
        })
    }

    /// Joins two segments of cities or two of roads across a border.
    #[inline]
    pub fn join_buildings(&mut self, a: SegmentId, b: SegmentId) {
        let (a, b) = (self.find_and_halve(a), self.find_and_halve(b));
        if a == b {
            self.buildings[usize::from(a)].open -= 2;
            return;
        }
        let [first, second] = [self.building(a), self.building(b)];
        let (root, child) = if first.tiles < second.tiles { (b, a) } else { (a, b) };
        self.buildings[usize::from(root)] = Building {
            tiles: first.tiles + second.tiles - (first.forks & second.forks).count_ones() as u8,
            open: first.open + second.open - 2,
            pennants: first.pennants + second.pennants,
            forks: first.forks | second.forks,
        };
        self.link(root, child);
    }

    /// Joins two segments of fields.
    #[inline]
    pub fn join_fields(&mut self, a: SegmentId, b: SegmentId) {
        let (a, b) = (self.find_and_halve(a), self.find_and_halve(b));
        if a != b {
            // Numbers are as good as random, so that trees stay low.
            let (root, child) = (a.min(b), a.max(b));
            self.borders[usize::from(root) - FIRST_FIELD] |= self.borders[usize::from(child) - FIRST_FIELD];
            self.link(root, child);
        }
    }

    /// Counts a tile that has been placed around a monastery.
    #[inline]
    pub fn surround(&mut self, monastery: SegmentId, tiles: u8) {
        let building = &mut self.buildings[usize::from(monastery)];
        building.tiles += tiles;
        building.open -= tiles;
    }

    #[inline]
    fn link(&mut self, root: SegmentId, child: SegmentId) {
        self.parents[usize::from(child)] = root;
        self.meeples[usize::from(root)].0 += self.meeples[usize::from(child)].0;
    }
}
