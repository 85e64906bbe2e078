//! Numbers of turns and states.

use std::collections::HashSet;

use _core::games::open;
use _core::games::pyrat::PyRat;
use _core::moves;
use _core::rules::{Rules, ToAct};
use serde_json::{Value, json};

use super::model::Model;

/// Leaves of the tree of turns; those of few turns also counted by the model.
#[test]
fn tables() {
    let lines = include_str!("../data/pyrat/perft.txt").lines().filter(|line| !line.starts_with('#'));
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let (config, counts) = line.split_once(" => ").unwrap();
        let (variant, config) = config.split_once(' ').unwrap();
        let position = open("pyrat", Some(variant), &serde_json::from_str(config).unwrap()).unwrap();
        let model = Model::new(&position.config());
        for (depth, leaves) in (1..).zip(counts.split_whitespace()) {
            assert_eq!(position.perft(depth, 1).unwrap().to_string(), leaves, "{line}, depth {depth}");
            if depth <= 3 {
                assert_eq!(count(&model, depth).to_string(), leaves, "{line}, depth {depth}");
            }
        }
    }
}

fn count(model: &Model, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let pairs =
        model.legal(0).into_iter().flat_map(|first| model.legal(1).into_iter().map(move |second| [first, second]));
    let leaves = pairs.map(|pair| {
        let mut after = model.clone();
        after.play(pair);
        count(&after, depth - 1)
    });
    leaves.sum()
}

/// The numbers of different unfinished states of small games: keys distinguish states, and only those.
#[test]
fn states() {
    let cheese = json!([[0, 2], [1, 1], [2, 0]]);
    let wall = json!([[[0, 0], [1, 0]]]);
    for (config, states) in [
        (json!({"cheese": cheese, "maxTurns": 6}), 1574),
        (json!({"cheese": cheese, "maxTurns": 8, "walls": wall, "mud": [[[2, 2], [2, 1], 2]]}), 3847),
        (json!({"cheese": cheese, "maxTurns": 8, "walls": wall}), 2584),
        (json!({"cheese": [[1, 2]], "maxTurns": 10, "starts": [[0, 0], [2, 0]]}), 479),
    ] {
        assert_eq!(reachable(&config), states, "{config}");
    }
}

/// Counts the unfinished states of a game on nine cells, by their keys and by all that is seen of them.
fn reachable(config: &Value) -> usize {
    let mut config = config.clone();
    (config["width"], config["height"]) = (json!(3), json!(3));
    let (rules, start) = PyRat::<1>::setup("open", &config).unwrap();
    let (mut keys, mut views) = (HashSet::new(), HashSet::new());
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        if rules.to_act(&state) != ToAct::Together {
            continue;
        }
        views.insert(rules.view(&state, None).to_string());
        if keys.insert(rules.key(&state)) {
            open.extend(moves::successors(&rules, &state));
        }
    }
    assert_eq!(keys.len(), views.len());
    keys.len()
}
