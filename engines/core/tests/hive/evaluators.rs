//! The evaluators: what features count, and what a value does not depend on.

use _core::games::hive::Hive;
use _core::games::hive::bug::Pieces;
use _core::games::hive::features::{self, CLIMBER, FEATURES, MOST, RING, TURN};
use _core::games::hive::perceptron::{self, INPUTS, ONE, UNITS};
use _core::games::hive::state::State;
use _core::games::hive::variant::TYPES;
use _core::moves;
use _core::rules::{Rules, ToAct, Values};
use rand::prelude::*;
use rand_pcg::Pcg64Mcg;
use serde_json::json;

use super::playouts::turned;

const EVALUATORS: [&str; 2] = ["native", "linear"];

/// Calls `check` for the positions of some random games of every type, with the moves that led there.
fn each_position(mut check: impl FnMut(&Hive, &State, &[String])) {
    for (seed, variant) in TYPES.into_iter().enumerate() {
        let (rules, mut state) = Hive::setup(variant, &json!({})).unwrap();
        let mut rng = Pcg64Mcg::seed_from_u64(seed as u64);
        let mut played = Vec::new();
        while let ToAct::One(seat) = rules.to_act(&state)
            && state.ply() < 60
        {
            check(&rules, &state, &played);
            played.push(moves::list(&rules, &state, seat).choose(&mut rng).unwrap().clone());
            moves::play_recorded(&rules, &mut state, played.last().unwrap()).unwrap();
        }
    }
}

fn values(rules: &Hive, state: &State, evaluator: &str) -> Values {
    rules.evaluator(evaluator).unwrap().value(rules, state)
}

#[test]
fn each_piece_is_counted_once() {
    each_position(|rules, state, _| {
        for seat in 0..2 {
            let counts = features::counts(rules, state, seat);
            let pieces = usize::from(counts[..RING].iter().sum::<u8>());
            assert_eq!(pieces, rules.pieces().and(Pieces::of(seat)).count(), "ply {}", state.ply());
            assert_eq!(counts[TURN], u8::from(seat == state.seat()));
            assert!(counts.iter().map(|&count| usize::from(count)).sum::<usize>() <= MOST);
            let climbers: u8 = counts[CLIMBER..CLIMBER + 6].iter().sum();
            assert_eq!(usize::from(climbers), state.board().tops(seat).and(state.board().climbed()).count());
        }
    });
}

#[test]
fn what_one_seat_wins_the_other_loses() {
    each_position(|rules, state, _| {
        for evaluator in EVALUATORS {
            let values = values(rules, state, evaluator);
            assert_eq!(values[0], -values[1]);
            assert!(values[0].abs() < 1.0);
        }
    });
}

#[test]
fn a_value_does_not_depend_on_the_way_or_the_direction() {
    let mut turns = 0;
    each_position(|rules, state, played| {
        if state.ply() % 10 != 9 {
            return;
        }
        let (_, mut other) = Hive::setup(rules.name(), &json!({})).unwrap();
        for text in turned(&played.join(";")).split(';') {
            moves::play_recorded(rules, &mut other, text).unwrap();
        }
        for evaluator in EVALUATORS {
            assert_eq!(values(rules, state, evaluator), values(rules, &other, evaluator));
        }
        turns += 1;
    });
    assert!(turns > 20);
}

/// The sums in plain arithmetic, from the numbers of the file in their order.
fn plain_lead(rules: &Hive, state: &State) -> i64 {
    let bytes = include_bytes!("../../src/games/hive/perceptron.bin");
    let numbers: Vec<i64> = bytes.chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]).into()).collect();
    let (rows, rest) = numbers.split_at(INPUTS * UNITS);
    let (bias, rest) = rest.split_at(UNITS);
    let (output, direct) = rest.split_at(UNITS);
    let seat = state.seat();
    let counts: Vec<i64> =
        [seat, 1 - seat].iter().flat_map(|&seat| features::counts(rules, state, seat)).map(i64::from).collect();
    let dot =
        |weights: &mut dyn Iterator<Item = &i64>| counts.iter().zip(weights).map(|(a, b)| a * b).sum::<i64>();
    let units: i64 = (0..UNITS)
        .map(|unit| bias[unit] + dot(&mut rows.iter().skip(unit).step_by(UNITS)))
        .zip(output)
        .map(|(sum, weight)| sum.clamp(0, i64::from(ONE)) * weight)
        .sum();
    units.div_euclid(i64::from(ONE)) + dot(&mut direct.iter()) + direct[INPUTS]
}

#[test]
fn the_network_is_its_plain_sum() {
    each_position(|rules, state, _| {
        assert_eq!(i64::from(perceptron::NATIVE.lead(rules, state)), plain_lead(rules, state));
    });
}

#[test]
fn an_evaluator_shows_its_features() {
    each_position(|rules, state, _| {
        for evaluator in EVALUATORS {
            let rows = rules.evaluator(evaluator).unwrap().features(rules, state).unwrap();
            let counts = [0, 1].map(|seat| features::counts(rules, state, seat).map(f32::from).to_vec());
            assert_eq!(rows, counts);
            assert_eq!(rows[0].len(), FEATURES);
        }
    });
}
