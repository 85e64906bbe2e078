//! Carcassonne: the base game for two to five seats, with 72 tiles.
//!
//! This file has the rules: who may do what, and when. The rest has files of its own:
//!
//! * [`catalogue`], [`tile_set`]: the tiles in the box as tables, and what is derived from them;
//! * [`cell`], [`open_cells`], [`board`], [`joining`]: the grid, where a tile may go, what is placed, and what joins;
//! * [`features`], [`scoring`]: cities, roads, monasteries and fields that grow together, and what they are worth;
//! * [`action`], [`state`], [`meeples`], [`key`]: one decision, what changes in play, and hashes;
//! * [`bag`], [`hidden`]: the tiles that are drawn, in an order that nobody knows;
//! * [`spot`], [`notation`]: names of places for meeples, moves as text, and why one is refused;
//! * [`config`], [`view`], [`events`]: starts, what boards draw, and what happened in a turn;
//! * [`evaluators`]: what a state is worth;
//! * `planes`: network input and output;
//! * [`about`]: the description for users.

pub mod about;
pub mod action;
pub mod bag;
pub mod board;
pub mod catalogue;
pub mod cell;
pub mod config;
pub mod evaluators;
pub mod events;
pub mod features;
pub mod hidden;
pub mod joining;
pub mod key;
pub mod meeples;
pub mod notation;
pub mod open_cells;
mod planes;
pub mod scoring;
pub mod spot;
pub mod state;
pub mod tile_set;
pub mod view;

use serde_json::Value;

pub use self::about::about;

use self::action::Action;
use self::hidden::Drawn;
use self::state::{Phase, State};
use self::tile_set::{TileSet, TypeId};
use crate::evaluator::Evaluator;
use crate::hidden::Hidden;
use crate::planes::Planes;
use crate::rules::{RuleError, Rules, Seat, ToAct, Values, hash_of};

/// The rotations of each set of them, as a list whose end is meaningless, and how many they are.
const ROTATIONS: [([u8; 4], usize); 16] = {
    let mut lists = [([0; 4], 0); 16];
    let mut set = 0;
    while set < lists.len() {
        let mut rotation = 0;
        while rotation < 4 {
            if set >> rotation & 1 == 1 {
                lists[set].0[lists[set].1] = rotation;
                lists[set].1 += 1;
            }
            rotation += 1;
        }
        set += 1;
    }
    lists
};

/// The rules of one game that was set up.
pub struct Carcassonne {
    tiles: &'static TileSet,
    seats: usize,
    /// Tiles that are drawn, 1..=71.
    tile_count: u8,
    /// The first of them.
    first: TypeId,
    /// What the order of the bag was made from, in a game whose order is known.
    seed: Option<u64>,
}

impl Carcassonne {
    /// The tiles that are played with.
    #[must_use]
    pub fn tiles(&self) -> &'static TileSet {
        self.tiles
    }

    /// The rotations, as bits, in which the tile in hand fits on a cell.
    fn rotations(&self, state: &State, cell: cell::Cell) -> u8 {
        let tile = state.in_hand();
        tile.map_or(0, |tile| state.board().rotations_on(self.tiles, self.tiles.type_of(tile), cell))
    }

    /// Whether the seat to act may put a meeple on this segment of the tile that it has placed.
    #[inline]
    fn can_claim(&self, state: &State, local: tile_set::Local) -> bool {
        let features = state.board().features();
        state.meeples(state.seat()).supply() > 0
            && state.last().is_some_and(|last| {
                let is_free = |segment| features.meeples(features.find(segment)).is_empty();
                self.tiles.segments(last.tile).get(usize::from(local)).is_some_and(|segment| is_free(*segment))
            })
    }

    /// The segments that the seat to act may put a meeple on.
    #[inline]
    fn free_segments(&self, state: &State) -> impl Iterator<Item = tile_set::Local> {
        let count = state.last().map_or(0, |last| self.tiles.segments(last.tile).len());
        (0..count as tile_set::Local).filter(|local| self.can_claim(state, *local))
    }

    /// The cells where the tile in hand fits, with its rotations as bits.
    #[inline]
    fn placements(&self, state: &State) -> impl Iterator<Item = (cell::Cell, u8)> {
        let tile_type = state.in_hand().map_or(0, |tile| self.tiles.type_of(tile));
        let fits = self.tiles.fits(tile_type);
        state.board().open().iter().map(|(cell, demand)| (cell, fits[usize::from(demand)]))
    }

    fn acts(&self, state: &State, seat: Seat) -> bool {
        matches!(state.phase(), Phase::PlaceTile | Phase::PlaceMeeple) && state.seat() == seat
    }
}

impl Rules for Carcassonne {
    type State = State;
    type Action = Action;
    type Observation = Drawn;

    fn setup(variant: &str, config: &Value) -> Result<(Self, State), RuleError> {
        config::read(variant, config)
    }

    fn config(&self) -> Value {
        config::write(self)
    }

    fn usual_plies(&self) -> Option<u32> {
        Some(u32::from(self.tile_count))
    }

    fn seats(&self) -> usize {
        self.seats
    }

    #[inline]
    fn to_act(&self, state: &State) -> ToAct {
        state.outcome(self.seats).map_or(ToAct::One(state.seat()), ToAct::Over)
    }

    fn legal(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        if !self.acts(state, seat) {
            return;
        }
        if state.phase() == Phase::PlaceMeeple {
            out.push(Action::Skip);
            out.extend(self.free_segments(state).map(Action::Claim));
            return;
        }
        // Which rotations fit is as good as random, so that branches on it would be mispredicted: all four are written,
        // and those that do not fit are overwritten by the next cell's.
        let mut end = out.len();
        out.resize(end + 4 * state.board().open().demands().len(), Action::Skip);
        for (cell, rotations) in self.placements(state) {
            let (listed, count) = ROTATIONS[usize::from(rotations & 0xf)];
            for (place, rotation) in out[end..end + 4].iter_mut().zip(listed) {
                *place = Action::Place(cell, rotation);
            }
            end += count;
        }
        out.truncate(end);
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, actions: &[Action]) {
        match actions.first() {
            Some(Action::Place(cell, rotation)) => return state.place(self.tiles, *cell, *rotation),
            Some(Action::Claim(local)) => state.claim(self.tiles, *local),
            Some(Action::Skip) => {}
            None => return,
        }
        state.finish_turn(self.tiles, self.seats);
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.leave(self.tiles, self.seats, seat);
    }

    fn key(&self, state: &State) -> u128 {
        key::position(self.tiles, state, state.board().hash())
    }

    fn full_key(&self, state: &State) -> u128 {
        key::position(self.tiles, state, key::board(self.tiles, state))
    }

    fn information_key(&self, state: &State, _seat: Seat) -> u128 {
        key::information(self.tiles, state)
    }

    fn read(&self, state: &State, _seat: Seat, text: &str) -> Result<Vec<Action>, RuleError> {
        notation::read(self, state, text)
    }

    fn write(&self, state: &State, _seat: Seat, actions: &[Action]) -> String {
        notation::write(self, state, actions)
    }

    fn view(&self, state: &State, _seat: Option<Seat>) -> Value {
        view::view(self, state)
    }

    #[inline]
    fn at_rest(&self, state: &State) -> bool {
        state.phase() != Phase::PlaceMeeple
    }

    fn end_early(&self, state: &State) -> Option<Action> {
        (state.phase() == Phase::PlaceMeeple).then_some(Action::Skip)
    }

    /// Only the last tile ends the game for sure: whether others have a place depends on their order.
    fn may_win(&self, state: &State, _seat: Seat) -> bool {
        state.bag().left() == 0
    }

    fn is_legal(&self, state: &State, seat: Seat, action: Action) -> bool {
        self.acts(state, seat)
            && match action {
                Action::Place(cell, rotation) => self.rotations(state, cell) >> rotation & 1 == 1,
                Action::Claim(local) => state.phase() == Phase::PlaceMeeple && self.can_claim(state, local),
                Action::Skip => state.phase() == Phase::PlaceMeeple,
            }
    }

    fn count(&self, state: &State, seat: Seat) -> u64 {
        if !self.acts(state, seat) {
            return 0;
        }
        if state.phase() == Phase::PlaceMeeple {
            return 1 + self.free_segments(state).count() as u64;
        }
        self.placements(state).map(|(_, rotations)| u64::from(rotations.count_ones())).sum()
    }

    fn scores(&self, state: &State) -> Option<Values> {
        Some(state.points().map(f32::from))
    }

    fn events(&self, before: &State, after: &State) -> Vec<Value> {
        events::events(self, before, after)
    }

    /// A meeple counts by its spot: a monastery on one tile and a city on another have nothing in common.
    fn amaf_key(&self, state: &State, action: Action) -> u64 {
        match (action, state.last()) {
            (Action::Claim(local), Some(last)) => {
                let rotation = state.board().rotation(last.tile);
                hash_of(self.tiles.spot(self.tiles.type_of(last.tile), rotation, local))
            }
            _ => hash_of(action),
        }
    }

    fn amaf_context(&self, state: &State, _action: Action) -> Option<u32> {
        state.in_hand().map(|tile| self.tiles.type_of(tile).into())
    }

    fn planes(&self) -> Option<&dyn Planes<Self>> {
        Some(self)
    }

    fn hidden(&self) -> Option<&dyn Hidden<Self>> {
        Some(self)
    }

    fn evaluator(&self, name: &str) -> Result<Box<dyn Evaluator<Self>>, RuleError> {
        evaluators::read(name)
    }
}
