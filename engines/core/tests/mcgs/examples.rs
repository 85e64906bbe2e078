//! What networks learn from searches, and exploration in self-play.

use std::sync::Arc;

use _core::planes::Signature;
use _core::rules::{Rules, Values};
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::options::Options;
use _core::search::{Search, SelfEvaluating};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::race::{Nearness, Race, SIGNATURE, Share};

const NOISE: [(&str, f64); 3] = [("noiseFraction", 0.5), ("noiseAlpha", 0.3), ("forcedPlayouts", 2.0)];

fn noisy() -> Value {
    NOISE.iter().map(|(name, value)| (name.to_string(), json!(value))).collect()
}

fn searched(race: &Race, state: &<Race as Rules>::State, options: &Value, seed: u64, visits: u32) -> Mcgs<Race> {
    let evaluator = Some(Box::new(Nearness) as _);
    let mut search =
        Mcgs::new(Arc::new(race.clone()), state.clone(), evaluator, Options::read(options).unwrap(), seed);
    search.run(visits);
    search
}

fn example(search: &Mcgs<Race>) -> Option<(f32, [f32; 10], Values)> {
    let (mut planes, mut policy) = ([f32::NAN], [f32::NAN; 10]);
    let values = search.example(&SIGNATURE, &mut planes, &mut policy)?;
    Some((planes[0], policy, values))
}

#[test]
fn policies_add_up_and_values_are_in_the_unit_of_the_network() {
    let mut rng = Pcg64::seed_from_u64(1);
    for options in [json!({}), noisy(), json!({"selector": "rm"}), json!({"selector": "puct+rootsolve"})] {
        for seed in 0..30 {
            let (race, state) = Race::random(&mut rng);
            let search = searched(&race, &state, &options, seed, 200);
            let (plane, policy, values) = example(&search).unwrap();
            assert_eq!(plane, state.cheese.count_ones() as f32);
            // The unit of the race is one point.
            let expected = search.root_statistics().value.map(|points| points.clamp(0.0, 1.0) as f32);
            assert_eq!(values[..2], expected);
            for seat in 0..2 {
                let shares = &policy[5 * seat..5 * seat + 5];
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{options}: {shares:?}");
                let mut legal = Vec::new();
                race.legal(&state, seat, &mut legal);
                for (action, share) in (0..5).zip(shares) {
                    assert!(*share >= 0.0);
                    assert!(*share == 0.0 || legal.contains(&action), "{options}: {action} is blocked");
                }
            }
            assert_eq!(example(&searched(&race, &state, &options, seed, 200)), example(&search));
        }
    }
}

#[test]
fn without_exploration_the_policy_is_that_of_the_report() {
    let mut rng = Pcg64::seed_from_u64(2);
    for selector in ["puct", "rm", "puct+rootsolve"] {
        let (race, state) = Race::random(&mut rng);
        let search = searched(&race, &state, &json!({"selector": selector}), 3, 300);
        let (_, policy, _) = example(&search).unwrap();
        let statistics = search.root_statistics();
        for (seat, (actions, shares)) in statistics.actions.iter().zip(&statistics.policies).enumerate() {
            for (action, share) in actions.iter().zip(shares) {
                assert_eq!(policy[5 * seat + usize::from(*action)], *share as f32);
            }
        }
    }
}

#[test]
fn there_is_nothing_to_learn_without_visits_points_or_fitting_planes() {
    let (race, state) = Race::diagonal(6);
    assert_eq!(example(&searched(&race, &state, &Value::Null, 1, 0)), None);
    assert_eq!(example(&searched(&race, &state, &Value::Null, 1, 1)), None, "evaluated, but not visited");
    assert_eq!(example(&searched(&race, &state, &json!({"utility": "win"}), 1, 50)), None);
    let search = searched(&race, &state, &Value::Null, 1, 50);
    let other = Signature { planes: 2, ..SIGNATURE };
    let (mut planes, mut policy) = ([7.0; 2], [7.0; 10]);
    assert_eq!(search.example(&other, &mut planes, &mut policy), None);
    assert_eq!((planes, policy), ([7.0; 2], [7.0; 10]), "and nothing is written");
}

/// Visits of the outcomes of each seat at the root.
fn visits(search: &Mcgs<Race>) -> [Vec<u32>; 2] {
    let statistics = search.root_statistics();
    let counts = statistics.actions.each_ref().map(Vec::len);
    let row = |index: usize| statistics.visits[index * counts[1]..][..counts[1]].iter().sum();
    let column = |index: usize| (0..counts[0]).map(|row| statistics.visits[row * counts[1] + index]).sum();
    [(0..counts[0]).map(row).collect(), (0..counts[1]).map(column).collect()]
}

#[test]
fn noise_changes_the_root_only_and_depends_on_the_seed() {
    let (race, state) = Race::diagonal(6);
    let noise = json!({"ties": "index", "noiseFraction": 0.9, "noiseAlpha": 0.3});
    let with = |seed| visits(&searched(&race, &state, &noise, seed, 100));
    assert_eq!(with(1), with(1));
    assert!((2..9).any(|seed| with(seed) != with(1)));
    assert_ne!(with(1), visits(&searched(&race, &state, &json!({"ties": "index"}), 1, 100)));
    let none = json!({"noiseFraction": 0.0, "noiseAlpha": 5.0});
    assert_eq!(
        visits(&searched(&race, &state, &none, 1, 100)),
        visits(&searched(&race, &state, &Value::Null, 1, 100))
    );
    // The priors of the nodes stay those of the evaluator, so a search without noise may go on with the same graph.
    let search = searched(&race, &state, &noise, 1, 100);
    assert!(search.graph().choices(0, 0).iter().all(|choice| choice.weight.fract() == 0.0));
}

#[test]
fn a_new_root_gets_noise_of_its_own() {
    let (race, state) = Race::diagonal(6);
    let noise = json!({"noiseFraction": 1.0, "noiseAlpha": 0.1});
    let plain = json!({"noiseFraction": 0.0});
    let after = |options: &Value| {
        let mut search = searched(&race, &state, options, 4, 60);
        search.advance("U/D").unwrap();
        let inherited = visits(&search);
        search.run(200);
        let added = |seat: usize| {
            let (now, before) = (&visits(&search)[seat], &inherited[seat]);
            now.iter()
                .enumerate()
                .map(|(index, count)| count - before.get(index).unwrap_or(&0))
                .collect::<Vec<_>>()
        };
        [added(0), added(1)]
    };
    assert_ne!(after(&noise), after(&plain));
}

/// Nobody gains by staying: what is forced on it is not in the policy.
#[test]
fn forced_simulations_are_run_and_leave_no_trace_in_the_policy() {
    let (race, state) = Race::diagonal(6);
    let with = |forced: f64| {
        let options = json!({"c_puct": 0.1, "noiseFraction": 0.5, "noiseAlpha": 5.0, "forcedPlayouts": forced});
        searched(&race, &state, &options, 5, 400)
    };
    let least = |search: &Mcgs<Race>| visits(search).into_iter().flatten().min().unwrap();
    let (free, forced) = (with(0.0), with(2.0));
    assert!(least(&forced) > least(&free), "{} {}", least(&forced), least(&free));
    let (_, policy, _) = example(&forced).unwrap();
    for (seat, counts) in visits(&forced).into_iter().enumerate() {
        let (stay, total) = (counts.last().unwrap(), counts.iter().sum::<u32>());
        assert!(policy[5 * seat + 4] < *stay as f32 / total as f32, "seat {seat}");
    }
}

#[test]
fn share_is_the_same_for_both_seats() {
    let (race, state) = Race::diagonal(6);
    let mut search = race.search(state, Share, Options::rec());
    search.run(5);
    let (_, _, values) = example(&search).unwrap();
    assert_eq!(values[..2], [1.0, 1.0], "1.6 and 1.4 points, more than the unit of one point");
}
