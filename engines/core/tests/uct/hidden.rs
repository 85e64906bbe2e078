//! Hidden information, on Draw: exact values, deals that agree with what is known, and nothing else of the true order.

use std::sync::Arc;

use _core::evaluator::Evaluator;
use _core::games::toys::draw::{Action, Draw};
use _core::moves;
use _core::rules::{Rules, Seat, ToAct, Values};
use _core::search::uct::Uct;
use _core::search::uct::options::Options;
use _core::search::{Focus, Search, SelfEvaluating};
use serde_json::{Value, json};

use super::played_out;

type State = <Draw as Rules>::State;

/// A public position after some moves; the first open card is 4.
fn public(seats: usize, record: &[&str]) -> (Arc<Draw>, State) {
    let (rules, mut state) = Draw::setup("standard", &json!({"seats": seats, "first": 4})).unwrap();
    for text in record {
        moves::play_recorded(&rules, &mut state, text).unwrap();
    }
    (Arc::new(rules), state)
}

/// Every order of what is turned up next, equally likely.
fn deals(rules: &Draw, state: &State) -> Vec<State> {
    let hidden = rules.hidden().unwrap();
    let turned_up = (1..=9).map(Some).chain([None]).filter_map(|card| {
        let mut dealt = state.clone();
        hidden.reveal(&mut dealt, &card).ok().map(|()| dealt)
    });
    turned_up.collect()
}

/// The value of a state if each seat maximises its own: the mean over what is turned up, before the last action of a
/// move. Seats that are indifferent must leave all others so, or the value is ambiguous.
fn exact(rules: &Draw, state: &State) -> Values {
    match rules.to_act(state) {
        ToAct::Over(outcome) => outcome.values(rules.seats()),
        _ => *by_action(rules, state).iter().reduce(|best, next| better(rules, state, best, next)).unwrap(),
    }
}

fn better<'v>(rules: &Draw, state: &State, best: &'v Values, next: &'v Values) -> &'v Values {
    let seat = rules.acting(state)[0];
    let is_tie = (next[seat] - best[seat]).abs() < 1e-6;
    let is_same = next.iter().zip(best).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(!is_tie || is_same, "the position is ambiguous");
    if next[seat] > best[seat] { next } else { best }
}

/// The value after each action.
fn by_action(rules: &Draw, state: &State) -> Vec<Values> {
    let deals = if rules.at_rest(state) { vec![state.clone()] } else { deals(rules, state) };
    let actions = moves::successors(rules, state).len();
    let mut sums = vec![Values::default(); actions];
    for dealt in &deals {
        for (sum, after) in sums.iter_mut().zip(moves::successors(rules, dealt)) {
            for (sum, value) in sum.iter_mut().zip(exact(rules, &after)) {
                *sum += value / deals.len() as f32;
            }
        }
    }
    sums
}

#[test]
fn one_tree_over_what_is_known_finds_the_exact_value() {
    const SIMULATIONS: u32 = 200_000;
    for record in [
        &["take +9", "take +3", "take +8", "take +1", "take +2"][..],
        &["take +9", "take +3", "take +8", "take +1"],
    ] {
        let (rules, state) = public(2, record);
        let seat = rules.acting(&state)[0];
        let expected = exact(&rules, &state);
        assert!(expected[seat].abs() < 1.0, "chance decides");
        let options = json!({"num_determinizations": 0, "pw_c": 100, "exploration_constant": 0.4});
        let mut search = played_out(&rules, &state, &options, 3);
        search.run(SIMULATIONS);
        let report = search.report(9);
        assert_close(report.values[seat], expected[seat], report.lines[0].visits);
        let total: f32 = report.policies[0].iter().map(|(_, share)| share).sum();
        assert!((total - 1.0).abs() < 1e-5);
    }
}

/// Whether the mean of so many results of ±1 agrees with the exact one, to four standard errors.
fn assert_close(found: f32, exact: f32, visits: u32) {
    let error = ((1.0 - exact * exact) / visits as f32).sqrt();
    assert!((found - exact).abs() <= 4.0 * error + 1e-6, "{found}, not {exact} ± {error}");
}

#[test]
fn three_seats_get_their_expected_values() {
    // With a single action per node, every seat takes its card. Other play-outs are only a few dozen.
    const SIMULATIONS: u32 = 100_000;
    let (rules, state) = public(3, &["take +9", "take +6", "take +8", "take +2"]);
    let mut expected = Values::default();
    let mut open = vec![(state.clone(), 1.0)];
    while let Some((state, chance)) = open.pop() {
        if let ToAct::Over(outcome) = rules.to_act(&state) {
            for (sum, value) in expected.iter_mut().zip(outcome.values(3)) {
                *sum += chance * value;
            }
            continue;
        }
        let dealt = if rules.at_rest(&state) { vec![state] } else { deals(&rules, &state) };
        let share = chance / dealt.len() as f32;
        open.extend(dealt.iter().map(|dealt| (moves::successors(&*rules, dealt)[0].clone(), share)));
    }
    let mut search = played_out(&rules, &state, &json!({"num_determinizations": 0, "pw_c": 0}), 3);
    search.run(SIMULATIONS);
    let report = search.report(9);
    assert_eq!((&report.lines[0].text[..], report.lines.len()), ("take", 1));
    for (found, expected) in report.values.into_iter().zip(expected).take(3) {
        assert!(expected.abs() < 1.0, "chance decides");
        assert_close(found, expected, SIMULATIONS);
    }
}

#[test]
fn the_deals_agree_with_what_the_seat_knows() {
    let (rules, state) = public(3, &["take +9", "give double +1"]);
    let search = played_out(&rules, &state, &json!({"num_determinizations": 40}), 3);
    let known = |state: &State| rules.information_key(state, 0);
    assert!(search.dealt().all(|dealt| known(dealt) == known(&state)));
    let mut orders: Vec<u128> = search.dealt().map(|dealt| rules.key(dealt)).collect();
    orders.sort_unstable();
    orders.dedup();
    assert!(orders.len() > 35, "{} of 40 orders differ", orders.len());
}

/// An evaluator that sees the whole deck.
struct Peeking;

impl Evaluator<Draw> for Peeking {
    fn value(&self, rules: &Draw, state: &State) -> Values {
        let mut values = Values::default();
        values[0] = (rules.key(state) % 1000) as f32 / 1000.0;
        values
    }

    fn priors(&self, rules: &Draw, state: &State, _: Seat, actions: &[Action], out: &mut Vec<f32>) {
        out.extend((0..actions.len()).map(|index| 1.0 + (rules.key(state) >> (8 * index) & 255) as f32));
    }
}

#[test]
fn equal_knowledge_gives_equal_reports_whatever_the_evaluator_sees() {
    let mut starts = (0..200u64).filter_map(|seed| {
        let (rules, state) = Draw::setup("standard", &json!({"seats": 3, "seed": seed})).unwrap();
        (rules.view(&state, None)["open"] == 4).then_some((Arc::new(rules), state))
    });
    let (first, second) = (starts.next().unwrap(), starts.next().unwrap());
    assert_ne!(first.0.key(&first.1), second.0.key(&second.1), "the true orders differ");
    for options in [
        json!({"num_determinizations": 5}),
        json!({"num_determinizations": 0}),
        json!({"num_determinizations": 0, "use_rave": true}),
        json!({"preset": "seed", "use_rave": true}),
    ] {
        let reports = |(rules, state): &(Arc<Draw>, State)| {
            let peeking = || Some(Box::new(Peeking) as _);
            let options = Options::read(&options).unwrap();
            let mut search = Uct::new(Arc::clone(rules), state.clone(), peeking(), peeking(), options, 7);
            assert!(
                search.dealt().all(|dealt| rules.information_key(dealt, 0) == rules.information_key(state, 0))
            );
            let mut reports = vec![search.report(9)];
            for simulations in [1, 500] {
                search.run(simulations);
                reports.push(search.report(9));
            }
            while search.focus() {
                reports.push(search.report(9));
                search.run(500);
            }
            reports.push(search.report(9));
            reports
        };
        assert_eq!(reports(&first), reports(&second), "{options}");
    }
}

/// An evaluator that must not get the state with this key.
struct Blind(u128);

impl Evaluator<Draw> for Blind {
    fn value(&self, rules: &Draw, state: &State) -> Values {
        assert_ne!(rules.key(state), self.0);
        Values::default()
    }

    fn priors(&self, rules: &Draw, state: &State, _: Seat, actions: &[Action], out: &mut Vec<f32>) {
        assert_ne!(rules.key(state), self.0);
        out.extend(actions.iter().map(|_| 1.0));
    }
}

#[test]
fn evaluators_never_get_the_true_order() {
    let (rules, state) = Draw::setup("standard", &json!({"seats": 3, "seed": 1})).unwrap();
    let blind = || Some(Box::new(Blind(rules.key(&state))) as _);
    let (values, order) = (blind(), blind());
    let options = Options::read(&json!({})).unwrap();
    let mut search = Uct::new(Arc::new(rules), state, values, order, options, 7);
    assert!(search.bytes_for(100) > 0);
    search.report(9);
    search.run(100);
    search.report(9);
}

#[test]
fn every_stop_leaves_equal_shares() {
    let (rules, state) = public(3, &[]);
    for count in [1, 3, 5] {
        let mut search = played_out(&rules, &state, &json!({"num_determinizations": count}), 3);
        for (run, step) in [1, 7, 16, 2, 30].into_iter().enumerate() {
            search.run(step);
            let (low, high) = (search.shares().min().unwrap(), search.shares().max().unwrap());
            assert!(high - low <= 1, "{count} deals after {} runs: {low}..{high}", run + 1);
        }
        assert_eq!((search.shares().count(), search.visits()), (count, 56));
    }
}

#[test]
fn threads_and_steps_change_nothing() {
    let (rules, state) = public(3, &[]);
    let report = |threads: usize, steps: &[u32]| {
        let options = json!({"num_determinizations": 5, "threads": threads, "use_rave": true});
        let mut search = played_out(&rules, &state, &options, 3);
        for step in steps {
            search.run(*step);
        }
        search.report(9)
    };
    let expected = report(1, &[1003]);
    assert_eq!(report(1, &[1003]), expected);
    assert_eq!(report(1, &[1, 2, 1000]), expected);
    assert_eq!(report(2, &[1003]), expected);
    assert_eq!(report(3, &[501, 1, 501]), expected);
    assert_eq!(report(64, &[1003]), expected);
}

#[test]
fn a_move_keeps_the_trees_whose_deal_it_confirms() {
    let (rules, state) = public(3, &["take +9"]);
    let mut search = played_out(&rules, &state, &json!({"num_determinizations": 40, "pw_c": 100}), 3);
    search.run(40 * 50);
    let hidden = rules.hidden().unwrap();
    let turned_up = |dealt: &State| {
        let mut after = dealt.clone();
        moves::play_recorded(&dealt_rules(), &mut after, "take").unwrap();
        hidden.observe(dealt, &after)
    };
    let confirmed: Vec<bool> = search.dealt().map(|dealt| turned_up(dealt) == Some(7)).collect();
    assert!(confirmed.contains(&true) && confirmed.contains(&false));
    search.advance("take +7").unwrap();
    let kept: Vec<bool> = search.shares().map(|visits| visits > 0).collect();
    assert_eq!(kept, confirmed);
    assert_eq!((search.report(1).inherited, search.visits()), (search.visits(), search.shares().sum()));
    assert!(search.visits() > 0);
    let (_, after) = public(3, &["take +9", "take +7"]);
    let known = |state: &State| rules.information_key(state, 0);
    assert!(search.dealt().all(|dealt| known(dealt) == known(&after)), "others are dealt again");
    assert_eq!(search.run(100), 100);
}

/// Rules of a game whose order is known: they play moves without tails.
fn dealt_rules() -> Draw {
    Draw::setup("standard", &json!({"seats": 3, "seed": 1})).unwrap().0
}

#[test]
fn a_single_tree_goes_on_below_what_was_revealed() {
    let (rules, state) = public(3, &["take +9"]);
    let options = json!({"num_determinizations": 0, "pw_c": 100, "exploration_constant": 0.5});
    let mut search = played_out(&rules, &state, &options, 3);
    search.run(2000);
    let nodes = search.report(1).nodes;
    search.advance("take double +7").unwrap();
    let report = search.report(1);
    assert!((10..2000).contains(&report.inherited) && report.nodes < nodes, "{report:?}");
    assert!(search.advance("take +9").is_err(), "9 is gone");
    assert_eq!(search.report(1), report, "a refused move changes nothing");
}

#[test]
fn the_seed_starts_afresh_for_every_decision() {
    let (rules, state) = public(3, &["take +9"]);
    let mut search = played_out(&rules, &state, &json!({"preset": "seed"}), 3);
    search.run(500);
    assert!(search.focus());
    assert_eq!(search.visits(), 0);
    search.run(500);
    let best = search.report(3).best_move.unwrap();
    search.advance(&format!("{best} +7")).unwrap();
    assert_eq!((search.visits(), search.report(1).inherited), (0, 0));
}

#[test]
fn the_second_action_of_a_move_gets_as_many_new_simulations() {
    let (rules, state) = public(2, &[]);
    let mut search = played_out(&rules, &state, &Value::Null, 3);
    search.run(500);
    let visits = search.visits();
    assert_eq!(search.focus_visits(), visits);
    assert!(search.focus());
    assert_eq!((search.focus_visits(), search.visits()), (0, visits));
    search.run(500);
    assert_eq!((search.focus_visits(), search.visits()), (500, visits + 500));
    assert!(!search.focus(), "the move is complete");
    let best = search.report(1).best_move.unwrap();
    assert!(moves::complete(&*rules, &state, 0, &best).is_ok());
}
