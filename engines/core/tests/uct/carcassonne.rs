//! Carcassonne: moves of two actions, a bag that nobody has seen, and forced placements.

use std::collections::HashMap;
use std::sync::Arc;

use _core::games::carcassonne::Carcassonne;
use _core::moves;
use _core::rules::{Rules, ToAct};
use _core::search::uct::Uct;
use _core::search::{Focus, Search, SelfEvaluating};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::played_out;

type State = <Carcassonne as Rules>::State;

fn dealt(config: &Value) -> (Arc<Carcassonne>, State) {
    let (rules, state) = Carcassonne::setup("standard", config).unwrap();
    (Arc::new(rules), state)
}

/// Searches one move in phases, as the pool does.
fn search_move(search: &mut Uct<Carcassonne>, simulations: u32) -> String {
    search.unfocus();
    loop {
        search.run(simulations);
        if !search.focus() {
            return search.report(1).best_move.unwrap();
        }
    }
}

#[test]
fn equal_knowledge_gives_equal_reports() {
    let first = dealt(&json!({"seats": 3, "seed": 1, "tileCount": 9}));
    let tile = first.0.config()["tile"].clone();
    let mut others = (2..200).map(|seed| dealt(&json!({"seats": 3, "seed": seed, "tileCount": 9})));
    let second = others.find(|(rules, _)| rules.config()["tile"] == tile).unwrap();
    assert_ne!(first.0.key(&first.1), second.0.key(&second.1), "the true orders differ");
    for options in [json!({}), json!({"num_determinizations": 0}), json!({"preset": "seed", "use_rave": true})] {
        let report = |(rules, state): &(Arc<Carcassonne>, State)| {
            let mut search = played_out(rules, state, &options, 7);
            (search_move(&mut search, 100), search.report(9))
        };
        assert_eq!(report(&first), report(&second), "{options}");
    }
}

#[test]
fn trees_and_deals_follow_the_game() {
    let (rules, mut state) = dealt(&json!({"seats": 3, "seed": 4, "tileCount": 12}));
    let mut kept = 0;
    for options in [json!({"num_determinizations": 12}), json!({"num_determinizations": 0, "use_rave": true})] {
        let mut search = played_out(&rules, &state, &options, 3);
        while let ToAct::One(seat) = rules.to_act(&state) {
            if search.shares().count() > 1 {
                let known = |state: &State| rules.information_key(state, seat);
                assert!(search.dealt().all(|deal| known(deal) == known(&state)));
            }
            let text = search_move(&mut search, 400);
            let played = moves::play_recorded(&*rules, &mut state, &text).unwrap();
            search.advance(&played.text).unwrap();
            kept += search.report(1).inherited;
        }
        assert_eq!(search.run(10), 0, "the game is over");
        state = dealt(&json!({"seats": 3, "seed": 4, "tileCount": 12})).1;
    }
    assert!(kept > 100, "{kept}");
}

/// A position with a single placement but several places for a meeple.
fn forced() -> (Arc<Carcassonne>, State) {
    let mut rng = Pcg64::seed_from_u64(1);
    for seed in 0..2000 {
        let (rules, mut state) = dealt(&json!({"seats": 2, "seed": seed}));
        while let ToAct::One(seat) = rules.to_act(&state) {
            let mut legal = Vec::new();
            rules.legal(&state, seat, &mut legal);
            if rules.at_rest(&state) && legal.len() == 1 && moves::list(&*rules, &state, seat).len() > 1 {
                return (rules, state);
            }
            rules.play_unchecked(&mut state, &[legal[rng.random_range(0..legal.len())]]);
        }
    }
    panic!("there is no such position")
}

#[test]
fn a_meeple_is_searched_after_a_forced_placement() {
    let (rules, state) = forced();
    for preset in ["default", "seed"] {
        let mut search = played_out(&rules, &state, &json!({"preset": preset}), 1);
        assert_eq!(search.run(100), 100);
        assert!(search.focus(), "the meeple is left");
        search.run(100);
        let report = search.report(9);
        assert!(report.lines.len() > 1 && report.visits >= 100);
    }
}

/// The published keys of actions are their texts: `x,y,rotation`, `skip`, and the spot of a meeple.
#[test]
fn actions_share_amaf_statistics_if_and_only_if_they_have_the_same_text() {
    let (mut keys, mut texts) = (HashMap::new(), HashMap::new());
    for (seed, variant) in (0..20).zip(["standard", "meeple_compat"].into_iter().cycle()) {
        let (rules, mut state) = Carcassonne::setup(variant, &json!({"seed": seed})).unwrap();
        let mut rng = Pcg64::seed_from_u64(seed);
        while let ToAct::One(seat) = rules.to_act(&state) {
            let mut legal = Vec::new();
            rules.legal(&state, seat, &mut legal);
            for action in &legal {
                let (text, key) = (rules.write(&state, seat, &[*action]), rules.amaf_key(&state, *action));
                assert_eq!(*keys.entry(text.clone()).or_insert(key), key, "{text}");
                assert_eq!(texts.entry(key).or_insert_with(|| text.clone()), &text);
            }
            rules.play_unchecked(&mut state, &[legal[rng.random_range(0..legal.len())]]);
        }
    }
    assert!(keys.contains_key("monastery") && keys.contains_key("city_ES") && keys.contains_key("skip"));
}

#[test]
fn the_tile_in_hand_is_the_context_of_a_placement() {
    let (rules, mut state) = dealt(&json!({"seats": 2, "seed": 1}));
    let mut legal = Vec::new();
    rules.legal(&state, 0, &mut legal);
    let context = rules.amaf_context(&state, legal[0]);
    assert!(context.is_some());
    rules.play_unchecked(&mut state, &legal[..1]);
    assert_eq!(rules.amaf_context(&state, legal[0]), None, "a meeple has none");
}
