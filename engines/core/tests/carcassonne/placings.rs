//! Outlooks after each placing of a tile, which count most features once for all placings, are those of the whole board:
//! the same numbers to the last bit, in random games of all seats and variants.

use _core::games::carcassonne::Carcassonne;
use _core::games::carcassonne::action::Action;
use _core::games::carcassonne::evaluators::outlook::Outlook;
use _core::games::carcassonne::evaluators::placings::Placings;
use _core::games::carcassonne::state::{Phase, State};
use _core::games::carcassonne::tile_set::VARIANTS;
use _core::rules::{Rules, ToAct};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::json;

/// Games for each number of seats and each variant.
const GAMES: u64 = 6;

#[test]
fn outlooks_after_placings_are_those_of_the_whole_board() {
    for (variant, seats) in VARIANTS.into_iter().flat_map(|variant| (2..=5).map(move |seats| (variant, seats))) {
        let compared: usize = (0..GAMES).map(|seed| play(variant, seats, seed)).sum();
        assert!(compared > 1000, "{variant} {seats}: {compared}");
    }
}

/// Plays a random game, in which players like to claim, and in some games a seat leaves; returns the number of outlooks.
fn play(variant: &str, seats: usize, seed: u64) -> usize {
    let mut rng = Pcg64::seed_from_u64(seed);
    let tile_count = if seed.is_multiple_of(3) { rng.random_range(30..=71) } else { 71 };
    let config = json!({"seats": seats, "tileCount": tile_count, "seed": seed});
    let (rules, mut state) = Carcassonne::setup(variant, &config).unwrap();
    let leaves_at = if seats > 2 && seed.is_multiple_of(2) { rng.random_range(5..40) } else { usize::MAX };
    let (mut legal, mut compared) = (Vec::new(), 0);
    while let ToAct::One(seat) = rules.to_act(&state) {
        legal.clear();
        rules.legal(&state, seat, &mut legal);
        if state.phase() == Phase::PlaceTile {
            compare(&rules, &state, &legal);
            compared += legal.len();
        }
        if state.bag().seen().len() == leaves_at && state.gone() == 0 {
            rules.forfeit(&mut state, rng.random_range(0..seats));
            continue;
        }
        let claims = state.phase() == Phase::PlaceMeeple && legal.len() > 1 && rng.random_bool(0.7);
        let action = legal[rng.random_range(usize::from(claims)..legal.len())];
        rules.play_unchecked(&mut state, &[action]);
    }
    compared
}

/// Compares the outlooks after all placings of the tile in hand.
fn compare(rules: &Carcassonne, state: &State, legal: &[Action]) {
    let Action::Place(cell, rotation) = legal[0] else { panic!("no tile in hand") };
    let placings = Placings::new(rules, state, cell, rotation);
    for action in legal {
        let Action::Place(cell, rotation) = *action else { panic!("no tile in hand") };
        let mut after = *state;
        rules.play_unchecked(&mut after, &[*action]);
        let whole = Outlook::new(rules, &after);
        let joining = state.board().joining(rules.tiles(), state.in_hand().unwrap(), cell, rotation);
        let mut features = *state.board().features();
        joining.apply(&mut features);
        let kept = placings.outlook(&features, &joining);
        assert_eq!(bits(&kept), bits(&whole), "{action:?}");
    }
}

/// All numbers that evaluators read.
fn bits(outlook: &Outlook<'_>) -> Vec<u64> {
    let numbers = outlook.prospects.iter().flat_map(|one| {
        let meeples = [one.supply, one.outnumbered, one.hopeless];
        let points = [one.points, one.owned, one.lost, one.fields, one.standing, one.turns];
        meeples.into_iter().chain(points)
    });
    numbers.chain([outlook.progress]).map(f64::to_bits).collect()
}
