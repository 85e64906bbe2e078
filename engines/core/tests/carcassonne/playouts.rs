//! Random games of two to five seats against the plain model: what is legal, what is scored, and what always holds.

use std::collections::BTreeSet;

use _core::games::carcassonne::Carcassonne;
use _core::games::carcassonne::action::Action;
use _core::games::carcassonne::evaluators::outlook::{Outlook, Prospects};
use _core::games::carcassonne::state::State;
use _core::games::carcassonne::tile_set::VARIANTS;
use _core::moves;
use _core::rules::{Rules, ToAct};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::model::{Cell, Model};

/// Games whose every position is compared.
const GAMES: u64 = 200;

/// Games of which only the scores and the number of meeples are compared, which takes less time.
const SCORED_GAMES: u64 = 1800;

#[test]
fn random_games_agree_with_the_model() {
    for seed in 0..GAMES {
        play(seed, Checks::Everything);
    }
}

#[test]
fn scores_of_random_games_agree_with_the_model() {
    for seed in GAMES..GAMES + SCORED_GAMES {
        play(seed, Checks::Scores);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Checks {
    Everything,
    Scores,
}

/// Plays a random game to the end. Some players claim whatever they can, others hardly anything.
fn play(seed: u64, checks: Checks) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let seats = rng.random_range(2..=5);
    let variant = VARIANTS[(seed % 3 / 2) as usize];
    let tile_count = if seed.is_multiple_of(4) { rng.random_range(1..=71) } else { 71 };
    let config = json!({"seats": seats, "tileCount": tile_count, "seed": seed});
    let (rules, mut state) = Carcassonne::setup(variant, &config).unwrap();
    let mut model = Model::new(variant, seats);
    let eagerness: Vec<f64> = (0..seats).map(|_| rng.random_range(0.05..1.0)).collect();
    while let ToAct::One(seat) = rules.to_act(&state) {
        let tile = rules.tiles().letter(rules.tiles().type_of(state.in_hand().unwrap())).to_string();
        if checks == Checks::Everything {
            assert_eq!(texts(&rules, &state, seat), model.placements(&tile), "seed {seed}");
        }
        let placement = choose(&rules, &state, seat, |count| rng.random_range(0..count));
        let place = rules.write(&state, seat, &[placement]);
        rules.play_unchecked(&mut state, &[placement]);
        let cell = model.place(&tile, &place);
        if checks == Checks::Everything {
            let spots = texts(&rules, &state, seat);
            assert_eq!(spots[0], "skip");
            assert_eq!(spots[1..], model.spots(seat, cell), "seed {seed} {tile} {place}");
            if seed.is_multiple_of(5) {
                prospects_agree(&rules, &state, &model, cell);
            }
        }
        let claims = rng.random_bool(eagerness[seat]);
        let claim = choose(&rules, &state, seat, |count| if claims { rng.random_range(0..count) } else { 0 });
        let spot = Some(rules.write(&state, seat, &[claim])).filter(|text| text != "skip");
        rules.play_unchecked(&mut state, &[claim]);
        model.finish(seat, cell, spot.as_deref());
        scores_agree(&rules, &state, &model, seed);
        if checks == Checks::Everything {
            meeples_agree(&rules, &state, &model, seed);
        }
    }
    model.end();
    let ToAct::Over(outcome) = rules.to_act(&state) else { panic!("the game goes on") };
    let finals: Vec<u32> = outcome.scores.unwrap()[..seats].iter().map(|score| *score as u32).collect();
    assert_eq!(finals, model.scores, "seed {seed}");
    breaks_down(&rules.view(&state, None), &finals, rules.scores(&state).unwrap());
}

fn choose(
    rules: &Carcassonne,
    state: &State,
    seat: usize,
    index: impl FnOnce(usize) -> usize,
) -> <Carcassonne as Rules>::Action {
    let mut legal = Vec::new();
    rules.legal(state, seat, &mut legal);
    legal[index(legal.len())]
}

fn texts(rules: &Carcassonne, state: &State, seat: usize) -> Vec<String> {
    let mut legal = Vec::new();
    rules.legal(state, seat, &mut legal);
    legal.iter().map(|action| rules.write(state, seat, &[*action])).collect()
}

/// Scores are those of the model, and every seat has seven meeples.
fn scores_agree(rules: &Carcassonne, state: &State, model: &Model, seed: u64) {
    let seats = 0..rules.seats();
    let points: Vec<u32> = state.points()[..rules.seats()].iter().map(|points| u32::from(*points)).collect();
    assert_eq!(points, model.scores, "seed {seed}");
    for seat in seats {
        let (supply, placed) = (state.meeples(seat).supply(), state.meeples(seat).standing().len());
        assert_eq!(usize::from(supply) + placed, 7);
        assert_eq!(usize::from(supply), model.supply(seat), "seed {seed}");
    }
}

/// Evaluators see what the model does, after each meeple that may be put on the tile placed last.
fn prospects_agree(rules: &Carcassonne, state: &State, model: &Model, cell: Cell) {
    let (seat, tile) = (state.seat(), state.last().unwrap().tile);
    let mut legal = Vec::new();
    rules.legal(state, seat, &mut legal);
    for action in legal {
        let mut outlook = Outlook::new(rules, state);
        if let Action::Claim(local) = action {
            outlook = outlook.with_claim(seat, rules.tiles().segment(tile, local));
        }
        let (spot, mut after) = (rules.write(state, seat, &[action]), model.clone());
        after.finish(seat, cell, Some(spot.as_str()).filter(|spot| *spot != "skip"));
        let numbers = |one: &Prospects| {
            [one.points, one.supply, one.owned, one.lost, one.outnumbered, one.hopeless, one.fields]
        };
        let expected = after.prospects(state.bag().left().into());
        for (ours, theirs) in outlook.prospects.iter().zip(&expected) {
            let differences = numbers(ours).into_iter().zip(numbers(theirs)).map(|(a, b)| (a - b).abs());
            assert!(differences.fold(0.0, f64::max) < 1e-9, "{spot}: {ours:?} {theirs:?}");
        }
    }
}

/// The meeples stand where those of the model do.
fn meeples_agree(rules: &Carcassonne, state: &State, model: &Model, seed: u64) {
    let standing = |meeple: &Value| {
        let coordinate = |name: &str| meeple[name].as_i64().unwrap() as i32;
        let spot = meeple["spot"].as_str().unwrap().to_string();
        (meeple["seat"].as_u64().unwrap() as usize, (coordinate("x"), coordinate("y")), spot)
    };
    let view = rules.view(state, None);
    let ours: BTreeSet<_> = view["meeples"].as_array().unwrap().iter().map(standing).collect();
    let theirs: BTreeSet<_> =
        model.meeples.iter().map(|(seat, node)| (*seat, node.0, model.spot(*node))).collect();
    assert_eq!(ours, theirs, "seed {seed}");
}

/// The points of the end of the game are those that its breakdown names.
fn breaks_down(view: &Value, finals: &[u32], before: [f32; 5]) {
    for (seat, breakdown) in view["breakdown"].as_array().unwrap().iter().enumerate() {
        let parts = breakdown.as_object().unwrap().values().map(|points| points.as_u64().unwrap() as u32);
        assert_eq!(before[seat] as u32 + parts.sum::<u32>(), finals[seat]);
    }
}

/// The same seed gives the same game, and a record tells all of it.
#[test]
fn a_record_replays() {
    for seed in 0..20 {
        let config = json!({"seats": 2 + seed % 4, "seed": seed});
        let (rules, start) = Carcassonne::setup("standard", &config).unwrap();
        let (public, unknown) = Carcassonne::setup("standard", &rules.config()).unwrap();
        let mut rng = Pcg64::seed_from_u64(seed);
        let (mut state, mut again, mut seen) = (start, start, unknown);
        while let ToAct::One(seat) = rules.to_act(&state) {
            let text = moves::list(&rules, &state, seat).choose(&mut rng).unwrap().clone();
            let record = moves::play_recorded(&rules, &mut state, &text).unwrap().text;
            moves::play_recorded(&rules, &mut again, &record).unwrap();
            moves::play_recorded(&public, &mut seen, &record).unwrap();
            assert_eq!(rules.key(&state), rules.key(&again));
            assert_eq!(rules.view(&state, None), public.view(&seen, None));
            assert_eq!(rules.information_key(&state, 0), public.information_key(&seen, 0));
        }
    }
}
