//! The evaluators: published values of two positions, names and weights, and priors.

use _core::evaluator::Evaluator;
use _core::games::carcassonne::Carcassonne;
use _core::games::carcassonne::action::Action;
use _core::games::carcassonne::evaluators::heuristics::{Heuristic, Ramp, Score, V1, V2, sigmoid};
use _core::games::carcassonne::evaluators::outlook::{Outlook, completion};
use _core::games::carcassonne::state::State;
use _core::moves;
use _core::rules::Rules;
use serde_json::json;

/// Four moves of a game in which so many tiles are left in the bag.
const FOUR: (&str, &[&str]) =
    ("E", &["0,1,180 city_S +U", "1,0,90 road_EW +B", "0,-1,0 monastery +V", "-1,0,180 field_SW +X"]);

const TWO: (&str, &[&str]) = ("M", &["0,1,180 city_ES +U", "1,0,90 road_EW +B"]);

fn position((first, moves): (&str, &[&str]), left: usize, seats: usize) -> (Carcassonne, State) {
    let config = json!({"tile": first, "tileCount": moves.len() + 1 + left, "seats": seats});
    let (rules, mut state) = Carcassonne::setup("standard", &config).unwrap();
    for text in moves {
        moves::play_recorded(&rules, &mut state, text).unwrap();
    }
    assert_eq!(usize::from(state.bag().left()), left);
    (rules, state)
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} {b}");
}

#[test]
fn formulas() {
    for (x, scale, share) in [
        (25.0, 25.0, 0.731_058_578_630_004_9),
        (-25.0, 25.0, 0.268_941_421_369_995_1),
        (10.0, 25.0, 0.598_687_660_112_452),
        (5.0, 20.0, 0.562_176_500_885_798_1),
    ] {
        close(sigmoid(x, scale), share);
    }
    for (open, left, chance) in [
        (0, 0.0, 1.0),
        (1, 0.0, 0.0),
        (1, 1.0, 1.0 / 6.0),
        (1, 5.0, 5.0 / 6.0),
        (1, 6.0, 1.0),
        (2, 10.0, 5.0 / 6.0),
        (3, 10.0, 5.0 / 9.0),
        (4, 8.0, 1.0 / 3.0),
        (8, 30.0, 0.625),
        (8, 71.0, 1.0),
        (10, 5.0, 1.0 / 12.0),
        (5, 40.0, 1.0),
    ] {
        close(completion(open, left), chance);
    }
}

/// The weights of the program meeple_cat, whose shares are published; our evaluators of the same names have others.
const AGGRESSIVE: V1 = V1 {
    score: Ramp { base: 0.45, delta: 0.10 },
    potential: Ramp { base: 0.30, delta: -0.15 },
    meeple: Ramp { base: 0.10, delta: -0.05 },
    hoard_threshold: 5.0,
    hoard_gate: 0.15,
    field: Ramp { base: 0.15, delta: 0.10 },
    ..V1::DEFAULT
};

const FIELD_HEAVY: V1 = V1 {
    score: Ramp { base: 0.30, delta: 0.10 },
    potential: Ramp { base: 0.25, delta: -0.10 },
    field: Ramp { base: 0.25, delta: 0.15 },
    field_scale: 8.0,
    ..V1::DEFAULT
};

const CONSERVATIVE: V1 = V1 {
    score: Ramp { base: 0.30, delta: 0.10 },
    potential: Ramp { base: 0.25, delta: -0.10 },
    meeple: Ramp { base: 0.30, delta: -0.05 },
    hoard_threshold: 7.0,
    hoard_penalty: 0.9,
    field: Ramp { base: 0.15, delta: 0.05 },
    ..V1::DEFAULT
};

/// The reference's presets differ from the default in the weights at the start alone.
#[test]
fn presets_of_v1() {
    let (rules, _) = position(("E", &[]), 70, 2);
    let weights = |name: &str| rules.evaluator(name).unwrap().weights();
    for (name, bases) in [
        ("v1", [0.35, 0.35, 0.20, 0.10]),
        ("default", [0.35, 0.35, 0.20, 0.10]),
        ("aggressive", [0.45, 0.30, 0.10, 0.15]),
        ("field_heavy", [0.30, 0.30, 0.15, 0.25]),
        ("conservative", [0.30, 0.30, 0.30, 0.10]),
    ] {
        let names = ["score_base", "potential_base", "meeple_base", "field_base"];
        let expected = weights("v1").into_iter().map(|(weight, usual)| {
            let base = names.iter().position(|base| *base == weight);
            (weight, base.map_or(usual, |index| bases[index]))
        });
        assert_eq!(weights(name), expected.collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn published_shares() {
    let presets = [V1::DEFAULT, AGGRESSIVE, FIELD_HEAVY, CONSERVATIVE];
    let start =
        [0.549_823_943_661_971_8, 0.524_823_943_661_971_8, 0.550_528_169_014_084_5, 0.574_823_943_661_971_9];
    let four = [
        [0.585_413_725_516_871_5, 0.469_688_315_299_455],
        [0.564_535_163_948_822_6, 0.461_995_448_296_075_36],
        [0.581_396_984_278_651_3, 0.487_990_770_823_389_54],
        [0.594_189_794_153_777, 0.489_483_675_234_178_1],
    ];
    let (rules, state) = position(("E", &[]), 70, 2);
    let outlook = Outlook::new(&rules, &state);
    for (preset, share) in presets.iter().zip(start) {
        close(preset.share(&outlook, 0), share);
        close(preset.share(&outlook, 1), share);
    }
    let (rules, state) = position(FOUR, 30, 2);
    let outlook = Outlook::new(&rules, &state);
    for (preset, shares) in presets.iter().zip(four) {
        close(preset.share(&outlook, 0), shares[0]);
        close(preset.share(&outlook, 1), shares[1]);
    }
    close(V2::DEFAULT.advantage(&outlook, 0), 4.125_714_285_714_285_4);
    close(V2::DEFAULT.advantage(&outlook, 1), -4.125_714_285_714_285_4);
    close(V2::DEFAULT.share(&outlook, 0), 0.601_704_298_609_753_9);
    close(V2::DEFAULT.share(&outlook, 1), 0.398_295_701_390_246_1);
    close(Score::DEFAULT.share(&outlook, 0), sigmoid(4.0, 20.0));
}

/// With few tiles left, meeples kept back are a fault.
#[test]
fn published_shares_late_in_the_game() {
    let (rules, state) = position(FOUR, 6, 2);
    let outlook = Outlook::new(&rules, &state);
    close(V1::DEFAULT.share(&outlook, 0), 0.545_310_265_100_275_1);
    close(V1::DEFAULT.share(&outlook, 1), 0.490_144_280_354_270_4);
    close(V2::DEFAULT.advantage(&outlook, 0), 2.657_851_239_669_421_6);
    close(V2::DEFAULT.share(&outlook, 0), 0.566_057_867_880_139_6);
}

#[test]
fn published_shares_of_a_contested_city() {
    let (rules, state) = position(TWO, 30, 2);
    let mut outlook = Outlook::new(&rules, &state);
    close(V1::DEFAULT.share(&outlook, 0), 0.557_194_893_631_972_4);
    close(V1::DEFAULT.share(&outlook, 1), 0.512_610_301_173_223_4);
    // Two meeples of the other seat in the city.
    let [city, road] = [6.0, 2.0];
    (outlook.prospects[0].owned, outlook.prospects[0].lost) = (0.0, city + road);
    outlook.prospects[0].outnumbered = 1.0;
    (outlook.prospects[1].owned, outlook.prospects[1].lost) = (city + road, 0.0);
    outlook.prospects[1].supply = 4.0;
    close(V1::DEFAULT.share(&outlook, 0), 0.491_425_946_428_901_03);
    close(V1::DEFAULT.share(&outlook, 1), 0.542_725_960_648_582_4);
    let only_meeples = "score_base score_delta potential_base potential_delta field_base field_delta meeple_delta";
    let mut meeples = V1::DEFAULT;
    for (name, weight) in V1::WEIGHTS {
        *weight(&mut meeples) *= if only_meeples.split(' ').any(|other| other == name) { 0.0 } else { 1.0 };
    }
    meeples.meeple.base = 1.0;
    for (supply, value) in [
        (0.0, 0.169_621_815_617_091_41),
        (1.0, 0.231_627_477_256_215_55),
        (2.0, 0.351_572_039_625_985_5),
        (6.0, 0.719_856_531_802_585_9),
        (7.0, 0.811_229_665_600_927_2),
    ] {
        outlook.prospects[0].supply = supply;
        close(meeples.share(&outlook, 0), value);
    }
}

#[test]
fn two_seats_share_one_win_and_more_have_their_own() {
    let (rules, state) = position(FOUR, 30, 2);
    let evaluator = rules.evaluator("v1").unwrap();
    let values = evaluator.value(&rules, &state);
    close(values[0].into(), f64::from((0.585_413_725_516_871_5 - 0.469_688_315_299_455_f64) as f32));
    assert_eq!(values[1], -values[0]);
    close(evaluator.raw_value(&rules, &state, 1).into(), f64::from(2.0 * 0.469_688_315_299_455_f64 as f32 - 1.0));
    let (rules, mut state) = position(FOUR, 30, 3);
    let three = |state: &State| rules.evaluator("v1").unwrap().value(&rules, state);
    assert!(three(&state)[2] > three(&state)[1]);
    rules.forfeit(&mut state, 0);
    assert_eq!(three(&state)[0], -1.0);
    assert!(three(&state)[1] > -1.0);
}

#[test]
fn names_and_weights() {
    let (rules, state) = position(FOUR, 30, 2);
    let value = |text: &str| rules.evaluator(text).unwrap().value(&rules, &state)[0];
    assert_eq!(value("native"), value("v2"));
    assert_eq!(value("default"), value("v1"));
    assert_eq!(value("v1/field_base=0.1"), value("v1"));
    assert_ne!(value("v1/field_base=0.3/meeple_base=0"), value("v1"));
    assert_eq!(value("score/scale=10"), (2.0 * sigmoid(4.0, 10.0) - 1.0) as f32);
    for (text, message) in [
        ("", "this game has no evaluator '': one of native"),
        ("v3", "no evaluator 'v3': one of native, v2, v1"),
        ("v2/", "evaluator v2 has no weight '': one of score_base"),
        ("v1/fields=1", "evaluator v1 has no weight 'fields': one of score_base"),
        ("v1/field_base", "weight field_base of v1 must be a number in -1000..1000"),
        ("v1/field_base=x", "weight field_base of v1 must be a number"),
        ("v1/field_base=nan", "weight field_base of v1 must be a number"),
        ("v2/scale=0", "weight scale of v2 must be a number in 0.001..1000"),
    ] {
        let error = rules.evaluator(text).err().unwrap().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// The best tile and the best meeple are those with the highest value after the turn.
#[test]
fn priors_order_by_the_value_after_the_turn() {
    let (rules, state) = position(FOUR, 30, 2);
    let evaluator = rules.evaluator("v2").unwrap();
    let (placement, after) = best(&rules, &*evaluator, &state);
    let (claim, after) = best(&rules, &*evaluator, &after);
    let highest = value_of_turns(&rules, &*evaluator, &state).into_iter().reduce(f32::max).unwrap();
    assert_eq!(evaluator.value(&rules, &after)[0], highest, "{placement:?} {claim:?}");
    let nearest = rules.evaluator("seed").unwrap();
    let (placement, after) = best(&rules, &*nearest, &state);
    assert_eq!(rules.write(&state, 0, &[placement]), "2,0,0");
    assert_eq!(rules.write(&after, 0, &[best(&rules, &*nearest, &after).0]), "road_N");
}

/// The first of the actions with the highest prior, and the state after it.
fn best(rules: &Carcassonne, evaluator: &dyn Evaluator<Carcassonne>, state: &State) -> (Action, State) {
    let (mut legal, mut priors) = (Vec::new(), Vec::new());
    rules.legal(state, 0, &mut legal);
    evaluator.priors(rules, state, 0, &legal, &mut priors);
    assert!(priors.iter().all(|prior| *prior > 0.0));
    let highest = priors.iter().copied().fold(0.0, f32::max);
    let action = legal[priors.iter().position(|prior| *prior == highest).unwrap()];
    let mut after = *state;
    rules.play_unchecked(&mut after, &[action]);
    (action, after)
}

fn value_of_turns(rules: &Carcassonne, evaluator: &dyn Evaluator<Carcassonne>, state: &State) -> Vec<f32> {
    if rules.at_rest(state) && state.seat() == 1 {
        return vec![evaluator.value(rules, state)[0]];
    }
    let mut legal = Vec::new();
    rules.legal(state, 0, &mut legal);
    let turns = legal.into_iter().flat_map(|action| {
        let mut after = *state;
        rules.play_unchecked(&mut after, &[action]);
        value_of_turns(rules, evaluator, &after)
    });
    turns.collect()
}
