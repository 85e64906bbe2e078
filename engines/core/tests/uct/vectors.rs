//! Visits and sums of whole searches on the bandit, which other implementations of the algorithm agree on.

use _core::search::uct::options::Options;
use _core::search::{Search, SelfEvaluating};
use serde_json::{Value, json};

use super::bandit::Bandit;

/// Visits of the root's arms in the order in which they were tried, and the root's sum of seat 0.
fn searched(choices: usize, options: &Value, simulations: u32) -> (Vec<u32>, f64) {
    let mut search = Bandit(choices).search(Options::read(options).unwrap());
    search.run(simulations);
    let statistics = search.root_statistics();
    let (visits, sums): (Vec<u32>, Vec<f64>) = statistics.iter().map(|arm| (arm.own.visits, arm.own.sum)).unzip();
    (visits, sums.iter().sum())
}

/// A preset with the exploration of the published values.
fn wide(preset: &str) -> Value {
    json!({"preset": preset, "exploration_constant": 1.41, "pw_c": 2})
}

#[test]
fn one_choice() {
    for (simulations, expected) in [
        (1, &[1][..]),
        (2, &[1, 1]),
        (3, &[1, 2]),
        (4, &[1, 2, 1]),
        (5, &[1, 2, 1, 1]),
        (10, &[1, 2, 1, 3, 2, 1]),
        (25, &[3, 4, 3, 7, 5, 3]),
        (100, &[9, 13, 7, 44, 16, 11]),
    ] {
        let (visits, sum) = searched(1, &wide("default"), simulations);
        assert_eq!(visits, expected, "{simulations} simulations");
        assert!(simulations != 100 || (sum - 64.2).abs() < 1e-4, "{sum}");
    }
}

#[test]
fn without_widening_every_arm_is_tried_first() {
    assert_eq!(
        searched(1, &json!({"exploration_constant": 1.41, "pw_c": 100, "pw_alpha": 0}), 30).0,
        [4, 5, 3, 9, 5, 4]
    );
}

#[test]
fn two_choices() {
    for (simulations, expected, sum) in [(20, [3, 3, 2, 5, 4, 3], 10.34), (50, [5, 7, 5, 18, 9, 6], 27.71)] {
        for preset in ["default", "seed"] {
            let (visits, found) = searched(2, &wide(preset), simulations);
            assert_eq!(visits, expected, "{simulations} simulations");
            assert!((found - sum).abs() < 1e-4, "{found}");
        }
    }
}

#[test]
fn two_choices_with_shared_amaf_statistics() {
    let amaf20 = [(9, 4.1), (8, 3.97), (4, 0.91), (6, 4.5), (4, 2.3), (3, 1.12)];
    let amaf50 = [(13, 4.93), (18, 8.31), (13, 4.26), (29, 21.09), (13, 5.91), (8, 2.4)];
    for (simulations, expected, sum, amaf) in
        [(20, [3, 3, 2, 5, 4, 3], 10.34, amaf20), (50, [6, 8, 6, 16, 8, 6], 26.2, amaf50)]
    {
        let options = json!({"preset": "seed", "use_rave": true});
        let (visits, found) = searched(2, &options, simulations);
        assert_eq!(visits, expected, "{simulations} simulations");
        assert!((found - sum).abs() < 1e-4, "{found}");
        let mut search = Bandit(2).search(Options::read(&options).unwrap());
        search.run(simulations);
        for (arm, (visits, sum)) in search.root_statistics().iter().zip(amaf) {
            let known = arm.amaf.unwrap();
            assert_eq!(known.visits, visits, "arm {}", arm.action);
            assert!((known.sum - sum).abs() < 1e-4, "arm {}: {}", arm.action, known.sum);
        }
    }
}

#[test]
fn each_seat_has_its_own_amaf_statistics_outside_the_seed() {
    let seen = |options: Value| {
        let mut search = Bandit(2).search(Options::read(&options).unwrap());
        search.run(50);
        search.root_statistics().iter().map(|arm| arm.amaf.unwrap().visits).sum::<u32>()
    };
    assert_eq!(seen(json!({"use_rave": true})), 50, "one own action per simulation");
    assert!(seen(json!({"use_rave": true, "preset": "seed"})) > 80, "the reply counts too");
    let by_context = json!({"use_rave": true, "preset": "seed", "tile_aware_amaf": true});
    assert_eq!(seen(by_context), 50, "a reply has another context than a first choice");
}

#[test]
fn first_play_urgency_acts_in_expansion() {
    // The third choice tries the last arm first, and the first choice follows it.
    let tried = |urgent: bool| {
        let options = json!({"use_rave": true, "rave_fpu": urgent, "pw_c": 1.0, "max_amaf_depth": 0});
        let mut search = Bandit(3).search(Options::read(&options).unwrap());
        search.run(60);
        search.root_statistics().iter().map(|arm| arm.action).collect::<Vec<_>>()
    };
    assert_eq!(tried(false), [0, 1, 2, 3, 4, 5]);
    assert_eq!(tried(true)[..2], [0, 5]);
}

#[test]
fn equal_visits_are_decided_by_the_mean_outside_the_seed() {
    let best = |preset: &str| {
        let mut search = Bandit(1).search(Options::read(&wide(preset)).unwrap());
        search.run(2);
        search.report(1).best_move.unwrap()
    };
    assert_eq!((&best("default")[..], &best("seed")[..]), ("1", "0"));
}
