//! A state of play: the board, the bag, meeples and points. It carries out turns; what is legal is decided in the
//! parent.

use super::bag::Bag;
use super::board::Board;
use super::cell::Cell;
use super::features::SegmentId;
use super::key;
use super::meeples::Meeples;
use super::scoring::{self, Roots};
use super::tile_set::{Local, TYPES, TileId, TileSet, TypeId};
use crate::rules::{MAX_SEATS, Outcome, Seat, Values};

/// Points of each seat.
pub type Points = [u16; MAX_SEATS];

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A seat places the tile that it has drawn.
    PlaceTile,
    /// The same seat may put a meeple on that tile.
    PlaceMeeple,
    /// The bag is empty and everything is scored.
    Scored,
    /// Only this seat has not left.
    Resignation(u8),
}

/// A state of play.
#[derive(Debug, Clone, Copy)]
pub struct State {
    board: Board,
    bag: Bag,
    meeples: [Meeples; MAX_SEATS],
    points: Points,
    /// With what the end of the game counts, once it is over.
    finals: Points,
    phase: Phase,
    seat: u8,
    /// The seats that have left, as a bit set.
    gone: u8,
    last: Option<LastMove>,
}

/// The tile placed last, and what was done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastMove {
    /// The tile.
    pub tile: TileId,
    /// The seat that placed it.
    pub seat: u8,
    /// The segment that it put a meeple on.
    pub claimed: Option<Local>,
    /// The points of each seat before the tile was scored.
    pub before: Points,
    /// The features that were scored because of it.
    pub scored: Roots,
}

// It is cloned for every simulation.
const _: () = assert!(size_of::<State>() <= 4096);

impl State {
    /// The start of a game: seat 0 has drawn the first tile of the bag.
    #[must_use]
    pub fn start(tiles: &TileSet, bag: Bag) -> Self {
        Self {
            board: Board::start(tiles),
            bag,
            meeples: [Meeples::NONE_PLACED; MAX_SEATS],
            points: [0; MAX_SEATS],
            finals: [0; MAX_SEATS],
            phase: Phase::PlaceTile,
            seat: 0,
            gone: 0,
            last: None,
        }
    }

    /// The tiles on the table.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The tiles that are drawn.
    #[inline]
    #[must_use]
    pub fn bag(&self) -> &Bag {
        &self.bag
    }

    /// The same, to change its order.
    #[inline]
    pub fn bag_mut(&mut self) -> &mut Bag {
        &mut self.bag
    }

    /// The meeples of a seat.
    #[inline]
    #[must_use]
    pub fn meeples(&self, seat: Seat) -> &Meeples {
        &self.meeples[seat]
    }

    /// The points that have been scored during the game.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The points now: with those of the end of the game once everything is scored.
    #[must_use]
    pub fn scores(&self) -> &Points {
        if self.phase == Phase::Scored { &self.finals } else { &self.points }
    }

    /// What happens next.
    #[inline]
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The seat to act; meaningless once the game is over.
    #[inline]
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.seat.into()
    }

    /// The seats that have left, as a bit set.
    #[must_use]
    pub fn gone(&self) -> u8 {
        self.gone
    }

    /// The tile placed last; `None` while there is only the start tile.
    #[must_use]
    pub fn last(&self) -> Option<LastMove> {
        self.last
    }

    /// The tile that waits to be placed.
    #[inline]
    #[must_use]
    pub fn in_hand(&self) -> Option<TileId> {
        self.bag.drawn().filter(|_| self.phase == Phase::PlaceTile)
    }

    /// How the game ended, if it did.
    #[must_use]
    pub fn outcome(&self, seats: usize) -> Option<Outcome> {
        let values = |points: &Points| -> Values { points.map(f32::from) };
        match self.phase {
            Phase::PlaceTile | Phase::PlaceMeeple => None,
            Phase::Scored => Some(Outcome::by_scores(values(&self.finals), seats, self.gone, "points")),
            Phase::Resignation(seat) => {
                Some(Outcome { scores: Some(values(&self.points)), ..Outcome::win(seat.into(), "resignation") })
            }
        }
    }

    /// Places the tile in hand; a meeple may follow.
    #[inline]
    pub fn place(&mut self, tiles: &TileSet, cell: Cell, rotation: u8) {
        let Some(tile) = self.in_hand() else { return };
        self.board.place(tiles, tile, cell, rotation);
        let (before, scored) = (self.points, Roots::default());
        self.last = Some(LastMove { tile, seat: self.seat, claimed: None, before, scored });
        self.phase = Phase::PlaceMeeple;
    }

    /// Puts a meeple on the tile placed last, unless the seat has none left.
    #[inline]
    pub fn claim(&mut self, tiles: &TileSet, local: Local) {
        let seat = self.seat();
        let Some(last) = self.last.as_mut().filter(|_| self.meeples[seat].supply() > 0) else { return };
        last.claimed = Some(local);
        let (cell, segment) = (self.board.cell(last.tile), tiles.segment(last.tile, local));
        self.meeples[seat].put(segment);
        self.board.add_to_hash(key::meeple(cell, local, seat));
        let root = self.board.features().find(segment);
        let counts = self.board.features().meeples(root).with(seat);
        self.board.features_mut().set_meeples(root, counts);
    }

    /// Scores what the tile placed last has completed, and draws the next tile for the next seat.
    #[inline]
    pub fn finish_turn(&mut self, tiles: &TileSet, seats: usize) {
        let scored = scoring::completed(tiles, self);
        for root in scored {
            let award = scoring::award(self.board.features(), root, seats);
            award.add_to(&mut self.points);
            self.return_meeples(tiles, root, seats);
        }
        self.last = self.last.map(|last| LastMove { scored, ..last });
        self.seat = self.next_seat(seats);
        self.draw(tiles, seats);
    }

    /// A seat leaves. What it has placed in its turn counts; the tile in its hand goes to the next seat.
    pub fn leave(&mut self, tiles: &TileSet, seats: usize, seat: Seat) {
        self.gone |= 1 << seat;
        if self.seat() == seat && self.phase == Phase::PlaceMeeple {
            self.finish_turn(tiles, seats);
        } else if self.seat() == seat {
            self.seat = self.next_seat(seats);
        }
        let mut staying = (0..seats).filter(|seat| self.gone >> seat & 1 == 0);
        if let (Some(only), None) = (staying.next(), staying.next()) {
            self.phase = Phase::Resignation(only as u8);
        }
    }

    /// The seat that acts after this one.
    #[inline]
    fn next_seat(&self, seats: usize) -> u8 {
        let after = (1..=seats).map(|step| (self.seat() + step) % seats);
        after.into_iter().find(|seat| self.gone >> seat & 1 == 0).map_or(self.seat, |seat| seat as u8)
    }

    /// Draws until a tile has a place. If none is left, the end of the game is scored.
    #[inline]
    fn draw(&mut self, tiles: &TileSet, seats: usize) {
        loop {
            self.bag.draw();
            match self.bag.drawn() {
                None => {
                    self.phase = Phase::Scored;
                    self.finals = scoring::finals(self, seats);
                    return;
                }
                Some(tile) if self.board.has_place_for(tiles, tiles.type_of(tile)) => {
                    self.phase = Phase::PlaceTile;
                    return;
                }
                Some(_) => {}
            }
        }
    }

    /// Takes all meeples from a feature.
    fn return_meeples(&mut self, tiles: &TileSet, root: SegmentId, seats: usize) {
        let counts = self.board.features().meeples(root);
        for seat in (0..seats).filter(|seat| counts.of(*seat) > 0) {
            for n in (0..self.meeples[seat].standing().len()).rev() {
                if self.board.features().find(self.meeples[seat].standing()[n]) == root {
                    let (tile, local) = tiles.origin(self.meeples[seat].take(n));
                    let term = key::meeple(self.board.cell(tile), local, seat);
                    self.board.add_to_hash(term.wrapping_neg());
                }
            }
        }
        self.board.features_mut().set_meeples(root, Default::default());
    }

    /// How many tiles of each row nobody has seen.
    #[must_use]
    pub fn unseen(&self, tiles: &TileSet) -> [u8; TYPES] {
        let mut counts = [0; TYPES];
        for tile in self.bag.unseen() {
            counts[usize::from(tiles.type_of(*tile))] += 1;
        }
        counts
    }

    /// The rows of the tiles that were drawn and had no place, in order.
    pub fn discarded(&self, tiles: &TileSet) -> impl Iterator<Item = TypeId> {
        let gone = |tile: &&TileId| !self.board.has(**tile) && self.in_hand() != Some(**tile);
        self.bag.seen().iter().filter(gone).map(|tile| tiles.type_of(*tile))
    }
}
