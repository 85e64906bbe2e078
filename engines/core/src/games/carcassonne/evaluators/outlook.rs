//! What a state promises each seat: the quantities that the evaluators weigh against each other.

use super::super::Carcassonne;
use super::super::catalogue::Kind;
use super::super::features::{Building, Features, MeepleCounts, SegmentId, kind};
use super::super::scoring::{self, BORDERED_CITY, COMPLETE_MONASTERY};
use super::super::state::State;
use crate::rules::{MAX_SEATS, Seat};

/// A feature that is less likely to be completed than this holds its meeples for good.
const HOPELESS: f64 = 0.15;

/// From this progress on, hopeless features are counted. Earlier, too much can change.
const LATE: f64 = 0.4;

/// An incomplete city counts for a field if it is more likely to be completed than this.
const LIKELY: f64 = 0.3;

/// What a state promises one seat.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prospects {
    /// Points so far, with those of features that the tile placed last has completed.
    pub points: f64,
    /// Meeples that the seat can place, with those that such features return.
    pub supply: f64,
    /// Expected points of incomplete cities, roads and monasteries on which no seat has more meeples.
    pub owned: f64,
    /// The same of all others with meeples.
    pub lost: f64,
    /// The seat's meeples on features on which another seat has more.
    pub outnumbered: f64,
    /// The seat's meeples on features that it owns and that will hardly be completed.
    pub hopeless: f64,
    /// Expected points of fields on which no seat has more meeples.
    pub fields: f64,
    /// What the seat's incomplete features and fields would bring if the game ended now.
    pub standing: f64,
    /// Tiles that the seat has still to place, if all of them have a place.
    pub turns: f64,
}

impl Prospects {
    #[inline]
    fn plus(&self, other: &Self) -> Self {
        Self {
            points: self.points + other.points,
            supply: self.supply + other.supply,
            owned: self.owned + other.owned,
            lost: self.lost + other.lost,
            outnumbered: self.outnumbered + other.outnumbered,
            hopeless: self.hopeless + other.hopeless,
            fields: self.fields + other.fields,
            standing: self.standing + other.standing,
            turns: self.turns + other.turns,
        }
    }
}

/// What a state promises all seats.
#[derive(Debug, Clone, Copy)]
pub struct Outlook<'s> {
    features: &'s Features,
    /// Tiles in the bag.
    left: f64,
    seats: usize,
    /// The seats that have left, as a bit set.
    gone: u8,
    /// Share of the tiles that are placed, in [0, 1].
    pub progress: f64,
    /// By seat.
    pub prospects: [Prospects; MAX_SEATS],
}

impl<'s> Outlook<'s> {
    /// The outlook of a running game.
    #[must_use]
    pub fn new(game: &Carcassonne, state: &'s State) -> Self {
        let mut outlook = Self::without_features(game, state, state.board().features());
        for root in scoring::occupied(state, game.seats) {
            outlook.add(root);
        }
        outlook
    }

    /// The outlook without what features add, of which `features` are those that can be added.
    #[must_use]
    pub fn without_features(game: &Carcassonne, state: &State, features: &'s Features) -> Self {
        let (left, placed) = (f64::from(state.bag().left()), state.board().count() as f64);
        let mut prospects = [Prospects::default(); MAX_SEATS];
        for (seat, prospects) in prospects.iter_mut().enumerate().take(game.seats) {
            prospects.points = state.points()[seat].into();
            prospects.supply = state.meeples(seat).supply().into();
        }
        let progress = placed / (left + placed);
        let mut outlook = Self { features, left, seats: game.seats, gone: state.gone(), progress, prospects };
        outlook.add_turns(state);
        outlook
    }

    /// The same outlook without what features add, of other features.
    #[must_use]
    pub fn of<'f>(&self, features: &'f Features) -> Outlook<'f> {
        Outlook { features, ..*self }
    }

    /// The features.
    #[must_use]
    pub fn features(&self) -> &'s Features {
        self.features
    }

    /// Shares the tiles that are still to be placed among the seats that stay.
    fn add_turns(&mut self, state: &State) {
        let in_hand = usize::from(state.in_hand().is_some());
        let (tiles, first) = (usize::from(state.bag().left()) + in_hand, state.seat() + 1 - in_hand);
        let order = (first..first + self.seats).map(|seat| seat % self.seats);
        let staying = self.seats - (self.gone.count_ones() as usize).min(self.seats - 1);
        for (before, seat) in order.filter(|seat| state.gone() >> seat & 1 == 0).enumerate() {
            self.prospects[seat].turns = ((tiles + staying - 1 - before) / staying) as f64;
        }
    }

    /// The outlook after `seat` has put a meeple on a free segment.
    #[must_use]
    pub fn with_claim(mut self, seat: Seat, segment: SegmentId) -> Self {
        self.prospects[seat].supply -= 1.0;
        self.add_with(self.features.find(segment), MeepleCounts::default().with(seat));
        self
    }

    /// Adds a feature.
    pub fn add(&mut self, root: SegmentId) {
        self.add_with(root, self.features.meeples(root));
    }

    /// What a feature adds.
    #[must_use]
    pub fn added_by(&self, root: SegmentId) -> [Prospects; MAX_SEATS] {
        let mut only = Self { prospects: [Prospects::default(); MAX_SEATS], ..*self };
        only.add(root);
        only.prospects
    }

    /// Adds what was found by [`Self::added_by`]: the same numbers as if the feature were added.
    #[inline]
    pub fn add_again(&mut self, added: &[Prospects; MAX_SEATS]) {
        for (prospects, added) in self.prospects.iter_mut().zip(added).take(self.seats) {
            *prospects = prospects.plus(added);
        }
    }

    /// Adds a feature with these meeples.
    fn add_with(&mut self, root: SegmentId, meeples: MeepleCounts) {
        let owners = meeples.owners(self.seats);
        if kind(root) == Kind::Field {
            let (worth, points) = self.field(root);
            for prospects in owned(&mut self.prospects, owners) {
                prospects.fields += points;
                prospects.standing += worth;
            }
            return;
        }
        let worth = f64::from(scoring::worth(self.features, root));
        let building = self.features.building(root);
        if building.open == 0 {
            owned(&mut self.prospects, owners).for_each(|prospects| prospects.points += worth);
            for seat in 0..self.seats {
                self.prospects[seat].supply += f64::from(meeples.of(seat));
            }
        } else {
            owned(&mut self.prospects, owners).for_each(|prospects| prospects.standing += worth);
            let chance = completion(building.open, self.left);
            self.contest(meeples, owners, expected(kind(root), building, chance), chance);
        }
    }

    /// Adds an incomplete city, road or monastery: its expected points and its chance to be completed.
    fn contest(&mut self, meeples: MeepleCounts, owners: u8, points: f64, chance: f64) {
        let is_hopeless = chance < HOPELESS && self.progress > LATE;
        for (seat, prospects) in self.prospects.iter_mut().enumerate().take(self.seats) {
            let own = f64::from(meeples.of(seat));
            if owners >> seat & 1 == 0 {
                prospects.lost += points;
                prospects.outnumbered += own;
            } else {
                prospects.owned += points;
                prospects.hopeless += if is_hopeless { own } else { 0.0 };
            }
        }
    }

    /// What a field is worth now, and its expected points.
    fn field(&self, root: SegmentId) -> (f64, f64) {
        let (mut complete, mut likely) = (0.0, 0.0);
        for city in self.features.cities(root) {
            let open = self.features.building(city).open;
            complete += f64::from(u8::from(open == 0));
            let chance = completion(open, self.left);
            likely += if chance > LIKELY { chance } else { 0.0 };
        }
        (f64::from(BORDERED_CITY) * complete, f64::from(BORDERED_CITY) * likely)
    }

    /// The other seats that are still in the game.
    fn rivals(&self, seat: Seat) -> impl Iterator<Item = &Prospects> {
        let is_rival = move |other: &Seat| *other != seat && self.gone >> other & 1 == 0;
        (0..self.seats).filter(is_rival).map(|other| &self.prospects[other])
    }

    /// How far a seat is ahead of the best of the others in `quantity`.
    #[must_use]
    pub fn lead(&self, seat: Seat, quantity: impl Fn(&Prospects) -> f64) -> f64 {
        let best = self.rivals(seat).map(&quantity).reduce(f64::max);
        quantity(&self.prospects[seat]) - best.unwrap_or(0.0)
    }

    /// How many more meeples a seat can place than the others on average.
    #[must_use]
    pub fn spare_meeples(&self, seat: Seat) -> f64 {
        let count = self.rivals(seat).count().max(1) as f64;
        self.prospects[seat].supply - self.rivals(seat).map(|other| other.supply).sum::<f64>() / count
    }
}

/// Those of the seats in a bit set.
fn owned(prospects: &mut [Prospects; MAX_SEATS], owners: u8) -> impl Iterator<Item = &mut Prospects> {
    prospects
        .iter_mut()
        .enumerate()
        .filter(move |(seat, _)| owners >> seat & 1 == 1)
        .map(|(_, prospects)| prospects)
}

/// The chance that a feature with so many open edges (of a monastery, empty cells around it) is completed while `left`
/// tiles are drawn: a rule of thumb by which three tiles per edge give an even chance.
#[must_use]
pub fn completion(open: u8, left: f64) -> f64 {
    if open == 0 { 1.0 } else { (0.5 * left / (3.0 * f64::from(open))).min(1.0) }
}

/// The expected points of an incomplete city, road or monastery for its owners.
fn expected(kind: Kind, building: Building, chance: f64) -> f64 {
    let tiles = f64::from(building.tiles);
    match kind {
        Kind::City => (1.0 + chance) * (tiles + f64::from(building.pennants)),
        Kind::Monastery => chance * f64::from(COMPLETE_MONASTERY) + (1.0 - chance) * tiles,
        Kind::Road | Kind::Field => tiles,
    }
}
