//! Uniformly random play to the end of a game.

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::evaluator::{Estimate, Evaluator};
use crate::rules::{Rules, ToAct};

/// Number of actions after which a play-out counts as a draw.
const LONGEST: usize = 2000;

/// Plays uniformly random actions and returns what the end is worth.
pub(super) fn play_out<R: Rules>(rules: &R, state: R::State, rng: &mut Pcg64) -> Estimate {
    play_out_until(rules, state, rng, None)
}

/// Like [`play_out`], but the game ends after this many actions with an estimate of the evaluator.
pub(super) fn play_out_until<R: Rules>(
    rules: &R,
    mut state: R::State,
    rng: &mut Pcg64,
    evaluated: Option<(&dyn Evaluator<R>, usize)>,
) -> Estimate {
    let (mut legal, mut slice) = (Vec::new(), Vec::new());
    for played in 0..LONGEST {
        let seats = match rules.to_act(&state) {
            ToAct::Over(outcome) => return Estimate::of_outcome(&outcome, rules.seats()),
            ToAct::One(seat) => seat..seat + 1,
            ToAct::Together => 0..rules.seats(),
        };
        if let Some((evaluator, _)) = evaluated.filter(|(_, horizon)| played >= *horizon) {
            return evaluator.estimate(rules, &state);
        }
        slice.clear();
        for seat in seats {
            legal.clear();
            rules.legal(&state, seat, &mut legal);
            slice.push(legal[rng.random_range(0..legal.len())]);
        }
        rules.play_unchecked(&mut state, &slice);
    }
    Estimate::DRAW
}
