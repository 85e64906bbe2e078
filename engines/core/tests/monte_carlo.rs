//! Flat Monte-Carlo search: its means are the exact values under uniform play, with simultaneous moves, hidden order
//! and three seats.

use std::sync::Arc;

use _core::games::toys::{draw::Draw, goofspiel::Goofspiel};
use _core::games::{CATALOGUE, open};
use _core::moves;
use _core::rules::{MAX_SEATS, Rules, ToAct};
use _core::search::{self, Driver, Report, SearchSpec};
use serde_json::{Value, json};

const SIMULATIONS: u32 = 40_000;

fn spec(options: Value) -> SearchSpec {
    SearchSpec { evaluator: "native".into(), options, seed: 3 }
}

fn searched<R: Rules>(rules: R, state: &R::State) -> Report {
    let mut search =
        search::open_by_name(&Arc::new(rules), state, &spec(json!({"search": "montecarlo"}))).unwrap();
    let Driver::SelfEvaluating(driver) = search.driver() else { panic!("play-outs need nobody") };
    assert_eq!(driver.run(SIMULATIONS), SIMULATIONS);
    search.report(50)
}

/// Mean and mean square of every seat's value.
type Moments = [[f64; 2]; MAX_SEATS];

fn mean(moments: &[Moments]) -> Moments {
    let mut sums = Moments::default();
    for moments in moments {
        for (sum, moment) in sums.iter_mut().flatten().zip(moments.iter().flatten()) {
            *sum += moment;
        }
    }
    sums.map(|pair| pair.map(|sum| sum / moments.len() as f64))
}

/// The exact moments under uniform play, over all actions and, where a card is turned up, all cards.
fn exact<R: Rules>(rules: &R, state: &R::State, cards: &dyn Fn(&R::State) -> Vec<R::State>) -> Moments {
    if let ToAct::Over(outcome) = rules.to_act(state) {
        return outcome.values(rules.seats()).map(|value| [value.into(), f64::from(value).powi(2)]);
    }
    let dealt = if rules.at_rest(state) { cards(state) } else { vec![state.clone()] };
    let after = dealt.iter().flat_map(|dealt| moves::successors(rules, dealt));
    mean(&after.map(|after| exact(rules, &after, cards)).collect::<Vec<_>>())
}

/// Whether a mean of so many play-outs agrees with the exact one, to four standard errors.
fn assert_close(found: f32, [mean, square]: [f64; 2], visits: u32, what: &str) {
    let error = ((square - mean * mean).max(0.0) / f64::from(visits)).sqrt();
    assert!((f64::from(found) - mean).abs() <= 4.0 * error + 1e-6, "{what}: {found}, not {mean} ± {error}");
}

#[test]
fn simultaneous_moves_have_their_exact_means() {
    let (rules, state) = Goofspiel::setup("standard", &json!({"cards": 4})).unwrap();
    let mut best = [([0.0; 2], 0); 2];
    for (seat, best) in best.iter_mut().enumerate() {
        for mine in 1..=4 {
            let joint = |other| if seat == 0 { [mine, other] } else { [other, mine] };
            let after = (1..=4).map(|other| {
                let mut after = state.clone();
                rules.play_unchecked(&mut after, &joint(other));
                exact(&rules, &after, &|state| vec![state.clone()])
            });
            let moments = mean(&after.collect::<Vec<_>>())[seat];
            if best.1 == 0 || moments[0] > best.0[0] {
                *best = (moments, mine);
            }
        }
    }
    let report = searched(rules, &state);
    assert_eq!(report.best_move, Some(format!("{}/{}", best[0].1, best[1].1)));
    assert_eq!(report.policies, best.map(|(_, card)| vec![(card.to_string(), 1.0)]));
    // The value is half the difference of the seats' best means. Each seat's simulations are half of all, and each of
    // its four cards gets a quarter of them.
    let [first, second] = best.map(|(moments, _)| moments);
    let half = (first[0] - second[0]) / 2.0;
    let variance = [first, second].map(|[mean, square]| square - mean * mean).iter().sum::<f64>() / 4.0;
    assert_close(report.values[0], [half, half * half + variance], SIMULATIONS / 8, "seat 0");
    assert_eq!(report.values[1], -report.values[0]);
}

#[test]
fn hidden_order_has_its_exact_means_for_three_seats() {
    let (rules, mut state) = Draw::setup("standard", &json!({"seats": 3, "first": 4})).unwrap();
    for text in ["take +9", "give double +1", "take double +7", "take +2", "give +8"] {
        moves::play_recorded(&rules, &mut state, text).unwrap();
    }
    let next = |state: &<Draw as Rules>::State| -> Vec<<Draw as Rules>::State> {
        let hidden = rules.hidden().unwrap();
        let turned_up = (1..=9).map(Some).chain([None]).filter_map(|card| {
            let mut dealt = state.clone();
            hidden.reveal(&mut dealt, &card).ok().map(|()| dealt)
        });
        turned_up.collect()
    };
    let mut expected = Vec::new();
    for (text, action) in [("take", 0), ("give", 1)] {
        let after: Vec<_> =
            next(&state).iter().map(|dealt| moves::successors(&rules, dealt)[action].clone()).collect();
        let moments = mean(&after.iter().map(|after| exact(&rules, after, &next)).collect::<Vec<_>>());
        expected.push((text, moments));
    }
    let seat = rules.acting(&state)[0];
    let (public, _) = Draw::setup("standard", &json!({"seats": 3, "first": 4})).unwrap();
    let report = searched(public, &state);
    for line in &report.lines {
        let moments = expected.iter().find(|(text, _)| *text == line.text).unwrap().1;
        assert_close(line.value, moments[seat], line.visits, &line.text);
    }
    let best = expected.iter().max_by(|a, b| a.1[seat][0].total_cmp(&b.1[seat][0])).unwrap();
    assert_eq!((&report.lines[0].text[..], report.lines.len()), (best.0, 2));
    for other in 0..3 {
        assert_close(report.values[other], best.1[other], SIMULATIONS / 2, &format!("seat {other}"));
    }
}

#[test]
fn every_game_is_played_to_its_end() {
    for game in CATALOGUE {
        let config = if game.name == "toy-draw" { json!({"seats": 3, "seed": 5}) } else { Value::Null };
        let mut position = open(game.name, None, &config).unwrap();
        let options = json!({"search": "montecarlo", "horizon": 2});
        let mut search = position.search(&spec(options)).unwrap();
        while position.outcome().is_none() && position.ply() < 20 {
            loop {
                let Driver::SelfEvaluating(driver) = search.driver() else { panic!("play-outs need nobody") };
                assert_eq!(driver.run(200), 200);
                if !search.focusing().unwrap().focus() {
                    break;
                }
            }
            let text = search.report(1).best_move.unwrap();
            position.play(&[text]).unwrap();
            let record = position.history();
            search.advance(record.last().unwrap()).unwrap();
        }
        let report = search.report(1);
        assert_eq!(report.best_move, None, "{}: nothing has been searched since the move", game.name);
        assert!(report.values.iter().all(|value| value.abs() <= 1.0));
        assert!(position.seats() > 2 || report.values[0] == -report.values[1], "{}", game.name);
    }
}
