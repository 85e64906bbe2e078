//! How many points each seat is expected to have at the end of the game.
//!
//! A seat has what it would have if the game ended now, wins some with every tile that it places, more if it has a
//! meeple for it, and of its incomplete features what they are still likely to grow by. The weights are a least-squares
//! fit to games that the search plays against itself, with two to five seats (`benchmarks/points.py`).

use super::outlook::{Outlook, Prospects};
use crate::rules::{MAX_SEATS, Seat, Values};

/// Points for each tile that a seat has still to place.
const TURN: f64 = 2.02;

/// More for each of them for which it has a meeple.
const MEEPLE: f64 = 2.88;

/// The part of the hoped-for growth of its features that comes true at the start of the game; at its end nothing does.
const GROWTH: f64 = 0.59;

/// The part of what its features are worth now that others take away or share until the end, at the start.
const RISK: f64 = 0.31;

/// What a seat would have if the game ended now, and what the four weights are multiplied by.
#[must_use]
pub fn terms(outlook: &Outlook<'_>, seat: Seat) -> [f64; 5] {
    let Prospects { points, owned, fields, standing, supply, turns, .. } = outlook.prospects[seat];
    let left = 1.0 - outlook.progress;
    [points + standing, turns, turns.min(supply), left * (owned + fields - standing), -left * standing]
}

/// The expected final points of each seat.
#[must_use]
pub fn final_points(outlook: &Outlook<'_>, seats: usize) -> Values {
    let mut points = [0.0; MAX_SEATS];
    for (seat, points) in points.iter_mut().enumerate().take(seats) {
        let weighted = terms(outlook, seat).into_iter().zip([1.0, TURN, MEEPLE, GROWTH, RISK]);
        *points = weighted.map(|(term, weight)| term * weight).sum::<f64>() as f32;
    }
    points
}
