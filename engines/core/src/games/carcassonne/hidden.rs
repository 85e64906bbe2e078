//! The order of the bag. A seat knows which tiles it has not seen, and nothing about their order.
//!
//! The tail of a recorded move names the tiles drawn after it: `-C` had no place and is out of the game, `+B` is the
//! next to be placed. Without a tail the bag is empty and the game is over.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::Carcassonne;
use super::bag::Bag;
use super::state::State;
use super::tile_set::{TileId, TypeId};
use crate::hidden::Hidden;
use crate::rules::{RuleError, Seat};

/// What was drawn after a move, as rows of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// Tiles without a place, in the order in which they were drawn.
    pub discarded: Vec<TypeId>,
    /// The tile to place; `None` if the bag is empty.
    pub next: Option<TypeId>,
}

/// Puts tiles into an order made from a seed.
pub fn shuffle(tiles: &mut [TileId], seed: u64) {
    tiles.shuffle(&mut Pcg64::seed_from_u64(seed));
}

impl Carcassonne {
    fn letter_of(&self, tile_type: TypeId) -> char {
        self.tiles.letter(tile_type)
    }

    /// Brings the wanted rows to the front of what nobody has seen.
    fn bring_forward(&self, bag: &mut Bag, wanted: impl Iterator<Item = TypeId>) -> Result<(), RuleError> {
        let mut rest = bag.unseen_mut();
        for tile_type in wanted {
            let found = rest.iter().position(|tile| self.tiles.type_of(*tile) == tile_type);
            let missing = || illegal(format!("there is no {} left in the bag", self.letter_of(tile_type)));
            rest.swap(0, found.ok_or_else(missing)?);
            rest = &mut rest[1..];
        }
        Ok(())
    }
}

impl Hidden<Self> for Carcassonne {
    fn is_dealt(&self) -> bool {
        self.seed.is_some()
    }

    fn secret(&self) -> Value {
        self.seed.map_or_else(|| json!({}), |seed| json!({"seed": seed}))
    }

    fn redeal(&self, state: &mut State, _seat: Seat, seed: u64) {
        let unseen = state.bag_mut().unseen_mut();
        unseen.sort_unstable();
        shuffle(unseen, seed);
    }

    /// With at most two tiles left, the next one to be drawn decides which the last one is.
    fn orders(&self, state: &State) -> Vec<(State, f64)> {
        let mut sorted = *state;
        sorted.bag_mut().unseen_mut().sort_unstable();
        let (left, unseen) = (sorted.bag().left(), sorted.bag().unseen());
        if left == 0 {
            return vec![(sorted, 1.0)];
        }
        if left > 1 && unseen.len() > 2 {
            return Vec::new();
        }
        let mut first = 0;
        let alike = unseen.chunk_by(|a, b| self.tiles.type_of(*a) == self.tiles.type_of(*b));
        let drawing = |tiles: &[TileId]| {
            let mut order = sorted;
            order.bag_mut().unseen_mut().swap(0, first);
            first += tiles.len();
            (order, tiles.len() as f64 / unseen.len() as f64)
        };
        alike.map(drawing).collect()
    }

    fn observe(&self, before: &State, after: &State) -> Drawn {
        let drawn = after.bag().seen()[before.bag().seen().len()..].iter().map(|tile| self.tiles.type_of(*tile));
        let mut discarded: Vec<TypeId> = drawn.collect();
        let next = after.in_hand().and_then(|_| discarded.pop());
        Drawn { discarded, next }
    }

    fn reveal(&self, state: &mut State, observation: &Drawn) -> Result<(), RuleError> {
        let left = usize::from(state.bag().left());
        let drawn = observation.discarded.len() + usize::from(observation.next.is_some());
        if drawn > left {
            return Err(illegal(format!("more tiles are drawn ({drawn}) than are left in the bag ({left})")));
        }
        if observation.next.is_none() && drawn < left {
            return Err(illegal("the record does not tell which tile was drawn".into()));
        }
        let mut bag = *state.bag();
        self.bring_forward(&mut bag, observation.discarded.iter().copied().chain(observation.next))?;
        *state.bag_mut() = bag;
        Ok(())
    }

    fn split<'t>(&self, text: &'t str) -> (&'t str, &'t str) {
        let at = text.as_bytes().windows(2).position(|pair| matches!(pair, b" -" | b" +"));
        at.map_or((text, ""), |at| (&text[..at], &text[at + 1..]))
    }

    fn read_tail(&self, tail: &str) -> Result<Drawn, RuleError> {
        let mut drawn = Drawn { discarded: Vec::new(), next: None };
        for word in tail.split(' ').filter(|_| !tail.is_empty()) {
            let mut letters = word.chars();
            let (sign, letter, rest) = (letters.next(), letters.next(), letters.next());
            let tile_type = letter.filter(|_| rest.is_none()).and_then(|letter| self.tiles.named(letter));
            match (sign, tile_type) {
                (Some('-'), Some(tile_type)) if drawn.next.is_none() => drawn.discarded.push(tile_type),
                (Some('+'), Some(tile_type)) if drawn.next.is_none() => drawn.next = Some(tile_type),
                _ => {
                    return Err(RuleError::BadNotation(format!(
                        "'{tail}' does not name the tiles drawn, as in '-C +B' (C discarded, B drawn)"
                    )));
                }
            }
        }
        Ok(drawn)
    }

    fn write_tail(&self, observation: &Drawn) -> String {
        let discarded = observation.discarded.iter().map(|tile_type| format!("-{}", self.letter_of(*tile_type)));
        let next = observation.next.map(|tile_type| format!("+{}", self.letter_of(tile_type)));
        discarded.chain(next).collect::<Vec<_>>().join(" ")
    }
}

fn illegal(why: String) -> RuleError {
    RuleError::IllegalMove(why)
}
