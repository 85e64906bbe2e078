//! Outlooks after each placing of a tile. A tile touches few features: what the others add is counted once for all
//! placings.

use super::super::Carcassonne;
use super::super::catalogue::Kind;
use super::super::cell::Cell;
use super::super::features::{Features, SegmentId, kind};
use super::super::joining::Joining;
use super::super::scoring::{self, Roots};
use super::super::state::State;
use super::outlook::{Outlook, Prospects};
use crate::rules::MAX_SEATS;

/// A feature with meeples before the tile is placed.
struct Occupied {
    root: SegmentId,
    /// The cities that it borders, if it is a field, as a bit set.
    cities: u64,
    /// What the features before it lead to.
    before: [Prospects; MAX_SEATS],
    /// What it adds after a placing that does not change it.
    added: [Prospects; MAX_SEATS],
}

/// The placings of one tile.
pub struct Placings<'s> {
    /// After a placing that changes no feature with meeples; with the features of before.
    outlook: Outlook<'s>,
    roots: Roots,
    /// In the order of their roots.
    occupied: Vec<Occupied>,
    /// Where a feature stands in `occupied`, by its root.
    places: [u8; 256],
}

impl<'s> Placings<'s> {
    /// The placings of the tile in hand, one of which is on this cell.
    #[must_use]
    pub fn new(game: &Carcassonne, state: &'s State, cell: Cell, rotation: u8) -> Self {
        let mut after = *state;
        after.place(game.tiles, cell, rotation);
        let features = state.board().features();
        let mut outlook = Outlook::without_features(game, &after, features);
        let roots = scoring::occupied(state, game.seats);
        let (mut occupied, mut places) = (Vec::new(), [0; 256]);
        for (root, place) in roots.zip(0..) {
            let bordered = |city| 1u64 << city;
            let cities = if kind(root) == Kind::Field { features.cities(root).map(bordered).sum() } else { 0 };
            let (before, added) = (outlook.prospects, outlook.added_by(root));
            occupied.push(Occupied { root, cities, before, added });
            places[usize::from(root)] = place;
            outlook.add_again(&added);
        }
        Self { outlook, roots, occupied, places }
    }

    /// The outlook after a placing, with the features that it leads to. Features are added in the order of
    /// [`Outlook::new`], so that the sums are the same to the last bit.
    #[inline]
    #[must_use]
    pub fn outlook<'f>(&self, features: &'f Features, joining: &Joining) -> Outlook<'f> {
        let mut outlook = self.outlook.of(features);
        let changed = self.changed(joining.touched(self.outlook.features()));
        let mut now = Roots::default();
        changed.for_each(|root| now.insert(features.find(root)));
        let Some(first) = changed.plus(now).next() else { return outlook };
        if let Some(later) = self.occupied.iter().find(|feature| feature.root >= first) {
            outlook.prospects = later.before;
        }
        for root in self.roots.minus(changed).plus(now).from(first) {
            if now.has(root) {
                outlook.add(root);
            } else {
                outlook.add_again(&self.occupied[usize::from(self.places[usize::from(root)])].added);
            }
        }
        outlook
    }

    /// The features with meeples that change, if the tile touches these.
    #[inline]
    fn changed(&self, touched: Roots) -> Roots {
        let mut changed = self.roots.both(touched);
        for field in &self.occupied {
            if field.cities & touched.cities() != 0 {
                changed.insert(field.root);
            }
        }
        changed
    }
}
