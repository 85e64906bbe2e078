//! Network planes of Draw: one row of numbers.

use super::draw::{Action, Draw, State};
use crate::planes::{Layout, Planes, Signature};
use crate::rules::{Rules, Seat};

/// The most points of a game: all cards, doubled.
const MOST_POINTS: f32 = 90.0;

impl Planes<Self> for Draw {
    fn fits(&self, signature: &Signature) -> Result<(), String> {
        if *signature == self.layout().signature { Ok(()) } else { Err("a network for another game".into()) }
    }

    fn layout(&self) -> Layout {
        let seats = self.seats();
        let signature = Signature { planes: 1, dim2: 1, dim3: seats + 3, policy: 4, values: seats };
        Layout { signature, policies: 1, per_cell: 0, anchors: Vec::new() }
    }

    fn is_trained(&self) -> bool {
        false
    }

    /// The points of the seats from `seat` on, whose turn it is, the open card, and to whom it was given.
    fn fill(&self, state: &State, seat: Seat, _: &Signature, row: &mut [f32]) {
        let seats = self.seats();
        for (place, number) in row.iter_mut().enumerate().take(seats) {
            *number = f32::from(state.points()[(seat + place) % seats]) / MOST_POINTS;
        }
        row[seats] = f32::from(state.to_move()) / seats as f32;
        row[seats + 1] = f32::from(state.open_card()) / 9.0;
        row[seats + 2] = state.given_to().map_or(0.0, |owner| f32::from(owner + 1) / seats as f32);
    }

    fn policy_index(&self, _: &State, _: &Signature, _: Seat, action: Action) -> Option<usize> {
        Some(match action {
            Action::Take => 0,
            Action::Give => 1,
            Action::Double => 2,
            Action::Plain => 3,
        })
    }
}
