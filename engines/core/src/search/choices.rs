//! Which actions a search looks at. A move may end early although the rules do not list that among the actions, and a
//! value is exact only if it holds against every move.

use crate::rules::{Rules, Seat, ToAct};

/// Appends the actions of `seat` to an empty list: those that the rules list, then the one that ends the move early. If
/// that one wins, it is the only one: nothing is better.
pub(super) fn choices<R: Rules>(rules: &R, state: &R::State, seat: Seat, out: &mut Vec<R::Action>) {
    rules.legal(state, seat, out);
    let Some(end) = rules.end_early(state).filter(|end| !out.contains(end)) else { return };
    if wins(rules, state, seat, end) {
        out.clear();
    }
    out.push(end);
}

/// Whether `seat` alone wins at once with an action.
fn wins<R: Rules>(rules: &R, state: &R::State, seat: Seat, action: R::Action) -> bool {
    let mut after = state.clone();
    rules.play_unchecked(&mut after, &[action]);
    is_won(rules, &after, seat)
}

/// Whether the game is over and `seat` alone has won it.
pub(super) fn is_won<R: Rules>(rules: &R, state: &R::State, seat: Seat) -> bool {
    matches!(rules.to_act(state), ToAct::Over(outcome) if outcome.values(rules.seats())[seat] >= 1.0)
}
