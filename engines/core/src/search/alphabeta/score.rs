//! Values as integers, so that a search can compare them exactly and a hash table can store them in 24 bits.
//!
//! An evaluation in [-1, 1] is scaled linearly by [`UNIT`]. A win in `n` actions is [`WIN`] − n, far above every
//! evaluation, so that shorter wins have larger scores. Scores are those of the seat that acts.

use crate::rules::{Outcome, Seat};
use crate::search::unproven;

/// A value for the acting seat.
pub type Score = i32;

/// The evaluation 1.0.
pub const UNIT: Score = 1 << 20;

/// The score of a game that is already won.
pub const WIN: Score = 1 << 22;

/// Larger than every score.
pub const INFINITE: Score = WIN + 1;

/// Maximum search depth in actions.
pub const LONGEST: usize = 200;

/// Scores from here on are proven wins.
const SURE: Score = WIN - 1024;

/// Converts an evaluation to a score.
#[must_use]
pub fn from_value(value: f32) -> Score {
    (value.clamp(-1.0, 1.0) * UNIT as f32) as Score
}

/// Converts a score to an evaluation: ±1 if it is proven.
#[must_use]
pub fn to_value(score: Score) -> f32 {
    if is_sure(score) { score.signum() as f32 } else { unproven(score as f32 / UNIT as f32) }
}

/// The score for `seat` of a game that ended `ply` actions from the root.
#[must_use]
pub fn of_outcome(outcome: Outcome, seat: Seat, ply: usize) -> Score {
    let value = outcome.values(2)[seat] as Score;
    value * (WIN - ply as Score)
}

/// Whether the score is a proven win or loss.
#[must_use]
pub fn is_sure(score: Score) -> bool {
    score.abs() >= SURE
}

/// A score with a change; a proven one stays.
#[must_use]
pub fn raised(score: Score, change: Score) -> Score {
    if is_sure(score) { score } else { (score + change).clamp(-UNIT, UNIT) }
}

/// The number of actions from the root to the end of a proven game.
#[must_use]
pub fn distance(score: Score) -> usize {
    (WIN - score.abs()).max(0) as usize
}

/// Converts a score to the perspective of a position `ply` actions from the root, from which proven ends are counted.
#[must_use]
pub fn relative(score: Score, ply: usize) -> Score {
    if is_sure(score) { score + score.signum() * ply as Score } else { score }
}

/// Reverts [`relative`].
#[must_use]
pub fn absolute(score: Score, ply: usize) -> Score {
    if is_sure(score) { score - score.signum() * ply as Score } else { score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_wins_are_larger_and_every_win_beats_every_evaluation() {
        let won = |ply| of_outcome(Outcome::win(1, "x"), 1, ply);
        assert!(won(1) > won(2) && won(LONGEST) > from_value(1.0));
        assert_eq!(of_outcome(Outcome::win(0, "x"), 1, 3), -won(3));
        assert_eq!(of_outcome(Outcome::draw("x"), 1, 3), 0);
        assert_eq!((to_value(won(9)), to_value(-won(9)), distance(won(9))), (1.0, -1.0, 9));
        assert_eq!(to_value(from_value(0.5)), 0.5);
    }

    #[test]
    fn a_proven_end_is_kept_from_where_it_is_seen() {
        let score = WIN - 9;
        assert_eq!((relative(score, 4), absolute(relative(score, 4), 2)), (WIN - 5, WIN - 7));
        assert_eq!((relative(-score, 4), relative(17, 4)), (5 - WIN, 17));
    }
}
