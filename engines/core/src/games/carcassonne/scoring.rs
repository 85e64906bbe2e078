//! What features are worth, when they are complete and at the end of the game.

use super::catalogue::Kind;
use super::features::{FIRST_MONASTERY, Features, SegmentId, kind};
use super::state::{Points, State};
use super::tile_set::TileSet;
use crate::rules::{MAX_SEATS, Seat};

/// Points for each tile and each pennant of a complete city.
const COMPLETE_CITY: u16 = 2;

/// The same for a city of two tiles. Editions before the third counted 1.
const COMPLETE_SMALL_CITY: u16 = 2;

/// Points of a complete monastery: for itself and the tiles around it.
pub const COMPLETE_MONASTERY: u16 = 9;

/// Points of a field for each complete city that it borders.
pub const BORDERED_CITY: u16 = 3;

/// Features, by their roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roots([u64; 4]);

impl Roots {
    /// Adds a feature.
    #[inline]
    pub fn insert(&mut self, root: SegmentId) {
        self.0[usize::from(root >> 6)] |= 1 << (root & 63);
    }

    /// Whether a feature is among them.
    #[inline]
    #[must_use]
    pub fn has(&self, root: SegmentId) -> bool {
        self.0[usize::from(root >> 6)] >> (root & 63) & 1 == 1
    }

    /// Those in both sets.
    #[inline]
    #[must_use]
    pub fn both(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Those in either set.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Those that are not in the other set.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Those with at least this number.
    #[inline]
    #[must_use]
    pub fn from(mut self, first: SegmentId) -> Self {
        let word = usize::from(first >> 6);
        self.0[..word].fill(0);
        self.0[word] &= u64::MAX << (first & 63);
        self
    }

    /// The cities among them, as a bit set; higher bits are other features.
    #[inline]
    #[must_use]
    pub fn cities(&self) -> u64 {
        self.0[0]
    }
}

impl Iterator for Roots {
    type Item = SegmentId;

    /// Takes out the feature with the lowest number.
    #[inline]
    fn next(&mut self) -> Option<SegmentId> {
        let word = self.0.iter().position(|word| *word != 0)?;
        let bit = self.0[word].trailing_zeros();
        self.0[word] &= self.0[word] - 1;
        Some((word as u32 * 64 + bit) as SegmentId)
    }
}

/// Who gets points for a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Award {
    /// The points that each owner gets.
    pub points: u16,
    /// The owners, as a bit set of seats.
    pub owners: u8,
}

impl Award {
    /// Adds the points to those of the owners.
    #[inline]
    pub fn add_to(self, points: &mut Points) {
        for (seat, points) in points.iter_mut().enumerate() {
            *points += self.points * u16::from(self.owners >> seat & 1);
        }
    }
}

/// What a feature, given by its root, is worth: as it is now, whether it is complete or the game is over.
#[inline]
#[must_use]
pub fn worth(features: &Features, root: SegmentId) -> u16 {
    let kind = kind(root);
    if kind == Kind::Field {
        let complete = features.cities(root).filter(|city| features.is_complete(*city)).count();
        return BORDERED_CITY * complete as u16;
    }
    let building = features.building(root);
    let size = u16::from(building.tiles) + u16::from(building.pennants);
    match kind {
        Kind::City if building.open == 0 && building.tiles == 2 => COMPLETE_SMALL_CITY * size,
        Kind::City if building.open == 0 => COMPLETE_CITY * size,
        _ => size,
    }
}

/// The points that a feature gives to its owners.
#[inline]
#[must_use]
pub fn award(features: &Features, root: SegmentId, seats: usize) -> Award {
    Award { points: worth(features, root), owners: features.meeples(root).owners(seats) }
}

/// The features with meeples that the tile placed last has completed.
#[inline]
#[must_use]
pub fn completed(tiles: &TileSet, state: &State) -> Roots {
    let mut roots = Roots::default();
    let Some(last) = state.last() else { return roots };
    let (board, features) = (state.board(), state.board().features());
    let mut add = |root: SegmentId| {
        if features.is_complete(root) && !features.meeples(root).is_empty() {
            roots.insert(root);
        }
    };
    let buildings = tiles.segments(last.tile).iter().filter(|segment| usize::from(**segment) < FIRST_MONASTERY);
    buildings.for_each(|segment| add(features.find(*segment)));
    let cell = board.cell(last.tile);
    let monasteries = tiles.monasteries().iter().zip(FIRST_MONASTERY as SegmentId..);
    monasteries.filter(|(tile, _)| board.cell(**tile).is_near(cell)).for_each(|(_, segment)| add(segment));
    roots
}

/// Points by what they are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Breakdown {
    /// Of incomplete cities.
    pub cities: u16,
    /// Of incomplete roads.
    pub roads: u16,
    /// Of incomplete monasteries.
    pub monasteries: u16,
    /// Of fields.
    pub fields: u16,
}

/// The points that the end of the game adds for each seat.
#[must_use]
pub fn breakdowns(state: &State, seats: usize) -> [Breakdown; MAX_SEATS] {
    let mut breakdowns = [Breakdown::default(); MAX_SEATS];
    for root in occupied(state, seats) {
        let award = award(state.board().features(), root, seats);
        for seat in (0..seats).filter(|seat| award.owners >> seat & 1 == 1) {
            let breakdown: &mut Breakdown = &mut breakdowns[seat];
            let points = match kind(root) {
                Kind::City => &mut breakdown.cities,
                Kind::Road => &mut breakdown.roads,
                Kind::Monastery => &mut breakdown.monasteries,
                Kind::Field => &mut breakdown.fields,
            };
            *points += award.points;
        }
    }
    breakdowns
}

/// The points at the end of the game.
#[must_use]
pub fn finals(state: &State, seats: usize) -> Points {
    let mut points = *state.points();
    for root in occupied(state, seats) {
        award(state.board().features(), root, seats).add_to(&mut points);
    }
    points
}

/// The features with meeples.
#[must_use]
pub fn occupied(state: &State, seats: usize) -> Roots {
    let mut roots = Roots::default();
    let standing = |seat: Seat| state.meeples(seat).standing();
    for segment in (0..seats).flat_map(standing) {
        roots.insert(state.board().features().find(*segment));
    }
    roots
}
